"""What acceptance tests say is given, and the games that are so."""

import pytest

from sapper.core.rules import RULES
from sapper.errors import NotationError
from sapper.kata.document import Item, read_document
from sapper.kata.setting import NEW_GAMES, World, read_setting
from sapper.kata.verdict import NotMetError
from sapper.render.kata import bombs


def _item(*given: str) -> Item:
    (item,) = read_document("\n".join(["UAT 1.1", *given, "When it ends", "Then it should be 9"]))
    assert item.fault is None
    return item


def _worlds(*given: str) -> list[World]:
    return list(read_setting(_item(*given)).worlds())


@pytest.mark.parametrize("sentence", ["a new game", "a game board", "the squares of the game board"])
def test_a_new_game_is_one_of_the_kata(sentence: str) -> None:
    worlds = _worlds(f"Given {sentence}")
    assert [world.seed for world in worlds] == list(range(NEW_GAMES))
    assert {(world.board.grid.size, world.board.rules) for world in worlds} == {(9, RULES["kata"])}
    assert {world.board.mine_count for world in worlds} == {1, 3}
    assert worlds[3].describe() == "seed 3"


@pytest.mark.parametrize(
    "given",
    [
        "Given an empty game board with bomb (b) here",
        "Given a board with bombs (b) here",
        "Given a new game\nwith bombs (b) here",
    ],
)
def test_bombs_are_where_they_are_drawn(given: str) -> None:
    (world,) = _worlds(given, "", "--b", "---")
    assert world.sandbox is not None
    assert bombs(world.sandbox.grid, world.sandbox.layout.clues) == "--b\n---"
    assert world.describe() == "bombs --b / ---"


@pytest.mark.parametrize(("hidden", "count"), [("And 3 bombs hidden", 15), ("And 1 bomb hidden", 5), ("", 20)])
def test_a_board_without_bombs_is_every_layout_that_agrees(hidden: str, count: int) -> None:
    assert len(_worlds("Given game board", "---", "--1", "---", hidden)) == count


def test_the_marked_square_is_remembered() -> None:
    (world,) = _worlds("Given game board with * in square 0;1", "1--", "*32", "-1_")
    assert world.square == 3


@pytest.mark.parametrize(
    ("given", "line", "message"),
    [
        (["Given game board with * in square 0;2", "1--", "*32", "-1_"], 2, "the board shows 1 in square 0;2"),
        (["Given game board", "2--", "---", "--2", "And 1 bomb hidden"], 2, "no game with 1 bombs leads to this board"),
        (["Given game board", "3--", "---", "--3"], 2, "no game with 1 or 3 bombs leads to this board"),
        (["Given game board", "---", "with bombs (b) here", "b-b", "And 1 bomb hidden"], 2, "no game with these bombs"),
        (["Given game board", "2--", "with bombs (b) here", "-b-"], 2, "no game with these bombs leads to this board"),
        (["Given game board", "_--", "---", "---"], 2, "no game with 1 or 3 bombs leads to this board"),
    ],
)
def test_what_cannot_be(given: list[str], line: int, message: str) -> None:
    with pytest.raises(NotMetError, match=message) as caught:
        _worlds(*given)
    assert caught.value.fault.line == line


@pytest.mark.parametrize(
    ("given", "line", "message"),
    [
        (["Given a rainy day"], 2, "'Given a rainy day' is not understood"),
        (["Given game board", "1--", "And game board", "-1-"], 4, "'Given game board' says the board a second time"),
        (["Given an empty game board", "And game board", "-1-"], 3, "'Given game board' says the board a second time"),
        (
            ["Given a new game", "And 0 bombs hidden", "And 3 bombs hidden"],
            4,
            "'Given 3 bombs hidden' says the count a",
        ),
        (["Given a new game", "And many bombs hidden"], 3, "'Given many bombs hidden' is not understood"),
        (["Given a board with bombs (b) here"], 2, "needs a board after it"),
        (["Given game board with * in square 5;1", "*--"], 2, "square 5;1 is off the board"),
        (["Given game board", "-b-"], 3, "'b' is not a square"),
        (["Given an empty game board with bombs (b) here", "-1-"], 3, "a board of bombs has b, else -"),
    ],
)
def test_what_is_not_understood(given: list[str], line: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        _worlds(*given)
    assert caught.value.line == line
    assert message in caught.value.message
