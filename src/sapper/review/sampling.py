"""The chance to win by playing on: layouts that fit a board are drawn, and each is played to its end.

All guesses of a board are tried on the same layouts, so that what one is better by than another shows in far fewer games.

What plays on takes what is certain, else the least risk: so a chance that is sampled is a little below that of best play.
"""

from collections.abc import Sequence
from typing import Final

from sapper._kernels import batch
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.referee import Referee, RefereeSnapshot
from sapper.game.source import FixedLayout
from sapper.generator.sample import sample_analysed
from sapper.review.values import SampledWin
from sapper.solver.analysis import Analysis

_OPINIONS: Final = bytes.maketrans(bytes([Tile.FLAGGED, Tile.QUESTION]), bytes([Tile.COVERED, Tile.COVERED]))


def sample_wins(analysis: Analysis, cells: Sequence[Cell], rng: Rng, games: int) -> tuple[SampledWin, ...]:
    """Reveal each of some cells on the same layouts and play on; the same `rng` gives the same games on either backend.

    The board is one of a game that is won by revealing, with a layout that lies: no start rule is left.
    """
    board = analysis.board
    rules = board.rules.replace(start=Start.ANY)
    ready = board.tiles.translate(_OPINIONS)
    playing: list[tuple[Cell, Referee]] = []
    for number in range(games):
        layout = sample_analysed(board, analysis, rng.split(number))
        for cell in dict.fromkeys(cells):
            if layout.is_mine(cell):
                continue
            referee = Referee(rules=rules, source=FixedLayout(layout))
            referee.restore(RefereeSnapshot(ready, Status.PLAYING, layout))
            referee.play(Move.reveal(cell))
            playing.append((cell, referee))
    won = dict.fromkeys(cells, 0)
    while playing:
        on: list[tuple[Cell, Referee]] = []
        for cell, referee in playing:
            if referee.status is Status.PLAYING:
                on.append((cell, referee))
            else:
                won[cell] += referee.status is Status.WON
        _move([referee for _, referee in on], analysis.cap)
        playing = on
    return tuple(SampledWin(cell=cell, games=games, won=count) for cell, count in won.items())


def _move(referees: Sequence[Referee], cap: int) -> None:
    """Play on in each game: all that is certain to be safe, else the least risk (ties: the lowest cell), as `least-risk` does."""
    if not referees:
        return
    grid = referees[0].grid
    found = batch.analyse_many(
        [referee.board.tiles for referee in referees],
        [referee.mine_count for referee in referees],
        grid.width,
        grid.height,
        None if grid.is_plane else grid.table,
        cap=cap,
    )
    for referee, chances in zip(referees, found, strict=True):
        if chances.fault is not None:
            referee.play(Move.terminate())  # too hard to play on: not won
            continue
        for cell in CellSet(chances.safe) or (Cell(chances.lowest),):
            if referee.status is Status.PLAYING and referee.tile(cell) == Tile.COVERED:
                referee.play(Move.reveal(cell))
