"""`sapper store`: the store itself: where it is, out of it, into it, and a player deleted from it."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import database_option
from sapper.cli.progress import Progress
from sapper.cli.store_access import address_of, open_chosen, open_there
from sapper.core.words import counted

_EXAMPLES = """\b
Examples:
  sapper store path
  sapper store backup copy.db
  sapper store restore copy.db
  sapper store check
  sapper store export games.jsonl
  sapper store --database postgresql://sapper@db/sapper import games.jsonl
  sapper store import recordings --player ann
  sapper store delete-player ann
  sapper store held-games
  sapper store decide KEY refuse
"""

# What does the same for PostgreSQL; a test does them as they stand here.
POSTGRES_BACKUP: Final = "pg_dump --format=custom DATABASE > FILE"
POSTGRES_RESTORE: Final = "pg_restore --clean --if-exists --single-transaction --dbname=DATABASE FILE"
POSTGRES_CHECK: Final = "pg_amcheck --install-missing DATABASE"


@click.group("store", epilog=_EXAMPLES)
@database_option
@click.pass_context
def command(context: click.Context, database: str | None) -> None:
    """Manage the database of games (sapper stats shows the games)."""
    context.obj = database


@command.command("path")
@click.pass_obj
def path_command(database: str | None) -> None:
    """Print where the store is, without a password."""
    from sapper.store.engine import find_address

    click.echo(find_address(address_of(database)).name)


@command.command("migrate")
@click.pass_obj
def migrate_command(database: str | None) -> None:
    """Create the store or upgrade an older one. Every command that opens it does so too."""
    with open_chosen(database) as store:
        click.echo(f"{store.address.name}: up to date")


@command.command("export")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path), default="-")
@click.pass_obj
def export_command(database: str | None, file: Path) -> None:
    """Write everything in the store to FILE (or stdout): JSON lines that `sapper store import` reads.

    An existing FILE is replaced only when everything is written. Only you may read it: saved games contain the mines of running games.
    """
    from sapper.store.transfer import count_lines, export_lines

    with (
        open_there(database, to_read=True) as store,
        _written(file) as out,
        Progress(count_lines(store), sys.stderr, "lines") as screen,
    ):
        for line in screen.of(export_lines(store)):
            out.write(line + "\n")


@contextlib.contextmanager
def _written(path: Path) -> Iterator[IO[str]]:
    """A file to write that is there whole or not at all; stdout, pipes and devices are written to as they are."""
    if str(path) == "-":
        yield sys.stdout
        return
    from sapper.store.held_files import drafted

    is_special = path.exists() and not path.is_file()
    target = path.resolve()
    try:
        with contextlib.nullcontext(path) if is_special else drafted(target) as draft:
            with draft.open("w", encoding="utf-8") as out:
                yield out
                if not is_special:
                    out.flush()
                    os.fsync(out.fileno())
            if not is_special:
                draft.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


@command.command("import")
@click.argument("file", metavar="FILE|FOLDER", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--player", metavar="NAME", help="Player of imported recordings. [default: the name in the recording]")
@click.pass_obj
def import_command(database: str | None, file: Path, player: str | None) -> ExitCode:
    """Add the games of FILE that the store lacks. Importing a file twice changes nothing.

    FILE is what sapper store export wrote, or a recording of another program (AVF, RMV, EVF, MVF, RAWVF); of a FOLDER all recordings
    are added, and of the folders in it. One whose replay shows another result than the file states is not added.
    """
    from sapper.cli.recordings_import import import_recordings, is_recordings

    if is_recordings(file):
        with open_chosen(database) as store:
            return import_recordings(store, file, player=player)
    if file.suffix.lower() == ".sapr" and file.is_file():
        raise click.UsageError(
            f"{file} has records, which sapper replay and sapper review read; imported are recordings of other programs and exports"
        )
    if player is not None:
        raise click.UsageError("--player is for recordings: an exported store names its players")
    from sapper.store.transfer import import_lines

    with (
        click.File("r", encoding="utf-8-sig").convert(str(file), None, click.get_current_context()) as lines,
        open_chosen(database) as store,
        Progress(_size_of(lines), sys.stderr, "characters") as screen,
    ):
        games, sessions, simulations = import_lines(store, _counted(lines, screen), source=lines.name)
    click.echo(
        f"new: {counted(games, 'game')}, {counted(sessions, 'saved game')}, {counted(simulations, 'simulation')}"
    )
    return ExitCode.DONE


def _size_of(file: IO[str]) -> int:
    """About how many characters a file has, for a bar; of a pipe nobody knows: 1."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return 1
    return max(1, status.st_size)


def _counted(lines: Iterable[str], screen: Progress) -> Iterator[str]:
    for line in lines:
        yield line
        screen.advance(len(line))


@command.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def backup_command(database: str | None, file: Path) -> None:
    """Copy the store to FILE and check the copy; works while the store is in use.

    A FILE that is there is left alone.
    """
    from sapper.store.backup import backup

    counts = backup(_file_of(database, POSTGRES_BACKUP), file)
    click.echo(f"{file}: {counted(counts.games, 'game')}, {counted(counts.sessions, 'saved game')}; checked")


@command.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_obj
def restore_command(database: str | None, file: Path) -> None:
    """Replace the store by FILE, which `sapper store backup` wrote.

    What was there is kept beside it, under a name that is said. Nobody may be using the store.
    """
    from sapper.store.backup import restore

    path = _file_of(database, POSTGRES_RESTORE, must_be_there=False)
    kept = restore(file, path)
    click.echo(f"{path}: restored from {file}" + ("" if kept is None else f"; what was there is in {kept}"))


@command.command("check")
@click.pass_obj
def check_command(database: str | None) -> ExitCode:
    """Check the store; exit code 1 if it is damaged."""
    from sapper.store.backup import check

    path = _file_of(database, POSTGRES_CHECK)
    faults = check(path)
    for fault in faults:
        click.echo(f"{path}: {fault}")
    if not faults:
        click.echo(f"{path}: no damage found")
    return ExitCode.NO if faults else ExitCode.DONE


def _file_of(database: str | None, instead: str, *, must_be_there: bool = True) -> Path:
    from sapper.store.engine import check_file, find_address

    place = find_address(address_of(database))
    if place.path is None:
        raise click.UsageError(f"PostgreSQL has tools of its own for this: {instead}")
    if must_be_there:
        check_file(place.path, read_only=True)
    return place.path


@command.command("trust-clock")
@click.pass_obj
def trust_clock_command(database: str | None) -> None:
    """Confirm that this machine's clock is right, so that old games are deleted again.

    A server stops clearing, and says so in its log, when the clock has jumped by a day, or is 30 days past the store's last write.
    """
    from sapper.cli.store_access import now
    from sapper.store.models import CLOCK, TRUSTED, to_ms

    with open_there(database) as store:
        store.note(CLOCK, f"{TRUSTED}{to_ms(now())}")
    click.echo(f"the clock is trusted: it says {now():%Y-%m-%d %H:%M} UTC")


@command.command("delete-player")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def delete_player_command(database: str | None, name: str, yes: bool) -> ExitCode:
    """Delete a player with all games and saved games, permanently."""
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"this deletes all games of {name!r} permanently: confirm with --yes")
        click.confirm(f"Delete all games of {name!r} permanently?", abort=True)
    with open_there(database) as store:
        games = store.delete_player(name)
    if games is None:
        click.echo(f"sapper: no player {name!r}", err=True)
        return ExitCode.NO
    click.echo(f"deleted: {name!r}, {counted(games, 'game')}")
    return ExitCode.DONE


@command.command("held-games")
@click.pass_obj
def held_games_command(database: str | None) -> None:
    """List the games that wait before they enter a ranking: key, player, name, end, reason.

    They were won faster, or more evenly, than people play by hand. sapper store decide says whether a game counts.
    """
    from sapper.store.held_games import held_games

    with open_there(database, to_read=True) as store:
        for one in held_games(store):
            click.echo("\t".join((one.game, one.player, one.name or "-", f"{one.at:%Y-%m-%d %H:%M}", one.reason)))


@command.command("decide")
@click.argument("key")
@click.argument("verdict", type=click.Choice(["accept", "refuse"]))
@click.pass_obj
def decide_command(database: str | None, key: str, verdict: str) -> ExitCode:
    """Say whether the game KEY counts in rankings: accept or refuse.

    It need not be a held one: refuse also takes a game out of the rankings.
    """
    from sapper.store.settling import decide_game

    with open_there(database) as store:
        is_there = decide_game(store, key, accept=verdict == "accept")
    if not is_there:
        click.echo(f"sapper: no game {key!r} of a player", err=True)
        return ExitCode.NO
    click.echo(f"{key}: it {'counts' if verdict == 'accept' else 'does not count'}")
    return ExitCode.DONE


@command.command("take-name")
@click.argument("name")
@click.pass_obj
def take_name_command(database: str | None, name: str) -> ExitCode:
    """Take a NAME away from its player; nobody may have it for 90 days."""
    from sapper.cli.store_access import now
    from sapper.store.names import take_name

    with open_there(database) as store:
        is_taken = take_name(store, name, now())
    if not is_taken:
        click.echo(f"sapper: nobody is called {name!r}", err=True)
        return ExitCode.NO
    click.echo(f"nobody is called {name!r} any more")
    return ExitCode.DONE
