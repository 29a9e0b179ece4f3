"""One player at the server: their game, cursor and screen. Packets in, screens out.

Knows: what each packet does to a game in which state, and what the answer shows; in debug mode, and after
the end, where the mines are (this is the one place where a player may be shown them before).
Does not know: sockets, bytes of packets, the clock and the dice (both are handed in), other players.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from sapper import _kernels
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.preset import Preset, percent_of_mines
from sapper.core.record import Record, TimedMove
from sapper.core.record_binary import MoveLog
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.game.game import Game
from sapper.game.referee import Referee
from sapper.generator.new_game import new_referee
from sapper.net.packets import PacketType, Signal, StartRequest
from sapper.net.results import GameResult, GameSink
from sapper.render.screen import Screen, draw_notice

LEVELS: Final = {1: ("easy", 5), 2: ("medium", 25), 3: ("hard", 45)}
"""Name, and percentage of cells with a mine, of each level."""
LONGEST_SIDE: Final = 255
LARGE: Final = 2_500
"""Cells from which on a board is large."""
MOST_MOVES: Final = 10_000
"""Moves that are recorded of a game: marks can be set and taken away forever, and are kept until the end."""

WELCOME: Final = ("sapper: Minesweeper", "", "No game yet: send START with columns, rows and a level.")
PLAYING: Final = "Mark all mines and nothing else to win."
DEBUGGING: Final = "DEBUG MODE: the mines are shown, and this game does not count."
WON: Final = "YOU WON: all mines are marked, and nothing else."
LOST: Final = "YOU LOST: X mine you hit, B mine, M mark on a mine, ! mark on no mine."
TERMINATED: Final = "This game was ended."
UNSAVED: Final = "This is not saved yet."
"""Stands behind the usual message where the database has not answered in time."""

_STEPS: Final = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}
"""Columns and rows that the four moves go, by the number of their packet type."""
_RUNNING: Final = (Status.READY, Status.PLAYING)
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


def deal(start: StartRequest, seed: int) -> Referee:
    """The game that a possible START asks for."""
    return new_referee(level_preset(start.columns, start.rows, start.level), seed=seed)


class _SeatGame:
    """One game and how it is shown."""

    __slots__ = (
        "began", "clicks", "clock", "cursor", "cut", "debug", "debugged", "game", "key", "left_out", "level", "log", "marked", "moves", "referee",
        "screen", "seed", "summary",
    )  # fmt: skip

    def __init__(
        self, referee: Referee, *, key: str, level: int, seed: int, clock: Callable[[], float], recorded: bool
    ) -> None:
        self.referee = referee
        self.game = Game.of(referee)
        self.screen = Screen(referee.board)
        self.key = key
        self.level = level
        self.seed = seed
        self.clock = clock
        self.began = clock()
        self.cursor = Cell(0)
        self.marked = 0
        self.summary = _summary(referee.grid, referee.mine_count, 0, level)
        self.moves = 0
        self.clicks = 0
        self.debug = False
        self.debugged = False
        self.log = MoveLog() if recorded else None
        self.cut = b""
        """The tiles when the record was full."""
        self.left_out = 0

    def step(self, dx: int, dy: int) -> None:
        """Move the cursor, which stops at the edges."""
        grid = self.game.grid
        y, x = divmod(self.cursor, grid.width)
        if 0 <= x + dx < grid.width and 0 <= y + dy < grid.height:
            self.cursor = Cell(self.cursor + dy * grid.width + dx)

    def take(self, update: Update, action: Action) -> None:
        """Follow what a move under the cursor changed."""
        if self.log is not None and (not update.is_empty or update.status.ended):
            cell = Cell(0) if action is Action.TERMINATE else self.cursor
            self.log_move(self.log, TimedMove(round(self.seconds * 1000), Move(action, cell), update))
        self.clicks += action is not Action.TERMINATE
        if update.is_empty:
            return
        self.moves += 1
        self.screen.apply(update)
        if update.status is Status.WON or update.status is Status.LOST:
            self.screen.show(self.game.layout.mines)

    @property
    def seconds(self) -> float:
        """Since START."""
        return self.clock() - self.began

    def log_move(self, log: MoveLog, one: TimedMove) -> None:
        """Record a move. Of more than `MOST_MOVES` the first are recorded and the last, whose update has what those between changed."""
        if log.count < MOST_MOVES - 1:
            log.add(one)
            if log.count == MOST_MOVES - 1:
                self.cut = self.game.board.tiles
        elif not one.update.status.ended:
            self.left_out += 1
        else:
            tiles = self.game.board.tiles
            runs = _kernels.changed_runs(self.cut, tiles)
            update = Update(tuple((Cell(start), tiles[start:end]) for start, end in runs), one.update.status)
            log.add(one._replace(update=update))

    def record(self) -> Callable[[], Record] | None:
        """See `GameResult.record`; None while the game has not ended, and where none is kept."""
        if self.log is None or not self.game.status.ended:
            return None
        log, game, seed, left_out = self.log, self.game, self.seed, self.left_out

        def make() -> Record:
            return Record(
                rules=game.rules, grid=game.grid, mine_count=game.mine_count, seed=seed, mines=game.layout.mines,
                played=log.played(game.grid), left_out=left_out,
            )  # fmt: skip

        return make

    def toggle_mark(self) -> None:
        """Mark the cell under the cursor, or take the mark away."""
        update = self.game.right_click(self.cursor)
        is_marked = not update.is_empty and update.runs[0][1][0] == Tile.FLAGGED
        if not update.is_empty:
            self.marked += 1 if is_marked else -1
            self.summary = _summary(self.game.grid, self.game.mine_count, self.marked, self.level)
        self.take(update, Action.FLAG if is_marked else Action.UNFLAG)

    def toggle_debug(self) -> None:
        """Show the mines, or hide them again."""
        layout = self.referee.layout
        assert layout is not None, "these rules draw the layout at the start"
        self.debug = not self.debug
        if self.debug:
            self.debugged = True
            self.screen.show(layout.mines)
        else:
            self.screen.hide()

    def draw(self, message: str | None) -> bytes:
        """The screen, with a message in place of the usual one."""
        is_running = self.game.status in _RUNNING
        if message is None:
            message = PLAYING if is_running and not self.debug else self.message
        return self.screen.draw(self.cursor, (self.summary, message), active=is_running)

    @property
    def message(self) -> str:
        """The usual message."""
        status = self.game.status
        if status.ended:
            return _MESSAGES[status]
        return DEBUGGING if self.debug else PLAYING


def _summary(grid: Grid, mine_count: int, marked: int, level: int) -> str:
    """The line of numbers below the board."""
    return f"Mines {mine_count}, marked {marked}. {grid.width} x {grid.height}, level {level} ({LEVELS[level][0]})."


class Seat:
    """One connection's player: the game, the cursor, the screen.

    `draw_seed` gives the seed of each game and `draw_key` its name, `clock` seconds that never go back; `report` takes each
    game when its first cell changes, and once when it has ended; `peer` is the address that results carry. `records` says
    whether a result has the whole game; its moves are recorded only then.
    """

    __slots__ = ("_clock", "_current", "_draw_key", "_draw_seed", "_peer", "_records", "_report_to")

    def __init__(
        self,
        *,
        draw_seed: Callable[[], int],
        draw_key: Callable[[], str],
        clock: Callable[[], float],
        report: GameSink,
        peer: str,
        records: bool = True,
    ) -> None:
        self._records = records
        self._draw_seed = draw_seed
        self._draw_key = draw_key
        self._clock = clock
        self._report_to = report
        self._peer = peer
        self._current: _SeatGame | None = None

    @property
    def is_playing(self) -> bool:
        """Whether there is a game that has not ended."""
        return self._current is not None and not self._current.game.status.ended

    @property
    def is_large(self) -> bool:
        """Whether the board is so large that a reveal may take milliseconds."""
        return self._current is not None and self._current.game.grid.size >= LARGE

    @property
    def is_started(self) -> bool:
        """Whether there is one that has been touched: only such a game counts."""
        return self.is_playing and self._current is not None and self._current.moves > 0

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
        if not current.game.status.ended:
            self._act(current, packet.type)
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
        if self._current is not None and self.is_playing:
            current = self._current
            current.take(current.game.terminate(), Action.TERMINATE)
            if current.moves:
                self._report(current)

    def dismiss(self, reason: str) -> bytes:
        """End everything, and give the screen that tells why."""
        self.leave()
        return draw_notice([WELCOME[0], "", reason]) if self._current is None else self._current.draw(reason)

    def _begin(self, start: StartRequest) -> bytes:
        """A new game in place of the one that may be running; its screen."""
        self.leave()
        seed = self._draw_seed()
        self._current = _SeatGame(
            deal(start, seed),
            key=self._draw_key(),
            level=start.level,
            seed=seed,
            clock=self._clock,
            recorded=self._records,
        )
        return self._current.draw(None)

    def _act(self, current: _SeatGame, kind: PacketType) -> None:
        step = _STEPS.get(kind)
        if step is not None:
            current.step(*step)
            return
        was_started, was_debugged = current.moves > 0, current.debugged
        if kind is PacketType.REVEAL:
            current.take(current.game.left_click(current.cursor), Action.REVEAL)
        elif kind is PacketType.TOGGLE_BOMB_MARK:
            current.toggle_mark()
        else:
            current.toggle_debug()
        # From the first change of a cell on a game counts, and one whose mines were shown does not, whatever happens to the server.
        is_news = (current.moves > 0) != was_started or (was_started and current.debugged != was_debugged)
        if current.game.status.ended or is_news:
            self._report(current)

    def _report(self, current: _SeatGame) -> None:
        grid = current.game.grid
        self._report_to(
            GameResult(
                key=current.key,
                columns=grid.width,
                rows=grid.height,
                level=current.level,
                mine_count=current.game.mine_count,
                seed=current.seed,
                status=current.game.status,
                debugged=current.debugged,
                moves=current.moves,
                seconds=round(current.seconds, 3),
                peer=self._peer,
                clicks=current.clicks,
                record=current.record(),
            )
        )
