"""One game is one game in whatever file it is: its start rule, its date, its moves, and so its review."""

from pathlib import Path

import pytest

from sapper.cli.game_input import game_of_piece, read_game
from sapper.cli.main import main
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.record_binary import pack_record
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.replay.exporting import recording_of
from sapper.replay.rawvf import write_rawvf
from sapper.replay.reading import read_recording
from sapper.replay.replaying import replay
from tests.recordings import LAYOUT, click, recording, some_game
from tests.replay.test_reading import WRITERS


def _copies(record: Record) -> dict[str, Record]:
    """A record after it was written and read in each form of ours."""
    pieces = {"binary": pack_record(record), "json": record.to_json().encode()}
    text = write_rawvf(recording_of(game_of_piece("a", pieces["json"]))).encode()
    return {
        **{name: game_of_piece("a", piece).record for name, piece in pieces.items()},
        "rawvf": replay(read_recording(text, name="a.rawvf")).record,
    }


def _what_a_review_asks(record: Record) -> tuple[object, ...]:
    moves = [(one.move, one.update) for one in record.played]
    return record.rules.start, record.code, record.started, record.grid, record.mines, moves


@pytest.mark.parametrize("name", WRITERS)
def test_a_recording_of_each_program_is_the_same_game_in_each_form_of_ours(name: str) -> None:
    found = replay(read_recording(WRITERS[name](some_game()), name=f"a.{name.partition(' ')[0]}"))
    assert found.record.rules.start is Start.SAFE
    assert found.record.started == (found.recording.started or None)
    for form, copy in _copies(found.whole_record).items():
        assert _what_a_review_asks(copy) == _what_a_review_asks(found.record), form


@pytest.mark.parametrize("start", list(Start))
def test_a_game_of_ours_keeps_its_start_rule_and_its_code(start: Start) -> None:
    rules = RULES["classic"].replace(start=start)
    referee = Referee(rules=rules, source=FixedLayout(LAYOUT))
    move = Move.reveal(LAYOUT.grid.cell(2, 2))
    end = Move.reveal(min(LAYOUT.mines))
    played = tuple(TimedMove(0, one, referee.play(one)) for one in (move, end))
    record = Record(
        rules=rules, grid=LAYOUT.grid, mine_count=LAYOUT.mine_count, code="a code", mines=LAYOUT.mines, played=played
    )
    for form, copy in _copies(record).items():
        assert _what_a_review_asks(copy) == _what_a_review_asks(record), form


def test_a_first_reveal_that_met_a_mine_was_not_protected() -> None:
    x, y = LAYOUT.grid.xy(min(LAYOUT.mines))
    record = replay(recording(click(0, x, y))).record
    assert record.status is Status.LOST
    assert record.rules.start is Start.ANY


@pytest.mark.parametrize("ending", ["sapr", "json", "rawvf"])
def test_the_example_has_one_review_whatever_the_file(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"game.{ending}"
    assert main(["replay", "example", "--save", str(path)]) == 0
    assert main(["review", "example"]) == 0
    wanted = capsys.readouterr().out
    assert "guess" in wanted
    assert main(["review", str(path)]) == 0
    assert capsys.readouterr().out == wanted
    assert read_game(path, number=None).record.started == "2026-11-29T10:00:00"
