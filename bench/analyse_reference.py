"""Bench of the exact analysis in plain Python, beside ms-toollib (Rust), on the boards of tests/data/census.

    python bench/analyse_reference.py                        # expert and expert-stuck
    python bench/analyse_reference.py scatter-30x24 lattice-8 --rounds 1 --no-peer

Both get the same boards in the same process, in turns, round by round, on one core; what is printed
is the mean time a board of the quickest round of each, and its ratio. sapper forgets the components it
remembers before every board (`--warm` leaves them). Every answer of sapper is checked against the file,
the peer's likewise, to 1e-9. The peer is https://github.com/eee555/ms_toollib, `pip install ms-toollib`;
without it sapper's own figures are printed alone. It aborts the interpreter on boards it cannot take: the
census boards are none of those, but some scattered and lattice frontiers take it minutes.
"""

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spread import spread

from sapper._kernels.reference.analysis import Analysed, analyse_plane
from sapper._kernels.reference.count import forget

CENSUS = Path(__file__).parent.parent / "tests" / "data" / "census"
Entry = dict[str, Any]
Solver = Callable[[Entry], Any]


def load(name: str) -> list[Entry]:
    """The boards of one census file, with the input of both solvers made beforehand."""
    entries = []
    for line in (CENSUS / f"{name}.jsonl").read_text(encoding="ascii").splitlines():
        entry = json.loads(line)
        rows = [[9 if symbol == "#" else int(symbol.replace(".", "0")) for symbol in row] for row in entry["rows"]]
        entry["tiles"] = bytes(tile for row in rows for tile in row)
        entry["peer"] = [[10 if tile == 9 else tile for tile in row] for row in rows]
        entries.append(entry)
    return entries


def sapper_solver(entry: Entry) -> Analysed:
    return analyse_plane(entry["tiles"], entry["width"], entry["height"], entry["mines"])


def peer_solver() -> Solver | None:
    try:
        import ms_toollib
    except ImportError:
        return None

    def solve(entry: Entry) -> Any:
        return ms_toollib.cal_probability_onboard(entry["peer"], entry["mines"])

    return solve


def check_sapper(entry: Entry, found: Analysed) -> None:
    chances = dict.fromkeys(found.safe, 0.0) | dict.fromkeys(found.mined, 1.0)
    chances |= {cell: group.numerator / found.census for group in found.groups for cell in group.cells}
    assert str(found.census) == entry["census"]
    assert [chances[cell] for cell in sorted(chances)] == entry["mine"]


def check_peer(entry: Entry, found: Any) -> None:
    chances = [
        chance
        for row, symbols in zip(found[0], entry["rows"], strict=True)
        for chance, symbol in zip(row, symbols, strict=True)
        if symbol == "#"
    ]
    assert all(abs(a - b) < 1e-9 for a, b in zip(chances, entry["mine"], strict=True))


def seconds(solver: Solver, entries: list[Entry], before: Callable[[], None] | None) -> float:
    """Processor time of one round."""
    spent = 0.0
    for entry in entries:
        if before:
            before()
        started = time.process_time()
        solver(entry)
        spent += time.process_time() - started
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = sorted(path.stem for path in CENSUS.glob("*.jsonl"))
    parser.add_argument("files", nargs="*", metavar="FILE", help=f"default: expert expert-stuck; of {', '.join(names)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm", action="store_true", help="keep the components remembered from board to board")
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.files) - set(names):
        parser.error(f"no census file {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    peer = None if options.no_peer else peer_solver()
    print(
        f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}, one core, ms a board"
    )
    print(f"{'boards':16}{'number':>8}{'sapper':>10}{'ms-toollib':>12}    times as fast")
    for name in options.files or ["expert", "expert-stuck"]:
        entries = load(name)
        for entry in entries:
            check_sapper(entry, sapper_solver(entry))
            if peer:
                check_peer(entry, peer(entry))
        own, others = [], []
        for _ in range(options.rounds):
            own.append(seconds(sapper_solver, entries, None if options.warm else forget))
            if peer:
                others.append(seconds(peer, entries, None))
        mine = min(own) / len(entries) * 1000
        line = f"{name:16}{len(entries):8}{mine:10.3f}"
        if others:
            theirs = min(others) / len(entries) * 1000
            ratios = [peer_round / round_ for peer_round, round_ in zip(others, own, strict=True)]
            line += f"{theirs:12.3f}    {spread(ratios, 2)}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
