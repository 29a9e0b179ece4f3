"""The kata's document becomes items; what cannot be read keeps its place and says its line."""

from pathlib import Path

import pytest

from sapper.core.grid import Grid
from sapper.errors import NotationError
from sapper.kata.document import Item, ItemKind, read_document

DOCUMENT = (Path(__file__).parents[1] / "data/kata.md").read_text(encoding="utf-8")
LINES = DOCUMENT.split("\n")
ITEMS = {item.name: item for item in read_document(DOCUMENT)}


def _only(text: str) -> Item:
    (item,) = read_document(text)
    return item


# --- the document of the kata ---------------------------------------------------------------------


def test_all_items_in_their_order() -> None:
    scenarios = [f"Scenario {number}" for number in range(1, 7)]
    examples = [f"Example {number}" for number in range(1, 13)]
    counts = {1: 2, 2: 1, 3: 2, 4: 4, 5: 3, 6: 7, 7: 3, 8: 5, 9: 1}
    uats = [f"UAT {story}.{number}" for story, count in counts.items() for number in range(1, count + 1)]
    assert list(ITEMS) == [*scenarios, *examples, *uats]
    assert all(item.fault is None for item in ITEMS.values())


@pytest.mark.parametrize("item", ITEMS.values(), ids=list(ITEMS))
def test_every_board_and_message_is_where_it_says(item: Item) -> None:
    for drawing in item.drawings:
        assert drawing.printed.split("\n") == LINES[drawing.line - 1 :][: drawing.printed.count("\n") + 1]
    for shown in item.shown:
        after = shown.drawing.line - 1 + shown.drawing.printed.count("\n") + 1
        assert shown.message == LINES[after]
    for clause in item.clauses:
        assert clause.sentence in LINES[clause.line - 1]
    assert item.grid == Grid(3, 3)


def test_no_board_and_no_message_is_left_out() -> None:
    drawn = sum(drawing.printed.count("\n") + 1 for item in ITEMS.values() for drawing in item.drawings)
    rows = [line for line in LINES if line and set(line) <= set("-_*Xb012345678+| ") and line not in ("- ", "---\t")]
    assert drawn == len(rows)
    told = [shown.message for item in ITEMS.values() for shown in item.shown]
    told += [clause.message for item in ITEMS.values() for clause in item.clauses if clause.message]
    assert told == [line for line in LINES if line.startswith("[")]


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_fences_comments_line_ends_and_a_mark_at_the_start_do_not_matter(ending: str) -> None:
    plain = "\n".join("" if line.startswith("```") else line.replace("<!--", "").replace("-->", "") for line in LINES)
    assert read_document("\ufeff" + plain.replace("\n", ending)) == tuple(ITEMS.values())


# --- other documents ------------------------------------------------------------------------------


def test_a_size_is_that_of_the_boards_or_of_the_messages() -> None:
    assert _only("### Example 1\n----\n----\n[Sandbox 4x2] Game created\n").grid == Grid(4, 2)
    text = "UAT 1.1\nGiven an empty game board\nWhen I mark square 0;0 as bomb\nThen message '[Sandbox 9x8] Square'\n"
    assert _only(text).grid == Grid(9, 8)


@pytest.mark.parametrize(
    "text",
    [
        "### Example 13 – the title\n\nBombs:\n\nb-\n\nGame:\n\nX-\n[Sandbox 2x1] BOOM! \u2013 Game Over.",
        "## Example 13\nthe title\nBombs:\nb-\nGame:\nX-\n\n[Sandbox 2x1] BOOM! \u2013 Game Over.",
    ],
)
def test_blank_lines_are_free(text: str) -> None:
    item = _only(text)
    assert (item.title, item.fault) == ("the title", None)
    assert item.bombs is not None
    assert (item.bombs.text, [shown.drawing.text for shown in item.shown]) == ("b-", ["X-"])


@pytest.mark.parametrize("text", ["", "# Nothing\n\n---\n", "\0\1\2", "Given, when and then\n"])
def test_a_document_without_items(text: str) -> None:
    with pytest.raises(NotationError, match=r"^some.md:1:1: no scenario, example or UAT of the kata found$"):
        read_document(text, source="some.md")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("### Example 1\nnothing", 1, "no board with a message is shown"),
        ("### Example 1", 1, "no board with a message is shown"),
        ("### Example 1\n--\n", 2, "the last board has no message"),
        ("### Example 1\n--\n\n--\n[Sandbox 2x1] x", 4, "the board before this one has no message"),
        ("### Example 1\n--\n\nsome words", 4, "the board has no message: 'some words'"),
        ("### Example 1\n--\nX?\n[Sandbox 2x1] x", 3, "'X?' is neither a row of the board nor its message"),
        ("### Example 1\n--\n-\n[Sandbox 2x1] x", 3, "this row has 1 square, the first has 2"),
        ("### Example 1\n[Sandbox 2x1] x", 2, "a message with no board before it"),
        ("### Example 1\n--\n[Sandbox 2x1] x\nwords", 4, "'words' is neither a board nor a message"),
        ("### Example 1\nBombs:\nb-\n\nBombs:\nb-\n", 6, "the bombs are given twice"),
        ("### Example 1\nBombs:\nb-\nGame:\n---\n[x", 5, "this board is 3x1, others here are 2x1"),
        ("UAT 1.1\nWhen a\nThen b", 1, "no sentence says 'Given'"),
        ("UAT 1.1\nGiven a\nThen b", 1, "no sentence says 'When'"),
        ("UAT 1.1\nGiven a\nWhen b", 1, "no sentence says 'Then'"),
        ("UAT 1.1", 1, "no sentence says 'Given'"),
        ("UAT 1.1\nAnd a", 2, "'And' needs a sentence before it"),
        ("UAT 1.1\n--\nGiven a", 2, "no sentence says what this board is"),
        ("UAT 1.1\nGiven a\n--\n\n--", 5, "no sentence says what this board is"),
        ("UAT 1.1\nGivne a", 2, "'Givne a' is neither a sentence of a UAT nor a board nor a message"),
        ("UAT 1.1\nGiven a\n[Sandbox 3x3] x", 3, "is neither a sentence of a UAT nor a board nor a message"),
    ],
)
def test_an_item_that_cannot_be_read_is_kept(text: str, line: int, message: str) -> None:
    fault = _only(text).fault
    assert fault is not None
    assert fault.line == line
    assert message in fault.message


def test_what_an_unreadable_item_is_about() -> None:
    assert _only("### Example 1\n\nIts title\n--\n").title == "Its title"
    assert _only("UAT 1.1\nGiven a\nWhen I go").title == "I go"


@pytest.mark.parametrize(
    "lost",
    [
        "## Exmaple 2\n\n---\n[Sandbox 3x1] Game created",
        "## ✅ UTA 6.1\nGiven a board\nWhen I go\nThen it should be 9\n",
    ],
)
def test_an_item_whose_heading_is_spoilt_is_not_lost(lost: str) -> None:
    item = read_document(f"### Example 1\n---\n[Sandbox 3x1] Game created\n\n{lost}")[-1]
    assert item.kind is ItemKind.STRAY
    assert item.name.startswith("Stray at line")
    assert item.fault is not None
    assert "its heading is missing" in item.fault.message


def test_what_comes_after_the_last_scenario_is_not_its_business() -> None:
    item = _only("1 – A game\n+-+\n| |\n+-+\n[Sandbox 1x1] Game created\n\nThe end:\nthat was it\n")
    assert item.fault is None
    assert len(item.shown) == 1
