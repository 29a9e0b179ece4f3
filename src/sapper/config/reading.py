"""What a configuration file says, checked against the declarations; an error names file, line, key and what would be right."""

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sapper.config.setting import Value
from sapper.config.settings import SECTIONS, SETTINGS, TABLES, hint, nearest
from sapper.errors import ConfigError

MOST_BYTES = 1 << 20
"""No configuration is longer; what has no end (a device) must not be read forever."""

MOST_DOTS = 32
"""No key has more parts: TOML's readers take time and memory that grow with the square of their number."""
MOST_DIGITS = 300
"""No number has more: neither does one that a float can hold, and Python refuses to read very long ones."""

_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'[^']*'""")
_LONG_NUMBER = re.compile(rf"(?<![\w.-])[+-]?[0-9]\w{{{MOST_DIGITS},}}")
_TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_AT = re.compile(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)


class Said(NamedTuple):
    """A value, and the line of the file that says it."""

    value: Value
    line: int


def check_regular(path: Path) -> None:
    """`ConfigError` for what is there and is no regular file: opening a pipe would wait for whoever writes to it, perhaps forever.

    The null device is as good as an empty file: a link to it is how a file is switched off.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(found.st_mode) and not os.path.samestat(found, os.stat(os.devnull)):  # noqa: PTH116
        what = _KINDS.get(stat.S_IFMT(found.st_mode), "no regular file")
        raise ConfigError(
            f"{path}: settings are read from a regular file, and this is {what}: move it away or correct it"
        )


_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


def read_file(path: Path, *, any_kind: bool = False, warn: Callable[[str], None] = lambda _: None) -> dict[str, Said]:
    """What a file says; nothing if it is not there. `ConfigError` for what it cannot say.

    `any_kind` reads pipes and devices too: for one that somebody has named, and did not just leave lying about.
    """
    if not any_kind:
        check_regular(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    if len(data) > MOST_BYTES:
        raise ConfigError(f"{path}: longer than {MOST_BYTES:,} bytes, the limit of a configuration")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}:{line}: this is not UTF-8 text: byte {data[error.start]:#04x}") from None
    return read_text(text, source=str(path), warn=warn)


def read_text(text: str, *, source: str, warn: Callable[[str], None] = lambda _: None) -> dict[str, Said]:
    """What a text says, by key. `ConfigError` as above; `warn` is told of each key that is no setting, which has no effect."""
    import tomllib  # noqa: PLC0415  # only where there is a file: most commands find none

    check_readable(text, source=source)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _AT.match(str(error))
        line = int(match[2]) if match and match[2] else text.count("\n") + 1
        raise ConfigError(f"{source}:{line}: not valid TOML: {match[1] if match else error}") from None
    except ValueError as error:  # a date that is none, or whatever else a reader of values meets
        raise ConfigError(f"{source}: not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{source}: this is nested too deep") from None
    said: dict[str, Said] = {}
    for key, value in _flat(document, ()):
        line = line_of(text, key)
        name = ".".join(key)
        if (table := ".".join(key[:-1])) in TABLES:
            name = table
        setting = SETTINGS.get(name)
        if setting is None:
            warn(f"{source}:{line}: {_unknown(name, value)}")
            continue
        actions = setting.default
        if isinstance(actions, Mapping) and name == table and key[-1] not in actions:
            warn(f"{source}:{line}: {name} has no action {key[-1]!r}; {nearest(key[-1], actions)}")
            continue
        try:
            checked = setting.check({key[-1]: value} if name == table else value)
            if isinstance(checked, Mapping) and name in said:
                before = said[name]
                assert isinstance(before.value, Mapping)
                said[name] = Said({**before.value, **checked}, before.line)
            else:
                said[name] = Said(checked, line)
        except ConfigError as error:
            raise ConfigError(f"{source}:{line}: {error}") from None
    return said


def check_readable(text: str, *, source: str) -> None:
    """`ConfigError` for what no reader of TOML should be given: a key of very many parts, a very long number."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) <= MOST_DOTS:
            continue
        bare, _, _ = _QUOTED.sub('""', line).partition("#")
        if bare.count(".") > MOST_DOTS:
            raise ConfigError(f"{source}:{number}: this key has too many parts: settings have three at most")
        if _LONG_NUMBER.search(bare):
            raise ConfigError(f"{source}:{number}: a number here has at most {MOST_DIGITS} digits")


def _unknown(name: str, value: object) -> str:
    if name in SECTIONS | TABLES:
        return f"{name!r} is a table, [{name}], not a value"
    if isinstance(value, dict):
        return f"no table [{name}]; there are {', '.join(f'[{section}]' for section in sorted(SECTIONS))}"
    return f"no setting {name!r}; {hint(name)}"


def _flat(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The values of a document with their keys; what should be a table of settings is gone into."""
    for name, value in table.items():
        key = (*above, name)
        if isinstance(value, dict) and ".".join(key) in SECTIONS | TABLES:
            yield from _flat(value, key)
        else:
            yield key, value


def line_of(text: str, key: tuple[str, ...]) -> int:
    r"""The line, from 1, where a document says a key, or the innermost table around it.

    >>> line_of("# hello\n[server]\nport = 1\n", ("server", "port"))
    3
    """
    table: tuple[str, ...] = ()
    best, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := _TABLE.match(line):
            table = found = _parts(header[1])
        elif pair := _KEY.match(line):
            found = (*table, *_parts(pair[1]))
        else:
            continue
        if found == key[: len(found)] and len(found) > depth:
            best, depth = number, len(found)
    return best


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(text))
