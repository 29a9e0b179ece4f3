"""Work on many boards, layouts or games in one call: by the native half where there is one, else by the reference."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from sapper._kernels import loading
from sapper._kernels.chances import CONTRADICTING, NOTHING, TIE, TOO_HARD, Chances, in_floats
from sapper._kernels.reference import search as reference
from sapper._kernels.reference.analysis import DEFAULT_CAP, Analysed, GivenBoard, analyse_or_none
from sapper._kernels.reference.endgame import (
    MOST_LAYOUTS,
    NODES,
    Endgame,
    EndgameMove,
    EndgameRegion,
    solve_endgame,
    symmetries_of,
)
from sapper._kernels.reference.guess_parts import (
    BEST_REPLY,
    FIRST,
    MOST_PLACES,
    MOST_PLAYOUTS,
    MOST_SECONDS,
    OTHER_OPINIONS,
    PLAYOUTS,
    SECOND,
    SECOND_OPINION,
    GuessParts,
    parts_of,
)
from sapper._kernels.reference.layout import clues_of_plane, clues_of_table
from sapper._kernels.reference.layouts import Region
from sapper._kernels.reference.measures import values_of, zini_of
from sapper._kernels.reference.search import (
    EXACT,
    NO_LOGIC,
    ONE_CLUE,
    SOLVED,
    Field,
    Playout,
    Search,
    Searched,
    Wanted,
    has_wanted,
)
from sapper._kernels.reference.stepping import (
    ILLEGAL as STEP_ILLEGAL,
    LOST as STEP_LOST,
    OVER as STAGE_OVER,
    RESET as STEP_RESET,
    TRUNCATED as STEP_TRUNCATED,
    WON as STEP_WON,
    PythonStepper,
    StepBuffers,
    Stepping,
)
from sapper._kernels.reference.whole_game import LOST, UNSOLVED, WON, EndedGame, ReferenceWholeGame, Series
from sapper.errors import TooHardError

if TYPE_CHECKING:
    from sapper._kernels.native.deciding import Decider
    from sapper._kernels.native.playing import NativePlayer
    from sapper._kernels.native.proving import Prover
    from sapper._kernels.native.search import Searcher
    from sapper._kernels.native.stepping import NativeStepper
    from sapper._kernels.native.whole_game import NativeWholeGame

HEAD = 6
"""Numbers of a step before its cells: technique, pattern, bound, how many clues, safe cells and mines."""
FIRST_STEP = 2
"""Where the steps begin."""

Bound = Literal["fewest", "most"]
StepNumbers = tuple[int, str | None, Bound | None, list[int], list[int], list[int]]
"""Technique (a number of `solver.deduce.step.Technique`), pattern, bound, clues, safe cells, mines."""

_PATTERNS = (None, "1-1", "1-2", "hole", "1-2-1", "1-2-2-1")
_BOUNDS: tuple[Bound | None, ...] = (None, "fewest", "most")


def proof_steps_of(part: Sequence[int]) -> list[StepNumbers]:
    """The steps in what a prover wrote down in one go."""
    found: list[StepNumbers] = []
    at = FIRST_STEP
    while at < len(part):
        technique, name, bound, *counts = part[at : at + HEAD]
        at += HEAD
        clues, safe, mined = (list(part[at + sum(counts[:i]) : at + sum(counts[: i + 1])]) for i in range(3))
        found.append((technique, _PATTERNS[name], _BOUNDS[bound], clues, safe, mined))
        at += sum(counts)
    return found


# --- the analysis of many boards of one grid ---

_BATCH = 256
"""Boards a call: enough for the call to cost nothing, few enough for their chances to fit the cache."""
_BATCH_CELLS = 1_000_000
"""Cells of all boards of a call, at most."""


def analyse_one(given: GivenBoard) -> Chances | None:
    """The analysis of one board by the native half; None where the reference has to say."""
    library = loading.native("analysis")
    if library is None or len(given.tiles) != given.width * given.height:
        return None
    found: Chances | None = library.analyse_one(
        given.tiles, given.width, given.height, given.table, given.mines, given.trust_flags, given.cap
    )
    return found


def analyse_many(
    tiles: Sequence[bytes],
    mines: Sequence[int],
    width: int,
    height: int,
    table: tuple[Sequence[int], Sequence[int]] | None = None,
    *,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
) -> Iterator[Chances]:
    """Analyse boards of one grid: a rectangle with eight neighbours, or any that `table` describes.

    What the native half gives up (a range beyond floats) goes to the reference.
    """
    library = loading.native("analysis")
    batch = max(1, min(_BATCH, _BATCH_CELLS // (width * height)))
    for begin in range(0, len(tiles), batch):
        some = tiles[begin : begin + batch]
        counts = mines[begin : begin + batch]
        rows = (
            [None] * len(some)
            if library is None
            else list(library.analyse_many(some, width, height, table, counts, trust_flags, cap))
        )
        for one, count, row in zip(some, counts, rows, strict=True):
            yield row or _by_reference(GivenBoard(one, count, width, height, table, trust_flags, cap))


def _by_reference(given: GivenBoard) -> Chances:
    try:
        found = analyse_or_none(given)
    except TooHardError:
        return TOO_HARD
    # Why no layout fits is asked by nobody, and takes ten times as long.
    return CONTRADICTING if found is None else in_floats(found, len(given.tiles))


# --- the chance to win while few layouts are left ---


def endgame_of(
    found: Analysed,
    tiles: bytes,
    width: int,
    height: int,
    table: tuple[Sequence[int], Sequence[int]],
    *,
    plane: bool,
    start: int = 0,
    most_layouts: int = MOST_LAYOUTS,
    nodes: int = NODES,
) -> Endgame:
    """The exact chance to win one board, and that of each first move; see `solve_endgame` of the reference.

    `found` is its analysis, `table` the grid's neighbour table, `plane` says that it is a rectangle with eight neighbours,
    `start` is the rule that the next reveal is made under (places in `core.rules.Start`).
    """

    def symmetries() -> list[list[int]]:
        return symmetries_of(tiles, width, height) if plane else []

    library = loading.native("endgames")

    def search_region(region: Region, sets: int) -> tuple[EndgameRegion, int] | None:
        return library.solve_region(found, region, tiles, *table, sets) if library else None

    return solve_endgame(
        found,
        *table,
        start=start,
        symmetries=symmetries,
        most_layouts=most_layouts,
        nodes=nodes * (_SETS_A_NODE if library else 1),
        search_region=search_region,
    )


_SETS_A_NODE = 10
"""Sets that the library looks at in less time than the reference does one."""


def smallest_region(given: GivenBoard, *, plane: bool) -> float | None:
    """The natural logarithm of the number of layouts of a board's smallest region that has several.

    Infinity where there is none; None where only the reference can tell, by `endgame_of`. The board comes with its table.
    """
    library = loading.native("analysis")
    if library is None:
        return None
    found: float | None = library.smallest_region(
        given.tiles, given.width, given.height, given.table, plane, given.mines, given.trust_flags, given.cap
    )
    return found


def best_of_layouts(
    found: Analysed, tiles: bytes, mines: int, table: tuple[Sequence[int], Sequence[int]], sets: int
) -> tuple[int, int] | None:
    """The lowest of the cells that win most of a board's layouts, and how many it wins; None if that takes too long.

    `found` is the board's analysis, with no safe cell; `sets` are the sets of layouts that may be looked at.
    """
    if found.census > _BY_REFERENCE and (library := loading.native("endgames")) is not None:
        marks = bytearray(len(tiles))
        for cell in found.mined:
            marks[cell] = 2
        solved = library.solve_board(*table, tiles, bytes(marks), mines, found.census, sets, every=False)
        if solved is None or not solved.is_done:
            return None
        return solved.best, max(solved.low)
    game = solve_endgame(found, *table, most_layouts=found.census, nodes=sets)
    if game.low != game.high or not game.regions:
        return None
    best = min(move.cell for one in game.regions for move in one.moves if move.low == one.low)
    return best, game.low


_BY_REFERENCE = 40
"""Layouts up to which the reference is quick enough."""


# --- whole games ---


def whole_game(
    starts: Sequence[int], cells: Sequence[int], mines: int, symmetries: Sequence[Sequence[int]]
) -> "NativeWholeGame | ReferenceWholeGame":
    """The search of whole games on a neighbour table; `ValueError` where there are too many cells or layouts."""
    library = loading.native("whole_game")
    if library is None:
        return ReferenceWholeGame(starts, cells, mines)
    made: NativeWholeGame = library.NativeWholeGame(starts, cells, mines, symmetries)
    return made


# --- guesses compared by playing on ---


def can_play_out() -> bool:
    """Whether boards can be played out at all: by the native half."""
    return loading.native("deciding") is not None


def make_decider(starts: Sequence[int], cells: Sequence[int], width: int, parts: GuessParts) -> "Decider | None":
    """What decides for `second-opinion` and `playouts`; None without the native half, as playouts by the reference would take minutes. `width`: see `Series`."""
    library = loading.native("deciding")
    if library is None:
        return None
    made: Decider = library.Decider(starts, cells, width, parts)
    return made


# --- the numbers of many layouts ---


class Measured(NamedTuple):
    """The numbers of one layout; the two of ZiNi are 0 where they were not asked for."""

    bbbv: int
    openings: int
    islands: int
    zini: int
    human_zini: int


def measure_many(
    starts: Sequence[int], cells: Sequence[int], width: int, maps: bytes, *, plane: bool, with_zini: bool = True
) -> list[Measured]:
    """The numbers of layouts on one grid, given by its neighbour table.

    `maps` has one byte a cell, 1 at a mine, layout after layout. `plane` says that the grid is a rectangle with
    eight neighbours.
    """
    if (library := loading.native("layouts")) is not None:
        rows = library.measure_many(starts, cells, width, plane, maps, with_zini)
        return [Measured(*row) for row in rows]
    size = len(starts) - 1
    found = []
    for begin in range(0, len(maps), size):
        mapped = maps[begin : begin + size]
        clues = clues_of_plane(width, size // width, mapped) if plane else clues_of_table(starts, cells, mapped)
        zini = [zini_of(starts, cells, clues, width, human) for human in (False, True)] if with_zini else [0, 0]
        found.append(Measured(*values_of(starts, cells, clues), *zini))
    return found


# --- layouts that are drawn, measured and played out ---


class PythonSearcher:
    """One search by the reference."""

    def __init__(self, order: Search) -> None:
        self._order = order

    def search(self, begin: int, tries: int) -> Searched:
        """Try children `begin`, `begin` + 1, … of the seed, up to the first that will do."""
        return reference.search(self._order, begin, tries)

    def play_out(self, clues: bytes) -> Playout:
        return reference.play_out(self._order.field, clues, self._order.first, self._order.logic)


def searcher(order: Search) -> "Searcher | PythonSearcher":
    if (library := loading.native("search")) is not None:
        made: Searcher = library.Searcher(order)
        return made
    return PythonSearcher(order)


def draw_many(field: Field, mines: int, start: int, first: int, seed: int, begin: int, count: int) -> bytes:
    """The mine maps of games `begin`, `begin` + 1, … of a run, one after the other (see `reference.search`)."""
    if (library := loading.native("layouts")) is not None:
        maps: bytes = library.draw_many(field, mines, start, first, seed, begin, count)
        return maps
    return reference.draw_many(field, mines, start, first, seed, begin, count)


# --- layouts that are proven to need no guess ---

ProofPart = Sequence[int]
"""Some steps as the native half writes them down; `proof_steps_of` reads them."""


def make_prover(
    table: tuple[Sequence[int], Sequence[int]],
    edges: tuple[Sequence[int], Sequence[int]],
    *,
    columns: int,
    wraps: bool,
    mapped: bytes | bytearray,
    first: int,
    hardest: int,
) -> "Prover | None":
    """What proves the layout with this mine map from its first cell, with no technique above `hardest`; None without native half.

    `edges` is the table of the neighbours that share an edge, `columns` the cells in a row, `wraps` whether rows and columns close.
    """
    library = loading.native("proving")
    if library is None:
        return None
    made: Prover = library.Prover(
        table, edges, columns=columns, wraps=wraps, mapped=bytes(mapped), first=first, hardest=hardest
    )
    return made


# --- games that are played a reveal at a time ---


def make_stepper(order: Stepping, buffers: StepBuffers, *, native: bool = True) -> "NativeStepper | PythonStepper":
    """Something that steps these games; without `native` by the reference. No game is begun: `begin` says which."""
    if native and (library := loading.native("stepping")) is not None:
        made: NativeStepper = library.NativeStepper(order, buffers)
        return made
    return PythonStepper(order, buffers)


# --- whole games ---


def make_player(strategy: str, series: Series, parts: GuessParts | None = None) -> "NativePlayer":
    """A native player, where there is a library; `parts`: instead of those of `best-reply`."""
    module = loading.native("playing")
    if module is None:
        raise RuntimeError(f"there are no native games: {loading.absence()}")
    player: NativePlayer = module.NativePlayer(strategy, series, parts)
    return player
