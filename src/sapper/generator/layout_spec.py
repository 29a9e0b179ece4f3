"""The wanted properties of a layout, as a value."""

from dataclasses import dataclass
from enum import Enum, unique
from math import comb
from typing import Final, NamedTuple

from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.preset import check_mines
from sapper.core.rules import Start
from sapper.core.words import counted, do_not
from sapper.errors import LayoutError
from sapper.generator.no_guess.certificate import Difficulty
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique


class Range(NamedTuple):
    """From the least to the most, both included; None is no limit."""

    least: int | None = None
    most: int | None = None

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int):
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.least)
        return f"{'' if self.least is None else self.least}-{'' if self.most is None else self.most}"


ANYTHING = Range()


@unique
class Method(Enum):
    """How a layout that needs no guess is looked for."""

    REJECTION = "rejection"
    """Uniform layouts are generated until one needs no guess: every one that needs none is as likely."""
    REPAIR = "repair"
    """Where a guess is needed, mines are moved about until none is: quicker on dense boards, and biased."""
    PACK = "pack"
    """Most mines are in solid blocks around one region: for boards that are too dense for `REPAIR`, and strongly biased."""


DENSE: Final = 0.22
"""Mines a cell from which on layouts that need no guess are repaired, not waited for."""
DENSEST: Final = 0.34
"""Mines a cell from which on repair finds none in time: their mines are packed."""
MOST_ENUMERATED: Final = 5_000
"""Up to this many layouts are all tried, to prove that none fits."""


def layouts_in_all(grid: Grid, mine_count: int, start: Start, first: Cell) -> int:
    return comb(grid.size - len(kept_free(grid, start, first)), mine_count)


def chosen_method(grid: Grid, mine_count: int, start: Start, first: Cell) -> Method:
    """How to look for a layout that needs no guess where nobody says: the least biased way that finds one soon."""
    density = mine_count / grid.size
    if density < DENSE or layouts_in_all(grid, mine_count, start, first) <= MOST_ENUMERATED:
        return Method.REJECTION
    return Method.REPAIR if density < DENSEST else Method.PACK


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutSpec:
    """A layout of `mine_count` mines for a game whose first reveal is `first`, with wanted properties.

    `LayoutError` for what cannot be: a start rule that the mines leave no room for (the rule is kept strictly), a
    range that is empty or that no layout of this size can have, a spec that needs `no_guess` without it.
    """

    grid: Grid
    mine_count: int
    start: Start
    first: Cell
    bbbv: Range = ANYTHING
    openings: Range = ANYTHING
    no_guess: bool = False
    """True if it must be possible to open the layout from `first` without a guess."""
    up_to: Technique = Technique.CASES
    """The hardest technique that may be needed for that; `OVERLAP` allows patterns too, which take no more."""
    difficulty: Range = ANYTHING
    """The difficulty (see `Difficulty`) that such a layout must have."""
    method: Method = Method.REJECTION

    def __post_init__(self) -> None:
        check_mines(self.grid, self.mine_count)
        free = kept_free(self.grid, self.start, self.grid.check(self.first))
        room = self.grid.size - len(free)
        if self.mine_count > room:
            raise LayoutError(
                f"{counted(self.mine_count, 'mine')} {do_not(self.mine_count)} fit {self.grid.width}x{self.grid.height} cells with start "
                f"{self.start.value!r} at {cell_name(self.grid, self.first)}: {counted(room, 'cell')} {'is' if room == 1 else 'are'} left for them"
            )
        for name, wanted in (("3BV", self.bbbv), ("openings", self.openings), ("difficulty", self.difficulty)):
            if wanted.least is not None and wanted.most is not None and wanted.least > wanted.most:
                raise LayoutError(f"no {name} is both {wanted.least} at least and {wanted.most} at most")
        self._check_numbers(len(free))
        for end in self.difficulty:
            if end is not None and not 0 <= end <= max(Difficulty):
                raise LayoutError(f"a difficulty is a number from 0 to {int(max(Difficulty))}, not {end}")
        if self.up_to in (Technique.GUESS, Technique.PATTERN):
            object.__setattr__(self, "up_to", Technique(self.up_to - 1))
        if not self.no_guess:
            guessless = [
                name
                for name, is_wanted in (
                    ("a technique", self.up_to < Technique.CASES),
                    ("a difficulty", self.difficulty != ANYTHING),
                    (self.method.value, self.method is not Method.REJECTION),
                )
                if is_wanted
            ]
            if guessless:
                raise LayoutError(f"{guessless[0]} can be asked for only of layouts that need no guess")
        elif self.mine_count == self.grid.size:
            raise LayoutError("where everything is a mine, no first cell is safe")

    def _check_numbers(self, free: int) -> None:
        """That a layout can have so many openings, and so high a 3BV; `free`: cells that the start rule keeps without a mine."""
        grid = self.grid
        safe = grid.size - self.mine_count
        if not safe:
            return
        opens = self.start is Start.OPEN or not self.mine_count
        # Zeros of two openings do not touch; beyond those, each safe cell is a click at most.
        most_openings = 1 if not self.mine_count else min(safe, ((grid.width + 1) // 2) * ((grid.height + 1) // 2))
        opened = safe if not self.mine_count else free if opens else 1
        about = f"{counted(self.mine_count, 'mine')} on {grid.width}x{grid.height} cells"
        for name, wanted, fewest, most in (
            ("openings", self.openings, int(opens), most_openings),
            ("3BV", self.bbbv, max(1, self.openings.least or 0), safe - opened + 1),
        ):
            if (wanted.least is not None and wanted.least > most) or (wanted.most is not None and wanted.most < fewest):
                raise LayoutError(f"no layout of {about} has {name} {wanted}: it can be {fewest} to {most}")

    @property
    def properties(self) -> str:
        """The wanted properties in words, without mines and start."""
        words = [
            f"{name} {wanted}"
            for name, wanted in (("3BV", self.bbbv), ("openings", self.openings))
            if wanted != ANYTHING
        ]
        if self.no_guess:
            words.append(
                "no guess" if self.up_to >= Technique.CASES else f"no guess and no more than {self.up_to.words}"
            )
        if self.difficulty != ANYTHING:
            words.append(f"difficulty {difficulty_words(self.difficulty)}")
        return ", ".join(words) or "anything"


def difficulty_words(wanted: Range) -> str:
    ends = (wanted.least or 0, max(Difficulty) if wanted.most is None else wanted.most)
    names = [Difficulty(end).word for end in ends]
    return names[0] if names[0] == names[1] else "-".join(names)
