"""Checks a step, trusting nothing but the board: what it names must force what it concludes.

All ways to lay mines among the cells that the step's clues touch are gone through, without any of the
code that finds steps or counts layouts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sapper.core.board import Board
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.solver.deduce.step import Step, Technique

_HIDDEN = frozenset({int(Tile.COVERED), int(Tile.FLAGGED), int(Tile.QUESTION)})


def check_step(board: Board, step: Step, *, cap: int = 1_000_000) -> bool:
    """True if what a step concludes follows from its clues and the cells it takes as known.

    Raises:
        TooHardError: that takes more than `cap` trials.

    """
    if step.technique is Technique.START:
        return bool(step.safe) and step.safe <= board.protected and not step.mined
    hidden = {cell for cell, tile in enumerate(board.tiles) if tile in _HIDDEN}
    hidden.difference_update(step.known_mines, step.known_safe)
    settled: dict[int, int] = {}
    for mine, cells in enumerate((step.safe, step.mined)):
        settled.update((cell, mine) for cell in cells)
    if not settled or not hidden >= settled.keys() or any(board.tiles[clue] > Tile.EIGHT for clue in step.clues):
        return False
    groups, needs = _read(board, step, hidden, settled)
    outside = hidden.difference(*(group.cells for group in groups))
    beyond = {settled[cell] * len(outside) for cell in outside if cell in settled}
    if beyond and not step.mine_count:
        return False  # no clue that it names says anything about them
    left = board.mine_count - len(step.known_mines)
    fits = False
    for mines, agrees in _layouts(groups, needs, cap):
        rest = left - mines
        if step.mine_count:
            if not 0 <= rest <= len(outside):
                continue
            if not beyond <= {rest}:
                return False
        if not agrees:
            return False
        fits = True
    return fits


def mines_beside(board: Board, step: Step, *, cap: int = 1_000_000) -> tuple[set[int], int]:
    """How many mines there can be beside a step's clues, and how many covered cells they do not touch.

    What the step takes as known is left out of both. `TooHardError` as in `check_step`.
    """
    hidden = {cell for cell, tile in enumerate(board.tiles) if tile in _HIDDEN}
    hidden.difference_update(step.known_mines, step.known_safe)
    groups, needs = _read(board, step, hidden, {})
    outside = hidden.difference(*(group.cells for group in groups))
    return {mines for mines, _ in _layouts(groups, needs, cap)}, len(outside)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Cells that touch the same of the step's clues; `agreed` are the numbers of mines that agree with the step."""

    cells: frozenset[int]
    clues: tuple[int, ...]
    agreed: frozenset[int]


def _read(
    board: Board, step: Step, hidden: set[int], settled: Mapping[int, int]
) -> tuple[list[_Group], tuple[int, ...]]:
    """The groups beside the step's clues, and the mines that each clue needs among them."""
    touched: dict[int, list[int]] = {}
    needs = []
    for number, clue in enumerate(step.clues):
        near = set(board.grid.neighbours(clue))
        needs.append(board.tiles[clue] - len(near & step.known_mines))
        for cell in near & hidden:
            touched.setdefault(cell, []).append(number)
    together: dict[tuple[int, ...], set[int]] = {}
    for touching, numbers in touched.items():
        together.setdefault(tuple(numbers), set()).add(touching)
    groups = []
    for numbers_of_clues, cells in sorted(together.items()):
        agreed = frozenset(range(len(cells) + 1))
        for claimed in cells & settled.keys():
            agreed &= {settled[claimed] * len(cells)}
        groups.append(_Group(cells=frozenset(cells), clues=numbers_of_clues, agreed=agreed))
    return groups, tuple(needs)


def _layouts(groups: Sequence[_Group], needs: tuple[int, ...], cap: int) -> Iterator[tuple[int, bool]]:
    """Every way to lay mines that fits the clues, as the number of mines and whether it agrees with the step.

    Ways that leave the same to be done are gone through once.
    """
    room = [0] * len(needs)
    for group in groups:
        for clue in group.clues:
            room[clue] += len(group.cells)
    states = {(needs, 0, True)} if all(0 <= need <= most for need, most in zip(needs, room, strict=True)) else set()
    trials = 0
    for group in groups:
        for clue in group.clues:
            room[clue] -= len(group.cells)
        after = set()
        for left, total, agrees in states:
            for mines in range(len(group.cells) + 1):
                fewer = list(left)
                for clue in group.clues:
                    fewer[clue] -= mines
                if all(0 <= fewer[clue] <= room[clue] for clue in group.clues):
                    after.add((tuple(fewer), total + mines, agrees and mines in group.agreed))
        trials += len(after)
        if trials > cap:
            raise TooHardError(f"the step takes more than {cap:,} trials to check; a higher cap allows more", cap=cap)
        states = after
    for _, total, agrees in states:
        yield total, agrees
