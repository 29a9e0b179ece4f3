"""One setting: its name, its possible values, its default and its purpose."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sapper.errors import ConfigError

KeyTable = Mapping[str, tuple[str, ...]]
"""Keys of a keyboard by the action that they are for."""
Value = str | int | float | bool | tuple[str, ...] | KeyTable
"""What a setting can be. The type of its default is its type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The declaration of a setting, in one place."""

    key: str
    """`section.name`, as in a TOML table."""
    default: Value
    help: str
    """What it is for, in one sentence."""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    environment: str = ""
    """The variable that sets it, if it is not `SAPPER_` and the key."""
    is_secret: bool = False
    """True if lists and reports must hide it."""
    is_url: bool = False
    """True if it is a URL, which may have a password in it."""

    @property
    def variable(self) -> str:
        return self.environment or f"SAPPER_{self.key.upper().replace('.', '_')}"

    @property
    def wanted(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        match self.default:
            case str():
                return "text"
            case tuple():
                return "a list of texts"
            case Mapping():
                return f'a table of keys by action, as {next(iter(self.default))} = ["x"]; actions are {", ".join(self.default)}'
            case bool():
                return "true or false"
            case int() | float():
                kind = "a whole number" if isinstance(self.default, int) else "a number"
                if self.least is None:
                    return kind
                return (
                    f"{kind} from {self.least} on" if self.most is None else f"{kind} from {self.least} to {self.most}"
                )

    def check(self, value: object) -> Value:
        """The value, if it can be one; else `ConfigError`: what it should be, and what it is."""
        for text in (value,) if isinstance(value, str) else value if isinstance(value, list | tuple) else ():
            if isinstance(text, str) and "\0" in text:
                raise ConfigError(f"{self.key} is {self.wanted}; a text cannot contain NUL")
            if isinstance(text, str) and not _is_utf8(text):
                raise ConfigError(f"{self.key} is {self.wanted}; {shown(text)} is not UTF-8 text")
        found = self._typed(value)
        if found is None or (isinstance(found, str) and self.choices and found not in self.choices):
            raise ConfigError(f"{self.key} is {self.wanted}, not {self.shown(value)}")
        if isinstance(found, int | float) and not isinstance(found, bool):
            high = math.inf if self.most is None else self.most
            if self.least is not None and not self.least <= found <= high:
                raise ConfigError(f"{self.key} is {self.wanted}, not {shown(value)}")
        return found

    def _typed(self, value: object) -> Value | None:
        match self.default:
            case str():
                return value if isinstance(value, str) else None
            case tuple():
                items = value if isinstance(value, list | tuple) else ()
                return tuple(items) if items and all(isinstance(item, str) and item for item in items) else None
            case Mapping():
                return self._keys(value, self.default) if isinstance(value, Mapping) and value else None
            case bool():
                return value if isinstance(value, bool) else None
            case int():
                return value if type(value) is int else None
            case float():
                try:
                    number = float(value) if type(value) in (int, float) else math.nan  # type: ignore[arg-type]  # it is one
                except OverflowError:
                    return None
                return number if math.isfinite(number) else None

    def _keys(self, value: Mapping[object, object], default: KeyTable) -> KeyTable:
        """Those actions of a table that it names; `ConfigError` for one that does not exist, or has no keys."""
        found = {}
        for action, keys in value.items():
            if not isinstance(action, str) or action not in default:
                raise ConfigError(f"{self.key} has no action {action!r}; there are {', '.join(default)}")
            if not isinstance(keys, list | tuple) or not keys or not all(isinstance(key, str) and key for key in keys):
                raise ConfigError(f"{self.key}.{action} is a list of texts, not {shown(keys)}")
            found[action] = tuple(keys)
        return found

    def parse(self, text: str) -> Value:
        """The value that a text says, as in the environment and on a command line: lists have commas between, as in a,b, and tables
        semicolons, as in undo=z,u;redo=y.
        """
        value: object = text
        if isinstance(self.default, Mapping):
            pairs = [part.partition("=") for part in text.split(";")]
            value = {action.strip(): [key.strip() for key in keys.split(",")] for action, _, keys in pairs}
        elif isinstance(self.default, tuple):
            value = [item.strip() for item in text.split(",")]
        elif isinstance(self.default, bool):
            value = {"true": True, "false": False}.get(text.strip().lower(), text)
        elif not isinstance(self.default, str):
            try:
                value = int(text) if isinstance(self.default, int) else float(text)
            except ValueError:
                raise ConfigError(f"{self.key} is {self.wanted}, not {shown(text)}") from None
        return self.check(value)

    def shown(self, value: object) -> str:
        """A value as TOML would have it, cut where it is long, what is secret of it masked."""
        return shown(self.masked(value))

    def masked(self, value: object) -> object:
        """The value for people's eyes: a secret is stars, a URL has stars for its password."""
        if self.is_secret and value:
            return MASK
        return masked_url(value) if self.is_url and isinstance(value, str) else value


MASK = "****"
"""What is shown in place of a secret, however long it is."""

_PASSWORD = re.compile(r"(://[^/?#]*?:)[^/?#]*(?=@)")
_PASSWORDS_OF_QUERY = re.compile(r"([?&;][^=&;#]*password[^=&;#]*=)[^&;#]*", re.IGNORECASE)


def masked_url(url: str) -> str:
    """A URL with stars in place of its passwords.

    >>> masked_url("postgresql://ann:pa:ss@host/db?sslpassword=x&a=b")
    'postgresql://ann:****@host/db?sslpassword=****&a=b'
    """
    return _PASSWORDS_OF_QUERY.sub(rf"\1{MASK}", _PASSWORD.sub(rf"\1{MASK}", url))


def _is_utf8(text: str) -> bool:
    """True if a text can be encoded; one from the command line may hold invalid bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(value: object) -> str:
    """A value as TOML would have it, cut where it is long.

    >>> shown(("w", "up")), shown("a")
    ('["w", "up"]', '"a"')
    """
    text = json.dumps(dict(value) if isinstance(value, Mapping) else value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."
