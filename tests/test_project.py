"""pyproject.toml, the lock and the packages agree."""

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import sapper
from sapper.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")

EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]

# Faces, and what brings other people's packages in, may need an extra; everything else runs with Python alone.
FACES = (
    "sapper.cli",
    "sapper.__main__",
    "sapper.cluster",
    "sapper.dataset",
    "sapper.store",
    "sapper.config",
    "sapper.plots",
    "sapper.rl",
    "sapper.tui",
    "sapper.web",
)


def _package(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def test_the_command_needs_click_and_nothing_else() -> None:
    """And the library nothing at all: `.ci/run` imports it where nothing is installed."""
    assert [_package(one) for one in PROJECT["project"]["dependencies"]] == ["click"]


def test_the_version_is_one() -> None:
    assert sapper.__version__ == PROJECT["project"]["version"]


def test_all_is_every_extra() -> None:
    (everything,) = EXTRAS["all"]
    named = re.fullmatch(r"sapper\[([\w,]+)\]", everything)
    assert named is not None
    assert set(named[1].split(",")) == set(EXTRAS) - {"all"}


def test_what_builds_the_project_is_in_the_lock_too() -> None:
    assert set(PROJECT["build-system"]["requires"]) <= set(GROUPS["build"])


@pytest.mark.parametrize(
    "requirement",
    sorted(
        {
            r
            for part in (EXTRAS, GROUPS, {"": PROJECT["project"]["dependencies"]})
            for rs in part.values()
            for r in rs
            if not r.startswith("sapper[")
        }
    ),
)
def test_each_dependency_is_locked_and_has_its_reason(requirement: str) -> None:
    package = _package(requirement)
    assert re.search(rf"^{re.escape(package)}==[\d.]+.* \\\n    --hash=sha256:", LOCK, re.MULTILINE)
    assert re.search(rf"`{re.escape(package)}`", (ROOT / "docs/decisions.md").read_text(encoding="utf-8"))


def test_every_locked_package_has_a_hash_and_none_an_address() -> None:
    pinned = re.findall(r"^\S+==.*$", LOCK, re.MULTILINE)
    assert len(pinned) > 20
    assert all(line.endswith("\\") for line in pinned)
    assert "://" not in LOCK
    assert not re.search(r"^-", LOCK, re.MULTILINE)


def test_the_tools_of_the_page_are_pinned_and_locked_by_hash_without_an_address() -> None:
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    locked: dict[str, dict[str, Any]] = json.loads(text)["packages"]
    reasons = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
    for name, version in wanted.items():
        assert re.fullmatch(r"[\d.]+", version), name
        assert locked[f"node_modules/{name}"]["version"] == version
        assert f"`{name}`" in reasons
    for path, package in locked.items():
        assert path == "" or package["integrity"].startswith("sha512-"), path
        assert "resolved" not in package, f"{path}: npm install --omit-lockfile-registry-resolved"
    assert "registry" not in text


def test_every_module_but_the_faces_imports_with_python_alone() -> None:
    modules = [
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "src").rglob("*.py"))
    ]
    plain = [name for name in modules if not name.startswith(FACES)]
    assert "sapper.core.board" in plain
    # -I -S: no site-packages, so nothing that is installed can be found.
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); import importlib\n" + "".join(
        f"importlib.import_module({name!r})\n" for name in plain
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "src/sapper/py.typed").is_file()
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]


def test_a_fragment_of_the_changelog_says_what_kind_it_is() -> None:
    names = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name not in ("README.md", ".template.md")]
    assert [name for name in names if not re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed)\.md", name)] == []


def test_the_container_has_the_locked_versions() -> None:
    def pins(text: str) -> set[str]:
        return set(re.findall(r"^([\w.-]+==[\w.]+)", text, re.MULTILINE))

    wanted = pins((ROOT / "deploy/requirements.lock").read_text(encoding="utf-8"))
    assert wanted <= pins(LOCK)
    names = {pin.partition("==")[0] for pin in wanted}
    needed = {_package(one) for extra in ("web", "store") for one in EXTRAS[extra]} - {"sapper"} | {"click"}
    assert needed <= names
    assert names & {"pytest", "numpy", "sphinx", "matplotlib"} == set()


def test_what_the_containers_run_are_commands_with_options_that_there_are() -> None:
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("compose.yaml", "Dockerfile")]
    commands = [
        match[1].replace('"', "").split(", ")
        for text in texts
        for match in re.finditer(r"\[\"?(sapper\"?, [^\]]*)\]", text)
    ]
    assert {words[1] for words in commands} == {"web", "serve"}
    for _, name, *words in commands:
        command = import_module(COMMANDS[name].module).command
        command.make_context(name, words)  # raises where an option is none


def test_the_secrets_of_compose_are_not_committed() -> None:
    assert ".env" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "!.env" not in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()


def test_the_fragments_make_a_section_of_the_changelog() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "## 9.9.9 (" in done.stdout
    for path in (ROOT / "changelog.d").glob("[a-z]*.*.md"):
        assert path.read_text(encoding="utf-8").split("\n")[0][:60] in done.stdout


def test_the_page_on_architecture_has_the_layers_that_are_checked() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = [line[:32].strip() for line in text.split("```")[1].splitlines() if line.strip()]
    (contract,) = [one for one in PROJECT["tool"]["importlinter"]["contracts"] if one["id"] == "layers"]
    rooms = [{name.strip() for name in layer.split("|")} for layer in contract["layers"]]
    assert [{name.strip() for name in layer.split("|")} for layer in drawn] == rooms
