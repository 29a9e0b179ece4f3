"""Shared by the environments: the game, its observation, the reward of a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.error import UnsupportedMode
from numpy.typing import NDArray

from sapper._kernels import batch
from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.preset import Preset
from sapper.core.rules import Rules, Start, Win, find_rules
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.errors import InvalidValueError, LayoutError, UnknownNameError
from sapper.rl.rewards import Rewards, find_rewards

OBSERVATIONS = ("tiles", "planes")
PLANES = 11
"""Planes of an observation: the clues 0 to 8, covered, exploded."""

_PLANE_OF = np.array([*range(10), 9, 9, 0, 10, 0], np.uint8)  # by tile code; 12 and 14 are never seen here


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvTask:
    """The games of an environment. Made by `make_task`, which checks."""

    preset: Preset
    rewards: Rewards
    observation: str
    with_chances: bool
    """True if `info` has the exact chances."""
    max_steps: int
    """Steps after which a game is cut off; 0: never."""

    @property
    def grid(self) -> Grid:
        return self.preset.grid

    @property
    def mine_count(self) -> int:
        return self.preset.mine_counts[0]

    @property
    def safe_cells(self) -> int:
        return self.grid.size - self.mine_count

    @property
    def needs_chances(self) -> bool:
        return self.with_chances or self.rewards.risk != 0.0

    @property
    def protects_first(self) -> bool:
        """True if the start rule keeps every first reveal safe."""
        return self.preset.rules.start is not Start.ANY

    def observation_space(self) -> Any:
        shape = (self.grid.height, self.grid.width)
        if self.observation == "tiles":
            return spaces.Box(0, int(Tile.EXPLODED), shape, np.uint8)
        return spaces.Box(0, 1, (PLANES, *shape), np.uint8)

    def action_space(self) -> Any:
        """The cells: `y * width + x`."""
        return spaces.Discrete(self.grid.size)

    def observe(self, tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The observation of games whose tiles are the rows of a table: a new array, games first."""
        shaped = tiles.reshape(-1, self.grid.height, self.grid.width)
        if self.observation == "tiles":
            return shaped.copy()
        planes: NDArray[np.bool_] = _PLANE_OF[shaped][:, None] == np.arange(PLANES, dtype=np.uint8)[:, None, None]
        return planes.astype(np.uint8)

    def chances(self, tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The exact chance of a mine at every covered cell, a row a game: NaN at others, and where the analysis gives up."""
        grid = self.grid
        rows = [row.tobytes() for row in tiles.reshape(-1, grid.size)]
        found = np.full((len(rows), grid.size), np.nan)
        table = None if grid.is_plane else grid.table
        analysed = batch.analyse_many(rows, [self.mine_count] * len(rows), grid.width, grid.height, table)
        for row, one in zip(found, analysed, strict=True):
            if one.fault is None:
                row[:] = np.frombuffer(one.chances)
        return found

    def shown_chances(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chances as `info` has them: games × height × width, -1 for NaN, which would not be equal to itself."""
        return np.nan_to_num(chances, nan=-1.0).reshape(-1, self.grid.height, self.grid.width)

    def needless_risk(
        self, chances: NDArray[np.float64], cells: NDArray[np.int64], is_first: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """The chance of a mine at each game's cell less the least there is; 0 where it is not known or the start rule protects."""
        at_cell = chances[np.arange(len(cells)), cells]
        least = np.min(np.where(np.isnan(chances), np.inf, chances), axis=1)
        risk = np.where(np.isnan(at_cell), 0.0, at_cell - least)
        return np.where(is_first, 0.0, risk) if self.protects_first else risk

    def board(self, tiles: NDArray[np.uint8], status: Any) -> Board:
        return Board(
            grid=self.grid,
            rules=self.preset.rules,
            mine_count=self.mine_count,
            tiles=tiles.astype(np.uint8).tobytes(),
            status=status,
        )


class TaskArguments(TypedDict, total=False):
    """Arguments of both environments; defaults are those of `make_task`."""

    width: int
    height: int
    mine_count: int
    rules: Rules | str
    start: Start | str | None
    rewards: Rewards | str
    observation: str
    chances: bool
    max_steps: int | None


def make_task(
    *,
    width: int = 9,
    height: int = 9,
    mine_count: int = 10,
    rules: Rules | str = "modern",
    start: Start | str | None = None,
    rewards: Rewards | str = "win",
    observation: str = "tiles",
    chances: bool = False,
    max_steps: int | None = None,
) -> EnvTask:
    """The task of these arguments (see `MinesweeperEnv`).

    Raises:
        UnknownNameError: rules, start, rewards or observation of a name that is none.
        InvalidValueError: a game that reveals alone cannot win.
        LayoutError: a size that is none, a number of mines that leaves no safe cell or needs no reveal.

    """
    found = find_rules(rules) if isinstance(rules, str) else rules
    if start is not None:
        if not isinstance(start, Start) and start not in {one.value for one in Start}:
            raise UnknownNameError("start", str(start), [one.value for one in Start])
        found = found.replace(start=Start(start))
    if found.win is Win.FLAGGED:
        raise InvalidValueError(
            f"actions are reveals, and by rules {found.name!r} a game is won by flags: give win=revealed"
        )
    grid = Grid(width, height)
    if not 1 <= mine_count < grid.size:
        raise LayoutError(
            f"{counted(mine_count, 'mine')} on {width}x{height} cells: an environment needs 1 to {grid.size - 1}"
        )
    if observation not in OBSERVATIONS:
        raise UnknownNameError("observation", observation, OBSERVATIONS)
    if max_steps is not None and max_steps < 1:
        raise LayoutError(f"max_steps is a positive number or None, not {max_steps}")
    return EnvTask(
        preset=Preset(name="environment", rules=found, width=width, height=height, mine_counts=(mine_count,)),
        rewards=find_rewards(rewards),
        observation=observation,
        with_chances=chances,
        max_steps=max_steps or 0,
    )


def checked_render_mode(mode: str | None, known: Sequence[str]) -> str | None:
    """The render mode, if it is one; `UnsupportedMode` of Gymnasium otherwise."""
    if mode is not None and mode not in known:
        raise UnsupportedMode(f"render_mode is one of {', '.join(known)}, not {mode!r}")
    return mode
