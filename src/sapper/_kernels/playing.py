"""Whole games inside compiled kernels, for the strategies that have one.

Knows: which strategies are compiled, and which modules play them.
Does not know: rules by name, boards, processes.
"""

from pathlib import Path
from typing import Any, Protocol

from sapper._kernels._python.playing import LOST, UNSOLVED, WON, Ended, Series
from sapper._kernels.loading import can_compile, failure, load

__all__ = [
    "LOST",
    "STRATEGIES",
    "UNSOLVED",
    "WON",
    "Ended",
    "Player",
    "Series",
    "can_compile",
    "folder_of_cache",
    "is_kept",
    "is_ready",
    "make_player",
]

STRATEGIES = ("random", "single", "subset", "exact")
"""The strategies whose games can be compiled."""


class Player(Protocol):
    """Plays games of one series; one thread uses it."""

    def stop(self) -> None:
        """End before the next game; for other threads."""

    def play(self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None) -> list[Ended]:
        """Play games `begin`, `begin` + 1, …, on layouts of their own or those given (1 at a mine, a byte a cell)."""

    def play_maps(self, begin: int, games: int) -> tuple[list[Ended], bytes]:
        """The same on layouts of their own, with these."""

    def play_moves(
        self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None
    ) -> list[tuple[Ended, list[int]]]:
        """The same, with the cells that the moves reveal."""


def is_ready(strategy: str) -> bool:
    """Load what plays this strategy, or compile it if this machine has not before; whether that works."""
    return load("playing") is not None and load(f"games_{strategy}") is not None


def make_player(strategy: str, series: Series) -> Player:
    """A compiled player, of a strategy that `is_ready`."""
    player: Player = _playing().Player(strategy, series)
    return player


def is_kept(strategy: str) -> bool:
    """Whether what plays this strategy has been compiled on this machine; it takes a second to ask."""
    kept: bool = _playing().is_kept(strategy)
    return kept


def folder_of_cache() -> Path:
    """Where everything is kept that was compiled."""
    folder: Path = _playing().folder_of_cache()
    return folder


def _playing() -> Any:
    module = load("playing")
    if module is None:
        raise RuntimeError(f"there are no compiled games: {failure() or 'numba is not installed'}")
    return module
