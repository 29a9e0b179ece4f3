"""What a played game is made of: its session, and how its face wants it played."""

from dataclasses import dataclass
from typing import NamedTuple

from sapper.core.grid import Grid
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.generator.game_code import CodedGame
from sapper.play.prepared_source import PreparedSource
from sapper.session.clock import Clock, system_clock
from sapper.session.saving import load_session
from sapper.session.session import Session


class GameParts(NamedTuple):
    """A session, its referee, and where its layout comes from."""

    source: PreparedSource
    session: Session
    referee: Referee
    text: str = ""
    """The saved game that it was read from."""


def new_parts(
    game: CodedGame, *, clock: Clock = system_clock, seen: bool = False, practice: bool = False, undoable: bool = True
) -> GameParts:
    """Those of a new game; `seen`, `practice` and `undoable` as in `Session`."""
    source = PreparedSource(game)
    referee = Referee(rules=game.rules, source=source)
    session = Session(
        referee, clock=clock, code=game.code, seed=game.seed, seen=seen, practice=practice, undoable=undoable
    )
    return GameParts(source, session, referee)


def saved_parts(text: str, *, clock: Clock = system_clock) -> GameParts:
    """The parts of a saved game; `RecordError` for an invalid text, or one without a code."""
    sources: list[PreparedSource] = []

    def source_of(game: CodedGame, layout: Layout | None) -> PreparedSource:
        sources.append(PreparedSource(game, layout if game.spec is not None else None))
        return sources[-1]

    session, referee = load_session(text, clock=clock, source_of=source_of)
    return GameParts(sources[0], session, referee, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """What differs between faces, the same for all games of one."""

    face: str
    """Its name in the store."""
    keeps_log: bool = True
    """True if a game is kept after each input, so that it can be resumed."""
    confirms: bool = False
    """True if each input must be durable before anyone is told of it, since other processes may go on with the game: a store that several share decides who was first."""
    drops_ended: bool = False
    """True if a saved game is dropped with its end; else it stays for who comes back to see it."""
    measures: bool = True
    """True if the end is told with the game's numbers (3BV, clicks); else they are measured where the game is stored."""
    names_player: bool = False
    """True if the record itself says who played: it may be given to others."""
    retention: str = ""
    """The retention class of a saved game (`SavedSession.retention`)."""


def most_inputs(grid: Grid) -> int:
    """How many inputs a game may have: far more than any player needs, and so few that it can be kept and saved."""
    return 2_000 + max(2 * grid.size, min(20 * grid.size, 18_000))
