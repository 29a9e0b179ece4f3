"""Bench of the engine: games a second through `Game.play` beside a peer, and very large boards.

    python bench/engine.py games     # whole Expert games, the same layouts and order of reveals on both sides
    python bench/engine.py boards    # 4,000 × 2,500 cells opened by one reveal: seconds, memory
    python bench/engine.py           # both

The peer is the core of minegauler (on the Python package index, GPL-3), a well-kept Minesweeper in
Python; its window is not needed: `pip install --no-deps minegauler attrs typing-extensions zig-minesolver`.
Without it sapper's own figures are printed alone.
"""

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from pathlib import Path

from spread import spread

from sapper import FixedLayout, Game, Grid, Layout, Move, Rng, Start, Status, UniformSource, find_rules, read_board_list

BOARDS = Path(__file__).parent.parent / "tests" / "data" / "boards" / "expert-open.txt"
Script = tuple[Layout, list[int]]


def scripts(count: int) -> list[Script]:
    """Layouts of Expert games, each with all its safe cells in a random order, the listed first cell first."""
    made = []
    with BOARDS.open(encoding="ascii") as lines:
        for number, (layout, first) in zip(range(count), read_board_list(lines), strict=False):
            order = [cell for cell in range(layout.grid.size) if not layout.is_mine(cell) and cell != first]
            Rng(number).shuffle(order)
            made.append((layout, [first, *order]))
    return made


def play_sapper(games: list[Script]) -> int:
    """Play the games to victory; the number of reveals."""
    rules = find_rules("classic")
    reveals = 0
    for layout, order in games:
        game = Game(rules=rules, source=FixedLayout(layout))
        seen: set[int] = set()
        for cell in order:
            if cell not in seen:
                for start, tiles in game.play(Move.reveal(cell)).runs:
                    seen.update(range(start, start + len(tiles)))
                reveals += 1
        assert game.status is Status.WON
    return reveals


def peer_player() -> Callable[[list[Script]], int] | None:
    """The same with minegauler, or None if it is not installed."""
    try:
        from minegauler.app.core.regular.game import Game as PeerGame  # type: ignore[import-not-found]
        from minegauler.app.core.regular.minefield import Minefield  # type: ignore[import-not-found]
        from minegauler.app.core.regular.types import Coord  # type: ignore[import-not-found]
        from minegauler.app.shared.types import GameState  # type: ignore[import-not-found]
    except ImportError:
        return None

    def play(games: list[Script]) -> int:
        reveals = 0
        for layout, order in games:
            width, height = layout.grid.width, layout.grid.height
            coords = [Coord(x, y) for y in range(height) for x in range(width)]
            field = Minefield.from_coords(coords, mine_coords=[coords[cell] for cell in layout.mines])
            game = PeerGame.from_minefield(field)
            seen: set[object] = set()
            for cell in order:
                if coords[cell] not in seen:
                    seen.update(game.select_cell(coords[cell]))
                    reveals += 1
            assert game.state is GameState.WON
        return reveals

    return play


def timed(play: Callable[[list[Script]], int], games: list[Script]) -> tuple[float, int]:
    """CPU seconds and reveals."""
    begin = time.process_time()
    reveals = play(games)
    return time.process_time() - begin, reveals


def bench_games(count: int, peer_count: int, rounds: int) -> None:
    """Games a CPU second, and the ratio, round by round."""
    games = scripts(count)
    peer = peer_player()
    ratios = []
    for _ in range(rounds):
        seconds, reveals = timed(play_sapper, games)
        rate = len(games) / seconds
        print(f"sapper      {rate:10,.0f} games a CPU second ({reveals / len(games):.0f} reveals a game)")
        if peer is not None:
            seconds, _ = timed(peer, games[:peer_count])
            ratios.append(rate / (peer_count / seconds))
            print(
                f"minegauler  {peer_count / seconds:10,.1f} games a CPU second; sapper is {ratios[-1]:.1f} times as fast"
            )
    if peer is None:
        print("minegauler is not installed: no ratio")
    else:
        print(f"times as fast: {spread(ratios)}")


def open_board(mine_count: int) -> None:
    """Open a board of ten million cells by one reveal of a zero, and say what it took."""
    grid = Grid(4000, 2500)
    rules = find_rules("modern")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    game = Game(rules=rules, source=UniformSource(grid, mine_count, 1, Start.OPEN))
    update = game.reveal(grid.cell(2000, 1250))
    seconds = time.perf_counter() - begin
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"4000x2500, {mine_count:,} mines: {len(update):,} cells in {len(update.runs):,} runs, "
        f"{seconds:.2f} s with the drawing, {memory:.0f} MB above start"
    )


def bench_boards() -> None:
    """Each board in a process of its own, so that its peak memory is its own."""
    for mines in (0, 100_000):
        process = multiprocessing.get_context("spawn").Process(target=open_board, args=(mines,))
        process.start()
        process.join()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("games", "boards"))
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--peer-games", type=int, default=3, help="the peer is slow: fewer of the same games")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.what != "boards":
        bench_games(options.games, options.peer_games, options.rounds)
    if options.what != "games":
        bench_boards()


if __name__ == "__main__":
    main()
