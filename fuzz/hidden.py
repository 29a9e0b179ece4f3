"""Asks a site's processes for what nobody may learn of a board while it is played, in every way that there is.

A game is begun, lost, undone, lost again, restarted, lost and undone, at one process. After each of these all processes are asked for it
by its player and by a stranger, to whom it is shared by its link or shown by a ranking: the state, the game that has ended with its
moves, its review, lists, positions to practise, statistics, pages. Today's board is asked for in the same ways before and after its end.
No answer may have a code, a seed, a 3BV, a proof, or a mine that the moves did not show.
"""

import asyncio
import contextlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, Self

from sqlalchemy import insert, select

from deploy.site import Site, Web
from fuzz.site_player import PRESET, Seen, SitePlayer
from fuzz.told import ENDED
from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.session.game_request import coded_game
from sapper.session.save_state import code_of_layout
from sapper.store import schema, social_schema
from sapper.store.repository import Store, open_store

PLAYERS: Final = 8
"""Who play boards that are asked for."""
MIDDLE: Final = 40
"""The cell that is revealed first."""
SECRETS: Final = frozenset(("mined", "code", "seed", "bbbv", "solved_bbbv", "proof", "end"))
"""Fields that have no value before the end."""
OWN_LIST: Final = frozenset(("bbbv", "solved_bbbv"))
"""What a player's list says of their own games that have ended once: they were told."""
DEDUCED: Final = frozenset(("mined", "proof"))
"""What a review says of positions: it follows from the clues that were shown."""
TILES: Final = frozenset("#F?.12345678*X!")
WAIT: Final = 10.0
TRIES: Final = 10


class Watch:
    """Boards that are played, and all who ask for them."""

    def __init__(self, site: Site, seen: Seen, dice: random.Random) -> None:
        self._site = site
        self._seen = seen
        self._dice = dice
        self._store: Store | None = None
        self.wrong: list[str] = []
        self.answers: Counter[str] = Counter()
        """Of what was asked, by what it was and the status."""

    def _player(self, number: int) -> SitePlayer:
        return SitePlayer(number, lambda: self._site.port, self._seen)

    async def run(self, seconds: float) -> None:
        """Play and ask for so long."""
        with open_store(self._site.database) as self._store:
            await asyncio.gather(*(self._go_on(number, seconds) for number in range(PLAYERS)))

    async def _go_on(self, number: int, seconds: float) -> None:
        loop, count = asyncio.get_running_loop(), 0
        until = loop.time() + seconds
        while loop.time() < until:
            player = self._player(9_001 + number + PLAYERS * count)
            count += 1
            with contextlib.suppress(OSError, TimeoutError):
                await (self._play_today(player) if count % 3 == 0 else self._play(player, is_ranked=count % 2 == 0))

    async def _play(self, player: SitePlayer, *, is_ranked: bool) -> None:
        seed = self._dice.getrandbits(60)
        answered, made = await player.ask("POST", "/api/games", {"preset": PRESET, "seed": seed})
        if answered != 201:
            return
        name = made["game"]
        coded = coded_game(PRESET, seed=seed)
        referee = coded.referee()
        width = referee.grid.width
        referee.play(Move(Action.REVEAL, Cell(MIDDLE)))
        layout = referee.layout
        assert layout is not None
        mine = min(layout.mines)
        lose = {"do": "reveal", "cell": [mine % width, mine // width]}
        begin = {"do": "reveal", "cell": [MIDDLE % width, MIDDLE // width]}
        words = [str(seed), str(code_of_layout(referee, coded.code))]
        undo, restart = {"do": "undo"}, {"do": "restart"}
        for step, status in (
            (begin, "playing"), (lose, "lost"), (undo, "playing"), (lose, "lost"), (restart, "ready"), (begin, "playing"),
            (lose, "lost"), (undo, "playing"),
        ):  # fmt: skip
            if not await self._step(player, made["socket"], step, status):
                self.answers["a step was not made"] += 1
                return
            if status in ENDED:
                await self._show(player, name, is_ranked=is_ranked)
            else:
                await self._ask_all(player, [f"{name}.0", f"{name}.1"], name, words)
                self.answers[f"asked when {status} after {step['do']}"] += 1

    async def _step(self, player: SitePlayer, path: str, step: dict[str, Any], status: str) -> bool:
        """Make a move, wherever the proxy finds a process, until the game stands so."""
        for _ in range(TRIES):
            with contextlib.suppress(OSError, TimeoutError):
                async with Tab(player, self._site.port, path) as tab:
                    if tab.heard[0].get("status") == status:
                        return True
                    if tab.heard[0].get("paused"):  # nobody had it in view
                        await tab.do({"do": "go_on"})
                    if (await tab.do(step)).get("status") == status:
                        return True
            await asyncio.sleep(0.5)
        return False

    async def _show(self, player: SitePlayer, name: str, *, is_ranked: bool) -> None:
        """A game that has just ended is shared, or is made its player's best."""
        await self._ask(player, "PUT", f"/api/played/{name}.0/shared", {"shared": True})
        if is_ranked and self._store is not None:
            await asyncio.to_thread(_rank, self._store, player.cookie.partition("=")[2][:36], f"{name}.0")

    async def _play_today(self, player: SitePlayer) -> None:
        """A board of today, to its end and on from there."""
        size = self._dice.choice(("beginner", "intermediate", "expert"))
        status, made = await player.ask("POST", "/api/daily", {"size": size})
        if status not in (200, 201):
            return
        name, state = made["game"], made["state"]
        async with Tab(player, self._site.port, made["socket"]) as tab:
            words: list[str] = []
            cells = list(range(state["width"] * state["height"]))
            self._dice.shuffle(cells)
            for cell in cells:
                message = await tab.do({"do": "reveal", "cell": [cell % state["width"], cell // state["width"]]})
                if message["type"] == "update" and message["status"] in ENDED:
                    break
            await self._ask(player, "PUT", f"/api/played/{name}.0/shared", {"shared": True})
            await self._ask_all(player, [f"{name}.0"], name, words, is_todays=True)
            if (await tab.do({"do": "undo"}))["type"] == "update":
                await self._ask_all(player, [f"{name}.0"], name, words)

    async def _ask_all(
        self, player: SitePlayer, ended: list[str], name: str, words: list[str], *, is_todays: bool = False
    ) -> None:
        """Ask every process for a board that nobody may see all of now. `is_todays`: it has ended, and only its player may see it, in the game's own state."""
        paths = [f"/api/played/{one}{what}" for one in ended for what in ("", "/review")]
        paths += [f"/game/{one}" for one in ended]
        paths += ["/api/games", "/api/played", "/api/practice", "/api/statistics", "/api/daily"]
        paths += ["/api/daily/board?size=expert", "/api/rankings?board=beginner&measure=time&period=ever"]
        own = [] if is_todays else [f"/api/games/{name}"]
        stranger = self._player(8_000 + self._dice.randrange(1_000))
        await self._ask(stranger, "GET", "/api/player")
        others = [f"/api/games/{name}", *paths]
        await asyncio.gather(
            *(
                self._ask_each(asker, asked, web, words, who)
                for web in self._site.webs
                for asker, asked, who in ((player, [*own, *paths], "its player"), (stranger, others, "a stranger"))
            )
        )

    async def _ask_each(self, asker: SitePlayer, paths: list[str], web: Web, words: list[str], who: str) -> None:
        for path in paths:
            answer = await self._ask(asker, "GET", path, port=web.port)
            allowed = OWN_LIST if path in {"/api/played", "/api/statistics"} else frozenset()
            if path.endswith(("/review", "/practice")):
                allowed = DEDUCED
            for leak in leaks(answer, words, allowed=allowed):
                self.wrong.append(f"{path} at web{web.number}, asked by {who}: {leak}")

    async def _ask(
        self, asker: SitePlayer, method: str, path: str, body: Any = None, *, port: int | None = None
    ) -> Any:
        """The answer; None if there is none, or it is refused."""
        what = path.partition("?")[0].split("/")
        kind = "/".join(one for one in what[1:] if one.isalpha())
        for _ in range(TRIES):
            try:
                status, answer = await asker.ask(method, path, body, port=port)
            except (OSError, TimeoutError):
                status, answer = 0, None
            self.answers[f"{kind} {status or 'none'}"] += 1
            if status == 200:
                return answer
            if status not in (0, 429):
                return None
            await asyncio.sleep(0.5)  # it is being started again, or was asked too much
        return None


def leaks(answer: Any, words: list[str], *, allowed: frozenset[str] = frozenset()) -> Iterator[str]:
    """What of an answer nobody may know. `words` are the game's code and seed."""
    text = json.dumps(answer)
    for word in words:
        if word in text:
            yield f"{word} is in {text:.300}"
    waiting: list[Any] = [answer]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and "*" in one and TILES.issuperset(one):
            yield f"mines: {one}"
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            for name, value in one.items():
                if name in SECRETS - allowed and value not in (None, []):
                    yield f"{name} is {value!r:.200}"
            waiting += one.values()


def _rank(store: Store, player: str, game: str) -> None:
    """Have a game be the best of a player who has a name, so that anybody may see it."""

    def write(connection: Any, _: object) -> None:
        number = connection.execute(select(schema.players.c.id).where(schema.players.c.name == player)).scalar_one()
        connection.execute(
            insert(social_schema.player_names).values(
                player_id=number, name=f"P{number}", skeleton=f"P{number}", seen=0
            )
        )
        connection.execute(
            insert(social_schema.rankings).values(
                board=PRESET, measure="time", period="ever", player_id=number, value=1, ended=0, game=game, shown=True
            )
        )

    with contextlib.suppress(Exception):  # a second end of the same game
        store.change(write)


class Tab:
    """A socket of a player's at one port."""

    def __init__(self, player: SitePlayer, port: int, path: str) -> None:
        self._player, self._port, self._path = player, port, path
        self._channel: Any = None
        self.heard: list[dict[str, Any]] = []
        self._news: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        head = f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\nCookie: {self._player.cookie}\r\n\r\n"
        from web_channel import Channel

        async with asyncio.timeout(WAIT):
            _, self._channel = await asyncio.get_running_loop().create_connection(
                lambda: Channel(head.encode(), self._hear), "127.0.0.1", self._port
            )
            await self._channel.opened
            await self._news.get()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._channel.transport.close()

    def _hear(self, content: bytes) -> None:
        message = json.loads(content)
        self.heard.append(message)
        self._news.put_nowait(message)

    def say(self, message: dict[str, Any]) -> None:
        """Ask for something."""
        self._channel.say(message)

    async def do(self, message: dict[str, Any]) -> dict[str, Any]:
        """Ask for something; its answer."""
        self._channel.say({**message, "id": 1})
        async with asyncio.timeout(WAIT):
            while (answer := await self._news.get()).get("id") != 1:
                pass
        return answer


class TwoTabs:
    """Two tabs of one player on two processes, who learn nothing that the one game does not have."""

    def __init__(self, site: Site, seen: Seen, dice: random.Random) -> None:
        self._site = site
        self._seen = seen
        self._dice = dice
        self.wrong: list[str] = []
        self.told = 0
        self.refused = 0

    async def run(self, games: int) -> None:
        """Play so many games."""
        for number in range(games):
            with contextlib.suppress(OSError, TimeoutError):
                await self._play(SitePlayer(6_000 + number, lambda: self._site.port, self._seen))

    async def _play(self, player: SitePlayer) -> None:
        dice = self._dice
        status, made = await player.ask("POST", "/api/games", {"preset": PRESET, "seed": dice.getrandbits(60)})
        if status != 201:
            return
        width, height = made["state"]["width"], made["state"]["height"]
        first, second = dice.sample(self._site.webs, 2)
        heard: list[dict[str, Any]] = []
        with contextlib.suppress(OSError, TimeoutError):
            async with Tab(player, first.port, made["socket"]) as one, Tab(player, second.port, made["socket"]) as two:
                heard = [*one.heard, *two.heard]
                for _ in range(4):
                    for tab, cell in zip((one, two), dice.sample(range(width * height), 2), strict=True):
                        tab.say({"do": "reveal", "id": cell + 1, "cell": [cell % width, cell // width]})
                    await asyncio.sleep(0.3)
                heard = [*one.heard, *two.heard]
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                status, state = await player.ask("GET", f"/api/games/{made['game']}")
                if status in (200, 404):
                    break
            await asyncio.sleep(0.2)
        if status != 200:
            self.wrong.append(f"{made['game']} is gone: {status}")
            return
        rows = "".join(state["board"])
        for message in heard:
            self.refused += message["type"] == "error"
            if message["type"] == "end" and state["status"] not in ENDED:
                self.wrong.append(f"{made['game']}: an end was told, and the game goes on")
            if message["type"] == "update":
                self.told += 1
                for start, text in message["runs"]:
                    if rows[start : start + len(text)] != text:
                        self.wrong.append(
                            f"{made['game']}: {text!r} was told at {start}, and is {rows[start : start + len(text)]!r}"
                        )
