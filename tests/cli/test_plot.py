"""`sapper simulate plot`: results as a picture."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.plot import PlotInput
from sapper.errors import NotationError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "--preset", "beginner", "--games", "5", "--seed", "1", "--backend", "reference", "--json"]
    for strategy in ("single", "random"):
        assert main([*words, "--strategy", strategy]) == ExitCode.DONE
        Path(f"{strategy}.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert (
        main(["generate", "--preset", "beginner", "--count", "5", "--seed", "1", "--format", "list"]) == ExitCode.DONE
    )
    Path("boards.txt").write_text(capsys.readouterr().out, encoding="utf-8")
    return tmp_path


def test_runs_become_rates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "plot", "single.json", "random.json", "--out", "rates.svg"]) == ExitCode.DONE
    assert capsys.readouterr() == ("", "")
    text = (folder / "rates.svg").read_text(encoding="utf-8")
    assert ET.fromstring(text).tag.endswith("svg")
    # Text is drawn as outlines, each with a comment that says it.
    assert "<!-- single -->" in text
    assert "<!-- random -->" in text
    assert "<!-- games won, % -->" in text


def test_layouts_become_a_distribution(folder: Path) -> None:
    assert main(["simulate", "plot", "boards.txt", "--out", "bbbv.svg"]) == ExitCode.DONE
    text = (folder / "bbbv.svg").read_text(encoding="utf-8")
    assert "<!-- boards.txt: 5 layouts, mean" in text


@pytest.mark.parametrize(("name", "begin"), [("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")])
def test_the_name_says_the_format(name: str, begin: bytes, folder: Path) -> None:
    assert main(["simulate", "plot", "single.json", "--out", name]) == ExitCode.DONE
    assert (folder / name).read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["single.json", "boards.txt", "--out", "a.svg"], 2, "some files contain results, others layouts"),
        (["single.json", "--out", "a.gif"], 2, "a plot's name must end in .svg, .png, .pdf, not 'a.gif'"),
        (["single.json"], 2, "Missing option '--out'"),
        (["--out", "a.svg"], 2, "Missing argument 'FILE...'"),
        (["nothing.json", "--out", "a.svg"], 2, "nothing.json"),
        (["single.json", "--out", "nowhere/a.svg"], 2, "nowhere/a.svg: No such file or directory"),
        (["empty.json", "--out", "a.svg"], 2, "nothing to plot"),
        (["wrong.json", "--out", "a.svg"], 2, "a rate lies in its interval"),
    ],
)
def test_what_cannot_be_plotted_is_said(
    words: list[str], code: int, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = json.loads((folder / "single.json").read_text(encoding="utf-8"))
    (folder / "empty.json").write_text(json.dumps(run | {"games": 0, "won": 0, "rate": None}), encoding="utf-8")
    (folder / "wrong.json").write_text(json.dumps(run | {"rate": 1.5}), encoding="utf-8")
    assert main(["simulate", "plot", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert why in err
    assert err.count("\n") == 1
    assert not (folder / "a.svg").exists()


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
