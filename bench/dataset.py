"""Positions a second that `sapper dataset` draws and writes, on one core.

    python bench/dataset.py [--positions 20000] [--rounds 3]

CPU seconds of this process: drawing, exact chances, best moves and the Parquet file; the median of the rounds, and the worst and the best.
"""

import argparse
import tempfile
import time
from pathlib import Path

from spread import spread

from sapper.core.preset import find_preset
from sapper.dataset.drawing import DrawingOrder, draw
from sapper.dataset.tables import open_positions


def rate(preset: str, positions: int, kind: str, seed: int) -> tuple[float, float]:
    """Positions a CPU second; bytes a position."""
    order = DrawingOrder(preset=find_preset(preset), seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        name = f"positions.{kind}"
        began = time.process_time()
        with open_positions(Path(folder), name, kind, size=order.preset.grid.size, with_win=False, about={}) as file:
            for some in draw(order, positions):
                file.add(some)
        return positions / (time.process_time() - began), (Path(folder) / name).stat().st_size / positions


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rate("expert", 300, "parquet", 1)
    for preset in ("expert", "intermediate", "beginner"):
        for kind in ("parquet", "npz", "csv", "jsonl") if preset == "expert" else ("parquet",):
            rates, sizes = zip(
                *(rate(preset, options.positions, kind, seed) for seed in range(options.rounds)), strict=True
            )
            print(f"{preset:12} {kind:8} {spread(rates, 0)} positions a CPU second, {sizes[0]:,.0f} bytes each")


if __name__ == "__main__":
    main()
