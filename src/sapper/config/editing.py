"""Changes a configuration file, and leaves the rest of it as it is: comments, order, blank lines."""

import contextlib
import os
import tempfile
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError

from sapper.config.configuration import check_regular
from sapper.config.setting import Value
from sapper.config.settings import find_setting
from sapper.errors import ConfigError


def set_value(path: Path, key: str, value: Value) -> None:
    """Write a setting into a file, which is made if it is not there. `ConfigError` if the value cannot be, or the file is no TOML."""
    value = find_setting(key).check(value)
    document = _read(path)
    *tables, name = key.split(".")
    table: MutableMapping[str, Any] = document
    for part in tables:
        if part not in table:
            table[part] = tomlkit.table(is_super_table=part != tables[-1])
        table = table[part]
        if not isinstance(table, MutableMapping):
            raise ConfigError(f"{path}: {part!r} is a value there, not a table: correct it first")
    if isinstance(value, Mapping):
        if not isinstance(table.setdefault(name, tomlkit.table()), MutableMapping):
            raise ConfigError(f"{path}: {key!r} is a value there, not a table: correct it first")
        for action, keys in value.items():
            table[name][action] = list(keys)
    else:
        table[name] = list(value) if isinstance(value, tuple) else value
    _write(path, document)


def unset(path: Path, key: str) -> bool:
    """Take a setting out of a file; whether it was there. Any key can be taken out, a wrong one too."""
    document = _read(path)
    *tables, name = key.split(".")
    table: Any = document
    for part in tables:
        table = table.get(part) if isinstance(table, MutableMapping) else None
    if not isinstance(table, MutableMapping) or name not in table:
        return False
    del table[name]
    _write(path, document)
    return True


def _read(path: Path) -> tomlkit.TOMLDocument:
    check_regular(path)
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return tomlkit.document()
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: this is not UTF-8 text") from None
    except (ParseError, ValueError) as error:
        raise ConfigError(f"{path}: not valid TOML, correct it first: {error}") from None


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    """Replace the file atomically. An `OSError` names the file that was meant."""
    path.resolve().parent.mkdir(parents=True, exist_ok=True)
    try:
        _replace(path.resolve(), tomlkit.dumps(document))  # a link to a file of settings stays a link
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _replace(target: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".sapper-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
