"""The text that Prometheus reads."""

from sapper.server.exposition import BUCKETS, AnswerHistogram, counter, counters, exposition, gauge, histogram


def test_the_text_of_each_kind() -> None:
    answers = AnswerHistogram()
    for seconds in (0.0, BUCKETS[0], 0.3, 7.0):
        answers.observe(seconds)
    text = exposition(
        (
            gauge("a", "A.", 1),
            counter("b_total", "B.", 2),
            counters("c_total", "C.", "why", {"z": 1, "a": 2}),
            histogram("d_seconds", "D.", answers.counts, answers.total),
        )
    )
    lines = text.splitlines()
    assert lines[:8] == [
        "# HELP a A.", "# TYPE a gauge", "a 1", "# HELP b_total B.", "# TYPE b_total counter", "b_total 2",
        "# HELP c_total C.", "# TYPE c_total counter",
    ]  # fmt: skip
    assert lines[8:10] == ['c_total{why="a"} 2', 'c_total{why="z"} 1']
    assert 'd_seconds_bucket{le="0.0001"} 2' in lines
    assert 'd_seconds_bucket{le="0.5"} 3' in lines
    assert lines[-3:] == ['d_seconds_bucket{le="+Inf"} 4', f"d_seconds_sum {answers.total!r}", "d_seconds_count 4"]
