"""What acceptance tests do and expect: each kind of sentence, met and not met."""

import pytest

from sapper.core.rules import RULES
from sapper.errors import NotationError
from sapper.kata import uat
from sapper.kata.bot import play as play_bot
from sapper.kata.document import Item, NotMetError, read_document
from sapper.kata.uat import NEW_GAMES, World, read_setting
from sapper.render.kata import bombs

EMPTY = "Given an empty game board"
CORNER = "Given an empty game board with bomb (b) here\n--b\n---\n---"
HIDDEN = "Given game board\n---\n--1\n---\nAnd 3 bombs hidden"
WON = "Given game board\n221\n**2\n3*2"
MARKED = "Given game board\n1--\n*32\n-1_"


def _item(text: str) -> Item:
    (item,) = read_document(f"UAT 1.1\n{text}")
    assert item.fault is None
    return item


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("Given a game board\nWhen I count the number of squares\nThen it should be 9", 100),
        ("Given a new game\nWhen the game starts\nThen the number of bombs should be 1 or 3.", 100),
        (f"{CORNER}\nWhen the number of neighbour squares with bombs is calculated\nThen the bomb board is\n01b\n011\n000", 1),
        (f"{CORNER}\nWhen winning is checked\nThen the number of bombs placed on the game board should be 1.", 1),
        (f"{EMPTY}\nWhen the possible steps are calculated\nThen it should be all 9 squares listed", 93),
        (f"{MARKED}\nWhen the possible steps are calculated\nThen it should be 4 squares listed", 1),
        (f"{CORNER}\nWhen I step on square 2;1\nThen it should return 1\nAnd message '[Sandbox 3x3] 1 bombs around your square.'", 1),
        (f"{CORNER}\nWhen I step on 0;0\nThen it should return _\nAnd message '[Sandbox 3x3] 0 bomb around your square.'\nBoard state:\n_1-\n_11\n___", 1),
        (f"{CORNER}\nWhen I step on square 2;2\nThen it should return X\nAnd message '[Sandbox 3x3] BOOM! – Game Over.'", 1),
        (f"{EMPTY}\nWhen I mark square 0;0 as bomb\nThen * appears in the square", 93),
        (f"{MARKED}\nWhen I unmark it\nThen the board's state is\n1--\n-32\n-1_", 1),
        (f"{MARKED}\nWhen I unmark square 0;1\nThen - appears in the square", 1),
        (f"{HIDDEN}\nWhen winning is checked\nThen game has not won", 15),
        (f"{WON}\nWhen winning is checked\nThen game has won", 1),
    ],
)  # fmt: skip
def test_what_is_so(text: str, runs: int) -> None:
    assert uat.run(_item(text)).runs == runs


def test_only_games_with_so_many_bombs_are_meant() -> None:
    text = "Given a new game\nWhen there {}\nThen the number of bombs placed on the game board should be {}."
    one = uat.run(_item(text.format("is 1 bomb", 1))).runs
    three = uat.run(_item(text.format("are 3 bombs", 3))).runs
    assert one > 0
    assert three > 0
    assert one + three == 100
    with pytest.raises(NotMetError, match="no game is as given: nothing was tested"):
        uat.run(_item(text.format("are 2 bombs", 2)))


def test_the_look_of_a_new_board_is_compared_letter_by_letter() -> None:
    text = "Given the squares of the game board\nWhen I want to create one\nThen the empty game board looks like\n\n"
    frame = "+-+-+-+\n" + "| | | |\n+-+-+-+\n" * 3
    assert uat.run(_item(f"{text}{frame}[Sandbox 3x3] Game created")).runs == 100
    assert uat.run(_item(f"{text}---\n---\n---\n[Sandbox 3x3] Game created")).runs == 100
    for wrong in (
        frame.replace("| | | |", "|1| | |", 1) + "[Sandbox 3x3] Game created",
        frame + "[Sandbox 3x3] Game over",
    ):
        with pytest.raises(NotMetError):
            uat.run(_item(text + wrong))


@pytest.mark.parametrize(
    ("text", "line", "expected", "got"),
    [
        ("Given a game board\nWhen I count the number of squares\nThen it should be 8", 4, "8", "9"),
        ("Given a new game\nWhen the game starts\nThen the number of bombs should be 2, 4 or 5", 4, "2 or 4 or 5", None),
        (f"{CORNER}\nWhen the number of neighbour squares with bombs is calculated\nThen the bomb board is\n01b\n012\n000", 7, "01b\n012\n000", "01b\n011\n000"),
        (f"{EMPTY}\nWhen the possible steps are calculated\nThen it should be 8 squares listed", 4, "8", "9"),
        (f"{MARKED}\nWhen the possible steps are calculated\nThen it should be all 4 squares listed", 7, "9", "4"),
        (f"{CORNER}\nWhen I step on square 2;1\nThen it should return 2", 7, "2", "1"),
        (f"{CORNER}\nWhen I step on square 2;1\nThen it should return 1\nAnd message '[Sandbox 3x3] 1 bomb around your square.'", 8, "[Sandbox 3x3] 1 bomb around your square.", "[Sandbox 3x3] 1 bombs around your square."),
        (f"{CORNER}\nWhen I step on square 2;1\nThen it should return 1\nBoard state:\n--1\n---\n---", 8, "--1\n---\n---", "---\n--1\n---"),
        (f"{EMPTY}\nWhen I mark square 0;0 as bomb\nThen - appears in the square", 4, "-", "*"),
        (f"{HIDDEN}\nWhen winning is checked\nThen game has won", 8, "won", "not won"),
        (f"{WON}\nWhen winning is checked\nThen game has not won", 7, "not won", "won"),
    ],
)  # fmt: skip
def test_what_is_not_so(text: str, line: int, expected: str, got: str | None) -> None:
    with pytest.raises(NotMetError) as caught:
        uat.run(_item(text))
    fault = caught.value.fault
    assert (fault.line, fault.expected) == (line, expected)
    assert fault.got == got or (got is None and fault.got in ("1", "3"))


def test_a_test_must_hold_on_every_layout() -> None:
    """One bomb beside the clue may be the one below it, or not."""
    text = f"{HIDDEN}\nWhen I step on square 1;1\nThen it should return X"
    with pytest.raises(NotMetError) as caught:
        uat.run(_item(text))
    assert caught.value.fault.reason.startswith("Then it should return X (bombs ")


def test_a_step_that_is_not_possible() -> None:
    with pytest.raises(NotMetError, match=r"line 6: I step on square 0;2: .* is revealed already \(bombs "):
        uat.run(_item(f"{MARKED}\nWhen I step on square 0;2\nThen it should return 1"))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"{EMPTY}\nWhen I eat it\nThen it should be 9", 3, "'When I eat it' is not understood"),
        (f"{EMPTY}\nWhen winning is checked\nThen it rains", 4, "'Then it rains' is not understood"),
        ("Given a new game\nWhen I step on square 0;0\nThen it should return 1", 3, "'I step on square 0;0' needs a board"),
        (f"{EMPTY}\nWhen I step on square 3;0\nThen it should return 1", 3, "square 3;0 is off the board"),
        (f"{EMPTY}\nWhen I unmark it\nThen - appears in the square", 3, "it is not said which square 'it' is"),
        (f"{EMPTY}\nWhen winning is checked\nThen it should be 9", 4, "nothing was counted"),
        (f"{EMPTY}\nWhen winning is checked\nThen it should return 1", 4, "nothing was played"),
        (f"{EMPTY}\nWhen winning is checked\nThen message 'x'", 4, "nothing was played"),
        (f"{EMPTY}\nWhen winning is checked\nThen * appears in the square", 4, "it is not said which square is meant"),
        (f"{EMPTY}\nWhen winning is checked\nThen the board's state is", 4, "needs a board after it"),
        (f"{EMPTY}\nWhen it ends\nThen game has won", 3, "no game of the bot is given that could end"),
    ],
)  # fmt: skip
def test_what_is_not_understood(text: str, line: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        uat.run(_item(text))
    assert caught.value.line == line
    assert message in caught.value.message


BOT = "Given a BOT game runs\nWhen it ends\nThen the BOT either loses or wins, other outcome is not possible"


def test_a_bot_s_game_is_run_to_its_end() -> None:
    assert uat.run(_item(BOT)).runs >= 50


def test_a_bot_that_stops_early_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uat, "play", lambda game, strategy: [next(play_bot(game, strategy))])
    with pytest.raises(NotMetError, match="other outcome is not possible") as caught:
        uat.run(_item(BOT))
    assert (caught.value.fault.expected, caught.value.fault.got) == ("won or lost", "playing")


def test_it_tells_what_was_done() -> None:
    told = "\n".join(uat.run(_item(f"{CORNER}\nWhen I step on square 2;1\nThen it should return 1")).told)
    assert told == (
        "Given an empty game board with bomb (b) here\n--b\n---\n---\nWhen I step on square 2;1\n"
        "Then it should return 1\nthe board then (bombs --b / --- / ---):\n---\n--1\n---\n"
        "[Sandbox 3x3] 1 bombs around your square."
    )


def _setting_item(*given: str) -> Item:
    (item,) = read_document("\n".join(["UAT 1.1", *given, "When it ends", "Then it should be 9"]))
    assert item.fault is None
    return item


def _worlds(*given: str) -> list[World]:
    return list(read_setting(_setting_item(*given)).worlds())


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
def test_setting_what_is_not_understood(given: list[str], line: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        _worlds(*given)
    assert caught.value.line == line
    assert message in caught.value.message
