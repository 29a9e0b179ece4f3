r"""A journal: what is to be kept stands here, synced to the disk, until the database has it.

A player is told of an end when it stands here, which takes one small synchronous write, shared by all who wait at the same moment;
the database gets it soon afterwards. If the process is killed, the disk is full or the database hangs meanwhile, whoever opens the
store next reads the journal and carries out what is in it (`recover_journals`). Carrying a change out twice changes nothing.

A journal is some files (segments) in a folder beside the store. Each is locked (`held_files`) by the process that writes it, and one that
nobody holds is left over from one that has gone. The space of a segment is reserved when it is made: a disk that becomes full later
does not keep an end from being written. A segment all of whose changes are in the database is used again.
Changes are numbered, and the database remembers with each transaction up to which number it has them (`Store.apply`).
When a player was forgotten, the segments are overwritten with zeros as soon as the database has all that is in them: else the player would
stand in lines that have been carried out, until others take their place.

A segment is text, a line a change:

    4d1f60a3 {"format":"sapper-journal","version":1,"journal":"4711-9f…","round":3,"first":7012}
    9b02c11e {"game":{"key":…,"kind":{"rules":…},"player":…,"result":"lost","time_ms":…,"record":…}}
    0e77aa54 {"tail":{"key":…,"start":412,"text":"{\"inputs\":[[1840,\"left\",17]],…}\n",…}}

Before each line stands its checksum (CRC-32, eight hexadecimal digits), over the round and the text: lines of an earlier round that a
segment still has behind those of this one are not taken for new ones, nor is a line that was cut.

Knows: files, lines, checksums, what is left over.
Does not know: what the changes are, databases.
"""

import contextlib
import errno
import json
import os
import secrets
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sapper.errors import StoreError
from sapper.store.held_files import FLAGS, close_and_remove, try_lock, write_at

FORMAT: Final = "sapper-journal"
VERSION: Final = 1
RESERVED: Final = 2 << 20
"""Bytes that are reserved for a segment: a thousand ends of Expert games and more. Two of them are there from the start."""
LEAST_RESERVED: Final = 32 << 10
"""Where there is less room than this at the start, there is no journal."""
SUFFIX: Final = ".jsonl"
_DSYNC: Final[int] = getattr(os, "O_DSYNC", 0)
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def journal_folder(path: Path) -> Path:
    """Where the journals of a store lie that is this file."""
    return path.with_name(f"{path.name}.journal")


def _checked(around: int, text: bytes) -> bytes:
    return b"%08x %s\n" % (zlib.crc32(text, around & 0xFFFFFFFF), text)


class _Segment:
    """One file of a journal."""

    __slots__ = ("extent", "handle", "is_bad", "is_to_erase", "last", "length", "path", "reserved", "round")

    def __init__(self, path: Path, reserved: int) -> None:
        self.path = path
        # A write that returns when it is on the disk: one call, where Python's other threads run meanwhile, and not two.
        self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | FLAGS | _DSYNC, 0o600)
        try:
            try_lock(self.handle)  # nobody else knows it yet
            self.reserved = _reserve(self.handle, reserved)
        except BaseException:
            close_and_remove(self.handle, self.path)
            raise
        self.round = secrets.randbits(31)
        self.length = 0
        self.extent = 0
        """Where what was ever written in it ends; behind it are zeros."""
        self.last = 0
        """The number of the last change in it."""
        self.is_to_erase = False
        """Whether there may be lines in it of somebody who was forgotten: nothing more is put there before it was erased."""
        self.is_bad = False
        """Whether a sync has failed: nobody knows what is in it now, and nothing more is put there."""

    def write(self, journal: str, first: int, lines: Sequence[bytes]) -> None:
        """Add lines, the first of them with that number, and return when they are on the disk; `OSError` if they are not."""
        head = []
        if self.length == 0:
            values = {"format": FORMAT, "version": VERSION, "journal": journal, "round": self.round, "first": first}
            head = [_checked(0, json.dumps(values, separators=(",", ":")).encode())]
        data = memoryview(b"".join([*head, *(_checked(self.round, line) for line in lines)]))
        at = self.length
        self.extent = max(self.extent, at + len(data))
        try:
            while data:
                count = write_at(self.handle, data, at)
                at, data = at + count, data[count:]
            if not _DSYNC:  # pragma: no cover
                _sync(self.handle)
        except OSError as error:
            self.is_bad = error.errno not in _NO_ROOM
            raise
        self.length = at
        self.last = first + len(lines) - 1

    def empty(self) -> None:
        """All of it is in the database: the next line begins a new round."""
        self.length = 0
        self.round = (self.round + 1) & 0x7FFFFFFF

    def erase(self) -> None:
        """All of it is in the database, and nothing of it is to be left; on a disk that cannot be written another try is needed."""
        with contextlib.suppress(OSError):
            write_at(self.handle, bytes(self.extent), 0)
            if not _DSYNC:  # pragma: no cover
                _sync(self.handle)
            self.extent, self.is_to_erase = 0, False
            self.empty()

    def close(self, *, keep: bool) -> None:
        """Let go of it; the file stays where it is needed."""
        if not keep:
            close_and_remove(self.handle, self.path)
            return
        with contextlib.suppress(OSError):
            os.close(self.handle)


def _reserve(handle: int, wanted: int) -> int:
    """Reserve so many bytes, or as many as there are; `OSError` if that is too few."""
    while True:
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(handle, 0, wanted)
            else:  # pragma: no cover
                write_at(handle, bytes(wanted), 0)
            _sync(handle)
        except OSError as error:
            if error.errno not in _NO_ROOM or wanted <= LEAST_RESERVED:
                raise
            os.ftruncate(handle, 0)
            wanted //= 2
        else:
            return wanted


def _sync(handle: int) -> None:
    if hasattr(os, "fdatasync"):
        os.fdatasync(handle)
    else:  # pragma: no cover
        os.fsync(handle)


class Journal:
    """The journal of one process: its changes are numbered from 1. One thread writes and erases; another says what is in the database, and
    that somebody was forgotten.
    """

    def __init__(self, folder: Path, *, reserved: int = RESERVED) -> None:
        """`OSError` where there is no room or no right to write."""
        self.name = f"{os.getpid()}-{secrets.token_hex(6)}"
        """A name that no other journal has: the database remembers under it how far it has got."""
        self._folder = folder
        self._reserved = reserved
        self._made = 0
        self._written = 0
        self._released = 0
        self._forgotten = 0
        """How often somebody was forgotten."""
        self._seen = 0
        """How often, when the segments that are to be erased were last marked."""
        self._erased = 0
        """Up to which of those times nothing is left."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._segments = [self._make(reserved)]
        """In the order of their changes; the last is the one that is written."""
        with contextlib.suppress(OSError):
            self._segments.insert(0, self._make(reserved))

    def _make(self, reserved: int) -> _Segment:
        self._made += 1
        segment = _Segment(self._folder / f"{self.name}-{self._made}{SUFFIX}", reserved)
        _sync_folder(self._folder)
        return segment

    @property
    def reserved(self) -> int:
        """Bytes that can be written whatever happens to the disk."""
        return sum(one.reserved for one in self._segments)

    @property
    def waiting(self) -> int:
        """Changes that the database has not got."""
        return self._written - self._released

    def append(self, lines: Sequence[bytes]) -> int:
        """Write lines and have them on the disk; the number of the last change. `OSError` if they are not there."""
        segment = self._segment_for(sum(map(len, lines)) + 10 * len(lines) + 300)
        segment.write(self.name, self._written + 1, lines)
        self._written += len(lines)
        return self._written

    def release(self, number: int) -> None:
        """All changes up to this number are in the database."""
        self._released = max(self._released, number)

    def forget(self) -> None:
        """What the database has now is to be left in no segment."""
        self._forgotten += 1

    @property
    def is_to_erase(self) -> bool:
        """Whether there is something to erase, now or when the database has more."""
        return self._erased < self._forgotten

    def erase(self) -> None:
        """Erase what is to be left nowhere, as far as the database has it."""
        if self._seen < self._forgotten:
            self._seen = self._forgotten
            for one in self._segments:
                one.is_to_erase = True
        for one in self._segments:
            if one.is_to_erase and one.last <= self._released:
                one.erase()
        if not any(one.is_to_erase for one in self._segments):
            self._erased = self._seen

    def _segment_for(self, size: int) -> _Segment:
        current = self._segments[-1]
        if not (current.is_bad or current.is_to_erase) and (
            current.length == 0 or current.length + size <= current.reserved
        ):
            return current
        # One where a write has failed would stay the oldest, and no other would be used again.
        while len(self._segments) > 1 and self._segments[0].is_bad and self._segments[0].last <= self._released:
            self._segments.pop(0).close(keep=False)
        # Only the oldest is used again: what is left on the disk are always the last changes, without a gap.
        oldest = self._segments[0]
        is_free = oldest.last <= self._released
        if is_free and not (oldest.is_bad or oldest.is_to_erase) and size <= oldest.reserved:
            oldest.empty()
            self._segments.append(self._segments.pop(0))
            return oldest
        fresh = self._make(max(self._reserved, size))
        if fresh.reserved < size:
            fresh.close(keep=False)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder))
        self._segments.append(fresh)
        if is_free:  # it is too small, and the new one takes its place
            self._segments.remove(oldest)
            oldest.close(keep=False)
        return fresh

    def close(self) -> int:
        """Let go of all segments, which stay if there are changes that the database has not got. How many those are."""
        left = self.waiting
        for one in self._segments:
            one.close(keep=left > 0 and one.length > 0)
        with contextlib.suppress(OSError):
            self._folder.rmdir()
        return left


def _sync_folder(folder: Path) -> None:
    """Have the names of new files on the disk too."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # Windows opens no folders
    try:
        os.fsync(handle)
    except OSError:
        pass  # a file system that cannot
    finally:
        os.close(handle)


# --- what is left over --------------------------------------------------------------------------------------------


class LeftSegment(NamedTuple):
    """What a segment holds."""

    journal: str
    first: int
    """The number of the first change."""
    changes: tuple[dict[str, Any], ...]


class LeftJournal(NamedTuple):
    """What a process has left behind."""

    name: str
    changes: tuple[tuple[int, dict[str, Any]], ...]
    """In their order, with their numbers."""


def read_segment(data: bytes) -> LeftSegment | None:
    """The changes in a segment, as far as its lines are whole; None if there is none. `StoreError` for a newer version's."""
    lines = _lines(data)
    head = _value(next(lines, b""), 0)
    if head is None or head.get("format") != FORMAT:
        return None
    if head.get("version") != VERSION:
        raise StoreError(f"a journal has version {head.get('version')!r}; this sapper reads version {VERSION}")
    found: list[dict[str, Any]] = []
    for line in lines:
        value = _value(line, head["round"])
        if value is None:
            break  # the end of this round, or a line that was cut: nobody was told of it
        found.append(value)
    return LeftSegment(head["journal"], head["first"], tuple(found))


def _lines(data: bytes) -> Iterator[bytes]:
    at = 0
    while (end := data.find(b"\n", at)) >= 0:
        yield data[at:end]
        at = end + 1


def _value(line: bytes, around: int) -> dict[str, Any] | None:
    text = line[9:]
    if len(line) < 10 or line[:9] != b"%08x " % zlib.crc32(text, around & 0xFFFFFFFF):
        return None
    value = json.loads(text)
    return value if isinstance(value, dict) else None


def recover_journals(folder: Path, carry_out: Callable[[LeftJournal], None]) -> int:
    """Have carried out what processes that have gone left behind, and delete it; how many changes that were.

    `carry_out` gets one journal after the other and returns when its changes are in the database; if it raises, that journal stays.
    """
    if not folder.is_dir():
        return 0
    count = 0
    done: list[Path] = []
    with contextlib.ExitStack() as stack:
        held = []
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            if (data := _take(path, stack)) is not None:
                held.append((path.stat().st_mtime, path, read_segment(data)))  # noqa: PERF401
        times: dict[str, float] = {}
        for when, _, text in held:
            if text is not None:
                times[text.journal] = max(when, times.get(text.journal, when))
        for name in sorted(times, key=lambda name: (times[name], name)):
            left = _together(name, [text for _, _, text in held if text is not None and text.journal == name])
            carry_out(left)
            count += len(left.changes)
            for _, path, text in held:
                if text is not None and text.journal == name:
                    _remove(path, done)
        for _, path, text in held:
            if text is None:
                _remove(path, done)
    for path in done:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()
    return count


def _remove(path: Path, done: list[Path]) -> None:
    """Remove a segment that is held; where a file that is open cannot be (Windows), have it removed when it is closed."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        done.append(path)


def _together(name: str, segments: Sequence[LeftSegment]) -> LeftJournal:
    found: list[tuple[int, dict[str, Any]]] = []
    for segment in sorted(segments, key=lambda one: one.first):
        found += enumerate(segment.changes, segment.first)
    return LeftJournal(name, tuple(found))


def _take(path: Path, stack: contextlib.ExitStack) -> bytes | None:
    """What is in a segment that nobody holds, which is held from now on; None if somebody does."""
    try:
        handle = os.open(path, os.O_RDWR | FLAGS)
    except FileNotFoundError:
        return None
    stack.callback(os.close, handle)
    if not try_lock(handle):
        return None
    if not path.exists():  # somebody else was faster
        return None
    with os.fdopen(os.dup(handle), "rb") as file:
        return file.read()


def read_journals(folder: Path) -> list[LeftJournal]:
    """What is in all journals, held or not: for a copy of the store that is to have what players were told."""
    segments: list[LeftSegment] = []
    for path in folder.glob(f"*{SUFFIX}") if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            if (text := read_segment(path.read_bytes())) is not None:
                segments.append(text)
    names = dict.fromkeys(one.journal for one in segments)
    return [_together(name, [one for one in segments if one.journal == name]) for name in names]


def is_held(path: Path) -> bool:
    """Whether a process that lives is writing this segment."""
    try:
        handle = os.open(path, os.O_RDONLY | FLAGS)
    except OSError:
        return False
    try:
        return not try_lock(handle)
    finally:
        os.close(handle)
