"""The line mode: a game that is spoken, and played with typed commands. It needs no screen, no colours and no single keys.

Every answer ends with an empty line, so that a script knows where it ends.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name, column_name, read_cell
from sapper.core.grid import Grid
from sapper.core.notation import write_board
from sapper.core.preset import PRESETS
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.core.words import counted
from sapper.errors import IllegalMoveError, MoveFault, NotationError, SapperError
from sapper.play.events import ChancesFound, Changed, GameEvent, HintFound, MayGuessFound, Refused
from sapper.play.played_game import Ask, Question
from sapper.session.events import What
from sapper.session.inputs import Verb
from sapper.session.kinds import title_of_kind
from sapper.solver.words import listed, percent
from sapper.store.models import ListedSession
from sapper.tui.advice import (
    ENDS_ATTEMPT,
    MOST_CELLS,
    TOO_HARD,
    TOO_MANY,
    hint_words,
    last_move_words,
    may_guess_words,
    win_words,
)
from sapper.tui.keeper import totals_words
from sapper.tui.local_play import game_request, request_by_code
from sapper.tui.playing import GameShown, Play, SessionShown

# What a listener is told of a board: rows, cells, and what a move changed; nothing needs to be seen.
#
# Cells that are alike and side by side are said together: `c to f covered`.
WORDS: Final = {
    Tile.ZERO: "blank",
    Tile.COVERED: "covered",
    Tile.FLAGGED: "flag",
    Tile.QUESTION: "question mark",
    Tile.MINE: "mine",
    Tile.EXPLODED: "exploded mine",
    Tile.WRONG_FLAG: "wrong flag",
}
_HELD: Final = {
    Tile.FLAGGED: "a flag", Tile.QUESTION: "a question mark", Tile.MINE: "a mine", Tile.EXPLODED: "an exploded mine",
    Tile.WRONG_FLAG: "a wrong flag",
}  # fmt: skip
"""What a cell is said to have; the others are something: blank, covered, 3."""
_MOST_NAMED: Final = 3
"""Changed cells that are said one by one; more are said row by row."""


def tile_words(tile: int) -> str:
    """What is at a cell: `blank`, `3`, `covered` …"""
    return WORDS.get(Tile(tile), str(tile))


def said_cell(board: Board, cell: int) -> str:
    """One cell: `c4 is covered`, `c4 has a flag`."""
    tile, name = Tile(board.tiles[cell]), cell_name(board.grid, cell)
    return f"{name} has {_HELD[tile]}" if tile in _HELD else f"{name} is {tile_words(tile)}"


def said_row(board: Board, y: int) -> str:
    """A row from 0: `row 4: a 1, b to f covered.`"""
    width = board.grid.width
    return f"row {y + 1}: {_runs(enumerate(board.tiles[y * width : (y + 1) * width]))}."


def said_rows(board: Board) -> Iterator[str]:
    return (said_row(board, y) for y in range(board.grid.height))


def said_around(board: Board, cell: int) -> Iterator[str]:
    x, y = board.grid.xy(cell)
    width = board.grid.width
    yield f"{said_cell(board, cell)}."
    for row in range(max(0, y - 1), min(board.grid.height, y + 2)):
        columns = range(max(0, x - 1), min(width, x + 2))
        yield f"row {row + 1}: {_runs((column, board.tiles[row * width + column]) for column in columns)}."


def said_changes(board: Board, update: Update) -> Iterator[str]:
    width = board.grid.width
    cells = [cell for cell, _ in update.cells()]
    if len(cells) <= _MOST_NAMED:
        for cell in cells:
            yield f"{said_cell(board, cell)}."
        return
    yield f"{counted(len(cells), 'cell')} changed."
    for y, row in groupby(cells, lambda cell: cell // width):
        yield f"row {y + 1}: {_runs((cell % width, board.tiles[cell]) for cell in row)}."


_HIDDEN: Final = "paused; the board is hidden"


def said_state(session: SessionShown, seconds: int) -> str:
    board = session.board
    if session.is_paused:
        return f"{_HIDDEN}; {counted(board.mine_count, 'mine')}; {counted(seconds, 'second')}."
    flags, left = board.flag_count, board.mine_count - board.flag_count
    state = "not begun" if board.status is Status.READY else board.status.words
    safe = board.grid.size - board.mine_count - board.revealed_count + board.tiles.count(Tile.EXPLODED)
    left_words = f"{left} left" if left >= 0 else f"{counted(-left, 'flag')} too many"
    return f"{state}; {counted(board.mine_count, 'mine')}, {counted(flags, 'flag')}, {left_words}; {counted(safe, 'safe cell')} to reveal; {counted(seconds, 'second')}."


def _runs(tiles: Iterable[tuple[int, int]]) -> str:
    """Columns with their tiles; neighbours that are alike are said together."""
    parts: list[tuple[int, int, int]] = []
    for x, tile in tiles:
        if parts and parts[-1][2] == tile and parts[-1][1] == x - 1:
            parts[-1] = (parts[-1][0], x, tile)
        else:
            parts.append((x, x, tile))
    return ", ".join(f"{_span(first, last)} {tile_words(tile)}" for first, last, tile in parts)


def _span(first: int, last: int) -> str:
    if first == last:
        return column_name(first)
    return f"{column_name(first)} {'and' if last == first + 1 else 'to'} {column_name(last)}"


QUIT: Final = ("quit", "q", "exit", "x")
_MOST_LISTED: Final = 8
"""Cells that are said of those that are safe, of the mines, and of the others, the least risk first."""

Said = Iterator[str]


class LineCommand(NamedTuple):
    """A command: its names, what follows it, and what it does."""

    names: tuple[str, ...]
    arguments: str
    help: str
    act: "Callable[[LinePlayer, list[str]], Said]"


class LinePlayer:
    """Takes commands, says answers, and knows whether a command was not understood."""

    def __init__(self, play: Play, write: Callable[[str], None]) -> None:
        """`write` takes one line at a time, without its end."""
        self.play = play
        self.misunderstood = 0
        """Commands that were none, or had arguments that cannot be."""
        self.is_done = False
        self._write = write
        self._asked: LineCommand | None = None
        """The command that would end an attempt at a board of the day, if it was the last one."""
        self.listed: list[ListedSession] | None = None
        """The unfinished games that were listed last: a number means one of them, whatever was played since."""

    @property
    def game(self) -> GameShown:
        return self.play.game

    def greet(self) -> None:
        self._say(self._greeting())

    def do(self, line: str) -> None:
        """Do what a line says. Wrong ones are answered, and change nothing."""
        words = line.split()
        if not words or words[0].startswith("#"):
            return
        name, arguments = words[0].lower(), words[1:]
        if name in QUIT:
            self.is_done = True
            return
        command = _BY_NAME.get(name)
        if command is None:
            self.misunderstood += 1
            self._say([_unknown(self.game.grid, name)])
            return
        end = ENDS_ATTEMPT.get(command.names[0])
        if end is not None and self.play.is_attempt and self._asked is not command:
            self._asked = command
            self._say([end.format(again=f"Type {command.names[0]} again")])
            return
        self._asked = None
        try:
            self._say(list(command.act(self, arguments)))
        except NotationError as error:
            self.misunderstood += 1
            self._say([f"{error.message}."])
        except (_WrongArguments, LookupError) as error:
            self.misunderstood += 1
            self._say([f"{error}."])
        except (SapperError, ValueError) as error:
            self._say([f"{error}."])

    def _say(self, lines: Iterable[str]) -> None:
        said = list(lines)
        for line in (*self.play.news(), *said):
            self._write(line)
        self._write("")

    def _greeting(self) -> Said:
        yield self.summary()
        yield f"Type help for the commands, quit to leave: {_fate(self.play)}."
        unfinished = [one for one in self.play.archive.unfinished() if one.key != self.game.key]
        if unfinished:
            yield f"There {'is' if len(unfinished) == 1 else 'are'} {counted(len(unfinished), 'unfinished game')}: games lists them, resume goes on."

    def summary(self) -> str:
        grid = self.game.grid
        return f"{self.game.title}: {grid.width} columns, a to {cell_name(grid, grid.width - 1)[:-1]}, {grid.height} rows, {counted(self.game.session.mine_count, 'mine')}."

    # --- the answers -------------------------------------------------------------------------------------------

    def cell(self, arguments: list[str]) -> int:
        if not arguments:
            raise _WrongArguments("say which cell, as c4")
        return read_cell(self.game.session.grid, " ".join(arguments))

    def seen(self) -> Board:
        """The board as it is shown; an error while it is hidden, since all of it reads as covered then."""
        if self.game.session.is_paused:
            raise IllegalMoveError(f"{_HIDDEN}: pause goes on", MoveFault.PAUSED)
        return self.play.board

    def ask(self, ask: Ask, cell: int = 0) -> Said:
        for event in self.play.do(ask, cell):
            yield from self.told(event)

    def told(self, event: GameEvent) -> Said:
        match event:
            case Changed(what=What.PAUSED):
                yield f"{_HIDDEN}."
            case Changed(what=What.WENT_ON):
                yield "going on."
            case Changed(what=What.HINTED | What.OVERLAY):
                pass
            case Changed():
                yield from self.changed(event.update)
            case HintFound():
                yield from hint_words(event.hint)
            case MayGuessFound():
                yield may_guess_words(event.answer)
            case Refused():
                yield f"{event.error}."
            case _:
                pass  # how a game ended is said of the board that it left

    def changed(self, update: Update) -> Said:
        if update.is_empty and not update.status.ended:
            yield "nothing changed."
            return
        board = self.game.session.board
        yield from said_changes(board, update)
        if update.status.ended:
            yield from self.ended()
        elif self.play.unsaved is not None:
            yield self.play.unsaved

    def ended(self) -> Said:
        words = {Status.WON: "You have won", Status.LOST: "You have lost"}.get(self.play.status, "The game is given up")
        yield f"{words}, after {self.game.session.elapsed / 1000:.1f} seconds."
        code = self.game.session.code
        for said in (self.play.unsaved, last_move_words(self.game), None if code is None else f"Its code: {code}"):
            if said is not None:
                yield said
        yield "board shows the mines; new begins another game, restart the same board again."


def _unknown(grid: Grid, word: str) -> str:
    """What is said of a word that is no command; a cell alone is a player's first try."""
    with contextlib.suppress(NotationError):
        cell = cell_name(grid, read_cell(grid, word))
        return f"say what to do with {cell}: reveal {cell}, flag {cell}, chord {cell}, look {cell}."
    return f"no command {word[:40]!r}: help lists those there are."


class _WrongArguments(Exception):  # noqa: N818  # what a player typed
    pass


def _move(verb: Verb) -> Callable[[LinePlayer, list[str]], Said]:
    def act(player: LinePlayer, arguments: list[str]) -> Said:
        if not arguments:
            raise _WrongArguments("say which cell, as c4")
        # Several cells are several moves, and the first that cannot be played, or ends the game, is the last. A name that is no cell's is said before any of them.
        cells = [player.cell([word]) for word in arguments]
        for number, cell in enumerate(cells, 1):
            is_flagged = verb is Verb.FLAG and player.game.session.board.tile(Cell(cell)) is Tile.FLAGGED
            try:
                yield from player.ask(Verb.UNFLAG if is_flagged else verb, cell)
                is_last = player.play.status.ended
            except (SapperError, LookupError) as error:
                yield f"{error}."
                is_last = True
            if is_last:
                if arguments[number:]:
                    yield f"not done: {' '.join(arguments[number:])}."
                return

    return act


def _plain(ask: Ask) -> Callable[[LinePlayer, list[str]], Said]:
    return lambda player, _: player.ask(ask)


def _undo(player: LinePlayer, _arguments: list[str]) -> Said:
    events = player.play.undo()
    if events is None:
        yield f"back to the game before: {said_state(player.game.session, player.play.seconds)}"
    for event in events or ():
        yield from player.told(event)


def _chances(player: LinePlayer, arguments: list[str]) -> Said:
    grid = player.game.grid
    cell = player.cell(arguments) if arguments else None
    if grid.size > MOST_CELLS:
        yield f"{TOO_MANY}."
        return
    events = player.play.do(Question.CHANCES)
    found = next((event.chances for event in events if isinstance(event, ChancesFound)), None)
    if found is None or found.risks is None:
        yield f"{TOO_HARD}."
        return
    if cell is not None:
        risk = found.risks.get(Cell(cell))
        yield f"{cell_name(grid, cell)} is revealed." if risk is None else f"{cell_name(grid, cell)}: {percent(risk)}."
        return
    yield f"{win_words(found)}."
    certain = {"safe": 0.0, "mines": 1.0}
    for word, sure in certain.items():
        if cells := [one for one, risk in found.risks.items() if risk == sure]:
            yield f"{word}: {listed(player.game.session.board, cells, most=_MOST_LISTED)}."
    rest = sorted((risk, one) for one, risk in found.risks.items() if risk not in certain.values())
    if rest:
        more = len(rest) - _MOST_LISTED
        least = ", ".join(f"{cell_name(grid, one)} {percent(risk)}" for risk, one in rest[:_MOST_LISTED])
        ending = f", and {counted(more, 'more cell')}: chances CELL says the chance of one" if more > 0 else ""
        yield f"the least risk{' of the rest' if len(rest) < len(found.risks) else ''}: {least}{ending}."


def _row(player: LinePlayer, arguments: list[str]) -> Said:
    height = player.game.session.grid.height
    if len(arguments) != 1 or not (arguments[0].isdecimal() and 1 <= int(arguments[0]) <= height):
        raise _WrongArguments(f"say which row, from 1 to {height}")
    yield said_row(player.seen(), int(arguments[0]) - 1)


def _status(player: LinePlayer, _arguments: list[str]) -> Said:
    yield said_state(player.game.session, player.play.seconds)


def _new(player: LinePlayer, arguments: list[str]) -> Said:
    words = [word.lower() for word in arguments]
    force = "force" in words
    words = [word for word in words if word != "force"]
    request = None
    if words and words[0] == "code":
        request = request_by_code(arguments[1] if len(arguments) > 1 else "")
    elif words:
        request = game_request(**_game_options(words))
    if player.play.loses_by_new and not force:
        yield "this game would be lost, since nothing can be kept; new force begins another all the same."
        return
    player.play.new(request)
    yield player.summary()


def _game_options(words: list[str]) -> dict[str, Any]:
    """What follows `new`: a preset, WIDTHxHEIGHT/MINES or WIDTHxHEIGHT MINES; `any`, `safe` or `open`; `no-guess`."""
    found: dict[str, Any] = {}
    for word in words:
        width, by, height = word.partition("x")
        if word in PRESETS or "/" in word:
            found["preset"] = word
        elif word in ("any", "safe", "open"):
            found["start"] = word
        elif word in ("no-guess", "noguess"):
            found["no_guess"] = True
        elif by and width.isdecimal() and height.isdecimal():
            found["size"] = (int(width), int(height))
        elif word.isdecimal():
            found["mine_count"] = int(word)
        else:
            raise _WrongArguments(
                f"{word[:40]!r} is no word for a game: name a preset ({', '.join(PRESETS)}), or 30x16/99; safe, open or any; no-guess; code CODE"
            )
    return found


def _games(player: LinePlayer, _arguments: list[str]) -> Said:
    player.listed = _unfinished(player)
    if not player.listed:
        yield "no unfinished game."
    for number, one in enumerate(player.listed, 1):
        yield f"{number}: {_listed(one)}."


def _unfinished(player: LinePlayer) -> list[ListedSession]:
    """The unfinished games, the last played first."""
    return [one for one in player.play.archive.unfinished() if one.key != player.game.key]


def _listed(one: ListedSession) -> str:
    return f"{one.title}, {counted(one.state.elapsed // 1000, 'second')}, {counted(one.state.covered, 'cell')} covered"


def _resume(player: LinePlayer, arguments: list[str]) -> Said:
    # Without a number it is the game that was played last; a number means a game of the list that the player has read.
    saved = _unfinished(player) if player.listed is None or not arguments else player.listed
    if not saved:
        raise _WrongArguments("there is no unfinished game")
    word = arguments[0] if arguments else "1"
    if len(arguments) > 1 or not (word.isdecimal() and 1 <= int(word) <= len(saved)):
        raise _WrongArguments(f"say which game, from 1 to {len(saved)}: games lists them")
    chosen = saved[int(word) - 1]
    if chosen.key == player.game.key:
        raise _WrongArguments(f"game {word} is the one that is played")
    player.play.resume(chosen.key)
    yield player.summary()
    yield from _status(player, [])


def _save(player: LinePlayer, _arguments: list[str]) -> Said:
    archive = player.play.archive
    if player.play.is_untouched or player.play.status.ended:
        yield f"there is nothing to keep: the game {'is over' if player.play.status.ended else 'has not begun'}."
        return
    player.play.save()
    is_kept = archive.flush()
    yield "kept." if is_kept and archive.keeps else f"not kept: {archive.trouble or 'there is no store'}."


def _stats(player: LinePlayer, _arguments: list[str]) -> Said:
    player.play.archive.flush()
    found = player.play.archive.statistics()
    if found is None:
        yield "nothing is known."
        return
    yield f"{totals_words(found)}."
    for kind, numbers in found.kinds:
        best = "" if numbers.best_ms is None else f", best time {numbers.best_ms / 1000:.1f} seconds"
        yield f"{title_of_kind(kind)}: {numbers.played} played, {numbers.won} won{best}."


def _fate(play: Play) -> str:
    return "a game that is not over is kept" if play.archive.keeps else "nothing is kept"


COMMANDS: Final = (
    LineCommand(("reveal", "r"), "CELL…", "reveal cells, as reveal c4", _move(Verb.REVEAL)),
    LineCommand(("flag", "f"), "CELL…", "flag cells, or take their flags away", _move(Verb.FLAG)),
    LineCommand(("chord", "c"), "CELL…", "reveal what a clue with all its flags leaves", _move(Verb.CHORD)),
    LineCommand(("click", "left"), "CELL…", "what a left click does: reveal or chord", _move(Verb.LEFT)),
    LineCommand(("mark", "right"), "CELL…", "what a right click does: flag, question mark, none", _move(Verb.RIGHT)),
    LineCommand(("undo", "u"), "", "take the last move back; a new game too, before its first move", _undo),
    LineCommand(("redo",), "", "play it again", _plain(Verb.REDO)),
    LineCommand(("hint", "h"), "", "the next step and its reason; the game counts as assisted", _plain(Verb.HINT)),
    LineCommand(("guess", "g"), "", "whether a guess is all that is left; the game counts as assisted", _plain(Question.MAY_GUESS)),
    LineCommand(("chances",), "[CELL]", "chance to win and of a mine; the game counts as assisted", _chances),
    LineCommand(("board", "b"), "", "all rows", lambda player, _: said_rows(player.seen())),
    LineCommand(("row",), "N", "one row, from 1", _row),
    LineCommand(("look", "l"), "CELL", "a cell and those around it", lambda player, arguments: said_around(player.seen(), player.cell(arguments))),
    LineCommand(("text",), "", "the board as text, for programs", lambda player, _: iter(write_board(player.seen()).splitlines())),
    LineCommand(("status", "s"), "", "mines, flags, time", _status),
    LineCommand(("pause", "p"), "", "stop the clock and hide the board, or go on", lambda player, _: player.ask(Verb.GO_ON if player.game.session.is_paused else Verb.PAUSE)),
    LineCommand(("restart",), "", "the same board from the start; a running game is given up", _plain(Verb.RESTART)),
    LineCommand(("giveup", "end"), "", "give the game up", _plain(Verb.TERMINATE)),
    LineCommand(("new", "n"), "[GAME]", "another game: new, new expert no-guess, new 30x20 130 safe, new code CODE", _new),
    LineCommand(("games",), "", "unfinished games", _games),
    LineCommand(("resume",), "[N]", "go on with one", _resume),
    LineCommand(("save",), "", "keep the game now; where there is a store it is kept after each move too", _save),
    LineCommand(("stats",), "", "games played and won, best times", _stats),
    LineCommand(("help", "?"), "", "this list", lambda player, _: help_lines(player.play)),
)  # fmt: skip
_BY_NAME: Final = {name: command for command in COMMANDS for name in command.names}


def help_lines(play: Play) -> Said:
    for command in COMMANDS:
        short = f" ({', '.join(command.names[1:])})" if len(command.names) > 1 else ""
        arguments = f" {command.arguments}" if command.arguments else ""
        yield f"{command.names[0]}{arguments}{short}: {command.help}."
    yield f"quit ({', '.join(QUIT[1:])}): leave; {_fate(play)}."
    yield "A cell is a letter and a number, as c4, or column,row from 0, as 2,3."
