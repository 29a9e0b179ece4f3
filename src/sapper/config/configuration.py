"""The configuration: for each setting the value that prevails, and where it comes from.

Defaults give way to the system's file, that to the user's, that to the project's, that to the environment, that to the
command line. What each of them says is kept apart, so that origins can be told.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sapper.config.places import ConfigFileKind, places
from sapper.config.reading import Said, read_file
from sapper.config.setting import Value
from sapper.config.settings import SETTINGS, find_setting, hint
from sapper.errors import ConfigError
from sapper.solver.advisor import Advisor

_OWN = frozenset(
    {"SAPPER_CONFIG", "SAPPER_DEBUG", "SAPPER_PYTHON", "SAPPER_DB_PASSWORD", "SAPPER_CHROMIUM", "SAPPER_WRITE_PICTURES"}
)
"""Variables of sapper, its scripts, compose.yaml and its tests that are no settings."""


class Origin(NamedTuple):
    """Where a value comes from."""

    kind: ConfigFileKind
    where: str
    """The file and line, the variable, or nothing."""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.where}" if self.where else self.kind.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What one origin says."""

    kind: ConfigFileKind
    source: str
    values: Mapping[str, Said]


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
        return setting.default if layer is None else layer.values[key].value

    def origin(self, key: str) -> Origin:
        find_setting(key)
        layer = self._layer(key)
        if layer is None:
            return Origin(ConfigFileKind.DEFAULT, "")
        line = layer.values[key].line
        if layer.kind is ConfigFileKind.ENVIRONMENT:
            return Origin(layer.kind, SETTINGS[key].variable)
        return Origin(layer.kind, f"{layer.source}:{line}" if line else layer.source)

    def said(self) -> Iterator[str]:
        """The keys that anything but a default says something about."""
        return (key for key in SETTINGS if self._layer(key) is not None)

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
            said = layer.values[key].value if key in layer.values else {}
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
    for kind, path in places(environ, folder or Path()):
        values = read_file(path, any_kind=kind is ConfigFileKind.ONE_FILE, warn=_warn)
        if not values and kind is ConfigFileKind.ONE_FILE and not path.exists():
            raise ConfigError(f"SAPPER_CONFIG names {path}, which does not exist")
        if values:
            layers.append(Layer(kind=kind, source=str(path), values=values))
    if values := dict(_of_environment(environ)):
        layers.append(Layer(kind=ConfigFileKind.ENVIRONMENT, source="", values=values))
    if options:
        checked = {key: Said(find_setting(key).check(value), 0) for key, value in options.items()}
        layers.append(Layer(kind=ConfigFileKind.COMMAND_LINE, source="", values=checked))
    return Configuration(layers=tuple(layers))


@cache
def _warn(line: str) -> None:
    """Say on stderr that a key has no effect, once a process: a file may be meant for a newer sapper, or be somebody else's."""
    sys.stderr.write(f"sapper: warning: {line}\n")


def _of_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, Said]]:
    variables = {setting.variable: setting for setting in SETTINGS.values()}
    for name, text in environ.items():
        if not name.startswith("SAPPER_") or name in _OWN or name.startswith("SAPPER_TEST") or not text:
            continue
        setting = variables.get(name)
        if setting is not None:
            try:
                yield setting.key, Said(setting.parse(text), 0)
            except ConfigError as error:
                raise ConfigError(f"environment variable {name}: {error}") from None
        else:
            key = name.removeprefix("SAPPER_").lower().replace("_", ".", 1)
            if key in SETTINGS:
                raise ConfigError(f"environment variable {name}: the variable of {key} is {SETTINGS[key].variable}")
            _warn(f"environment variable {name}: no setting {key!r}; {hint(key)}")
