"""A game from start to end, as it was played."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, Final, NamedTuple

from sapper import _kernels
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid, Topology
from sapper.core.mouse_path import ACTIONS, CODES, MouseAction, MousePath
from sapper.core.move import Action, Move
from sapper.core.notation import read_tiles, write_tiles
from sapper.core.preset import check_mines
from sapper.core.rng import Rng
from sapper.core.rules import Rules, Start, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.core.words import counted
from sapper.errors import RecordError, SapperError

FORMAT: Final = "sapper-record"
VERSION: Final = 2
MOST_CELLS: Final = 1 << 25
"""Cells of a board: a few bytes must not ask for all memory there is."""


class TimedMove(NamedTuple):
    """One move of a record: when it was made, what it was, what it changed."""

    at: int
    """Milliseconds since the game's clock started."""
    move: Move
    update: Update


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as it was played. Made by a session; stored, measured, replayed and reviewed by others."""

    rules: Rules
    grid: Grid
    mine_count: int
    code: str | None = None
    """The text that names the game's layout, if there is one."""
    seed: int | None = None
    """The seed of the layout, if it came from one; with a start rule, the first reveal belongs to it."""
    mines: CellSet | None = None
    """Where the mines were; only in a record of a game that has ended."""
    player: str | None = None
    """The player's name, if there is one."""
    started: str | None = None
    """When the game began, as the recording of another program says it that this is a record of (`replay.recording`)."""
    played: tuple[TimedMove, ...] = ()
    left_out: int = 0
    """Moves that are missing before the last one, which has in its update what they changed too (`shortened`)."""
    mouse: MousePath | None = field(default=None, repr=False)
    """Mouse events, where they were recorded. Times are on the game's clock, negative before it started."""
    cell_size: int = 16
    """Pixels of a cell's side, in which the mouse's places are."""

    def __post_init__(self) -> None:
        check_mines(self.grid, self.mine_count)
        if self.left_out < 0 or (self.left_out and not self.played):
            raise RecordError(f"{self.left_out} moves cannot be missing before the last of {len(self.played)}")
        if self.cell_size < 1:
            raise RecordError(f"a cell has at least one pixel, not {self.cell_size}")
        if self.seed is not None:
            Rng(self.seed)  # raises for what is no seed
        if any(later.at < earlier.at for earlier, later in zip(self.played, self.played[1:], strict=False)):
            raise RecordError("the times of a record's moves never go back")
        if self.mines is not None:
            if not self.status.ended:
                raise RecordError("the mines of a game that has not ended cannot be recorded")
            if len(self.mines) != self.mine_count:
                raise RecordError(f"the record says {counted(self.mine_count, 'mine')} and lists {len(self.mines)}")

    @property
    def status(self) -> Status:
        """How the game stood after its last move."""
        return self.played[-1].update.status if self.played else Status.READY

    @property
    def judged(self) -> tuple[TimedMove, ...]:
        """The moves whose board is known: all, but for the last one of a shortened record."""
        return self.played[:-1] if self.left_out else self.played

    @property
    def last_tiles(self) -> bytes:
        """The tiles of the last board, which is quicker than to make all that were before it."""
        tiles = bytearray([Tile.COVERED]) * self.grid.size
        for one in self.played:
            for start, changed in one.update.runs:
                tiles[start : start + len(changed)] = changed
        return bytes(tiles)

    def boards(self, fresh: Board | None = None) -> Iterator[Board]:
        """The boards of the game: before the first move, then after each.

        `fresh` is the first of them where more is known of it than the record says (`generator.game_code.fresh_board`).
        """
        board = Board.new(self.grid, self.rules, self.mine_count) if fresh is None else fresh
        yield board
        for one in self.played:
            board = board.apply(one.update)
            yield board

    def shortened(self, most: int) -> "Record":
        """The record with at most so many moves, and at least one: the first ones and the last.

        The last one's update then has all that the moves left out have changed, so that the game ends on the same board.
        """
        count = len(self.played)
        if count <= max(most, 1):
            return self
        first, last = self.played[: max(most, 1) - 1], self.played[-1]
        *_, begin = replace(self, played=first, left_out=0, mines=None).boards()
        *_, end = self.boards()
        runs = _kernels.changed_runs(begin.tiles, end.tiles)
        update = Update(tuple((Cell(start), end.tiles[start:stop]) for start, stop in runs), last.update.status)
        left_out = self.left_out + count - len(first) - 1
        return replace(self, played=(*first, last._replace(update=update)), left_out=left_out)

    def head(self) -> dict[str, object]:
        """All but the mines, the moves and the mouse, as values that JSON has."""
        topology = self.grid.topology
        started = {} if self.started is None else {"started": self.started}
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": {one.name: _plain(getattr(self.rules, one.name)) for one in fields(Rules)},
            "width": self.grid.width,
            "height": self.grid.height,
            "topology": {"name": topology.name, "offsets": topology.offsets, "wraps": topology.wraps},
            "mine_count": self.mine_count,
            "code": self.code,
            "seed": self.seed,
            "player": self.player,
            "left_out": self.left_out,
            **started,
        }

    def to_json(self) -> str:
        """The record as one JSON document of one line."""
        document = self.head() | {
            "mines": None if self.mines is None else list(self.mines),
            "played": [
                [
                    one.at,
                    one.move.action.name.lower(),
                    one.move.cell,
                    one.update.status.value,
                    [[start, write_tiles(tiles)] for start, tiles in one.update.runs],
                ]
                for one in self.played
            ],
            "mouse": None if self.mouse is None else {"cell_size": self.cell_size, "events": _events(self.mouse)},
        }
        return json.dumps(document, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Record":
        """The record that `to_json` wrote; `RecordError` for anything else."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"a record is a JSON document: {error}") from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise RecordError(f'a record says "format": "{FORMAT}"; this text does not')
        version = document.get("version")
        if type(version) is not int or version != VERSION:
            raise RecordError(f"this record has version {version!r}; this sapper reads version {VERSION}")
        with damage_told():
            mouse, cell_size = None, 16
            if document["mouse"] is not None:
                mouse, cell_size = _read_events(document["mouse"]["events"]), _whole(document["mouse"]["cell_size"])
            grid, mines = grid_of(document), document["mines"]
            return record_of(
                document,
                grid,
                mines=None if mines is None else CellSet.of(grid.check(_whole(cell)) for cell in mines),
                played=tuple(_read_played(grid, document["played"])),
                mouse=mouse,
                cell_size=cell_size,
            )


@contextmanager
def damage_told() -> Iterator[None]:
    """Whatever is wrong with a record that is read here is a `RecordError`."""
    try:
        yield
    except RecordError:
        raise
    except SapperError as error:
        raise RecordError(f"the record contradicts itself: {error}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise RecordError(f"the record is damaged: {type(error).__name__}: {error}") from error


def _events(path: MousePath) -> list[tuple[int, str, int, int]]:
    names = [ACTIONS[code].value for code in path.actions]
    return list(zip(path.times, names, path.xs, path.ys, strict=True))


def _read_events(items: Iterable[Any]) -> MousePath:
    rows = [(_whole(at), CODES[MouseAction(name)], _whole(x), _whole(y)) for at, name, x, y in items]
    return MousePath([at for at, *_ in rows], bytes(row[1] for row in rows), [row[2] for row in rows], [row[3] for row in rows])  # fmt: skip


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _whole(value: object) -> int:
    """An integer: 3.0 and true equal one, but would be written as another text."""
    if type(value) is not int:
        raise RecordError(f"a record counts in integers, not {value!r}")
    return value


def grid_of(head: dict[str, Any]) -> Grid:
    grid = Grid(_whole(head["width"]), _whole(head["height"]), _read_topology(head["topology"]))
    if grid.size > MOST_CELLS:
        raise RecordError(f"the board of a record has at most {MOST_CELLS:,} cells, not {grid.size:,}")
    return grid


def record_of(
    head: dict[str, Any], grid: Grid, *, mines: CellSet | None, played: tuple[TimedMove, ...], mouse: MousePath | None, cell_size: int,
) -> Record:  # fmt: skip
    """A record from what `Record.head` has given, and the rest; errors of any kind for what is none (see `damage_told`)."""
    values = dict(head["rules"])
    if not isinstance(values["name"], str):
        raise RecordError(f"the name of rules is text, not {values['name']!r}")
    values["win"] = Win(values["win"])
    values["start"] = Start(values["start"])
    code, seed, player, started = head["code"], head["seed"], head["player"], head.get("started")
    for what, text in (("a code", code), ("a player", player), ("a date", started)):
        if not isinstance(text, str | None):
            raise RecordError(f"{what} is text, not {text!r}")
    record = Record(
        rules=Rules(**values),
        grid=grid,
        mine_count=_whole(head["mine_count"]),
        code=code,
        seed=None if seed is None else _whole(seed),
        player=player,
        started=started,
        left_out=_whole(head["left_out"]),
        mines=mines,
        played=played,
        mouse=mouse,
        cell_size=cell_size,
    )
    for _ in record.boards():  # every update must fit the board before it
        pass
    return record


def _read_topology(shape: dict[str, Any]) -> Topology:
    name, wraps = shape["name"], shape["wraps"]
    if not isinstance(name, str):
        raise RecordError(f"the name of a topology is text, not {name!r}")
    if not isinstance(wraps, bool):
        raise RecordError(f"wraps is true or false, not {wraps!r}")
    return Topology(name=name, offsets=tuple((_whole(dx), _whole(dy)) for dx, dy in shape["offsets"]), wraps=wraps)


def _read_played(grid: Grid, items: Iterable[Any]) -> Iterator[TimedMove]:
    for at, action, cell, status, runs in items:
        move = Move(Action[action.upper()], grid.check(_whole(cell)))
        update = Update(tuple((Cell(_whole(start)), read_tiles(tiles)) for start, tiles in runs), Status(status))
        yield TimedMove(_whole(at), move, update)
