"""Where configuration files lie.

`SAPPER_CONFIG` in the environment names one file in place of all of them (which must be there); the null device is none, so that
tests and scripts do not depend on the machine. Only the current folder's own `sapper.toml` is a project's file: a folder above
may be anybody's (`/tmp`).
"""

import os
import sys
from collections.abc import Mapping
from enum import Enum, unique
from pathlib import Path
from typing import NamedTuple

FILE = "config.toml"
PROJECT_FILE = "sapper.toml"
ONE_FILE = "SAPPER_CONFIG"


@unique
class ConfigFileKind(Enum):
    """A kind of origin, from what gives way to what prevails."""

    DEFAULT = "default"
    SYSTEM = "system file"
    USER = "user file"
    PROJECT = "project file"
    ONE_FILE = "SAPPER_CONFIG"
    ENVIRONMENT = "environment"
    COMMAND_LINE = "command line"


class ConfigFile(NamedTuple):
    """A file that is read, if it is there."""

    kind: ConfigFileKind
    path: Path


def places(environ: Mapping[str, str], folder: Path) -> list[ConfigFile]:
    """The files, those that give way first."""
    chosen = environ.get(ONE_FILE)
    if chosen:
        return [] if chosen == os.devnull else [ConfigFile(ConfigFileKind.ONE_FILE, Path(chosen))]
    return [
        ConfigFile(ConfigFileKind.SYSTEM, system_file(environ)),
        ConfigFile(ConfigFileKind.USER, user_file(environ)),
        ConfigFile(ConfigFileKind.PROJECT, folder / PROJECT_FILE),
    ]


def user_file(environ: Mapping[str, str]) -> Path:
    home = Path(environ.get("HOME") or Path.home())
    if sys.platform == "darwin":
        return home / "Library/Application Support/sapper" / FILE
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData/Local") / "sapper" / FILE
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "sapper" / FILE


def system_file(environ: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path("/Library/Application Support/sapper") / FILE
    if sys.platform == "win32":
        return Path(environ.get("PROGRAMDATA") or "C:/ProgramData") / "sapper" / FILE
    return Path((environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")[0]) / "sapper" / FILE
