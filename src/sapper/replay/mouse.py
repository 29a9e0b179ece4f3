"""From presses and releases of mouse buttons to clicks, chords and flags.

As in the programs that are ranked by: a left click counts on release, where the mouse is then; a right click on the press. Both buttons held and one
released is a chord, also when the left one went down first (the 1.5-click: the chord saves a click); the other one's release then does nothing. A drag is a press
in one cell and a release in another: the release counts, and is a click outside of the board, too. The middle button chords on release, Shift and the left button do, too.

Impossible sequences are in real recordings (a press without a release, as when the window lost the mouse): they are taken as what the newest event says.
"""

from enum import Enum, unique

from sapper.core.mouse_path import MouseAction


@unique
class Click(Enum):
    """The meaning of a mouse event."""

    LEFT = "left"
    RIGHT = "right"
    CHORD = "chord"
    PREFLAG = "preflag"


class Mouse:
    """The buttons of a mouse."""

    __slots__ = ("_chorded", "_is_chording", "_left", "_right", "_shift")

    def __init__(self) -> None:
        self._left = self._right = self._shift = False
        self._is_chording = False
        """Both buttons are down, and neither was released since."""
        self._chorded = False
        """A chord was made, and the left button is still down: its release does nothing."""

    def take(self, action: MouseAction) -> Click | None:
        """The meaning of an event; None if it means nothing by itself."""
        match action:
            case MouseAction.LEFT_DOWN | MouseAction.RIGHT_DOWN | MouseAction.BOTH_DOWN | MouseAction.SHIFT_DOWN:
                return self._press(action)
            case MouseAction.LEFT_UP:
                return self._release_left()
            case MouseAction.RIGHT_UP:
                is_chord, self._right = self._is_chording, False
                self._is_chording = False
                self._chorded = self._chorded or is_chord
                return Click.CHORD if is_chord else None
            case MouseAction.MIDDLE_UP:
                return Click.CHORD
            case MouseAction.PREFLAG:
                return Click.PREFLAG
            case _:
                return None

    def _press(self, action: MouseAction) -> Click | None:
        was_free = not (self._left or self._right)
        if action is MouseAction.SHIFT_DOWN:
            self._left = self._shift = True
        elif action is MouseAction.BOTH_DOWN:
            self._left = self._right = True
        elif action is MouseAction.LEFT_DOWN:
            self._left = True
        else:
            self._right = True
        if self._left and self._right:
            self._is_chording = True
        return Click.RIGHT if action is MouseAction.RIGHT_DOWN and was_free else None

    def _release_left(self) -> Click | None:
        was_down, self._left = self._left, False
        is_chord = self._is_chording or self._shift
        is_after_chord = self._chorded
        self._is_chording = self._chorded = self._shift = False
        if is_chord:
            return Click.CHORD
        return Click.LEFT if was_down and not is_after_chord and not self._right else None
