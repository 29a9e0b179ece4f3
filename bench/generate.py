"""Bench of the generator beside ms-toollib (Rust): uniform Expert layouts, and Expert layouts that need no guess.

    python bench/generate.py                    # everything, some minutes
    python bench/generate.py uniform no-guess   # beside the peer
    python bench/generate.py command            # `sapper generate --no-guess --preset expert --count 100`, as it is typed
    python bench/generate.py dense              # what rejection and repair take on dense boards
    python bench/generate.py densest            # packing beside the peer's adjusting generator, where repair finds nothing
    python bench/generate.py bias               # 3BV, openings and difficulty by method

Both sides take turns in one process, on one core; rates are layouts a CPU second of the quickest round of each, and
the ratio is that of the two. sapper's layouts come from a seed, and its layouts without guesses with their certificates,
unless it says otherwise. The peer is https://github.com/eee555/ms_toollib, `pip install ms-toollib`.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from spread import spread

from sapper import Start
from sapper._kernels import batch, values_of
from sapper._kernels.reference.search import EXACT, Search, Wanted
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.errors import LayoutNotFoundError
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec, Method
from sapper.generator.search_values import Budget, SearchStats, field_of

EXPERT = LayoutSpec(grid=Grid(30, 16), mine_count=99, start=Start.OPEN, first=Cell(93), no_guess=True)
Side = Callable[[int], int]
"""Makes some layouts, given the number of the round; how many were made."""


def race(title: str, ours: Side, peer: Side | None, rounds: int) -> None:
    rates: dict[str, list[float]] = {"sapper": [], "ms-toollib": []}
    for number in range(rounds):
        for name, side in (("sapper", ours), ("ms-toollib", peer)):
            if side is not None:
                start = time.process_time()
                made = side(number)
                rates[name].append(made / (time.process_time() - start))
    print(f"{title}: sapper {spread(rates['sapper'], 0)} a CPU second", end="")
    if rates["ms-toollib"]:
        ratios = [mine / theirs for mine, theirs in zip(rates["sapper"], rates["ms-toollib"], strict=True)]
        print(f", ms-toollib {spread(rates['ms-toollib'], 0)}, times as fast: {spread(ratios)}", end="")
    print()


def peer_side(name: str, count: int) -> Side | None:
    try:
        import ms_toollib
    except ImportError:
        return None
    lay = getattr(ms_toollib, name)

    def side(_: int) -> int:
        for _one in range(count):
            lay(16, 30, 99, 3, 3)
        return count

    return side


def uniform(rounds: int) -> None:
    def ours(number: int) -> int:
        batch.draw_many(field_of(EXPERT.grid), 99, 2, 93, number, 0, 20_000)
        return 20_000

    ours(0)
    race("uniform Expert, start open", ours, peer_side("laymine_op", 3000), rounds)


def no_guess(rounds: int) -> None:
    order = Search(field_of(EXPERT.grid), 99, 2, 93, EXACT, Wanted(), 0)

    def bare(number: int) -> int:
        searcher = batch.searcher(order._replace(seed=number))
        made = at = 0
        while at < 600:
            searched = searcher.search(at, 600 - at)
            at += searched.tried
            made += searched.found >= 0
        return made

    def proven(number: int) -> int:
        for one in range(60):
            generate_layout(EXPERT, 1000 * number + one)
        return 60

    bare(0)
    peer = peer_side("laymine_solvable", 40)
    race("no-guess Expert, start open, layouts alone", bare, peer, rounds)
    race("no-guess Expert, start open, each with its proof", proven, peer, rounds)


def command() -> None:
    words = ["generate", "--no-guess", "--preset", "expert", "--count", "100", "--seed", "1", "--format", "list"]
    for _ in range(3):
        start, before = time.perf_counter(), os.times()
        subprocess.run([sys.executable, "-m", "sapper", *words], check=True, capture_output=True)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        print(f"sapper {' '.join(words)}: {time.perf_counter() - start:.1f} s, {spent:.1f} s CPU")


DENSE = [(30, 16, 99), (30, 20, 130), (30, 16, 130), (50, 50, 500), (30, 16, 150)]


def dense(games: int) -> None:
    for width, height, mines in DENSE:
        grid = Grid(width, height)
        for method in (Method.REJECTION, Method.REPAIR):
            spec = replace(EXPERT, grid=grid, mine_count=mines, first=grid.cell(3, 3), method=method)
            stats, found, start = SearchStats(), 0, time.process_time()
            for seed in range(games):
                end = time.process_time() + 10
                try:
                    budget = Budget(go_on=lambda end=end: time.process_time() < end)  # type: ignore[misc]
                    generate_layout(spec, seed, budget=budget, stats=stats)
                    found += 1
                except LayoutNotFoundError:
                    pass
            spent = time.process_time() - start
            each = (
                f"{stats.tried / found:,.0f} tries and {spent / found:.2f} s CPU each"
                if found
                else f"{stats.tried:,} tries"
            )
            print(f"{width}x{height}/{mines} {method.value}: {found} of {games} found, {each}")


DENSEST = [(16, 16, 150), (30, 16, 240)]


def densest(games: int) -> None:
    """Packing and the peer's adjusting generator in turn: how often each finds a board, its CPU time, how packed the mines are."""
    try:
        from ms_toollib import laymine_solvable_adjust
    except ImportError:
        laymine_solvable_adjust = None
    for width, height, mines in DENSEST:
        grid = Grid(width, height)
        first = grid.cell(3, 3) if width >= 30 else grid.cell(2, 2)
        spec = replace(EXPERT, grid=grid, mine_count=mines, first=first, method=Method.PACK)
        generate_layout(spec, 0)
        spent = {"sapper": 0.0, "ms-toollib": 0.0}
        made: dict[str, list[set[int]]] = {"sapper": [], "ms-toollib": []}
        for seed in range(games):
            start = time.process_time()
            made["sapper"].append(set(generate_layout(spec, seed).layout.mines))
            spent["sapper"] += time.process_time() - start
            if laymine_solvable_adjust is not None:
                x, y = grid.xy(first)
                start = time.process_time()
                board, is_solvable = laymine_solvable_adjust(height, width, mines, y, x)
                spent["ms-toollib"] += time.process_time() - start
                if is_solvable:
                    rows = enumerate(board)
                    made["ms-toollib"].append({r * width + c for r, row in rows for c, v in enumerate(row) if v == -1})
        for name, layouts in made.items():
            if layouts:
                packed = sum(_packed_share(grid, one) for one in layouts) / len(layouts)
                print(
                    f"{width}x{height}/{mines} {name}: {len(layouts)} of {games} found, "
                    f"{1000 * spent[name] / len(layouts):.1f} ms CPU each, {packed:.0%} of the mines wholly surrounded by mines"
                )


def _packed_share(grid: Grid, mines: set[int]) -> float:
    return sum(mines.issuperset(grid.neighbours(cell)) for cell in mines) / len(mines)


def bias(games: int) -> None:
    for width, height, mines in ((30, 16, 99), (30, 20, 130)):
        grid = Grid(width, height)
        spec = replace(EXPERT, grid=grid, mine_count=mines, first=grid.cell(3, 3))
        for name, one in (
            ("uniform", replace(spec, no_guess=False)),
            ("rejection", spec),
            ("repair", replace(spec, method=Method.REPAIR)),
        ):
            found = [generate_layout(one, seed) for seed in range(games)]
            values = [values_of(*grid.table, made.layout.clues) for made in found]
            edge = sum(_edge_share(grid, list(made.layout.mines)) for made in found) / games
            grades = Counter(made.certificate.difficulty.word for made in found if made.certificate is not None)
            bbbv, openings = (sum(part) / games for part in zip(*[(v.bbbv, v.openings) for v in values], strict=True))
            print(
                f"{width}x{height}/{mines} {name}: 3BV {bbbv:.1f}, openings {openings:.2f}, {edge:.1%} of the mines at "
                f"the edge, {dict(grades)}"
            )


def _edge_share(grid: Grid, mines: list[int]) -> float:
    at_edge = sum(len(grid.neighbours(cell)) < 8 for cell in mines)
    return at_edge / len(mines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ["uniform", "no-guess", "command", "dense", "densest", "bias"]
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; all of them if none is named")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=20)
    arguments = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    for part in arguments.parts or parts:
        match part:
            case "uniform":
                uniform(arguments.rounds)
            case "no-guess":
                no_guess(arguments.rounds)
            case "command":
                command()
            case "dense":
                dense(arguments.games)
            case "densest":
                densest(arguments.games)
            case "bias":
                bias(10 * arguments.games)
            case _:
                parser.error(f"no part {part!r}; there are {', '.join(parts)}")


if __name__ == "__main__":
    main()
