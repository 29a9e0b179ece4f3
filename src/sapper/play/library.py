"""The unfinished games of a player: list, resume, forget, and the limits on a new one."""

from collections.abc import Container, Iterable
from typing import Protocol

from sapper.core.status import Status
from sapper.errors import RecordError, RequestError
from sapper.play.game_parts import GameOptions, GameParts, new_parts, saved_parts
from sapper.play.played_game import PlayedGame
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import GamePorts
from sapper.session.clock import Clock, system_clock
from sapper.session.game_request import GameRequest
from sapper.session.kinds import one_name
from sapper.session.storing import state_of
from sapper.store.changes import SessionDrop
from sapper.store.models import ListedSession, SavedSession


class SessionStore(Protocol):
    """Where saved games are: a `Store`."""

    def listed_sessions(self, player: str) -> list[ListedSession]:
        """The saved games of a player, the last saved first."""

    def find_session(self, key: str) -> SavedSession | None:
        """The saved game of a key."""


class GameLibrary:
    """The games of one player. `StoreError` where the store does not answer."""

    def __init__(
        self,
        player: str,
        store: SessionStore | None,
        *,
        ports: GamePorts,
        options: GameOptions,
        clock: Clock = system_clock,
    ) -> None:
        """Without a store there are only new games."""
        self.player = player
        self._store = store
        self._ports = ports
        self._options = options
        self._clock = clock

    def unfinished(self) -> list[ListedSession]:
        """Those to go on with, the one played last first."""
        listed = [] if self._store is None else self._store.listed_sessions(self.player)
        return [one for one in listed if not one.state.status.ended]

    def new(
        self, request: GameRequest, *, key: str, seed: int, totals: PlayerTotals | None = None, address: str = ""
    ) -> PlayedGame:
        """A new game; `seed` is taken where the request names none. Whether there is room for it: `check_room`."""
        return self._seat(key, new_parts(request.game(seed), clock=self._clock, seen=request.seen), totals, address)

    def load(self, key: str) -> GameParts:
        """The parts of a saved game; `RecordError` if there is none, or it cannot be read."""
        found = None if self._store is None else self._store.find_session(key)
        if found is None or found.player != self.player:
            raise RecordError("there is no such saved game")
        return saved_parts(found.text, clock=self._clock)

    def resume(self, key: str, *, totals: PlayerTotals | None = None, address: str = "") -> PlayedGame:
        """Go on with one; errors as in `load`."""
        return self._seat(key, self.load(key), totals, address)

    def drop(self, key: str) -> None:
        self._ports.sink.put(SessionDrop(key=key))

    def _seat(self, key: str, parts: GameParts, totals: PlayerTotals | None, address: str) -> PlayedGame:
        return PlayedGame(
            parts, key=key, player=self.player, ports=self._ports, options=self._options, totals=totals, address=address
        )


def listed_game(game: PlayedGame) -> ListedSession:
    """A game in memory, as those of the store are listed."""
    return ListedSession(game.key, game.title, game.kind, game.played, state_of(game.session, game.referee.board))


def check_room(
    request: GameRequest, unfinished: Iterable[ListedSession], *, most: int | None = None, kept: Container[str] = ()
) -> list[str]:
    """The keys of games that were never begun and have to go for one more, the oldest first; `RequestError` (`conflict`) if there is no room.

    `unfinished` are the player's, the one played last first; `most` is how many may be begun, and how many not begun, at a time; those in `kept` stay.
    """
    listed = list(unfinished)
    rules = request.preset.rules
    if rules.one_game:
        name = one_name(rules).name
        if any(one.kind is not None and one.kind.rules.name == name for one in listed):
            raise RequestError("conflict", "by these rules a player has one unfinished game at a time: finish it first")
    if most is None:
        return []
    unbegun = [one.key for one in listed if one.state.status is Status.READY]
    begun = len(listed) - len(unbegun)
    if begun >= most:
        raise RequestError(
            "conflict", f"there are {begun} unfinished games: finish one, or give one up, before the next"
        )
    unused = [key for key in unbegun[::-1] if key not in kept]
    return unused[: max(0, len(unbegun) - most + 1)]
