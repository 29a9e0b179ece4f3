"""The binary form of records: a quarter of a kilobyte to two for a game, where JSON takes ten times as much.

A record is the signature, the version (1 byte), the length of what follows (4 bytes, big-endian), and that much compressed by zlib
with the dictionary `DICTIONARY`; a file may have many, one behind the other. docs/formats.md has the fields.

Numbers are varints: seven bits a byte, the lowest first, the highest bit set in all but the last; signed ones are doubled, and the
negative ones then inverted (zigzag). Tiles take four bits each.
"""

import json
import re
import zlib
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any, Final

from sapper.core.arguments import check_type
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.mouse_path import ACTIONS, MousePath
from sapper.core.move import Action, Move
from sapper.core.record import Record, TimedMove, damage_told, grid_of, record_of
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import RecordError

SIGNATURE: Final = b"\x93SAPR"
"""No text begins with this byte, and no zlib stream."""
BINARY_VERSION: Final = 2
"""That of `Record`'s JSON with the same fields; the form is new with it."""
_HEAD: Final = len(SIGNATURE) + 5
LARGEST: Final = 64 * 1024 * 1024
"""Bytes that a record may have when it is decompressed."""
DICTIONARY: Final = (
    b'{"format":"sapper-record","version":2,"rules":{"name":"engine","win":"either","spread":4,"cascade_clears_flags":true,'
    b'"click_reveals_flagged":true,"chording":false,"start":"any","question_marks":true,"one_game":true},"width":16,"height":16,'
    b'"topology":{"name":"plane","offsets":[[-1,-1],[0,-1],[1,-1],[-1,0],[1,0],[-1,1],[0,1],[1,1]],"wraps":false},"mine_count":40,'
    b'"code":null,"seed":null,"player":null,"left_out":0}{"format":"sapper-record","version":2,"rules":{"name":"modern",'
    b'"win":"revealed","spread":8,"cascade_clears_flags":false,"click_reveals_flagged":false,"chording":true,"start":"open",'
    b'"question_marks":false,"one_game":false},"width":30,"height":16,"topology":{"name":"plane","offsets":[[-1,-1],[0,-1],[1,-1],'
    b'[-1,0],[1,0],[-1,1],[0,1],[1,1]],"wraps":false},"mine_count":99,"code":"'
)
"""What heads of records look like. It is part of the form: another one is another version."""

_LINE: Final = re.compile(rb"[^\n]+")
_STATUSES: Final = tuple(Status)
_ACTION_COUNT: Final = len(Action)


def pack_record(record: Record) -> bytes:
    """A record in the binary form; `unpack_record` gives it back."""
    check_type("record", record, Record)
    log = MoveLog()
    for one in record.played:
        log.add(one)
    head = json.dumps(record.head(), separators=(",", ":")).encode()
    out = bytearray()
    _put(out, len(head))
    out += head
    if record.mines is None:
        out.append(0)
    else:
        out.append(1)
        out += record.mines.mask.to_bytes(-(-record.grid.size // 8), "little")
    _put(out, log.count)
    out += log.packed
    _put_mouse(out, record)
    packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zdict=DICTIONARY)
    body = packer.compress(out) + packer.flush()
    return SIGNATURE + bytes([BINARY_VERSION]) + len(body).to_bytes(4, "big") + body


def unpack_record(data: bytes) -> Record:
    """The record that `pack_record` wrote; `RecordError` for anything else, and for bytes behind it."""
    check_type("data", data, bytes)
    pieces = list(_binary_pieces(data))
    if len(pieces) != 1:
        raise RecordError(f"one record was expected, not {len(pieces)}")
    unpacker = zlib.decompressobj(zdict=DICTIONARY)
    try:
        body = unpacker.decompress(data[_HEAD:], LARGEST)
    except zlib.error as error:
        raise RecordError(f"the record is damaged: {error}") from None
    if not unpacker.eof:
        raise RecordError(f"the record is cut, or has more than {LARGEST:,} bytes")
    reader = _NumberReader(body)
    with damage_told():
        head: Any = json.loads(reader.take(reader.number()))
        if head["version"] != BINARY_VERSION:
            raise RecordError(f"the head says version {head['version']!r}, and the file {BINARY_VERSION}")
        grid = grid_of(head)
        mines = None
        if reader.flag():
            mines = CellSet(int.from_bytes(reader.take(-(-grid.size // 8)), "little"))
            if mines.mask >> grid.size:
                raise RecordError(f"a mine is beyond the {grid.size} cells of the board")
        played = tuple(_read_moves(reader, reader.number(), grid))
        mouse, cell_size = _read_mouse(reader)
        if reader.at != len(body):
            raise RecordError(f"{len(body) - reader.at} bytes follow the record's last")
        return record_of(head, grid, mines=mines, played=played, mouse=mouse, cell_size=cell_size)


def record_pieces(data: bytes) -> list[bytes]:
    """The records of a file in either form, one a line or one behind the other, as `read_record` takes them.

    `RecordError` for a binary file that ends in the middle of a record.
    """
    if data.startswith(SIGNATURE):
        return list(_binary_pieces(data))
    # Not `split`, which would make an item of each of millions of empty lines.
    lines = (match[0] for match in _LINE.finditer(data.removeprefix(b"\xef\xbb\xbf")))
    return [line for line in lines if line.strip()]


def read_record(piece: bytes) -> Record:
    """A record in either form; `RecordError` for anything else."""
    if piece.startswith(SIGNATURE):
        return unpack_record(piece)
    try:
        return Record.from_json(piece.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"a record is UTF-8 text, and byte {error.start} is not") from None


def _binary_pieces(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        head = data[at : at + _HEAD]
        if not head.startswith(SIGNATURE) or len(head) < _HEAD:
            raise RecordError(f"no record begins at byte {at}")
        version = head[len(SIGNATURE)]
        if version != BINARY_VERSION:
            raise RecordError(f"this record has version {version}; this sapper reads version {BINARY_VERSION} of the binary form")  # fmt: skip
        end = at + _HEAD + int.from_bytes(head[-4:], "big")
        if end > len(data):
            raise RecordError(f"the record at byte {at} is cut: it ends at byte {end}, and the file at {len(data)}")
        yield data[at:end]
        at = end


# --- moves ------------------------------------------------------------------------------------------------


class MoveLog:
    """Moves, packed as they are made: some ten bytes each, and the cells that a move changed take half a byte."""

    __slots__ = ("_last", "count", "packed")

    def __init__(self) -> None:
        self.packed = bytearray()
        self.count = 0
        self._last = 0

    def add(self, one: TimedMove) -> None:
        out = self.packed
        _put_signed(out, one.at - self._last)
        self._last = one.at
        out.append(one.move.action | one.update.status.code << 4)
        _put(out, one.move.cell)
        _put(out, len(one.update.runs))
        end = 0
        for start, tiles in one.update.runs:
            _put(out, start - end)
            _put(out, len(tiles))
            digits = tiles.hex()[1::2]
            out += bytes.fromhex(digits if len(digits) % 2 == 0 else digits + "0")
            end = start + len(tiles)
        self.count += 1

    def played(self, grid: Grid) -> tuple[TimedMove, ...]:
        return tuple(_read_moves(_NumberReader(bytes(self.packed)), self.count, grid))


def _read_moves(reader: "_NumberReader", count: int, grid: Grid) -> Iterator[TimedMove]:
    at = 0
    for _ in range(count):
        at += reader.signed()
        code = reader.byte()
        action, status = code & 15, code >> 4
        if action >= _ACTION_COUNT or status >= len(_STATUSES):
            raise RecordError(f"the move at {at} ms has action {action} and status {status}")
        cell = grid.check(reader.number())
        runs = []
        end = 0
        for _ in range(reader.number()):
            start = end + reader.number()
            length = reader.number()
            digits = reader.take((length + 1) // 2).hex()[:length]
            tiles = bytes.fromhex("0" + "0".join(digits) if digits else "")
            if tiles and max(tiles) >= len(Tile):
                raise RecordError(f"{max(tiles)} is not a tile")
            runs.append((Cell(start), tiles))
            end = start + length
        yield TimedMove(at, Move(Action(action), cell), Update(tuple(runs), _STATUSES[status]))


# --- the mouse ----------------------------------------------------------------------------------------------


def _put_mouse(out: bytearray, record: Record) -> None:
    """Columns of differences, which compress to a third of what rows do."""
    path = record.mouse
    if path is None:
        out.append(0)
        return
    out.append(1)
    _put(out, record.cell_size)
    _put(out, len(path))
    out += path.actions
    for column in (path.times, path.xs, path.ys):
        for before, now in pairwise((0, *column)):
            _put_signed(out, now - before)


def _read_mouse(reader: "_NumberReader") -> tuple[MousePath | None, int]:
    if not reader.flag():
        return None, 16
    cell_size, count = reader.number(), reader.number()
    actions = reader.take(count)
    if actions and max(actions) >= len(ACTIONS):
        raise RecordError(f"{max(actions)} is not a mouse action")
    times, xs, ys = (list(accumulate(reader.signed() for _ in range(count))) for _ in range(3))
    return MousePath(times, actions, xs, ys), cell_size


# --- numbers ------------------------------------------------------------------------------------------------


def _put(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _put_signed(out: bytearray, number: int) -> None:
    _put(out, number * 2 if number >= 0 else -number * 2 - 1)


class _NumberReader:
    """Numbers one after the other; `RecordError` at the end."""

    __slots__ = ("_data", "at")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        end = self.at + count
        if end > len(self._data):
            raise RecordError(
                f"the record is cut: {count} bytes were expected, and {len(self._data) - self.at} are left"
            )
        begin, self.at = self.at, end
        return self._data[begin:end]

    def byte(self) -> int:
        return self.take(1)[0]

    def flag(self) -> bool:
        value = self.byte()
        if value > 1:
            raise RecordError(f"0 or 1 was expected, not {value}")
        return bool(value)

    def number(self) -> int:
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise RecordError("a number of the record has more than 63 bits")

    def signed(self) -> int:
        number = self.number()
        return -(number + 1 >> 1) if number & 1 else number >> 1
