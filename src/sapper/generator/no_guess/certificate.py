"""The proof that a layout needs no guess, as a value.

A certificate is an ordered list of steps from the first cell on. A step is read on the board on which the
first cell and all cells shown to be safe by the steps before it have been revealed; a zero opens its eight
neighbours. It counts on the mines that earlier steps have shown: beside its clues, or with the mine count on the
whole board. Nothing else is in it, so nothing in it has to be believed: see `verify`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import IntEnum, unique
from typing import Any, Literal, overload

from sapper.core.cells import Cell, CellSet
from sapper.errors import RecordError
from sapper.solver.deduce.step import Technique

VERSION = 1
"""Of the form of a certificate as data."""


@unique
class Difficulty(IntEnum):
    """How hard a layout without guesses is, by the hardest technique that cannot be done without."""

    TRIVIAL = 0
    """The first reveal opens everything."""
    EASY = 1
    """One clue at a time."""
    MEDIUM = 2
    """Two clues that overlap, patterns."""
    HARD = 3
    """The number of mines that are left, or a distinction of cases over a few clues (`FEW_CLUES`)."""
    EXTREME = 4
    """A distinction of cases over more clues, or over the whole board."""

    @property
    def word(self) -> str:
        return self.name.lower()


FEW_CLUES = 6
"""Up to this many clues a person can look at without taking notes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofStep:
    """One step of a proof; the words mean what they mean in `solver.deduce.step.Step`."""

    technique: Technique
    clues: tuple[Cell, ...] = ()
    safe: CellSet = field(default_factory=CellSet)
    mined: CellSet = field(default_factory=CellSet)
    mine_count: bool = False
    pattern: str | None = None
    bound: Literal["fewest", "most"] | None = None
    layouts: int | None = None

    @property
    def difficulty(self) -> Difficulty:
        match self.technique:
            case Technique.ONE_CLUE:
                return Difficulty.EASY
            case Technique.OVERLAP | Technique.PATTERN:
                return Difficulty.MEDIUM
            case Technique.MINE_COUNT:
                return Difficulty.HARD
            case _:
                is_local = not self.mine_count and len(self.clues) <= FEW_CLUES
                return Difficulty.HARD if is_local else Difficulty.EXTREME


PROOF_FIELDS = tuple(one.name for one in fields(ProofStep))
"""What a step of reasoning and a step of a proof have in common."""


class LazySteps(Sequence[ProofStep]):
    """Steps that are made when somebody looks at them: to prove a layout takes less time than to make objects of its steps."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Iterable[ProofStep]]) -> None:
        """`make` is called once, or never."""
        self._make = make
        self._made: tuple[ProofStep, ...] | None = None

    @property
    def _steps(self) -> tuple[ProofStep, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    @overload
    def __getitem__(self, place: int) -> ProofStep: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[ProofStep, ...]: ...

    def __getitem__(self, place: int | slice) -> ProofStep | tuple[ProofStep, ...]:
        return self._steps[place]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[ProofStep]:
        return iter(self._steps)

    def __eq__(self, other: object) -> bool:
        return self._steps == (other._steps if isinstance(other, LazySteps) else other)

    def __hash__(self) -> int:
        return hash(self._steps)

    def __repr__(self) -> str:
        return repr(self._steps)

    def __reduce__(self) -> tuple[type, tuple[tuple[ProofStep, ...]]]:
        return tuple, (self._steps,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The proof that a layout can be opened from `first` without a guess."""

    first: Cell
    steps: Sequence[ProofStep]
    """Immutable: a tuple, or as good as one."""
    hardest: Technique | None
    """The hardest technique that is needed; None if the first reveal opens everything."""
    mine_count: bool
    """True if the number of mines on the board is needed."""

    @classmethod
    def of(cls, first: Cell, steps: Sequence[ProofStep]) -> "Certificate":
        """The certificate of these steps, its summary made from them."""
        return cls(
            first=first,
            steps=tuple(steps),
            hardest=max((step.technique for step in steps), default=None),
            mine_count=any(step.mine_count for step in steps),
        )

    @property
    def difficulty(self) -> Difficulty:
        """How hard the layout is: as its hardest step."""
        return max((step.difficulty for step in self.steps), default=Difficulty.TRIVIAL)

    @property
    def counts(self) -> dict[Technique, int]:
        """How many steps there are of each technique, the easiest first."""
        found = Counter(step.technique for step in self.steps)
        return {technique: found[technique] for technique in sorted(found)}


# --- as data -----------------------------------------------------------------------------------------


def certificate_data(certificate: Certificate) -> dict[str, Any]:
    """A certificate as JSON takes it; cells are indices, techniques their names in words."""
    return {
        "version": VERSION,
        "first": certificate.first,
        "hardest": None if certificate.hardest is None else certificate.hardest.words,
        "mine_count": certificate.mine_count,
        "difficulty": certificate.difficulty.word,
        "steps": [_step_data(step) for step in certificate.steps],
    }


def _step_data(step: ProofStep) -> dict[str, Any]:
    said = {"safe": list(step.safe), "mined": list(step.mined)}
    said |= {name: getattr(step, name) for name in ("mine_count", "pattern", "bound", "layouts")}
    return {
        "technique": step.technique.words,
        "clues": list(step.clues),
        **{name: value for name, value in said.items() if value},
    }


_TECHNIQUES = {technique.words: technique for technique in Technique if technique is not Technique.START}


def read_certificate(data: object) -> Certificate:
    """The certificate that data describes, not verified; `RecordError` for invalid data."""
    top = _mapping(data, "a certificate")
    if top.get("version") != VERSION:
        raise RecordError(f"a certificate of version {top.get('version')!r}; this sapper reads version {VERSION}")
    hardest = top.get("hardest")
    steps = top.get("steps")
    if not isinstance(steps, list):
        raise RecordError("a certificate has a list of steps")
    return Certificate(
        first=Cell(_index(top.get("first"), "the first cell")),
        steps=tuple(_read_step(step) for step in steps),
        hardest=None if hardest is None else _technique(hardest),
        mine_count=_truth(top.get("mine_count")),
    )


def _read_step(data: object) -> ProofStep:
    step = _mapping(data, "a step")
    pattern, bound, layouts = step.get("pattern"), step.get("bound"), step.get("layouts")
    if bound not in (None, "fewest", "most"):
        raise RecordError(f"a bound is fewest or most, not {bound!r}")
    if pattern is not None and not isinstance(pattern, str):
        raise RecordError(f"a pattern is a name, not {pattern!r}")
    return ProofStep(
        technique=_technique(step.get("technique")),
        clues=tuple(Cell(cell) for cell in _cells(step, "clues")),
        safe=CellSet.of(_cells(step, "safe")),
        mined=CellSet.of(_cells(step, "mined")),
        mine_count=_truth(step.get("mine_count", False)),
        pattern=pattern,
        bound=bound,
        layouts=None if layouts is None else _index(layouts, "a number of layouts"),
    )


def _mapping(data: object, what: str) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise RecordError(f"{what} is an object, not {type(data).__name__}")
    return data


def _technique(name: object) -> Technique:
    if not isinstance(name, str) or name not in _TECHNIQUES:
        raise RecordError(f"a technique is one of {', '.join(_TECHNIQUES)}, not {name!r}")
    return _TECHNIQUES[name]


def _cells(step: Mapping[str, object], name: str) -> list[int]:
    cells = step.get(name, [])
    if not isinstance(cells, list):
        raise RecordError(f"{name} is a list of cells, not {cells!r}")
    return [_index(cell, "a cell") for cell in cells]


def _index(value: object, what: str) -> int:
    if type(value) is not int or value < 0:
        raise RecordError(f"{what} is a number from 0, not {value!r}")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise RecordError(f"mine_count is true or false, not {value!r}")
    return value
