"""`sapper doctor`: what is there, what is missing, what it costs."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from sapper._kernels import batch
from sapper.cli import doctor
from sapper.cli.exits import EXTRAS, ExitCode, distribution_of
from sapper.cli.main import main
from sapper.solver.strategies.registry import COMPILED


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["sapper"] == metadata.version("sapper")
    assert found["packages"].keys() == {distribution_of(module) for module in EXTRAS}
    # All extras are installed here: what is imported under another name than it is installed under is found too.
    assert found["packages"] == {name: metadata.version(name) for name in found["packages"]}
    assert found["missing"] == {}
    assert (found["backend"], found["problem"]) == ("jit", None)
    assert [one["strategy"] for one in found["kernels"]] == list(COMPILED)
    assert all(one["seconds"] is None for one in found["kernels"])
    assert found["cache_bytes"] >= 0


def test_compiling_now(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "COMPILED", ("random",))
    assert main(["doctor", "--compile", "--json"]) == ExitCode.DONE
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert kernel["seconds"] > 0
    assert main(["doctor", "--compile"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert "kernels of strategy random: compiled; loading took " in out
    assert "many games are played by compiled kernels (jit)" in out
    assert "cache: " in out
    assert err == ""


def test_what_is_not_compiled_yet_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(batch, "is_kept", lambda strategy: False)
    assert main(["doctor"]) == ExitCode.DONE
    assert "kernels of strategy exact: not compiled yet\n" in capsys.readouterr().out
    monkeypatch.setattr(doctor, "COMPILED", ("random",))
    assert main(["doctor", "--compile"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert "kernels of strategy random: not compiled yet; compiling took" in out
    # It was compiled all the same, unless this is the first test on this machine that needs it.
    assert err in ("", "sapper: compiling, once a machine, a minute or so\n")


def test_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fast = {"numba", "numpy", "llvmlite"}
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in fast else "1.0")
    monkeypatch.setattr(batch, "can_compile", lambda: False)
    assert main(["doctor"]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert "missing: llvmlite, numba, numpy; it comes with: pip install 'sapper[fast]'" in out
    assert "many games are played by Python" in out
    assert main(["doctor", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["missing"] == {"fast": ["llvmlite", "numba", "numpy"]}
    assert (found["backend"], found["cache_folder"], found["kernels"]) == ("python", None, [])


def test_what_does_not_work_is_a_no(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise ImportError("numba needs\nanother numpy")

    monkeypatch.setattr(batch, "folder_of_cache", broken)
    assert main(["doctor"]) == ExitCode.NO
    assert "the compiled kernels do not work: ImportError: numba needs another numpy\n" in capsys.readouterr().out


def test_a_broken_configuration_is_said_and_does_not_stop_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sapper.toml"
    path.write_text("[server]\nprot = 1\n")
    monkeypatch.setenv("SAPPER_CONFIG", str(path))
    assert main(["doctor"]) == ExitCode.NO
    out = capsys.readouterr().out
    wrong = f"{path}:2: no setting 'server.prot'; did you mean 'server.port'?"
    assert f"the configuration is broken, and commands that need it refuse to run: {wrong}\n" in out
    assert "sapper " in out
    assert "packages: " in out
    assert main(["doctor", "--json"]) == ExitCode.NO
    assert json.loads(capsys.readouterr().out)["configuration"] == wrong
    path.write_text("")
    assert main(["doctor", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["configuration"] is None
