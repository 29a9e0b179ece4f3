"""What the screen and the lines need of a play: on this machine (`local_play`), or on a web server (`remote_play`)."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from sapper.core.status import Status

if TYPE_CHECKING:
    from sapper.core.board import Board
    from sapper.core.cells import CellSet
    from sapper.core.grid import Grid
    from sapper.core.record import Record, TimedMove
    from sapper.play.events import GameEvent
    from sapper.play.jobs import LastMoveVerdict
    from sapper.play.played_game import Ask
    from sapper.session.events import Assistance
    from sapper.session.game_request import GameRequest
    from sapper.solver.advisor import Advisor
    from sapper.store.models import GameKind
    from sapper.tui.keeper import GameArchive


class SessionShown(Protocol):
    """A game in time, as it is seen."""

    @property
    def board(self) -> "Board": ...
    @property
    def grid(self) -> "Grid": ...
    @property
    def mine_count(self) -> int: ...
    @property
    def status(self) -> Status: ...
    @property
    def elapsed(self) -> int: ...
    @property
    def is_paused(self) -> bool: ...
    @property
    def shows_chances(self) -> bool: ...
    @property
    def assistance(self) -> "Assistance": ...
    @property
    def overlay(self) -> "CellSet": ...
    @property
    def code(self) -> str | None: ...
    @property
    def played(self) -> "Sequence[TimedMove]": ...


class GameShown(Protocol):
    """A game with what is known of it."""

    @property
    def session(self) -> SessionShown: ...
    @property
    def grid(self) -> "Grid": ...
    @property
    def key(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> "GameKind | None": ...
    @property
    def verdict(self) -> "LastMoveVerdict | None": ...


class Play(Protocol):
    """Plays one game after the other."""

    advisor: "Advisor"
    archive: "GameArchive"
    on_later: "Callable[[list[GameEvent]], None]"

    @property
    def game(self) -> GameShown: ...
    @property
    def has_game(self) -> bool: ...
    @property
    def board(self) -> "Board": ...
    @property
    def status(self) -> Status:
        return self.game.session.status

    @property
    def seconds(self) -> int:
        """Whole seconds on the game's clock."""
        return self.game.session.elapsed // 1000

    @property
    def is_untouched(self) -> bool: ...
    @property
    def unsaved(self) -> str | None: ...
    @property
    def loses_by_new(self) -> bool: ...
    @property
    def is_attempt(self) -> bool:
        """True for an attempt at a board of the day, which help or its end would end."""
        return False

    @property
    def allows_aids(self) -> bool:
        """Whether the screen may help with flags, which marks the game."""
        ...

    def news(self) -> list[str]:
        """What happened to the connection, in sentences; each is told once."""
        return []

    def do(self, ask: "Ask", cell: int = 0) -> "list[GameEvent]": ...
    def undo(self) -> "list[GameEvent] | None": ...
    def new(self, request: "GameRequest | None" = None) -> GameShown: ...
    def resume(self, key: str) -> GameShown: ...
    def record(self) -> "Record | None":
        """The game that has ended; None where it is not at hand."""

    def save(self) -> None:
        """Keep the game now."""

    def leave(self) -> None:
        """The game is no longer shown."""

    def come_back(self) -> None:
        """The game is shown again."""
