"""Saving is playing: at every step a saved game goes on as if it had never been put away."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from sapper.core.cells import Cell
from sapper.core.preset import Preset, find_preset
from sapper.core.rules import find_rules
from sapper.core.update import Update
from sapper.errors import AccessError, RecordError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout, LayoutSource
from sapper.generator.game_code import CodedGame
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.new_game import new_referee
from sapper.session.events import Event, What
from sapper.session.game_request import coded_game, new_session
from sapper.session.saving import FORMAT, VERSION, SavedMark, load_session, save_session, snapshot, tail_since
from sapper.session.session import Session
from tests.playing import layout_of
from tests.sessions import HandClock, Play, SessionScript, state
from tests.strategies import seeds, session_scripts, small_presets


@settings(max_examples=40)
@given(small_presets(), seeds, session_scripts())
def test_saved_and_loaded_at_every_step_it_is_the_game_that_was_never_put_away(
    preset: Preset, seed: int, script: SessionScript
) -> None:
    straight, interrupted = Play(preset, seed), Play(preset, seed)
    for step in script:
        text = save_session(interrupted.session, interrupted.referee)
        # Put away, its clock stands; it is saved as the game that it is.
        interrupted.session.stand_at(interrupted.referee, interrupted.session.elapsed, running=False)
        assert save_session(interrupted.session, interrupted.referee) == text
        # Another process, years later: its clock shows something else.
        interrupted.clock = HandClock(interrupted.clock.now - 7)
        interrupted.session, interrupted.referee = load_session(text, clock=interrupted.clock)
        interrupted.session.watch(interrupted.heard.append)
        straight.do(*step)
        interrupted.do(*step)
        assert state(interrupted.session, interrupted.referee) == state(straight.session, straight.referee)
    assert interrupted.heard == straight.heard


def test_a_layout_without_a_code_is_told() -> None:
    referee = Referee(rules=find_rules("engine"), source=FixedLayout(layout_of("*..../...../....*")))
    session = Session(referee, clock=HandClock())
    text = save_session(session, referee)
    assert json.loads(text)["layout"] == "4001"
    again, _ = load_session(text, clock=HandClock())
    assert again.left_click(0).status is session.left_click(0).status


def test_a_source_that_nothing_names_is_saved_when_its_layout_is_drawn() -> None:
    referee = new_referee("beginner", seed=3)
    session = Session(referee, clock=HandClock())
    with pytest.raises(RecordError, match="without a code"):
        save_session(session, referee)
    session.left_click(40)
    again, _ = load_session(save_session(session, referee), clock=HandClock())
    assert again.board == session.board


def test_a_layout_that_took_a_search_is_not_searched_again() -> None:
    preset = find_preset("beginner")
    spec = LayoutSpec(grid=preset.grid, mine_count=10, start=preset.rules.start, first=Cell(40), no_guess=True)
    game = CodedGame(rules=preset.rules, grid=preset.grid, mine_count=10, seed=5, spec=spec)
    session, referee = new_session(game, clock=HandClock())
    session.left_click(40)
    again, its_referee = load_session(save_session(session, referee), clock=HandClock())
    assert (again.board, its_referee.layout) == (session.board, referee.layout)


def test_a_layout_that_gives_way_gives_way_again() -> None:
    preset = find_preset("beginner")
    session, referee = new_session(
        CodedGame(rules=preset.rules, grid=preset.grid, mine_count=10, seed=5, kaboom=True), clock=HandClock()
    )
    for cell in (40, 0, 8):
        session.left_click(cell)
    again, its_referee = load_session(save_session(session, referee), clock=HandClock())
    assert (again.board, its_referee.layout) == (session.board, referee.layout)


def test_a_board_that_may_be_known_is_saved_as_that() -> None:
    referee = new_referee("beginner", seed=3)
    session = Session(referee, clock=HandClock(), code=coded_game("beginner", seed=3).code, seed=3, seen=True)
    assert load_session(save_session(session, referee))[0].assistance.seen


def test_a_snapshot_is_written_as_it_was_whatever_comes_after() -> None:
    play = Play("beginner").run([("left", 40, 0)])
    taken, text = snapshot(play.session, play.referee), save_session(play.session, play.referee)
    play.run([("right", 0, 50), ("pause", 0, 5)])
    assert taken.to_json() == text != save_session(play.session, play.referee)


def test_who_must_not_search_says_where_layouts_come_from() -> None:
    preset = find_preset("beginner")
    spec = LayoutSpec(grid=preset.grid, mine_count=10, start=preset.rules.start, first=Cell(40), no_guess=True)
    game = CodedGame(rules=preset.rules, grid=preset.grid, mine_count=10, seed=5, spec=spec)
    session, referee = new_session(game, clock=HandClock())
    asked: list[tuple[CodedGame, Layout | None]] = []

    def source_of(coded: CodedGame, layout: Layout | None) -> LayoutSource:
        asked.append((coded, layout))
        return FixedLayout(layout) if layout is not None else coded.source()

    load_session(save_session(session, referee), source_of=source_of)
    session.left_click(40)
    with pytest.raises(RecordError, match="contradicts itself"):
        # It was not there before the first reveal, as this source has it.
        load_session(save_session(session, referee), source_of=source_of)
    assert [layout for _, layout in asked] == [None, referee.layout]


def test_the_observer_hears_what_happens_after_loading_only() -> None:
    play = Play("beginner").run([("left", 40, 0), ("right", 0, 5)])
    heard: list[Event] = []
    session, _ = load_session(save_session(play.session, play.referee))
    session.watch(heard.append)
    assert heard == []
    session.pause()
    assert [event.what for event in heard] == [What.PAUSED]


def test_only_who_holds_the_referee_can_save() -> None:
    play = Play("beginner")
    with pytest.raises(AccessError, match="referee"):
        save_session(play.session, new_referee("beginner", seed=7))


# --- texts that are no saved game ---------------------------------------------------------------------


def _saved() -> dict[str, Any]:
    play = Play("beginner").run(
        [("left", 40, 0), ("right", 0, 500), ("hint", 3, 100), ("undo", 0, 100), ("pause", 0, 9)]
    )
    document: dict[str, Any] = json.loads(save_session(play.session, play.referee))
    return document


def test_what_is_changed_here_can_be_loaded_unchanged() -> None:
    assert load_session(json.dumps(_saved()))[0].is_paused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "sapper-record"}, FORMAT),
        ({"version": VERSION + 1}, "version 5"),
        ({"inputs": []}, "contradicts itself"),
        ({"inputs": [[0, "left", 41], [0, "pause", 0]]}, "contradicts itself"),
        ({"inputs": [[5, "left", 40], [4, "right", 0]]}, "never go back"),
        ({"inputs": [[-1, "left", 40]]}, "from 0 on"),
        ({"inputs": [[0, "left", "40"]]}, "whole number"),
        ({"inputs": [[0, "left", 81]]}, "contradicts itself"),
        ({"inputs": [[0, "undo", 0]]}, "contradicts itself"),
        ({"inputs": [[0, "peek", 0]]}, "damaged"),
        ({"inputs": [[0]]}, "damaged"),
        ({"inputs": None}, "damaged"),
        ({"elapsed": 3}, "the clock stands at 3"),
        ({"elapsed": "long"}, "the clock stands at"),
        ({"running": True}, "contradicts itself"),
        ({"paused": False}, "contradicts itself"),
        ({"layout": "3ff"}, "contradicts itself"),
        ({"layout": "1" + "0" * 30}, "contradicts itself"),
        ({"layout": None}, "contradicts itself"),
        ({"layout": [-1]}, "one hexadecimal number"),
        ({"layout": "-1"}, "one hexadecimal number"),
        ({"layout": ""}, "one hexadecimal number"),
        ({"drawn_first": True}, "contradicts itself"),
        ({"drawn_first": 1}, "true or false"),
        ({"seen": None}, "seen is true or false"),
        ({"game": 5}, "contradicts itself"),
    ],
)
def test_a_text_that_contradicts_itself_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        load_session(json.dumps(_saved() | change))


@pytest.mark.parametrize("change", [{"code": None}, {"code": "engine#9x9x10.7.g1.zzzz"}, {"seed": 8}, {"played": []}])
def test_a_game_that_is_not_the_one_played_is_refused(change: dict[str, Any]) -> None:
    document = _saved()
    document["game"] |= change
    if change == {"code": None}:
        document["layout"] = None
    with pytest.raises(RecordError):
        load_session(json.dumps(document))


def test_a_code_of_another_game_is_refused() -> None:
    document = _saved()
    document["game"]["code"] = coded_game("intermediate", seed=7).code
    with pytest.raises(RecordError, match="its code is of other rules"):
        load_session(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": "sapper-session"}', "[" * 100_000])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        load_session(text)


def test_a_piece_left_out_is_damage() -> None:
    for name in _saved():
        document = _saved()
        del document[name]
        with pytest.raises(RecordError):
            load_session(json.dumps(document))


def test_what_is_done_afterwards_is_appended() -> None:
    session, referee = new_session(coded_game("beginner", seed=7), clock=HandClock())
    text, mark = save_session(session, referee) + "\n", SavedMark(0, referee.board.tiles)
    acts: list[Callable[[], object]] = [
        lambda: session.left_click(40), lambda: session.right_click(0), session.undo, session.redo, session.pause,
        session.go_on, session.restart, lambda: session.left_click(40), session.terminate,
    ]  # fmt: skip
    for act in acts:
        update, before = act(), mark
        line, mark = tail_since(session, referee, mark)
        assert line == json.dumps(json.loads(line), separators=(",", ":")) + "\n"
        if isinstance(update, Update) and "pause" not in line.partition("update")[0] and "go on" not in line:
            assert tail_since(session, referee, before, update=update) == (line, mark)
        text += line
        again, other = load_session(text, clock=HandClock())
        assert (other.board, again.status, again.assistance) == (referee.board, session.status, session.assistance)
    for damaged in (
        text.replace('"terminated"', '"lost"'),
        text.replace('"update":["playing",[[', '"update":["playing",[[1,"9"],['),
    ):
        with pytest.raises(RecordError):
            load_session(damaged)
