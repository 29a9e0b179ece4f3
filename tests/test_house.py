"""The rules of the house that no linter knows (CONTRIBUTING.md lists them)."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
ALL_PYTHON = [path for folder in ("src", "tests", "bench", "scripts") for path in sorted((ROOT / folder).rglob("*.py"))]

LONGEST_FILE = 600
LONGEST_FUNCTION = 60

# The only packages with code in their __init__.py: what `import sapper` offers, and the seam between the backends.
SPEAKING_PACKAGES = {"src/sapper/__init__.py", "src/sapper/_kernels/__init__.py"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def test_files_are_short() -> None:
    long = {_name(path): lines for path in ALL_PYTHON if (lines := len(path.read_bytes().splitlines())) > LONGEST_FILE}
    assert long == {}


def test_functions_are_short() -> None:
    long = {
        f"{_name(path)}:{node.lineno} {node.name}": lines
        for path in ALL_PYTHON
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    }
    assert long == {}


def test_packages_have_no_code_but_for_two() -> None:
    packages = [path for path in SOURCES if path.name == "__init__.py"]
    assert {_name(path) for path in packages if len(_parse(path).body) > 1} <= SPEAKING_PACKAGES


def test_every_package_and_module_has_a_docstring() -> None:
    assert [_name(path) for path in SOURCES if not ast.get_docstring(_parse(path))] == []


def test_no_two_public_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(_parse(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(_name(path))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_data_is_frozen_and_slotted() -> None:
    loose = [
        f"{_name(path)}:{node.lineno} {node.name}"
        for path in SOURCES
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if (text := ast.unparse(decorator)).startswith("dataclass")
        and not ("frozen=True" in text and "slots=True" in text)
    ]
    assert loose == []


def test_hypothesis_strategies_live_in_one_file() -> None:
    elsewhere = [
        _name(path)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path.name != "strategies.py"
        and re.search(r"^@(\w+\.)?composite\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert elsewhere == []


def _texts() -> dict[str, str]:
    """Every text file of the project by its name; not what tools leave behind."""
    folders = (".ci", "bench", "changelog.d", "docs", "scripts", "src", "tests")
    paths = [
        *(path for path in ROOT.iterdir() if path.name != ".git"),
        *(path for folder in folders for path in (ROOT / folder).rglob("*")),
    ]
    texts = {}
    for path in sorted(paths):
        content = path.read_bytes() if path.is_file() and "__pycache__" not in path.parts else b"\0"
        if b"\0" not in content:
            texts[_name(path)] = content.decode("utf-8", errors="replace")
    return texts


def test_no_file_names_a_place_on_one_machine() -> None:
    place = re.compile(r"(?<![\w.~>)}\]\"'])/(?:home|root|work|Users|mnt|media)/\w+")
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in _texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        if place.search(line)
    ]
    assert found == []


def test_text_files_are_tidy() -> None:
    found = [
        name
        for name, text in _texts().items()
        if not name.startswith("tests/data/") and text and ("\r" in text or "\t" in text or not text.endswith("\n"))
    ]
    assert found == []


SPEAKING_MODULES = {"src/sapper/__init__.py", "src/sapper/_kernels/loading.py"}
"""Those that import by name: the public names in their table, and the native half of its own room."""


def test_no_module_imports_another_by_its_name_in_a_text() -> None:
    """That would dodge the layers of import-linter."""
    by_name = [
        f"{_name(path)}:{node.lineno}"
        for path in SOURCES
        if _name(path) not in SPEAKING_MODULES
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
        and any(isinstance(one, ast.Constant) and str(one.value).startswith("sapper.") for one in ast.walk(node))
    ]
    assert by_name == []


PUBLIC_MODULES = {"sapper", "sapper.dataset.drawing", "sapper.rl.envs", "sapper.rl.rewards", "sapper.rl.sb3"}
"""What documents may import beside the names of `sapper`: docs/rl.md and docs/dataset.md are their pages."""


def test_documents_and_examples_import_what_is_public() -> None:
    private = [
        f"{_name(path)}: {found[0].strip()}"
        for path in [
            *sorted((ROOT / "docs").rglob("*.md")),
            ROOT / "README.md",
            *sorted((ROOT / "docs").rglob("*.ipynb")),
        ]
        for found in re.finditer(
            r'^[ "]*(?:from|import) (sapper[\w.]*)', path.read_text(encoding="utf-8"), re.MULTILINE
        )
        if found[1] not in PUBLIC_MODULES
    ]
    assert private == []
    example = _parse(ROOT / "src" / "sapper" / "cli" / "strategy_example.py")
    assert {one.module for one in ast.walk(example) if isinstance(one, ast.ImportFrom)} <= {"sapper"}
