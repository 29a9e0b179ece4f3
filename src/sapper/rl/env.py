"""One game at a time, as Gymnasium has environments. The game is the engine's own."""

import sys
from io import BytesIO
from operator import index
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
import resvg_py
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from PIL import Image

from sapper._kernels import batch
from sapper.core.board import Board
from sapper.core.rng import Rng
from sapper.core.status import Status
from sapper.errors import ArgumentError
from sapper.game.game import Game
from sapper.generator.new_game import new_game
from sapper.render.svg import svg
from sapper.rl.task import TaskArguments, checked_render_mode, make_task


def rgb_array(board: Board) -> NDArray[np.uint8]:
    """The picture of a board (`sapper.svg`), height × width × 3, 16 pixels a cell."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg(board, cell_size=16), skip_system_fonts=True)
    with Image.open(BytesIO(bytes(drawn))) as image:
        return np.array(image.convert("RGB"), np.uint8)


class MinesweeperEnv(gymnasium.Env[NDArray[np.uint8], int]):
    """Minesweeper, a reveal at a time.

    Action space: `Discrete(width * height)`: reveal the cell `y * width + x`. Flags are no actions: they change nothing about what can
    be known. A reveal of a revealed cell changes nothing; `info["action_mask"]` says which cells are covered.

    Observation space: `tiles` is `Box(0, 13, (height, width), uint8)`: 0 to 8 a clue, 9 covered, 13 the mine that was struck. `planes` is
    `Box(0, 1, (11, height, width), uint8)`: one plane for each clue 0 to 8, one for covered cells, one for the mine that was struck.
    What is observed, `info` included, does not depend on mines that nobody could know of, neither does it after a loss.

    Rewards: see `Rewards`; by name `win` (1, and -1 for a loss), `progress` (that, 1 over all safe cells, and -0.1 for an illegal step),
    `careful` (that, less the needless risk of each reveal).

    Episode end: terminated when all safe cells are revealed, or a mine is; truncated after `max_steps` steps.

    Starting state: all cells are covered. `reset(seed=S)` begins run S: its games are those of `sapper simulate --seed S`, and
    `new_game(preset, seed=Rng(S).split(number).seed)`; each `reset()` goes on to the next. The layout is drawn at the first reveal.

    Info: `action_mask` (int8, 1 where a reveal is legal, none after the end), `revealed` (safe cells revealed so far), `won`; with
    `chances=True` also `chances`: the exact chance of a mine at every covered cell, -1 at others (float64, height × width). The seed of a
    game is nowhere in it, as it gives the mines away.

    Arguments: `width`, `height`, `mines` (9×9/10); `rules` (a name as `modern`, or `Rules`) and `start` (`any`, `safe`, `open`; None: that of the rules);
    `rewards`, `observation`, `chances`, `max_steps` as above; `render_mode`: `ansi` gives board text, `rgb_array` the picture of
    `sapper.svg`, `human` writes board text to standard output after every step.

    Version history: v1 is the first.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}  # type: ignore[misc]

    def __init__(self, *, render_mode: str | None = None, **task: Unpack[TaskArguments]) -> None:
        self.task = make_task(**task)
        self.render_mode = checked_render_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = self.task.observation_space()
        self.action_space = self.task.action_space()
        self._table = self.task.rewards.table().tolist()
        self._progress = self.task.rewards.progress / self.task.safe_cells
        self._run: Rng | None = None
        self._number = 0
        self._game: Game | None = None
        self._tiles = np.full(self.task.grid.size, 9, np.uint8)
        self._revealed = 0
        self._steps = 0
        self._is_over = True
        self._chances: NDArray[np.float64] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin the next game of the run, or the first of run `seed`. There are no options."""
        super().reset(seed=seed)
        if seed is not None or self._run is None:
            drawn = int(self.np_random.integers(1 << 64, dtype=np.uint64)) if seed is None else seed
            self._run, self._number = Rng(drawn), 0
        else:
            self._number += 1
        self._game = self._new_game(self._run.split(self._number).seed)
        self._tiles[:] = 9
        self._revealed = self._steps = 0
        self._is_over = False
        return self._seen()

    def _new_game(self, seed: int) -> Game:
        return new_game(self.task.preset, seed=seed)

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Reveal a cell. `CellError` for one off the board, `ResetNeeded` after the end."""
        if self._game is None or self._is_over:
            raise ResetNeeded("the game has ended or none has begun: call reset()")
        try:
            cell = self.task.grid.check(index(action))
        except TypeError:
            raise ArgumentError(f"action is an integer, the cell to reveal, not {action!r:.60}") from None
        self._steps += 1
        opened, outcome, risk = 0, 0, 0.0
        if self._tiles[cell] != 9:
            outcome = batch.STEP_ILLEGAL
        else:
            if self._chances is not None:
                at = np.array([cell], np.int64)
                first = np.array([self._revealed == 0])
                risk = float(self.task.needless_risk(self._chances, at, first)[0])
            update = self._game.reveal(cell)
            for start, tiles in update.runs:
                self._tiles[start : start + len(tiles)] = np.frombuffer(tiles, np.uint8)
                opened += len(tiles)
            if update.status is Status.LOST:
                outcome, opened = batch.STEP_LOST, 0
            elif update.status is Status.WON:
                outcome = batch.STEP_WON
            self._revealed += opened
        terminated = outcome in (batch.STEP_LOST, batch.STEP_WON)
        truncated = not terminated and 0 < self.task.max_steps <= self._steps
        self._is_over = terminated or truncated
        reward = self._table[outcome] + opened * self._progress + self.task.rewards.risk * risk
        return (seen := self._seen())[0], reward, terminated, truncated, seen[1]

    def action_masks(self) -> NDArray[np.bool_]:
        """Where a reveal is legal, for learners that ask for it; everywhere where the game has ended and none is."""
        covered: NDArray[np.bool_] = self._tiles == 9
        return np.ones_like(covered) if self._is_over else covered

    def _seen(self) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """The observation and info now; the board is shown, if a human looks."""
        assert self._game is not None
        status = self._game.status
        self._chances = self.task.chances(self._tiles) if self.task.needs_chances else None
        ended = status in (Status.WON, Status.LOST)
        info: dict[str, Any] = {
            "action_mask": np.zeros(self._tiles.size, np.int8) if ended else (self._tiles == 9).astype(np.int8),
            "revealed": self._revealed,
            "won": status is Status.WON,
        }
        if self.task.with_chances and self._chances is not None:
            info["chances"] = self.task.shown_chances(self._chances)[0]
        if self.render_mode == "human":
            sys.stdout.write(f"{self._game.board}\n\n")
        return self.task.observe(self._tiles)[0], info

    def render(self) -> Any:
        """The board as `render_mode` says: text, or an array height × width × 3; `human` has been shown by then."""
        if self._game is None:
            raise ResetNeeded("no game has begun: call reset()")
        if self.render_mode == "ansi":
            return f"{self._game.board}\n"
        return rgb_array(self._game.board) if self.render_mode == "rgb_array" else None
