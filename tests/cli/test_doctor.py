"""`sapper doctor`: what is there, what is missing."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from sapper._kernels import library_file
from sapper.cli import doctor
from sapper.cli.exits import EXTRAS, ExitCode, distribution_of
from sapper.cli.main import main
from tests.halves import REASON, by_reference


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["sapper"] == metadata.version("sapper")
    assert found["packages"].keys() == {distribution_of(module) for module in EXTRAS}
    # All extras are installed here: what is imported under another name than it is installed under is found too.
    assert found["packages"] == {name: metadata.version(name) for name in found["packages"]}
    assert found["missing"] == {}
    assert (found["backend"], found["problem"]) == ("native", None)


def test_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == ExitCode.DONE
    assert "the native library is used\n" in capsys.readouterr().out


def test_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in {"numpy", "pyarrow"} else "1.0")
    assert main(["doctor"]) == ExitCode.DONE
    assert "missing: numpy, pyarrow: pip install '.[data]' in the clone of sapper" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["missing"] == {"data": ["numpy", "pyarrow"]}


def test_no_library_is_no_fault_and_one_that_does_not_work_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with by_reference():
        assert main(["doctor"]) == ExitCode.NO
        monkeypatch.setattr(library_file, "is_installed", lambda: False)
        assert main(["doctor"]) == ExitCode.DONE
        said = f"Python is used instead of the native library, many times slower, without playouts: {REASON}\n"
        assert capsys.readouterr().out.count(said) == 2
        assert main(["doctor", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert (found["backend"], found["problem"]) == ("reference", REASON)


def test_a_broken_configuration_is_said_and_does_not_stop_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sapper.toml"
    path.write_text("[server]\nport = -1\n")
    monkeypatch.setenv("SAPPER_CONFIG", str(path))
    assert main(["doctor"]) == ExitCode.NO
    out = capsys.readouterr().out
    wrong = f"{path}: server.port is a whole number from 0 to 65535, not -1"
    assert f"the configuration has an error, so commands that need it do not run: {wrong}\n" in out
    assert "sapper " in out
    assert "packages: " in out
    assert main(["doctor", "--json"]) == ExitCode.NO
    assert json.loads(capsys.readouterr().out)["configuration"] == wrong
    path.write_text("")
    assert main(["doctor", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["configuration"] is None
