"""Which store a command means, and games on their way into it while others wait for nothing.

Knows: what --database and the setting `store.database` mean, what is said when something goes wrong.
Does not know: what is recorded.
"""

import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.config.configuration import load
from sapper.core.move import Action
from sapper.core.preset import Preset
from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.game.game import Game
from sapper.kata.bot import Turn
from sapper.net.logs import log
from sapper.net.recording import recording_sink
from sapper.net.results import GameSink
from sapper.store.games import Kind, StoredGame, StoredGuess, result_of
from sapper.store.writer import BackgroundWriter

if TYPE_CHECKING:
    from sapper.store.store import Store


def address_of(database: str | None) -> str | None:
    """The address that is meant; None is the platform's place."""
    return database or load().text("store.database") or None


def open_chosen(database: str | None, *, read_only: bool = False) -> "Store":
    """The store that is meant, open. A copy made before an upgrade is said on stderr."""
    from sapper.store.store import open_store

    return open_store(address_of(database), read_only=read_only, on_copy=_say_copy)


def _say_copy(copy: Path) -> None:
    click.echo(f"sapper: the store had an older form and was upgraded; as it was before it is in {copy}", err=True)


def new_key() -> str:
    """A key that no other game has."""
    return uuid.uuid4().hex


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class BotRecorder:
    """Records the games of a bot, marked as such."""

    def __init__(self, store: "Store", *, strategy: str) -> None:
        self._store = store
        self._strategy = strategy

    def watch(self, game: Game, preset: Preset, seed: int, turns: Iterable[Turn]) -> Iterator[Turn]:
        """The turns of a game, which is recorded after the last; one that was not watched to its end is not."""
        began = now()
        guesses, moves = [], 0
        for turn in turns:
            moves += 1
            risk = turn.choice.risk
            if risk is not None and 0 < risk < 1 and turn.choice.move.action in (Action.REVEAL, Action.CHORD):
                guesses.append((risk, turn.board.status is Status.LOST))
            yield turn
        self._store.record(
            StoredGame(
                key=new_key(),
                kind=Kind.of(preset, game.mines),
                result=result_of(game.status),
                started=began,
                ended=now(),
                face="bot",
                strategy=self._strategy,
                seed=seed,
                moves=moves,
                guesses=tuple(StoredGuess(risk, forced=True, exploded=exploded) for risk, exploded in guesses),
            )
        )


class LateStore:
    """A store that is opened when it is first needed, on the thread that needs it."""

    def __init__(self, open_it: "Callable[[], Store]") -> None:
        self._open = open_it
        self._store: Store | None = None

    def record_many(self, games: Sequence[StoredGame]) -> int:
        """Keep games, all or none; `StoreError`, also where what a store needs is not installed."""
        if self._store is None:
            try:
                self._store = self._open()
            except ModuleNotFoundError as error:
                raise StoreError(
                    f"{error.name} is not installed; it comes with: pip install 'sapper[store]'"
                ) from error
        return self._store.record_many(games)

    def close(self) -> None:
        """Let go of it."""
        if self._store is not None:
            self._store.close()


class ServerRecorder:
    """Records a server's games in the background, and logs what goes wrong, once for each reason."""

    def __init__(self, options: dict[str, Any]) -> None:
        """By the options `--database` and `--record/--no-record`.

        A store that was named is opened now, and an error ends the program. The store that nobody named must
        not keep a server from serving: it is opened on the way, and trouble with it is logged.
        """
        database = options["database"] or load().text("store.database")
        self._reasons: set[str] = set()
        self._late = LateStore(lambda: open_chosen(database))
        if database:
            self._late.record_many(())
        self._writer = BackgroundWriter(self._late, on_trouble=self._hear)

    @property
    def sink(self) -> GameSink:
        """Where the results go."""
        return recording_sink(self._writer.record, now=now, new_key=new_key)

    def close(self) -> None:
        """Keep what is waiting, and say what could not be kept."""
        dropped = self._writer.close()
        self._late.close()
        if dropped:
            log(logging.ERROR, "games not recorded", games=dropped)

    def _hear(self, error: StoreError, waiting: int) -> None:
        if str(error) not in self._reasons:
            self._reasons.add(str(error))
            log(logging.WARNING, "games wait to be recorded", reason=str(error), waiting=waiting)
