"""Which games are in memory: they come when somebody plays them, and leave when nobody looks at them and the store has them."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from sapper.core.status import Status
from sapper.errors import RequestError
from sapper.play.game_parts import most_inputs
from sapper.session.clock import Clock
from sapper.store.changes import SessionDrop
from sapper.web.games.live_game import LiveGame
from sapper.web.games.persistence import GameWriter

IDLE: Final = 600.0
"""Seconds after which a game that nobody watches may leave memory."""
ROUND: Final = 20.0
"""Seconds between two looks at what is idle."""
SPARE: Final = 50
"""One game in so many more is let go than there has to be, so that the next one finds room at once."""
OTHERS: Final = 8
"""And so many more are saved for that: somebody may come back to one meanwhile."""
MOST_INPUTS: Final = 1_000_000
"""Inputs of all games in memory; each takes some 700 bytes (`bench/session.py`)."""
FREE: Final = 2_000
"""Inputs that any game may have, however short memory is: an expert's has 500."""
ENDED: Final = frozenset(status for status in Status if status.ended)
SAVE_TIME: Final = 2.0
"""Seconds that somebody who needs room waits for games to be saved."""


class GameCache:
    """The games in memory. Belongs to one event loop."""

    def __init__(
        self,
        *,
        writer: GameWriter | None,
        clock: Clock,
        most_games: int,
        most_inputs: int = MOST_INPUTS,
        idle: float = IDLE,
        on_leave: Callable[[LiveGame], None] = lambda _: None,
    ) -> None:
        """`writer`: without one there is no way back for a game that leaves; `on_leave` is told of each that has left."""
        self._writer = writer
        self._clock = clock
        self._most_games = most_games
        self._most_inputs = most_inputs
        self._idle = idle
        self._on_leave = on_leave
        self._games: dict[str, LiveGame] = {}
        self._of_player: dict[str, dict[str, LiveGame]] = {}
        self._used: dict[str, int] = {}
        self._inputs = 0
        """Of all games, as they were counted last, and of those that came since."""

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, name: object) -> bool:
        return name in self._games

    def __iter__(self) -> Iterator[LiveGame]:
        return iter(list(self._games.values()))

    def get(self, name: str) -> LiveGame | None:
        """The game of that name, if it is here."""
        return self._games.get(name)

    def of(self, player: str) -> Mapping[str, LiveGame]:
        """A player's games that are here, by their names; it changes when they do."""
        return self._of_player.get(player, {})

    def add(self, live: LiveGame) -> None:
        """It is here from now on."""
        self._games[live.id] = live
        self._of_player.setdefault(live.player, {})[live.id] = live
        self._used[live.id] = self._clock()
        self._inputs += live.session.input_count

    def use(self, live: LiveGame) -> None:
        """Somebody has asked for it: it stays."""
        self._used[live.id] = self._clock()
        live.is_leaving = False

    def leave(self, live: LiveGame) -> None:
        """It is here no longer."""
        self._games.pop(live.id, None)
        self._used.pop(live.id, None)
        games = self._of_player.get(live.player, {})
        games.pop(live.id, None)
        if not games:
            self._of_player.pop(live.player, None)
        self._on_leave(live)

    async def make_room(self, wanted: int = 1) -> None:
        """Have room for so many more games; `RequestError` (`busy`) if all that are there are played, or cannot be saved now."""
        missing = self._missing(wanted)
        if missing <= 0:
            return
        missing += self._most_games // SPARE
        for live in [*filter(self._can_go, self._unused())][:missing]:
            self.leave(live)
        if self._writer is not None and self._missing(wanted) > 0:
            await self._save_and_leave(self._writer, missing)
        if self._missing(wanted) > 0:
            raise RequestError("busy", "too many games are played here now: come back soon")

    def admit(self, inputs: int, address: str) -> None:
        """Have room for a game with so many inputs; `RequestError` (`busy`) if there are too many, and that address has most."""
        if self._inputs + inputs <= self._most_inputs:
            return
        for live in filter(self._can_go, self._unused()):
            self.leave(live)
        counts = self._count()
        counts[address] += inputs
        if counts[address] > share_of(counts.values(), self._most_inputs):
            raise RequestError("busy", "too much is played here now: come back soon")

    def share_out(self) -> None:
        """Hold the addresses that have most of the inputs to their share, if there are too many in all."""
        counts = self._count()
        share = share_of(counts.values(), self._most_inputs)
        for live in self._games.values():
            usual = most_inputs(live.grid)
            live.game.most_inputs = usual if counts[live.game.address] <= share else min(usual, FREE)

    def _count(self) -> Counter[str]:
        """The inputs of each address."""
        counts: Counter[str] = Counter()
        for live in self._games.values():
            counts[live.game.address] += live.session.input_count
        self._inputs = counts.total()
        return counts

    def put_away(self) -> None:
        """Let go of games that nobody has watched for long. One whose clock runs is saved now, and leaves the next time."""
        for live in self._unused(self._clock() - int(self._idle * 1000)):
            writer = self._writer
            if writer is None or live.session.status.ended or self._can_go(live):
                if writer is not None and live.session.status.ended:
                    writer.drop(SessionDrop(key=live.id, only=ENDED))
                self.leave(live)
            elif live.game.is_kept:
                live.is_leaving = True
                live.game.save()

    async def go_round(self) -> None:
        """Put away what is idle and share out what there is, forever."""
        while True:
            await asyncio.sleep(ROUND)
            now = self._clock()
            for live in self._games.values():
                if live.subscribers:
                    self._used[live.id] = now
                    if live.confirms:
                        live.save_clock()
            self.put_away()
            self.share_out()

    def _missing(self, wanted: int) -> int:
        return len(self._games) + wanted - self._most_games

    def _unused(self, before: int | None = None) -> list[LiveGame]:
        """The games that nobody watches or waits for, and that nobody has asked for since then; the first unused first."""
        found = [
            live
            for live in self._games.values()
            if not (live.subscribers or live.game.is_busy) and (before is None or self._used[live.id] <= before)
        ]
        return sorted(found, key=lambda one: self._used[one.id])

    def _can_go(self, live: LiveGame) -> bool:
        """Whether nothing is lost if it leaves now."""
        if self._writer is None:
            return live.session.status.ended  # there is no way back to it
        # A clock that runs has gone on since it was saved.
        return live.game.is_kept and (live.is_leaving or not live.session.is_running)

    async def _save_and_leave(self, writer: GameWriter, count: int) -> None:
        """Let go of so many games that have to be saved first."""
        games = self._unused()[: count + OTHERS]
        for live in games:
            live.is_leaving = True
            live.game.save()
        await writer.settle(games, within=SAVE_TIME)
        for live in games:
            can_leave = live.is_leaving and live.game.is_kept and not (live.subscribers or live.game.is_busy)
            # Whoever stays has to be saved again before the next time.
            live.is_leaving = False
            if can_leave and count > 0 and live.id in self._games:
                self.leave(live)
                count -= 1


def share_of(counts: Iterable[int], most: int) -> float:
    """What each may have of some whole, where nobody needs less so that all of it is used; infinite if all have room.

    >>> share_of([10, 60, 80], 100), share_of([10, 60, 30], 100)
    (45, inf)
    """
    left, waiting = most, sorted(counts)
    for at, count in enumerate(waiting):
        share = left // (len(waiting) - at)
        if count > share:
            return share
        left -= count
    return float("inf")
