"""A journal gives back what was written, up to the last line that is whole, whatever stands behind it; and nothing twice."""

import errno
import json
import os
import random
from pathlib import Path

import pytest

from sapper.errors import StoreError
from sapper.store.changes import change_to_json
from sapper.store.journal import Journal, LeftJournal, journal_folder, read_journals, read_segment, recover_journals
from sapper.store.repository import open_store
from tests.stored import stored


def _lines(*names: str) -> list[bytes]:
    return [json.dumps({"drop": name}).encode() for name in names]


def _names(left: LeftJournal) -> list[str]:
    return [values["drop"] for _, values in left.changes]


def _segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def test_lines_come_back_in_their_order_through_many_segments(tmp_path: Path) -> None:
    dice = random.Random(1)
    journal = Journal(tmp_path, reserved=32 << 10)
    names = [f"{number:05}" + "x" * dice.randrange(2000) for number in range(200)]
    released = 0
    for at in range(0, 200, 8):
        assert journal.append(_lines(*names[at : at + 8])) == at + 8
        if dice.random() < 0.5:
            released = at
            journal.release(at)
        (left,) = read_journals(tmp_path)
        # What is left are the last changes, without a gap; nothing that was not released is missing.
        assert _names(left) == names[left.changes[0][0] - 1 : at + 8]
        assert left.changes[0][0] <= released + 1
    assert journal.waiting == 200 - released
    journal.release(200)
    assert journal.close() == 0
    assert not tmp_path.exists()


def test_a_write_that_failed_and_large_changes_do_not_make_the_journal_grow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, reserved=32 << 10)
    written = 0

    def append(*sizes: int) -> None:
        nonlocal written
        for size in sizes:
            written = journal.append(_lines("x" * size))
            (left,) = read_journals(tmp_path)
            assert left.changes[-1][0] == written == left.changes[0][0] + len(left.changes) - 1
            assert left.changes[0][0] <= journal._released + 1
            journal.release(written)

    def fail(*_: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    append(10_000)
    with monkeypatch.context() as broken:
        broken.setattr("sapper.store.journal.write_at", fail)
        with pytest.raises(OSError, match="Input/output"):
            journal.append(_lines("lost"))
    append(*[10_000] * 40)
    assert len(_segments(tmp_path)) <= 3
    append(*[40_000] * 40)
    assert len(_segments(tmp_path)) <= 3
    assert journal.close() == 0
    assert not tmp_path.exists()


def test_a_line_that_was_cut_or_changed_ends_what_is_read(tmp_path: Path) -> None:
    journal = Journal(tmp_path, reserved=32 << 10)
    journal.append(_lines("a", "b", "c"))
    data = (
        _segments(tmp_path)[-1].read_bytes()
        if _segments(tmp_path)[-1].read_bytes()[0]
        else _segments(tmp_path)[0].read_bytes()
    )
    whole = data.rstrip(b"\0")
    for length in range(len(whole)):
        found = read_segment(whole[:length])
        assert found is None or [one["drop"] for one in found.changes] == list("abc")[: len(found.changes)]
        assert found is None or len(found.changes) < 3
    for at in range(len(whole)):
        damaged = bytearray(data)
        damaged[at] ^= 1
        found = read_segment(bytes(damaged))
        assert found is None or len(found.changes) < 3
    newer = whole.replace(b'"version":1', b'"version":2')
    assert read_segment(newer) is None  # its checksum says that nobody wrote this
    journal.close()


def test_lines_of_an_earlier_round_are_not_taken_for_new_ones(tmp_path: Path) -> None:
    journal = Journal(tmp_path, reserved=32 << 10)
    big = "x" * 3000
    for number in range(1, 40):
        journal.append(_lines(f"{number}{big}"))
        journal.release(number)
        (left,) = read_journals(tmp_path)
        numbers = [int(name.removesuffix(big)) for name in _names(left)]
        assert numbers == list(range(numbers[0], number + 1))
    assert len(_segments(tmp_path)) == 2
    journal.close()


def test_what_is_to_be_forgotten_is_left_in_no_segment(tmp_path: Path) -> None:
    def holding(word: bytes) -> list[Path]:
        return [path for path in _segments(tmp_path) if word in path.read_bytes()]

    journal = Journal(tmp_path, reserved=32 << 10)
    journal.append(_lines("ann" * 5_000))
    journal.release(journal.append(_lines("bob" * 6_000)))
    assert len(holding(b"ann")) == len(holding(b"bob")) == 1
    waiting = journal.append(_lines("cleo"))
    journal.forget()
    journal.erase()
    assert (holding(b"ann"), len(holding(b"cleo")), journal.is_to_erase) == ([], 1, True)
    journal.append(_lines("dora"))  # not behind what is to be erased
    journal.release(waiting)
    journal.erase()
    assert (holding(b"bob"), holding(b"cleo"), len(holding(b"dora")), journal.is_to_erase) == ([], [], 1, False)
    assert [_names(left) for left in read_journals(tmp_path)] == [["dora"]]
    assert len(_segments(tmp_path)) == 2
    journal.close()


def test_only_what_nobody_holds_is_left_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(_lines("a"))
    assert recover_journals(tmp_path, lambda _: pytest.fail("it is held")) == 0
    assert journal.close() == 1
    found: list[LeftJournal] = []

    def refuse(_: LeftJournal) -> None:
        raise StoreError("no")

    with pytest.raises(StoreError):
        recover_journals(tmp_path, refuse)
    assert recover_journals(tmp_path, found.append) == 1
    assert [_names(one) for one in found] == [["a"]]
    assert recover_journals(tmp_path, found.append) == 0


def test_what_the_database_has_is_not_carried_out_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        journal = Journal(store.journals)
        games = [stored("a"), stored("b", player="ann")]
        journal.append([json.dumps(change_to_json(game)).encode() for game in games])
        store.apply(games[:1], journal=journal.name, number=1)
        journal.close()
        # Somebody has deleted it since: it does not come back.
        with store.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM games")
    with open_store(path) as store:
        assert [game.key for game in store.games()] == ["b"]


def test_space_is_reserved(tmp_path: Path) -> None:
    journal = Journal(tmp_path, reserved=64 << 10)
    assert journal.reserved == 128 << 10
    assert [path.stat().st_blocks * 512 >= 64 << 10 for path in _segments(tmp_path)] == [True, True]
    assert [path.stat().st_mode & 0o777 for path in _segments(tmp_path)] == [0o600, 0o600]
    journal.close()


def test_a_journal_lies_beside_its_file() -> None:
    assert journal_folder(Path("/srv/games.db")) == Path("/srv/games.db.journal")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_where_nothing_may_be_written_there_is_no_journal(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OSError, match="denied"):
        Journal(tmp_path / "journal")
