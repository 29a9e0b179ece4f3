"""How a run of games is headed."""

from typing import Any

import pytest

from sapper.cli.simulate_report import plan_in_words


@pytest.mark.parametrize(("size", "begins"), [((9, 9), "beginner, 9x9, 10 mines"), ((5, 40), "5x40, 10 mines")])
def test_a_preset_is_named_where_the_board_has_its_size(size: tuple[int, int], begins: str) -> None:
    planned: dict[str, Any] = {
        "preset": "beginner", "width": size[0], "height": size[1], "mine_count": 10, "start": "open", "first": [2, 2], "seed": 1,
        "shard": None, "boards": None,
    }  # fmt: skip
    assert plan_in_words(planned).startswith(begins + ", start open at c3")
