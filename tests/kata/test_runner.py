"""Every scenario, example and acceptance test of the kata, run from its document; and what spoils which of them."""

from pathlib import Path

import pytest

from sapper.errors import TooHardError
from sapper.kata import sandbox as layouts, uat
from sapper.kata.document import Verdict, read_document
from sapper.kata.runner import run_items

DOCUMENT = (Path(__file__).parents[1] / "data/kata.md").read_text(encoding="utf-8")
NAMES = [item.name for item in read_document(DOCUMENT)]


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return {verdict.item.name: verdict for verdict in run_items(read_document(DOCUMENT))}


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough to see what is spoilt; the whole number is played where all is green."""
    monkeypatch.setattr(uat, "NEW_GAMES", 20)
    monkeypatch.setattr(uat, "BOT_GAMES", 1)


def _reds(text: str) -> dict[str, str]:
    verdicts = list(run_items(read_document(text)))
    return {one.item.name: one.fault.reason for one in verdicts if one.fault is not None}


@pytest.mark.parametrize("name", NAMES)
def test_the_document_is_green(name: str, verdicts: dict[str, Verdict]) -> None:
    assert verdicts[name].fault is None
    assert verdicts[name].runs > 0
    assert verdicts[name].told


def test_it_runs_on_every_layout_there_may_be(verdicts: dict[str, Verdict]) -> None:
    several = {name: verdict.runs for name, verdict in verdicts.items() if verdict.runs > 1 and name[-3:] != "9.1"}
    assert several == {
        "Scenario 1": 2,  # a new game looks the same whatever the bombs: one with 1, one with 3
        "Scenario 2": 1 + 28,
        "Example 1": 2,
        "UAT 1.1": 100,
        "UAT 1.2": 100,
        "UAT 2.1": 100,
        "UAT 3.1": several["UAT 3.1"],
        "UAT 3.2": 100 - several["UAT 3.1"],
        "UAT 5.1": 9 + 84,
        "UAT 5.2": 2,
        "UAT 7.1": 9 + 84,
        "UAT 8.1": 15,
    }


# --- spoilt copies --------------------------------------------------------------------------------

SCENARIO_3 = "|3| | |\n+-+-+-+\n[Sandbox 3x3] 3 bombs around your square."
SCENARIO_4 = "|*|*| |\n+-+-+-+\n|3|*| |\n+-+-+-+\n[Sandbox 3x3] Square flagged"
SCENARIO_5 = "|2|2|1|\n+-+-+-+\n|*|*|2|"
EXAMPLE_7 = "-1*\n[Sandbox 3x3] Square flagged as bomb."
BREAKS = {
    "a clue of a scenario": (SCENARIO_3, SCENARIO_3.replace("|3|", "|2|"), ["Scenario 3"]),
    "a message of a scenario": (SCENARIO_3, SCENARIO_3.replace("] 3", "] 2"), ["Scenario 3"]),
    "a scenario that goes on": (SCENARIO_4, SCENARIO_4.replace("|3|", "|2|"), ["Scenario 4"]),
    "a mark of a scenario": (SCENARIO_4, SCENARIO_4.replace("|*|*|", "|*| |"), []),
    "a clue at the end of a game": (SCENARIO_5, SCENARIO_5.replace("|2|2|", "|2|1|"), ["Scenario 5"]),
    "a border": ("+-+-+-+\n|_|1|1|", "+-+-+\n|_|1|1|", ["Scenario 6"]),
    "a message of two examples and a UAT": ("] Game created\n```", "] Game  created\n```", ["Example 1", "UAT 1.2"]),
    "a hyphen for the dash": ("--X\n[Sandbox 3x3] BOOM! –", "--X\n[Sandbox 3x3] BOOM! -", ["Example 4"]),
    "a bomb elsewhere": ("--b\nb--\nb--", "--b\nb--\n-b-", ["Example 5"]),
    "a bomb more": ("b-b\n---\n--b\n\nGame", "bbb\n---\n--b\n\nGame", ["Example 7"]),
    "two moves at once": (f"*2*\n132\n{EXAMPLE_7}\n\n", "", ["Example 7"]),
    "no message": (EXAMPLE_7, "-1*\n", ["Example 7"]),
    "the end's message": ("1-2\n23-\n-21\n[Sandbox 3x3] the land is cleared!", "1-2\n23-\n-21\n[Sandbox 3x3] the land!", ["Example 9"]),
    "a row too short": ("_2-\n_3-\n_2-", "_2-\n_3\n_2-", ["Example 11", "UAT 6.7"]),
    "the unflagged message": ("Square unflagged", "Square flagged", ["Example 12"]),
    "the number of squares": ("it should be 9\n", "it should be 10\n", ["UAT 1.1"]),
    "the number of bombs": ("be 1 or 3.", "be 1 or 2.", ["UAT 2.1"]),
    "the bombs placed": ("board should be 3.", "board should be 1.", ["UAT 3.2"]),
    "a board of bombs": ("111\n1b1\n111", "111\n1b1\n110", ["UAT 4.3"]),
    "the steps": ("be all 9 squares", "be all 8 squares", ["UAT 5.1"]),
    "the marked squares are steps too": ("be 4 squares", "be 1 squares", ["UAT 5.3"]),
    "another square": ("step on square 2;1", "step on square 2;0", ["UAT 6.1"]),
    "the other wording": ("3x3] 1 bombs around", "3x3] 1 bomb around", ["UAT 6.1"]),
    "in the comment": ("Board state:\n_1-\n_11", "Board state:\n_1-\n_1-", ["UAT 6.6"]),
    "a sentence": ("When I unmark it", "When I eat it", ["UAT 7.2"]),
    "the square of a mark": ("with * in square 0;1", "with * in square 0;0", ["UAT 7.2"]),
    "no expectation": ("Then game has won\n\n⚠ UAT 8.4", "\n⚠ UAT 8.4", ["UAT 8.3"]),
    "bombs that cannot be": ("And 1 bomb hidden", "And 2 bombs hidden", ["UAT 8.4"]),
    "won is not won": ("And 1 bomb hidden\nWhen winning is checked\nThen game has won", "And 1 bomb hidden\nWhen winning is checked\nThen game has not won", ["UAT 8.4"]),
    "a heading": ("### Example 2\n", "### Exmaple 2\n", ["Stray at line 113"]),
}  # fmt: skip


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize(("old", "new", "reds"), BREAKS.values(), ids=list(BREAKS))
def test_a_spoilt_copy_is_red_where_it_is_spoilt_and_nowhere_else(old: str, new: str, reds: list[str]) -> None:
    assert old in DOCUMENT
    assert list(_reds(DOCUMENT.replace(old, new))) == reds


@pytest.mark.usefixtures("few_games")
def test_what_cannot_be_read_says_why() -> None:
    reds = _reds(DOCUMENT.replace("_2-\n_3-\n_2-", "_2-\n_3\n_2-"))
    assert set(reds.values()) == {"this row has 2 squares, the first has 3"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("UAT 1.1\nGiven an empty game board\nWhen winning is checked\nThen message '[Sandbox 0x3] x'", "a grid has at least 1x1 cells, not 0x3"),
        ("UAT 1.1\nGiven a storm\nWhen winning is checked\nThen game has won", "'Given a storm' is not understood"),
    ],
)  # fmt: skip
def test_other_errors_are_red_too(text: str, reason: str) -> None:
    assert _reds(text) == {"UAT 1.1": reason}


def test_what_would_take_for_ever_names_its_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "MOST_LAYOUTS", 10)
    text = "\n\nUAT 7.1\nGiven an empty game board\nWhen I mark square 0;0 as bomb\nThen * appears in the square"
    with pytest.raises(TooHardError, match=r"^UAT 7.1, line 3: more than 10 layouts agree") as caught:
        _reds(text)
    assert caught.value.cap == 10
