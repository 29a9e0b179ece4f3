"""Saved games: one JSON text from which the game goes on exactly where it was, before the first reveal too.

Saving is playing: the text holds how the layout is come by and every input with its time, and reading it plays them
again. The game that this leads to must be the one that the text says it is, move by move; else it is refused.

A saved game holds the truth (the layout, or the code that gives it). It is for who holds the referee, a server or
the owner's own disc, never for a player of a game that others judge.

    {"format": "sapper-session", "version": 4,
     "game": the record so far (core.record), with code and seed,
     "layout": the mines, or null before they are generated, as one hexadecimal number whose bit i is cell i,
     "drawn_first": were they there before the first reveal,
     "seen": may the mines be known to the player,
     "practice": true of a game that is played on from a position,
     "inputs": [[milliseconds, verb, cell], …] (a hint has a list of cells),
     "elapsed": milliseconds, "running": does the clock run, "paused": is the game paused}

What is done afterwards may be appended, a line at a time, so that a game need not be written whole after each move:

    {"inputs": [[milliseconds, verb, cell], …], "update": [status, [[first cell, "tiles"], …]], "elapsed": milliseconds, "running": …, "paused": …,
     "layout": the mines, if the first of these inputs had them searched for; else it is left out}

The update is what those inputs changed of the tiles (`core.notation`), together; reading compares it with what they lead to.

Version 3 had no such lines. Version 2 had the mines as a list of cells, which took ten times the room on a board full of them. Version 1 had no "seen" either, and
no overlay among its verbs. All are read.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sapper import _kernels
from sapper.core.cells import Cell, CellSet
from sapper.core.notation import read_tiles, write_tiles
from sapper.core.record import Record
from sapper.core.update import Update
from sapper.errors import RecordError, SapperError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout, LayoutSource
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.session.clock import Clock, system_clock
from sapper.session.inputs import Input, Verb
from sapper.session.save_state import SaveState
from sapper.session.session import Session

FORMAT = "sapper-session"
VERSION = 4

_JSON = {False: "false", True: "true"}
_HEXADECIMAL = re.compile("[0-9a-f]+")

SourceOf = Callable[[CodedGame, Layout | None], LayoutSource]
"""Where the layout of a saved game comes from: the game that its code names, and the layout, if it was generated already."""


class _Told(FixedLayout):
    """A layout that is told, and given when it was generated the first time."""

    __slots__ = ("_drawn_first",)

    def __init__(self, layout: Layout, coded: CodedGame | None, *, drawn_first: bool) -> None:
        """`coded` is the game that its code names, if it has one."""
        super().__init__(layout, promise=None if coded is None else coded.promise)
        self._drawn_first = drawn_first
        nothing_known = CellSet() if drawn_first else None
        self.safe_first = nothing_known if coded is None else coded.safe_first

    def start(self) -> Layout | None:
        return self._layout if self._drawn_first else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSnapshot:
    """A session as it was at one moment: it can be written later, and on another thread."""

    truth: SaveState = field(repr=False)
    seen: bool
    practice: bool
    elapsed: int
    running: bool
    paused: bool

    def to_json(self) -> str:
        """One JSON text of one line, which `load_session` reads."""
        truth = self.truth
        values = {
            "layout": None if truth.layout is None else f"{truth.layout.mines.mask:x}",
            "drawn_first": truth.drawn_first,
            "seen": self.seen,
            "practice": self.practice,
            "inputs": [one.to_list() for one in truth.inputs],
            "elapsed": self.elapsed,
            "running": self.running,
            "paused": self.paused,
        }
        # The record is JSON already: to read it only to write it again would take as long as all else.
        head = f'{{"format":"{FORMAT}","version":{VERSION},"game":{truth.record.to_json()},'
        return head + json.dumps(values, separators=(",", ":"))[1:]


def snapshot(session: Session, referee: Referee) -> SessionSnapshot:
    """The session as it is now, to be written; errors as in `save_session`."""
    truth = session.truth(referee)
    if truth.layout is None and truth.record.code is None:
        raise RecordError(
            "a game without a code can be saved when its layout is generated: make its session with its code"
        )
    return SessionSnapshot(
        truth=truth,
        seen=session.assistance.seen,
        practice=session.assistance.practice,
        elapsed=session.elapsed,
        running=session.is_running,
        paused=session.is_paused,
    )


class SavedMark(NamedTuple):
    """Up to where a session has been written."""

    inputs: int
    tiles: bytes


def tail_since(
    session: Session, referee: Referee, mark: SavedMark, *, with_layout: bool = False, update: Update | None = None
) -> tuple[str, SavedMark]:
    """What was done since, as a line to be appended to the saved game, and how far it is written then; `AccessError` as in `save_session`.

    `with_layout`: the layout was found since, and is not to be searched for again. `update`: what the last input changed of the tiles.
    """
    inputs, board = session.inputs_since(referee, mark.inputs), referee.board
    if update is not None and len(inputs) == 1:
        changed = update.runs
    else:
        changed = tuple(
            (Cell(start), board.tiles[start:end]) for start, end in _kernels.changed_runs(mark.tiles, board.tiles)
        )
    # This is written for each move of each game: a JSON library takes three times as long.
    said = ",".join([one.to_json() for one in inputs])
    runs = ",".join([f'[{start},"{write_tiles(tiles)}"]' for start, tiles in changed])
    rest = f'"elapsed":{session.elapsed},"running":{_JSON[session.is_running]},"paused":{_JSON[session.is_paused]}'
    if with_layout and referee.layout is not None:
        rest += f',"layout":"{referee.layout.mines.mask:x}"'
    line = f'{{"inputs":[{said}],"update":["{board.status._value_}",[{runs}]],{rest}}}\n'
    return line, SavedMark(mark.inputs + len(inputs), board.tiles)


def save_session(session: Session, referee: Referee) -> str:
    """The session as one JSON text of one line; `AccessError` without the session's own referee.

    `RecordError` for a game whose layout is not generated yet and that has no code: nothing could give its layout.
    """
    return snapshot(session, referee).to_json()


def load_session(
    text: str, *, clock: Clock = system_clock, source_of: SourceOf | None = None
) -> tuple[Session, Referee]:
    """The session that `save_session` wrote, as it was then, with its referee: its time goes on from now.

    `source_of` is for who must not wait for a search at the first reveal. `RecordError`
    for any text that is no saved game, is of another version, or contradicts itself.
    """
    if not text.strip():
        raise RecordError("a saved game is the text that save_game gave; this text is empty")
    try:
        whole, *lines = text.splitlines()
        document, tails = json.loads(whole), [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as error:
        raise RecordError(f"a saved game is a JSON document, or one a line: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RecordError(f'a saved game says "format": "{FORMAT}"; this text does not')
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(f"the saved game has version {version!r:.60}; this sapper reads version {VERSION}")
    try:
        searched = next((tail["layout"] for tail in tails if "layout" in tail), None)
        session, referee = _play_again(document, clock, source_of, searched)
        for tail in tails:
            _play_on(session, referee, tail)
    except SapperError as error:
        raise RecordError(f"the saved game contradicts itself: {error}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise RecordError(f"the saved game is damaged: {type(error).__name__}: {error}") from error
    return session, referee


def _play_again(
    document: dict[str, Any], clock: Clock, source_of: SourceOf | None, searched: object
) -> tuple[Session, Referee]:
    """Carry out the first line; `searched`: the layout that a later one has."""
    record = Record.from_json(json.dumps(document["game"]))
    mines = None if document["layout"] is None else _mines_in(document["layout"])
    drawn_first, seen, practice = document["drawn_first"], document["seen"], document["practice"]
    for name, value in (("drawn_first", drawn_first), ("seen", seen), ("practice", practice)):
        if not isinstance(value, bool):
            raise RecordError(f"{name} is true or false, not {value!r}")
    layout = None if mines is None else Layout(record.grid, mines)
    given = Layout(record.grid, _mines_in(searched)) if layout is None and searched is not None else layout
    source = _source(record, given, source_of, drawn_first=drawn_first)
    referee = Referee(rules=record.rules, source=source)
    session = Session(referee, clock=clock, code=record.code, seed=record.seed, seen=seen, practice=practice)
    last = _replay(session, referee, document["inputs"])
    truth = session.truth(referee)
    if truth.record != record or truth.layout != layout or truth.drawn_first != drawn_first:
        raise RecordError("its inputs lead to another game than it says")
    _set_clock(session, referee, document, last)
    return session, referee


def _play_on(session: Session, referee: Referee, tail: dict[str, Any]) -> None:
    """Carry out a line that was appended."""
    before = referee.board.tiles
    last = _replay(session, referee, tail["inputs"])
    status, runs = tail["update"]
    board, tiles = referee.board, bytearray(before)
    for start, changed in runs:
        tiles[start : start + len(changed)] = read_tiles(changed)
    if (board.status.value, board.tiles) != (status, bytes(tiles)):
        raise RecordError("its inputs lead to another board than it says")
    _set_clock(session, referee, tail, last)


def _replay(session: Session, referee: Referee, inputs: list[Any]) -> int:
    """Carry out inputs; the time of the last one."""
    at = 0
    for values in inputs:
        one = Input.from_list(session.grid, values)
        if one.at < at:
            raise RecordError(f"the times of inputs never go back, but {one.at} follows {at}")
        session.replay(referee, one)
        at = 0 if one.verb is Verb.RESTART else one.at
    return at


def _set_clock(session: Session, referee: Referee, told: dict[str, Any], last: int) -> None:
    """Set the clock to what a saved game, or a line that was appended, says."""
    elapsed, running = told["elapsed"], told["running"]
    if type(elapsed) is not int or elapsed < last:
        raise RecordError(f"the clock stands at {elapsed!r} milliseconds, the last input was at {last}")
    if (session.is_running, session.is_paused) != (running, told["paused"]):
        raise RecordError("its inputs leave the clock otherwise than it says")
    session.stand_at(referee, elapsed, running=running)


def _mines_in(mines: object) -> CellSet:
    if not isinstance(mines, str) or _HEXADECIMAL.fullmatch(mines) is None:
        raise RecordError(f"a layout is one hexadecimal number, not {mines!r:.40}")
    return CellSet(int(mines, 16))


def _source(record: Record, layout: Layout | None, source_of: SourceOf | None, *, drawn_first: bool) -> LayoutSource:
    """Where the layout comes from: the code, as it did at first; it is told where there is none, or it takes a search."""
    if record.code is None:
        if layout is None:
            raise RecordError("the saved game has neither a layout nor a code that gives one")
        return _Told(layout, None, drawn_first=drawn_first)
    coded = game_of_code(record.code)
    if (coded.rules, coded.grid, coded.mine_count) != (record.rules, record.grid, record.mine_count):
        raise RecordError("its code is of other rules, or of another board")
    if coded.seed is not None and record.seed not in (None, coded.seed):
        raise RecordError(f"its code has seed {coded.seed}, not {record.seed}")
    if source_of is not None:
        return source_of(coded, layout)
    return coded.source() if layout is None or coded.spec is None else _Told(layout, coded, drawn_first=drawn_first)
