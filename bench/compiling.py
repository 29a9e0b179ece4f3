"""Bench of compiling: CPU seconds that numba takes for modules of kernels where none are kept.

    python bench/compiling.py
    python bench/compiling.py games_expert
    python bench/compiling.py games_exact games_expert deciding

One process imports the modules in this order with an empty cache, so each counts what those before it have not compiled yet;
without names it is `games_exact`, `games_expert` and `deciding`. numba's own import comes first and is not counted.
"""

import importlib
import os
import sys
import tempfile

MODULES = ["games_exact", "games_expert", "deciding"]


def processor_seconds() -> float:
    times = os.times()
    return times.user + times.system


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SAPPER_CACHE_DIR"] = folder
        importlib.import_module("numba")
        whole = 0.0
        for name in sys.argv[1:] or MODULES:
            before = processor_seconds()
            importlib.import_module(f"sapper._kernels.compiled.{name}")
            taken = processor_seconds() - before
            whole += taken
            print(f"{name:16} {taken:6.1f} s", flush=True)
        print(f"{'together':16} {whole:6.1f} s")


if __name__ == "__main__":
    main()
