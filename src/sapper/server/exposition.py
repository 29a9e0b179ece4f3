"""Metrics as the text that Prometheus reads (exposition format 0.0.4), and the histogram that servers count their answers in.

Knows: the lines of counters, gauges and histograms.
Does not know: what is counted, who asks.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final

BUCKETS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Upper bounds of a histogram of answers, in seconds."""

Lines = Iterable[str]


class AnswerHistogram:
    """Answers by the seconds that they took. Counting one is an addition to a slot of a list."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        """Not cumulative; the last is what no bucket holds."""
        self.total = 0.0
        """Seconds of all of them."""

    def observe(self, seconds: float) -> None:
        """Count one answer that took so long."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds


def exposition(families: Iterable[Lines]) -> str:
    """The text of some families of metrics."""
    return "".join(f"{line}\n" for family in families for line in family)


def gauge(name: str, text: str, value: float) -> Lines:
    """Something that goes up and down."""
    return _plain(name, "gauge", text, value)


def counter(name: str, text: str, value: float) -> Lines:
    """Something that is only counted up."""
    return _plain(name, "counter", text, value)


def counters(name: str, text: str, label: str, counts: Mapping[str, int]) -> Lines:
    """The same for each value of a label. The values are ours and have nothing that would need escaping.

    >>> list(counters("games_total", "Games.", "result", {"won": 2}))
    ['# HELP games_total Games.', '# TYPE games_total counter', 'games_total{result="won"} 2']
    """
    return (*_head(name, "counter", text), *(f'{name}{{{label}="{key}"}} {counts[key]}' for key in sorted(counts)))


def histogram(name: str, text: str, counts: Iterable[int], total: float) -> Lines:
    """Answers by their times: counts as of `AnswerHistogram`, and the seconds of all."""
    yield from _head(name, "histogram", text)
    below = 0
    for bound, count in zip((*map(repr, BUCKETS), "+Inf"), counts, strict=True):
        below += count
        yield f'{name}_bucket{{le="{bound}"}} {below}'
    yield f"{name}_sum {total!r}"
    yield f"{name}_count {below}"


def _head(name: str, kind: str, text: str) -> Lines:
    return (f"# HELP {name} {text}", f"# TYPE {name} {kind}")


def _plain(name: str, kind: str, text: str, value: float) -> Lines:
    return (*_head(name, kind, text), f"{name} {value}")
