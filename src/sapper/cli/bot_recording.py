"""The bot's games on their way into a store, marked as a bot's.

A game that is to be recorded is a session, like those of people: so its time, clicks and 3BV are told as theirs are. Guesses are recorded
for `sapper stats luck` and `sapper stats calibration`, each with the risk that the bot claimed (the exact one, if it claimed none)
and whether there was a safe cell to be had, as exact analysis tells.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Protocol

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Action
from sapper.core.preset import Preset
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import TooHardError
from sapper.kata.bot import Turn
from sapper.metrics.game import guess_of
from sapper.session.events import Finished
from sapper.session.game_request import coded_game, new_session
from sapper.session.session import Session
from sapper.session.storing import CAP, stored_game
from sapper.solver.analysis import analyse
from sapper.store.models import GameKind, Result, StoredGame, StoredGuess


class GameKeeper(Protocol):
    """Who keeps games: a `Store`."""

    def record(self, game: StoredGame) -> bool:
        """Keep one."""


class BotRecorder:
    """Records the games of a bot."""

    def __init__(
        self, store: GameKeeper, *, strategy: str, now: Callable[[], datetime], new_key: Callable[[], str]
    ) -> None:
        """`now` gives the time with its zone, `new_key` a key that no other game has."""
        self._store = store
        self._strategy = strategy
        self._now = now
        self._new_key = new_key

    def new_game(self, preset: Preset, seed: int) -> Session:
        """A game to be watched: the same as `generator.new_game`'s."""
        return new_session(coded_game(preset, seed=seed))[0]

    def watch(self, game: Session, preset: Preset, turns: Iterable[Turn]) -> Iterator[Turn]:
        """The turns of a game. It is recorded as started before the first is given, and with its end before the last.

        One that was not watched to its end stays as started: played, not won.
        """
        guesses: list[StoredGuess] = []
        before, key, is_ended = game.board, "", False
        for turn in turns:
            if not key:
                key = self._new_key()
                self._start(key, preset, game)
            guess = claimed_guess_of(before, turn)
            if guess is not None:
                guesses.append(guess)
            before = turn.board
            if turn.board.status.ended and not is_ended:
                is_ended = True
                self._end(key, preset, game, guesses)
            yield turn
        if key and not is_ended:
            self._end(key, preset, game, guesses)

    def _start(self, key: str, preset: Preset, game: Session) -> None:
        now = self._now()
        self._store.record(
            StoredGame(
                key=key,
                kind=GameKind.of(preset, mine_count=game.mine_count),
                result=Result.PLAYING,
                started=now,
                ended=now,
                face="bot",
                strategy=self._strategy,
            )
        )

    def _end(self, key: str, preset: Preset, game: Session, guesses: list[StoredGuess]) -> None:
        finished = Finished(record=game.record(), assistance=game.assistance, milliseconds=game.elapsed)
        stored = stored_game(
            finished, key=key, ended=self._now(), face="bot", strategy=self._strategy, preset=preset.name,
            name=self._strategy,
        )  # fmt: skip
        self._store.record(stored.replace(guesses=tuple(guesses)))


def claimed_guess_of(before: Board, turn: Turn) -> StoredGuess | None:
    """The guess that a move was, with the risk that it claims, else its exact risk; None for one that is safe, or as it says.

    Of a board that is too hard to analyse nobody can say whether a safe cell was to be had; such a guess is left out.
    """
    move, risk, exploded = turn.choice.move, turn.choice.risk, turn.board.status is Status.LOST
    if move.action not in (Action.REVEAL, Action.CHORD) or (risk == 0 and not exploded):
        return None
    try:
        if risk is not None:
            return StoredGuess(risk, forced=not analyse(before).safe, exploded=exploded)
        if turn.board.tiles == before.tiles or before.is_protected(move.cell):
            return None
        seen = Update(((Cell(0), turn.board.tiles),), turn.board.status)  # all that is to be seen after it
        guess = guess_of(before, move, seen, cap=CAP)
        return None if guess is None else StoredGuess.of(guess)
    except TooHardError:
        return None
