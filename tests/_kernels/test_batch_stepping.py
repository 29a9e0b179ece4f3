"""Games stepped together: both backends do the same to the buffer, in every mode."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sapper._kernels import batch
from sapper._kernels.native.stepping import NativeStepper
from sapper._kernels.reference.stepping import AUTORESET_NEVER, AUTORESET_NEXT_STEP, AUTORESET_SAME_STEP
from sapper.core.grid import TORUS, Grid

GAMES = 24
KINDS = {
    "beginner": (Grid(9, 9), 10, 2, 8, 0),
    "dense, cut off": (Grid(5, 4), 8, 2, 8, 3),
    "a row": (Grid(4, 1), 2, 1, 8, 3),
    "any first, over four": (Grid(7, 6), 5, 0, 4, 0),
    "torus": (Grid(6, 6, TORUS), 5, 2, 8, 0),
}


def _games(
    kind: str, mode: int, *, native: bool, first_run: int = 2**64 - GAMES
) -> tuple["batch.NativeStepper | batch.PythonStepper", batch.StepBuffers]:
    grid, mines, start, spread, limit = KINDS[kind]
    cells = GAMES * grid.size

    def counts() -> NDArray[np.int32]:
        return np.zeros(GAMES, np.int32)

    def small(count: int) -> NDArray[np.uint8]:
        return np.zeros(count, np.uint8)

    buffers = batch.StepBuffers(
        np.arange(GAMES, dtype=np.uint64) + np.uint64(first_run),
        np.full(GAMES, -1, np.int64),
        *(small(cells), small(cells), small(cells)),
        *(counts(), small(GAMES), counts(), counts()),
        *(small(cells), small(GAMES)),
    )
    table = grid.table
    opening = table if spread == 8 else grid.edge_table
    order = batch.Stepping(*table, *opening, mines, start, GAMES, mode, limit)
    stepper = batch.make_stepper(order, buffers, native=native)
    assert isinstance(stepper, NativeStepper) is native
    stepper.begin(np.ones(GAMES, np.uint8))
    return stepper, buffers


@pytest.mark.parametrize("mode", [AUTORESET_NEVER, AUTORESET_NEXT_STEP, AUTORESET_SAME_STEP])
@pytest.mark.parametrize("kind", KINDS)
def test_both_backends_do_the_same_to_every_buffer(kind: str, mode: int) -> None:
    rng = np.random.default_rng(5)
    quick, one = _games(kind, mode, native=True)
    plain, other = _games(kind, mode, native=False)
    seen = 0
    for step in range(50):
        actions = rng.integers(0, KINDS[kind][0].size, GAMES)
        quick.step(actions)
        plain.step(actions)
        if mode == AUTORESET_NEVER and step % 10 == 9:
            over = (one.stage == batch.STAGE_OVER).astype(np.uint8)
            quick.begin(over)
            plain.begin(over)
        laid = np.repeat(one.stage, KINDS[kind][0].size) != 0
        for name, mine, theirs in zip(one._fields, one, other, strict=True):
            if name == "clues":
                assert (mine[laid] == theirs[laid]).all()
            else:
                assert (mine == theirs).all(), (name, step)
        seen |= int(np.bitwise_or.reduce(one.outcome))
    assert seen & batch.STEP_LOST
    assert seen & batch.STEP_ILLEGAL
    assert bool(seen & batch.STEP_RESET) == (mode == AUTORESET_NEXT_STEP)
    assert bool(seen & batch.STEP_TRUNCATED) == bool(KINDS[kind][4])
    assert (one.numbers > 0).any()


def test_games_are_won_too() -> None:
    stepper, buffers = _games("beginner", AUTORESET_NEVER, native=True)
    stepper.step(np.full(GAMES, 20))
    size = 81
    for cell in range(size):
        safe = buffers.clues.reshape(GAMES, size)[:, cell] < 9
        covered = buffers.tiles.reshape(GAMES, size)[:, cell] == 9
        first_safe = np.argmax(buffers.clues.reshape(GAMES, size) < 9, axis=1)
        stepper.step(np.where(safe & covered, cell, first_safe))
    assert (buffers.stage == batch.STAGE_OVER).all()
    assert (buffers.revealed == 71).all()
    assert not buffers.mask.any()


def test_what_is_out_of_range_is_refused_before_anything_happens() -> None:
    stepper, buffers = _games("beginner", AUTORESET_NEVER, native=True)
    for wrong in (-1, 81, 2**40):
        actions = np.zeros(GAMES, np.int64)
        actions[-1] = wrong
        with pytest.raises(ValueError, match="out of its range"):
            stepper.step(actions)
    for short in (np.zeros(GAMES - 1, np.int64), np.zeros(GAMES, np.int32)):
        with pytest.raises(ValueError, match="one item of 8 bytes for each of 24 games"):
            stepper.step(short)
    assert not buffers.stage.any()
    with pytest.raises(ValueError, match="the buffer tiles has 80 bytes, not 81"):
        NativeStepper(
            batch.Stepping(*Grid(9, 9).table, *Grid(9, 9).table, 10, 2, 1, 0, 0),
            batch.StepBuffers(*(np.zeros(1, np.uint64), np.zeros(1, np.int64), np.zeros(80, np.uint8), *([b""] * 8))),
        )
