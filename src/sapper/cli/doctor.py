"""`sapper doctor`: versions, whether the native library works, and what is missing."""

import json
import os
import platform
from importlib import metadata
from typing import Any

import click

from sapper._kernels import library_file, loading
from sapper.cli.exits import EXTRAS, ExitCode, distribution_of
from sapper.cli.options import json_option
from sapper.config.configuration import load
from sapper.errors import ConfigError


@click.command("doctor", epilog="Example: sapper doctor --json")
@json_option
def command(as_json: bool) -> ExitCode:
    """Show versions, whether the native library works, and what is missing.

    Exit code 1 if something that is installed does not work, or the configuration is broken.
    """
    wrong = None
    try:
        load()
    except ConfigError as error:
        wrong = " ".join(str(error).split())
    report = _examine(configuration=wrong)
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo("\n".join(_lines(report)))
    is_broken = report["problem"] is not None and library_file.is_installed()
    return ExitCode.NO if is_broken or wrong is not None else ExitCode.DONE


def _examine(*, configuration: str | None) -> dict[str, Any]:
    """What is found: versions (None for what is not installed), what is missing by extra, what analyses boards, what is wrong."""
    extras = {distribution_of(module): extra for module, extra in EXTRAS.items()}
    packages = {name: _version(name) for name in sorted(extras)}
    missing: dict[str, list[str]] = {}
    for name, version in packages.items():
        if version is None:
            missing.setdefault(extras[name], []).append(name)
    return {
        "sapper": metadata.version("sapper"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "packages": packages,
        "missing": missing,
        "backend": "native" if loading.is_native() else "reference",
        "problem": loading.absence(),
        "configuration": configuration,
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _lines(report: dict[str, Any]) -> list[str]:
    lines = [
        f"sapper {report['sapper']}, {report['python']}, {report['system']}, {report['processors']} processors",
        "packages: "
        + ", ".join(f"{name} {version or 'not installed'}" for name, version in report["packages"].items()),
    ]
    if report["problem"] is None:
        lines.append("the native library is used")
    else:
        lines.append(
            f"Python is used instead of the native library, many times slower, without playouts: {report['problem']}"
        )
    lines += [
        f"missing: {', '.join(names)}: pip install '.[{extra}]' in the clone of sapper"
        for extra, names in report["missing"].items()
    ]
    if report["configuration"] is not None:
        lines.append(f"the configuration has an error, so commands that need it do not run: {report['configuration']}")
    return lines
