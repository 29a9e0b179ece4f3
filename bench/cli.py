"""Bench of the command line: whole processes, from the start of Python to the last character.

    python bench/cli.py
    python bench/cli.py --rounds 31

`sapper analyse` and `sapper hint` get an Expert board of tests/data/census as people do: colours and table included, or
JSON. Beside them stand an empty Python and `import sapper`, in turns, round by round; what is printed is the median and
the least of each, in milliseconds, of the clock and of the processor. On a machine with other work to do only the
processor's time says something.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from spread import spread

CENSUS = Path(__file__).parent.parent / "tests" / "data" / "census" / "expert-stuck.jsonl"

# Colours are for terminals only; this is one as far as the program can tell.
_COLOURED = """
import sys
from sapper.cli.main import main
sys.stdout.isatty = lambda: True
sys.exit(main(sys.argv[1:]))
"""


def board_file(folder: str) -> str:
    entry = json.loads(CENSUS.read_text(encoding="ascii").splitlines()[0])
    path = Path(folder) / "expert.txt"
    path.write_text("\n".join([f"30x16/{entry['mines']}", *entry["rows"]]) + "\n", encoding="ascii")
    return str(path)


def commands(board: str) -> dict[str, list[str]]:
    python = [sys.executable]
    return {
        "python -c pass": [*python, "-c", "pass"],
        "import sapper": [*python, "-c", "import sapper"],
        "sapper --help": [*python, "-m", "sapper", "--help"],
        "sapper analyse, colours": [*python, "-c", _COLOURED, "analyse", board],
        "sapper analyse --json": [*python, "-m", "sapper", "analyse", "--json", board],
        "sapper hint": [*python, "-m", "sapper", "hint", board],
    }


def run(words: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds of the clock and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True, env=environment)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm-256color"}
    with tempfile.TemporaryDirectory() as folder:
        table = commands(board_file(folder))
        spent: dict[str, list[tuple[float, float]]] = {name: [] for name in table}
        for words in table.values():
            run(words, environment)  # in the cache of the disk
        for _ in range(rounds):
            for name, words in table.items():
                spent[name].append(run(words, environment))
    print(f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores, {rounds} rounds")
    print(f"{'milliseconds':28} {'clock':>20}  {'processor':>20}")
    for name, seconds in spent.items():
        columns = [f"{spread([1000 * one for one in times], 0):>20}" for times in zip(*seconds, strict=True)]
        print(f"{name:28} {'  '.join(columns)}")


if __name__ == "__main__":
    main()
