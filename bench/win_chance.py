"""How long `sapper.win_chance` takes on stuck Expert boards, and on Expert's first positions, and how far off it is.

    python bench/win_chance.py [--boards 40]

The stuck boards are those of tests/data/census, the first positions a board with one revealed cell, one for each number that the
corner can show. CPU milliseconds of one core; what is loaded on first use is not counted.
Boards that are not exact are compared with 2,000 playouts of the same reveal on other layouts (a standard error of about 0.7 points).
"""

import argparse
import json
import math
import statistics
import time
from pathlib import Path

import sapper
from sapper._kernels import batch
from sapper._kernels.native.deciding import Decider

STUCK = Path(__file__).parent.parent / "tests" / "data" / "census" / "expert-stuck.jsonl"
PLAYOUTS = 2_000


def first_positions() -> list[sapper.Board]:
    rest = "\n".join(["#" * 30] * 15)
    return [sapper.read_board(f"30x16/99\n{clue}{'#' * 29}\n{rest}\n") for clue in (1, 2, 3)]


def took(board: sapper.Board) -> float:
    began = time.process_time()
    sapper.win_chance(board)
    return 1_000 * (time.process_time() - began)


def errors(boards: list[sapper.Board]) -> list[tuple[float, float]]:
    """The chance less the mean of fresh playouts, in points and in standard errors of both, where it is not exact."""
    grid = boards[0].grid
    decider = Decider(*grid.table, grid.width, batch.BEST_REPLY._replace(playouts=100 * PLAYOUTS))
    found = []
    for board in boards:
        chance = sapper.win_chance(board)
        if chance.win_error is None or chance.win is None or chance.best is None:
            continue
        decider.compare(board.tiles, board.mine_count, [chance.best.cell])
        decider.draw_others()
        decider.play(PLAYOUTS)
        decider.weigh()
        cell = chance.best.cell
        played, error = decider.wins()[cell], decider.errors()[cell]
        found.append((100 * (chance.win - played), (chance.win - played) / math.hypot(error, chance.win_error)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=40)
    options = parser.parse_args()
    lines = STUCK.read_text(encoding="utf-8").splitlines()[: options.boards]
    stuck = [sapper.read_board("\n".join(["30x16/99", *json.loads(line)["rows"], ""])) for line in lines]
    for name, boards in (("stuck Expert boards", stuck), ("Expert's first positions", first_positions())):
        took(boards[0])
        times = sorted(map(took, boards))
        print(f"{name}: {len(times)} boards, median {statistics.median(times):.1f} ms, slowest {times[-1]:.1f} ms")
    found = errors(stuck)
    off = [points for points, _ in found]
    print(
        f"{len(off)} chances less fresh playouts: {statistics.mean(off):+.1f} points, standard deviation {statistics.stdev(off):.1f}, "
        f"from {min(off):+.1f} to {max(off):+.1f}; in standard errors {statistics.mean(one for _, one in found):+.2f} and "
        f"{statistics.stdev(one for _, one in found):.2f}"
    )


if __name__ == "__main__":
    main()
