"""The text of `sapper analyse`: the board with a number in every covered cell, and what that comes to."""

from sapper.cli.terminal import colours, columns
from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.render.heat import Heat, heat_map, legend
from sapper.solver.advice import best_reveal, board_words, candidate_words
from sapper.solver.analysis import Analysis, PartialAnalysis
from sapper.solver.whole_game import ExactValue
from sapper.solver.win import WinChance
from sapper.solver.words import count_words, listed, percent

_MOST_IN_TABLE = 8
_MOST_NAMED = 20
_MOST_CANDIDATES = 5


def report(chance: WinChance) -> str:
    analysis, board = chance.analysis, chance.analysis.board
    best = best_reveal(chance)
    heat = Heat(
        board=board,
        chances=analysis.risks(),
        safe=frozenset(analysis.safe),
        mined=frozenset(analysis.mined),
        best=None if best is None else best[0],
        colours=colours(),
    )
    lines = [
        *_map(heat),
        f"{_size(board)}; {count_words(analysis.census)} layout{'s' if analysis.census > 1 else ''} {'fit' if analysis.census > 1 else 'fits'}",
        *_certain(board, analysis.safe, analysis.mined),
        *_table(analysis),
        *_winning(chance),
        f"best: {_no_best(board) if best is None else best[1]}",
    ]
    if best is not None:
        lines.append(
            "a guess is all that is left"
            if analysis.may_guess
            else "no need to guess (`sapper hint` says how one can tell)"
        )
    return "\n".join(lines) + "\n"


def whole_game_line(board: Board, value: ExactValue) -> str:
    return (
        f"whole game: best play wins {value.wins:,} of {value.layouts:,} layouts ({percent(float(value.win))}); "
        f"best first cells: {listed(board, value.best)}"
    )


def _winning(chance: WinChance) -> list[str]:
    if chance.board.status.ended:
        return []
    if len(chance.candidates) < 2 or not chance.candidates[0].risk:
        return [f"winning: {board_words(chance)}"]
    listed_ones = chance.candidates[:_MOST_CANDIDATES]
    return [
        f"winning: {board_words(chance)}; the best guesses:",
        *(f"  {candidate_words(chance.board, one)}" for one in listed_ones),
    ]


def partial_report(partial: PartialAnalysis) -> str:
    board = partial.board
    heat = Heat(
        board=board, chances={}, safe=frozenset(partial.safe), mined=frozenset(partial.mined), colours=colours()
    )
    solved, unsolved = len(partial.components), len(partial.unsolved)
    lines = [
        *_map(heat),
        f"{_size(board)}; of {solved + unsolved:,} components {unsolved:,} too hard: what is certain, without them and the mine count",
        *_certain(board, partial.safe, partial.mined),
    ]
    return "\n".join(lines) + "\n"


def _map(heat: Heat) -> list[str]:
    width = columns()
    return [heat_map(heat, width=width), legend(heat, width=width), ""]


def _size(board: Board) -> str:
    return (
        f"{board.grid.width}×{board.grid.height} cells, {board.mine_count:,} mine{'' if board.mine_count == 1 else 's'}"
    )


def _certain(board: Board, safe: CellSet, mined: CellSet) -> list[str]:
    lines = [
        f"safe ({len(safe):,}): {listed(board, safe, most=_MOST_NAMED) or 'none'}",
        f"mines ({len(mined):,}): {listed(board, mined, most=_MOST_NAMED) or 'none'}",
    ]
    wrong = board.flagged & safe
    if wrong:
        lines.append(f"flags on safe cells: {listed(board, wrong, most=_MOST_NAMED)}")
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


def _no_best(board: Board) -> str:
    if board.status.ended:
        return f"none, the game is {board.status.value}"
    return "none, no covered cell can be safe"
