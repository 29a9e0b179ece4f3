"""Certificates as values and as data; grades of difficulty."""

import copy
import json
from typing import Any

import pytest

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.errors import RecordError
from sapper.generator.no_guess.certificate import Certificate, Difficulty, ProofStep, certificate_data, read_certificate
from sapper.generator.no_guess.prove import prove
from sapper.generator.uniform import place_mines
from sapper.solver.deduce.step import Technique

CLUES = tuple(Cell(cell) for cell in range(7))


@pytest.mark.parametrize(
    ("technique", "clues", "mine_count", "difficulty"),
    [
        (Technique.ONE_CLUE, 1, False, Difficulty.EASY),
        (Technique.OVERLAP, 2, False, Difficulty.MEDIUM),
        (Technique.PATTERN, 3, False, Difficulty.MEDIUM),
        (Technique.MINE_COUNT, 0, True, Difficulty.HARD),
        (Technique.CASES, 6, False, Difficulty.HARD),
        (Technique.CASES, 7, False, Difficulty.EXTREME),
        (Technique.CASES, 2, True, Difficulty.EXTREME),
    ],
)
def test_how_hard_a_step_is(technique: Technique, clues: int, mine_count: bool, difficulty: Difficulty) -> None:
    step = ProofStep(technique=technique, clues=CLUES[:clues], mine_count=mine_count)
    assert step.difficulty is difficulty
    easy = ProofStep(technique=Technique.ONE_CLUE)
    assert Certificate.of(Cell(0), [easy, step, easy]).difficulty is difficulty


def test_nothing_to_think_about() -> None:
    empty = Certificate.of(Cell(0), [])
    assert (empty.difficulty, empty.hardest, empty.mine_count, empty.counts) == (Difficulty.TRIVIAL, None, False, {})


def test_data_and_back() -> None:
    read = 0
    for seed in range(30):
        certificate = prove(place_mines(Grid(9, 9), 12, Rng(seed), start=Start.OPEN, first=20), 20)
        if certificate is not None:
            data = json.loads(json.dumps(certificate_data(certificate)))
            assert read_certificate(data) == certificate
            assert sum(certificate.counts.values()) == len(certificate.steps)
            read += 1
    assert read > 5


GOOD: dict[str, Any] = certificate_data(
    Certificate.of(
        Cell(3),
        [
            ProofStep(technique=Technique.PATTERN, clues=CLUES[:3], safe=CellSet.of([9]), pattern="1-2-1"),
            ProofStep(technique=Technique.MINE_COUNT, mined=CellSet.of([8]), mine_count=True, bound="most"),
            ProofStep(technique=Technique.CASES, clues=CLUES, safe=CellSet.of([7]), layouts=12),
        ],
    )
)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), []),
        (("version",), 2),
        (("first",), -1),
        (("first",), 1.0),
        (("hardest",), "magic"),
        (("mine_count",), 1),
        (("steps",), {}),
        (("steps", 0), "one clue"),
        (("steps", 0, "technique"), 1),
        (("steps", 0, "clues"), 4),
        (("steps", 0, "clues"), [True]),
        (("steps", 0, "safe"), ["9"]),
        (("steps", 0, "pattern"), 121),
        (("steps", 1, "mine_count"), "yes"),
        (("steps", 1, "bound"), "least"),
        (("steps", 2, "layouts"), -12),
    ],
)
def test_damaged_data_is_refused(path: tuple[Any, ...], value: object) -> None:
    assert certificate_data(read_certificate(GOOD)) == GOOD
    data: Any = copy.deepcopy(GOOD)
    if not path:
        data = value
    else:
        place = data
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
    with pytest.raises(RecordError):
        read_certificate(data)
