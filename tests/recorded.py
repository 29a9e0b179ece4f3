"""Records that are played again: they must lead to what was recorded, whoever wrote them."""

from itertools import islice

from sapper.core.cells import CellSet
from sapper.core.move import Action
from sapper.core.record import Record
from sapper.core.rules import Start
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.store.models import StoredGame


def check_record(record: Record) -> None:
    """Every move, played through the engine on the record's layout, gives its update and its board."""
    mines = record.mines if record.mines is not None else CellSet.of(range(record.mine_count))
    source = FixedLayout(Layout(record.grid, mines))
    referee = Referee(rules=record.rules.replace(start=Start.ANY), source=source)
    boards = islice(record.boards(), 1, None)
    for one, board in zip(record.played, boards, strict=True):
        if one.update.is_empty and one.move.action is not Action.TERMINATE:
            continue  # a click that changed nothing
        assert referee.play(one.move) == one.update
        assert (referee.board.tiles, referee.status) == (board.tiles, board.status)
    assert referee.status is record.status
    assert Record.from_json(record.to_json()) == record


def check_stored(game: StoredGame) -> Record:
    """The same of a game of the store: the record has its result and its time."""
    assert game.record is not None
    record = Record.from_json(game.record)
    check_record(record)
    assert record.status.value == game.result.value
    assert record.played
    assert game.time_ms in (None, record.played[-1].at)
    return record
