"""A store or a journal from before the first release is refused, with what to do; what was exported of it is imported.

`tests/data/stores` has one as its sapper made it (form "third"): an SQLite file, a dump of PostgreSQL, and its own export.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest

from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.session.saving import load_session
from sapper.store.models import SessionState
from sapper.store.repository import Store, open_store
from sapper.store.schema import VERSION_TABLE
from sapper.store.transfer import export_lines, import_lines
from tests.recorded import check_stored

OLD = Path(__file__).parents[1] / "data" / "stores"
LINES = gzip.decompress((OLD / "third.jsonl.gz").read_bytes()).decode().splitlines()
SAID = [json.loads(line) for line in LINES]


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


@pytest.mark.parametrize("read_only", [True, False])
def test_an_old_store_is_refused_with_what_to_do(old_address: str, read_only: bool) -> None:
    with pytest.raises(
        StoreError, match=r"\(form third\): with the sapper that wrote it, `sapper store export FILE`"
    ) as caught:
        open_store(old_address, read_only=read_only)
    assert len(str(caught.value).splitlines()) == 1


def test_a_store_of_the_form_before_this_one_is_refused_with_what_to_do(address: str) -> None:
    """It has no table of what games lost and none of devices, and its games do not say whether flags were counted."""
    with open_store(address) as store, store.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = 'one'")
    with pytest.raises(StoreError, match=r"\(form one\): with the sapper that wrote it, `sapper store export FILE`"):
        open_store(address)


def test_a_journal_of_before_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()
    folder = tmp_path / "games.db.journal"
    folder.mkdir()
    open_store(path).close()
    (folder / "4711-9f-1.jsonl").write_text("a line", encoding="utf-8")
    with pytest.raises(StoreError, match=r"games\.db\.journal: games of a sapper from before the first release"):
        open_store(path)


def _values(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line[kind] for line in lines if kind in line]


def test_what_an_old_release_exported_is_imported(store: Store) -> None:
    assert import_lines(store, LINES).games == len(_values(SAID, "game"))
    now = [json.loads(line) for line in export_lines(store)]
    for kind in ("game", "simulation"):
        before, after = _values(SAID, kind), _values(now, kind)
        assert len(before) == len(after) > 0
        for one, other in zip(before, after, strict=True):
            assert {name: other[name] for name in one} == one
    for number in range(6):
        game = store.find_game(f"whole-{number}")
        assert game is not None
        check_stored(game)  # a record of version 1
    (saved,) = store.sessions()
    session, referee = load_session(saved.text)
    assert (session.is_paused, session.input_count, saved.player, saved.title) == (True, saved.inputs, "bob", "a game")
    assert saved.kind is not None
    assert (saved.kind.rules, saved.kind.width, saved.kind.mine_count) == (referee.rules, 9, 10)


def test_a_saved_game_of_the_web_keeps_what_lists_said_of_it(store: Store) -> None:
    (saved,) = _values(SAID, "session")
    summary = {
        "title": "Beginner", "preset": "beginner", "rules": "modern", "width": 9, "height": 9, "mines": 10, "no_guess": False,
        "status": "playing", "time": 21, "flags": 1, "covered": 40, "paused": True,
    }  # fmt: skip
    tail = json.dumps({"inputs": [[21, "pause", 0]], "update": ["playing", []], "elapsed": 21})
    text = f"{saved['text']}\n{tail}\n"
    line = {"session": {**saved, "text": text, "retention": "web playing", "summary": json.dumps(summary)}}
    del line["session"]["shelf"]
    import_lines(store, ['{"format":"sapper-store","version":1}', json.dumps(line), '{"end":1}'])
    (found,) = store.sessions()
    assert (found.text, found.inputs, found.retention) == (text, 4, "web")
    assert found.kind is not None
    assert (found.kind.preset, found.state) == ("beginner", SessionState(Status.PLAYING, 21, 1, 40, paused=True))
