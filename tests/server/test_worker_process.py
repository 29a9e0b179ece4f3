"""Another Python finds what this one finds; the current folder comes last, if at all."""

import os
import sys
from pathlib import Path

import pytest

from sapper.server.worker_process import python_path, without_current_folder


@pytest.mark.parametrize("here", ["", ".", None])
def test_the_current_folder_comes_last(here: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["/a", "/b"])
    assert python_path().split(os.pathsep) == ["/a", "/b"]
    assert python_path(with_current_folder=True).split(os.pathsep) == ["/a", "/b", "."]
    monkeypatch.setattr(sys, "path", [str(tmp_path) if here is None else here, "/a", "/b"])
    assert python_path().split(os.pathsep) == ["/a", "/b", "."]


def test_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in (None, "x"):
        if before is None:
            monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        else:
            monkeypatch.setenv("PYTHONSAFEPATH", before)
        with without_current_folder():
            assert os.environ["PYTHONSAFEPATH"]
        assert os.environ.get("PYTHONSAFEPATH") == before
