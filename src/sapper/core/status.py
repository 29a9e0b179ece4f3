"""How a game stands."""

from enum import Enum, unique


@unique
class Status(Enum):
    """How a game stands: ready → playing → won, lost or terminated."""

    READY = "ready"
    """Nothing has been changed yet."""
    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    TERMINATED = "terminated"
    """Given up by the player; played and not won."""

    ended: bool
    """True if nothing can be played any more."""

    @property
    def code(self) -> int:
        """A number of one byte, for kernels and formats: its place in the order above."""
        return _CODES[self]

    @property
    def words(self) -> str:
        """For people: `given up`, where formats say `terminated`."""
        return "given up" if self is Status.TERMINATED else self.value


for _status in Status:
    # A value of the member, where a property would be a call: each move of a game asks for it a dozen times.
    _status.ended = _status in (Status.WON, Status.LOST, Status.TERMINATED)
_CODES = {status: code for code, status in enumerate(Status)}
