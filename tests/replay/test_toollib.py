"""ms-toollib in a process of its own: the same recordings as ours, and errors whatever becomes of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from sapper.core.mouse_path import MouseAction
from sapper.errors import RecordError
from sapper.replay import toollib
from sapper.replay.reading import read_recording
from sapper.replay.toollib import read_by_toollib
from tests.recordings import some_game, write_avf, write_evf, write_mvf, write_rmv

AVF = write_avf(some_game())


@pytest.mark.parametrize(
    "data",
    [
        write_evf(some_game(), 1), write_evf(some_game(), 3), write_evf(some_game(), 4), write_rmv(some_game(), 1), write_rmv(some_game(), 2),
        AVF, write_mvf(some_game(), "0.97"),
    ],
    ids=["evf 1", "evf 3", "evf 4", "rmv 1", "rmv 2", "avf", "mvf"],
)  # fmt: skip
def test_both_read_the_same(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies in the current folder."""
    for name in ("sapper", "types"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ours = read_recording(data)
    theirs = read_by_toollib(data, ours.format)
    assert (theirs.layout, theirs.player, theirs.cell_size) == (ours.layout, ours.player, ours.cell_size)
    # Of a state of MVF that changes place and button it makes one event, where ours has a movement before.
    clicks = [[one for one in read.events if one.action is not MouseAction.MOVE] for read in (ours, theirs)]
    assert clicks[0] == clicks[1]
    if ours.format != "mvf":
        assert theirs.events == ours.events
    # It takes dates of EVF up to version 3 from Metasweeper and Arbiter alone, and of AVF another one.
    if ours.format == "rmv" or ours.version == "4":
        assert theirs.started == ours.started
    assert theirs.version.startswith("read by ms-toollib 1.")


def test_what_it_cannot_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And it leaves no crash.log where the user is."""
    monkeypatch.chdir(tmp_path)
    for data, name in (
        (AVF[:90], "avf"),
        (write_rmv(replace(some_game(), player="é"), 2).replace(b"\xc3\xa9", b"\xff\xff"), "rmv"),
    ):
        with pytest.raises(RecordError, match="ms-toollib cannot read it either"):
            read_by_toollib(data, name)
    assert list(tmp_path.iterdir()) == []


def test_versions_that_are_unknown_here_are_given_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\x09" + write_evf(some_game(), 4)[1:]
    with pytest.raises(RecordError, match=r"evf: EVF of version 9: versions 0 to 4 can be read; ms-toollib cannot"):
        read_recording(data, name="x.evf")
    asked: list[str] = []
    game = some_game()

    def read(_: bytes, name: str) -> object:
        asked.append(name)
        return game

    monkeypatch.setattr(toollib, "read_by_toollib", read)
    assert read_recording(data, name="x.evf") is game
    rmv = write_rmv(some_game(), 2)
    assert read_recording(rmv[:5] + b"\x07" + rmv[6:]) is game
    assert asked == ["evf", "rmv"]
    monkeypatch.setattr(toollib, "is_there", lambda: False)
    with pytest.raises(
        RecordError, match=r"ms-toollib may know it: pip install '\.\[replays\]' in the clone of sapper"
    ):
        read_recording(data, name="x.evf")
    # What is broken, not unknown, is nobody else's: it would be read no better.
    with pytest.raises(RecordError, match="avf"):
        read_recording(AVF[:90], name="x.avf")
