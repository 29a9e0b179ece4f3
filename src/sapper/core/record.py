"""A game from start to end, as it was played.

Knows: the game's settings, each move with its time and its update, and a JSON form with a version.
Does not know: clocks (a session times the moves), where records are kept.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid, Topology
from sapper.core.move import Action, Move
from sapper.core.notation import read_tiles, write_tiles
from sapper.core.preset import check_mines
from sapper.core.rng import Rng
from sapper.core.rules import Rules, Start, Win
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.core.words import counted
from sapper.errors import RecordError, SapperError

FORMAT = "sapper-record"
VERSION = 1


class Played(NamedTuple):
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
    played: tuple[Played, ...] = ()

    def __post_init__(self) -> None:
        check_mines(self.grid, self.mine_count)
        if self.seed is not None:
            Rng(self.seed)  # raises for what is no seed
        if any(later.at < earlier.at for earlier, later in zip(self.played, self.played[1:], strict=False)):
            raise RecordError("the times of a record's moves never go back")
        if self.mines is not None:
            if not self.status.ended:
                raise RecordError("the mines of a game that has not ended are nobody's to record")
            if len(self.mines) != self.mine_count:
                raise RecordError(f"the record says {counted(self.mine_count, 'mine')} and lists {len(self.mines)}")

    @property
    def status(self) -> Status:
        """How the game stood after its last move."""
        return self.played[-1].update.status if self.played else Status.READY

    def boards(self) -> Iterator[Board]:
        """The boards of the game: before the first move, then after each."""
        board = Board.new(self.grid, self.rules, self.mine_count)
        yield board
        for one in self.played:
            board = board.apply(one.update)
            yield board

    def to_json(self) -> str:
        """The record as one JSON document of one line."""
        topology = self.grid.topology
        document: dict[str, object] = {
            "format": FORMAT,
            "version": VERSION,
            "rules": {one.name: _plain(getattr(self.rules, one.name)) for one in fields(Rules)},
            "width": self.grid.width,
            "height": self.grid.height,
            "topology": {"name": topology.name, "offsets": topology.offsets, "wraps": topology.wraps},
            "mine_count": self.mine_count,
            "code": self.code,
            "seed": self.seed,
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
        if document.get("version") != VERSION:
            raise RecordError(
                f"this record has version {document.get('version')!r}; this sapper reads version {VERSION}"
            )
        try:
            return _from_document(document)
        except RecordError:
            raise
        except SapperError as error:
            raise RecordError(f"the record contradicts itself: {error}") from error
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise RecordError(f"the record is damaged: {type(error).__name__}: {error}") from error


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _whole(value: object) -> int:
    """An integer: 3.0 and true equal one, but would be written as another text."""
    if type(value) is not int:
        raise RecordError(f"a record counts in integers, not {value!r}")
    return value


def _from_document(document: dict[str, Any]) -> Record:
    values = dict(document["rules"])
    if not isinstance(values["name"], str):
        raise RecordError(f"the name of rules is text, not {values['name']!r}")
    values["win"] = Win(values["win"])
    values["start"] = Start(values["start"])
    grid = Grid(_whole(document["width"]), _whole(document["height"]), _read_topology(document["topology"]))
    code, seed, mines = document["code"], document["seed"], document["mines"]
    if not isinstance(code, str | None):
        raise RecordError(f"a code is text, not {code!r}")
    record = Record(
        rules=Rules(**values),
        grid=grid,
        mine_count=_whole(document["mine_count"]),
        code=code,
        seed=None if seed is None else _whole(seed),
        mines=None if mines is None else CellSet.of(grid.check(_whole(cell)) for cell in mines),
        played=tuple(_read_played(grid, document["played"])),
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


def _read_played(grid: Grid, items: Iterable[Any]) -> Iterator[Played]:
    for at, action, cell, status, runs in items:
        move = Move(Action[action.upper()], grid.check(_whole(cell)))
        update = Update(tuple((Cell(_whole(start)), read_tiles(tiles)) for start, tiles in runs), Status(status))
        yield Played(_whole(at), move, update)
