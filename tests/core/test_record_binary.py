"""The binary form of records."""

import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.mouse_path import MousePath
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.record_binary import (
    BINARY_VERSION,
    DICTIONARY,
    SIGNATURE,
    MoveLog,
    pack_record,
    read_record,
    record_pieces,
    unpack_record,
)
from sapper.core.rules import RULES, Rules
from sapper.errors import RecordError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from tests.playing import Script, outcome, play
from tests.strategies import any_rules, layouts, mouse_paths, scripts


def _record(rules: Rules, layout: Layout, script: Script, mouse: MousePath | None = None) -> Record:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    played = tuple(TimedMove(-7 + 300 * at, step.move, step.update) for at, step in enumerate(play(referee, script)))
    return Record(
        rules=rules, grid=layout.grid, mine_count=layout.mine_count, code="c", seed=7, played=played, mouse=mouse,
        mines=layout.mines if referee.status.ended else None, player="Ann \ud800 ü", cell_size=16 if mouse is None else 9,
    )  # fmt: skip


@given(any_rules(), layouts(), scripts(), st.none() | mouse_paths())
def test_round_trip(rules: Rules, layout: Layout, script: Script, mouse: MousePath | None) -> None:
    record = _record(rules, layout, script, mouse)
    data = pack_record(record)
    again = unpack_record(data)
    assert again == record
    assert again.rules.name == record.rules.name
    assert pack_record(again) == data
    log = MoveLog()
    for one in record.played:
        log.add(one)
    assert (log.count, log.played(record.grid)) == (len(record.played), record.played)


GAME = _record(RULES["engine"], Layout(Grid(3, 2), CellSet.of([0])), [("mine", 0), ("safe", 1), ("safe", 0), ("safe", 0)])  # fmt: skip


def test_files_have_many_records_in_either_form() -> None:
    other = replace(GAME, seed=8)
    for data in (b"".join(map(pack_record, [GAME, other])), f"\ufeff{GAME.to_json()}\n\n{other.to_json()}\n".encode()):
        assert [read_record(piece) for piece in record_pieces(data)] == [GAME, other]


def _packed(body: bytes, version: int = BINARY_VERSION) -> bytes:
    packer = zlib.compressobj(zdict=DICTIONARY)
    packed = packer.compress(body) + packer.flush()
    return SIGNATURE + bytes([version]) + len(packed).to_bytes(4, "big") + packed


def _body() -> bytes:
    return zlib.decompressobj(zdict=DICTIONARY).decompress(pack_record(GAME)[10:])


HEAD = json.dumps(GAME.head(), separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "one record was expected, not 0"),
        (b"\x93SAPS", "no record begins at byte 0"),
        (_packed(b"", version=3), "has version 3; this sapper reads version 2"),
        (pack_record(GAME)[:-1], "is cut: it ends at byte"),
        (pack_record(GAME) + b"x", "no record begins at byte"),
        (SIGNATURE + bytes([2, 0, 0, 0, 2, 1, 2]), "the record is damaged: Error -3"),
        (_packed(_body() + b"x"), "1 bytes follow the record's last"),
        (_packed(_body()[:-1]), "the record is cut: 1 bytes were expected, and 0 are left"),
        (_packed(_body().replace(b'"version":2', b'"version":1')), "the head says version 1"),
        (_packed(_body().replace(HEAD + b"\x01\x01", HEAD + b"\x01\xff")), "a mine is beyond the 6 cells"),
        (_packed(_body().replace(HEAD + b"\x01", HEAD + b"\x02")), "0 or 1 was expected, not 2"),
        (_packed(b"\xff" * 12), "more than 63 bits"),
        (_packed(b"\x02{}\x00"), "the record is damaged: KeyError"),
    ],
)  # fmt: skip
def test_bytes_that_are_no_record(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        unpack_record(data)


def test_a_record_that_grows_without_end_is_refused() -> None:
    with pytest.raises(RecordError, match="more than 67,108,864 bytes"):
        unpack_record(_packed(bytes((1 << 26) + 1)))


@given(st.data())
def test_damaged_bytes_are_a_record_or_a_named_error(data: st.DataObject) -> None:
    """What is inside is damaged: behind zlib's checksum nothing would come through."""
    body = bytearray(_body())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(body) - 1))
        if data.draw(st.booleans()):
            body[at] = data.draw(st.integers(0, 255))
        else:
            del body[at : at + data.draw(st.integers(1, 9))]
    result = outcome(lambda: unpack_record(_packed(bytes(body))))
    assert isinstance(result, Record | RecordError)
    assert isinstance(result, Record) or "\n" not in str(result)
    assert isinstance(outcome(lambda: read_record(bytes(body))), RecordError)


def test_a_move_that_is_none_is_refused() -> None:
    log = MoveLog()
    log.add(TimedMove(0, Move.flag(0), GAME.played[0].update))
    log.packed[1] = 0xFF
    with pytest.raises(RecordError, match="the move at 0 ms has action 15 and status 15"):
        log.played(GAME.grid)
