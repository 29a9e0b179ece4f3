"""Runs all items of a kata's document, in its order."""

from collections.abc import Iterable, Iterator

from sapper.errors import NotationError, SapperError, TooHardError
from sapper.kata import scenario, uat
from sapper.kata.document import Fault, Item, ItemKind, NotMetError, Verdict
from sapper.kata.sandbox import Sandbox


def run_items(items: Iterable[Item]) -> Iterator[Verdict]:
    """The verdict on each item, one at a time; `TooHardError` for one that would take forever."""
    thread = _Thread()
    for item in items:
        try:
            yield _run(item, thread)
        except TooHardError as error:
            raise TooHardError(f"{item.name}, line {item.line}: {error}", cap=error.cap) from error
        except NotMetError as error:
            yield Verdict(item=item, fault=error.fault)
        except NotationError as error:
            yield Verdict(item=item, fault=Fault(line=error.line, reason=error.message))
        except SapperError as error:
            yield Verdict(item=item, fault=Fault(line=item.line, reason=str(error)))


def _run(item: Item, thread: "_Thread") -> Verdict:
    if item.fault is not None:
        raise item.fault
    if item.kind is ItemKind.UAT:
        tested = uat.run(item)
        return Verdict(item=item, runs=tested.runs, told=tested.told)
    played = thread.run(item) if item.kind is ItemKind.SCENARIO else scenario.run(item)
    return Verdict(item=item, runs=len(played.games), told=played.told)


class _Thread:
    """The game that the scenarios play: one goes on where the one before stopped, unless that has ended.

    A red scenario does not make the next ones red. Nobody knows then whether the game stands where it stood before,
    where the red one says, or has ended: the next may go on from any of these.
    """

    def __init__(self) -> None:
        self._starts: list[list[Sandbox] | None] = [None]
        """Where the next may start; None is a new game."""

    def run(self, item: Item) -> scenario.ScenarioRun:
        try:
            played = self._play(item)
        except NotMetError:
            self._starts += [None, scenario.games_at(item)]
            raise
        board = played.games[0].board
        is_new = board.status.ended or board.covered_count == board.grid.size
        self._starts = [None if is_new else played.games]
        return played

    def _play(self, item: Item) -> scenario.ScenarioRun:
        first: NotMetError | None = None
        for games in self._starts:
            try:
                return scenario.run(item, games)
            except NotMetError as error:
                first = first or error
        assert first is not None
        raise first
