"""What a server counts, and the text that Prometheus reads (exposition format 0.0.4).

Counting happens for every packet, so it is an addition to a slot of a list and nothing else. Several workers
count for themselves; their `state` is added up when somebody asks.

Knows: names, helps and labels of the metrics; how states are added up and written.
Does not know: sockets, HTTP, the clock, who counts.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sapper.net.packets import PacketType

BUCKETS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Upper bounds of the latency histogram, in seconds."""


class Metrics:
    """The counts of one process."""

    __slots__ = ("bytes_sent", "closed", "errors", "finished", "latency", "latency_sum", "opened", "packets", "playing", "refused")  # fmt: skip

    def __init__(self) -> None:
        self.opened = 0
        """Connections accepted since the start."""
        self.playing = 0
        """Games that have not ended; set when somebody asks."""
        self.bytes_sent = 0
        self.packets = [0] * (max(PacketType) + 1)
        """By the number of their type."""
        self.latency = [0] * (len(BUCKETS) + 1)
        """Answers by their time, not cumulative; the last is what no bucket holds."""
        self.latency_sum = 0.0
        self.finished: Counter[str] = Counter()
        """Games, by how they ended; debugged ones apart."""
        self.closed: Counter[str] = Counter()
        """Connections, by why they ended."""
        self.refused: Counter[str] = Counter()
        """Connections that were not let in, by why."""
        self.errors: Counter[str] = Counter()
        """What went wrong: `protocol` is a client's fault, `server` and `result` are ours."""

    def observe(self, seconds: float) -> None:
        """Count one answer that took so long."""
        self.latency[bisect_left(BUCKETS, seconds)] += 1
        self.latency_sum += seconds

    def state(self) -> dict[str, Any]:
        """All counts, as values that JSON has."""
        return {
            name: dict(value) if isinstance(value := getattr(self, name), Counter) else value for name in self.__slots__
        }

    def add(self, state: Mapping[str, Any]) -> None:
        """Add another process's counts to these."""
        for name in self.__slots__:
            mine, other = getattr(self, name), state[name]
            if isinstance(mine, Counter):
                mine.update(other)
            elif isinstance(mine, list):
                setattr(self, name, [one + two for one, two in zip(mine, other, strict=True)])
            else:
                setattr(self, name, mine + other)

    def text(self) -> str:
        """The exposition."""
        open_now = self.opened - sum(self.closed.values())
        packets = {
            kind.name.lower(): self.packets[kind] for kind in PacketType if kind is not PacketType.SCREEN_CONTENT
        }
        families = (
            _plain("sapper_connections", "gauge", "Connections that are open.", open_now),
            _plain("sapper_connections_accepted_total", "counter", "Connections accepted.", self.opened),
            _labelled("sapper_connections_closed_total", "Connections that ended.", "reason", self.closed),
            _labelled("sapper_connections_refused_total", "Connections not let in.", "reason", self.refused),
            _plain("sapper_games_playing", "gauge", "Games that have not ended.", self.playing),
            _plain(
                "sapper_games_started_total", "counter", "Games started.", self.playing + sum(self.finished.values())
            ),
            _labelled("sapper_games_finished_total", "Games that ended.", "result", self.finished),
            _labelled("sapper_packets_total", "Packets received.", "type", packets),
            _plain("sapper_sent_bytes_total", "counter", "Bytes of answers.", self.bytes_sent),
            _labelled("sapper_errors_total", "Faults of clients, and mistakes of the server.", "kind", self.errors),
            self._histogram("sapper_answer_seconds", "Time from having a packet to having handed over its answer."),
        )
        return "".join(f"{line}\n" for family in families for line in family)

    def _histogram(self, name: str, text: str) -> Iterable[str]:
        yield from _head(name, "histogram", text)
        total = 0
        for bound, count in zip((*map(repr, BUCKETS), "+Inf"), self.latency, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self.latency_sum!r}"
        yield f"{name}_count {total}"


def _head(name: str, kind: str, text: str) -> Iterable[str]:
    return (f"# HELP {name} {text}", f"# TYPE {name} {kind}")


def _plain(name: str, kind: str, text: str, value: int) -> Iterable[str]:
    return (*_head(name, kind, text), f"{name} {value}")


def _labelled(name: str, text: str, label: str, counts: Mapping[str, int]) -> Iterable[str]:
    # The values are ours and have nothing that would need escaping.
    return (*_head(name, "counter", text), *(f'{name}{{{label}="{key}"}} {counts[key]}' for key in sorted(counts)))
