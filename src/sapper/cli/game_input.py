"""Finding the game that a command is about: a recording, a record of ours, or a game of the store."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

import sapper.replay
from sapper.cli.exits import ExitCode
from sapper.core.encoding import as_utf8
from sapper.core.record import Record
from sapper.core.record_binary import SIGNATURE, read_record, record_pieces
from sapper.core.words import counted
from sapper.errors import RecordError, SapperError
from sapper.replay.numbers import RecordedGame
from sapper.replay.reading import LARGEST, read_recording
from sapper.replay.replaying import replay

EXAMPLE: Final = "example"
"""The name of a recording that comes with sapper, to try commands with."""
_KEY_OF_A_PLAYER: Final = re.compile(r"[A-Za-z0-9_-]+\.[0-9]+")
"""A key of the web or of `sapper play`: the name of a session, as `draw_key` makes it, and the number of its game."""


def find_game(name: str, database: str | None, *, number: int | None) -> RecordedGame:
    """The game of a file, or else of a key in the store; `number` is the game of a file with several records, from 1.

    Without a number it is the first, and that there are more is said on stderr.
    """
    if not name:
        raise click.UsageError("the name of the game is empty: give a file, or the key of a game in the store")
    path = Path(name)
    if path.is_dir():
        raise click.UsageError(f"{name} is a folder: name a file in it")
    if path.exists() or _looks_like_a_file(name):
        return read_game(path, number=number)
    if name == EXAMPLE:
        return replace(read_game(Path(sapper.replay.__path__[0]) / "example.rawvf", number=number), source=EXAMPLE)
    return _stored(name, database)


def _looks_like_a_file(name: str) -> bool:
    """A name with a folder or an ending that no key has is meant to be a file, and said to be missing; the store is not asked."""
    return os.sep in name or ("." in name and _KEY_OF_A_PLAYER.fullmatch(name) is None)


def read_game(path: Path, *, number: int | None) -> RecordedGame:
    """The game of a file. `RecordError`, with the file's name, for what is none."""
    data = read_data(path)
    with named(path):
        pieces = pieces_of(data)
        if pieces is None:
            if number not in (None, 1):
                raise RecordError(f"a recording is of one game, and game {number} was asked for")
            return _replayed(path, data)
        if number is None and len(pieces) > 1:
            click.echo(f"sapper: {path}: this is game 1 of {len(pieces)}; --game N names another", err=True)
        number = number or 1
        if number > len(pieces):
            raise RecordError(f"the file has {counted(len(pieces), 'record')}, and game {number} was asked for")
        return game_of_piece(str(path), pieces[number - 1])


def read_games(path: Path) -> Iterator[RecordedGame]:
    """All games of a file, as they are asked for; errors as of `read_game`. Of several the source says which it is: `games.sapr:2`."""
    data = read_data(path)
    with named(path):
        pieces = pieces_of(data)
        if pieces is None:
            yield _replayed(path, data)
            return
        for number, piece in enumerate(pieces, 1):
            yield game_of_piece(str(path) if len(pieces) == 1 else f"{path}:{number}", piece)


def read_data(path: Path) -> bytes:
    """What is in a file. `RecordError` for one that is too long for a recording."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise RecordError(f"{path}: a recording, or a file of records, has at most {LARGEST:,} bytes")
    return as_utf8(data)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Errors say which file they are about."""
    try:
        yield
    except SapperError as error:
        raise RecordError(f"{path}: {error}") from error


def pieces_of(data: bytes) -> list[bytes] | None:
    """The records of a file of ours, in either form, each for `game_of_piece`; None for a file of another program."""
    if data.startswith(SIGNATURE) or data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        return record_pieces(data)
    return None


def game_of_piece(source: str, piece: bytes) -> RecordedGame:
    record = read_record(piece)
    return RecordedGame(source=source, record=record, player=record.player)


def tell_differences(game: RecordedGame) -> ExitCode:
    """Say on stderr what a file states otherwise than its replay shows; the exit code is for a game that was found."""
    if game.replayed is not None and (told := game.replayed.told_differences):
        click.echo(f"sapper: {game.source}: {told}", err=True)
    return ExitCode.DONE if game.is_trusted else ExitCode.NO


def _replayed(path: Path, data: bytes) -> RecordedGame:
    replayed = replay(read_recording(data, name=path.name))
    return RecordedGame(source=str(path), record=replayed.record, replayed=replayed)


def _stored(key: str, database: str | None) -> RecordedGame:
    from sapper.cli.store_access import open_there

    with open_there(database, to_read=True) as store:
        game = store.find_game(key)
    if game is None:
        raise click.UsageError(f"no file {key!r}, and no game with this key in the store")
    if game.record is None:
        raise RecordError(
            f"the store has the result of game {key}, but not its moves: only whole games can be replayed"
        )
    return RecordedGame(source=key, record=Record.from_json(game.record), player=game.player, time_ms=game.time_ms)
