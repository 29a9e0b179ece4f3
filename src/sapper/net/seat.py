"""One player at the server: their game, cursor and screen. Packets in, screens out."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.preset import Preset, percent_of_mines
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import RequestError
from sapper.net.packets import PacketType, Signal, StartRequest
from sapper.play.events import Changed
from sapper.play.game_parts import GameOptions, new_parts
from sapper.play.played_game import PlayedGame
from sapper.play.ports import GamePorts, GameSink, NoJobs, Receipt
from sapper.render.screen import Screen, draw_notice
from sapper.session.clock import Clock, system_clock
from sapper.session.game_request import coded_game
from sapper.session.inputs import Verb
from sapper.store.models import GameKind

LEVELS: Final = {1: ("easy", 5), 2: ("medium", 25), 3: ("hard", 45)}
"""Name, and percentage of cells with a mine, of each level."""
LONGEST_SIDE: Final = 255
LARGE: Final = 2_500
"""Cells from which on a board is large."""

WELCOME: Final = ("sapper: Minesweeper", "", "No game yet: send START with columns, rows and a level.")
PLAYING: Final = "Mark all mines and nothing else to win."
DEBUGGING: Final = "DEBUG MODE: the mines are shown, and this game does not count."
WON: Final = "YOU WON: all mines are marked, and nothing else."
LOST: Final = "YOU LOST: X mine you hit, B mine, M mark on a mine, ! mark on no mine."
TERMINATED: Final = "This game was ended."
UNSAVED: Final = "This is not saved yet."
"""Stands behind the usual message where the database has not answered in time."""
FULL: Final = "Too many moves in this game: it can only be ended (START, QUIT)."

_STEPS: Final = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}
"""Columns and rows that the four moves go, by the number of their packet type."""
_MESSAGES: Final = {Status.WON: WON, Status.LOST: LOST, Status.TERMINATED: TERMINATED}


@lru_cache(maxsize=256)
def level_preset(columns: int, rows: int, level: int) -> Preset:
    """The game of that size and level. `find_fault` says whether there is one."""
    return Preset(
        name=f"jminesweeper-{level} {columns}x{rows}",
        rules=RULES["jminesweeper"],
        width=columns,
        height=rows,
        mine_counts=(percent_of_mines(columns * rows, LEVELS[level][1]),),
    )


def find_fault(start: StartRequest) -> str | None:
    """Why no game can start with these numbers, in one line; None if one can."""
    for name, value in (("columns", start.columns), ("rows", start.rows)):
        if not 1 <= value <= LONGEST_SIDE:
            return f"{value} {name} are impossible: 1 to {LONGEST_SIDE} are possible."
    if start.level not in LEVELS:
        return f"There is no level {start.level}: 1 is easy, 2 is medium, 3 is hard."
    return None


def seat_ports(sink: GameSink) -> GamePorts:
    """The ports of all games of a server that keeps them in this sink."""
    return GamePorts(jobs=NoJobs(), sink=sink, now=lambda: datetime.now(UTC))


_OPTIONS: Final = GameOptions(face="server", keeps_log=False, measures=False)


def new_game(start: StartRequest, seed: int, key: str, ports: GamePorts, clock: Clock = system_clock) -> PlayedGame:
    preset = level_preset(start.columns, start.rows, start.level)
    parts = new_parts(coded_game(preset, seed=seed), clock=clock, undoable=False)
    return PlayedGame(parts, key=key, player=None, ports=ports, options=_OPTIONS, kind=GameKind.of(preset))


class _SeatGame:
    """One game and how it is shown."""

    __slots__ = ("cursor", "debug", "level", "marked", "played", "screen", "summary")

    def __init__(self, played: PlayedGame, level: int) -> None:
        self.played = played
        self.level = level
        self.screen = Screen(played.referee.board)
        self.cursor = Cell(0)
        self.marked = 0
        self.summary = _summary(played.grid, played.session.mine_count, 0, level)
        self.debug = False

    @property
    def status(self) -> Status:
        return self.played.referee.status

    def step(self, dx: int, dy: int) -> None:
        """Move the cursor, which stops at the edges."""
        grid = self.played.grid
        y, x = divmod(self.cursor, grid.width)
        if 0 <= x + dx < grid.width and 0 <= y + dy < grid.height:
            self.cursor = Cell(self.cursor + dy * grid.width + dx)

    def do(self, verb: Verb) -> Receipt | None:
        """Do something to the cell under the cursor, and draw what it changed; what must be durable before that is told."""
        happened = self.played.do(verb, self.cursor)
        for event in happened.events:
            if isinstance(event, Changed) and not event.update.is_empty:
                if verb is Verb.RIGHT:
                    self.marked += 1 if event.update.runs[0][1][0] == Tile.FLAGGED else -1
                    self.summary = _summary(self.played.grid, self.played.session.mine_count, self.marked, self.level)
                self.screen.apply(event.update)
        status = self.played.referee.status
        if status is Status.WON or status is Status.LOST:
            self.screen.show(self.played.session.layout.mines)
        return happened.receipt

    def toggle_debug(self) -> Receipt | None:
        self.debug = not self.debug
        if not self.debug:
            self.screen.hide()
            return None
        layout = self.played.referee.layout
        assert layout is not None, "these rules place the mines at the start"
        self.screen.show(layout.mines)
        return None if self.played.session.assistance.shown else self.do(Verb.SHOW)

    def draw(self, message: str | None) -> bytes:
        is_running = not self.played.referee.status.ended
        if message is None:
            message = PLAYING if is_running and not self.debug else self.message
        return self.screen.draw(self.cursor, (self.summary, message), active=is_running)

    @property
    def message(self) -> str:
        if self.status.ended:
            return _MESSAGES[self.status]
        return DEBUGGING if self.debug else PLAYING


def _summary(grid: Grid, mines: int, marked: int, level: int) -> str:
    return f"Mines {mines}, marked {marked}. {grid.width} x {grid.height}, level {level} ({LEVELS[level][0]})."


class Seat:
    """One connection's player: the game, the cursor, the screen.

    `new_seed` gives the seed of each game and `new_key` its name. `on_end` is called with each game that counts somewhere and has ended.
    """

    __slots__ = ("_clock", "_current", "_new_key", "_new_seed", "_on_end", "_ports", "receipts")

    def __init__(
        self,
        *,
        new_seed: Callable[[], int],
        new_key: Callable[[], str],
        ports: GamePorts,
        on_end: Callable[[PlayedGame], None] = lambda _: None,
        clock: Clock = system_clock,
    ) -> None:
        self._new_seed = new_seed
        self._new_key = new_key
        self._ports = ports
        self._on_end = on_end
        self._clock = clock
        self._current: _SeatGame | None = None
        self.receipts: list[Receipt] = []
        """What must be durable before the next answer is sent; the sender empties the list."""

    @property
    def is_playing(self) -> bool:
        return self._current is not None and not self._current.status.ended

    @property
    def is_large(self) -> bool:
        """True if the board is so large that a reveal may take milliseconds."""
        return self._current is not None and self._current.played.grid.size >= LARGE

    @property
    def is_started(self) -> bool:
        """True if a game is being played in which a cell was changed: only such a game counts."""
        return self.is_playing and self._current is not None and self._current.played.session.has_begun

    def answer(self, packet: Signal | StartRequest) -> bytes | None:
        """Do what the packet says, and give the screen to answer with; None for QUIT, which has no answer."""
        if isinstance(packet, StartRequest):
            fault = find_fault(packet)
            if fault is not None:
                return self.refuse(fault)
            return self._begin(packet)
        if packet.type is PacketType.QUIT:
            self.leave()
            return None
        current = self._current
        if current is None:
            return draw_notice(WELCOME)
        if not current.played.referee.status.ended:
            try:
                self._act(current, packet.type)
            except RequestError:
                return current.draw(FULL)
        return current.draw(None)

    def refuse(self, fault: str) -> bytes:
        """The screen that says why not. A game that is running stays as it is."""
        message = f"Not started. {fault}"
        return draw_notice([*WELCOME[:2], message]) if self._current is None else self._current.draw(message)

    def unsaved(self) -> bytes:
        """The screen as it is, with a word that this is not saved yet."""
        current = self._current
        if current is None:
            return draw_notice([*WELCOME, "", UNSAVED])
        return current.draw(f"{current.message} {UNSAVED}")

    def leave(self) -> None:
        """The player has gone, or wants another game: one that is running is given up. An untouched one counts nowhere."""
        if self._current is not None and self.is_started:
            self._do(self._current, Verb.TERMINATE)

    def dismiss(self, reason: str) -> bytes:
        """End everything, and give the screen that tells why."""
        self.leave()
        return draw_notice([WELCOME[0], "", reason]) if self._current is None else self._current.draw(reason)

    def _begin(self, start: StartRequest) -> bytes:
        """A new game in place of the one that may be running; its screen."""
        self.leave()
        played = new_game(start, self._new_seed(), self._new_key(), self._ports, self._clock)
        self._current = _SeatGame(played, start.level)
        return self._current.draw(None)

    def _act(self, current: _SeatGame, kind: PacketType) -> None:
        step = _STEPS.get(kind)
        if step is not None:
            current.step(*step)
        elif kind is PacketType.REVEAL:
            self._do(current, Verb.LEFT)
        elif kind is PacketType.TOGGLE_BOMB_MARK:
            self._do(current, Verb.RIGHT)
        else:
            self._wait_for(current.toggle_debug())

    def _do(self, current: _SeatGame, verb: Verb) -> None:
        self._wait_for(current.do(verb))
        if current.status.ended and current.played.session.has_begun:
            self._on_end(current.played)

    def _wait_for(self, receipt: Receipt | None) -> None:
        if receipt is not None:
            self.receipts.append(receipt)
