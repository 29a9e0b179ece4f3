"""The manual pages say what `--help` says, and roff takes them."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from sapper.cli.commands import COMMANDS

SCRIPT = Path(__file__).parents[1] / "scripts/manpages.py"


@pytest.fixture(scope="module")
def manpages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("manpages", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_has_a_page_with_its_options(manpages: ModuleType, tmp_path: Path) -> None:
    manpages.main(tmp_path)
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert {f"sapper-{name}.1" for name in COMMANDS} | {"sapper.1", "sapper-strategy-new.1"} <= set(texts)
    assert all(f"sapper\\-{name} (1)" in texts["sapper.1"] for name in COMMANDS)
    page = texts["sapper-simulate.1"]
    assert ".B \\-\\-per\\-game FILE\nWrite a line a game" in page
    assert ".nf\nsapper simulate \\-\\-preset expert" in page
    for name, text in texts.items():
        assert [heading for heading in ("NAME", "SYNOPSIS", "EXIT STATUS") if f".SH {heading}\n" not in text] == [], (
            name
        )
        # Nothing but roff's own words begins with a dot.
        known = ("TH", "SH", "PP", "B ", "BR", "TP", "nf", "fi")
        assert [line for line in text.split("\n") if re.match(r"[.']", line) and not line[1:].startswith(known)] == []
        assert "\b" not in text


def test_what_roff_would_read_is_escaped(manpages: ModuleType) -> None:
    assert manpages.escaped("a-b\\c\n.TH\n'x") == "a\\-b\\ec\n\\&.TH\n\\&'x"
    assert list(manpages.paragraphs("one\ntwo\n\n\b\nthree\n  four")) == [
        ".PP", "one two", ".PP", ".nf", "three", "four", ".fi",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_roff_has_nothing_to_say(manpages: ModuleType, tmp_path: Path) -> None:
    manpages.main(tmp_path)
    files = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run(
        ["groff", "-K", "utf8", "-man", "-Tutf8", "-ww", *files], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "--per-game FILE" in re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout).replace("‐", "-").replace("−", "-")
