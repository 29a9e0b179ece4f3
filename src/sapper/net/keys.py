"""Keys of the terminal client: bytes of a keyboard in, keys out.

Knows: which key means what, letters in either case; how terminals send arrow keys.
Does not know: terminals, packets' bytes.
"""

import re
from enum import Enum, unique
from types import MappingProxyType
from typing import Final

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
_ARROWS: Final = MappingProxyType({b"A": Key.UP, b"B": Key.DOWN, b"C": Key.RIGHT, b"D": Key.LEFT})

# ESC [ … final (CSI) or ESC O final (SS3); modifiers (Shift and the like) are parameters of the former.
_WHOLE: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*([@-~])|O([@-~]))|([^\x1b])|\x1b(?![\[O])", re.DOTALL)
_LONGEST: Final = 32
"""Bytes of the longest sequence that is waited for: a keyboard's are shorter."""


class KeyReader:
    """Takes bytes as they come, gives keys. What means nothing is passed over."""

    __slots__ = ("_pending",)

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[Key]:
        """The keys that these bytes complete."""
        text = self._pending + data
        keys = []
        position = 0
        while match := _WHOLE.match(text, position):
            if match.end() == len(text) and match[0] == b"\x1b":
                break  # the rest of an arrow key may be still on its way
            position = match.end()
            arrow, arrow3, plain = match.groups()
            key = _PLAIN.get(plain.lower()) if plain else _ARROWS.get(arrow or arrow3 or b"")
            if key is not None:
                keys.append(key)
        self._pending = text[position:] if len(text) - position < _LONGEST else b""
        return keys
