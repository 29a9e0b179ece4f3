"""Mouse events of a game: time, action and place.

A recording has thousands of events, so they are kept as columns; a `MouseEvent` is made when one is asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, unique
from typing import Final, NamedTuple, overload


@unique
class MouseAction(Enum):
    """Kinds of mouse events; the values are the names in the text formats."""

    MOVE = "mv"
    LEFT_DOWN = "lc"
    LEFT_UP = "lr"
    RIGHT_DOWN = "rc"
    RIGHT_UP = "rr"
    MIDDLE_DOWN = "mc"
    MIDDLE_UP = "mr"
    SHIFT_DOWN = "sc"
    """The left button with Shift held, which chords."""
    BOTH_DOWN = "cc"
    """The second of two buttons was pressed; which of them is not recorded."""
    PREFLAG = "pf"
    """A flag that was set before the game began, without its mouse events."""
    MARKS_TOGGLED = "mt"
    """Question marks were switched on or off in the middle of a game."""


ACTIONS: Final = tuple(MouseAction)
"""The actions by their codes, which the columns and the binary form have."""
CODES: Final = {action: code for code, action in enumerate(ACTIONS)}
MOVE: Final = CODES[MouseAction.MOVE]


class MouseEvent(NamedTuple):
    """One event: when, what, and where in pixels from the top left corner of the board.

    A place beyond the right or lower edge means outside of the board.
    """

    at: int
    """Milliseconds on the game's clock."""
    action: MouseAction
    x: int
    y: int


class MousePath(Sequence[MouseEvent]):
    """The events of a game in their order. Equal to any sequence of the same events."""

    __slots__ = ("actions", "times", "xs", "ys")

    def __init__(self, times: Sequence[int], actions: bytes, xs: Sequence[int], ys: Sequence[int]) -> None:
        """Of columns that are equally long and that nobody changes; `actions` has codes (`ACTIONS`)."""
        if not len(times) == len(actions) == len(xs) == len(ys):
            raise ValueError(f"columns of {len(times)}, {len(actions)}, {len(xs)} and {len(ys)} events")
        self.times = times
        self.actions = actions
        self.xs = xs
        self.ys = ys

    @classmethod
    def of(cls, events: Iterable[MouseEvent]) -> "MousePath":
        if isinstance(events, MousePath):
            return events
        listed = list(events)
        actions = bytes(CODES[one.action] for one in listed)
        return cls([one.at for one in listed], actions, [one.x for one in listed], [one.y for one in listed])

    def __len__(self) -> int:
        return len(self.actions)

    @overload
    def __getitem__(self, index: int) -> MouseEvent: ...
    @overload
    def __getitem__(self, index: slice) -> "MousePath": ...
    def __getitem__(self, index: int | slice) -> "MouseEvent | MousePath":
        if isinstance(index, slice):
            return MousePath(self.times[index], self.actions[index], self.xs[index], self.ys[index])
        return MouseEvent(self.times[index], ACTIONS[self.actions[index]], self.xs[index], self.ys[index])

    def __iter__(self) -> Iterator[MouseEvent]:
        named = map(ACTIONS.__getitem__, self.actions)
        return map(MouseEvent, self.times, named, self.xs, self.ys)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MousePath):
            mine, others = (self.times, self.xs, self.ys), (other.times, other.xs, other.ys)
            return self.actions == other.actions and all(
                list(one) == list(two) for one, two in zip(mine, others, strict=True)
            )
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.actions, tuple(self.times[:8])))

    def __repr__(self) -> str:
        return f"<MousePath of {len(self)} events>"
