"""How games ended, one by one and together."""

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, unique
from html import escape
from typing import NamedTuple

from sapper.core.words import counted
from sapper.metrics.interval import Interval, wilson


@unique
class GameOutcome(Enum):
    """How a game ended."""

    WON = "won"
    LOST = "lost"
    TERMINATED = "terminated"
    """The strategy gave the game up."""
    FAULT = "fault"
    """The strategy broke its contract: the game counts as played and not won."""


class SimulatedGame(NamedTuple):
    """One game of a run, as it was played."""

    number: int
    """Its number in the run, from 0."""
    seed: int
    """`new_game` with it, and the run's first cell, is this game."""
    result: GameOutcome
    moves: int
    """All moves, the first reveal included."""
    guesses: int
    """Moves after the first that the strategy did not call certain (risk 0)."""
    revealed: int
    """Safe cells revealed."""
    bbbv: int | None = None
    """The 3BV of its layout, where the plan asks for it."""
    fault: str = ""
    """Why the result is `FAULT`: a word for its kind, and what happened."""
    record: bytes | None = None
    """The whole game, where the plan asks for it, in the binary form (`core.record_binary`)."""


COLUMNS = "game seed result moves guesses revealed bbbv fault"
"""The columns of `line_of`, separated by spaces; the fault is the rest of the line. `-` is a missing value."""


def line_of(played: SimulatedGame) -> str:
    """One game as a line of text, without a line feed."""
    fault = " ".join(played.fault.split()) or "-"
    bbbv = "-" if played.bbbv is None else played.bbbv
    counts = f"{played.moves} {played.guesses} {played.revealed} {bbbv}"
    return f"{played.number} {played.seed} {played.result.value} {counts} {fault}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """All games of a run together."""

    requested: int
    games: int = 0
    """How many were played."""
    won: int = 0
    lost: int = 0
    terminated: int = 0
    faults: dict[str, int] = field(default_factory=dict, hash=False)
    """Games that a fault of the strategy ended, by the kind of fault: with those won, lost and terminated, all games."""
    fault_example: str = ""
    """The first fault in words; empty if there is none."""
    moves: int = 0
    guesses: int = 0
    backend: str
    """`native`, `reference`, or `process` for a stranger's strategy; two joined by `+` if both played some of the games."""
    seconds: float = 0.0
    """Time spent playing."""
    ready_seconds: float = 0.0
    """Time spent before: loading, compiling, starting processes."""
    interrupted: bool = False

    def __str__(self) -> str:
        if self.rate is None:
            return "no game was played"
        low, high = self.interval
        share = f"{100 * self.rate:.2f} % (95 %: {100 * low:.2f} to {100 * high:.2f} %)"
        return f"won {self.won:,} of {counted(self.games, 'game')}: {share}"

    def _repr_html_(self) -> str:
        """The rate for a notebook: a bar, its 95 % interval as a line, and the words."""
        low, high = self.interval
        bar = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="20" role="img">'
            '<rect width="400" height="20" fill="#d0d0d0"/>'
            f'<rect width="{400 * (self.rate or 0):.1f}" height="20" fill="#2a78b5"/>'
            f'<path d="M{400 * low:.1f} 10H{400 * high:.1f}M{400 * low:.1f} 5V15M{400 * high:.1f} 5V15" stroke="#000"/></svg>'
        )
        return f"<div>{bar if self.games else ''}<p>{escape(str(self))}</p></div>"

    @property
    def rate(self) -> float | None:
        """The share of games won; None without a game."""
        return self.won / self.games if self.games else None

    @property
    def faulted(self) -> int:
        """Games that a fault of the strategy ended."""
        return sum(self.faults.values())

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.games)

    @property
    def games_per_second(self) -> float | None:
        """Speed; None if there is nothing to divide."""
        return self.games / self.seconds if self.games and self.seconds > 0 else None


class SimulationStats:
    """Counts games as they come."""

    def __init__(self) -> None:
        self.results: Counter[GameOutcome] = Counter()
        self.faults: Counter[str] = Counter()
        self.fault_example = ""
        self.moves = 0
        self.guesses = 0

    def add(self, played: SimulatedGame) -> None:
        self.results[played.result] += 1
        self.moves += played.moves
        self.guesses += played.guesses
        if played.result is GameOutcome.FAULT:
            self.faults[played.fault.partition(":")[0]] += 1
            self.fault_example = self.fault_example or f"game {played.number}: {played.fault}"

    @property
    def games(self) -> int:
        return self.results.total()
