"""Strategies with a budget in their name: `playouts@N` and `playouts@SECONDSs`; the same budget plays the same games."""

import json

import pytest
from click.testing import CliRunner

from sapper.cli.simulate import command
from sapper.solver.strategies.registry import own_strategy

_WORDS = ("--preset", "beginner", "--start", "safe", "--games", "3", "--seed", "1", "--json")


def test_playouts_with_a_budget() -> None:
    runs = [CliRunner().invoke(command, [*_WORDS, "--strategy", "playouts@500"]) for _ in range(2)]
    first, second = (json.loads(run.stdout) for run in runs)
    assert first["strategy"] == "playouts@500"
    assert first["won"] == second["won"]
    assert runs[0].exit_code == 0


def test_playouts_with_a_time() -> None:
    run = CliRunner().invoke(command, [*_WORDS, "--strategy", "playouts@0.05s"])
    assert json.loads(run.stdout)["strategy"] == "playouts@0.05s"


def test_playouts_need_the_native_library() -> None:
    run = CliRunner().invoke(command, [*_WORDS, "--strategy", "playouts", "--backend", "reference"])
    assert run.exit_code == 2
    assert "leave out --backend reference" in run.output


@pytest.mark.parametrize(
    "name",
    "playouts@ playouts@x playouts@0 playouts@99999999 playouts@s playouts@0s playouts@1.5.5s playouts@-1s playouts@9999s expert@5 single@5".split(),
)
def test_no_other_name_has_a_budget(name: str) -> None:
    assert own_strategy(name) is None
