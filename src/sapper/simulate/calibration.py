"""Whether a claimed chance to win is the rate at which such games are won.

A game is played by sapper's own advice, and every chance that it claims on the way is kept. Claims of one game stand and fall
together, so the error of a rate is that of games, not of claims.

Knows: games, the chance to win.
Does not know: files, plots, how boards are chosen.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sapper.core.move import Move
from sapper.core.status import Status
from sapper.game.game import Game
from sapper.solver.analysis import analyse
from sapper.solver.win import MOST_LAYOUTS, NODES, win_chance, win_chance_of

TENTHS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedGame:
    """A game, and the chances to win that were claimed on its way: at the start, and before each guess."""

    claims: tuple[float, ...]
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """The claims from `low` to `high`: how many, of how many games, their mean, the share won, and its standard error if the claims are right."""

    low: float
    high: float
    claims: int
    games: int
    claimed: float
    won: float
    error: float

    @property
    def is_off(self) -> float:
        """By how many standard errors the share won differs from the mean claim."""
        return (self.won - self.claimed) / self.error if self.error else 0.0


def judge_game(
    game: Game, *, compiled: bool = True, most_layouts: int = MOST_LAYOUTS, nodes: int = NODES
) -> JudgedGame:
    """Play a game by sapper's advice to its end; it must be one that is won by revealing, and not begun."""
    first = win_chance(game.board, compiled=compiled, most_layouts=most_layouts, nodes=nodes)
    claims = [] if first.win is None else [first.win]
    cell = None if first.best is None else first.best.cell
    while cell is not None and not game.board.status.ended:
        game.play(Move.reveal(cell))
        cell = None
        while not game.board.status.ended:
            analysis = analyse(game.board)
            if not analysis.safe:
                chance = win_chance_of(analysis, compiled=compiled, most_layouts=most_layouts, nodes=nodes)
                if chance.best is not None and chance.win is not None:
                    claims.append(chance.win)
                    cell = chance.best.cell
                break
            for one in analysis.safe:
                if game.board.is_legal(Move.reveal(one)):  # a cascade may have revealed it meanwhile
                    game.play(Move.reveal(one))
    return JudgedGame(claims=tuple(claims), won=game.board.status is Status.WON)


def tenths_of(games: Iterable[JudgedGame]) -> list[Tenth]:
    """The tenths in which there are claims."""
    pieces: list[list[tuple[Sequence[float], bool]]] = [[] for _ in range(TENTHS)]
    for game in games:
        for number in range(TENTHS):
            inside = [claim for claim in game.claims if min(int(claim * TENTHS), TENTHS - 1) == number]
            if inside:
                pieces[number].append((inside, game.won))
    return [_tenth(number, some) for number, some in enumerate(pieces) if some]


def _tenth(number: int, games: Sequence[tuple[Sequence[float], bool]]) -> Tenth:
    count = sum(len(claims) for claims, _ in games)
    claimed = sum(sum(claims) for claims, _ in games) / count
    won = sum(len(claims) * win for claims, win in games) / count
    # If the claims are right, a game's claims are all won or all lost, independently of other games.
    means = [sum(claims) / len(claims) for claims, _ in games]
    spread = sum(len(claims) ** 2 * mean * (1 - mean) for mean, (claims, _) in zip(means, games, strict=True))
    return Tenth(
        low=number / TENTHS,
        high=(number + 1) / TENTHS,
        claims=count,
        games=len(games),
        claimed=claimed,
        won=won,
        error=math.sqrt(spread) / count,
    )
