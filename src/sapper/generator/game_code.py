"""Codes: one short text that names a game exactly.

`RULES#WxHxM.SEED[.OPTION…].gV.CHECK` is a recipe, and `RULES:WxHxM.CELLS[.fX-Y].CHECK` a layout. Options, in this
order: `fX-Y` the first cell, needed for one layout where the layout depends on it; `nT`, `rT` or `pT` no guess, by
rejection, repair or packing, with techniques up to number T; `bA-B` 3BV; `oA-B` openings; `dA-B` difficulty by number; `k`
Kaboom. `gV` is the version of the generator. A torus has a `t` after its mines.

CELLS are the mines, a bit a cell in index order (the first is the lowest bit of the first byte), each byte
exclusive-or the low byte of the next number of `Rng(CHECK's number).split(MASK)`, in base64url without padding. That hides
the mines from a glance, no more: it is no encryption. CHECK is four digits of Crockford's base 32: the low 20 bits of the CRC-32 of
all before it, of a layout with the mines as they are.

Knows: the two forms, and where in one an error is.
Does not know: where codes are shown or typed.
"""

import binascii
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from typing import Final

from sapper._kernels import RANDOM_VERSION as NUMBERS
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.promise import Promise
from sapper.core.record import Record
from sapper.core.rng import Rng
from sapper.core.rules import Rules, Start, find_rules
from sapper.core.words import counted
from sapper.errors import LayoutError, NotationError, SapperError, UnknownNameError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout, LayoutSource
from sapper.generator.budget import UNLIMITED, Budget
from sapper.generator.find import find_layout
from sapper.generator.kaboom import KaboomSource
from sapper.generator.layout_spec import ANYTHING, LayoutSpec, Method, Range
from sapper.generator.new_game import LAYOUT_KEY
from sapper.generator.spec_source import SpecSource
from sapper.generator.uniform import UniformSource, draw_layout, nearest_start
from sapper.solver.deduce.step import Technique

VERSION = 1
"""Of what a recipe gives: it changes when a seed would give another layout."""

MASK = 0x5A99E4
"""The key of the numbers that mask a layout."""

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_CODE = re.compile(r"([^#:]{1,200})([#:])(.{1,20000000})", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})(t?)")
_OPTION = re.compile(r"([fnrpbodg])([0-9]{0,9})(?:(-)([0-9]{0,9}))?|(k)")
_ORDER = "fnrpbodkg"
_LETTERS = {Method.REJECTION: "n", Method.REPAIR: "r", Method.PACK: "p"}

assert NUMBERS == 1  # a new version of the random numbers is a new version of recipes


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedGame:
    """A game that a code names: a recipe, or a layout."""

    rules: Rules
    grid: Grid
    mine_count: int
    first: Cell | None = None
    """The cell to reveal first; where the layout depends on it, it was made for this one."""
    seed: int | None = None
    """Of a recipe."""
    layout: Layout | None = None
    """Of a layout's code."""
    spec: LayoutSpec | None = None
    """Of a recipe: what the layout should be like, if it is not just any; its first cell counts only with `first`."""
    kaboom: bool = False

    @property
    def code(self) -> str:
        """The code of this game."""
        return write_code(self)

    @property
    def promise(self) -> Promise | None:
        """What is known of its layout, if anything."""
        if self.kaboom:
            return Promise.KABOOM
        return Promise.NO_GUESS if self.spec is not None and self.spec.no_guess else None

    @property
    def safe_first(self) -> CellSet | None:
        """The cells that a first reveal meets no mine at; None: as the start rule says."""
        everywhere = CellSet((1 << self.grid.size) - 1)
        if self.kaboom:
            return everywhere
        if self.layout is None and self.first is None:
            return everywhere if self.promise is Promise.NO_GUESS else None
        is_promised = self.rules.start is not Start.ANY or self.promise is Promise.NO_GUESS
        return CellSet() if self.first is None or not is_promised else CellSet.of((self.first,))

    @property
    def board(self) -> Board:
        """The board before the first move, with what is promised of it."""
        board = Board.new(self.grid, self.rules, self.mine_count)
        return replace(board, safe_first=self.safe_first, promise=self.promise)

    def played(self, layout: Layout, drawn_at: Cell | None) -> "CodedGame":
        """The game of this very layout, whatever is revealed first.

        `layout` was drawn by this game, at a first reveal of `drawn_at`; None if it was there before. A Kaboom game stays
        as it is: its layout depends on every move.
        """
        if drawn_at is None or self.layout is not None or self.first is not None or self.kaboom:
            return self
        if nearest_start(self.grid, self.mine_count, self.rules.start, drawn_at) is not self.rules.start:
            # There was no room to keep the rule, which a recipe with that cell would insist on.
            return CodedGame(
                rules=self.rules, grid=self.grid, mine_count=self.mine_count, first=drawn_at, layout=layout
            )
        if self.spec is None and self.rules.start is Start.ANY:
            return self
        return replace(self, first=drawn_at)

    def find(self, *, budget: Budget = UNLIMITED) -> Layout | None:
        """The layout, if it is decided before the first reveal. Errors as in `find_layout`."""
        if self.layout is not None:
            return self.layout
        assert self.seed is not None
        seed = Rng(self.seed).split(LAYOUT_KEY).seed
        if self.kaboom or (self.first is None and (self.spec is not None or self.rules.start is not Start.ANY)):
            return None
        if self.spec is not None:
            return find_layout(self.spec, seed, budget=budget).layout
        return draw_layout(self.grid, self.mine_count, Rng(seed), start=self.rules.start, first=self.first)

    def source(self, *, budget: Budget = UNLIMITED) -> LayoutSource:
        """A layout source for one game."""
        layout = self.find(budget=budget)
        if layout is not None:
            is_promised = self.rules.start is not Start.ANY or self.promise is Promise.NO_GUESS
            return FixedLayout(layout, first=self.first if is_promised else None, promise=self.promise)
        assert self.seed is not None
        seed = Rng(self.seed).split(LAYOUT_KEY).seed
        if self.kaboom:
            return KaboomSource(self.grid, self.mine_count, seed, self.rules.start)
        if self.spec is not None:
            return SpecSource(self.spec, seed, budget=budget)
        return UniformSource(self.grid, self.mine_count, seed, self.rules.start)

    def referee(self, *, budget: Budget = UNLIMITED) -> Referee:
        """The referee of a new game."""
        return Referee(rules=self.rules, source=self.source(budget=budget))


EXAMPLE: Final = "modern#9x9x10.16554661266756737024.f4-4.g1.dw60"


def game_of_code(text: str) -> CodedGame:
    """The game that a code names.

    `NotationError` with the column for what is no code or was mistyped; `UnknownNameError` for rules that are not
    there, `LayoutError` and `InvalidValueError` for a game that cannot be.
    """
    text = text.strip()
    parts = _CODE.fullmatch(text)
    if parts is None:
        raise _fault(f"not a code; a code looks like {EXAMPLE}", 1)
    rules = find_rules(parts[1])
    at = len(parts[1]) + 2
    fields = parts[3].split(".")
    columns = [at + sum(map(len, fields[:place])) + place for place in range(len(fields))]
    if len(fields) < 3:
        raise _fault(
            f"this code is not whole: after {parts[2]!r} come size, {'seed' if parts[2] == '#' else 'cells'} and check at least",
            at,
        )
    grid, mines = _read_size(fields[0], at)
    if parts[2] == "#":
        return _read_recipe(rules, grid, mines, text, fields, columns)
    return _read_layout(rules, grid, mines, text, fields, columns)


def fresh_board(record: Record) -> Board:
    """The board of a record's game before its first move, with what its code promises: see `Record.boards`.

    A code that cannot be read, or is of another game, promises nothing.
    """
    board = Board.new(record.grid, record.rules, record.mine_count)
    if record.code is None:
        return board
    try:
        game = game_of_code(record.code)
    except SapperError:
        return board
    if (game.grid, game.mine_count) != (record.grid, record.mine_count):
        return board
    return replace(game.board, rules=record.rules)


def write_code(game: CodedGame) -> str:
    """The code of a game: of its layout if it has one, else its recipe. `LayoutError` for what codes have no words for."""
    name = _rules_name(game.rules)
    size = f"{game.grid.width}x{game.grid.height}x{game.mine_count}{_topology(game.grid)}"
    first = [] if game.first is None else ["f" + "-".join(map(str, game.grid.xy(game.first)))]
    if game.layout is not None:
        return _write_layout(name, size, game.layout, first)
    options = list(first)
    if game.spec is not None:
        options += _spec_options(game.spec)
    if game.kaboom:
        options.append("k")
    body = ".".join([f"{name}#{size}", str(game.seed), *options, f"g{VERSION}"])
    return f"{body}.{_check(body.encode())}"


def _fault(message: str, column: int) -> NotationError:
    return NotationError(message, source="<code>", column=column)


def _rules_name(rules: Rules) -> str:
    try:
        if find_rules(rules.name) == rules:
            return rules.name
    except UnknownNameError:
        pass
    named = find_rules("modern").replace(
        **{name: getattr(rules, name) for name in rules.__dataclass_fields__ if name != "name"}
    )
    return named.name


def _topology(grid: Grid) -> str:
    if grid.topology not in (PLANE, TORUS):
        raise LayoutError(f"codes are of games on a plane or a torus, not on a {grid.topology.name}")
    return "" if grid.is_plane else "t"


def _spec_options(spec: LayoutSpec) -> list[str]:
    options = []
    if spec.no_guess:
        options.append(f"{_LETTERS[spec.method]}{int(spec.up_to)}")
    for letter, wanted in (("b", spec.bbbv), ("o", spec.openings), ("d", spec.difficulty)):
        if wanted != ANYTHING:
            options.append(letter + "-".join("" if end is None else str(end) for end in wanted))
    return options


def _check_number(body: bytes) -> int:
    return binascii.crc32(body) & 0xFFFFF


def _digits(number: int) -> str:
    return "".join(_DIGITS[number >> shift & 31] for shift in (15, 10, 5, 0))


def _check(body: bytes) -> str:
    return _digits(_check_number(body))


def _mask(data: bytes, check: int) -> bytes:
    rng = Rng(check).split(MASK)
    return bytes(byte ^ (rng.next() & 255) for byte in data)


def _write_layout(name: str, size: str, layout: Layout, first: list[str]) -> str:
    plain = layout.mines.mask.to_bytes((layout.grid.size + 7) // 8, "little")
    number = _check_number(".".join([f"{name}:{size}", *first]).encode() + plain)
    cells = urlsafe_b64encode(_mask(plain, number)).decode().rstrip("=")
    return ".".join([f"{name}:{size}", cells, *first, _digits(number)])


# --- reading -----------------------------------------------------------------------------------------


def _read_size(text: str, column: int) -> tuple[Grid, int]:
    size = _SIZE.fullmatch(text)
    if size is None:
        raise _fault(f"a size is WIDTHxHEIGHTxMINES, not {text[:40]!r}", column)
    return Grid(int(size[1]), int(size[2]), TORUS if size[4] else PLANE), int(size[3])


def _mistyped(column: int) -> NotationError:
    return _fault("the check does not fit: the code was mistyped or cut off", column)


def _read_recipe(
    rules: Rules, grid: Grid, mine_count: int, text: str, fields: list[str], columns: list[int]
) -> CodedGame:
    if not re.fullmatch(r"[0-9]{1,20}", fields[1]) or int(fields[1]) >= 1 << 64:
        raise _fault(f"a seed is a number from 0 to 2**64 - 1, not {fields[1][:40]!r}", columns[1])
    if fields[-1].lower() != _check(text[: columns[-1] - 2].encode()):
        raise _mistyped(columns[-1])
    options = _read_options(fields[2:-1], columns[2:-1])
    if options.pop("g", None) != Range(VERSION, VERSION):
        raise _fault(f"the recipe is of another version of the generator; this one is g{VERSION}", columns[-2])
    first = _read_first(grid, options.pop("f", None), columns[2])
    kaboom = options.pop("k", None) is not None
    spec = None
    if options:
        methods = [method for method, letter in _LETTERS.items() if letter in options]
        no_guess = options[_LETTERS[methods[0]]] if methods else None
        if kaboom or len(methods) > 1:
            raise _fault("these options exclude each other", columns[2])
        spec = LayoutSpec(
            grid=grid,
            mine_count=mine_count,
            start=rules.start,
            first=Cell(0) if first is None else first,
            bbbv=options.get("b", ANYTHING),
            openings=options.get("o", ANYTHING),
            difficulty=options.get("d", ANYTHING),
            no_guess=no_guess is not None,
            up_to=_technique(no_guess, columns[2]),
            method=methods[0] if methods else Method.REJECTION,
        )
    return CodedGame(
        rules=rules, grid=grid, mine_count=mine_count, first=first, seed=int(fields[1]), spec=spec, kaboom=kaboom
    )


def _read_layout(
    rules: Rules, grid: Grid, mine_count: int, text: str, fields: list[str], columns: list[int]
) -> CodedGame:
    head = text[: columns[1] - 2]
    if len(fields) > 4:
        raise _fault("a layout's code has size, cells, first cell and check", columns[4])
    options = _read_options(fields[2:-1], columns[2:-1])
    size = (grid.size + 7) // 8
    cells = fields[1]
    if len(cells) != -(-size * 4 // 3) or not re.fullmatch(r"[A-Za-z0-9_-]*", cells):
        raise _fault(
            f"{grid.size} cells take {-(-size * 4 // 3)} letters, digits, - and _, not {len(cells)}", columns[1]
        )
    check = fields[-1].lower()
    if len(check) != 4 or not set(check) <= set(_DIGITS):
        raise _mistyped(columns[-1])
    number = 0
    for digit in check:
        number = number << 5 | _DIGITS.index(digit)
    masked = urlsafe_b64decode(cells + "=" * (-len(cells) % 4))
    plain = _mask(masked, number)
    if (
        urlsafe_b64encode(masked).decode().rstrip("=") != cells
        or _check_number(".".join([head, *fields[2:-1]]).encode() + plain) != number
    ):
        raise _mistyped(columns[-1])
    found = CellSet(int.from_bytes(plain, "little"))
    if len(found) != mine_count or found.mask >> grid.size:
        raise _fault(f"the size says {counted(mine_count, 'mine')}, but the layout has {len(found)}", columns[0])
    first = _read_first(grid, options.pop("f", None), columns[2])
    if options:
        raise _fault("a layout's code has no options but the first cell", columns[2])
    return CodedGame(rules=rules, grid=grid, mine_count=mine_count, first=first, layout=Layout(grid, found))


def _read_options(fields: list[str], columns: list[int]) -> dict[str, Range]:
    """Options by their letter, each with its range; one number is both ends."""
    options: dict[str, Range] = {}
    for field, column in zip(fields, columns, strict=True):
        match = _OPTION.fullmatch(field)
        if match is None:
            raise _fault(f"{field[:40]!r} is not an option", column)
        letter = match[1] or match[5]
        if options and _ORDER.index(letter) <= _ORDER.index(next(reversed(options))):
            raise _fault("options appear once each, in the order f n r p b o d k g", column)
        least = int(match[2]) if match[2] else None
        options[letter] = Range(least, (int(match[4]) if match[4] else None) if match[3] else least)
    return options


def _read_first(grid: Grid, told: Range | None, column: int) -> Cell | None:
    if told is None:
        return None
    x, y = told
    if x is None or y is None or x >= grid.width or y >= grid.height:
        raise _fault("the first cell is fX-Y with a column and a row of the board", column)
    return grid.cell(x, y)


def _technique(told: Range | None, column: int) -> Technique:
    if told is None:
        return Technique.CASES
    if told.least is None or not Technique.ONE_CLUE <= told.least < Technique.GUESS:
        raise _fault(f"a technique is a number from 1 to {int(Technique.CASES)}", column)
    return Technique(told.least)
