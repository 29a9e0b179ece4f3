"""What a benchmark says of a set."""

from sapper.cli.benchmark_report import score_in_words


def test_a_set_that_was_not_begun_has_no_rate() -> None:
    score = {"set": "expert-open", "strategy": "mine", "games": 0, "requested": 1200, "faulted": 0, "pairs": [{}]}
    assert score_in_words(score) == "expert-open: mine was interrupted after 0 of 1,200 games"
