"""What `sapper simulate plot` reads."""

import json
from typing import Any

import pytest

from sapper.cli.plot_input import PlotInput
from sapper.errors import NotationError

RUN: dict[str, Any] = {
    "games": 10, "won": 5, "rate": 0.5, "low": 0.2, "high": 0.8,
    "strategy": "least-risk", "preset": "expert", "rules": "modern", "start": "open",
    "width": 30, "height": 16, "mine_count": 99, "boards": None,
}  # fmt: skip


def _found(*texts: str) -> PlotInput:
    found = PlotInput()
    for number, text in enumerate(texts):
        found.add(text.encode(), f"file{number}")
    return found


def test_runs_follow_each_other_in_files() -> None:
    one, two = json.dumps(RUN), json.dumps(RUN | {"strategy": "single"})
    found = _found(f"{one}\n{two}\n", f" {one}")
    assert [run["strategy"] for run in found.runs] == ["least-risk", "single", "least-risk"]
    assert found.bbbv == {}


def test_a_run_without_a_game_says_nothing() -> None:
    assert _found(json.dumps(RUN | {"games": 0, "rate": None, "low": 0.0, "high": 1.0})).runs == []


@pytest.mark.parametrize(
    ("changes", "labels"),
    [
        ([{}], ["least-risk"]),
        ([{}, {"strategy": "single"}], ["least-risk", "single"]),
        (
            [{}, {"preset": "beginner", "mine_count": 10}],
            ["least-risk, expert, mines 99", "least-risk, beginner, mines 10"],
        ),
        ([{}, {"start": "safe"}], ["least-risk, start open", "least-risk, start safe"]),
        ([{}, {"boards": "list.txt"}], ["least-risk", "least-risk, list.txt"]),
    ],
)
def test_runs_are_called_by_what_tells_them_apart(changes: list[dict[str, Any]], labels: list[str]) -> None:
    assert _found(*(json.dumps(RUN | change) for change in changes)).labels() == labels


def test_layouts_are_measured_or_have_been() -> None:
    found = _found(
        "3 3 1 0 8\n3 3 1 4 0\n",
        json.dumps([{"bbbv": 7, "zini": 3}, {"bbbv": 8}]),
        json.dumps({"boards": [{"3bv": 4}]}),
        "[]",
    )
    assert found.bbbv == {"file0": [1, 8], "file1": [7, 8], "file2": [4], "file3": []}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "f:1:2: Expecting property name enclosed in double quotes"),
        ('{"games": 1}', "f:1:1: this JSON is not from sapper simulate, sapper metrics or sapper generate"),
        ('[{"zini": 1}]', "f:1:1: this JSON is not from"),
        ("[1]", "f:1:1: this JSON is not from"),
        ('{"boards": [{"3bv": true}]}', "f:1:1: this JSON is not from"),
        ('{"strategy": "x", "games": 1, "won": 1, "rate": null}', "f:1:1: this JSON is not from"),
        ('{"strategy": "x", "games": "1", "won": 1}', "f:1:1: this JSON is not from"),
        ("[" * 100_000, "f:1:1: this JSON is nested too deeply"),
        ("hello\n", "f:1:1: "),
    ],
)
def test_what_is_nothing_known_is_an_error(text: str, error: str) -> None:
    with pytest.raises(NotationError) as caught:
        PlotInput().add(text.encode(), "f")
    assert str(caught.value).startswith(error)


def test_json_is_text() -> None:
    with pytest.raises(NotationError, match=r"^f:2:1: not a text: byte 0xff$"):
        PlotInput().add(b"{\n\xff", "f")
