"""Whole games inside compiled kernels, for the strategies that have one.

Knows: which strategies are compiled, and how to load them.
Does not know: rules by name, boards, processes.
"""

from importlib import import_module
from pathlib import Path
from typing import Protocol

from sapper._kernels._python.playing import LOST, UNSOLVED, WON, Ended, Series
from sapper._kernels.searching import can_compile

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
    "make_player",
]

STRATEGIES = ("random", "single", "subset", "exact")
"""The strategies whose games can be compiled."""

_PLAYING = "sapper._kernels._jit.playing"


class Player(Protocol):
    """Plays games of one series; one thread uses it."""

    def stop(self) -> None:
        """End before the next game; for other threads."""

    def play(self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None) -> list[Ended]:
        """Play games `begin`, `begin` + 1, …, on layouts of their own or those given (1 at a mine, a byte a cell)."""

    def play_moves(
        self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None
    ) -> list[tuple[Ended, list[int]]]:
        """The same, with the cells that the moves reveal."""


def make_player(strategy: str, series: Series) -> Player:
    """A compiled player; its kernels are loaded now, or compiled if this machine has not before."""
    player: Player = import_module(_PLAYING).Player(strategy, series)
    return player


def is_kept(strategy: str) -> bool:
    """Whether what plays this strategy has been compiled on this machine; it takes a second to ask."""
    kept: bool = import_module(_PLAYING).is_kept(strategy)
    return kept


def folder_of_cache() -> Path:
    """Where everything is kept that was compiled."""
    folder: Path = import_module(_PLAYING).folder_of_cache()
    return folder
