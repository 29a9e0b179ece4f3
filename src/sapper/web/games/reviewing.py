"""What worker processes do with games that have ended: read records and recordings, judge their moves. All of it is answered as JSON.

Whatever is read here may have been made by anyone: the memory of the process is bounded while it is, and what takes too long is stopped
by the pool.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Action
from sapper.core.notation import write_tiles
from sapper.core.record import Record
from sapper.core.record_binary import SIGNATURE, read_record, record_pieces
from sapper.core.tile import UNMARKED
from sapper.errors import RequestError, SapperError, TooHardError
from sapper.metrics.game import measure_game
from sapper.replay.reading import format_of, read_recording
from sapper.replay.replaying import replay
from sapper.review.judging import iterate_reviews
from sapper.review.values import GameReview, MoveReview, MoveVerdict
from sapper.session.clock import system_clock
from sapper.session.kinds import preset_of
from sapper.solver.analysis import analyse
from sapper.solver.deduce.explain import next_step
from sapper.web.games.messages import CellChance, GuessReason, HintStep, RulesData, place, places, runs_data, write_json
from sapper.web.games.played_bodies import (
    FinishedGameData,
    GameVerdicts,
    JudgedMove,
    PlayedMove,
    ReviewedRecording,
    WrongPosition,
    WrongPositions,
)
from sapper.web.games.reasons import even_data, guess_of, shown, step_data

CAP: Final = 50_000
"""States that the analysis of one board of a game may take."""
REVIEW_TIME: Final = 8_000
"""Milliseconds that the moves of one game are judged for; those that are left then have no verdict."""
PRACTICE_TIME: Final = 4_000
"""Milliseconds that games are looked through for positions that went wrong."""
MOST_POSITIONS: Final = 12
"""Positions of one answer."""
MOST_MEMORY: Final = 512 * 1024 * 1024
"""Bytes more than it has that the process may take while it reads what somebody has sent."""
LONGEST_RECORD: Final = 4_000_000
"""Characters of a record."""


class GameFacts(NamedTuple):
    """What the store knows of a game besides its moves."""

    game: str
    preset: str | None
    no_guess: bool
    time: int | None
    ended: int
    assisted: bool
    own: bool
    shared: bool
    hidden: bool
    bbbv: int | None
    solved_bbbv: int | None
    clicks: int | None


def played_json(text: str, facts: GameFacts) -> bytes:
    """A `FinishedGameData` of a record."""
    record = Record.from_json(text)
    return write_json(_played(record, **facts._asdict(), player=None, format=None))


def review_json(text: str) -> bytes:
    """The `GameVerdicts` of a record."""
    return write_json(_judged(Record.from_json(text)))


def recording_json(data: bytes, name: str, most_cells: int) -> bytes:
    """The `ReviewedRecording` of a file: a recording of any program, or a record of ours. `RequestError` (`bad-request`) for what is none.

    The answer has the mines: whoever has the file has them too.
    """
    with _bounded_memory():
        try:
            game = _read_recording(data, name, most_cells)
        except MemoryError:
            raise RequestError("bad-request", "this recording takes too much memory to read") from None
        except SapperError as error:
            raise RequestError("bad-request", str(error)) from None
        return write_json(game)


def _read_recording(data: bytes, name: str, most_cells: int) -> ReviewedRecording:
    facts: dict[str, Any] = dict.fromkeys(("game", "ended", "code"))
    facts |= {"assisted": False, "own": True, "shared": False, "hidden": False, "no_guess": False}
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        lines = [line for line in data.decode("utf-8-sig", errors="replace").split("\n") if line.strip()]
        if len(lines[0]) > LONGEST_RECORD:
            raise RequestError("bad-request", f"a record has at most {LONGEST_RECORD:,} characters here")
        record = Record.from_json(lines[0])
    elif data.startswith(SIGNATURE):
        record = read_record(record_pieces(data)[0])
        if len(record.to_json()) > LONGEST_RECORD:
            raise RequestError("bad-request", f"a record has at most {LONGEST_RECORD:,} characters of JSON here")
    else:
        found = replay(read_recording(data, name=name))
        if not found.is_trusted:
            raise RequestError("bad-request", f"{found.told_differences}: this is not the game that was recorded")
        record = found.record
        facts |= {
            "format": format_of(data, name), "player": found.recording.player or None, "time": found.milliseconds,
            "clicks": found.clicks,
        }  # fmt: skip
    if not record.played:
        raise RequestError("bad-request", "there is no move in this recording")
    if "format" not in facts:
        facts |= {"format": "sapper", "player": None, "time": record.played[-1].at}
    grid = record.grid
    if grid.size > most_cells:
        raise RequestError("bad-request", f"a board here has at most {most_cells} cells, not {grid.size}")
    facts["preset"] = preset_of(record.rules, grid, record.mine_count)
    if record.mines is not None:
        numbers = measure_game(record)
        facts |= {
            "bbbv": numbers.bbbv,
            "solved_bbbv": numbers.solved_bbbv,
            "clicks": facts.get("clicks", numbers.clicks),
        }
    else:
        facts |= {"bbbv": None, "solved_bbbv": None, "clicks": facts.get("clicks")}
    return ReviewedRecording(game=_played(record, **facts), review=_judged(record))


def _played(record: Record, *, hidden: bool, preset: str | None, **facts: Any) -> FinishedGameData:
    grid = record.grid
    size = f"{grid.width}×{grid.height}, {record.mine_count} mine{'' if record.mine_count == 1 else 's'}"
    return FinishedGameData(
        title=size if preset is None else preset.capitalize(),
        preset=preset,
        rules=RulesData.of(record.rules),
        width=grid.width,
        height=grid.height,
        mine_count=record.mine_count,
        status=record.status,
        hidden=hidden,
        moves=[
            PlayedMove(
                at=one.at,
                action=one.move.action.name.lower(),
                cell=place(grid, one.move.cell),
                status=one.update.status,
                runs=runs_data(one.update),
            )
            for one in record.played
        ],
        mined=None if hidden or record.mines is None else places(grid, record.mines),
        # Numbers of the whole board tell of cells that were not seen.
        **facts | {"code": record.code} | (dict.fromkeys(("code", "bbbv", "solved_bbbv")) if hidden else {}),
    )


# --- judging ------------------------------------------------------------------------------------------


def judged_moves(record: Record, *, hear: Callable[[MoveReview], None] = lambda _: None) -> GameReview:
    """The review of a game, as far as there is time for it; `hear` gets each move with its proof."""
    end = system_clock() + REVIEW_TIME
    moves: list[MoveReview] = []
    for one in iterate_reviews(record, cap=CAP):
        hear(one)
        moves.append(replace(one, proof=(), chance=None))
        if system_clock() >= end:
            break
    return GameReview(record=record, moves=tuple(moves))


def _judged(record: Record) -> GameVerdicts:
    told: list[JudgedMove] = []
    review = judged_moves(record, hear=lambda one: told.append(_judged_move(record, one)))
    turn = review.turning_point
    forced = review.count(MoveVerdict.RIGHT_GUESS, MoveVerdict.WRONG_GUESS)
    return GameVerdicts(
        moves=told,
        complete=len(review.moves) == len(record.played),
        win_first=review.win_first,
        win_last=review.win_last,
        cost=review.cost,
        luck=review.luck,
        accuracy=None if review.accuracy is None else min(review.accuracy, 1.0),
        survival=review.survival,
        guesses=len(review.guesses),
        forced=forced,
        needless=len(review.guesses) - forced,
        survived=review.survived,
        expected_survived=review.expected_survived,
        mistakes=len(review.mistakes),
        turning_point=None if turn is None else turn.number,
    )


def _judged_move(record: Record, one: MoveReview) -> JudgedMove:
    grid = record.grid
    is_chord = one.move.action is Action.CHORD
    return JudgedMove(
        verdict=one.verdict.value,
        survived=one.survived,
        risk=one.risk,
        least_risk=one.least_risk,
        win_before=one.win_before,
        win_by_move=one.win_by_move,
        win_after=one.win_after,
        exact=one.exact,
        best=None if one.best is None else place(grid, one.best),
        safe=places(grid, one.safe),
        proof=[step_data(grid, step) for step in one.proof],
        guess=_guess(one),
        chorded_mines=places(grid, one.mines) if is_chord else [],
        chorded_guesses=places(grid, one.gambles) if is_chord else [],
        kaboom=one.kaboom,
        left_out=record.left_out if one.number > len(record.judged) else 0,
    )


def _guess(one: MoveReview) -> GuessReason | None:
    """Why another guess was better, or this one right; None where something was certain."""
    if one.chance is None or one.proof or one.verdict not in (MoveVerdict.RIGHT_GUESS, MoveVerdict.WRONG_GUESS):
        return None
    best = one.chance.best
    if one.verdict is MoveVerdict.WRONG_GUESS or (best is not None and best.cell == one.move.cell):
        return guess_of(one.chance)
    return GuessReason(kind="equal", risk=one.risk, even=even_data(one.chance))


def wrong_positions_json(games: list[tuple[str, str]]) -> bytes:
    """`WrongPositions` of games, each its name and its record: as many as there are, or there is time for."""
    end = system_clock() + PRACTICE_TIME
    found: list[WrongPosition] = []
    looked, last = 0, None
    for name, text in games:
        looked, last = looked + 1, name
        found += _wrong_positions(name, Record.from_json(text), end)
        if len(found) >= MOST_POSITIONS or system_clock() >= end:
            break
    after = last if looked < len(games) else None
    return write_json(WrongPositions(positions=found, games=looked, after=after))


def _wrong_positions(name: str, record: Record, end: int) -> Iterator[WrongPosition]:
    grid = record.grid
    for one, before in zip(iterate_reviews(record, cap=CAP), record.boards(), strict=False):
        wrong = one.verdict in (MoveVerdict.NEEDLESS_GUESS, MoveVerdict.CERTAIN_MINE, MoveVerdict.WRONG_GUESS)
        lesson = _lesson(before) if wrong and one.move.action is Action.REVEAL else None
        if lesson is not None and one.move.cell not in lesson.right:
            yield WrongPosition(
                game=name,
                move=one.number,
                width=grid.width,
                height=grid.height,
                mine_count=record.mine_count,
                board=_rows(before),
                chosen=place(grid, one.move.cell),
                verdict=one.verdict.value,
                right=places(grid, lesson.right),
                steps=lesson.steps,
                chances=lesson.chances,
            )
        if system_clock() >= end:
            return


class _Lesson(NamedTuple):
    """What is right on a board, and why; the chance of each covered cell to be a mine."""

    right: list[Cell]
    steps: list[HintStep]
    chances: list[CellChance]


def _lesson(before: Board) -> _Lesson | None:
    """What there is to learn from a board; None where it is too hard, or nothing is right."""
    board = replace(before, tiles=before.tiles.translate(UNMARKED))
    try:
        analysis = analyse(board, cap=CAP)
        steps = next_step(board, cap=CAP)
    except TooHardError:
        return None
    right = list(analysis.safe)
    if not right and steps and steps[-1].chance is not None:
        right = list(steps[-1].chance.level)
    chances = [(*place(board.grid, cell), shown(risk)) for cell, risk in analysis.risks().items()]
    return _Lesson(right, [step_data(board.grid, step) for step in steps], chances) if right else None


def _rows(board: Board) -> list[str]:
    """The board without what its player thought of it."""
    plain, width = replace(board, tiles=board.tiles.translate(UNMARKED)), board.grid.width
    text = write_tiles(plain.tiles)
    return [text[start : start + width] for start in range(0, len(text), width)]


# --- memory -------------------------------------------------------------------------------------------


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Let the process take no more than `MOST_MEMORY` besides what it has; a bound only where the system knows one."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        yield
        return
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


def _address_space() -> int:
    """Bytes that the process has in its address space now."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * 4096
    except OSError:
        return 1 << 31
