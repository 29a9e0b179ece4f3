"""Bench of the numbers of layouts beside ms-toollib: 3BV, greedy and human ZiNi of Expert layouts.

    python bench/metrics.py [--layouts N] [--rounds N]

Both get the same layouts, drawn from a seed; each round measures them in turn and prints layouts a CPU second. Ours
are measured in one call by the native library (3BV, openings and islands; then those and both forms of ZiNi), the
peer's one at a time, which is all that it offers. What to quote is the last line of each: the median of the
rounds' ratios, and the worst and the best.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

from spread import spread

from sapper import Grid, Rng, _kernels, place_mines
from sapper._kernels.batch import Measured, measure_many


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds that something takes."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> None:
    """Read the command line, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    import ms_toollib

    grid = Grid(30, 16)
    layouts = [place_mines(grid, 99, Rng(seed)) for seed in range(options.layouts)]
    maps = b"".join(_kernels.mine_map(grid.size, layout.mines) for layout in layouts)
    boards = [
        [
            [-1 if clue == _kernels.MINE_CLUE else clue for clue in layout.clues[begin : begin + 30]]
            for begin in range(0, 480, 30)
        ]
        for layout in layouts
    ]

    def ours(with_zini: bool) -> list[Measured]:
        return measure_many(*grid.table, grid.width, maps, plane=True, with_zini=with_zini)

    rows = ours(True)  # loads, or compiles, the kernels
    cal_zini: Any = ms_toollib.cal_zini  # its stub asks for an argument that it does not need
    cal_hzini: Any = ms_toollib.cal_hzini
    theirs = [(ms_toollib.cal_bbbv(board), cal_zini(board), cal_hzini(board)) for board in boards]
    assert theirs == [(row.bbbv, row.zini, row.human_zini) for row in rows], "the two disagree"
    ratios: dict[str, list[float]] = {"3BV": [], "ZiNi, both forms": []}
    for _ in range(options.rounds):
        peer_bbbv = seconds(lambda: [ms_toollib.cal_bbbv(board) for board in boards])
        peer_zini = seconds(lambda: [(cal_zini(board), cal_hzini(board)) for board in boards])
        for name, peer, mine in (
            ("3BV", peer_bbbv, seconds(lambda: ours(False))),
            ("ZiNi, both forms", peer_zini, seconds(lambda: ours(True))),
        ):
            ratios[name].append(peer / mine)
            print(
                f"{name:17} sapper {options.layouts / mine:10,.0f} a CPU second, "
                f"ms-toollib {options.layouts / peer:8,.0f}: {peer / mine:.1f} times as fast"
            )
    for name, found in ratios.items():
        print(f"{name:17} times as fast: {spread(found)}")


if __name__ == "__main__":
    main()
