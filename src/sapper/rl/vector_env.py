"""Thousands of games at once, as Gymnasium has vector environments: a step of all is one call of a kernel."""

import sys
from typing import Any, ClassVar, Final, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sapper._kernels import batch
from sapper.core.rng import Rng
from sapper.dataset.drawing import AUTORESET_NEVER, AUTORESET_NEXT_STEP, AUTORESET_SAME_STEP, GameBatch
from sapper.errors import CellError
from sapper.rl.env import rgb_array
from sapper.rl.task import TaskArguments, checked_render_mode, make_task

# Copies of one array after the other, in memory that their holders have let go.
#
# A fresh half megabyte comes from the operating system page by page, which takes several times as long as copying into
# it.
_MOST: Final = 4
"""Copies whose memory is kept. Who holds more of them gets fresh memory for the others."""


class RecycledCopies:
    """Makes copies. None changes while it, a view of it or anything else that NumPy knows to use its memory is referred to."""

    __slots__ = ("_alone", "_held")

    def __init__(self, like: NDArray[Any]) -> None:
        """For arrays of this shape and type."""
        self._held = [np.empty_like(like)]
        self._alone = sys.getrefcount(self._held[0])
        """The references to one that only the list has; how many that is, is the interpreter's affair."""

    def copy(self, source: NDArray[Any]) -> NDArray[Any]:
        """A copy that the caller may keep and change."""
        held = self._held
        for number in range(len(held)):
            if sys.getrefcount(held[number]) == self._alone:
                np.copyto(held[number], source)
                return held[number].view()  # which refers to it, as each view of the view does
        made = source.copy()
        if len(held) < _MOST:
            held.append(made)
        return made.view()


_MODES = {
    AutoresetMode.DISABLED: AUTORESET_NEVER,
    AutoresetMode.NEXT_STEP: AUTORESET_NEXT_STEP,
    AutoresetMode.SAME_STEP: AUTORESET_SAME_STEP,
}
_ENDED = batch.STEP_WON | batch.STEP_LOST


class MinesweeperVectorEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games, each as in `MinesweeperEnv`, stepped together.

    `reset(seed=S)` gives game `i` run S + i, so that they are the games of `num_envs` environments that were reset with S, S + 1, …;
    a list has a seed, or None, for each. What is returned has a row for each game, and `info` is that of Gymnasium's own vector
    environments: arrays, and `_name` that says which rows count.

    `autoreset_mode`: with `NEXT_STEP` the step after the last of a game begins the next one, whatever its action, and is worth 0. With
    `SAME_STEP` the next game begins at once: what was seen at the end is in `info["final_obs"]` and `info["final_info"]`. With `DISABLED`
    the caller begins it: `reset(options={"reset_mask": mask})`, and a step of a game that has ended is `ResetNeeded`.

    `copy=False` returns the environment's own arrays of tiles and masks, which the next step changes: quicker, and to be read only.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        native: bool = True,
        **task: Unpack[TaskArguments],
    ) -> None:
        """Games of one kind. `native=False` keeps to Python, which gives the same and takes some hundred times as long."""
        super().__init__()
        if num_envs < 1:
            raise ValueError(f"num_envs is a positive number, not {num_envs}")
        self.task = make_task(**task)
        self.num_envs = num_envs
        self.render_mode = checked_render_mode(render_mode, self.metadata["render_modes"])
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.single_observation_space = self.task.observation_space()
        self.single_action_space = self.task.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._games = GameBatch(
            self.task.grid,
            self.task.preset.rules,
            self.task.mine_count,
            num_envs,
            autoreset=_MODES[self.autoreset_mode],
            limit=self.task.max_steps,
            native=native,
        )
        self._grid = self.task.grid
        self._tiles_copies = RecycledCopies(self._games.shaped)
        self._mask_copies = RecycledCopies(self._games.mask)
        self._table = self.task.rewards.table()
        self._progress = self.task.rewards.progress / self.task.safe_cells
        self._all = np.ones(num_envs, np.bool_)
        self._was_reset = False
        self._chances: NDArray[np.float64] | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin the next game of every run, or of those that `options["reset_mask"]` (booleans) names; with seeds, new runs."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = self._all
        if options is not None and "reset_mask" in options:
            which = np.asarray(options["reset_mask"])
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise ValueError(f"reset_mask is an array of {self.num_envs} booleans, at least one true")
            if not self._was_reset:
                raise ResetNeeded("all games have to be begun first: call reset() without a mask")
        seeds: list[int | None]
        if isinstance(seed, list):
            seeds = seed
        else:
            seeds = [None if seed is None else seed + number for number in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need as many seeds, not {len(seeds)}")
        for game in np.flatnonzero(which):
            one = seeds[game]
            if one is None and not self._was_reset:
                one = int(self.np_random.integers(1 << 64, dtype=np.uint64))
            if one is not None:
                self._games.buffers.seeds[game] = Rng(one).seed
                self._games.buffers.numbers[game] = -1
        self._games.begin(which)
        self._was_reset = True
        return self._observation(), self._info(which)

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Reveal a cell in every game. `CellError` for one off the board: nothing is played then."""
        cells = np.ascontiguousarray(actions, np.int64)
        if cells.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} games need as many actions, not an array of shape {cells.shape}")
        if cells.min() < 0 or cells.max() >= self._grid.size:
            raise CellError(f"actions are cells from 0 to {self._grid.size - 1}")
        games = self._games
        if not self._was_reset or (self.autoreset_mode is AutoresetMode.DISABLED and games.over().any()):
            raise ResetNeeded("a game has ended or none has begun: call reset()")
        risk = self._risk(cells) if self.task.rewards.risk else None
        before = games.buffers.revealed.copy()
        games.stepper.step(cells)
        outcome, opened = games.buffers.outcome, games.buffers.opened
        rewards = self._table[outcome]
        if self._progress:
            rewards += opened * self._progress
        if risk is not None:
            played = (outcome & (batch.STEP_ILLEGAL | batch.STEP_RESET)) == 0
            rewards += np.where(played, self.task.rewards.risk * risk, 0.0)
        terminated = (outcome & _ENDED) != 0
        truncated = (outcome & batch.STEP_TRUNCATED) != 0
        info: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            info = self._final_info(terminated | truncated, before + opened)
        info.update(self._info(self._all))
        return self._observation(), rewards, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Where a reveal is legal, a row a game, for learners that ask for it; all of them where a game has ended and any action goes on."""
        masks = self._games.mask.astype(np.bool_)
        masks[self._games.over()] = True
        return masks

    def _risk(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        assert self._chances is not None
        return self.task.needless_risk(self._chances, cells, self._games.buffers.revealed == 0)

    def _observation(self) -> NDArray[np.uint8]:
        if self.task.observation == "tiles":
            return self._tiles_copies.copy(self._games.shaped) if self._copy else self._games.shaped
        return self.task.observe(self._games.tiles)

    def _info(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """What else is known of the games, each name with the rows that count."""
        games = self._games
        outcome = games.buffers.outcome
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        info: dict[str, Any] = {
            "action_mask": self._mask_copies.copy(games.mask) if self._copy or which is not self._all else games.mask,
            "revealed": games.buffers.revealed.astype(np.int64),
            "won": np.zeros(self.num_envs, np.bool_) if same_step else (outcome & batch.STEP_WON) != 0,
        }
        if self.task.needs_chances:
            self._chances = self.task.chances(games.tiles)
            if self.task.with_chances:
                info["chances"] = self.task.shown_chances(self._chances)
        if which is not self._all:
            for value in info.values():
                value[~which] = 0
        return info | {f"_{name}": which.copy() for name in info}

    def _final_info(self, ended: NDArray[np.bool_], revealed: NDArray[np.int32]) -> dict[str, Any]:
        """What was seen of the games that ended in this step, before the next ones began; empty where none did.

        `revealed`: the cells revealed in each game, before the next one began.
        """
        if not ended.any():
            return {}
        games, task, rows = self._games, self.task, np.flatnonzero(ended)
        final = games.final[rows]
        outcome = games.buffers.outcome[rows]
        # Most of these arrays stays untouched: zeros that nobody writes cost nothing.
        known: dict[str, NDArray[Any]] = {
            "action_mask": np.zeros(games.mask.shape, np.int8),
            "revealed": np.zeros(self.num_envs, np.int64),
            "won": np.zeros(self.num_envs, np.bool_),
        }
        if task.max_steps and (cut_off := (outcome & _ENDED) == 0).any():
            known["action_mask"][rows[cut_off]] = final[cut_off] == 9
        known["revealed"][rows] = revealed[rows]
        known["won"][rows] = (outcome & batch.STEP_WON) != 0
        if task.with_chances:
            chances = task.shown_chances(task.chances(final))
            known["chances"] = np.zeros((self.num_envs, *chances.shape[1:]))
            known["chances"][rows] = chances
        info: dict[str, Any] = known | {f"_{name}": ended.copy() for name in known}
        observed = np.full(self.num_envs, None, object)
        shown = (
            final.reshape(-1, self._grid.height, self._grid.width)
            if task.observation == "tiles"
            else task.observe(final)
        )
        for row, seen in zip(rows.tolist(), shown, strict=True):
            observed[row] = seen
        return {"final_obs": observed, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    def render(self) -> tuple[Any, ...] | None:
        """Each game's board as `render_mode` says."""
        if not self._was_reset:
            raise ResetNeeded("no game has begun: call reset()")
        boards = (self.task.board(tiles, self._games.status(game)) for game, tiles in enumerate(self._games.tiles))
        if self.render_mode == "ansi":
            return tuple(f"{board}\n" for board in boards)
        return tuple(map(rgb_array, boards)) if self.render_mode == "rgb_array" else None
