"""Games that have ended: seen, judged, shared, listed; and positions: looked into, played on from. And never a mine too early."""

import asyncio
import itertools
import json
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.main import main
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.record_binary import pack_record
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.game_code import CodedGame
from sapper.generator.layout_spec import LayoutSpec
from sapper.store.repository import open_store
from sapper.web.games import reviewing
from sapper.web.games.messages import LeftRequest, RestartRequest, ServerMessage, TerminateRequest, UndoRequest
from sapper.web.http.context import AppContext
from tests.game_page import GARDEN
from tests.recordings import some_game, write_avf, write_evf
from tests.web.http.test_endpoints import _fits, _wait_until_it_thinks
from tests.web_app import ANN, BOB, Visitor, open_app

MASKED = "9x9n10:4,4,m750a781f936c7f3d39ec8"


class Deaf:
    """Somebody who is told, and does not listen."""

    def send(self, message: ServerMessage, /) -> None:
        """Hear nothing."""


def _run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 180))


async def _play(context: AppContext, name: str, *requests: Any) -> None:
    live = await context.registry.find(ANN, name)
    assert live is not None
    for request in requests:
        live.do(request, Deaf())


async def _lost(context: AppContext, ann: Visitor) -> str:
    """A game of ann's on the garden that meets a mine in its second move; its live game's name."""
    made = await ann("POST", "/api/games", json.dumps({"code": GARDEN.code}).encode())
    name: str = made.json["game"]
    await _play(context, name, LeftRequest(cell=(5, 0)), LeftRequest(cell=(4, 3)))
    return name


async def test_a_game_is_looked_through_by_its_player_and_by_others_if_it_is_shared(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        async with open_app(store) as (context, ann):
            await _wait_until_it_thinks(context)
            bob = Visitor(ann.app, BOB, "10.0.0.2")
            key = f"{await _lost(context, ann)}.0"
            seen = await ann("GET", f"/api/played/{key}")
            _fits(seen, "get", "/api/played/{id}")
            game = seen.json
            assert (game["status"], game["own"], game["shared"], game["hidden"]) == ("lost", True, False, False)
            assert [(one["action"], one["cell"]) for one in game["moves"]] == [("reveal", [5, 0]), ("reveal", [4, 3])]
            assert game["mined"] == [list(cell) for cell in GARDEN.mines]
            assert game["code"] == GARDEN.code
            assert game["assisted"]
            review = await ann("GET", f"/api/played/{key}/review")
            _fits(review, "get", "/api/played/{id}/review")
            assert review.json["complete"]
            assert len(review.json["moves"]) == 2
            last = review.json["moves"][-1]
            assert last["verdict"] in ("needless guess", "certain mine", "wrong guess", "right guess")
            assert last["risk"] > 0
            assert review.json["win_last"] == 0
            # The second answer is the first one.
            assert (await ann("GET", f"/api/played/{key}/review")).body == review.body
            for path in (f"/api/played/{key}", f"/api/played/{key}/review"):
                assert (await bob("GET", path)).status == 404
            assert (await bob("PUT", f"/api/played/{key}/shared", b'{"shared": true}')).status == 404
            shared = await ann("PUT", f"/api/played/{key}/shared", b'{"shared": true}')
            _fits(shared, "put", "/api/played/{id}/shared")
            others = (await bob("GET", f"/api/played/{key}")).json
            assert (others["own"], others["shared"]) == (False, True)
            assert (await bob("GET", f"/api/played/{key}/review")).body == review.body
            # Who is shown a game may show it to nobody, nor take it away.
            assert (await bob("PUT", f"/api/played/{key}/shared", b'{"shared": false}')).status == 404
            await ann("PUT", f"/api/played/{key}/shared", b'{"shared": false}')
            assert (await bob("GET", f"/api/played/{key}")).status == 404
            assert store.find_note(f"shared {key}") is None
            for name in ("nothing.0", "x" * 65, key.partition(".")[0]):
                assert (await ann("GET", f"/api/played/{name}")).status == 404


async def test_the_mines_are_kept_back_while_the_board_is_played_again(tmp_path: Path) -> None:
    """From everybody, whether it was started over or the loss undone, in memory or put away; what was seen on the way stays."""
    with open_store(tmp_path / "games.db") as store:
        async with open_app(store) as (context, ann):
            await _wait_until_it_thinks(context)
            bob = Visitor(ann.app, BOB, "10.0.0.2")
            undone, restarted = await _lost(context, ann), await _lost(context, ann)
            for name in (undone, restarted):
                whole = (await ann("GET", f"/api/played/{name}.0")).json
                assert len(whole["mined"]) == 2
                await ann("PUT", f"/api/played/{name}.0/shared", b'{"shared": true}')
            await _play(context, undone, UndoRequest())
            await _play(context, restarted, RestartRequest())

            async def look() -> None:
                for name in (undone, restarted):
                    for visitor in (ann, bob):
                        game = (await visitor("GET", f"/api/played/{name}.0")).json
                        assert (game["hidden"], game["mined"], game["code"]) == (True, None, None)
                        assert (game["bbbv"], game["solved_bbbv"]) == (None, None)
                        assert len(game["moves"]) == 2
                        # No covered mine is told by anything: the other layout would give the same bytes.
                        assert "[1,1]" not in json.dumps(game["moves"], separators=(",", ":"))
                        review = await visitor("GET", f"/api/played/{name}.0/review")
                        assert review.status == 200

            await look()
        # The server stops: the games are put away, and still not over.
        async with open_app(store) as (context, again):
            await _wait_until_it_thinks(context)
            ann, bob = again, Visitor(again.app, BOB, "10.0.0.2")
            await look()
            await _play(context, undone, TerminateRequest())
            await _play(context, restarted, LeftRequest(cell=(5, 0)))
            assert (await ann("GET", f"/api/played/{undone}.0")).json["hidden"] is False
            assert (await bob("GET", f"/api/played/{restarted}.0")).json["hidden"] is True
            await _play(context, restarted, TerminateRequest())
            assert len((await bob("GET", f"/api/played/{restarted}.0")).json["mined"]) == 2


async def test_finished_games_are_listed_a_page_at_a_time(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        async with open_app(store) as (context, ann):
            names = [await _lost(context, ann) for _ in range(27)]
            made = await ann("POST", "/api/games", b'{"preset": "beginner"}')
            await _play(context, made.json["game"], LeftRequest(cell=(4, 4)), TerminateRequest())
            assert (await ann("GET", f"/api/played/{made.json['game']}.0")).status == 200
            first = await ann("GET", "/api/played")
            _fits(first, "get", "/api/played")
            assert first.json["more"]
            games = first.json["games"]
            assert len(games) == 25
            assert (games[0]["preset"], games[0]["status"]) == ("beginner", "terminated")
            rest = (await ann("GET", "/api/played", query=f"after={games[-1]['game']}")).json
            assert not rest["more"]
            listed = [one["game"] for one in games[1:] + rest["games"]]
            assert listed == [f"{name}.0" for name in reversed(names)]
            for query, count in (
                ("preset=beginner", 1), ("preset=custom", 25), ("result=lost", 25), ("result=won", 0), ("until=5", 0), (f"since={games[0]['ended']}&result=terminated", 1),
            ):  # fmt: skip
                found = (await ann("GET", "/api/played", query=query)).json["games"]
                assert len(found) == count, query
            bob = Visitor(ann.app, BOB)
            assert (await bob("GET", "/api/played")).json == {"games": [], "more": False}
            assert (await ann("GET", "/api/played", query="result=drawn")).status == 400


async def test_positions_that_went_wrong(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        async with open_app(store) as (context, ann):
            await _wait_until_it_thinks(context)
            assert (await ann("GET", "/api/practice")).json == {"positions": [], "games": 0, "after": None}
            name = await _lost(context, ann)
            assert (await ann("GET", f"/api/played/{name}.0")).status == 200
            found = await ann("GET", "/api/practice")
            _fits(found, "get", "/api/practice")
            (wrong,) = found.json["positions"]
            assert (wrong["game"], wrong["move"], wrong["chosen"]) == (f"{name}.0", 2, [4, 3])
            assert wrong["right"]
            assert wrong["chosen"] not in wrong["right"]
            assert "*" not in "".join(wrong["board"])
            # Each cell that may be picked has its own chance; nothing is said of the move that was made.
            chances = {(x, y): chance for x, y, chance in wrong["chances"]}
            covered = {(x, y) for y, row in enumerate(wrong["board"]) for x, tile in enumerate(row) if tile == "#"}
            assert chances.keys() == covered
            assert all(chances[x, y] == 0 for x, y in wrong["right"])
            assert chances[4, 3] > 0
            assert wrong["steps"][-1]["safe"]


async def test_imported_recordings_are_the_players_games_too(tmp_path: Path) -> None:
    """Listed, shown, reviewed, and asked about again where they went wrong; for nobody else."""
    (tmp_path / "game.avf").write_bytes(write_avf(some_game()))
    database = str(tmp_path / "games.db")
    assert main(["store", "--database", database, "import", str(tmp_path / "game.avf"), "--player", ANN]) == 0
    with open_store(database) as store:
        async with open_app(store) as (context, ann):
            await _wait_until_it_thinks(context)
            (listed,) = (await ann("GET", "/api/played")).json["games"]
            assert (listed["status"], listed["has_moves"]) == ("lost", True)
            key = listed["game"]
            seen = await ann("GET", f"/api/played/{key}")
            _fits(seen, "get", "/api/played/{id}")
            assert (seen.json["status"], seen.json["own"], len(seen.json["moves"])) == ("lost", True, 4)
            review = await ann("GET", f"/api/played/{key}/review")
            assert review.json["moves"][-1]["verdict"] == "certain mine"
            found = await ann("GET", "/api/practice")
            _fits(found, "get", "/api/practice")
            (wrong,) = found.json["positions"]
            assert (wrong["game"], wrong["move"], wrong["chosen"]) == (key, 4, [5, 0])
            bob = Visitor(ann.app, BOB, "10.0.0.2")
            assert (await bob("GET", f"/api/played/{key}")).status == 404
            assert (await bob("GET", "/api/practice")).json["positions"] == []


async def test_positions_of_every_kind_are_looked_into() -> None:
    async with open_app() as (context, ann):
        await _wait_until_it_thinks(context)

        async def ask(text: str, **more: Any) -> Any:
            answer = await ann("POST", "/api/positions", json.dumps({"text": text, **more}).encode())
            _fits(answer, "post", "/api/positions")
            return answer.json

        stuck = await ask("6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n")
        assert (stuck["source"], stuck["layouts"], stuck["contradiction"]) == ("board", "3", None)
        assert stuck["steps"][-1]["technique"] == "guess"
        best = stuck["analysis"]["candidates"][0]
        assert best["win"] == pytest.approx(2 / 3)
        assert stuck["analysis"]["win"] == pytest.approx(2 / 3)
        game_id = await ask(MASKED)
        assert (game_id["source"], game_id["mine_count"]) == ("game id", 10)
        assert game_id["board"][4][4] == "."
        code = await ask(GARDEN.code)
        assert (code["source"], code["board"]) == ("code", ["######"] * 5)
        spec = LayoutSpec(grid=Grid(16, 16), mine_count=40, start=Start.OPEN, first=Cell(34), no_guess=True)
        sure = CodedGame(rules=RULES["modern"], grid=spec.grid, mine_count=40, first=Cell(34), seed=5, spec=spec)
        kaboom = CodedGame(rules=RULES["modern"], grid=Grid(16, 16), mine_count=40, seed=5, kaboom=True)
        for promised in (sure, kaboom):  # what a code promises is known of its board
            analysis = (await ask(promised.code))["analysis"]
            assert (analysis["win"], analysis["win_low"], analysis["win_high"]) == (1, 1, 1)
        wrong = await ask("3x3/4\n###\n#1#\n###\n")
        assert wrong["analysis"] is None
        assert wrong["contradiction"]["clues"] == [[1, 1]]
        for text in ("hello", "9x9n10#12", "101x100/1\n" + ("#" * 101 + "\n") * 100, "##\n##"):
            assert "message" in (await ask(text))["error"]


async def test_a_position_is_played_on_from_on_mines_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is generated is any layout that fits, so that the page of the game it is from tells nothing of it."""
    seeds = itertools.count()
    monkeypatch.setattr(secrets, "randbits", lambda _: next(seeds))
    with open_store(tmp_path / "games.db") as store:
        async with open_app(store) as (context, ann):
            await _wait_until_it_thinks(context)
            board = "...1##\n...13#\n....2#\n221.1#\n##2111\n###1##"
            layouts, name = set(), ""
            for _ in range(24):
                made = await ann("POST", "/api/practice", json.dumps({"board": board, "mine_count": 8}).encode())
                _fits(made, "post", "/api/practice")
                state = made.json["state"]
                assert (state["status"], state["board"]) == ("playing", board.split("\n"))
                assert state["assistance"]["practice"]
                name = made.json["game"]
                assert "*" not in made.body.decode()
                live = await context.registry.find(ANN, name)
                assert live is not None
                layout = live.game.referee.layout
                assert layout is not None
                layouts.add(layout.mines.mask)
                if len(layouts) == 3:
                    break
                await _play(context, name, TerminateRequest())
            assert len(layouts) == 3
            # It counts as assisted, also when the server was stopped meanwhile.
            await context.registry.find(ANN, name)
        async with open_app(store) as (context, ann):
            state = (await ann("GET", f"/api/games/{name}")).json
            assert (state["assistance"]["practice"], state["status"]) == (True, "playing")
            for body in (
                {"board": "1#\n##", "mine_count": 4}, {"board": "..\n..", "mine_count": 0}, {"board": "#1\n11", "mine_count": 1}, {"board": "#1", "mine_count": 1, "rules": "no"}, {"board": "X1", "mine_count": 1},
            ):  # fmt: skip
                refused = await ann("POST", "/api/practice", json.dumps(body).encode())
                assert refused.status == 400, body
                _fits(refused, "post", "/api/practice")


async def test_a_recording_is_reviewed_and_not_kept(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        async with open_app(store) as (context, ann):
            await _wait_until_it_thinks(context)
            avf = write_avf(some_game())
            answer = await ann("POST", "/api/recordings", avf)
            _fits(answer, "post", "/api/recordings")
            game, review = answer.json["game"], answer.json["review"]
            assert (game["format"], game["game"], game["hidden"]) == ("avf", None, False)
            assert len(review["moves"]) == len(game["moves"]) > 1
            assert (await ann("GET", "/api/played")).json["games"] == []
            name = await _lost(context, ann)
            assert (await ann("GET", f"/api/played/{name}.0")).status == 200
            kept = store.find_game(f"{name}.0")
            assert kept is not None
            assert kept.record is not None
            ours = (await ann("POST", "/api/recordings", kept.record.encode())).json
            assert (ours["game"]["format"], ours["game"]["status"]) == ("sapper", "lost")
            packed = pack_record(Record.from_json(kept.record))
            assert (await ann("POST", "/api/recordings", packed)).json == ours
            for data, status, words in (
                (b"nothing", 400, "not a recording of a known format"), (b"{}", 400, "sapper-record"), (avf[:60], 400, ""), (write_evf(replace(some_game(), claimed_result="won"), 4), 400, "the file says won; the replay shows lost: this is not"), (packed[:-9], 400, "record"), (b"\0" * (1024 * 1024 + 1), 413, "at most 1048576 bytes"),
            ):  # fmt: skip
                refused = await ann("POST", "/api/recordings", data)
                assert refused.status == status
                assert words in refused.json["error"]["message"]
                _fits(refused, "post", "/api/recordings")


def test_a_review_that_takes_too_long_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Record.from_json(_played_record()).to_json()
    monkeypatch.setattr(reviewing, "REVIEW_TIME", -1)
    found = json.loads(reviewing.review_json(text))
    assert (found["complete"], len(found["moves"])) == (False, 1)


def _played_record() -> str:
    rules = RULES["modern"].replace(start=Start.ANY)
    referee = Referee(rules=rules, source=FixedLayout(GARDEN.layout))
    played = tuple(
        TimedMove(at, Move.reveal(Cell(cell)), referee.play(Move.reveal(Cell(cell)))) for at, cell in ((0, 5), (9, 22))
    )
    assert referee.status is Status.LOST
    return Record(rules=rules, grid=GARDEN.grid, mine_count=2, mines=GARDEN.layout.mines, played=played).to_json()
