"""Many games in the arrays of the stepping kernel, with shapes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper._kernels import batch
from sapper.core.grid import Grid
from sapper.core.rules import Rules
from sapper.core.status import Status
from sapper.generator.search_values import START_NUMBERS

AUTORESET_NEVER = 0
AUTORESET_NEXT_STEP = 1
AUTORESET_SAME_STEP = 2


class GameBatch:
    """Games of one kind, each of a run of its own; `buffers` are as the kernel has them (`StepBuffers`)."""

    def __init__(
        self,
        grid: Grid,
        rules: Rules,
        mine_count: int,
        games: int,
        *,
        autoreset: int,
        limit: int = 0,
        native: bool = True,
    ) -> None:
        """No game is begun. `limit`: steps after which a game is cut off; 0: never."""
        size = grid.size

        def zeros(kind: Any, count: int = games) -> NDArray[Any]:
            return np.zeros(count, kind)

        cells = games * size
        self.buffers = batch.StepBuffers(
            seeds=zeros(np.uint64),
            numbers=zeros(np.int64),
            tiles=zeros(np.uint8, cells),
            mask=zeros(np.uint8, cells),
            final=zeros(np.uint8, cells if autoreset == AUTORESET_SAME_STEP else 0),
            opened=zeros(np.int32),
            outcome=zeros(np.uint8),
            revealed=zeros(np.int32),
            steps=zeros(np.int32),
            clues=zeros(np.uint8, cells),
            stage=zeros(np.uint8),
        )
        opened_by_zero = grid.table if rules.spread == 8 else grid.edge_table
        start = START_NUMBERS[rules.start]
        order = batch.Stepping(*grid.table, *opened_by_zero, mine_count, start, games, autoreset, limit)
        self.stepper = batch.make_stepper(order, self.buffers, native=native)
        self.tiles: NDArray[np.uint8] = self.buffers.tiles.reshape(games, size)
        self.shaped: NDArray[np.uint8] = self.buffers.tiles.reshape(games, grid.height, grid.width)
        self.mask: NDArray[np.int8] = self.buffers.mask.view(np.int8).reshape(games, size)
        self.clues: NDArray[np.uint8] = self.buffers.clues.reshape(games, size)
        """The truth, of games that have begun. Not for players."""
        self.final: NDArray[np.uint8] = self.buffers.final.reshape(-1, size)

    def begin(self, which: NDArray[np.bool_]) -> None:
        """Begin the next game of these runs."""
        self.stepper.begin(which.view(np.uint8))
        self.buffers.outcome[which] = 0

    def over(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.buffers.stage == batch.STAGE_OVER
        return found

    def status(self, game: int) -> Status:
        if not (self.tiles[game] != 9).any():
            return Status.READY
        if (self.tiles[game] == 13).any():
            return Status.LOST
        return Status.WON if self.buffers.outcome[game] & batch.STEP_WON else Status.PLAYING
