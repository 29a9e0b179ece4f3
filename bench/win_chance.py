"""How long `sapper.win_chance` takes on stuck Expert boards, and on Expert's first positions, and how far off its estimates are.

    python bench/win_chance.py [--boards 40]

The stuck boards are those of tests/data/census, the first positions a board with one revealed cell, one for each number that the
corner can show. CPU milliseconds of one core; what is loaded on first use is not counted.
Estimates of stuck boards are compared with 1,000 playouts of the best guess by `best-reply` (a standard error of about a point).
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import sapper
from sapper._kernels import batch
from sapper._kernels.native.deciding import Decider

STUCK = Path(__file__).parent.parent / "tests" / "data" / "census" / "expert-stuck.jsonl"
PLAYOUTS = 1_000


def first_positions() -> list[sapper.Board]:
    rest = "\n".join(["#" * 30] * 15)
    return [sapper.read_board(f"30x16/99\n{clue}{'#' * 29}\n{rest}\n") for clue in (1, 2, 3)]


def took(board: sapper.Board) -> float:
    began = time.process_time()
    sapper.win_chance(board)
    return 1_000 * (time.process_time() - began)


def errors(boards: list[sapper.Board]) -> list[float]:
    """The estimate less the mean of playouts, in points, where the chance is not exact."""
    decider = Decider(*boards[0].grid.table, boards[0].grid.width, batch.BEST_REPLY._replace(playouts=100 * PLAYOUTS))
    found = []
    for board in boards:
        chance = sapper.win_chance(board)
        if chance.exact is None and chance.win is not None:
            guess = decider.begin(board.tiles, board.mine_count)
            played = decider.win(board.tiles, board.mine_count, guess, PLAYOUTS)
            if played is not None:
                found.append(100 * (chance.win - played))
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
    off = errors(stuck)
    print(
        f"{len(off)} estimates less playouts: {statistics.mean(off):+.1f} points, standard deviation {statistics.stdev(off):.1f}, "
        f"from {min(off):+.1f} to {max(off):+.1f}"
    )


if __name__ == "__main__":
    main()
