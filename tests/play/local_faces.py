"""The faces at this machine: `sapper play` with lines through a pipe, and with a screen in a pseudo-terminal."""

import contextlib
import re
import subprocess
import sys
from typing import ClassVar, Final

from sapper.core.coordinates import cell_name, read_cell
from sapper.store.repository import open_store
from sapper.tui.keeper import GameArchive
from sapper.tui.lines import LinePlayer
from sapper.tui.local_play import LocalPlay
from tests.network import PATIENT_SAPPER, TerminalProcess
from tests.play.faces import PATIENCE, Face, Seen, Spec

SAPPER: Final = (sys.executable, "-m", "sapper")


class LinesFace(Face):
    """A script that plays through a pipe."""

    name = "lines"
    _WORDS: ClassVar = {"give up": "giveup", "go on": "pause"}
    _STATES: ClassVar = {"not begun": "ready", "given up": "terminated"}

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        self._start(*spec.options)

    def _start(self, *options: str) -> None:
        program = SAPPER if self.place.is_troubled else PATIENT_SAPPER
        self._process = subprocess.Popen(
            [*program, "play", "--lines", "--player", "ann", "--database", self.place.database, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8",
        )  # fmt: skip
        self._paused = self._unsaved = False
        self._answer()

    def _answer(self) -> list[str]:
        assert self._process.stdout is not None
        lines: list[str] = []
        while line := self._process.stdout.readline().rstrip("\n"):
            lines.append(line)
        return lines

    def _ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._answer()

    def do(self, verb: str, cell: str) -> None:
        said = " ".join(self._ask(f"{self._WORDS.get(verb, verb)} {cell}".strip()))
        self._unsaved = "not saved" in said
        if verb in ("pause", "go on"):
            self._paused = "paused" in said
        elif verb in ("restart", "give up"):
            self._paused = False

    def leave(self) -> None:
        self.close()

    def kill(self) -> None:
        self._process.kill()
        self.close()

    def resume(self) -> None:
        self._start()
        said = " ".join(self._ask("resume 1"))
        assert "no unfinished game" not in said, said
        self._paused = "paused" in said

    def seen(self) -> Seen:
        rows = self._ask("text")[1:]
        state = self._ask("status")[0].partition(";")[0]
        if state == "paused":  # the board is hidden
            state, rows = "playing", ["#" * self.spec.grid.width] * self.spec.grid.height
        return Seen(self._STATES.get(state, state), "/".join(rows), self._paused, self._unsaved)

    def elapsed(self) -> int | None:
        found = re.search(r"(\d+) seconds?", self._ask("status")[0])
        assert found is not None
        return int(found[1]) * 1000

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        return self._process.pid


class SpokenFace(LinesFace):
    """The same commands and answers without a process, whose start takes half a second of processor."""

    def _start(self, *options: str) -> None:
        self._said: list[str] = []
        self._archive = GameArchive(lambda: open_store(self.place.database), player="ann", keep_time=PATIENCE)
        self._play = LocalPlay(self._archive, new_seed=lambda: 1)
        self._play.request = self.spec.request
        self._play.new()
        self._player = LinePlayer(self._play, self._said.append)
        self._paused = self._unsaved = False

    def _ask(self, line: str) -> list[str]:
        self._said.clear()
        self._player.do(line)
        return self._said[:-1]  # the last is the empty line that ends an answer

    def close(self) -> None:
        self._play.leave()
        self._archive.close()


_DONE: Final = "no 8 on the board"


class ScreenFace(Face):
    """A player in front of a terminal."""

    name = "screen"
    _KEYS: ClassVar = {
        "reveal": " ", "flag": "f", "undo": "u", "redo": "\x12", "pause": "p", "go on": "p", "restart": "r", "give up": "E",
    }  # fmt: skip
    _STATES: ClassVar = {"WON": "won", "GAME OVER": "lost", "given up": "terminated"}

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        self._start(*spec.options)
        self._terminal.wait_for("time:")

    def _start(self, *options: str) -> None:
        words = ("play", "--player", "ann", "--database", self.place.database, *options)
        self._terminal = TerminalProcess([*SAPPER, *words])

    def do(self, verb: str, cell: str) -> None:
        if cell:
            x, y = self.spec.grid.xy(read_cell(self.spec.grid, cell))
            self._terminal.type("gg0" + "j" * y + "l" * x)
        if verb == "chances":
            self._terminal.type("oo")
        elif verb == "hint":
            self._in_order()
            self._terminal.type("i")
            self._terminal.wait_until(lambda: not self._shows(_DONE) and not self._shows("thinking"))
        elif verb in ("restart", "give up"):
            self._in_order()
            self._terminal.type(self._KEYS[verb])
            if not self._has_ended():
                # Of a running game it is asked whether that is meant.
                self._terminal.wait_until(lambda: not self._shows(_DONE))
                if self._shows("again does so") or self._shows("again gives the game up"):
                    self._terminal.type(self._KEYS[verb])
        else:
            self._terminal.type(self._KEYS[verb])
        if verb == "reveal" and self.spec.no_guess:
            # A layout is looked for: other keys are refused meanwhile.
            self._terminal.wait_until(lambda: set("".join(self._board())) - set("#F"))

    def _has_ended(self) -> bool:
        return any(words in self._boxes() for words in self._STATES)

    def _shows(self, words: str) -> bool:
        return any(words in line for line in self._terminal.lines)

    def _in_order(self) -> None:
        """Wait until the keys so far have been done: a search for a tile that no board has is answered after them."""
        self._terminal.type("/8")
        self._terminal.wait_until(lambda: self._shows(_DONE) or self._has_ended())

    def _boxes(self) -> str:
        return next((line for line in self._terminal.lines if "time: " in line), "")

    def _field(self, name: str) -> int | None:
        found = re.search(rf"{name}: (-?\d+)", self._boxes())
        return None if found is None else int(found[1])

    def _board(self) -> list[str]:
        """The rows, a character a cell."""
        lines, grid = self._terminal.lines, self.spec.grid
        names = [cell_name(grid, x)[:-1] for x in range(grid.width)]
        head = next((n for n, line in enumerate(lines) if line.split() == names), None)
        if head is None:
            return []
        places = [match.start() for match in re.finditer(r"\S+", lines[head])]
        shown = [line for line in lines[head + 1 :] if re.match(r"\s*\d+\s", line)][: grid.height]
        return ["".join(line[place] for place in places).replace(" ", ".").replace("·", "#") for line in shown]

    def leave(self) -> None:
        self._terminal.type("q")
        self._terminal.end()
        self._terminal.close()

    def kill(self) -> None:
        self._terminal.process.kill()
        self._terminal.close()

    def resume(self) -> None:
        self._start()
        self._terminal.wait_for("go on:")
        self._terminal.type("\x1b[F\r")
        self._terminal.wait_for("time:")

    def seen(self) -> Seen:
        boxes, rows = self._boxes(), self._board()
        status = next((word for text, word in self._STATES.items() if text in boxes), "playing")
        if status == "playing" and set("".join(rows)) <= {"#"} and "paused" not in boxes:
            status = "ready"  # the screen says no more of it
        return Seen(status, "/".join(rows), "paused" in boxes, self._shows("not saved"))

    def elapsed(self) -> int | None:
        seconds = self._field("time")
        return None if seconds is None else seconds * 1000

    def close(self) -> None:
        if self._terminal.process.poll() is None:
            self._terminal.type("q")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._terminal.process.wait(PATIENCE)
            self._terminal.close()

    @property
    def pid(self) -> int:
        return self._terminal.process.pid
