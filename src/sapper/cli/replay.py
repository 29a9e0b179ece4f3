"""`sapper replay`: a recorded game played back, measured, drawn; a folder of them as a table."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.game_input import find_game, named, tell_differences
from sapper.cli.named_file import write_named
from sapper.cli.options import database_option
from sapper.cli.pictures import Pictures, picture_options
from sapper.core.record_binary import pack_record
from sapper.core.status import Status
from sapper.render.text import text_view
from sapper.replay.exporting import recording_of
from sapper.replay.frames import Frames
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.rawvf import write_rawvf

_EXAMPLES = """\b
Examples:
  sapper replay example
  sapper replay example --json
  sapper replay --move end -- -bceKALZ7OcNmApwYnHS.1
  sapper replay example --move end --png end.png
  sapper replay example --animate game.gif --cell-size 16 --speed 4
  sapper replay example --rawvf game.rawvf
  sapper replay . --table --where "won and bbbv_per_second > 3"
"""


@click.command("replay", epilog=_EXAMPLES)
@click.argument("file", metavar="FILE|ID|DIR")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: all numbers of the game.")
@click.option(
    "--move", "moment", metavar="N|end", help="Print only the board after this many moves; 0 is before the first."
)
@click.option(
    "--speed",
    type=click.FloatRange(0.05, 100),
    default=1.0,
    show_default=True,
    help="Speed, as a multiple of the original.",
)
@click.option(
    "--game", "number", type=click.IntRange(min=1), help="Which record of a file that has several. [default: the first]"
)
@click.option("--table", is_flag=True, help="Measure all games of a folder, or of a file of records: a row a game.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    help="With --table: number of processes. [default: one a core where there are many games]",
)
@click.option(
    "--where",
    metavar="CONDITION",
    help="With --table: only games that satisfy this condition, such as 'won and seconds < 60'.",
)
@click.option(
    "--sort",
    metavar="NAME",
    help="With --table: sort by this number, such as rqp; with a minus the largest first: -bbbv_per_second.",
)
@click.option(
    "--columns", metavar="NAMES", help="With --table: print these columns, such as name,seconds,ioe; --json has all."
)
@click.option(
    "--animate",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Draw the whole game as an animation into this file: .png (APNG) or .gif, at --speed.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the game into this file, as a record with what the mouse did: .sapr is the binary form, else a line of JSON.",
)
@click.option(
    "--rawvf",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the recording into this file as RAWVF, the text form that other programs read.",
)
@picture_options
@database_option
def command(
    file: str, as_json: bool, moment: str | None, speed: float, number: int | None, table: bool, workers: int | None, where: str | None, sort: str | None, columns: str | None, animate: str | None, save: str | None, rawvf: str | None, database: str | None, pictures: Pictures,
) -> ExitCode:  # fmt: skip
    """Play back a recorded game, on this terminal or as plain frames.

    FILE is a recording of another program (AVF, RMV, EVF, MVF, RAWVF), or a file of sapper's records; ID is the
    key of a game in the store, as sapper stats --games lists it (after -- where it begins with a hyphen), or example, a recording that comes with sapper. Keys: SPACE stops and goes on, arrows step, + and - change the speed, a number and
    ENTER jumps to that move, 0 ENTER to the begin, E to the end, Q quits.

    With --svg or --png the board after --move N is drawn (else the last one); {move} in a name makes a picture of each move.
    """
    if not table and not (where is None and sort is None and columns is None):
        raise click.UsageError("--where, --sort and --columns need --table")
    if table:
        from sapper.cli.replay_table import TableLayout, show_table

        if not Path(file).exists():
            raise click.UsageError(f"--table needs a folder or a file, not {file}")
        layout = TableLayout.of(where=where, sort=sort, columns=columns)
        return show_table(Path(file), layout, as_json=as_json, workers=workers)
    game = find_game(file, database, number=number)
    frames = Frames(game.record)
    chosen = None if moment is None else _moment(moment, len(frames))
    pictures.check(game.record.grid)
    if animate is not None:
        from sapper.cli.animation import animate_game

        animate_game(Path(animate), frames, pictures, speed)
    if save is not None:
        from sapper.cli.record_file import open_record_file

        record = game.record if game.replayed is None else game.replayed.whole_record
        with open_record_file(save) as kept:
            kept.add(pack_record(record))
    if rawvf is not None:
        _write_rawvf(game, Path(rawvf))
    _draw(pictures, frames, chosen)
    if as_json:
        click.echo(json.dumps(numbers_of([game])[0], ensure_ascii=False))
    elif chosen is not None:
        click.echo(_frame(frames, chosen))
    elif not pictures.files and animate is None and save is None and rawvf is None:
        _play(game, frames, speed)
    return tell_differences(game)


def _write_rawvf(game: RecordedGame, path: Path) -> None:
    with named(Path(game.source)):
        text = write_rawvf(recording_of(game))
    write_named(path, text.encode())
    if game.record.status is Status.TERMINATED:
        click.echo(
            f"sapper: {path}: RAWVF cannot say that a game was given up; read back, this one is unfinished", err=True
        )


def _moment(text: str, count: int) -> int:
    if text == "end":
        return count - 1
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise click.UsageError(f"--move is 0 to {count - 1}, or end; not {text[:40]!r}")
    return int(text)


def _frame(frames: Frames, number: int) -> str:
    return f"{frames.summary(number)}\n{text_view(frames.shown(number))}"


def _draw(pictures: Pictures, frames: Frames, chosen: int | None) -> None:
    each = [name for name in pictures.files if "{move}" in name]
    for number in range(len(frames)) if each else ():
        pictures.only(each).draw(frames.shown(number), numbers={"move": number}, **_last(frames, number))
    number = len(frames) - 1 if chosen is None else chosen
    pictures.only([name for name in pictures.files if name not in each]).draw(
        frames.shown(number), **_last(frames, number)
    )


def _last(frames: Frames, number: int | None) -> dict[str, Any]:
    return {"last_move": frames.record.played[number - 1].move.cell if number else None}


def _play(game: RecordedGame, frames: Frames, speed: float) -> None:
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for number in range(len(frames)):
            click.echo(_frame(frames, number))
        return
    from sapper.cli.terminal import colours
    from sapper.terminal.full_screen import TerminalEnded
    from sapper.terminal.opening import check_terminal, open_terminal
    from sapper.terminal.playback import play

    check_terminal()
    try:
        play(frames, open_terminal(), title=game.source, speed=speed, colours=bool(colours()))
    except TerminalEnded:
        raise KeyboardInterrupt from None
