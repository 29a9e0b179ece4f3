"""Runs scenarios and examples: looks for the moves that lead from each board shown to the next, message included.

Knows: that an example's boards are one move apart and a scenario's as many as it takes; that the title decides
between moves that fit; that bombs which nobody gives can be anywhere that agrees with what is shown.
Does not know: how the document is read, which scenario goes on with which, reports.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.tile import Tile
from sapper.errors import CellError
from sapper.game.layout import Layout
from sapper.kata.bot import VIEWS
from sapper.kata.document import Item, ItemKind, Shown
from sapper.kata.layouts import agreeing_layouts
from sapper.kata.messages import CLEARED, created
from sapper.kata.sandbox import Sandbox, move_to
from sapper.kata.verdict import NotMetError
from sapper.render import kata as view

BOMB_COUNTS = (1, 3)
"""How many bombs a board of the kata has when nobody says."""

_SQUARE = re.compile(r"\b\d+;\d+\b")


class ScenarioRun(NamedTuple):
    """A scenario or example that is green."""

    games: list[Sandbox]
    """The game after it, on each layout it may be played on."""
    told: tuple[str, ...]


def run(item: Item, games: list[Sandbox] | None = None) -> ScenarioRun:
    """Play an item, going on with these games if there are any; `NotMetError` if it does not go as shown."""
    told: tuple[str, ...] = ()
    played = []
    for start in _starts(item, games):
        steps = []
        game = start
        for number, shown in enumerate(item.shown):
            is_new = games is None and number == 0
            game, text = _create(game, shown) if is_new and shown.drawing.is_blank else _go_on(game, item, shown)
            steps.append(text)
        played.append(game)
        told = told or tuple(steps)
    return ScenarioRun(played, told)


def games_at(item: Item) -> list[Sandbox] | None:
    """Games that stand as the item's last board, however they got there; None if none can."""
    tiles = item.shown[-1].drawing.tiles()
    games = [Sandbox(layout) for layout in agreeing_layouts(item.grid, tiles, BOMB_COUNTS)]
    return [game for game in games if game.set_up(tiles)] or None


def _starts(item: Item, games: list[Sandbox] | None) -> list[Sandbox]:
    """The games to play the item in: one for each layout that agrees with all that it shows."""
    grid = item.grid
    boards = [shown.drawing.tiles() for shown in item.shown]
    if games is not None:
        starts = [game.fork() for game in games if game.grid == grid and _agrees(game.layout, boards)]
    elif item.bombs is not None:
        return [Sandbox(Layout(grid, item.bombs.bombs()))]
    elif all(shown.drawing.is_blank for shown in item.shown):
        # A new game, and nothing else: it is the same on all layouts.
        firsts = (next(agreeing_layouts(grid, boards[0], [count]), None) for count in BOMB_COUNTS)
        starts = [Sandbox(layout) for layout in firsts if layout is not None]
    else:
        layouts = agreeing_layouts(grid, boards[-1], BOMB_COUNTS)
        starts = [Sandbox(layout) for layout in layouts if _agrees(layout, boards)]
    if not starts:
        raise NotMetError("no layout of 1 or 3 bombs agrees with what is shown", line=item.shown[-1].drawing.line)
    fitting = [game for game in starts if _fits_messages(game.layout, item.shown)]
    return fitting or starts


def _agrees(layout: Layout, boards: Iterable[bytes]) -> bool:
    """Whether every clue and every exploded bomb that is shown is in the layout."""
    for tiles in boards:
        for tile, clue in zip(tiles, layout.clues, strict=True):
            if (tile <= Tile.EIGHT and tile != clue) or (tile == Tile.EXPLODED and clue <= Tile.EIGHT):
                return False
    return True


def _fits_messages(layout: Layout, shown: Iterable[Shown]) -> bool:
    """Whether the land is cleared where a message says so, and only there: it tells the number of bombs."""
    for one in shown:
        hidden = sum(tile in (Tile.COVERED, Tile.FLAGGED) for tile in one.drawing.tiles())
        if (hidden == layout.mine_count) != one.message.endswith(CLEARED):
            return False
    return True


def _create(game: Sandbox, shown: Shown) -> tuple[Sandbox, str]:
    got = f"{_draw(game, shown)}\n{created(game.grid)}"
    wanted = _text(shown)
    if got != wanted:
        raise NotMetError("a new game looks otherwise", line=shown.drawing.line, expected=wanted, got=got)
    return game, f"a new game\n{got}"


def _go_on(game: Sandbox, item: Item, shown: Shown) -> tuple[Sandbox, str]:
    """The game after the moves that lead to what is shown, and a text of them."""
    before = game.board.tiles
    wanted = shown.drawing.tiles()
    named = list(_named_squares(item.title, game.grid))
    orders: Iterable[list[Cell]]
    if item.kind is ItemKind.EXAMPLE:
        order = [cell for cell in _in_order(named, wanted) if move_to(before, wanted, cell) is not None]
        orders = [[cell] for cell in order]
    else:
        # As the title says; or marks first, where a win would come in between; or last, for the message's sake.
        marks = _marks(wanted)
        steps = [cell for cell in _in_order(named, wanted) if cell not in marks]
        orders = (_in_order(named, wanted), _in_order([*marks, *named], wanted), [*steps, *marks])
    tries = []
    for order in orders:
        one = _try(game, order, shown)
        if _is_it(one, shown):
            return one.game, f"{'; '.join(one.told)}\n{_text(shown)}"
        tries.append(one)
    raise _not_met(game, shown, tries)


class _Try(NamedTuple):
    """Some moves towards a board, and where they led."""

    game: Sandbox
    told: list[str]
    message: str


def _try(game: Sandbox, order: list[Cell], shown: Shown) -> _Try:
    wanted = shown.drawing.tiles()
    after = game.fork()
    told: list[str] = []
    message = ""
    for cell in order:
        board = after.board
        move = move_to(board.tiles, wanted, cell)
        if move is None:
            continue
        if not board.is_legal(move):
            break
        told.append(_say(after, move))
        message = after.play(move).printed
    return _Try(after, told, message)


def _is_it(one: _Try, shown: Shown) -> bool:
    return bool(one.told) and one.game.board.tiles == shown.drawing.tiles() and one.message == shown.message


def _not_met(game: Sandbox, shown: Shown, tries: list[_Try]) -> NotMetError:
    """The error that shows the try which came nearest."""
    wanted = shown.drawing.tiles()

    def nearness(one: _Try) -> tuple[int, bool]:
        right = sum(a == b for a, b in zip(one.game.board.tiles, wanted, strict=True))
        return right, one.message == shown.message

    made = [one for one in tries if one.told]
    if made:
        best = max(made, key=nearness)
        reason = f"no move leads here; the nearest, {'; '.join(best.told)}, leads elsewhere"
        got = f"{_draw(best.game, shown)}\n{best.message}"
    else:
        reason = "no move leads here from the board before"
        got = _draw(game, shown)
    bombs = view.bombs(game.grid, game.layout.clues).replace("\n", " / ")
    return NotMetError(
        f"{reason} (bombs {bombs})" if game.grid.size <= 25 else reason,
        line=shown.drawing.line,
        expected=_text(shown),
        got=got,
    )


# --- the order of moves ------------------------------------------------------------------------------


def _named_squares(title: str, grid: Grid) -> Iterator[Cell]:
    for text in _SQUARE.findall(title):
        try:
            yield view.cell_of(grid, text)
        except CellError:
            continue  # a title is words, not a move


def _in_order(first: list[Cell], wanted: bytes) -> list[Cell]:
    """All squares: these first, then zeros (which open others), the rest, and the bomb last."""
    rest = sorted(range(len(wanted)), key=lambda cell: (wanted[cell] == Tile.EXPLODED, wanted[cell] != Tile.ZERO))
    return list(dict.fromkeys([*first, *map(Cell, rest)]))


def _marks(wanted: bytes) -> list[Cell]:
    return [Cell(cell) for cell, tile in enumerate(wanted) if tile == Tile.FLAGGED]


# --- words -------------------------------------------------------------------------------------------


def _say(game: Sandbox, move: Move) -> str:
    return VIEWS["kata"].move(game.board, move)


def _draw(game: Sandbox, shown: Shown) -> str:
    return (view.bordered if shown.drawing.is_framed else view.bare)(game.board)


def _text(shown: Shown) -> str:
    return f"{shown.drawing.printed}\n{shown.message}"
