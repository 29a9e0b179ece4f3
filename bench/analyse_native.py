"""Exact chances of a mine in every covered cell: the native library against ms-toollib, in one run.

    python bench/analyse_native.py [--slow]

Boards are those of tests/data/census. CPU time of one core, mean a board: `sapper.analyse`, a board a call, from Python;
the library, many boards a call, over rows of bits and over a neighbour table; the best of several passes; ms-toollib once. It
takes a second and a half for a scattered frontier, and does not end on some lattices: those are left
out, the others are run with --slow only. Big boards are drawn here from a fixed seed.
"""

import argparse
import json
import time
from array import array
from collections.abc import Callable
from pathlib import Path

from sapper._kernels.native.analysis import Neighbours, analyse_many, analyse_one, analyser
from sapper._kernels.reference.analysis import DEFAULT_CAP
from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.solver.analysis import analyse

CENSUS = Path(__file__).parent.parent / "tests" / "data" / "census"
QUICK = ("intermediate", "expert", "expert-stuck", "hard-30x24-158", "hard-50x50-500")
SLOW = ("hard-50x50-550", "scatter-30x24", "lattice-3", "lattice-4", "lattice-5")
ALONE = ("lattice-6", "lattice-7", "lattice-8", "lattice-9")
PASSES = 7


def boards_of(file: str) -> tuple[list[list[str]], int, int, list[int]]:
    entries = [json.loads(line) for line in (CENSUS / f"{file}.jsonl").read_text("ascii").splitlines()]
    return [e["rows"] for e in entries], entries[0]["width"], entries[0]["height"], [e["mines"] for e in entries]


def best_of(passes: int, boards: int, work: Callable[[], object]) -> float:
    """CPU seconds a board, in the best of some passes; loading comes before."""
    work()
    best = float("inf")
    for _ in range(passes):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best / boards


def batch(tiles: list[bytes], mines: list[int], width: int, height: int, table: Neighbours | None) -> float:
    """CPU seconds a board where many are analysed in a call, without making Python's objects of the answers."""
    found = list(analyse_many(tiles, width, height, table, mines, False, DEFAULT_CAP))
    assert all(one is not None and one.fault is None for one in found)
    library, joined, counts = analyser(width, height, table), b"".join(tiles), array("i", mines)
    return best_of(PASSES, len(tiles), lambda: library.analyse(joined, counts, trust_flags=False, cap=DEFAULT_CAP))


def peer(rows: list[list[str]], mines: list[int]) -> float:
    """CPU seconds a board of ms-toollib."""
    import ms_toollib

    codes = {"#": 10, ".": 0}
    given = [[[codes[s] if s in codes else int(s) for s in line] for line in board] for board in rows]
    begin = time.process_time()
    for board, count in zip(given, mines, strict=True):
        ms_toollib.cal_probability_onboard(board, count)
    return (time.process_time() - begin) / len(rows)


def against_peer(file: str, *, alone: bool) -> None:
    rows, width, height, counts = boards_of(file)
    codes = {"#": 9, ".": 0}
    tiles = [bytes(codes[s] if s in codes else int(s) for line in b for s in line) for b in rows]
    grid = Grid(width, height)
    boards = [
        Board(grid=grid, rules=RULES["modern"], mine_count=count, tiles=one, status=Status.PLAYING)
        for one, count in zip(tiles, counts, strict=True)
    ]
    single = best_of(PASSES, len(boards), lambda: [analyse(board) for board in boards])
    ours = batch(tiles, counts, width, height, None)
    over_table = batch(tiles, counts, width, height, grid.table)
    line = f"{file:16} {single * 1e6:10.1f} us {ours * 1e6:10.1f} us {over_table * 1e6:10.1f} us"
    if not alone:
        theirs = peer(rows, counts)
        line += f" {theirs * 1e6:12.1f} us {theirs / single:8.0f} x {theirs / ours:8.0f} x"
    print(line, flush=True)


def lattice(size: int) -> None:
    """Clues two apart, nothing between them: the frontier that has the most states."""
    width = 2 * size + 1
    rng = Rng(size)
    grid = Grid(width, width)
    clues = {(2 * y + 1) * width + 2 * x + 1 for y in range(size) for x in range(size)}
    others = [cell for cell in range(grid.size) if cell not in clues]
    mined = {others[at] for at in rng.sample(len(others), len(others) // 4)}
    tiles = bytes(sum(n in mined for n in grid.neighbours(c)) if c in clues else 9 for c in range(grid.size))
    report(f"lattice {size}x{size}", tiles, width, width, len(mined))


def mid_game(width: int, height: int, mine_count: int, opened: int) -> None:
    """A big board with many openings: safe cells revealed at random, zeros cascading."""
    rng = Rng(width)
    grid = Grid(width, height)
    mined = set(rng.sample(grid.size, mine_count))
    tiles = bytearray([9]) * grid.size
    for first in list(rng.sample(grid.size, opened) - mined):
        stack = [first]
        while stack:
            cell = stack.pop()
            if tiles[cell] == 9:
                tiles[cell] = sum(n in mined for n in grid.neighbours(cell))
                if tiles[cell] == 0:
                    stack += grid.neighbours(cell)
    report(f"{width}x{height}/{mine_count}, {opened} opened", bytes(tiles), width, height, mine_count)


def report(name: str, tiles: bytes, width: int, height: int, mine_count: int) -> None:
    begin = time.process_time()
    found = analyse_one(tiles, width, height, None, mine_count, False, DEFAULT_CAP)
    first = time.process_time() - begin
    if found is None:
        print(f"{name:32} given up after {first * 1e3:9.2f} ms", flush=True)
        return
    again = best_of(1, 1, lambda: analyse_one(tiles, width, height, None, mine_count, False, DEFAULT_CAP))
    print(f"{name:32} {first * 1e3:9.2f} ms first, {again * 1e3:9.2f} ms again, {found.states} states", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", action="store_true")
    slow = parser.parse_args().slow
    print(f"{'boards':16} {'one a call':>13} {'rows':>13} {'table':>13} {'ms-toollib':>15} {'ratio':>10} {'ratio':>10}")
    for file in (*QUICK, *(SLOW if slow else ())):
        against_peer(file, alone=False)
    for file in ALONE:
        against_peer(file, alone=True)
    for size in (8, 9, 10):
        lattice(size)
    mid_game(100, 100, 2000, 1500)
    mid_game(100, 100, 2000, 4000)
    mid_game(300, 300, 16000, 5000)
    mid_game(300, 300, 16000, 20000)


if __name__ == "__main__":
    main()
