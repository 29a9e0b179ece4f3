"""Runs scenarios and examples: looks for the moves that lead from each board shown to the next, message included."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.tile import Tile
from sapper.errors import CellError
from sapper.game.layout import Layout
from sapper.kata.bot import VIEWS
from sapper.kata.document import Item, ItemKind, NotMetError, Shown
from sapper.kata.messages import CLEARED, EXAMPLES, FLAGGED, UNFLAGGED, created
from sapper.kata.sandbox import Sandbox, agreeing_layouts, move_to
from sapper.render import kata as view

BOMB_COUNTS = (1, 3)
"""The possible numbers of bombs where the document does not say."""

MOST_EXPLAINED = 25
"""Squares of a board up to which it is searched for the one that cannot be."""

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
            # A blank board is a new game, or one whose only mark was taken back.
            is_created = is_new and shown.drawing.is_blank and not shown.message.endswith(UNFLAGGED)
            game, text = _create(game, shown) if is_created else _go_on(game, item, shown)
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
        reason = (
            "no layout of 1 or 3 bombs agrees with what is shown"
            if games is None
            else ("no layout of the game that this goes on with agrees with what is shown")
        )
        raise NotMetError(f"{reason}{_impossible_square(item, games)}", line=item.shown[-1].drawing.line)
    fitting = [game for game in starts if _fits_messages(game.layout, item.shown)]
    return fitting or starts


def _agrees(layout: Layout, boards: Iterable[bytes]) -> bool:
    """True if every clue and every exploded bomb that is shown is in the layout."""
    for tiles in boards:
        for tile, clue in zip(tiles, layout.clues, strict=True):
            if (tile <= Tile.EIGHT and tile != clue) or (tile == Tile.EXPLODED and clue <= Tile.EIGHT):
                return False
    return True


def _fits_messages(layout: Layout, shown: Iterable[Shown]) -> bool:
    """True if the land is cleared where a message says so, and only there: it tells the number of bombs."""
    for one in shown:
        tiles = one.drawing.tiles()
        hidden = sum(tile in (Tile.COVERED, Tile.FLAGGED) for tile in tiles)
        is_won = hidden == layout.mine_count and Tile.EXPLODED not in tiles
        if is_won != one.message.endswith(CLEARED):
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
    tries = []
    for moves in _plans(game.grid, before, wanted, named, shown.message, one_move=item.kind is ItemKind.EXAMPLE):
        one = _try(game, moves)
        if one.told and one.game.board.tiles == wanted and one.message == shown.message:
            return one.game, f"{'; '.join(one.told)}\n{_text(shown)}"
        tries.append(one)
    raise _not_met(game, shown, tries)


def _plans(
    grid: Grid, before: bytes, wanted: bytes, named: list[Cell], message: str, *, one_move: bool
) -> Iterator[list[Move]]:
    """Every list of moves that is worth a try, the likeliest first.

    Only the last move matters: it gives the message, and no other may end the game. All others can come in any
    order, since a reveal leads to the same clues whatever was revealed before it. So a scenario is tried in the
    order of its title, and then once with each possible move as the last one.
    """
    order = _in_order(named, wanted)
    moves = [move for cell in order if (move := move_to(before, wanted, cell)) is not None]
    if one_move:
        yield from ([move] for move in moves)
        return
    marks = [move for move in moves if move.action is not Action.REVEAL]
    steps = [move for move in moves if move.action is Action.REVEAL]
    yield moves
    # Marks first, where a win would come in between; or last, for the message's sake.
    yield marks + steps
    yield steps + marks
    for last in _last_moves(before, wanted, order, message):
        apart = _zeros_with(grid, wanted, last[-1].cell)
        yield [move for move in marks + steps if move.cell not in apart] + last


def _zeros_with(grid: Grid, wanted: bytes, cell: Cell) -> set[int]:
    """The square, and if it is a zero all zeros whose cascade reveals it: none of them may come before it."""
    found = {int(cell)}
    waiting = [cell] if wanted[cell] == Tile.ZERO else []
    while waiting:
        for other in grid.neighbours(waiting.pop()):
            if wanted[other] == Tile.ZERO and other not in found:
                found.add(other)
                waiting.append(Cell(other))
    return found


def _last_moves(before: bytes, wanted: bytes, order: list[Cell], message: str) -> Iterator[list[Move]]:
    """The moves that may be the last with this message: one move, or two of a mark that was set and taken away."""
    for cell in order:
        now, then = before[cell], wanted[cell]
        if now not in (Tile.COVERED, Tile.FLAGGED):
            continue
        flag, unflag = Move.flag(cell), Move.unflag(cell)
        if then == Tile.FLAGGED and message.endswith((FLAGGED, CLEARED)):
            yield [flag] if now == Tile.COVERED else [unflag, flag]
        elif then == Tile.COVERED and message.endswith((UNFLAGGED, CLEARED)):
            yield [unflag] if now == Tile.FLAGGED else [flag, unflag]
        elif then == Tile.EXPLODED or (then <= Tile.EIGHT and message.endswith((EXAMPLES.around(then), CLEARED))):
            yield [Move.reveal(cell)]


def _first_difference(one: "_Try", shown: Shown) -> str:
    """Names the first square that the moves leave otherwise than it is shown; nothing if only the message differs."""
    grid, symbols = one.game.grid, view.BARE_SYMBOLS
    for cell, (tile, wanted) in enumerate(zip(one.game.board.tiles, shown.drawing.tiles(), strict=True)):
        if tile != wanted:
            return f": square {view.square(grid, Cell(cell))} shows {symbols[tile]}, not {symbols[wanted]}"
    return ""


def _impossible_square(item: Item, games: list[Sandbox] | None) -> str:
    """Names a shown square without which some layout would agree; nothing if no single square is to blame."""
    grid = item.grid
    if grid.size > MOST_EXPLAINED:
        return ""
    tiles = item.shown[-1].drawing.tiles()
    for cell, tile in enumerate(tiles):
        if tile in (Tile.COVERED, Tile.FLAGGED):
            continue
        without = tiles[:cell] + bytes([Tile.COVERED]) + tiles[cell + 1 :]
        if games is not None:
            fits = any(_agrees(game.layout, [without]) for game in games if game.grid == grid)
        else:
            fits = next(agreeing_layouts(grid, without, BOMB_COUNTS), None) is not None
        if fits:
            return f": square {view.square(grid, Cell(cell))} cannot show {view.BARE_SYMBOLS[tile]}"
    return ""


class _Try(NamedTuple):
    """Some moves towards a board, and where they led."""

    game: Sandbox
    told: list[str]
    message: str


def _try(game: Sandbox, moves: Iterable[Move]) -> _Try:
    after = game.fork()
    told: list[str] = []
    message = ""
    for move in moves:
        board = after.board
        if move.action is Action.REVEAL and board.tiles[move.cell] not in (Tile.COVERED, Tile.FLAGGED):
            continue  # a cascade was there before
        if not board.is_legal(move):
            break
        told.append(VIEWS["kata"].move(board, move))
        message = after.play(move).printed
    return _Try(after, told, message)


def _not_met(game: Sandbox, shown: Shown, tries: list[_Try]) -> NotMetError:
    """The error that shows the try which came nearest."""
    wanted = shown.drawing.tiles()

    def nearness(one: _Try) -> tuple[int, bool]:
        right = sum(a == b for a, b in zip(one.game.board.tiles, wanted, strict=True))
        return right, one.message == shown.message

    made = [one for one in tries if one.told]
    if made:
        best = max(made, key=nearness)
        reason = (
            f"no move leads here; the nearest, {'; '.join(best.told)}, leads elsewhere{_first_difference(best, shown)}"
        )
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


# --- words -------------------------------------------------------------------------------------------


def _draw(game: Sandbox, shown: Shown) -> str:
    return (view.bordered if shown.drawing.is_framed else view.bare)(game.board)


def _text(shown: Shown) -> str:
    return f"{shown.drawing.printed}\n{shown.message}"
