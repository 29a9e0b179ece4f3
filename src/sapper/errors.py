"""Every error that sapper raises on purpose.

All share one root, `SapperError`, and each is also the builtin that fits it, so that
`except ValueError` does what a reader expects. A message is one line: what was wrong, and what
would be right.
"""

from collections.abc import Iterable
from enum import Enum, unique


class SapperError(Exception):
    """The root of all errors raised on purpose. Each can be pickled: a simulation's come from other processes."""

    def __reduce__(self) -> tuple[object, ...]:
        # Exception's own way calls the class with the finished message, which not every one here takes.
        return (_restore, (type(self), self.args, self.__dict__))


def _restore(kind: type[SapperError], args: tuple[object, ...], values: dict[str, object]) -> SapperError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


# --- wrong values ---------------------------------------------------------------------------


class ArgumentError(SapperError, TypeError):
    """A value of a wrong type; the message says what would be right."""


class InvalidValueError(SapperError, ValueError):
    """An impossible value: a size, rules, a seed or chance out of range, an update of another board."""


class CellError(SapperError, IndexError):
    """A cell that is not on the grid."""


class LayoutError(SapperError, ValueError):
    """An impossible layout: more mines than cells, a mine off the grid, a start rule that cannot hold, or what a layout source may not give."""


class RecordError(SapperError, ValueError):
    """A record, a recording, a saved game or the file of a run that cannot be read, or that contradicts itself."""


class ConfigError(SapperError, ValueError):
    """A setting that does not exist, or a value that it cannot have; the message says where it came from. Keys of a keyboard too."""


class UnknownNameError(SapperError, LookupError):
    """A name that is in no registry; the message lists those that are."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        super().__init__(f"unknown {kind} {name!r}; known are: {', '.join(self.known)}")


class NotationError(SapperError, ValueError):
    """Text or bytes that cannot be read; `message` does not say where.

    `line` and `column` count from 1. In bytes `offset` says where, from 0; it is None for text.
    """

    def __init__(
        self, message: str, *, source: str = "<text>", line: int = 1, column: int = 1, offset: int | None = None
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.offset = offset
        super().__init__(f"{source}:{f'{line}:{column}' if offset is None else f' at byte {offset}'}: {message}")


# --- moves that the rules do not allow -------------------------------------------------------


@unique
class MoveFault(Enum):
    """Why a move is illegal."""

    GAME_OVER = "game over"
    FLAGGED = "flagged"
    """The cell has a flag or a question mark, which must be removed first, or has it already."""
    REVEALED = "revealed"
    """The cell is revealed already."""
    COVERED = "covered"
    """The cell is covered, and the move needs a revealed one."""
    NOT_FLAGGED = "not flagged"
    """There is no flag, or no question mark, to remove."""
    CHORD = "chord"
    """The flags do not match the clue, or the chord would reveal nothing."""
    FORBIDDEN = "forbidden"
    """The rules do not have this move."""
    PAUSED = "paused"
    UNDO = "undo"
    """There is nothing to undo or redo."""
    UNFINISHED = "unfinished"
    """Another game of this player has not ended."""


class IllegalMoveError(SapperError, ValueError):
    """A move, or the start of a game, whose pre-condition fails; nothing has changed. `reason` says which pre-condition."""

    def __init__(self, message: str, reason: MoveFault) -> None:
        self.reason = reason
        super().__init__(message)


# --- what a player may not know --------------------------------------------------------------


class AccessError(SapperError, LookupError):
    """Something that the rules do not let a player know now: a clue that is not revealed, the mines of a game that has not ended, or a copy
    of what leads to them.
    """


# --- other people's parts ---------------------------------------------------------------------


class StrategyError(SapperError, RuntimeError):
    """A strategy that broke its contract: it raised, or chose a move that is not legal."""


class StrategyLoadError(StrategyError):
    """A strategy that is not there, or that cannot be loaded."""


# --- the network --------------------------------------------------------------------------------


class PacketError(SapperError, ValueError):
    """Bytes that are no packet of the protocol: the other side's fault."""


class UnavailableError(SapperError, OSError):
    """Something outside this process is not there, refuses or has gone: a server, a port to serve on, a worker process, a terminal."""


# --- the web game ---------------------------------------------------------------------------------


class RequestError(SapperError, ValueError):
    """What a page or a bot asked for and does not get; `code` is the protocol's word for why (docs/web-protocol.md).

    `id` is that of the message, if it could be read.
    """

    def __init__(self, code: str, message: str, *, number: int | None = None) -> None:
        self.code = code
        self.id = number
        super().__init__(message)


# --- the store ------------------------------------------------------------------------------------


class StoreError(SapperError, RuntimeError):
    """A store that cannot be opened, read or written; what is in it stays as it is."""


class NotAStoreError(StoreError):
    """A file or database that holds something else, is damaged, or was written by a newer sapper. It is never overwritten."""


class HeldStoreError(StoreError):
    """Another process has the store, or what is wanted of it, to itself."""

    def __init__(self, message: str, *, holder: str = "another process") -> None:
        """`holder`: which process that is, in words."""
        super().__init__(message)
        self.holder = holder


class SlowStoreError(StoreError):
    """The database did not answer in time."""


class BadChangeError(StoreError):
    """A value that the database can never take, however often it is tried."""


class FullDiskError(StoreError):
    """No room is left for a store or for the files of a run: what was there is kept."""


# --- layouts with wanted properties --------------------------------------------------------------


class NoSuchLayoutError(SapperError, ValueError):
    """A layout that cannot be: every one there is was tried, and none has what is wanted."""


class LayoutNotFoundError(SapperError, RuntimeError):
    """The budget ran out before a layout with what is wanted was found; there may be one.

    `tries` is how many were tried.
    """

    def __init__(self, message: str, *, tries: int = 0) -> None:
        self.tries = tries
        super().__init__(message)


# --- analysis ---------------------------------------------------------------------------------


class ContradictionError(SapperError, ValueError):
    """A board that no layout fits.

    `clues` are cells whose clues cannot all be right, a small set without a superfluous member;
    `mine_count` says whether the number of mines on the board is part of the contradiction.
    """

    def __init__(self, message: str, *, clues: tuple[int, ...] = (), mine_count: bool = False) -> None:
        self.clues = clues
        self.mine_count = mine_count
        super().__init__(message)


class TooHardError(SapperError, RuntimeError):
    """A board that needs more work than the cap allows.

    `cap` is the limit that was reached and `partial` what is exact all the same.
    """

    def __init__(self, message: str, *, cap: int, partial: object = None) -> None:
        self.cap = cap
        self.partial = partial
        super().__init__(message)
