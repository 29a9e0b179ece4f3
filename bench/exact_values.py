"""The table of exact values: `src/sapper/dataset/exact_values.csv`.

    python bench/exact_values.py --resume FILE [--seconds 3600] [--boards 4x4,5x5/1-6]
    python bench/exact_values.py --table FILE > src/sapper/dataset/exact_values.csv
    python bench/exact_values.py --check [--seconds 600] [--boards 4x4]
    python bench/exact_values.py --check-sets [--boards 5x4]

`--resume` works out what FILE does not have yet, the least boards first, and adds a line for each value and each board's CPU
seconds; a run that was stopped goes on there. `--table` prints FILE's values in order, with the heading and the licence.
`--check` plays the boards of the table by `exact_play`, which shares no code with the search, `--check-sets` searches them with
the endgame kernel; each says how many values agree, and which were too large for the time that each board gets.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from math import comb
from pathlib import Path

from exact_play import TimeUpError, play

from sapper._kernels.native.endgames import solve_board
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.dataset.exact_value import COLUMNS, read_values, table
from sapper.solver.whole_game import ExactValue, WholeGame

Board = tuple[int, int, int]
BOARDS = "2x1,3x1,4x1,2x2,3x2,4x2,3x3,4x3,4x4,5x3,5x4,6x3,7x3,6x5/1-4,6x6/3-5,8x8/2-3,5x5"
LICENCE = """\
# Exact chances to win Minesweeper by best play, from sapper (docs/exact-values.md says what they are and how they were checked).
# Copyright (c) 2026 the sapper authors. MIT License.
"""
ALL_SETS = 1 << 62


def boards_of(text: str) -> list[Board]:
    """Boards in words, those with the fewest layouts first."""
    found = []
    for word in text.split(","):
        size, _, mines = word.partition("/")
        width, height = map(int, size.split("x"))
        low, _, high = (mines or f"1-{width * height - 1}").partition("-")
        found += [(width, height, count) for count in range(int(low), int(high or low) + 1)]
    return sorted(found, key=lambda one: (comb(one[0] * one[1], one[2]), one))


def work_out(path: Path, boards: list[Board], seconds: float) -> None:
    """Add to the file what it lacks, until so many CPU seconds have passed at the end of a board."""
    done = {(one.width, one.height, one.mines) for one in read_values(path)} if path.exists() else set()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(COLUMNS)
        for width, height, mines in boards:
            if (width, height, mines) in done:
                continue
            if time.process_time() > seconds:
                print(f"{width}x{height}/{mines} and larger: no time left", flush=True)
                return
            begun = time.process_time()
            game = WholeGame(Grid(width, height), mines, ALL_SETS)
            values = [game.value(start) for start in Start]
            sets = game.sets
            game.close()
            writer.writerows(row_of(one) for one in values)
            file.write(f"# {width}x{height}/{mines}: {sets} sets, {time.process_time() - begun:.2f} s\n")
            file.flush()


def row_of(value: ExactValue) -> tuple[int | str, ...]:
    """A value as a row of the table."""
    grid = Grid(value.width, value.height)
    names = " ".join(cell_name(grid, Cell(cell)) for cell in value.best)
    return (
        value.width,
        value.height,
        value.mines,
        value.start.value,
        value.layouts,
        value.wins,
        f"{float(value.win):.9f}",
        names,
    )


def write_table(path: Path) -> None:
    """Print the table."""
    sys.stdout.write(LICENCE)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    order = list(Start)
    for one in sorted(
        read_values(path), key=lambda one: (one.width * one.height, one.width, one.mines, order.index(one.start))
    ):
        writer.writerow(row_of(one))


def by_play(value: ExactValue, seconds: float) -> bool | None:
    """Whether play finds the same; None where it takes too long."""
    try:
        wins, layouts, best = play(value.width, value.height, value.mines, value.start.value, seconds)
    except TimeUpError:
        return None
    return (wins * value.layouts, best) == (value.wins * layouts, list(value.best))


def by_sets(value: ExactValue, _: float) -> bool | None:
    """Whether the endgame kernel finds the same number of layouts won after the first of the best cells, of those that are allowed."""
    grid, first = Grid(value.width, value.height), value.best[0]
    free = {first, *grid.neighbours(first)}
    is_open = value.start is Start.OPEN and comb(grid.size - len(free), value.mines) == value.layouts
    marks = bytearray(grid.size)
    if value.start is not Start.ANY:
        for cell in free if is_open else [first]:
            marks[cell] = 1
    found = solve_board(
        *grid.table, bytes([9]) * grid.size, bytes(marks), value.mines, value.layouts, 1 << 40, every=False
    )
    return found is not None and found.is_done and max(found.low) == value.wins


def check(boards: list[Board], seconds: float, *, sets: bool) -> Iterator[str]:
    """Compare the table with another search, board by board."""
    counts = {True: 0, False: 0, None: 0}
    for width, height, mines in boards:
        for start in Start:
            value = table().get((width, height, mines, start))
            if value is not None:
                is_same = (by_sets if sets else by_play)(value, seconds)
                counts[is_same] += 1
                if not is_same:
                    yield f"{width}x{height}/{mines} {start.value}: {'too large' if is_same is None else 'DIFFERENT'}"
    yield f"{counts[True]} values agree, {counts[False]} differ, {counts[None]} were too large"


def main() -> None:
    """Read the arguments and do one of the four."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--check-sets", action="store_true")
    parser.add_argument("--boards", default=BOARDS)
    parser.add_argument("--seconds", type=float, default=3600)
    chosen = parser.parse_args()
    boards = boards_of(chosen.boards)
    if chosen.resume:
        work_out(chosen.resume, boards, chosen.seconds)
    elif chosen.table:
        write_table(chosen.table)
    elif chosen.check or chosen.check_sets:
        for line in check(boards, chosen.seconds, sets=chosen.check_sets):
            print(line, flush=True)
    else:
        parser.error("one of --resume, --table, --check and --check-sets")


if __name__ == "__main__":
    main()
