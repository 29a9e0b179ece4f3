"""What a benchmark says of a set."""

from sapper.cli.benchmark_report import score_in_words


def test_a_set_that_was_not_begun_has_no_rate() -> None:
    score = {"set": "expert-open", "strategy": "mine", "games": 0, "requested": 1200, "faulted": 0, "pairs": [{}]}
    assert score_in_words(score) == "expert-open: mine was interrupted after 0 of 1,200 games"


def test_what_is_said_of_pairs_stands_in_columns() -> None:
    pairs = [
        {"strategy": name, "difference": difference, "low": difference - 0.01, "high": difference + 0.01, "p": 0.5,
         "only_first": ours, "only_second": theirs}
        for name, difference, ours, theirs in (("single", 0.2961, 12_345, 7), ("least-risk", -0.0021, 1, 340))
    ]  # fmt: skip
    score = {
        "set": "expert-open", "strategy": "mine", "games": 20_000, "requested": 20_000, "won": 8_000, "faulted": 0, "rate": 0.4,
        "low": 0.39, "high": 0.41, "pairs": pairs,
    }  # fmt: skip
    _, one, other = score_in_words(score).splitlines()
    for mark in (" (95 %", " to ", " points;", " and ", ", p"):
        assert one.index(mark) == other.index(mark), mark
