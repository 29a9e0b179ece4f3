"""All layouts that agree with a board that is shown: where the bombs may be when nobody says.

Small boards, counted one by one: a scenario is to be run on every single layout. (How many there are on large
boards, without listing them, is the solver's business.)
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.game.layout import Layout

MOST_LAYOUTS = 100_000
"""More than this many layouts nobody waits for: the bombs must be given. On large boards it is less."""

_MOST_SQUARES = 10_000_000

_MOST_STEPS = 2_000_000


def agreeing_layouts(grid: Grid, tiles: bytes, counts: Iterable[int]) -> Iterator[Layout]:
    """Every layout with one of these numbers of bombs that agrees with what is shown. Flags are opinions.

    In a fixed order, lazily; `TooHardError` after `MOST_LAYOUTS` of them, or ten million squares.
    """
    most = min(MOST_LAYOUTS, _MOST_SQUARES // grid.size)
    exploded = [cell for cell, tile in enumerate(tiles) if tile == Tile.EXPLODED]
    frontier = _Frontier(grid, tiles, exploded)
    inner = [cell for cell in _hidden(tiles) if cell not in frontier.near]
    found = 0
    for near in frontier.placements():
        for count in sorted(set(counts)):
            rest = count - len(exploded) - len(near)
            if not 0 <= rest <= len(inner):
                continue
            for far in combinations(inner, rest):
                found += 1
                if found > most:
                    raise TooHardError(
                        f"more than {most:,} layouts agree with the board: say where the bombs are", cap=most
                    )
                yield Layout(grid, CellSet.of((*exploded, *near, *far)))


def _hidden(tiles: bytes) -> list[int]:
    return [cell for cell, tile in enumerate(tiles) if tile in (Tile.COVERED, Tile.FLAGGED)]


class _Frontier:
    """The hidden squares beside a clue, and the ways to put bombs on them that fit all clues."""

    def __init__(self, grid: Grid, tiles: bytes, exploded: list[int]) -> None:
        hidden = set(_hidden(tiles))
        self._missing: dict[int, int] = {}  # by clue: bombs still to be placed beside it
        self._free: dict[int, int] = {}  # by clue: squares beside it still undecided
        self._clues: dict[int, list[int]] = {}  # by square: the clues beside it
        for clue, tile in enumerate(tiles):
            if tile > Tile.EIGHT:
                continue
            beside = grid.neighbours(clue)
            self._missing[clue] = tile - sum(cell in exploded for cell in beside)
            around = [cell for cell in beside if cell in hidden]
            self._free[clue] = len(around)
            for cell in around:
                self._clues.setdefault(cell, []).append(clue)
        self.near = sorted(self._clues)

    def placements(self) -> Iterator[list[int]]:
        """The bombs of each way, by depth-first search: a loop, as boards are deeper than Python's stack."""
        if any(not 0 <= missing <= self._free[clue] for clue, missing in self._missing.items()):
            return
        chosen: list[int] = []  # 1 for a bomb, a square of `near` each
        nxt = 0  # what to try at the next square: no bomb, a bomb, or nothing more
        for _ in range(_MOST_STEPS):
            if len(chosen) == len(self.near):
                yield [cell for cell, bomb in zip(self.near, chosen, strict=True) if bomb]
                nxt = 2
            if nxt < 2:
                if self._put(self.near[len(chosen)], nxt):
                    chosen.append(nxt)
                    nxt = 0
                else:
                    nxt += 1
            elif chosen:
                nxt = chosen.pop()
                self._take(self.near[len(chosen)], nxt)
                nxt += 1
            else:
                return
        raise TooHardError("too many ways to place bombs around the clues: say where the bombs are", cap=_MOST_STEPS)

    def _put(self, cell: int, bomb: int) -> bool:
        """Decide a square if all clues beside it can still be met."""
        clues = self._clues[cell]
        if not all(0 <= self._missing[clue] - bomb <= self._free[clue] - 1 for clue in clues):
            return False
        for clue in clues:
            self._missing[clue] -= bomb
            self._free[clue] -= 1
        return True

    def _take(self, cell: int, bomb: int) -> None:
        for clue in self._clues[cell]:
            self._missing[clue] += bomb
            self._free[clue] += 1
