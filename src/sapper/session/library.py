"""A game for a program: begun by name, played, taken back, saved and loaded.

What a session saves has the mines, so saving needs its referee. Here the referee is kept apart from the game, so that a program which is
handed a game still has no way to its mines; whoever calls `save_game` asks for them.
"""

import secrets
from weakref import WeakKeyDictionary

from sapper.core.arguments import check_type
from sapper.core.preset import Preset
from sapper.errors import ArgumentError
from sapper.game.game import Game
from sapper.game.referee import Referee
from sapper.session.game_request import coded_game, new_session
from sapper.session.saving import load_session, save_session
from sapper.session.session import Session

_REFEREES: "WeakKeyDictionary[Session, Referee]" = WeakKeyDictionary()


def new_game(preset: Preset | str = "beginner", *, seed: int | None = None) -> Session:
    """A new game: of a preset by name (`expert`), of a size and a number of mines (`9x9/10`), or of a preset as a value.

    The same preset, seed and first reveal give the same layout everywhere and forever. Without a seed one is drawn.
    `UnknownNameError` for an unknown name, `InvalidValueError` for a seed that is not 0 to 2**64 - 1.

    >>> game = new_game("9x9/10", seed=7)
    >>> len(game.reveal(40))
    54
    >>> game.undo().status.value, game.board.covered_count, len(game.record().played)
    ('ready', 81, 0)
    """
    return _kept(*new_session(coded_game(preset, seed=secrets.randbits(64) if seed is None else seed)))


def save_game(game: Game) -> str:
    """A game of `new_game` or `load_game` as one JSON text: all of it, its mines too."""
    referee = _REFEREES.get(game) if isinstance(game, Session) else None
    if referee is None or not isinstance(game, Session):
        raise ArgumentError("save_game takes a game that new_game or load_game made")
    return save_session(game, referee)


def load_game(text: str) -> Session:
    """The game that `save_game` wrote, as it was then; its clock goes on from now. `RecordError` for any other text."""
    check_type("a saved game", text, str)
    return _kept(*load_session(text))


def _kept(game: Session, referee: Referee) -> Session:
    _REFEREES[game] = referee
    return game
