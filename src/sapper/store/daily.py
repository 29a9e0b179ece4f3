"""The boards of the days, and each player's first attempt at them.

A board is a row: the first that is inserted stays, and none is made again. An attempt is a row too, inserted before its player sees
anything of the board, and ended in the transaction that records its game: what a player is told of it is on the disk.
"""

import json
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, and_, func, or_, select, update

from sapper.generator.game_code import game_of_code
from sapper.store import schema, social_schema
from sapper.store.fair_play import fault_of_game, human_doubt
from sapper.store.held_games import hold_game
from sapper.store.models import DAILY, Category, GameKind, Result, StoredGame, from_ms, to_ms
from sapper.store.writing import RowNumbers, insert_new

if TYPE_CHECKING:
    from sapper.store.repository import Store

SIZES: Final = ("beginner", "intermediate", "expert")
"""The presets that a day has a board of."""
PEOPLE: Final = "people"
BOTS: Final = "bots"
"""Programs have boards and a table of their own."""
TIME_LIMIT: Final = 3_600_000
"""Milliseconds after which an attempt counts no longer."""
EXPERIENCE: Final = 30
"""Ended games of earlier days that a place in the table needs."""
DOUBTED_SHARE: Final = 0.6
"""Of the player's best time on such boards: what is less waits for the operator."""
SECRET: Final = "daily secret"  # noqa: S105  # its name
"""The note with the secret that the boards are drawn from."""

_BOARDS, _ATTEMPTS = social_schema.daily_boards, social_schema.daily_attempts
_NAMES = social_schema.player_names
_A = _ATTEMPTS.c


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardName:
    """Which board of the days."""

    day: str
    """As `2026-11-29`, in UTC."""
    size: str
    audience: str = PEOPLE

    @property
    def kind_name(self) -> str:
        """What its games have in the place of a preset, so that they are compared with each other only."""
        return f"{DAILY}{self.size}"

    @property
    def published(self) -> datetime:
        """When layout, proof and games are shown: after the last attempt that can have begun on the day."""
        return day_of(self.day) + timedelta(days=1, milliseconds=TIME_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBoard:
    """A board that was made."""

    name: BoardName
    code: str
    """Of its layout, with the first cell."""
    proof: str
    """The certificate as JSON (`generator.no_guess`)."""
    difficulty: int
    bbbv: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyAttempt:
    """A player's first attempt at a board."""

    name: BoardName
    game: str
    """The live game's name."""
    begun: datetime
    state: str
    """`open` while it goes on, `counted`, `held` where an operator has to look first, `void` if it does not count."""
    won: bool
    time_ms: int | None
    placed: bool
    """True if its player has played enough for a place in the table."""


def day_of(text: str) -> datetime:
    """When a day begins; `ValueError` for what is none."""
    return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)


def is_sealed(kind: GameKind, played: datetime, now: datetime) -> bool:
    """True for a game of that kind that was played then, if its board is of a day that is not published yet: nothing of it is shown to anybody."""
    return kind.is_daily and now < BoardName(day=played.astimezone(UTC).date().isoformat(), size="").published


# --- boards ---------------------------------------------------------------------------------------------


def daily_secret(store: "Store") -> str:
    """What boards are drawn from; drawn itself when it is asked for first."""
    if (found := store.find_note(SECRET)) is None:
        row = {"name": SECRET, "value": secrets.token_hex(32)}
        store.change(lambda connection, _: insert_new(connection, schema.notes, [row]))
        found = store.find_note(SECRET)
    assert found is not None
    return found


def find_board(store: "Store", name: BoardName) -> DailyBoard | None:
    with store.reading() as connection:
        row = connection.execute(select(_BOARDS).where(*_is(_BOARDS.c, name))).first()
    return None if row is None else _board(row)


def published_boards(store: "Store", now: datetime) -> list[DailyBoard]:
    """All boards that are published, those of days to come left out."""
    with store.reading() as connection:
        boards = [_board(row) for row in connection.execute(select(_BOARDS).order_by(*_BOARDS.primary_key))]
    return [one for one in boards if one.name.published <= now]


def keep_board(store: "Store", board: DailyBoard) -> DailyBoard:
    """Keep a board, unless there is one of its name; the one that is kept."""
    name = board.name
    row = {
        "day": name.day, "audience": name.audience, "size": name.size, "code": board.code,
        "proof": zlib.compress(board.proof.encode()), "difficulty": board.difficulty, "bbbv": board.bbbv,
    }  # fmt: skip
    store.change(lambda connection, _: insert_new(connection, _BOARDS, [row]))
    found = find_board(store, name)
    assert found is not None
    return found


def _board(row: Row[Any]) -> DailyBoard:
    return DailyBoard(
        name=_name(row), code=row.code, proof=zlib.decompress(row.proof).decode(), difficulty=row.difficulty, bbbv=row.bbbv
    )  # fmt: skip


def _name(row: Row[Any]) -> BoardName:
    return BoardName(day=row.day, size=row.size, audience=row.audience)


def _is(columns: Any, name: BoardName) -> list[ColumnElement[bool]]:
    return [columns.day == name.day, columns.audience == name.audience, columns.size == name.size]


def board_to_json(board: DailyBoard) -> dict[str, Any]:
    name = board.name
    return {
        "day": name.day, "size": name.size, "audience": name.audience, "code": board.code,
        "proof": json.loads(board.proof), "difficulty": board.difficulty, "bbbv": board.bbbv,
    }  # fmt: skip


def board_from_json(values: dict[str, Any]) -> DailyBoard:
    name = BoardName(day=values["day"], size=values["size"], audience=values["audience"])
    day_of(name.day)
    game_of_code(values["code"])
    return DailyBoard(
        name=name, code=values["code"], proof=json.dumps(values["proof"], separators=(",", ":")),
        difficulty=int(values["difficulty"]), bbbv=int(values["bbbv"]),
    )  # fmt: skip


# --- attempts ---------------------------------------------------------------------------------------------


def begin_attempt(store: "Store", player: str, attempt: DailyAttempt) -> DailyAttempt:
    """Keep a player's attempt, unless there is one at that board; the first one."""

    def write(connection: Connection, numbers: RowNumbers) -> DailyAttempt:
        number = numbers.name(schema.players, player)
        row = {
            "player_id": number, "day": attempt.name.day, "audience": attempt.name.audience, "size": attempt.name.size,
            "game": attempt.game, "begun": to_ms(attempt.begun), "state": attempt.state, "won": False, "placed": False,
        }  # fmt: skip
        insert_new(connection, _ATTEMPTS, [row])
        where = [_A.player_id == number, *_is(_A, attempt.name)]
        return _attempt(connection.execute(select(_ATTEMPTS).where(*where)).one())

    return store.change(write)


def attempts_of(store: "Store", player: str, since: str, audience: str = PEOPLE) -> list[DailyAttempt]:
    """A player's attempts from a day on, the latest first."""
    players = schema.players.c
    query = (
        select(_ATTEMPTS)
        .join(schema.players, players.id == _A.player_id)
        .where(players.name == player, _A.day >= since, _A.audience == audience)
        .order_by(_A.day.desc(), _A.size)
    )
    with store.reading() as connection:
        return [_attempt(row) for row in connection.execute(query)]


def _attempt(row: Row[Any]) -> DailyAttempt:
    return DailyAttempt(
        name=_name(row), game=row.game, begun=from_ms(row.begun), state=row.state, won=row.won, time_ms=row.time_ms,
        placed=row.placed,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyStanding:
    """How an attempt stands among those that count."""

    attempts: int
    won: int
    faster: int
    """Attempts that won in less time."""
    place: int | None
    """Among players who have a name and have played enough; None if the player is none of them, or lost."""


def standing_at(store: "Store", attempt: DailyAttempt) -> DailyStanding:
    faster = and_(_A.won, _A.time_ms < attempt.time_ms) if attempt.won else _A.won
    query = (
        select(
            func.count(), func.count().filter(_A.won), func.count().filter(faster),
            func.count().filter(faster, _A.placed, _NAMES.c.name.is_not(None)),
            func.count().filter(_A.game == attempt.game, _A.placed, _NAMES.c.name.is_not(None)),
        )
        .select_from(_ATTEMPTS.outerjoin(_NAMES, _NAMES.c.player_id == _A.player_id))
        .where(*_is(_A, attempt.name), _A.state == "counted")
    )  # fmt: skip
    with store.reading() as connection:
        attempts, won, ahead, placed_ahead, is_placed = connection.execute(query).one()
    place = placed_ahead + 1 if is_placed and attempt.won else None
    return DailyStanding(attempts=attempts, won=won, faster=ahead, place=place)


class TableRow(NamedTuple):
    """A place in the table of a board."""

    name: str
    time_ms: int
    game: str
    """The key of its game."""


def read_table(store: "Store", name: BoardName, most: int = 100) -> list[TableRow]:
    """The best attempts at a board by players who have a name and have played enough."""
    query = (
        select(_NAMES.c.name, _A.time_ms, _A.game)
        .join(_NAMES, _NAMES.c.player_id == _A.player_id)
        .where(*_is(_A, name), _A.state == "counted", _A.won, _A.placed)
        .order_by(_A.time_ms, _A.begun)
        .limit(most)
    )
    with store.reading() as connection:
        return [TableRow(who, time_ms, f"{game}.0") for who, time_ms, game in connection.execute(query)]


def count_attempts(store: "Store", day: str, audience: str) -> dict[str, tuple[int, int]]:
    """How many attempts at each size of a day count, and how many of them won."""
    query = (
        select(_A.size, func.count(), func.count().filter(_A.won))
        .where(_A.day == day, _A.audience == audience, _A.state == "counted")
        .group_by(_A.size)
    )
    with store.reading() as connection:
        return {size: (attempts, won) for size, attempts, won in connection.execute(query)}


# --- the end of an attempt ----------------------------------------------------------------------------------


def end_attempts(connection: Connection, games: Iterable[StoredGame]) -> None:
    """End the attempts whose games have ended, within the transaction that records them. An attempt ends once."""
    for game in games:
        if not game.kind.is_daily or game.result is Result.PLAYING:
            continue
        live, _, restarts = game.key.rpartition(".")
        row = connection.execute(select(_ATTEMPTS).where(_A.game == live, _A.state == "open")).first()
        if row is None:
            continue
        counts = restarts == "0" and _counts(game)
        won = counts and game.result is Result.WON
        doubt = _doubt(connection, row, game) if won else None
        if doubt is not None:
            stored = select(schema.games).where(schema.games.c.key == game.key)
            hold_game(connection, connection.execute(stored).one(), doubt)
        values = {
            "state": "held" if doubt is not None else "counted" if counts else "void",
            "won": won,
            "time_ms": game.time_ms if won else None,
            "placed": _has_experience(connection, row),
        }
        connection.execute(update(_ATTEMPTS).where(_A.game == live).values(values))


def decide_attempt(connection: Connection, key: str, *, accept: bool) -> None:
    """What an operator says of an attempt, by the key of its game."""
    where = [_A.game == key.rpartition(".")[0], _A.state.in_(["held", "counted", "void"]), _A.time_ms.is_not(None)]
    connection.execute(update(_ATTEMPTS).where(*where).values(state="counted" if accept else "void"))


def _counts(game: StoredGame) -> bool:
    """False for a game that was helped, took too long, or does not replay."""
    if game.category is not Category.PLAIN or game.time_ms is None or game.time_ms > TIME_LIMIT:
        return False
    return game.result is not Result.WON or fault_of_game(game) is None


def _doubt(connection: Connection, row: Row[Any], game: StoredGame) -> str | None:
    """Why a win waits for the operator."""
    if row.audience != PEOPLE:
        return None
    if _is_far_beyond(connection, row, game):
        return f"{game.time_ms} ms is far below the player's best"
    return human_doubt(game, opened=True)


def _is_far_beyond(connection: Connection, row: Row[Any], game: StoredGame) -> bool:
    """True if a time is far below the player's best on boards of that size without guesses, or on those of other days."""
    games, kinds = schema.games.c, schema.kinds.c
    best = connection.execute(
        select(func.min(games.time_ms))
        .select_from(schema.games.join(schema.kinds, kinds.id == games.kind_id))
        .where(
            games.player_id == row.player_id, games.category == int(Category.PLAIN), games.result == Result.WON.value,
            games.key != game.key, or_(kinds.preset == row.size, kinds.preset == f"{DAILY}{row.size}"), kinds.no_guess,
        )
    ).scalar()  # fmt: skip
    return best is not None and game.time_ms is not None and game.time_ms < DOUBTED_SHARE * best


def _has_experience(connection: Connection, row: Row[Any]) -> bool:
    return count_ended(connection, row.player_id, before=to_ms(day_of(row.day)), most=EXPERIENCE) >= EXPERIENCE


def count_ended(connection: Connection, player: int, *, before: int | None = None, most: int) -> int:
    """How many games a player has ended that rankings are made of, counted up to `most`."""
    games, kinds = schema.games.c, schema.kinds.c
    query = (
        select(games.id)
        .select_from(schema.games.join(schema.kinds, kinds.id == games.kind_id))
        .where(
            games.player_id == player, games.category == int(Category.PLAIN), games.time_ms.is_not(None),
            games.result.in_([Result.WON.value, Result.LOST.value]),
            kinds.preset.in_([*SIZES, *(f"{DAILY}{size}" for size in SIZES)]),
        )
        .limit(most)
    )  # fmt: skip
    if before is not None:
        query = query.where(games.ended < before)
    return len(connection.execute(query).all())
