"""The games of a run so far, in a file that grows: a killed run goes on from it.

The first line says which run it is, as JSON. Each other line has games, in the order of their numbers: the CRC-32 of the rest in eight
hexadecimal digits, then a JSON list of strategy (its place in the run), number of the first game, how many, seconds that they took, and
their numbers, packed. A line that was cut off by a kill is dropped, and its games are played again. Any other damage is an error.

A write that has returned outlives its process; every `_SYNC` seconds the file is brought to the disk too, for a machine that stops.
A line that a full disk cuts is taken back.
"""

import base64
import binascii
import contextlib
import json
import os
import stat
import sys
import time
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

from sapper.errors import HeldStoreError, RecordError
from sapper.simulate.results import GameOutcome, SimulatedGame
from sapper.store.held_files import try_lock

_FORMAT: Final = "sapper-checkpoint"
_VERSION: Final = 1
_OUTCOMES: Final = tuple(GameOutcome)
_EVERY: Final = 1.0
"""Seconds of games that a kill may lose."""
_SYNC: Final = 10.0
_MOST: Final = 20_000
"""Games of a line at most."""
_NO_BBBV: Final = -1


class _Line(NamedTuple):
    """Games of one line, which is the bytes from `at` to `end`."""

    strategy: int
    begin: int
    games: int
    seconds: float
    packed: str
    at: int
    end: int


class Checkpoint:
    """A file of a run's games, open for more of them; one process has it to itself."""

    def __init__(self, path: Path, run: Mapping[str, Any], *, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin the file, or go on with it. `run` is what makes it this run: plain values for JSON.

        Raises:
            RecordError: it is of another run, damaged, or no such file at all; or a device, a pipe or a folder.
            HeldStoreError: another process writes it.

        """
        self._path = path
        self._clock = clock
        _check_regular(path)
        self._file = path.open("a+b", buffering=0)
        try:
            self.run: dict[str, Any] = dict(run)
            self._kept: dict[int, tuple[int, int, float]] = {}  # strategy: first, number after the last, seconds
            self._open()
        except BaseException:
            self._file.close()
            raise
        self._waiting: list[SimulatedGame] = []
        self._strategy = self._following = 0
        self._since = self._synced = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        if not try_lock(self._file.fileno()):
            raise HeldStoreError(f"{self._path}: another process is continuing this run")
        with self._read() as file:
            head = file.readline()
        if not head.endswith(b"\n"):
            if not _is_beginning(head):
                raise RecordError(f"{self._path} is not a file that --resume wrote")
            self._file.truncate(0)
            new = {"format": _FORMAT, "version": _VERSION, "run": self.run}
            self._append(json.dumps(new).encode() + b"\n")
            return
        there = _read_run(head, self._path)
        for name in [*self.run, *(there.keys() - self.run.keys())]:
            if there.get(name) != self.run.get(name):
                raise RecordError(
                    f"{self._path} is of another run: its {name} is {_short(there.get(name))}, this one's {_short(self.run.get(name))}"
                )
        end = len(head)
        for line in self._lines():
            first, following, seconds = self._kept.get(line.strategy, (line.begin, line.begin, 0.0))
            if line.begin != following:
                raise RecordError(f"{self._path}: at byte {line.at} games follow that do not belong to it")
            self._kept[line.strategy] = (first, following + line.games, seconds + line.seconds)
            end = line.end
        self._file.truncate(end)

    def _read(self) -> BinaryIO:
        file = os.fdopen(os.dup(self._file.fileno()), "rb")
        file.seek(0)
        return file

    def _append(self, content: bytes) -> None:
        """Write all of this behind what is there, or nothing."""
        end = os.fstat(self._file.fileno()).st_size
        rest = memoryview(content)
        with self._named():
            try:
                while rest:
                    rest = rest[self._file.write(rest) :]
            except OSError:
                with contextlib.suppress(OSError):
                    self._file.truncate(end)
                raise

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = str(self._path)
            raise

    def _sync(self) -> None:
        with self._named():
            os.fsync(self._file.fileno())

    def _lines(self) -> Iterator[_Line]:
        """The whole lines, from the first game on; the one that was cut off ends them."""
        with self._read() as file:
            at = len(file.readline())
            for line in file:
                if not line.endswith(b"\n"):
                    return
                read = _read_line(line, at)
                if read is None:
                    raise RecordError(f"{self._path}: the line at byte {at} is damaged")
                yield read
                at += len(line)

    def kept(self, strategy: int) -> int:
        """How many games of a strategy (its place in the run) are kept."""
        first, end, _ = self._kept.get(strategy, (0, 0, 0.0))
        return end - first

    def end(self, strategy: int, begin: int) -> int:
        """The number after that of the last of them; `begin` where there is none."""
        return self._kept.get(strategy, (begin, begin, 0.0))[1]

    def seconds(self, strategy: int) -> float:
        """How long they took."""
        return self._kept.get(strategy, (0, 0, 0.0))[2]

    def games(self, strategy: int, seed_of: Callable[[int], int]) -> Iterator[SimulatedGame]:
        """The kept games in order; `seed_of` gives the seed of a game."""
        for line in list(self._lines()) if self.kept(strategy) else ():
            if line.strategy == strategy:
                yield from _unpacked(line, seed_of)

    def begin(self, strategy: int, number: int) -> None:
        """The games from now on are this strategy's, the next of them is that of this number."""
        self._write()
        self._strategy, self._following = strategy, number
        self._since = self._clock()

    def add(self, played: SimulatedGame) -> None:
        """The next game; one that does not follow the last is left out, and will be played again."""
        if played.number != self._following:
            return
        self._following += 1
        self._waiting.append(played)
        if len(self._waiting) >= _MOST or self._clock() - self._since >= _EVERY:
            self._write()

    def _write(self) -> None:
        now = self._clock()
        if self._waiting:
            begin, count = self._waiting[0].number, len(self._waiting)
            line = [self._strategy, begin, count, round(now - self._since, 6), _packed(self._waiting)]
            text = json.dumps(line, separators=(",", ":")).encode()
            self._append(b"%08x %s\n" % (zlib.crc32(text), text))
            first, end, seconds = self._kept.get(self._strategy, (begin, begin, 0.0))
            self._kept[self._strategy] = (first, end + count, seconds + now - self._since)
            self._waiting.clear()
        self._since = now
        if now - self._synced >= _SYNC:
            self._sync()
            self._synced = now

    def close(self) -> None:
        with contextlib.closing(self._file):
            self._write()
            self._sync()


def _is_beginning(head: bytes) -> bool:
    """True if these bytes are empty or the start of a first line."""
    start = b'{"format": "%s"' % _FORMAT.encode()
    return head[: len(start)] == start[: len(head)]


def _check_regular(path: Path) -> None:
    """A device may have no end, and opening a pipe may wait forever; a path that leads to nothing yet is fine."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise RecordError(f"{path} is not a regular file; --resume needs one, or creates it")


def run_of(path: Path) -> dict[str, Any] | None:
    """The run that a file is of; None where it is not there or empty. `RecordError` for another file."""
    _check_regular(path)
    try:
        with path.open("rb") as file:
            head = file.readline()
    except FileNotFoundError:
        return None
    return _read_run(head, path) if head.endswith(b"\n") else None


def _read_run(head: bytes, path: Path) -> dict[str, Any]:
    """The run in the first line of a file; `RecordError` if it is no such line."""
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        first = json.loads(head)
        if (first["format"], first["version"]) == (_FORMAT, _VERSION):
            run: dict[str, Any] = dict(first["run"])
            return run
    raise RecordError(f"{path} is not a file that --resume wrote")


def _read_line(line: bytes, at: int) -> _Line | None:
    """The line of games that begins at a byte of the file; None if it is damaged."""
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        if int(line[:8], 16) == zlib.crc32(line[9:-1]):
            strategy, begin, games, seconds, packed = json.loads(line[9:-1])
            return _Line(strategy, begin, games, seconds, packed, at, at + len(line))
    return None


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _packed(games: list[SimulatedGame]) -> str:
    """Everything about games but their numbers and seeds, which follow from the plan."""
    columns = [bytes([_OUTCOMES.index(game.result) for game in games])]
    numbers = zip(
        *[(game.moves, game.guesses, game.revealed, _NO_BBBV if game.bbbv is None else game.bbbv) for game in games],
        strict=True,
    )
    columns += [_little(array("i", values)).tobytes() for values in numbers]
    faults = {str(at): game.fault for at, game in enumerate(games) if game.fault}
    return base64.b64encode(zlib.compress(b"".join([*columns, json.dumps(faults).encode()]), 1)).decode()


def _little(numbers: "array[int]") -> "array[int]":
    """The least byte first, whatever the machine."""
    if sys.byteorder == "big":  # pragma: no cover
        numbers.byteswap()
    return numbers


def _unpacked(line: _Line, seed_of: Callable[[int], int]) -> Iterator[SimulatedGame]:
    try:
        content = zlib.decompress(base64.b64decode(line.packed))
    except (zlib.error, binascii.Error):
        raise RecordError(f"the games of line {line.at} cannot be read") from None
    count = line.games
    results = content[:count]
    numbers = _little(array("i", content[count : 17 * count]))
    moves, guesses, revealed, bbbvs = (numbers[at : at + count] for at in range(0, 4 * count, count))
    faults = json.loads(content[17 * count :])
    for at in range(count):
        number = line.begin + at
        yield SimulatedGame(
            number,
            seed_of(number),
            _OUTCOMES[results[at]],
            moves[at],
            guesses[at],
            revealed[at],
            None if bbbvs[at] == _NO_BBBV else bbbvs[at],
            faults.get(str(at), ""),
        )
