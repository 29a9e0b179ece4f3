"""Scenarios and examples: the moves between their boards are found, and what does not go as shown is told."""

import pytest

from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.kata import sandbox as layouts
from sapper.kata.document import Item, NotMetError, read_document
from sapper.kata.scenario import run
from sapper.render.kata import bare, bombs


def _item(text: str) -> Item:
    (item,) = read_document(text)
    assert item.fault is None
    return item


def _moves(text: str) -> list[str]:
    return [told.split("\n")[0] for told in run(_item(text)).told]


SECOND_TITLE = "### Example 1\nstep on {}\n\nBombs:\n--b\n\nGame:\n_1-\n[Sandbox 3x1] the land is cleared! GOOD JOB!"


def test_the_move_of_an_example_is_the_one_that_leads_there() -> None:
    text = """### Example 1

Bombs:
-bb
---
b--

Game:
---
-32
-1_
[Sandbox 3x3] No bomb around your square.

---
*32
-1_
[Sandbox 3x3] Square flagged as bomb.

---
-32
-1_
[Sandbox 3x3] Square unflagged as bomb.

1--
-32
-1_
[Sandbox 3x3] 1 bomb around your square.
"""
    assert _moves(text) == ["step on 2;0", "mark 0;1 as bomb", "unmark 0;1", "step on 0;2"]


@pytest.mark.parametrize("square", ["0;0", "1;0"])
def test_only_the_zero_leads_to_its_cascade(square: str) -> None:
    """The title names squares only where several fit: 1;0 shows 1, and opens nothing else."""
    assert _moves(SECOND_TITLE.format(square)) == ["step on 0;0"]


@pytest.mark.parametrize(("title", "square"), [("step on 2;0", "2;0"), ("step on 0;0", "0;0"), ("step on 9;9", "0;0")])
def test_where_several_moves_fit_the_title_decides(title: str, square: str) -> None:
    text = f"### Example 1\n{title}\n\nBombs:\n----b\n\nGame:\n___1-\n[Sandbox 5x1] the land is cleared! GOOD JOB!"
    assert _moves(text) == [f"step on {square}"]


def test_a_scenario_takes_as_many_moves_as_it_needs() -> None:
    text = "1 – After [1;0 + 0;1]\n+-+-+\n|3|*|\n+-+-+\n|*|*|\n+-+-+\n[Sandbox 2x2] Square flagged as bomb.\n"
    with pytest.raises(NotMetError):  # stepping on 0;1 wins, before 1;1 is marked: no order ends with a mark
        run(_item(text))
    won = text.replace("Square flagged as bomb.", "the land is cleared! GOOD JOB!")
    assert _moves(won) == ["mark 1;0 as bomb; mark 1;1 as bomb; mark 0;0 as bomb; step on 0;1"]


def test_it_is_played_on_every_layout_that_agrees() -> None:
    text = "2 – A bomb on 1;1\n+-+-+-+\n| | | |\n+-+-+-+\n| |X| |\n+-+-+-+\n| | | |\n+-+-+-+\n[Sandbox 3x3] BOOM! – Game Over.\n"
    played = run(_item(text)).games
    assert {game.layout.mine_count for game in played} == {1, 3}
    assert len({game.layout for game in played}) == len(played) == 1 + 28
    assert all(game.board.tiles[4] == Tile.EXPLODED for game in played)


def test_a_message_of_victory_says_how_many_bombs_there_are() -> None:
    text = "1 – x\n+-+-+-+-+\n|1| | | |\n+-+-+-+-+\n[Sandbox 4x1] {}\n"
    won = run(_item(text.format("the land is cleared! GOOD JOB!")))
    assert [bombs(game.grid, game.layout.clues) for game in won.games] == ["-bbb"]
    going_on = run(_item(text.format("1 bomb around your square.")))
    assert [bombs(game.grid, game.layout.clues) for game in going_on.games] == ["-b--"]


def test_a_scenario_goes_on_with_a_game() -> None:
    first = run(_item("1 – x\n+-+-+-+\n|1| | |\n+-+-+-+\n[Sandbox 3x1] 1 bomb around your square.\n"))
    second = _item("2 – x\n+-+-+-+\n|1|*| |\n+-+-+-+\n[Sandbox 3x1] Square flagged as bomb.\n")
    on = run(second, first.games)
    assert [bare(game.board) for game in on.games] == ["1*-"]
    assert [bare(game.board) for game in first.games] == ["1--"], "the game before is as it was"
    other = _item("2 – x\n+-+-+-+\n| |*| |\n+-+-+-+\n[Sandbox 3x1] Square flagged as bomb.\n")
    with pytest.raises(NotMetError):
        run(other, first.games)
    run(other)


@pytest.mark.parametrize(
    ("text", "line", "expected", "got"),
    [
        (  # the message
            "### Example 1\nBombs:\nb-\nGame:\n-1\n[Sandbox 2x1] 1 bomb around your square.",
            5,
            "-1\n[Sandbox 2x1] 1 bomb around your square.",
            "-1\n[Sandbox 2x1] the land is cleared! GOOD JOB!",
        ),
        (  # the clue
            "### Example 1\nBombs:\nb--\nGame:\n-2-\n[Sandbox 3x1] 2 bombs around your square.",
            5,
            "-2-\n[Sandbox 3x1] 2 bombs around your square.",
            "-1-\n[Sandbox 3x1] 1 bomb around your square.",
        ),
        (  # two moves at once
            "### Example 1\nBombs:\nb---\nGame:\n**--\n[Sandbox 4x1] Square flagged as bomb.",
            5,
            "**--\n[Sandbox 4x1] Square flagged as bomb.",
            "*---\n[Sandbox 4x1] Square flagged as bomb.",
        ),
        (  # nothing
            "### Example 1\nBombs:\nb--\nGame:\n-1-\n[Sandbox 3x1] 1 bomb around your square.\n\n-1-\n[Sandbox 3x1] 1 bomb around your square.",
            8,
            "-1-\n[Sandbox 3x1] 1 bomb around your square.",
            "-1-",
        ),
        (  # back
            "### Example 1\nBombs:\nb--\nGame:\n-1-\n[Sandbox 3x1] 1 bomb around your square.\n\n---\n[Sandbox 3x1] Game created",
            8,
            "---\n[Sandbox 3x1] Game created",
            "-1-",
        ),
        (  # the new game
            "### Example 1\n---\n[Sandbox 3x1] Game crated",
            2,
            "---\n[Sandbox 3x1] Game crated",
            "---\n[Sandbox 3x1] Game created",
        ),
        (  # another size in the name
            "### Example 1\n+-+-+-+\n| | | |\n+-+-+-+\n[Sandbox 3x3] Game created",
            2,
            "+-+-+-+\n| | | |\n+-+-+-+\n[Sandbox 3x3] Game created",
            "+-+-+-+\n| | | |\n+-+-+-+\n[Sandbox 3x1] Game created",
        ),
        (  # a hyphen is no dash
            "### Example 1\nBombs:\nb--\nGame:\nX--\n[Sandbox 3x1] BOOM! - Game Over.",
            5,
            "X--\n[Sandbox 3x1] BOOM! - Game Over.",
            "X--\n[Sandbox 3x1] BOOM! – Game Over.",
        ),
    ],
)
def test_what_does_not_go_as_shown(text: str, line: int, expected: str, got: str) -> None:
    with pytest.raises(NotMetError) as caught:
        run(_item(text))
    fault = caught.value.fault
    assert (fault.line, fault.expected, fault.got) == (line, expected, got)


def test_the_reason_names_the_nearest_move_and_the_bombs() -> None:
    with pytest.raises(
        NotMetError,
        match=r"^line 5: no move leads here; the nearest, mark 0;0 as bomb, leads elsewhere: square 1;0 shows -, not \* \(bombs b---\)$",
    ):
        run(_item("### Example 1\nBombs:\nb---\nGame:\n**--\n[Sandbox 4x1] Square flagged as bomb."))


def test_what_no_layout_agrees_with() -> None:
    with pytest.raises(NotMetError, match="line 2: no layout of 1 or 3 bombs agrees with what is shown"):
        run(_item("1 – x\n+-+-+-+\n|2| | |\n+-+-+-+\n[Sandbox 3x1] 2 bombs around your square.\n"))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_new_game_on_the_smallest_boards(size: int) -> None:
    item = _item(f"### Example 1\n{'-' * size}\n[Sandbox {size}x1] Game created")
    assert {game.layout.mine_count for game in run(item).games} == ({1, 3} if size > 3 else {1})


def test_a_board_that_too_many_layouts_agree_with_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "MOST_LAYOUTS", 28)
    with pytest.raises(TooHardError):
        run(_item("### Example 1\n---\n-X-\n---\n[Sandbox 3x3] BOOM! – Game Over."))
