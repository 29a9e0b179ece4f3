"""Metrics of the servers as text for Prometheus, which `prometheus_client` writes on request.

Counting happens for every packet and message, so it stays an addition to a number or a slot of a list.
"""

import gc
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any, Final, NamedTuple

BUCKETS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Upper bounds of a histogram of answers, in seconds."""


class AnswerHistogram:
    """Answers by the seconds that they took."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        """Not cumulative; the last is for answers slower than all buckets."""
        self.total = 0.0
        """Seconds of all of them."""

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds


class MetricFamily(NamedTuple):
    """A metric by its name: a counter if that ends with `_total`, else a gauge; a histogram by its value."""

    name: str
    text: str
    value: float | AnswerHistogram | Mapping[str, int]
    label: str = ""
    """The label that the keys of a mapping are values of."""


def exposition(families: Iterable[MetricFamily]) -> str:
    """The text of some metrics. It needs the extra `metrics`."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415  # few servers have metrics

    class Given(CollectorRegistry):
        def collect(self) -> Iterable[Any]:
            return map(_family, families)

    return generate_latest(Given()).decode()


def _family(one: MetricFamily) -> Any:
    from prometheus_client import core  # noqa: PLC0415

    value = one.value
    if isinstance(value, AnswerHistogram):
        bounds = (*map(str, BUCKETS), "+Inf")
        buckets = list(zip(bounds, accumulate(value.counts), strict=True))
        return core.HistogramMetricFamily(one.name, one.text, buckets=buckets, sum_value=value.total)
    kind = core.CounterMetricFamily if one.name.endswith("_total") else core.GaugeMetricFamily
    if not isinstance(value, Mapping):
        return kind(one.name, one.text, value=value)
    family = kind(one.name, one.text, labels=[one.label])
    for key in sorted(value):
        family.add_metric([key], value[key])
    return family


COLLECT: Final = 500, 3, 5_000
"""New objects, then rounds. A look at all objects stops every game, for 0.3 s with a thousand games (`bench/web.py`), so it comes every
ten million objects and not every seventy thousand. The looks in between are at four rounds' objects, which takes a millisecond: with
rounds of 5,000 it took up to twenty, and one move in a hundred waited for that."""


def collect_in_short_looks() -> None:
    """Use these settings in this process; objects that exist now are not looked at again."""
    gc.set_threshold(*COLLECT)
    gc.freeze()
