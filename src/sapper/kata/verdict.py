"""Red or green: what came of running an item of the kata's document."""

from dataclasses import dataclass

from sapper.errors import SapperError
from sapper.kata.document import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why an item is red."""

    line: int
    reason: str
    expected: str | None = None
    got: str | None = None


class NotMetError(SapperError, ValueError):
    """What an item says is not so."""

    def __init__(self, reason: str, *, line: int, expected: str | None = None, got: str | None = None) -> None:
        self.fault = Fault(line=line, reason=reason, expected=expected, got=got)
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An item and what came of it."""

    item: Item
    runs: int = 0
    """On how many layouts, or in how many games, it was run."""
    told: tuple[str, ...] = ()
    """What was played, a text of one or more lines each: of the first run, if there were several."""
    fault: Fault | None = None

    @property
    def is_green(self) -> bool:
        return self.fault is None
