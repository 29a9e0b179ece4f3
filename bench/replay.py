"""Bench of recordings: parsing beside ms-toollib, and a folder of many through `sapper replay DIR --table`.

    python bench/replay.py parse FILE… [--rounds N]
    python bench/replay.py table [--files N]

`parse` has both read recordings of yours (AVF, RMV, EVF, MVF), each in turn in every round; the median of the ratios is what
to quote. Neither plays the events. Only a small recording comes with sapper, and ms-toollib ends the interpreter on what it cannot read.
`table` makes a folder of recordings of different games and measures the command as users start it.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from spread import spread

from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.core.move import Action
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from sapper.generator.new_game import new_game
from sapper.replay.reading import read_recording
from sapper.replay.recording import Recording
from sapper.solver.strategies.registry import find_strategy
from tests.recordings import click, recording, write_avf, write_rmv

_MOVES = 12
"""Mouse moves before each click, about as many as people's recordings have."""


def expert(seed: int) -> Recording:
    """An Expert game that `least-risk` plays, with a mouse that goes from cell to cell."""
    game, strategy = new_game("expert", seed=seed), find_strategy("least-risk")(Rng(seed))
    events: list[MouseEvent] = []
    x = y = 0
    while not game.board.status.ended:
        move = strategy.choose(game.board).move
        game.play(move)
        if move.action is not Action.REVEAL:
            continue
        to_x, to_y = game.grid.xy(move.cell)
        at = 200 * (len(events) // (_MOVES + 2))
        for step in range(_MOVES):
            place = (16 * x + (to_x - x) * 16 * step // _MOVES, 16 * y + (to_y - y) * 16 * step // _MOVES)
            events.append(MouseEvent(at + 10 * step, MouseAction.MOVE, *place))
        events += click(at + 150, to_x, to_y)
        x, y = to_x, to_y
    return recording(events, layout=Layout(game.grid, game.layout.mines), milliseconds=events[-1].at)


def parse(files: Sequence[Path], rounds: int) -> None:
    """Both readers on the same bytes."""
    import ms_toollib

    theirs = {
        "avf": ms_toollib.AvfVideo,
        "rmv": ms_toollib.RmvVideo,
        "evf": ms_toollib.EvfVideo,
        "mvf": ms_toollib.MvfVideo,
    }
    for path in files:
        data, kind = path.read_bytes(), path.suffix[1:].lower()
        ratios, last = [], (0.0, 0.0)
        for _ in range(rounds):
            ours = _seconds(lambda data=data, path=path: read_recording(data, name=path.name))  # type: ignore[misc]
            other = _seconds(lambda data=data, path=path, kind=kind: theirs[kind](path.name, data).parse())  # type: ignore[misc]
            ratios.append(ours / other)
            last = ours, other
        events = len(read_recording(data, name=path.name).events)
        print(
            f"{path.name}, {events:,} events: {last[0] * 1e3:.2f} ms, ms-toollib {last[1] * 1e3:.2f} ms: "
            f"{spread(ratios)} times as long"
        )


def _seconds(work: Callable[[], object], times: int = 20) -> float:
    begin = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begin) / times


def table(files: int) -> None:
    """A folder of so many files, of fifty different games."""
    games = [expert(seed) for seed in range(50)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(files):
            game = games[number % len(games)]
            data = write_avf(game) if number % 2 else write_rmv(game, 2)
            (folder / f"{number:06}.{'avf' if number % 2 else 'rmv'}").write_bytes(data)
        begin = time.monotonic()
        words = [sys.executable, "-m", "sapper", "replay", name]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        seconds = time.monotonic() - begin
    print(done.stdout.splitlines()[-1])
    print(f"{files:,} files in {seconds:.1f} s: {files / seconds:,.0f} a second")


def main() -> None:
    """Read the command line, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["parse", "table"])
    parser.add_argument("recordings", nargs="*", type=Path, help="with parse: files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", type=int, default=10_000)
    options = parser.parse_intermixed_args()
    if options.what == "parse":
        parse(options.recordings, options.rounds)
    else:
        table(options.files)


if __name__ == "__main__":
    main()
