"""A store of an old release (form "third") is brought up to date with all that was in it, on both databases.

`tests/data/stores` has it as that release made it: an SQLite file, a dump of PostgreSQL, and its own export of what is in it.
"""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest

from sapper.session.saving import load_session
from sapper.store.filters import Filter
from sapper.store.game_list import GameQuery
from sapper.store.models import Category, Result
from sapper.store.repository import Store, open_store
from sapper.store.statistics import count_games
from sapper.store.transfer import export_lines, import_lines
from tests.recorded import check_stored
from tests.stored import stored

OLD = Path(__file__).parents[1] / "data" / "stores"
SAID = [json.loads(line) for line in gzip.decompress((OLD / "third.jsonl.gz").read_bytes()).decode().splitlines()]
_RENAMED = {"shelf": "retention"}


def _of(kind: str) -> list[dict[str, Any]]:
    return [line[kind] for line in SAID if kind in line]


@pytest.fixture(params=["sqlite", "postgresql"])
def old_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        path = tmp_path / "games.db"
        path.write_bytes(gzip.decompress((OLD / "third.db.gz").read_bytes()))
        return str(path)
    address: str = request.getfixturevalue("postgres_address")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(gzip.decompress((OLD / "third.sql.gz").read_bytes()))
    return address


def _check(store: Store) -> None:
    """Every value that the old release told is there."""
    now = [json.loads(line) for line in export_lines(store)]
    for kind in ("game", "session", "simulation"):
        before, after = _of(kind), [line[kind] for line in now if kind in line]
        assert len(before) == len(after) > 0
        for one, other in zip(before, after, strict=True):
            assert {name: other[_RENAMED.get(name, name)] for name in one} == one


def test_an_old_store_is_brought_up_to_date(old_address: str, tmp_path: Path) -> None:
    copies: list[Path] = []
    with open_store(old_address, on_copy=copies.append) as store:
        _check(store)
        games = _of("game")
        ended = [one for one in games if one["result"] != "playing"]
        page = store.list_games(GameQuery(), most=500)
        assert Counter(one.key for one in page.games) == Counter(one["key"] for one in ended)
        anns = store.list_games(GameQuery(player="ann", result=Result.WON), most=500).games
        assert [one.key for one in anns] == [
            one["key"]
            for number, one in sorted(enumerate(ended), key=lambda pair: (pair[1]["ended"], pair[0]), reverse=True)
            if (one["player"], one["result"]) == ("ann", "won")
        ]
        counts = [count_games(store, Filter(category=category)) for category in Category]
        assert sum(played for played, _ in counts) == len(games)
        assert sum(won for _, won in counts) == sum(one["result"] == "won" for one in games)
        for number in range(6):
            game = store.find_game(f"whole-{number}")
            assert game is not None
            check_stored(game)  # a record of version 1
        (saved,) = store.sessions()
        session, _ = load_session(saved.text)
        assert session.is_paused
        assert store.record(stored("new"))
    with open_store(old_address, on_copy=copies.append) as store:
        assert store.find_game("new") is not None
    if not old_address.startswith("postgresql"):
        (copy,) = copies
        assert copy == tmp_path / "games.db.third.backup"
        with open_store(copy) as before:
            _check(before)


def test_what_an_old_release_exported_is_imported(store: Store) -> None:
    lines = gzip.decompress((OLD / "third.jsonl.gz").read_bytes()).decode().splitlines()
    assert import_lines(store, lines).games == len(_of("game"))
    _check(store)
