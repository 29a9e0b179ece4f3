"""A whole game judged: `review_game`."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.move import Action
from sapper.core.record import Record, TimedMove
from sapper.core.rules import Start
from sapper.core.status import Status
from sapper.core.words import counted
from sapper.generator.game_code import fresh_board
from sapper.review.judging import SAMPLES, Judge
from sapper.review.values import GameReview, MoveReview, MoveVerdict
from sapper.solver.analysis import DEFAULT_CAP


def review_game(
    record: Record,
    *,
    protected_first: bool = False,
    cap: int = DEFAULT_CAP,
    deep: bool = False,
    samples: int = SAMPLES,
    seed: int = 0,
) -> GameReview:
    """Judge each move of a game by what could be known before it; docs/review.md has the definitions.

    `protected_first` says that the first reveal could meet no mine whatever the record's rules say: recordings of other
    programs have their layout from the start, though those programs protect it. `cap` is the work that
    the analysis of a board may take; harder boards get the verdict `UNKNOWN`, unless something is certain. The last move of a
    shortened record (`Record.left_out`) gets it too.
    `deep` makes more chances exact, and takes many times as long; guesses whose chances are estimates all the same are played on
    with `samples` layouts each, drawn by `seed` (`MoveReview.sampled`).
    """
    check_type("record", record, Record)
    judge = Judge(cap=cap, deep=deep, samples=samples, seed=seed)
    return GameReview(record=record, moves=tuple(_reviews(judge, record, protected_first=protected_first)))


def iterate_reviews(record: Record, *, protected_first: bool = False, cap: int = DEFAULT_CAP) -> Iterator[MoveReview]:
    """The same, a move at a time as they are asked for."""
    return _reviews(Judge(cap=cap), record, protected_first=protected_first)


def _reviews(judge: Judge, record: Record, *, protected_first: bool) -> Iterator[MoveReview]:
    boards = _boards(record, protected_first=protected_first)
    judged = len(record.judged)
    for number, (one, (before, after)) in enumerate(zip(record.played, pairwise(boards), strict=True), 1):
        yield judge.review(number, before, one, after) if number <= judged else _unknown(number, one, record)


def _unknown(number: int, one: TimedMove, record: Record) -> MoveReview:
    """The last move of a shortened record: the board before it is not known, so nothing is said of it."""
    if one.move.action is Action.TERMINATE:
        return MoveReview(number=number, at=one.at, move=one.move, verdict=MoveVerdict.NOTHING)
    return MoveReview(
        number=number,
        at=one.at,
        move=one.move,
        verdict=MoveVerdict.UNKNOWN,
        survived=one.update.status is not Status.LOST,
        why=f"the record leaves out {counted(record.left_out, 'move')} before it",
    )


def _boards(record: Record, *, protected_first: bool) -> Iterator[Board]:
    fresh = fresh_board(record)
    if protected_first and record.rules.start is Start.ANY:
        fresh = replace(fresh, rules=record.rules.replace(start=Start.SAFE))
    return record.boards(fresh)
