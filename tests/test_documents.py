"""The README and the documents are true: what they show is run."""

import re
from importlib import import_module
from pathlib import Path

import click
import pytest

from sapper.cli.commands import COMMANDS
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
SHELL_BLOCKS = [pytest.param(path, marks=pytest.mark.full if path.name in LONG else ()) for path in DOCUMENTS]


@pytest.mark.parametrize("path", SHELL_BLOCKS, ids=lambda path: path.name)
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


# --- options ---------------------------------------------------------------------------------------

PROGRAMS = [path for name in ("bench", "deploy", "fuzz", "scripts") for path in sorted((ROOT / name).glob("*.py"))]
_OPTION = re.compile(r"(?<![-\w])--[a-z][a-z0-9-]*")
_SAPPER = re.compile(r"(?:\bsapper|run\.sh) (?P<words>[^`|;)#]*)")
_PROGRAM = re.compile(r"\b(?P<file>(?:bench|deploy|fuzz|scripts)/\w+\.py) (?P<words>[^`|;#]*)")
_OTHERS = frozenset(
    "--fix --full --cov --strict --upgrade --omit-lockfile-registry-resolved --hypothesis-profile --name --universal --generate-hashes"
    " --no-deps --no-build-isolation --clean --if-exists --single-transaction --dbname --owner --install-missing --tag --publish"
    " --volume --build --detach --username --nworkers --nthreads".split()
)
"""Those of other programs, which documents name too."""


def _options(command: click.Command) -> set[str]:
    """With those of its subcommands."""
    own = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
    return own.union(*(map(_options, command.commands.values()) if isinstance(command, click.Group) else ()))


def _unknown_options(text: str, options: dict[str, set[str]], sources: dict[str, str]) -> list[str]:
    """The options that a text gives to a command or a program that has none of that name."""
    found = []
    for match in _SAPPER.finditer(text.replace("\\\n", " ")):
        line = match["words"].splitlines()[0] if match["words"] else ""
        known = options.get(line.partition(" ")[0])
        if known is not None:
            found += [f"sapper {line}: {one}" for one in _OPTION.findall(line.partition("$(")[0]) if one not in known]
    for match in _PROGRAM.finditer(text):
        line, source = match["words"].splitlines()[0] if match["words"] else "", sources.get(match["file"])
        found += [
            f"{match['file']}: {one}" for one in _OPTION.findall(line) if source is None or f'"{one}"' not in source
        ]
    return found


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    return {name: _options(import_module(entry.module).command) for name, entry in COMMANDS.items()}


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in PROGRAMS}


def test_every_option_that_is_named_is_there(options: dict[str, set[str]], sources: dict[str, str]) -> None:
    known = set().union(*options.values()) | _OTHERS | {"--version"}
    for source in sources.values():
        known.update(re.findall(r'"(--[a-z][a-z0-9-]*)"', source))
    fragments = sorted((ROOT / "changelog.d").glob("*.md"))
    for path in [*DOCUMENTS, ROOT / "CONTRIBUTING.md", *fragments, *PROGRAMS, *sorted((ROOT / "src").rglob("*.py"))]:
        text = path.read_text(encoding="utf-8")
        assert _unknown_options(text, options, sources) == [], path
        if path.suffix == ".md":
            assert set(_OPTION.findall(text)) - known == set(), path


def test_an_option_that_is_gone_is_found(options: dict[str, set[str]], sources: dict[str, str]) -> None:
    text = "`sapper hint --strategy x FILE` and `sapper bot --code 1`, `bench/web.py --nosuch` and `bench/web.py --players 1`"
    assert _unknown_options(text, options, sources) == [
        "sapper hint --strategy x FILE: --strategy",
        "bench/web.py: --nosuch",
    ]


# --- the check itself can fail -----------------------------------------------------------------
