"""Plays for a better place in "skill without luck" than the play deserves, over real sockets, and looks whether a game was left out for it.

    .venv/bin/python fuzz/forged_skill.py                 # 1,020 games, the server killed ten times in between
    .venv/bin/python fuzz/forged_skill.py --count 60 --kills 1 --seed 7

Each player plays thirty games of Beginner: ten well, at a hand's pace, and twenty of which the chance to win is thrown away, each in a way that
might have it left out. Ways:

- `thrown`: it just opens a mine; `machine`: at a machine's pace, so that an operator is asked; `aid`: marked as helped with flags
- `left`, `paused`, `hidden`: nobody ends it, and a day passes; `unheard`: the connection is closed before the mine is answered
- `up`: given up; `restart`: started over, with the mines known; `undo`: the mine is taken back, and the game won; `hint`: help before the mine
- `two`: a second socket has the chances shown, the first wins
- `seed`, `chances`: won on a board whose mines are known, or with the chances shown before the first reveal
- `visitor`: another visitor wins, who then joins the player by the recovery phrase

A game of the last two rows must not count at all. Every other must have cost half of the chance to win at least, or all that could be lost where the first reveal left less.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select, update
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.forged import HAND, Cheat, Seat, seat
from fuzz.told import ENDED
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.solver.analysis import analyse
from sapper.solver.win import win_chance
from sapper.store import schema, social_schema
from sapper.store.models import Result
from sapper.store.rankings import ABANDONED, LOST_PARTS
from sapper.store.repository import Store, open_store
from sapper.store.skill import skill_of
from tests.web_process import WebProcess, web_process

BOARD: Final = "beginner"
WELL, BADLY = 10, 20
"""Games of each player."""
LEAST: Final = 0.5
"""The chance to win that a thrown game has lost at least, if it had that."""
ROUGH: Final = 0.05
"""By how much two estimates of a chance to win may differ."""
JUDGED_WITHIN: Final = 1800.0
"""Seconds until all games are judged."""
PATIENT: Final = 60
"""Times that something is asked for that a busy server refuses, a second apart."""
SIDE_BY_SIDE: Final = 8
"""Players who play at a time: of more at once, a small machine refuses half of the new games."""
GIVEN_UP: Final = 60.0
"""Seconds without a judgement after which none is waited for."""
COSTLY: Final = (
    "thrown", "machine", "aid", "left", "paused", "hidden", "unheard", "up", "restart", "undo", "hint", "two",
)  # fmt: skip
WORTHLESS: Final = ("seed", "chances", "visitor")
WAYS: Final = (*COSTLY, *WORTHLESS)


class RefusedError(Exception):
    """The server is too busy."""


def _worst(one: Seat) -> Cell:
    covered = [cell for cell in map(Cell, range(one.board.grid.size)) if not one.board.tile(cell).is_clue]
    return max(covered, key=analyse(one.board).risk)


class SkillCheat(Cheat):
    """A player who plays some games well, and throws the others away in one way."""

    def __init__(self, port: int, seed: int, way: str) -> None:
        super().__init__(port, seed)
        self.way = way
        self.plan = ["well"] * WELL + [way] * BADLY
        self.rng.shuffle(self.plan)
        self.costly: list[str] = []
        """Keys of games that must have cost a lot."""
        self.stake: dict[str, tuple[Board, float]] = {}
        """Of each of these games the board before it was thrown away, and the chance that the mine that was chosen is none."""
        self.worthless: list[str] = []
        """Keys of games that must not count."""
        self.well: list[str] = []

    async def next(self) -> None:
        """The next game of the plan; one that a kill broke off is a game that was left."""
        way = self.plan[-1]
        options = {"seed": self.rng.getrandbits(60)} if way == "seed" else {}
        try:
            game = "" if way == "visitor" else await self.new(preset=BOARD, no_guess=False, **options)
        except ConnectionError as error:
            raise RefusedError(str(error)) from error
        if way == "visitor":
            return await self._visitor()
        self.plan.pop()
        kept = self.well if way == "well" else self.costly if way in COSTLY else self.worthless
        async with seat(self, game) as one:
            if way == "chances":
                await one.do({"do": "overlay", "on": True})
            await one.do({"do": "reveal", "cell": [4, 4]})
            if one.status not in ENDED:  # it may be won by one reveal, and then no choice was left
                kept.append(f"{game}.0")
                self.stake[f"{game}.0"] = one.board, 0.0
                await getattr(self, f"by_{way}")(one)
        return None

    async def by_well(self, one: Seat) -> None:
        await one.play(pace=HAND / 2)

    by_seed = by_chances = by_well

    async def by_thrown(self, one: Seat) -> None:
        if self.way != "hint":  # with help all is lost
            self.stake[self.costly[-1]] = one.board, 1 - analyse(one.board).risk(_worst(one))
        while one.status not in ENDED:
            await one.do({"do": "reveal", "cell": list(one.board.grid.xy(_worst(one)))})

    async def by_machine(self, one: Seat) -> None:
        for cell in analyse(one.board).safe:
            if one.status not in ENDED and not one.board.tile(cell).is_clue:
                await one.do({"do": "reveal", "cell": list(one.board.grid.xy(cell))})
        if one.status not in ENDED:
            await self.by_thrown(one)
        else:
            self.costly.pop()

    async def by_aid(self, one: Seat) -> None:
        await one.do({"do": "aid"})
        await self.by_thrown(one)

    async def by_left(self, one: Seat) -> None:
        """Close the page."""

    async def by_paused(self, one: Seat) -> None:
        await one.do({"do": "pause"})

    async def by_hidden(self, one: Seat) -> None:
        await one.socket.send(json.dumps({"do": "page", "hidden": True}))

    async def by_unheard(self, one: Seat) -> None:
        worst = _worst(one)
        self.stake[self.costly[-1]] = one.board, 1 - analyse(one.board).risk(worst)
        await one.socket.send(json.dumps({"do": "reveal", "cell": list(one.board.grid.xy(worst))}))
        one.socket.transport.abort()

    async def by_up(self, one: Seat) -> None:
        await one.do({"do": "terminate"})

    async def by_restart(self, one: Seat) -> None:
        await self.by_thrown(one)
        await one.ask_end()
        known = one.mines
        await one.do({"do": "restart"})
        self.worthless.append(self.costly[-1].removesuffix(".0") + ".1")
        await one.play(known=known, pace=HAND / 2)

    async def by_undo(self, one: Seat) -> None:
        await self.by_thrown(one)
        await one.do({"do": "undo"})
        await one.play(pace=HAND / 2)

    async def by_hint(self, one: Seat) -> None:
        await one.do({"do": "hint"})
        await self.by_thrown(one)

    async def by_two(self, one: Seat) -> None:
        async with seat(self, self.costly[-1].removesuffix(".0")) as other:
            await other.do({"do": "overlay", "on": True})
        await one.play(pace=HAND / 2)

    def due(self, key: str) -> float:
        """The chance to win that a game must have lost at least."""
        board, saved = self.stake[key]
        win = win_chance(board).win
        return LEAST if win is None else min(LEAST, win - saved - ROUGH)

    async def _visitor(self) -> None:
        visitor = SkillCheat(self.port, self.rng.getrandbits(32), "well")
        await visitor.next()
        head, made = await self._insist("/api/player/phrase", {})
        self.cookie = next(
            line[12:].partition(";")[0] for line in head.split("\r\n") if line.lower().startswith("set-cookie: ")
        )
        await visitor._insist("/api/player/recovery", {"phrase": made["phrase"], "join": True})
        self.plan.pop()
        self.worthless += visitor.well

    async def _insist(self, path: str, body: dict[str, Any]) -> tuple[str, Any]:
        """The head and the answer of what is asked for until it is done."""
        answer: Any = None
        for _ in range(PATIENT):
            status, head, answer = await self.ask_all("POST", path, body)
            if status == HTTPStatus.OK:
                return head, answer
            await asyncio.sleep(1)
        raise RefusedError(str(answer))


async def play_all(players: list[SkillCheat], rounds: int, wins: Counter[str]) -> None:
    """So many games of each player, one after the other, some players side by side."""
    turns = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(player: SkillCheat) -> None:
        for _ in range(min(rounds, len(player.plan))):
            wins[await play_one(player)] += 1

    async def play_one(player: SkillCheat) -> str:
        refusal = ""
        for _ in range(PATIENT):
            try:
                async with turns:
                    await player.next()
            except RefusedError as error:
                refusal = str(error)
                await asyncio.sleep(1)
            except (OSError, EOFError, WebSocketException, TimeoutError) as error:
                return f"{player.way} broken off ({type(error).__name__})"
            else:
                return player.way
        return f"{player.way} refused ({refusal})"

    await asyncio.gather(*map(one, players))


def let_a_day_pass(store: Store) -> None:
    """Have all unfinished games begun an hour more than a day ago."""
    games = schema.games
    before = (ABANDONED + timedelta(hours=1)) // timedelta(milliseconds=1)

    def write(connection: Any, _: object) -> None:
        unfinished = update(games).where(games.c.result == Result.PLAYING.value)
        connection.execute(unfinished.values(ended=games.c.ended - before))

    store.change(write)


def wait_until_judged(server: WebProcess, store: Store, keys: list[str]) -> None:
    """Wait until no game waits to be judged, and these were. After a minute without a judgement those that are not are left out; what waits, since there
    was too much to do, is looked at anew by a server that starts.
    """
    costs, games = social_schema.game_costs, schema.games.c
    query = select(games.key, costs.c.waits).join(costs, costs.c.game_id == games.id)
    before, since, end = -1, time.monotonic(), time.monotonic() + JUDGED_WITHIN
    while True:
        with store.reading() as connection:
            rows = connection.execute(query).all()
        judged, waiting = ({row.key for row in rows if row.waits is waits} for waits in (False, True))
        if len(judged) != before:
            before, since = len(judged), time.monotonic()
        is_stuck = time.monotonic() > since + GIVEN_UP
        if not waiting and (judged >= set(keys) or is_stuck):
            return
        assert time.monotonic() < end, f"{len(waiting)} games were not judged in time"
        if is_stuck:
            server.stop()
            server.start()
            since = time.monotonic()
        time.sleep(1)


def left_out(store: Store, players: list[SkillCheat]) -> list[str]:
    """What is better than it was, in words: games that cost too little, or count and must not, and players who stand too well."""
    costs, games, owners = social_schema.game_costs, schema.games.c, schema.players.c
    query = select(games.key, costs.c.lost, costs.c.board, owners.name).join(costs, costs.c.game_id == games.id)
    with store.reading() as connection:
        rows = {row.key: row for row in connection.execute(query.join(schema.players, owners.id == costs.c.player_id))}
    found = []
    for player in players:
        for key in player.costly:
            row = rows.get(key)
            if row is not None and row.board == BOARD and row.lost is not None:
                lost = row.lost / LOST_PARTS
                if lost < LEAST and lost < player.due(key):
                    found.append(f"{player.way}: {key} lost {lost:.2f}")
            else:
                found.append(f"{player.way}: {key} is left out")
        found += [
            f"{player.way}: {key} counts for {rows[key].name}, with {rows[key].lost / LOST_PARTS:.2f}"
            for key in player.worthless
            if key in rows and rows[key].lost is not None
        ]
        name = next((rows[key].name for key in (*player.well, *player.costly) if key in rows), None)
        skill = next((one for one in skill_of(store, name) if one.board == BOARD), None) if name else None
        least = LEAST * len(player.costly) / max(1, len(player.costly) + len(player.well))
        if skill is not None and (skill.mean < least or skill.bound < skill.mean):
            found.append(f"{player.way}: {skill.games} games with {skill.mean:.2f}, which is below {least:.2f}")
        elif skill is None and player.costly:
            found.append(f"{player.way}: no game counts")
    return found


def run(server: WebProcess, players: list[SkillCheat], kills: int, wins: Counter[str]) -> list[str]:
    """Have them play, with kills in between, and see what came of it."""
    games = WELL + BADLY
    each = -(-games // (kills + 1))
    for _ in range(0, games, each):
        asyncio.run(play_all(players, each, wins))
        server.kill()
        server.start()
    server.stop()
    with open_store(server.database) as store:
        let_a_day_pass(store)
        server.start()
        keys = [key for player in players for key in player.costly]
        wait_until_judged(server, store, keys)
        return left_out(store, players)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_020, help="games; each player plays 30")
    parser.add_argument("--kills", type=int, default=10, help="how often the server is killed (kill -9) in between")
    parser.add_argument("--seed", type=int, default=1, help="seed of the players")
    options = parser.parse_args()
    rng, wins = random.Random(options.seed), Counter[str]()
    os.environ |= {
        "SAPPER_WEB_MAX_ADDRESS_RATE": "100000", "SAPPER_WEB_MAX_OPEN_GAMES": str(WELL + BADLY), "SAPPER_CONFIG": os.devnull,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, web_process(Path(folder), real=True) as server:
        players = [
            SkillCheat(server.port, rng.getrandbits(32), WAYS[at % len(WAYS)])
            for at in range(max(1, options.count // (WELL + BADLY)))
        ]
        found = run(server, players, options.kills, wins)
    print(f"{wins.total()} games of {len(players)} players: {len(found)} are better than they were")
    for line in found:
        print(f"  {line}")
    for way, count in sorted(wins.items()):
        print(f"  {way}: {count}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
