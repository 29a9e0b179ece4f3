"""`sapper simulate plot`: results as a picture."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main


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
