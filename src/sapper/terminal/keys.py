"""Keys of the terminal client: bytes of a keyboard in, keys out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, unique
from types import MappingProxyType
from typing import Final

from sapper.errors import ConfigError
from sapper.net.packets import PacketType


@unique
class Key(Enum):
    """What a key is for."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    REVEAL = "reveal"
    MARK = "mark"
    NEW_GAME = "new game"
    QUIT = "quit"
    DEBUG = "debug"
    REDRAW = "redraw"
    """Ctrl-L, as everywhere: draw the screen again."""


PACKETS: Final = MappingProxyType(
    {
        Key.LEFT: PacketType.MOVE_LEFT,
        Key.RIGHT: PacketType.MOVE_RIGHT,
        Key.UP: PacketType.MOVE_UP,
        Key.DOWN: PacketType.MOVE_DOWN,
        Key.REVEAL: PacketType.REVEAL,
        Key.MARK: PacketType.TOGGLE_BOMB_MARK,
        Key.DEBUG: PacketType.TOGGLE_DEBUG_MODE,
    }
)
"""The packets without a payload that keys send."""

HELP: Final = "WASD/arrows move, ENTER reveals, SPACE marks, TAB new game, X quits"

_PLAIN: Final = MappingProxyType(
    {
        b"w": Key.UP, b"a": Key.LEFT, b"s": Key.DOWN, b"d": Key.RIGHT,
        b"\t": Key.NEW_GAME, b" ": Key.MARK, b"\r": Key.REVEAL, b"\n": Key.REVEAL,
        b"x": Key.QUIT, b"#": Key.DEBUG, b"\x0c": Key.REDRAW,
    }
)  # fmt: skip
_NAMES: Final = MappingProxyType({"space": b" ", "tab": b"\t"})
_ALWAYS: Final = MappingProxyType({b"\x0c": Key.REDRAW})
_ARROWS: Final = MappingProxyType({b"A": Key.UP, b"B": Key.DOWN, b"C": Key.RIGHT, b"D": Key.LEFT})

# ESC [ … final (CSI) or ESC O final (SS3); modifiers (Shift and the like) are parameters of the former.
_WHOLE: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*([@-~])|O([@-~]))|([^\x1b])|\x1b(?![\[O])", re.DOTALL)
_LONGEST: Final = 32
"""Bytes of the longest sequence that is waited for: a keyboard's are shorter."""


def bind(names: Mapping[Key, Iterable[str]]) -> Mapping[bytes, Key]:
    """What each byte means: each key by its characters, or `enter`, `space` and `tab`. Arrows and Ctrl-L stay what they are.

    `ConfigError` for a name that is no key of a keyboard, or one that is to mean two things.
    """
    bound = dict(_ALWAYS)
    for key, of_key in names.items():
        for name in of_key:
            for byte in _bytes_of(name):
                if bound.setdefault(byte, key) is not key:
                    raise ConfigError(f"the key {name!r} cannot mean both {bound[byte].value} and {key.value}")
    return MappingProxyType(bound)


def _bytes_of(name: str) -> tuple[bytes, ...]:
    if name.lower() == "enter":
        return b"\r", b"\n"
    code = _NAMES.get(name.lower())
    if code is None:
        if not (len(name) == 1 and name.isascii() and name.isprintable()):
            raise ConfigError(f"a key is one character of ASCII, enter, space or tab, not {name!r}")
        code = name.lower().encode()
    return (code,)


def help_line(names: Mapping[Key, Sequence[str]]) -> str:
    words = {Key.REVEAL: "reveals", Key.MARK: "marks", Key.NEW_GAME: "new game", Key.QUIT: "quits"}
    moves = "".join(names[key][0].upper() for key in (Key.UP, Key.LEFT, Key.DOWN, Key.RIGHT))
    return ", ".join([f"{moves}/arrows move", *(f"{names[key][0].upper()} {word}" for key, word in words.items())])


class KeyReader:
    """Takes bytes as they come, gives keys. What means nothing is passed over."""

    __slots__ = ("_bound", "_pending")

    def __init__(self, bound: Mapping[bytes, Key] = _PLAIN) -> None:
        """`bound` says what bytes other than arrows mean (`bind`), letters in lower case."""
        self._bound = bound
        self._pending = b""

    def feed(self, data: bytes) -> list[Key]:
        text = self._pending + data
        keys = []
        position = 0
        while match := _WHOLE.match(text, position):
            if match.end() == len(text) and match[0] == b"\x1b":
                break  # the rest of an arrow key may be still on its way
            position = match.end()
            arrow, arrow3, plain = match.groups()
            key = self._bound.get(plain.lower()) if plain else _ARROWS.get(arrow or arrow3 or b"")
            if key is not None:
                keys.append(key)
        self._pending = text[position:] if len(text) - position < _LONGEST else b""
        return keys
