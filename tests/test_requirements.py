"""docs/requirements.md is whole and true: every requirement is in it, every test it names exists."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests/data"
TABLE = (ROOT / "docs/requirements.md").read_text(encoding="utf-8")


def _read(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def _section(title: str) -> dict[str, list[str]]:
    """The rows of the sections whose title begins so: a requirement's name and its tests."""
    rows: dict[str, list[str]] = {}
    for part in TABLE.split("\n## ")[1:]:
        if not part.startswith(title):
            continue
        for line in part.splitlines():
            if line.startswith("| `"):
                names, _, tests = line.strip("| ").split(" | ")
                for name in re.findall(r"`([^`]+)`", names):
                    assert name not in rows, f"{name} is given twice"
                    rows[name] = re.findall(r"`([^`]+)`", tests)
                    assert rows[name], line
    return rows


GRID = _section("`engine-requirements.md`: the component Grid")
COMPONENTS = _section("`engine-requirements.md`: the other components")
KATA = _section("`kata.md`")
WIRE = _section("`client-server-requirements.md`")
FORMAL = _section("`formal-specification.md`")


# --- every requirement is there -------------------------------------------------------------------


def test_every_anchor_of_the_grid() -> None:
    anchors = re.findall(r'id="\$~([0-9a-f]{8})"', _read("seeds/engine-requirements.md"))
    assert len(anchors) == 32
    assert list(GRID) == [anchor for anchor in anchors if anchor != "00000000"]  # the document's own example


def test_every_other_component() -> None:
    names = re.findall(r"^## (Component: [\w ]+) Requirements$", _read("seeds/engine-requirements.md"), re.MULTILINE)
    assert list(COMPONENTS) == [name for name in names if name != "Component: Grid"]


def test_every_scenario_example_and_acceptance_test_of_the_kata() -> None:
    text = _read("kata.md")
    names = [f"Scenario {number}" for number in re.findall(r"^(\d+) – ", text, re.MULTILINE)]
    names += [f"Example {number}" for number in re.findall(r"^### Example (\d+)", text, re.MULTILINE)]
    names += [f"UAT {number}" for number in re.findall(r"UAT (\d+\.\d+)$", text, re.MULTILINE)]
    assert len(names) == 6 + 12 + 28
    assert list(KATA) == names


def test_every_row_of_the_client_and_server() -> None:
    text = _read("seeds/client-server-requirements.md")
    names = {f"Packet {name}" for name in re.findall(r"^\| \d+ +\| ([A-Z_]+) ", text, re.MULTILINE)}
    names |= {f"Option --{name}" for name in re.findall(r"^ +\| -\w,-+(\w+) ", text, re.MULTILINE)}
    names |= {f"Key {key}" for key in re.findall(r"^ {6}\| (\S+) +\| (?!Action)", text, re.MULTILINE)}
    symbols = text[text.index("| Character(s)") : text.index("# Minesweeper gameplay rules")]
    names |= {f"Symbol {name}" for name in re.findall(r"^ +\| `?([^\s`-]+?)`? +\| ", symbols, re.MULTILINE)}
    names |= {f"Level {name}" for name in re.findall(r"^\| ([A-Z]+) +\| \d+% ", text, re.MULTILINE)}
    names |= set(re.findall(r"^# (\w+ Requirements)$", text, re.MULTILINE))
    names |= {f"Gameplay {number}" for number in re.findall(r"^(\d)\. ", text, re.MULTILINE)}
    sentences = {
        "Gameplay revealed before": "has already been revealed before, nothing happens",
        "Gameplay win": "has marked all cells containing a bomb and no other cells",
        "Gameplay end": "After the game reaches a terminal state",
    }
    assert all(sentence in text for sentence in sentences.values())
    assert set(WIRE) == names | set(sentences)


def test_every_invariant_and_operation_of_the_formal_specification() -> None:
    text = _read("seeds/formal-specification.md").replace("\\_", "_")
    names = re.findall(r"^### \[(V\.\w+\.\w+)\]$", text, re.MULTILINE)
    names += re.findall(r"^\*\*\[(V\.\w+\.\w+)\]\*\*$", text, re.MULTILINE)
    names += re.findall(r"^\**(\w+)\([^)]*\): ?\S.*(?<!\d)$", text, re.MULTILINE)
    assert set(FORMAL) == {*names, "Wireframe"}
    assert len(FORMAL) == 17


# --- every test is there -----------------------------------------------------------------------------


def _tests(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node


def _anchors(test: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The requirements that a test's marker names."""
    return {
        str(ast.literal_eval(argument))
        for decorator in test.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.requirement"
        for argument in decorator.args
    }


@pytest.mark.parametrize(
    "name", sorted({n for s in (GRID, COMPONENTS, KATA, WIRE, FORMAL) for ns in s.values() for n in ns})
)
def test_a_test_that_is_named_exists(name: str) -> None:
    file, _, test = name.partition("::")
    assert (ROOT / file).is_file()
    assert not test or test.partition("[")[0] in {node.name for node in _tests(ROOT / file)}


def test_the_grid_the_kata_and_the_formal_specification_are_all_built() -> None:
    unshown = [name for name, tests in (GRID | KATA | FORMAL).items() if not tests]
    assert unshown == []


def test_the_tests_of_the_grid_name_what_they_show() -> None:
    marked: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for test in _tests(path):
            for anchor in _anchors(test):
                marked.setdefault(anchor, set()).add(f"{path.relative_to(ROOT).as_posix()}::{test.name}")
    assert marked == {anchor: set(tests) for anchor, tests in GRID.items()}
