"""Installing a package in tests: a module with entry points, found as a real one is."""

from pathlib import Path

import pytest


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *, module: str, code: str, group: str, points: str) -> None:
    """Lay a package into `folder` and look for it there; `points` are lines `NAME = MODULE:OBJECT`."""
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{group}]\n{points}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
