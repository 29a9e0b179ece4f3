#!/usr/bin/env python3
"""Whether what `pyproject.toml` says of installing is true: `python scripts/packaging.py [small] [extras] [lowest] [pythons] [sdist]`.

    small    what takes about a minute: no extra, pictures, web (which brings the store), each alone; the source distribution
             has its tests, they can be imported, and some pass; the files that the image is built from make a wheel
    extras   the wheel with each extra alone, in an environment of its own: the commands that the extra is for run
    lowest   the lowest versions that are claimed, all extras together: every command starts, and a part of the tests passes
    pythons  each Python that is claimed and found (on PATH, of pyenv, of uv, which fetches one): the native library works there
    sdist    all the tests of the source distribution, in the environment that its own test.sh makes

Without names: small. Packages come from the package index that pip (or uv, where it is on
PATH) is set up for. What cannot be tried here (no such Python) is said, and is no failure.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
UV = shutil.which("uv")

RUN = """
import subprocess, sys
def run(*options): return subprocess.run([sys.executable, '-m', 'sapper', *options], check=True, capture_output=True, text=True).stdout
"""
SERVE = """
import subprocess, sys
def serve(*options):
    with subprocess.Popen([sys.executable, '-m', 'sapper', *options], stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        server.terminate()
        assert server.wait(20) == 0 and 'Serving' in line, (line, server.returncode)
"""
KEPT = """
import json, subprocess, sys
sapper = [sys.executable, '-m', 'sapper']
subprocess.run([*sapper, 'play', '--lines'], input='reveal e5\\nquit\\n', text=True, check=True)
stats = subprocess.run([*sapper, 'stats', '--json'], check=True, capture_output=True, text=True).stdout
assert json.loads(stats)['played'] == 1, stats
"""
COMMANDS: dict[str, Sequence[Sequence[str]]] = {
    "": (
        ("sapper", "generate", "--size", "9x9", "--mines", "10", "--seed", "1"),
        ("sapper", "bot", "--seed", "1", "--quiet"),
        ("sapper", "simulate", "--preset", "beginner", "--strategy", "single", "--games", "5", "--seed", "1"),
        ("sapper", "connect", "--help"),
        ("python", "-c", f"{SERVE}serve('serve', '--port', '0', '--no-record')"),
        ("sapper", "doctor"),
    ),
    "pictures": (
        ("python", "-c", "import resvg_py"),
        ("sapper", "bot", "--seed", "1", "--quiet", "--picture", "end.png"),
    ),
    "plots": (
        (
            "python",
            "-c",
            f"{RUN}open('layouts.json', 'w').write(run(*'generate --size 9x9 --mines 10 --count 5 --json'.split()))",
        ),
        ("sapper", "simulate", "plot", "layouts.json", "--out", "plot.svg"),
    ),
    "store": (("sapper", "stats"), ("sapper", "store", "check")),
    "metrics": (
        (
            "python",
            "-c",
            f"{SERVE}import os; os.environ['SAPPER_SERVER_METRICS'] = '127.0.0.1:0'; serve('serve', '--port', '0', '--no-record')",
        ),
    ),
    "config": (("sapper", "config", "set", "server.port", "9998"), ("sapper", "config")),
    "web": (("python", "-c", f"{SERVE}serve('web', '--port', '0')"),),
    "tui": (("python", "-c", "import textual, sapper.tui.app"), ("python", "-c", KEPT)),
    "replays": (("sapper", "replay", "--help"), ("python", "-c", "import ms_toollib")),
    "rl": (("python", "-c", "import gymnasium, numpy"),),
    "data": (("python", "-c", "import pyarrow"),),
    "cluster": (("python", "-c", "import distributed"),),
}
"""What each extra is for; without one, what Click alone does."""
SMALL = ("", "pictures", "web")
QUICK = (
    "tests/core",
    "tests/game",
    "tests/cli/test_options.py",
    "tests/cli/test_generate.py",
    "tests/net/test_server.py",
)
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
TEST_TOOLS = ("pytest", "pytest-xdist", "pytest-cov", "hypothesis", "httpx", "pyte")


class Fault(Exception):  # noqa: N818 - it is ours alone
    """Something that is claimed is not so."""


def run(command: Sequence[str | Path], *, folder: Path, seconds: float = 1800, path: Path | None = None) -> None:
    """Run a command where nothing of this checkout or of the user's settings is seen; `Fault` with its last lines.

    `path` is a folder that Python is to import from first.
    """
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    environment = {
        name: value for name, value in os.environ.items() if name not in hidden and not name.startswith("SAPPER_")
    }
    environment |= {name: str(folder) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    environment |= {} if path is None else {"PYTHONPATH": str(path)}
    shown = " ".join(str(part) for part in command)
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Fault(f"{shown}\n  took more than {seconds:.0f} s") from None
    if done.returncode:
        raise Fault(
            f"{shown}\n  exit code {done.returncode}\n"
            + "\n".join(f"  {line}" for line in done.stdout.splitlines()[-12:])
        )


class Environment:
    """A fresh virtual environment in a folder."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        folder.parent.mkdir(parents=True, exist_ok=True)
        run(
            [UV, "venv", "--quiet", "--python", python, folder] if UV else [python, "-m", "venv", folder],
            folder=folder.parent,
        )

    def install(self, *what: str | Path) -> None:
        """Install with dependencies."""
        python = self.bin / "python"
        how: Sequence[str | Path] = (UV, "pip", "install", "--quiet", "--python", python) if UV else (
            python, "-m", "pip", "install", "-qq", "--disable-pip-version-check",
        )  # fmt: skip
        run([*how, *what], folder=self.folder)

    def run(self, *command: str, folder: Path | None = None) -> None:
        """Run a program of this environment."""
        run([self.bin / command[0], *command[1:]], folder=folder or self.folder)


class Dist(NamedTuple):
    """What a release consists of."""

    wheel: Path
    source: Path


def build(folder: Path) -> Dist:
    """The wheel and the source distribution."""
    run([sys.executable, "-m", "hatchling", "build", "-d", folder], folder=ROOT)
    return Dist(next(folder.glob("*.whl")), next(folder.glob("*.tar.gz")))


def extras(folder: Path, dist: Dist) -> None:
    """Each extra alone."""
    claimed = set(project()["optional-dependencies"]) - {"all"}
    if claimed != set(COMMANDS) - {""}:
        raise Fault(
            f"COMMANDS of this script and the extras of pyproject.toml differ: {claimed ^ (set(COMMANDS) - {''})}"
        )
    each(COMMANDS, lambda extra: one_extra(folder, dist.wheel, extra))


def small(folder: Path, dist: Dist) -> None:
    """The extras that come in some seconds each, and the start of the source distribution's tests."""
    each(SMALL, lambda extra: one_extra(folder, dist.wheel, extra))
    sdist_starts(folder, dist)
    image_builds(folder)


def one_extra(folder: Path, wheel: Path, extra: str) -> None:
    """One extra alone."""
    environment = Environment(folder / (extra or "base"))
    environment.install(f"{wheel}[{extra}]" if extra else wheel)
    for command in COMMANDS[extra]:
        environment.run(*command)
    shutil.rmtree(environment.folder)


def lowest(folder: Path, dist: Dist) -> None:
    """The lowest versions that are claimed."""
    environment = Environment(folder / "lowest")
    floors = folder / "lowest.txt"
    floors.write_text("".join(f"{name}=={version}\n" for name, version in claimed_floors()), encoding="utf-8")
    environment.install("-c", floors, f"{dist.wheel}[all]", *TEST_TOOLS)
    for extra, commands in COMMANDS.items():
        each(commands, lambda command: environment.run(*command), of=extra)
    source = unpacked(folder / "lowest-source", dist.source)
    environment.run("python", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *QUICK, folder=source)


def claimed_floors() -> list[tuple[str, str]]:
    """Packages and the lowest versions that `pyproject.toml` claims."""
    table: dict[str, Any] = project()
    claims = [*table["dependencies"], *(one for extra in table["optional-dependencies"].values() for one in extra)]
    found = (re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", claim) for claim in claims)
    return sorted({(match[1], match[2]) for match in found if match})


def pythons(folder: Path, dist: Dist) -> None:
    """Each Python that is claimed."""
    for version in PYTHONS:
        python = interpreter(version)
        if python is None:
            print(f"  Python {version}: not tried, there is none here")
            continue
        environment = Environment(folder / f"python{version}", python)
        environment.install(f"{dist.wheel}[all]")
        for command in (*COMMANDS[""], *COMMANDS["web"], *COMMANDS["store"]):
            environment.run(*command)
        print(f"  Python {version}: fine", flush=True)


def interpreter(version: str) -> str | None:
    """A Python of that version that runs, or None."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    check = f"import sys; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')"
    for name in (sys.executable, f"python{version}", *map(str, pyenv.glob(f"{version}.*/bin/python"))):
        found = shutil.which(name)
        if found and not subprocess.run([found, "-c", check], capture_output=True, check=False).returncode:
            return found
    if UV is None:
        return None
    subprocess.run([UV, "python", "install", "--quiet", version], capture_output=True, check=False)
    told = subprocess.run([UV, "python", "find", version], capture_output=True, text=True, check=False)
    return None if told.returncode else told.stdout.strip()


def sdist_starts(folder: Path, dist: Dist) -> None:
    """The tests of the source distribution can be imported, and some pass, with its code and the packages that are here."""
    source = unpacked(folder / "sdist-starts", dist.source)
    code = source / "src"
    run([sys.executable, "scripts/native.py"], folder=source)
    where = f"import sapper; assert sapper.__file__.startswith({str(code)!r}), sapper.__file__"
    run([sys.executable, "-c", where], folder=source, path=code)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run([*pytest, "--collect-only"], folder=source, path=code)
    run(
        [*pytest, *QUICK, "tests/test_init.py", "tests/test_house.py", "tests/test_project.py"],
        folder=source,
        path=code,
    )
    print("  tests of the source distribution: they start", flush=True)


def image_builds(folder: Path) -> None:
    """The files that the Dockerfile copies, and no others, make a wheel with the native library."""
    copied = folder / "image"
    copied.mkdir()
    for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for name in line.split()[1:-1]:
                if (ROOT / name).is_dir():
                    skipped = shutil.ignore_patterns("__pycache__", "*.so", "*.dylib", "*.dll")
                    shutil.copytree(ROOT / name, copied / name, ignore=skipped)
                else:
                    shutil.copy(ROOT / name, copied)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", copied / "wheels"], folder=copied)
    with zipfile.ZipFile(next((copied / "wheels").iterdir())) as archive:
        if not any(name.startswith("sapper/_kernels/native/sapper-") for name in archive.namelist()):
            raise Fault("the wheel of the image has no native library")
    print("  the files of the image: they make a wheel", flush=True)


def sdist(folder: Path, dist: Dist) -> None:
    """All tests of the source distribution, as whoever unpacks it runs them."""
    run(["./test.sh", "-q"], folder=unpacked(folder / "sdist", dist.source), seconds=3600)


def unpacked(folder: Path, sdist: Path) -> Path:
    """The folder that a source distribution has in it."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


def project() -> dict[str, dict[str, list[str]]]:
    """The table of the project."""
    table: dict[str, dict[str, list[str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return table


def each(what: Iterable[Any], check: Callable[[Any], None], of: str = "") -> None:
    """Check all of them, and say of each how it went; `Fault` if any failed."""
    failed = 0
    for one in what:
        name = " ".join(" ".join(one).split())[:100] if isinstance(one, tuple) else str(one) or "no extra"
        try:
            check(one)
        except Fault as fault:
            failed += 1
            print(f"  {of or ''} {name}: {fault}".replace("   ", "  "), flush=True)
        else:
            print(f"  {of or ''} {name}: fine".replace("   ", "  "), flush=True)
    if failed:
        raise Fault(f"{failed} failed")


CHECKS = {"small": small, "extras": extras, "lowest": lowest, "pythons": pythons, "sdist": sdist}


def main(names: Sequence[str]) -> int:
    """Build, and check what is named."""
    if unknown := set(names) - set(CHECKS):
        print(f"packaging: no check {', '.join(sorted(unknown))}: there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dist = build(folder / "dist")
        for check in names or ("small",):
            print(f"{check}:", flush=True)
            try:
                CHECKS[check](folder, dist)
            except Fault as fault:
                failed = True
                print(f"  failed: {fault}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
