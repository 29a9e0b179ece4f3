"""How long `sapper.win_chance` takes on stuck Expert boards, and on Expert's first positions.

    python bench/win_chance.py [--boards 40]

The stuck boards are those of tests/data/census, the first positions a board with one revealed cell, one for each number that the
corner can show. CPU milliseconds of one core; what is loaded on first use is not counted.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import sapper

STUCK = Path(__file__).parent.parent / "tests" / "data" / "census" / "expert-stuck.jsonl"


def first_positions() -> list[sapper.Board]:
    rest = "\n".join(["#" * 30] * 15)
    return [sapper.read_board(f"30x16/99\n{clue}{'#' * 29}\n{rest}\n") for clue in (1, 2, 3)]


def took(board: sapper.Board) -> float:
    began = time.process_time()
    sapper.win_chance(board)
    return 1_000 * (time.process_time() - began)


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


if __name__ == "__main__":
    main()
