"""The README and the documents are true: what they show is run."""

import re
from pathlib import Path

import pytest

from tests.documents import run_console, run_python

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_code_of_a_document_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks_run = run_python(path.name, path.read_text(encoding="utf-8"))
    assert blocks_run > 0 or path.name != "README.md"


LONG = ("own-strategy.md", "study-your-games.md", "pictures.md")
"""Their commands take five seconds of processor and more."""
COMMANDS = [pytest.param(path, marks=pytest.mark.full if path.name in LONG else ()) for path in DOCUMENTS]


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.name)
def test_the_commands_of_a_document_run(path: Path, tmp_path: Path) -> None:
    commands_run = run_console(path.name, path.read_text(encoding="utf-8"), tmp_path)
    assert commands_run > 0 or path.name != "README.md"


@pytest.mark.parametrize("word", ["Keyboard", "Undo"])
def test_searching_finds_the_page_on_playing_first(word: str) -> None:
    """The site's search ranks a heading that is the word itself above every page that only has the word."""
    found = [
        path.name for path in DOCUMENTS if re.search(rf"^#+ {word}$", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert found == ["play.md"]


# --- the check itself can fail -----------------------------------------------------------------
