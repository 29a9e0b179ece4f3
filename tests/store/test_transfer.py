"""A store as one file: out, in, twice, put together, and what is wrong with a line."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.errors import NotationError
from sapper.store.daily import BoardName, find_board, keep_board
from sapper.store.models import GameKind, Result, SavedSession, SessionState, StoredSimulation
from sapper.store.repository import Store, open_store
from sapper.store.transfer import count_lines, export_lines, import_lines
from sapper.web.games.social.making import make_board
from tests.stored import BEGIN, many, stored

RUN = StoredSimulation(
    key="run", kind=GameKind.of(find_preset("expert")), strategy="least-risk", games=3, won=1, lost=2, at=BEGIN, seed=7
)  # fmt: skip
SAVED = SavedSession(
    key="saved", version=1, text="{}", saved=BEGIN, player="ann", title="–", retention="web", inputs=3,
    kind=GameKind.of(find_preset("expert")), state=SessionState(Status.PLAYING, 7, 2, 70, paused=True),
)  # fmt: skip


def test_everything_goes_from_one_store_to_another(store: Store, tmp_path: Path) -> None:
    games = many(60, 5)
    store.record_many(games)
    store.save_sessions([SAVED])
    store.record_simulation(RUN)
    store.record_simulation(replace(RUN, key="listed", kind=None, boards="a list.txt"))
    lines = list(export_lines(store))
    with open_store(tmp_path / "other.db") as other:
        assert import_lines(other, lines) == (60, 1, 2)
        assert list(other.games()) == games
        assert other.sessions() == [SAVED]
        assert other.simulations() == store.simulations()
        assert list(export_lines(other)) == lines
        assert import_lines(other, lines) == (0, 0, 0)


def test_what_is_newer_here_is_kept(store: Store) -> None:
    store.save_sessions([SAVED])
    lines = list(export_lines(store))
    store.save_sessions([replace(SAVED, text="more", saved=BEGIN + timedelta(seconds=1))])
    assert import_lines(store, lines) == (0, 0, 0)
    assert store.sessions()[0].text == "more"
    store.record(stored("saved"))
    assert import_lines(store, lines) == (0, 0, 0)
    assert store.sessions() == []


def test_a_game_that_ended_elsewhere_ends_here(store: Store, tmp_path: Path) -> None:
    store.record(stored(result=Result.PLAYING))
    with open_store(tmp_path / "other.db") as other:
        other.record(stored())
        assert import_lines(store, export_lines(other)).games == 1
    assert [game.result for game in store.games()] == [Result.WON]


_HEAD = '{"format":"sapper-store","version":2}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], ":1:1: the first line of an exported store says"),
        (["[1]"], ":1:1: the first line"),
        (["{" * 5000], ":1:1: the first line"),
        (['{"format":"sapper-store","version":3}'], "this file has version 3; this sapper reads version 2"),
        ([_HEAD, "", "no JSON"], ":3:1: not a line of an exported store"),
        ([_HEAD, '{"letter":{}}'], ":2:1: 'letter' is unknown here"),
        ([_HEAD, '{"game":{}}'], ":2:1: not a line of an exported store: 'guesses'"),
        ([_HEAD, '{"game":5}'], ":2:1: not a line of an exported store"),
        ([_HEAD, '{"game":1,"session":2}'], ":2:1: not a line of an exported store"),
        ([_HEAD], ":1:1: the file was cut short: all 0 values of it are kept"),
        ([_HEAD, '{"end":1}'], ":2:1: lines are missing"),
        ([_HEAD, '{"end":0}', _HEAD], ":3:1: not a line of an exported store"),
    ],
)
def test_what_cannot_be_read_is_named(store: Store, lines: list[str], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        import_lines(store, lines, source="games.jsonl")
    assert message in str(caught.value)


def test_a_value_that_cannot_be_is_named(store: Store) -> None:
    store.record(stored())
    head, line, _ = export_lines(store)
    values = json.loads(line)
    values["game"]["key"] = ""
    with pytest.raises(NotationError, match=":2:1: a game's key is 1 to 64 printable characters"):
        import_lines(store, [head, json.dumps(values)])


def test_a_file_that_was_cut_short_is_kept_as_far_as_it_goes(store: Store, tmp_path: Path) -> None:
    store.record_many(many(5, 6))
    lines = list(export_lines(store))
    with open_store(tmp_path / "other.db") as other:
        with pytest.raises(NotationError, match=":4:1: the file was cut short: all 3 values of it are kept"):
            import_lines(other, lines[:4])
        with pytest.raises(NotationError, match=":6:1: not a line of an exported store"):
            import_lines(other, [*lines[:5], lines[5][:100]])
        assert len(list(other.games())) == 4
        assert import_lines(other, lines) == (1, 0, 0)


def test_lines_are_counted_beforehand(store: Store) -> None:
    assert count_lines(store) == len(list(export_lines(store))) == 2
    store.record_many(many(5, 6))
    assert count_lines(store) == len(list(export_lines(store))) == 7


def test_an_export_leaves_out_what_is_of_a_day_s_board_that_is_not_published(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    kind = GameKind.of(find_preset("beginner"), no_guess=True)
    kind = replace(kind, preset="daily-beginner")
    with open_store(tmp_path / "one.db") as store, open_store(tmp_path / "other.db") as other:
        for key, begun in (("old", now - timedelta(days=3)), ("new", now)):
            keep_board(store, make_board("ab" * 16, BoardName(day=begun.date().isoformat(), size="beginner")))
            store.record(stored(key, kind=kind, started=begun, ended=begun, face="web", player="ann"))
            store.save_sessions(
                [SavedSession(key=f"s{key}", version=1, text="x", saved=begun, player="ann", kind=kind, title="t")]
            )
        lines = list(export_lines(store))
        assert [line for line in lines if '"key":"new"' in line or '"snew"' in line] == []
        assert sum('{"daily":' in line for line in lines) == 1
        import_lines(other, lines)
        name = BoardName(day=(now - timedelta(days=3)).date().isoformat(), size="beginner")
        assert find_board(other, name) == find_board(store, name)
        assert [game.key for game in other.games()] == ["old"]
