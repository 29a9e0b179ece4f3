"""The checker of certificates: what holds passes, and nothing else does."""

from collections import Counter
from dataclasses import replace

import pytest

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.errors import TooHardError
from sapper.game.layout import Layout
from sapper.generator.no_guess.certificate import Certificate, ProofStep
from sapper.generator.no_guess.prove import prove
from sapper.generator.no_guess.verify import explain_certificate, fault_of, verify_certificate
from sapper.generator.uniform import place_mines
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.step import Technique

FIRST = 27
GRID = Grid(8, 8)


def _proven(count: int) -> list[tuple[Layout, Certificate]]:
    found = []
    for seed in range(200):
        layout = place_mines(GRID, 12, Rng(seed), start=Start.OPEN, first=FIRST)
        certificate = prove(layout, FIRST)
        if certificate is not None and certificate.steps:
            found.append((layout, certificate))
        if len(found) == count:
            break
    return found


PROVEN = _proven(12)


def _with_step(certificate: Certificate, number: int, step: ProofStep | None) -> Certificate:
    """The certificate with one step changed or left out, its summary made to fit."""
    steps = list(certificate.steps)
    steps[number : number + 1] = [] if step is None else [step]
    return Certificate.of(certificate.first, steps)


def test_what_was_proven_holds_and_can_be_told() -> None:
    for layout, certificate in PROVEN:
        assert verify_certificate(layout, FIRST, certificate)
        steps = list(explain_certificate(layout, certificate))
        assert len(steps) == len(certificate.steps)
        assert all(check_step(step.board, step) and step.sentence for step in steps)


def test_a_cell_said_to_be_safe_or_a_mine_without_reason_is_found_out() -> None:
    caught: Counter[str] = Counter()
    for layout, certificate in PROVEN[:4]:
        for number, step in enumerate(certificate.steps):
            for cell in range(0, GRID.size, 9):
                one = CellSet.of([cell])
                if one <= step.safe | step.mined:
                    continue
                for changed in (replace(step, safe=step.safe | one), replace(step, mined=step.mined | one)):
                    fault = fault_of(layout, FIRST, _with_step(certificate, number, changed))
                    assert fault is not None
                    caught[fault.partition(": ")[2]] += 1
    assert set(caught) >= {"its conclusion does not follow from its clues"}


def test_a_step_that_others_build_on_cannot_be_left_out() -> None:
    for layout, certificate in PROVEN:
        last = max(number for number, step in enumerate(certificate.steps) if step.safe)
        fault = fault_of(layout, FIRST, _with_step(certificate, last, None))
        assert fault is not None


def test_another_layout_another_first_cell() -> None:
    (layout, certificate), (other, _) = PROVEN[:2]
    assert not verify_certificate(other, FIRST, certificate)
    assert fault_of(layout, FIRST + 1, certificate) == f"it is for first cell {FIRST}, not {FIRST + 1}"
    mine = next(iter(layout.mines))
    for nowhere in (mine, GRID.size):
        fault = fault_of(layout, nowhere, replace(certificate, first=Cell(nowhere)))
        assert fault == f"the first cell {nowhere} is not a safe cell of the layout"


def test_every_single_mine_moved_breaks_the_proof_or_the_layout_is_proven_too() -> None:
    layout, certificate = PROVEN[0]
    broken = 0
    for mine in layout.mines:
        for cell in range(0, GRID.size, 7):
            if cell in layout.mines or cell == FIRST:
                continue
            moved = Layout(GRID, layout.mines ^ CellSet.of([mine, cell]))
            if verify_certificate(moved, FIRST, certificate):
                assert prove(moved, FIRST) is not None
            else:
                broken += 1
    assert broken > 50


def _step_of(*techniques: Technique) -> tuple[Layout, Certificate, int]:
    for layout, certificate in PROVEN:
        for number, step in enumerate(certificate.steps):
            if step.technique in techniques:
                return layout, certificate, number
    raise AssertionError(f"no {techniques} in the sample")


@pytest.mark.parametrize("technique", [Technique.OVERLAP, Technique.PATTERN, Technique.MINE_COUNT])
def test_a_step_cannot_pass_for_an_easier_one(technique: Technique) -> None:
    layout, certificate, number = _step_of(technique)
    step = certificate.steps[number]
    for claimed in Technique:
        if claimed not in (technique, Technique.CASES, Technique.START):
            fault = fault_of(layout, FIRST, _with_step(certificate, number, replace(step, technique=claimed)))
            assert fault is not None
            assert "not of the technique that it states" in fault


def test_the_bound_of_the_mine_count_is_checked() -> None:
    layout, certificate, number = _step_of(Technique.MINE_COUNT)
    step = certificate.steps[number]
    for bound in (None, "most" if step.bound == "fewest" else "fewest"):
        wrong = _with_step(certificate, number, replace(step, bound=bound))
        assert fault_of(layout, FIRST, wrong) is not None


def test_a_summary_that_makes_it_look_easier() -> None:
    layout, certificate, _ = _step_of(Technique.MINE_COUNT)
    for lie in (replace(certificate, hardest=Technique.ONE_CLUE), replace(certificate, mine_count=False)):
        assert fault_of(layout, FIRST, lie) == "its summary is not that of its steps"


def test_nonsense() -> None:
    layout, certificate = PROVEN[0]
    assert "safe cells covered" in str(fault_of(layout, FIRST, Certificate.of(Cell(FIRST), [])))
    off = ProofStep(technique=Technique.ONE_CLUE, clues=(Cell(99),), safe=CellSet.of([1]))
    assert "off the board" in str(fault_of(layout, FIRST, Certificate.of(Cell(FIRST), [off])))
    covered = ProofStep(technique=Technique.ONE_CLUE, clues=(Cell(next(iter(layout.mines))),), safe=CellSet.of([1]))
    assert "not revealed" in str(fault_of(layout, FIRST, Certificate.of(Cell(FIRST), [covered])))
    twice = next(step for step in certificate.steps if step.mined)
    number = certificate.steps.index(twice)
    again = [*certificate.steps[: number + 1], replace(twice, safe=CellSet())]
    assert "shown before" in str(fault_of(layout, FIRST, Certificate.of(Cell(FIRST), again)))


def test_too_hard_to_check_is_no_answer() -> None:
    layout, certificate, _ = _step_of(Technique.MINE_COUNT, Technique.CASES)
    with pytest.raises(TooHardError):
        verify_certificate(layout, FIRST, certificate, cap=0)
