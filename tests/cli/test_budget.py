"""The options --budget and --time: they belong to `deep`, and the same budget plays the same games."""

import json

import pytest
from click.testing import CliRunner

from sapper.cli.simulate import command
from sapper.solver.strategies.registry import own_strategy

_WORDS = ("--preset", "beginner", "--start", "safe", "--games", "3", "--seed", "1", "--json")


def test_deep_with_a_budget() -> None:
    runs = [CliRunner().invoke(command, [*_WORDS, "--strategy", "deep", "--budget", "500"]) for _ in range(2)]
    first, second = (json.loads(run.stdout) for run in runs)
    assert first["strategy"] == "deep@500"
    assert first["won"] == second["won"]
    assert runs[0].exit_code == 0


def test_deep_with_a_time() -> None:
    run = CliRunner().invoke(command, [*_WORDS, "--strategy", "deep", "--time", "0.05"])
    assert json.loads(run.stdout)["strategy"] == "deep@0.05s"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--budget", "5", "--time", "1"), "give --budget or --time, not both"),
        (("--backend", "reference"), "leave out --backend reference"),
        (("--time", "0"), "0.01<=x"),
    ],
)
def test_what_deep_cannot_be_told(more: tuple[str, ...], said: str) -> None:
    run = CliRunner().invoke(command, [*_WORDS, "--strategy", "deep", *more])
    assert run.exit_code == 2
    assert said in run.output


def test_a_budget_is_for_deep() -> None:
    run = CliRunner().invoke(command, [*_WORDS, "--strategy", "exact", "--budget", "500"])
    assert run.exit_code == 2
    assert "add --strategy deep" in run.output


@pytest.mark.parametrize(
    "name",
    [
        "deep@",
        "deep@x",
        "deep@0",
        "deep@99999999",
        "deep@s",
        "deep@0s",
        "deep@1.5.5s",
        "deep@-1s",
        "deep@9999s",
        "expert@5",
        "single@5",
    ],
)
def test_no_other_name_has_a_budget(name: str) -> None:
    assert own_strategy(name) is None
