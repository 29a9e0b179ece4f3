"""The README and the documents are true: what they show is run."""

import contextlib
import re
from pathlib import Path

import pytest

from tests.documents import DocumentError, run_console, run_python

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

PYTHON = """\
# Title

```python
from pathlib import Path

x = 1
```

Words.

```python
print(x + 1)
print("end  ")
```

```text
2
end
```
"""


def test_blocks_share_a_namespace_and_their_output_is_compared() -> None:
    assert run_python("d.md", PYTHON) == 2
    with pytest.raises(DocumentError, match=r"^d.md:12: it shows\n3\nend\n\nbut this is printed\n2\nend"):
        run_python("d.md", PYTHON.replace("2\nend", "3\nend"))


def _console(*lines: str) -> str:
    return "\n".join(["# Title", "", "```console", *lines, "```", ""])


def test_commands_run_in_one_folder_and_their_output_is_compared(tmp_path: Path) -> None:
    document = _console(
        "$ sapper --version > version.txt", "$ cat version.txt | sed s/[0-9.]*$/x/; sapper --help >&2", "sapper x"
    )
    assert run_console("d.md", document, tmp_path) == 2
    with pytest.raises(DocumentError, match=r"^d.md:5: it shows\nsapper y"):
        run_console("d.md", document.replace("sapper x", "sapper y"), tmp_path)


@pytest.mark.parametrize(
    ("shown", "is_so"), [(["[…]", "  sapper play --preset beginner"], True), (["Usage:", "[…]"], False)]
)
def test_a_mark_stands_for_whole_lines(shown: list[str], is_so: bool, tmp_path: Path) -> None:
    with contextlib.nullcontext() if is_so else pytest.raises(DocumentError, match="it shows"):
        assert run_console("d.md", _console("$ ./run.sh --help", *shown), tmp_path) == 1


def test_a_command_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"^d.md:4: sapper nonsense\nexit code 2\nsapper: no command 'nonsense'"):
        run_console("d.md", _console("$ sapper nonsense"), tmp_path)


def test_a_command_that_nobody_runs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"^d.md:4: neither run nor known as shown only: make"):
        run_console("d.md", _console("$ make"), tmp_path)
