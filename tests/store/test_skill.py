"""Skill without luck: what counts, what it comes to, and that a rank is a row that is always up to date."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, insert, select

from sapper.core.preset import PRESETS
from sapper.metrics.interval import mean_at_most
from sapper.store import schema, social_schema
from sapper.store.models import GameKind, Result, StoredGame
from sapper.store.names import join_players
from sapper.store.rankings import SKILL, read_ranking, rebuild_ranks
from sapper.store.repository import Store, open_store
from sapper.store.settling import decide_game
from sapper.store.skill import (
    FEWEST,
    LAST,
    BoardSkill,
    JudgedGame,
    abandoned_games,
    keep_cost,
    skill_of,
    waiting_game,
    waiting_keys,
)
from tests.stored import BEGIN

KIND = GameKind.of(PRESETS["beginner"])
RECORD = "{}"
"""Of games whose moves nobody looks at."""


def _game(number: int, player: str = "ann", **changes: Any) -> StoredGame:
    when = BEGIN + timedelta(minutes=number)
    values: dict[str, Any] = {
        "kind": KIND,
        "result": Result.LOST,
        "started": when,
        "ended": when,
        "face": "web",
        "record": RECORD,
    }
    return StoredGame(key=f"{player}{number}.0", player=player, **(values | changes))


def _keep(store: Store, game: StoredGame, lost: float | None, doubt: str | None = None) -> None:
    store.apply([game])
    keep_cost(store, game, JudgedGame(lost, doubt))


def _name(store: Store, player: str) -> None:
    number = select(schema.players.c.id).where(schema.players.c.name == player).scalar_subquery()
    row = {"player_id": number, "name": player, "skeleton": player, "seen": 0}
    store.change(lambda connection, _: connection.execute(insert(social_schema.player_names).values(row)))


def _rank(store: Store) -> list[tuple[str, float, str]]:
    page = read_ranking(store, "beginner", SKILL, "day", BEGIN)
    return [(row.name, row.value, row.game) for row in page.rows]


def test_what_waits(store: Store) -> None:
    helped: dict[str, Any] = {"result": Result.PLAYING, "hints": 1}
    store.apply([
        _game(1), _game(2, result=Result.WON), _game(3, result=Result.TERMINATED),
        _game(4, hints=1), _game(5, record=None), _game(6, face="server"), _game(7, kind=GameKind.of(PRESETS["kata"])),
        _game(8, result=Result.PLAYING, record=None), _game(9, restarted=True), _game(12, aided=True),
    ])  # fmt: skip
    # Given up by a hint, after help that says nothing of choices or without; in a transaction of its own, or in that of the end.
    store.apply([_game(10, result=Result.PLAYING, record=None)])
    store.apply([_game(10, result=Result.PLAYING, record=None, aided=True)])
    store.apply([_game(10, **helped)])
    store.apply([_game(10, result=Result.WON, hints=1, record="all of it")])
    store.apply([_game(11, **helped), _game(11, result=Result.WON, hints=1, record="all of it")])
    waiting = [waiting_game(store, key) for _, key in waiting_keys(store)]
    found = sorted((game for game in waiting if game is not None), key=lambda game: int(game.key[3:-2]))
    assert [game.key for game in found] == [f"ann{number}.0" for number in (1, 2, 3, 10, 11, 12)]
    assert [(game.result, game.record) for game in found[3:5]] == [(Result.PLAYING, RECORD)] * 2
    assert [key for _, key in waiting_keys(store, latest=True, most=1)] == ["ann11.0"]
    whole = store.find_game("ann10.0")
    assert whole is not None
    assert (whole.result, whole.record) == (Result.WON, "all of it")
    keep_cost(store, found[0], JudgedGame(0.25))
    keep_cost(store, found[1], JudgedGame(None))
    keep_cost(store, found[0], JudgedGame(0.5))  # it was kept already
    assert waiting_game(store, found[0].key) is None
    assert skill_of(store, "ann") == [BoardSkill(board="beginner", games=1, mean=0.25, bound=mean_at_most(0.25, 1))]
    assert skill_of(store, "nobody") == []
    store.apply([_game(1)])  # said again, as after a commit that was not heard of
    assert len(waiting_keys(store)) == 4


def test_a_rank_is_of_the_last_games_and_needs_some(store: Store) -> None:
    for number in range(FEWEST):
        assert _rank(store) == []
        _keep(store, _game(number), 1.0)
        if not number:
            _name(store, "ann")
    assert _rank(store) == [("ann", 1.0, f"ann{FEWEST - 1}.0")]
    for number in range(FEWEST, FEWEST + LAST):
        _keep(store, _game(number), 0.125)
    _keep(store, _game(1000, result=Result.PLAYING, hints=1), 0.125)
    name, value, game = _rank(store)[0]
    assert (name, game) == ("ann", f"ann{FEWEST + LAST - 1}.0")  # the one with a hint is nobody's to see
    assert value == pytest.approx(mean_at_most(0.125, LAST), abs=1e-6)
    (skill,) = skill_of(store, "ann")
    assert (skill.games, skill.mean) == (LAST, 0.125)
    store.change(lambda connection, numbers: rebuild_ranks(connection, numbers.name(schema.players, "ann") or 0))
    assert len(_rank(store)) == 1  # what is made anew for the other measures leaves this one
    store.delete_player("ann")
    assert _rank(store) == []
    with store.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(social_schema.game_costs)) == 0


def test_what_an_operator_decides_changes_it(store: Store) -> None:
    for number in range(FEWEST - 1):
        _keep(store, _game(number), 0.5)
    doubted = _game(FEWEST)
    _keep(store, doubted, 0.0, "the moves come within 5 ms")
    _name(store, "ann")
    assert _rank(store) == []
    assert decide_game(store, doubted.key, accept=True)
    assert len(_rank(store)) == 1
    (skill,) = skill_of(store, "ann")
    assert skill.games == FEWEST
    assert skill.mean == pytest.approx(0.5 * (FEWEST - 1) / FEWEST, abs=1e-6)
    assert decide_game(store, doubted.key, accept=False)
    (skill,) = skill_of(store, "ann")
    assert skill.games == FEWEST
    assert skill.mean == pytest.approx((0.5 * (FEWEST - 1) + 1) / FEWEST, abs=1e-6)
    assert [game for _, _, game in _rank(store)] != [doubted.key]


@pytest.mark.parametrize("state", ["held", "refused"])
def test_a_doubt_takes_only_a_good_result_away(store: Store, state: str) -> None:
    """Bad games at a machine's pace count while they wait for the operator; good ones do not."""
    for number in range(40):
        _keep(store, _game(number), 0.0)
    for number in range(40, 80):
        _keep(store, _game(number, "bob"), 0.5)
    for number in range(80, 120):
        _keep(store, _game(number), 1.0, "21 moves within a second")
        _keep(store, _game(number, "bob"), 0.0, "21 moves within a second")
        if state == "refused":
            assert decide_game(store, f"ann{number}.0", accept=False)
            assert decide_game(store, f"bob{number}.0", accept=False)
    (ann,), (bob,) = skill_of(store, "ann"), skill_of(store, "bob")
    assert (ann.games, ann.mean) == (80, 0.5)
    assert (bob.games, bob.mean) == ((40, 0.5) if state == "held" else (80, 0.75))
    for number in range(40):
        _keep(store, _game(number, "machine"), 0.0, "21 moves within a second")
    assert skill_of(store, "machine") == []


def test_games_that_join_do_not_count(store: Store) -> None:
    """Who plays each game as another visitor, and takes up the good ones only, gets nothing by it; nor by an unfinished one that stands well."""
    for number in range(60):
        _keep(store, _game(number, f"visitor{number}"), 0.0 if number % 2 else 1.0)
    store.apply([_game(60, "visitor60", result=Result.PLAYING, record=None), _game(61, "visitor61")])
    _keep(store, _game(100), 0.25)
    _name(store, "ann")
    for number in (*range(1, 60, 2), 60, 61):
        join_players(store, f"visitor{number}", "ann")
    assert _rank(store) == []
    assert waiting_keys(store) == []
    assert abandoned_games(store, BEGIN + timedelta(days=3)) == []
    store.apply([_game(60, "visitor60").replace(player="ann")])
    assert waiting_keys(store) == []
    assert skill_of(store, "ann") == [BoardSkill(board="beginner", games=1, mean=0.25, bound=mean_at_most(0.25, 1))]
    assert len(store.latest_games("ann", 100)) == 33


def test_games_that_nobody_ends(store: Store) -> None:
    begun: dict[str, Any] = {"result": Result.PLAYING, "record": None}
    store.apply([_game(1, **begun), _game(2, **begun), _game(3, hints=1, **begun), _game(4, face="tui", **begun)])
    store.apply([_game(1, result=Result.LOST)])
    day_after = BEGIN + timedelta(days=1, minutes=2)
    assert abandoned_games(store, day_after) == []
    later = day_after + timedelta(milliseconds=1)
    (game,) = abandoned_games(store, later)
    assert game.key == "ann2.0"
    assert abandoned_games(store, later, since=BEGIN + timedelta(minutes=3)) == []
    keep_cost(store, game, JudgedGame(0.5), abandoned=later)
    assert abandoned_games(store, later) == []
    store.apply([_game(2, result=Result.WON)])  # too late: it was lost
    assert [key for _, key in waiting_keys(store)] == ["ann1.0"]
    (skill,) = skill_of(store, "ann")
    assert (skill.games, skill.mean) == (1, 0.5)


def test_two_processes_that_keep_at_once_miss_nothing(address: str) -> None:
    with open_store(address) as store:
        games = [_game(number) for number in range(FEWEST)]
        store.apply(games)
        _name(store, "ann")

        def keep(some: list[StoredGame]) -> None:
            with open_store(address) as other:
                for game in some:
                    keep_cost(other, game, JudgedGame(0.5))

        threads = [threading.Thread(target=keep, args=(games[part::2],)) for part in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(_rank(store)) == 1


def test_what_waits_is_found_by_its_own_index(store: Store) -> None:
    statements: list[Any] = []
    event.listen(store.engine, "before_cursor_execute", lambda *call: statements.append(call[2:4]))
    waiting_keys(store)
    waiting = next((text, values) for text, values in statements if "game_costs" in text)
    if store.address.path is None:  # which scans small tables
        with store.reading() as connection:
            query = "SELECT indexdef FROM pg_indexes WHERE indexname = 'costs_waiting'"
            assert connection.exec_driver_sql(query).scalar_one().endswith("WHERE waits")
        return
    with store.reading() as connection:
        plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {waiting[0]}", waiting[1]))
    assert "costs_waiting" in plan, plan
