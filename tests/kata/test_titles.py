"""Titles that their boards contradict."""

from pathlib import Path

import pytest

from sapper.kata.document import read_document
from sapper.kata.titles import contradictions

DOCUMENT = (Path(__file__).parents[1] / "data/kata.md").read_text(encoding="utf-8")


def _warned(text: str) -> dict[str, list[str]]:
    found = {item.name: [one.reason for one in contradictions(item)] for item in read_document(text)}
    return {name: reasons for name, reasons in found.items() if reasons}


SLIPS = {
    "Scenario 5": ["the title says 1;2 2 times"],
    "Example 8": ["the title says 1;2 2 times"],
    "Example 9": [
        "the title says 1;2 2 times",
        "the title says that 2;1 is cleared, and the board shows - there",
        "the title says that 1;2 is cleared, and the board shows - there",
    ],
    "Example 12": [
        "the title says that the game is over, and the last message is '[Sandbox 3x3] the land is cleared! GOOD JOB!'",
        "the title says that 1;2 is a bomb, and the board shows - there",
    ],
}


def test_the_slips_of_the_document_are_all_there_is() -> None:
    assert _warned(DOCUMENT) == SLIPS


@pytest.mark.parametrize(
    ("old", "new", "name", "reason"),
    [
        ("2 – Game Over - Step on a bomb on 1;1", "2 – Game Over - Step on a bomb on 0;0", "Scenario 2", "that 0;0 is a bomb, and the board shows - there"),
        ("3 – Clean square 0;0", "3 – Clean square 2;2", "Scenario 3", "that 2;2 is stepped on, and the board shows - there"),
        ("victory clicking on 0;0\n+", "victory clicking on 2;2\n+", "Scenario 6", "that 2;2 is stepped on, and the board shows - there"),
        ("|*|*| |\n+-+-+-+\n|3|*| |", "|*| | |\n+-+-+-+\n|3|*| |", "Scenario 4", "that 3 squares are marked, and the board shows 2"),
        ("3 – Clean square 0;0", "3 – Clean square 7;0", "Scenario 3", "that 7;0 is stepped on, and the board has no such square"),
        ("6 – Massive cleaning and victory", "6 – Massive cleaning and game over", "Scenario 6", "that the game is over, and the last message is '[Sandbox 3x3] the land is cleared! GOOD JOB!'"),
        ("1 – Game Board Creation", "1 – Victory", "Scenario 1", "that the game is won, and the last message is '[Sandbox 3x3] Game created'"),
    ],
)  # fmt: skip
def test_a_title_that_contradicts_its_board(old: str, new: str, name: str, reason: str) -> None:
    assert old in DOCUMENT
    assert _warned(DOCUMENT.replace(old, new))[name][0] == f"the title says {reason}"
