"""Rewards of a step."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sapper._kernels import batch
from sapper.errors import UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """The reward of a step is the sum of these.

    Values may be negative. A step that begins the next game (see `autoreset_mode`) is worth 0.
    """

    win: float = 0.0
    """For the reveal that wins the game."""
    loss: float = 0.0
    """For the reveal of a mine."""
    progress: float = 0.0
    """Times the share of the board's safe cells that the step revealed, cascades included: 1 over a whole won game."""
    illegal: float = 0.0
    """For a step that changes nothing, as its cell was revealed already."""
    risk: float = 0.0
    """Times the needless risk: the cell's chance of a mine less the least chance of any covered cell, both exact; 0 for a first reveal
    that the start rule keeps safe. It takes an analysis of every board; a penalty is negative."""

    def table(self) -> NDArray[np.float64]:
        """The part that follows from how the step turned out, by the kernel's bits."""
        outcomes = np.arange(32)
        worth: NDArray[np.float64] = (
            self.win * (outcomes & batch.STEP_WON > 0)
            + self.loss * (outcomes & batch.STEP_LOST > 0)
            + self.illegal * (outcomes & batch.STEP_ILLEGAL > 0)
        )
        return worth


REWARDS: Mapping[str, Rewards] = MappingProxyType(
    {
        "win": Rewards(win=1.0, loss=-1.0),
        "progress": Rewards(win=1.0, loss=-1.0, progress=1.0, illegal=-0.1),
        "careful": Rewards(win=1.0, loss=-1.0, progress=1.0, illegal=-0.1, risk=-1.0),
    }
)
"""Rewards by name."""


def find_rewards(rewards: Rewards | str) -> Rewards:
    """The rewards of that name, or those given; `UnknownNameError` for a name that is none."""
    if isinstance(rewards, Rewards):
        return rewards
    if rewards not in REWARDS:
        raise UnknownNameError("rewards", rewards, REWARDS)
    return REWARDS[rewards]
