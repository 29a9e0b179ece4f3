"""The configuration: for each setting the value that prevails, and where it comes from.

Defaults give way to the system's file, that to the user's, that to the project's, that to the environment, that to the
command line. What each of them says is kept apart, so that origins can be told.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sapper.config.setting import Value
from sapper.config.settings import SECTIONS, SETTINGS, find_setting, hint, nearest
from sapper.errors import ConfigError
from sapper.solver.advisor import Advisor

FILE = "config.toml"
PROJECT_FILE = "sapper.toml"
ONE_FILE = "SAPPER_CONFIG"
"""The variable that names one file in place of all; the null device is none, so that tests do not depend on the machine."""

MOST_BYTES = 1 << 20
"""No configuration is longer; what has no end (a device) must not be read forever."""

_OWN = frozenset({
    "SAPPER_CONFIG", "SAPPER_DEBUG", "SAPPER_PYTHON", "SAPPER_DB_PASSWORD", "SAPPER_PHRASE", "SAPPER_CHROMIUM",
    "SAPPER_WRITE_PICTURES",
})  # fmt: skip
"""Variables of sapper, its scripts, compose.yaml and its tests that are no settings."""


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


def config_files(environ: Mapping[str, str], folder: Path) -> dict[ConfigFileKind, Path]:
    """The files that are read if they are there; later ones prevail. Only the current folder's own `sapper.toml` is a project's file: a
    folder above may be anybody's (`/tmp`).
    """
    chosen = environ.get(ONE_FILE)
    if chosen:
        return {} if chosen == os.devnull else {ConfigFileKind.ONE_FILE: Path(chosen)}
    return {
        ConfigFileKind.SYSTEM: system_file(environ),
        ConfigFileKind.USER: user_file(environ),
        ConfigFileKind.PROJECT: folder / PROJECT_FILE,
    }


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


class Origin(NamedTuple):
    """Where a value comes from."""

    kind: ConfigFileKind
    where: str
    """The file, the variable, or nothing."""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.where}" if self.where else self.kind.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What one origin says."""

    kind: ConfigFileKind
    source: str
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """All that is said, in layers: later ones prevail."""

    layers: tuple[Layer, ...] = ()

    def value(self, key: str) -> Value:
        """The value of a setting; `ConfigError` if there is no such setting."""
        setting = find_setting(key)
        if isinstance(setting.default, Mapping):
            return self.keys(key)
        layer = self._layer(key)
        return setting.default if layer is None else layer.values[key]

    def origin(self, key: str) -> Origin:
        find_setting(key)
        layer = self._layer(key)
        if layer is None:
            return Origin(ConfigFileKind.DEFAULT, "")
        is_variable = layer.kind is ConfigFileKind.ENVIRONMENT
        return Origin(layer.kind, SETTINGS[key].variable if is_variable else layer.source)

    def text(self, key: str) -> str:
        value = self.value(key)
        assert isinstance(value, str), key
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.value(key)
        assert isinstance(value, tuple), key
        return value

    def keys(self, key: str) -> dict[str, tuple[str, ...]]:
        """The keys of each action: each layer changes those actions that it names."""
        default = find_setting(key).default
        assert isinstance(default, Mapping), key
        found = dict(default)
        for layer in self.layers:
            said = layer.values.get(key, {})
            assert isinstance(said, Mapping)
            found |= said
        return found

    def whole(self, key: str) -> int:
        value = self.value(key)
        assert type(value) is int, key
        return value

    def number(self, key: str) -> float:
        value = self.value(key)
        assert type(value) in (int, float), key
        return float(value)  # type: ignore[arg-type]  # it is one

    def switch(self, key: str) -> bool:
        value = self.value(key)
        assert isinstance(value, bool), key
        return value

    @property
    def advisor(self) -> Advisor:
        return Advisor(strategy=self.text("advice.strategy"), seconds=self.number("advice.time"))  # type: ignore[arg-type]  # it is one of its choices

    def _layer(self, key: str) -> Layer | None:
        return next((layer for layer in reversed(self.layers) if key in layer.values), None)


def load(
    environ: Mapping[str, str] | None = None, folder: Path | None = None, *, options: Mapping[str, Value] | None = None
) -> Configuration:
    """What files, environment and options say. `ConfigError` for the first value that is wrong; keys that are no settings are warned of."""
    if environ is None:
        environ = os.environ
    layers = []
    for kind, path in config_files(environ, folder or Path()).items():
        values = read_file(path, any_kind=kind is ConfigFileKind.ONE_FILE, warn=_warn)
        if not values and kind is ConfigFileKind.ONE_FILE and not path.exists():
            raise ConfigError(f"SAPPER_CONFIG names {path}, which does not exist")
        if values:
            layers.append(Layer(kind=kind, source=str(path), values=values))
    if values := dict(_of_environment(environ)):
        layers.append(Layer(kind=ConfigFileKind.ENVIRONMENT, source="", values=values))
    if options:
        checked = {key: find_setting(key).check(value) for key, value in options.items()}
        layers.append(Layer(kind=ConfigFileKind.COMMAND_LINE, source="", values=checked))
    return Configuration(layers=tuple(layers))


@cache
def _warn(line: str) -> None:
    """Say on stderr that a key has no effect, once a process: the file may be meant for a newer sapper."""
    sys.stderr.write(f"sapper: warning: {line}\n")


def _of_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, Value]]:
    variables = {setting.variable: setting for setting in SETTINGS.values()}
    for name, text in environ.items():
        if not name.startswith("SAPPER_") or name in _OWN or name.startswith("SAPPER_TEST") or not text:
            continue
        setting = variables.get(name)
        if setting is not None:
            try:
                yield setting.key, setting.parse(text)
            except ConfigError as error:
                raise ConfigError(f"environment variable {name}: {error}") from None
        else:
            key = name.removeprefix("SAPPER_").lower().replace("_", ".", 1)
            if key in SETTINGS:
                raise ConfigError(f"environment variable {name}: the variable of {key} is {SETTINGS[key].variable}")
            _warn(f"environment variable {name}: no setting {key!r}; {hint(key)}")


# --- files ------------------------------------------------------------------------------------------------


def check_regular(path: Path) -> None:
    """`ConfigError` for what is there and is no regular file: opening a pipe might wait forever.

    The null device is as good as an empty file: a link to it is how a file is switched off.
    """
    if path.exists() and not path.is_file() and not path.samefile(os.devnull):
        raise ConfigError(
            f"{path}: settings are read from a regular file, and this is none: move it away or correct it"
        )


def read_file(path: Path, *, any_kind: bool = False, warn: Callable[[str], None] = lambda _: None) -> dict[str, Value]:
    """What a file says, by key; nothing if it is not there. `ConfigError` for what it cannot say.

    `any_kind` reads pipes and devices too: for one that somebody has named, and did not just leave lying about.
    `warn` is told of each key that is no setting, which has no effect.
    """
    if not any_kind:
        check_regular(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    import tomllib  # noqa: PLC0415  # only where there is a file: most commands find none

    if len(data) > MOST_BYTES:
        raise ConfigError(f"{path}: longer than {MOST_BYTES:,} bytes, the limit of a configuration")
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}: this is not UTF-8 text: byte {data[error.start]:#04x} (at line {line})") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    try:
        return dict(_checked(document, lambda line: warn(f"{path}: {line}")))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _checked(document: Mapping[str, Any], warn: Callable[[str], None]) -> Iterator[tuple[str, Value]]:
    for name, value in _flat(document, ""):
        setting = SETTINGS.get(name)
        if setting is None:
            warn(_unknown(name, value))
            continue
        if isinstance(setting.default, Mapping) and isinstance(value, dict):
            for action in [one for one in value if one not in setting.default]:
                warn(f"{name} has no action {action!r}; {nearest(action, setting.default)}")
            known = {action: keys for action, keys in value.items() if action in setting.default}
            if known:
                yield name, setting.check(known)
            continue
        yield name, setting.check(value)


def _unknown(name: str, value: object) -> str:
    if name in SECTIONS:
        return f"{name!r} is a table, [{name}], not a value"
    if isinstance(value, dict):
        return f"no table [{name}]; there are {', '.join(f'[{section}]' for section in sorted(SECTIONS))}"
    return f"no setting {name!r}; {hint(name)}"


def _flat(table: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    """The values of a document with their keys; what should be a table of settings is gone into."""
    for name, value in table.items():
        key = f"{above}{name}"
        if isinstance(value, dict) and key in SECTIONS:
            yield from _flat(value, f"{key}.")
        else:
            yield key, value
