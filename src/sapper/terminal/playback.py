"""A recorded game played back on the terminal: when each move is shown, what keys do, what the screen says."""

import re
import time
from collections.abc import Iterator
from typing import Final

from sapper.render import ansi
from sapper.render.screen import painted_cell
from sapper.replay.frames import LONGEST_WAIT, Frames
from sapper.terminal.full_screen import FullScreen
from sapper.terminal.viewport import ViewportFrame

HELP: Final = "SPACE plays/stops, arrows step, +/- speed, N ENTER jumps, E end, R restarts, Q quits"
SPEEDS: Final = (0.05, 100.0)
_MOST_DIGITS: Final = 9

_KEY: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*([@-~])|O([@-~]))|(.)", re.DOTALL)
_ARROWS: Final = {b"A": "back", b"B": "on", b"C": "on", b"D": "back", b"F": "end", b"H": "begin"}
_PLAIN: Final = {
    b" ": "pause", b"+": "faster", b"=": "faster", b"-": "slower", b"_": "slower", b"q": "quit", b"x": "quit",
    b"e": "end", b"r": "begin", b"n": "on", b"p": "back", b"\r": "jump", b"\n": "jump", b"\x7f": "erase",
    b"\x0c": "redraw",
}  # fmt: skip


def commands_of(keys: bytes) -> Iterator[str]:
    """What bytes of a keyboard ask for: a command, or a digit. What means nothing is passed over."""
    for match in _KEY.finditer(keys):
        csi, ss3, plain = match.groups()
        if plain is None:
            command = _ARROWS.get(csi or ss3)
            if command is not None:
                yield command
        elif plain.isdigit():
            yield plain.decode()
        elif plain.lower() in _PLAIN:
            yield _PLAIN[plain.lower()]


class Playback:
    """Where a replay is. Times are the caller's: seconds of any clock that does not go back."""

    def __init__(self, frames: Frames, *, speed: float = 1.0) -> None:
        self._frames = frames
        self.number = 0
        self.speed = speed
        self.is_playing = len(frames) > 1
        self.typed = ""
        """The digits of a move to jump to."""
        self.quits = False
        self._due: float | None = None
        """When the next move is shown; None until it is known what time it is."""

    def seconds_to_next(self, now: float) -> float | None:
        """How long until the next move; None where nothing comes by itself."""
        if not self.is_playing:
            return None
        if self._due is None:
            self._due = now + self._gap()
        return max(0.0, self._due - now)

    def pass_time(self, now: float) -> None:
        while self.is_playing and self.seconds_to_next(now) == 0.0:
            due = self._due or now
            self._go(self.number + 1)
            if self.is_playing:
                # From when it was due, not from now: else every delay of the screen would add up. A process that
                # was stopped for long does not catch up.
                self._due = max(due, now - LONGEST_WAIT) + self._gap()

    def do(self, command: str) -> None:
        last = len(self._frames) - 1
        if command.isdigit():
            self.typed = (self.typed + command)[:_MOST_DIGITS]
            return
        match command:
            case "pause":
                if self.number == last:
                    self._go(0)
                self.is_playing = not self.is_playing and last > 0
                self._due = None
            case "on" | "back":
                self.is_playing = False
                self._go(self.number + (1 if command == "on" else -1))
            case "begin" | "end":
                self.is_playing = False
                self._go(0 if command == "begin" else last)
            case "jump" if self.typed:
                self.is_playing = False
                self._go(int(self.typed))
            case "erase":
                self.typed = self.typed[:-1]
                return
            case "faster" | "slower":
                factor = 2.0 if command == "faster" else 0.5
                self.speed = min(max(self.speed * factor, SPEEDS[0]), SPEEDS[1])
                self._due = None
            case "quit":
                self.quits = True
            case _:
                pass
        self.typed = ""

    def _go(self, number: int) -> None:
        self.number = min(max(number, 0), len(self._frames) - 1)
        if self.number == len(self._frames) - 1:
            self.is_playing = False

    def _gap(self) -> float:
        return self._frames.gap(self.number, self.speed)


def frame_of(
    playback: Playback, frames: Frames, *, title: str, width: int, height: int, colours: bool
) -> ViewportFrame:
    """What the terminal shows: the board, or the part of it around the last move that fits, and three lines."""
    board = frames.shown(playback.number)
    grid = board.grid
    cell = frames.record.played[playback.number - 1].move.cell if playback.number else 0
    x, y = grid.xy(cell)
    rows = max(1, min(grid.height, height - 3))
    left, top = _begin(x, width, grid.width), _begin(y, rows, grid.height)
    lines = []
    for row in range(top, top + rows):
        cells = range(row * grid.width + left, row * grid.width + min(left + width, grid.width))
        last = cell if playback.number else None
        lines.append("".join(painted_cell(board, one, colours=colours, reverse=one == last) for one in cells))
    state = f"jump to move {playback.typed}_" if playback.typed else ("playing" if playback.is_playing else "stopped")
    # A file's name may have anything in it.
    below = [frames.summary(playback.number), f"{title}: {state}, {playback.speed:g}x", HELP]
    lines += [ansi.printable(line)[: max(width - 1, 0)] for line in below][: max(0, height - len(lines))]
    return ViewportFrame(lines=tuple(lines), x=min(x - left, width - 1), y=y - top)


def _begin(at: int, room: int, size: int) -> int:
    return max(0, min(at - room // 2, size - room))


def play(frames: Frames, terminal: FullScreen, *, title: str, speed: float = 1.0, colours: bool = True) -> None:
    """Play a game back until the player quits. `TerminalEnded` if a signal ends it."""
    playback = Playback(frames, speed=speed)
    with terminal:
        while not playback.quits:
            playback.pass_time(time.monotonic())
            width, height = terminal.size()
            terminal.show(frame_of(playback, frames, title=title, width=width, height=height, colours=colours))
            keys, _ = terminal.wait(seconds=playback.seconds_to_next(time.monotonic()))
            for command in commands_of(keys):
                if command == "redraw":
                    terminal.forget()
                else:
                    playback.do(command)
