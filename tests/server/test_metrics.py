"""The text that Prometheus reads."""

import gc
from pathlib import Path

import pytest

from sapper.server.metrics import BUCKETS, COLLECT, AnswerHistogram, MetricFamily, collect_in_short_looks, exposition
from tests.missing import run_without


def test_the_text_of_each_kind() -> None:
    answers = AnswerHistogram()
    for seconds in (0.0, BUCKETS[0], 0.3, 7.0):
        answers.observe(seconds)
    families = (
        MetricFamily("a", "A.", 1),
        MetricFamily("b_total", "B.", 2),
        MetricFamily("c_total", "C.", {"z": 1, "a": 2}, "why"),
        MetricFamily("d_seconds", "D.", answers),
    )
    lines = exposition(families).splitlines()
    assert lines[:8] == [
        "# HELP a A.", "# TYPE a gauge", "a 1.0", "# HELP b_total B.", "# TYPE b_total counter", "b_total 2.0",
        "# HELP c_total C.", "# TYPE c_total counter",
    ]  # fmt: skip
    assert lines[8:10] == ['c_total{why="a"} 2.0', 'c_total{why="z"} 1.0']
    assert 'd_seconds_bucket{le="0.0001"} 2.0' in lines
    assert 'd_seconds_bucket{le="0.5"} 3.0' in lines
    assert set(lines[-3:]) == {
        'd_seconds_bucket{le="+Inf"} 4.0',
        f"d_seconds_sum {answers.total!r}",
        "d_seconds_count 4.0",
    }


def test_a_missing_package_is_named_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_SERVER_METRICS", "127.0.0.1:0")
    done = run_without("prometheus_client", ["serve", "--port", "0", "--no-record"], tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr.splitlines()[-1]
        == "sapper: prometheus-client is not installed: pip install '.[metrics]' in the clone of sapper"
    )


def test_what_is_there_is_not_looked_at_again() -> None:
    usual = gc.get_threshold()
    there: list[object] = []
    there.append(there)
    try:
        collect_in_short_looks()
        assert gc.get_threshold() == COLLECT
        assert gc.get_freeze_count() > 0
        assert not any(one is there for one in gc.get_objects())
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
    assert any(one is there for one in gc.get_objects())
