"""`sapper analyse`: how many layouts fit a board, how likely each covered cell is to be a mine, the chance to win."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NoReturn

import click

from sapper.cli.files import decoded, read_input
from sapper.cli.options import json_option
from sapper.cli.pictures import Picture, picture_option
from sapper.cli.progress import say_without_native
from sapper.cli.terminal import colours, columns
from sapper.config.configuration import load
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import MAX_SIZE
from sapper.core.notation import is_like_header, read_board
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.dataset.exact_value import exact_value_of
from sapper.errors import ContradictionError, TooHardError
from sapper.render.heat import Heat, heat_map, legend
from sapper.solver.advice import advice_of, best_reveal, board_words, candidate_words
from sapper.solver.analysis import DEFAULT_CAP, Analysis, PartialAnalysis, analyse
from sapper.solver.strategies.least_risk import Best, best_cell, best_certain
from sapper.solver.whole_game import ExactValue
from sapper.solver.win import Candidate, WinChance, win_chance_of
from sapper.solver.words import count_words, listed, percent

BOARD_HELP = """FILE has a line a row: # covered, F flagged, ? question mark, . zero, 1-8 clues, * mine, X exploded. A first line
    WIDTHxHEIGHT/MINES gives the number of mines, else --mines does. Without FILE, or for -, standard input is read.
    The settings advice.strategy and advice.time (sapper config) say whose guess is named where no cell is safe."""


def board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed((
        click.argument("file", metavar="[FILE|-]", default="-"),
        click.option("--mines", type=click.IntRange(min=0), metavar="N", help="Mines on the whole board, flagged or not."),
        click.option("--trust-flags", is_flag=True, help="Treat each flag as a mine; without this it counts as a covered cell."),
        json_option,
        picture_option(),
    )):  # fmt: skip
        command = option(command)
    return command


def board_from(file: str, mine_count: int | None) -> Board:
    """The board in a file, `-` for standard input.

    `mines` are those of the whole board, if its first line does not tell. `NotationError` and `OSError` for what cannot
    be read, `click.UsageError` for a board without a number of mines.
    """
    data, source = read_input(file, wanted="a board, a line a row", most=2 * MAX_SIZE)
    text = decoded(data, source)
    first = next((line for line in text.splitlines() if line.strip()), "")
    if mine_count is None and "/" not in first:
        read_board(text, mine_count=0, source=source)  # what is wrong with the board itself comes first
        if is_like_header(first):
            raise click.UsageError(f"mines are missing: {first.strip()}/MINES, or --mines N")
        raise click.UsageError(
            "the number of mines is missing: give --mines N, or begin the board with a line WIDTHxHEIGHT/MINES"
        )
    return read_board(text, mine_count=mine_count, source=source)


@click.command(
    "analyse",
    epilog="""\b
    Examples:
      printf '3x2/2\\n121\\n###\\n' | sapper analyse --json
      sapper analyse board.txt --picture board.svg""",
    help=f"""Say how many layouts fit a board, how likely each covered cell is to be a mine, and the chance to win.

    The first two are exact. So is the chance to win where few layouts are left; else the board is played out, between bounds
    that hold. The best cell is the one that wins most, which need not be the one that risks least.

    {BOARD_HELP}

    Exit codes: 1 no layout fits the board, 3 the board is too hard for the cap.""",
)
@board_options
@click.option(
    "--cap", type=click.IntRange(min=1), metavar="N", default=DEFAULT_CAP, show_default=True,
    help="Limit of states; more take more time and memory.",
)  # fmt: skip
def command(file: str, mines: int | None, trust_flags: bool, cap: int, as_json: bool, picture: Picture) -> None:
    board = board_from(file, mines)
    picture.check(board.grid)
    try:
        analysis = analyse(board, trust_flags=trust_flags, cap=cap)
    except ContradictionError as error:
        picture.draw_contradiction(board, error)
        if as_json:
            click.echo(dumped(_contradiction_document(board, error)))
        raise
    except TooHardError as error:
        if isinstance(error.partial, PartialAnalysis):
            picture.draw(board, safe=error.partial.safe, mined=error.partial.mined)
        _tell_part(error, as_json)
    chance = win_chance_of(analysis, parts=load().advisor.parts)
    if chance.win is None:
        say_without_native()
    best = best_reveal(chance)
    if picture.file is not None:
        from sapper.render.svg import Overlay

        overlays = {} if best is None else {best[0]: Overlay.BEST}
        picture.draw(board, heat=analysis.risks(), safe=analysis.safe, mined=analysis.mined, overlays=overlays)
    whole = exact_value_of(board)
    if as_json:
        click.echo(dumped(_document(chance, whole)))
        return
    click.echo(_report(chance, best))
    if whole is not None:
        click.echo(
            f"whole game: best play wins {whole.wins:,} of {whole.layouts:,} layouts ({percent(float(whole.win))}); "
            f"best first cells: {listed(board, whole.best)}"
        )


def _tell_part(error: TooHardError, as_json: bool) -> NoReturn:
    partial = error.partial
    assert isinstance(partial, PartialAnalysis)
    click.echo(dumped(_partial_document(partial, error)) if as_json else _partial_report(partial))
    raise TooHardError(
        f"the board takes more than {error.cap:,} states to analyse exactly, which is the cap; raise it with --cap {10 * error.cap}",
        cap=error.cap,
        partial=partial,
    ) from None


# --- for people: the board with a number in every covered cell, and what that comes to ---------------------

_MOST_IN_TABLE = 8
_MOST_NAMED = 20
_MOST_CANDIDATES = 5


def _report(chance: WinChance, best: tuple[Cell, str] | None) -> str:
    analysis, board = chance.analysis, chance.board
    heat = Heat(
        board=board,
        chances=analysis.risks(),
        safe=frozenset(analysis.safe),
        mined=frozenset(analysis.mined),
        best=None if best is None else best[0],
        colours=colours(),
    )
    fitting = f"{count_words(analysis.census)} layout{'s fit' if analysis.census > 1 else ' fits'}"
    lines = [*_heading(heat, fitting), *_table(analysis), *_winning(chance)]
    if best is not None:
        lines.append(f"best: {best[1]}")
        lines.append(
            "a guess is all that is left"
            if analysis.may_guess
            else "no need to guess (`sapper hint` says how one can tell)"
        )
    elif board.status.ended:
        lines.append(f"best: none, the game is {board.status.value}")
    else:
        lines.append("best: none, no covered cell can be safe")
    return "\n".join(lines)


def _partial_report(partial: PartialAnalysis) -> str:
    heat = Heat(
        board=partial.board, chances={}, safe=frozenset(partial.safe), mined=frozenset(partial.mined), colours=colours()
    )
    solved, unsolved = len(partial.components), len(partial.unsolved)
    told = (
        f"of {solved + unsolved:,} components {unsolved:,} too hard: what is certain, without them and the mine count"
    )
    return "\n".join(_heading(heat, told))


def _heading(heat: Heat, told: str) -> list[str]:
    """The map, and which cells are certain."""
    width, board = columns(), heat.board

    def names(cells: CellSet) -> str:
        return listed(board, cells, most=_MOST_NAMED) or "none"

    safe, mined = CellSet.of(heat.safe), CellSet.of(heat.mined)
    lines = [
        *(heat_map(heat, width=width), legend(heat, width=width), ""),
        f"{board.grid.width}×{board.grid.height} cells, {counted(board.mine_count, 'mine')}; {told}",
        f"safe ({len(safe):,}): {names(safe)}",
        f"mines ({len(mined):,}): {names(mined)}",
    ]
    if wrong := board.flagged & safe:
        lines.append(f"flags on safe cells: {names(wrong)}")
    return lines


def _table(analysis: Analysis) -> list[str]:
    census = analysis.census
    uncertain = [group for group in analysis.groups if 0 < group.numerator < census]
    if not uncertain:
        return []
    lines = ["least likely mines of the others:"]
    for group in sorted(uncertain, key=lambda group: (group.numerator, group.cells))[:_MOST_IN_TABLE]:
        chance = percent(group.numerator / census)
        lines.append(f"  {chance:>18}  {listed(analysis.board, group.cells, most=4)}")
    return lines


def _winning(chance: WinChance) -> list[str]:
    if chance.board.status.ended:
        return []
    if len(chance.candidates) < 2 or not chance.candidates[0].risk:
        return [f"winning: {board_words(chance)}"]
    guesses = [f"  {candidate_words(chance.board, one)}" for one in chance.candidates[:_MOST_CANDIDATES]]
    return [f"winning: {board_words(chance)}; guesses, the best first:", *guesses]


# --- for programs ------------------------------------------------------------------------------------------
#
# Exact numbers are texts; one of more than 4,096 digits is null, and the float beside it serves. Where there is no exact
# analysis the document has the same keys, what is not known is null, and `error` says why.

MOST_DIGITS = 4096
_LIMIT = 10**MOST_DIGITS
_WIN = ("win", "win_error", "win_low", "win_high", "exact")
_HIDDEN = frozenset({int(Tile.COVERED), int(Tile.FLAGGED), int(Tile.QUESTION)})

Document = dict[str, Any]


def dumped(document: Document) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def _document(chance: WinChance, whole: ExactValue | None) -> Document:
    """Everything that is known of a board. `best` is null if the game is over or no covered cell can be safe."""
    analysis, board = chance.analysis, chance.board
    census = analysis.census
    chances: dict[int, tuple[str | None, float]] = dict.fromkeys(analysis.safe, ("0/1", 0.0))
    chances.update(dict.fromkeys(analysis.mined, ("1/1", 1.0)))
    for group in analysis.groups:  # not cell by cell: numbers can be very long
        chances.update(dict.fromkeys(group.cells, (_fraction(group.numerator, census), group.numerator / census)))
    best = None
    if chance.best is not None:
        best = _candidate(board, chance.best, advice_of(chance) or "")
    elif not board.status.ended:
        best = _best(board, best_cell(analysis))
    found = _frame(board) | {
        "census": str(census) if census < _LIMIT else None,
        "census_log10": analysis.census_log10,
        "cells": [_cell(board, cell, *found) for cell, found in sorted(chances.items())],
        "safe": _places(board, analysis.safe),
        "mined": _places(board, analysis.mined),
        "best": best,
        "candidates": [
            _candidate(board, one, candidate_words(board, one))
            | {"risk": one.risk, "clues": [list(clue) for clue in one.clues], "can_wait": one.can_wait}
            for one in chance.candidates
        ],
        "win": win_data(chance) | {"reason": chance.reason},
        "forced": [{"cells": _places(board, one.cells), "chance": _text(one.chance)} for one in chance.forced],
    }
    if whole is not None:
        first = _places(board, whole.best)
        found["whole_game"] = {"layouts": whole.layouts, "wins": whole.wins, "win": _text(whole.win), "best": first}
    return found


def _contradiction_document(board: Board, error: ContradictionError) -> Document:
    found = _frame(board)
    found["win"]["reason"] = "no layout fits the board"
    return found | {"census": "0", "cells": _hidden(board, {}), "error": contradiction(board, error)}


def contradiction(board: Board, error: ContradictionError) -> Document:
    """Which clues contradict each other, and whether the number of mines has a part in it."""
    clues = _places(board, CellSet.of(error.clues))
    return {"message": str(error), "clues": clues, "mine_count": error.mine_count}


def _partial_document(partial: PartialAnalysis, error: TooHardError) -> Document:
    board = partial.board
    found = _frame(board)
    found["win"]["reason"] = "the board is too hard to analyse exactly"
    unsolved = [_places(board, CellSet.of(clues)) for clues in partial.unsolved]
    return found | {
        "cells": _hidden(board, dict.fromkeys(partial.safe, 0) | dict.fromkeys(partial.mined, 1)),
        "safe": _places(board, partial.safe),
        "mined": _places(board, partial.mined),
        "best": None if board.status.ended else _best(board, best_certain(partial)),
        "error": {"message": str(error), "cap": error.cap, "unsolved": unsolved},
    }


def _frame(board: Board) -> Document:
    return {
        "width": board.grid.width,
        "height": board.grid.height,
        "mine_count": board.mine_count,
        "census": None,
        "census_log10": None,
        "cells": [],
        "safe": [],
        "mined": [],
        "best": None,
        "candidates": [],
        "win": dict.fromkeys((*_WIN, "reason")),
        "forced": [],
    }


def _hidden(board: Board, certain: Mapping[Cell, int]) -> list[Document]:
    """The covered cells; 0 is safe and 1 a mine, of the others nothing is known."""
    mines = {cell: certain.get(Cell(cell)) for cell, tile in enumerate(board.tiles) if tile in _HIDDEN}
    return [_cell(board, cell, None if mine is None else f"{mine}/1", mine) for cell, mine in mines.items()]


def _cell(board: Board, cell: int, mine: str | None, chance: float | None) -> Document:
    x, y = board.grid.xy(cell)
    return {"x": x, "y": y, "mine": mine, "p": None if chance is None else float(chance)}


def _best(board: Board, best: Best | None) -> Document | None:
    if best is None:
        return None
    x, y = board.grid.xy(best.cell)
    return {"x": x, "y": y, **dict.fromkeys(_WIN), "why": best.reason}


def _candidate(board: Board, one: Candidate, why: str) -> Document:
    x, y = board.grid.xy(one.cell)
    return {"x": x, "y": y, **win_data(one), "why": why}


def win_data(one: WinChance | Candidate) -> Document:
    return dict(zip(_WIN, (one.win, one.win_error, one.win_low, one.win_high, _text(one.exact)), strict=True))


def _text(chance: Fraction | None) -> str | None:
    return None if chance is None else _fraction(chance.numerator, chance.denominator)


def _places(board: Board, cells: Iterable[int]) -> list[tuple[int, int]]:
    return [board.grid.xy(cell) for cell in cells]


def _fraction(numerator: int, denominator: int) -> str | None:
    """In lowest terms; None if it has too many digits."""
    divisor = math.gcd(numerator, denominator)
    numerator //= divisor
    denominator //= divisor
    if denominator >= _LIMIT:  # the larger of the two
        return None
    text = f"{numerator}/{denominator}"
    return text if len(text) <= MOST_DIGITS + 1 else None
