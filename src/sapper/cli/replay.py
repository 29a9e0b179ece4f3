"""`sapper replay`: a recorded game played back, measured, drawn; a folder of them as a table."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.files import RECORD_ENDINGS, open_record_file, write_named
from sapper.cli.game_input import find_game, named, tell_differences
from sapper.cli.options import database_option, game_number_option, json_option
from sapper.cli.pictures import Picture, check_png, fitting_cell_size, picture_option
from sapper.core.record_binary import pack_record
from sapper.core.status import Status
from sapper.render.picture_palette import PicturePalette
from sapper.replay.exporting import recording_of
from sapper.replay.frames import LONGEST_WAIT, Frames
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.rawvf import write_rawvf

ANIMATION_ENDINGS: Final = (".gif", ".apng")
LARGEST_CELL: Final = 16
SMALLEST_CELL: Final = 4
SHORTEST: Final = 20
"""Milliseconds that a picture is seen, which is what browsers show: of moves that follow each other more quickly the last is shown."""


def animate_game(path: Path, frames: Frames, palette: PicturePalette, speed: float) -> None:
    """Draw a game; cells are as large as its length allows. `click.UsageError` for a game that is too much for one picture."""
    grid = frames.record.grid
    check_png(grid)
    from sapper.plots.png import MOST_PIXELS, animated
    from sapper.render.svg import svg

    shown = moments(frames, speed)
    size = fitting_cell_size(grid, pictures=len(shown), most_pixels=MOST_PIXELS, largest=LARGEST_CELL)
    if size < SMALLEST_CELL:
        raise click.UsageError(f"the {len(shown):,} pictures of this game are too many: raise --speed")

    def drawings() -> Iterator[str]:
        for number, _ in shown:
            last = frames.record.played[number - 1].move.cell if number else None
            yield svg(frames.shown(number), palette=palette, cell_size=size, last_move=last)

    kind = "GIF" if path.suffix.lower() == ".gif" else "PNG"
    write_named(path, animated(kind, drawings(), [milliseconds for _, milliseconds in shown]))


def moments(frames: Frames, speed: float) -> list[tuple[int, int]]:
    """The boards that are shown, by number, with the milliseconds of each; the last one stays for a while."""
    shown: list[tuple[int, int]] = []
    late = 0.0
    for number in range(len(frames) - 1):
        late += 1000 * frames.gap(number, speed)
        if late >= SHORTEST:
            # What is rounded off is shown with the next.
            shown.append((number, int(late)))
            late -= int(late)
    shown.append((len(frames) - 1, round(1000 * LONGEST_WAIT)))
    return shown


_EXAMPLES = """\b
Examples:
  sapper replay example
  sapper replay example --json
  sapper replay --move end -- -bceKALZ7OcNmApwYnHS.1
  sapper replay example --move end --picture end.png
  sapper replay example --save game.gif --speed 4
  sapper replay example --save game.rawvf
  sapper replay recordings --json > games.json
"""


@click.command("replay", epilog=_EXAMPLES)
@click.argument("file", metavar="FILE|ID|FOLDER")
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
@game_number_option
@click.option("--table", is_flag=True, help="Measure all games of a file of records, a row a game, as of a folder.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the game into this file: a record (.sapr in the binary form, .json or .jsonl as a line of JSON), RAWVF, the text "
    "form that other programs read (.rawvf), or an animation at --speed (.gif, or .apng).",
)
@json_option
@picture_option(
    "Draw the board after --move N, else the last one, into this file, .svg or .png; {move} in its name makes a picture of each move."
)
@database_option
def command(
    file: str, moment: str | None, speed: float, number: int | None, table: bool, save: Path | None, as_json: bool, picture: Picture, database: str | None,
) -> ExitCode:  # fmt: skip
    """Play back a recorded game, on this terminal or as plain frames; of a folder, measure all games.

    FILE is a recording of another program (AVF, RMV, EVF, MVF, RAWVF), or a file of sapper's records; ID is the
    key of a game in the store, as sapper stats games lists it (after -- where it begins with a hyphen), or example, a recording that comes
    with sapper. Keys: SPACE stops and goes on, arrows step, + and - change the speed, a number and ENTER jumps to that move, 0 ENTER to the
    beginning, E to the end, Q quits.

    Of a FOLDER all recordings are measured: a row a game; --json has all its numbers.
    """
    if table or (file and Path(file).is_dir()):
        from sapper.cli.replay_measuring import show_table

        if not Path(file).exists():
            raise click.UsageError(f"--table needs a folder or a file, not {file}")
        return show_table(Path(file), as_json=as_json)
    game = find_game(file, database, number=number)
    frames = Frames(game.record)
    chosen = None if moment is None else _moment(moment, len(frames))
    picture.check(game.record.grid)
    if save is not None:
        _save(save, game, frames, picture, speed)
    if picture.file is not None:
        _draw(picture, frames, chosen)
    if as_json:
        click.echo(json.dumps(numbers_of([game])[0], ensure_ascii=False))
    elif chosen is not None:
        click.echo(_frame(frames, chosen))
    elif picture.file is None and save is None:
        _play(game, frames, speed)
    return tell_differences(game)


def _save(path: Path, game: RecordedGame, frames: Frames, picture: Picture, speed: float) -> None:
    suffix = path.suffix.lower()
    if suffix == ".rawvf":
        _write_rawvf(game, path)
    elif suffix in RECORD_ENDINGS:
        record = game.record if game.replayed is None else game.replayed.whole_record
        with open_record_file(str(path)) as kept:
            kept.add(pack_record(record))
    elif suffix in ANIMATION_ENDINGS:
        animate_game(path, frames, picture.palette, speed)
    else:
        raise click.UsageError(
            f"--save writes {', '.join(('.rawvf', *RECORD_ENDINGS, *ANIMATION_ENDINGS))}: {path} ends in none of them"
        )


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
    return f"{frames.summary(number)}\n{frames.shown(number)}"


def _draw(picture: Picture, frames: Frames, chosen: int | None) -> None:
    last = len(frames) - 1 if chosen is None else chosen
    for number in range(len(frames)) if picture.has("move") else (last,):
        cell = frames.record.played[number - 1].move.cell if number else None
        picture.draw(frames.shown(number), numbers={"move": number}, last_move=cell)


def _play(game: RecordedGame, frames: Frames, speed: float) -> None:
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for number in range(len(frames)):
            click.echo(_frame(frames, number))
        return
    from sapper.cli.terminal import colours
    from sapper.terminal.full_screen import TerminalEnded, check_terminal, open_terminal
    from sapper.terminal.playback import play

    check_terminal()
    try:
        play(frames, open_terminal(), title=game.source, speed=speed, colours=bool(colours()))
    except TerminalEnded:
        raise KeyboardInterrupt from None
