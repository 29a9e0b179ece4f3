"""`sapper doctor`: versions, which backend plays, what is missing, and what compiling costs.

Knows: the packages that extras bring, where compiled kernels are kept.
Does not know: what anybody does with them.
"""

import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

import click

from sapper._kernels import batch, loading
from sapper.cli.compile_progress import compiling_told
from sapper.cli.defaults import defaults_of
from sapper.cli.exits import EXTRAS, ExitCode, distribution_of
from sapper.core.grid import Grid
from sapper.errors import ConfigError
from sapper.solver.strategies.registry import COMPILED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compiled:
    """The kernels of one strategy."""

    strategy: str
    kept: bool
    """Whether they had been compiled before."""
    seconds: float | None
    """How long loading or compiling them took; None if that was not tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """All that is found."""

    sapper: str
    python: str
    system: str
    processors: int | None
    packages: dict[str, str | None]
    """The packages of the extras and their versions; None where one is not installed."""
    missing: dict[str, list[str]]
    """By extra, what of it is not installed."""
    backend: str
    """What plays many games: `jit` or `python`."""
    problem: str | None
    """Why the compiled kernels do not work though their packages are there."""
    configuration: str | None
    """What is wrong with the configuration, if something is."""
    cache_folder: str | None
    cache_bytes: int | None
    kernels: list[_Compiled]


@click.command("doctor", epilog="Example: sapper doctor --compile")
@click.option(
    "--compile",
    "do_compile",
    is_flag=True,
    help="Load all kernels that play games, compile those that are not kept, and say how long it took.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(do_compile: bool, as_json: bool) -> ExitCode:  # fmt: skip
    """Say which versions there are, which backend plays, what is missing and what it costs.

    Exit code 1 if something that is installed does not work, or the configuration is broken.
    """
    wrong = None
    try:
        defaults_of("doctor")  # it may say where compiled kernels are kept
    except ConfigError as error:
        wrong = " ".join(str(error).split())
    report = _examine(do_compile=do_compile, configuration=wrong)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        click.echo("\n".join(_lines(report)))
    return ExitCode.DONE if report.problem is report.configuration is None else ExitCode.NO


def _examine(*, do_compile: bool, configuration: str | None) -> _Report:
    extras = {distribution_of(module): extra for module, extra in EXTRAS.items()}
    packages = {name: _version(name) for name in sorted(extras)}
    missing: dict[str, list[str]] = {}
    for name, version in packages.items():
        if version is None:
            missing.setdefault(extras[name], []).append(name)
    problem = None
    folder = None
    kernels: list[_Compiled] = []
    if batch.can_compile():
        try:
            folder = Path(batch.folder_of_cache())
            with compiling_told(sys.stderr):
                kernels = [_compiled(strategy, do_compile=do_compile) for strategy in COMPILED]
        except Exception as error:  # noqa: BLE001  # whatever is wrong with other people's packages is what is asked for
            problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
        problem = loading.failure() or problem  # the cause comes before what came of it
    return _Report(
        sapper=metadata.version("sapper"),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=f"{platform.system()} {platform.machine()}",
        processors=_processors(),
        packages=packages,
        missing=missing,
        backend="jit" if batch.can_compile() and problem is None else "python",
        problem=problem,
        configuration=configuration,
        cache_folder=None if folder is None else str(folder),
        cache_bytes=None if folder is None else _size(folder),
        kernels=kernels,
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processors() -> int | None:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _compiled(strategy: str, *, do_compile: bool) -> _Compiled:
    kept = batch.is_kept(strategy)
    if not do_compile:
        return _Compiled(strategy=strategy, kept=kept, seconds=None)
    starts, cells = Grid(2, 2).table
    series = batch.Series(starts=starts, cells=cells, width=2, mine_counts=(1,), start=0, first=0, seed=0)
    began = time.perf_counter()
    if batch.is_ready(strategy):
        batch.make_player(strategy, series).play(0, 1)
    return _Compiled(strategy=strategy, kept=kept, seconds=time.perf_counter() - began)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _lines(report: _Report) -> list[str]:
    lines = [
        f"sapper {report.sapper}, {report.python}, {report.system}, {report.processors} processors",
        "packages: " + ", ".join(f"{name} {version or 'not installed'}" for name, version in report.packages.items()),
    ]
    if report.backend == "jit":
        lines.append(
            "many games are played by compiled kernels (jit); one board is analysed by Python, which is quick enough"
        )
    else:
        lines.append("many games are played by Python, far slower than by compiled kernels")
    lines += [
        f"missing: {', '.join(names)}; it comes with: pip install 'sapper[{extra}]'"
        for extra, names in report.missing.items()
    ]
    if report.configuration is not None:
        lines.append(f"the configuration is broken, and commands that need it refuse to run: {report.configuration}")
    if report.problem is not None:
        lines.append(f"the compiled kernels do not work: {report.problem}")
    for one in report.kernels:
        state = "compiled" if one.kept else "not compiled yet"
        took = "" if one.seconds is None else f"; {'loading' if one.kept else 'compiling'} took {one.seconds:.1f} s"
        lines.append(f"kernels of strategy {one.strategy}: {state}{took}")
    if report.cache_folder is not None:
        lines.append(f"cache: {report.cache_folder}, {(report.cache_bytes or 0) / 1e6:.1f} MB")
    if report.kernels and not all(one.kept or one.seconds is not None for one in report.kernels):
        lines.append(
            "what is not compiled yet is when it is first needed: up to half a minute (now: sapper doctor --compile)"
        )
    return lines
