"""Sessions in tests: a clock that is set by hand, and scripts that fit any game."""

from collections.abc import Callable

from sapper.core.cells import CellSet
from sapper.core.preset import Preset
from sapper.errors import IllegalMoveError
from sapper.game.referee import Referee
from sapper.generator.new_game import new_referee
from sapper.session.events import Event
from sapper.session.game_request import coded_game
from sapper.session.session import Session
from tests.playing import KINDS, choose

SessionScript = list[tuple[str, int, int]]
"""What to do, a number to choose the cell by, and the milliseconds that pass before it; a bad clock goes back."""

DEEDS = (
    *KINDS,
    "left",
    "left",
    "right",
    "undo",
    "undo",
    "redo",
    "pause",
    "go on",
    "hint",
    "restart",
    "chances",
    "no chances",
)


class HandClock:
    """A clock that is set by hand."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Play:
    """A session with its referee, its clock, and all that its observer has heard."""

    def __init__(self, preset: Preset | str, seed: int = 7) -> None:
        self.clock = HandClock(1_000_000)
        self.heard: list[Event] = []
        self.referee: Referee = new_referee(preset, seed=seed)
        self.session = Session(
            self.referee,
            clock=self.clock,
            code=coded_game(preset, seed=seed).code,
            seed=seed,
            observer=self.heard.append,
        )

    def do(self, deed: str, number: int, wait: int) -> None:
        """One step of a script: what cannot be done now is an error that changes nothing."""
        self.clock.now += wait
        session, cell = self.session, number % self.session.grid.size
        verbs: dict[str, Callable[[], object]] = {
            "left": lambda: session.left_click(cell),
            "right": lambda: session.right_click(cell),
            "undo": session.undo,
            "redo": session.redo,
            "pause": session.pause,
            "go on": session.go_on,
            "hint": lambda: session.hint(CellSet.of([cell])),
            "restart": session.restart,
            "chances": lambda: session.show_chances(True),
            "no chances": lambda: session.show_chances(False),
        }
        try:
            if deed in verbs:
                verbs[deed]()
            elif (move := choose(self.referee, deed, number)) is not None:
                session.play(move)
        except IllegalMoveError:
            return

    def run(self, script: SessionScript) -> "Play":
        """All of a script."""
        for step in script:
            self.do(*step)
        return self


def state(session: Session, referee: Referee) -> tuple[object, ...]:
    """Everything about a session."""
    truth = session.truth(referee)
    return (
        session.board, session.status, session.elapsed, session.is_running, session.is_paused, session.assistance, session.overlay,
        session.shows_chances, session.input_count,
        session.can_undo, session.can_redo, truth.layout, truth.drawn_first, truth.inputs, truth.record,
    )  # fmt: skip


def lost_play(deeds: list[tuple[str, int, int]]) -> Play:
    """A game in which this was done, and then a mine revealed."""
    play = Play("engine").run(deeds)
    layout = play.referee.layout
    assert layout is not None
    play.do("left", next(cell for cell in layout.mines if play.referee.board.tiles[cell] == 9), 5)
    return play
