"""Records: what was played, as a value and as text."""

import json

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.mouse_path import MousePath
from sapper.core.move import Move
from sapper.core.record import FORMAT, Record, TimedMove
from sapper.core.rules import RULES, Rules
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import RecordError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from tests.playing import Script, outcome, play
from tests.strategies import any_rules, layouts, mouse_paths, scripts


def _record(
    rules: Rules, layout: Layout, script: Script, *, end: bool = False, mouse: MousePath | None = None
) -> Record:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    played = [TimedMove(10 * at, step.move, step.update) for at, step in enumerate(play(referee, script))]
    if end and not referee.status.ended:
        played.append(TimedMove(10 * len(played), Move.terminate(), referee.play(Move.terminate())))
    return Record(
        rules=rules,
        grid=layout.grid,
        mine_count=layout.mine_count,
        code="code of the layout",
        seed=2**64 - 1,
        mines=layout.mines if referee.status.ended else None,
        player="Ann",
        played=tuple(played),
        mouse=mouse,
        cell_size=16 if mouse is None else 24,
    )


@given(any_rules(), layouts(), scripts(), st.booleans(), st.none() | mouse_paths())
def test_text_round_trip(rules: Rules, layout: Layout, script: Script, end: bool, mouse: MousePath | None) -> None:
    record = _record(rules, layout, script, end=end, mouse=mouse)
    text = record.to_json()
    assert "\n" not in text
    again = Record.from_json(text)
    assert again == record
    assert again.rules.name == record.rules.name
    assert again.to_json() == text


@given(any_rules(), layouts(), scripts(), st.integers(1, 30))
def test_a_shortened_record_ends_on_the_same_board(rules: Rules, layout: Layout, script: Script, most: int) -> None:
    record = _record(rules, layout, script, end=True)
    short = record.shortened(most)
    assert len(short.played) == min(most, len(record.played))
    assert short.left_out == len(record.played) - len(short.played)
    *_, board = record.boards()
    *_, cut = short.boards()
    assert cut == board
    assert (short.status, short.mines, short.played[-1].at) == (record.status, record.mines, record.played[-1].at)
    assert short.played[:-1] == record.played[: len(short.played) - 1]
    assert Record.from_json(short.to_json()) == short


@given(any_rules(), layouts(), scripts())
def test_the_boards_of_a_record_are_those_of_the_game(rules: Rules, layout: Layout, script: Script) -> None:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    boards = [referee.board]
    boards += [step.after for step in play(referee, script)]
    record = _record(rules, layout, script)
    assert list(record.boards()) == boards
    assert record.last_tiles == boards[-1].tiles
    assert record.status is boards[-1].status


RECORD = _record(
    RULES["engine"], Layout(Grid(3, 2), CellSet.of([0])), [("mine", 0), ("safe", 1), ("safe", 0), ("safe", 0)], end=True
)
TEXT = RECORD.to_json()


def test_the_text_has_a_format_and_a_version() -> None:
    document = json.loads(TEXT)
    assert (document["format"], document["version"]) == ("sapper-record", 2)
    assert (document["player"], document["left_out"], document["mouse"]) == ("Ann", 0, None)
    assert (document["width"], document["height"], document["mine_count"], document["mines"]) == (3, 2, 1, [0])
    assert document["rules"]["name"] == "engine"
    assert document["played"][:2] == [[0, "flag", 0, "playing", [[0, "F"]]], [10, "reveal", 2, "playing", OPENED]]


OPENED = [[1, "1."], [4, "1."]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a record is a JSON document"),
        ("[" * 100_000, "a record is a JSON document"),
        ("[]", 'a record says "format": "sapper-record"'),
        ('{"format": "pgn"}', 'a record says "format": "sapper-record"'),
        (json.dumps({"format": FORMAT, "version": 3}), "has version 3; this sapper reads version 2"),
        (json.dumps({"format": FORMAT, "version": True}), "has version True; this sapper reads version 2"),
        (json.dumps({"format": FORMAT, "version": 1}), "has version 1; this sapper reads version 2"),
        (json.dumps({"format": FORMAT, "version": 2}), "the record is damaged: KeyError"),
        (TEXT.replace('"reveal"', '"dig"'), "the record is damaged: KeyError: 'DIG'"),
        (TEXT.replace('"1."', '"z."'), "'z' is not a tile"),
        (TEXT.replace('[4,"1."]', '[5,"1."]'), "the update changes cell 6; cells are 0 to 5"),
        (TEXT.replace('[4,"1."]', '[1,"1."]'), "the runs of an update are sorted"),
        (TEXT.replace('"mines":[0]', '"mines":[0,1]'), "says 1 mine and lists 2"),
        (TEXT.replace('"mines":[0]', '"mines":[6]'), "cell 6 is off the board"),
        (TEXT.replace('"mine_count":1', '"mine_count":7'), "7 mines do not fit 3x2|says 7 mines and lists 1"),
        (TEXT.replace('"width":3', '"width":0'), "at least 1x1 cells"),
        (TEXT.replace('"width":3', '"width":3.0'), "counts in integers, not 3.0"),
        (TEXT.replace('"mine_count":1', '"mine_count":true'), "counts in integers, not True"),
        (TEXT.replace('"reveal",2', '"reveal",2.0'), "counts in integers, not 2.0"),
        (TEXT.replace("[0,", "[-0.0,", 1), "counts in integers"),
        (TEXT.replace('"seed":18446744073709551615', '"seed":"7"'), "counts in integers, not '7'"),
        (TEXT.replace('"seed":18446744073709551615', '"seed":-7'), "a seed is an integer from 0"),
        (TEXT.replace('"code":"code of the layout"', '"code":7'), "a code is text, not 7"),
        (TEXT.replace('"player":"Ann"', '"player":7'), "a player is text, not 7"),
        (TEXT.replace('"left_out":0', '"left_out":-1'), "-1 moves cannot be missing"),
        (TEXT.replace('"mouse":null', '"mouse":{"cell_size":0,"events":[]}'), "at least one pixel, not 0"),
        (TEXT.replace('"mouse":null', '"mouse":{"cell_size":16,"events":[[0,"xx",1,2]]}'), "'xx' is not a valid"),
        (TEXT.replace('"width":3', '"width":20000000'), "at most 33,554,432 cells"),
        (TEXT.replace('"spread":8', '"spread":6'), "8 or 4 neighbours, not 6"),
        (TEXT.replace('"chording":true', '"chording":1'), "chording is True or False, not 1"),
        (TEXT.replace('"wraps":false', '"wraps":0'), "wraps is true or false, not 0"),
        (TEXT.replace('"won"', '"draw"'), "the record is damaged: ValueError"),
        (TEXT.replace("[10,", "[50,"), "never go back"),
    ],
)
def test_text_that_is_no_record(text: str, message: str) -> None:
    assert text != TEXT
    with pytest.raises(RecordError, match=message):
        Record.from_json(text)


JSON = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 2**65), st.floats(), st.text(max_size=5), st.just([]), st.just({"0": 0})
)


@given(st.data())
def test_a_damaged_document_is_a_record_or_a_named_error(data: st.DataObject) -> None:
    document = json.loads(TEXT)
    place, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(JSON)
    text = json.dumps(document)
    result = outcome(lambda: Record.from_json(text))
    if isinstance(result, Record):
        assert json.loads(result.to_json()) == document
        assert Record.from_json(result.to_json()) == result
    else:
        assert isinstance(result, RecordError)
        assert "\n" not in str(result)


@given(st.text())
def test_any_text_is_a_record_or_a_named_error(text: str) -> None:
    with pytest.raises(RecordError):
        Record.from_json(text)


def test_records_that_contradict_themselves() -> None:
    grid = Grid(2, 2, TORUS)
    update = Update.nothing(Status.PLAYING)
    with pytest.raises(RecordError, match="the times of a record's moves never go back"):
        Record(
            rules=RULES["modern"],
            grid=grid,
            mine_count=1,
            played=(TimedMove(5, Move.flag(Cell(0)), update), TimedMove(4, Move.flag(Cell(1)), update)),
        )
    with pytest.raises(RecordError, match="the mines of a game that has not ended cannot be recorded"):
        Record(rules=RULES["modern"], grid=grid, mine_count=1, mines=CellSet.of([0]))
    assert Record(rules=RULES["modern"], grid=grid, mine_count=1).status is Status.READY
