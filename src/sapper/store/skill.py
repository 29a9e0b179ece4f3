"""Skill without luck: the chance to win that a player's own choices lost, over the last games on each board.

What a game lost is `GameReview.lost`. A row that waits is written in the transaction that records an end, so that no game can be left out; what
it lost is worked out later (`web.games.costs`), and the player's rank changes in the transaction that keeps it. To leave a game in any other
way is to give it up, with all the chance that was left: by help, or by not ending it within a day of its beginning.

A doubt only takes a good result away. A game that an operator has refused lost all; with those that wait for the operator, and without them,
a player stands as the worse of the two says. So nobody can have a bad game left out by playing it as a machine would.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import Connection, case, delete, literal, not_, or_, select, update

from sapper.metrics.interval import mean_at_most
from sapper.store import schema, social_schema
from sapper.store.held_games import hold_game
from sapper.store.models import Category, Result, StoredGame, to_ms
from sapper.store.rankings import ABANDONED, BOARDS, FACE, LOST_PARTS, SKILL, board_of
from sapper.store.reading import read_games, read_kinds
from sapper.store.writing import insert_new, lock_players, upsert

if TYPE_CHECKING:
    from sapper.store.repository import Store

LAST: Final = 100
"""Games that the mean is of, the last ones."""
FEWEST: Final = 30
"""Games that a place needs."""

_COSTS, _RANKS, _HELD = social_schema.game_costs, social_schema.rankings, social_schema.held_games
_C, _GAMES, _PLAYERS = _COSTS.c, schema.games.c, schema.players.c


class JudgedGame(NamedTuple):
    """What a game comes to."""

    lost: float | None
    """The chance to win that its choices lost; None if it does not count."""
    doubt: str | None = None
    """Why an operator is to look at it before it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSkill:
    """How a player does on one board."""

    board: str
    games: int
    """How many of the last `LAST` games count until now."""
    mean: float
    """The chance to win that was lost, a game."""
    bound: float
    """What its expected value is below, with 95 % confidence (`mean_at_most`)."""


def await_costs(connection: Connection, games: Sequence[StoredGame]) -> None:
    """Have games wait to be judged that have ended unaided, or in which help was had now, within the transaction that records them."""
    for game in games:
        has_ended = game.result is not Result.PLAYING
        if game.record is None or (has_ended and not is_unadvised(game)):
            continue
        _insert(connection, game, None if has_ended else zlib.compress(game.record.encode()))


def is_unadvised(game: StoredGame) -> bool:
    """True if only the board helped to choose. Pauses and help with flags do not matter: they affect the time, not the choices."""
    return not (game.hints or game.undos or game.restarted or game.overlay or game.debugged or game.strategy)


def _insert(connection: Connection, game: StoredGame, record: bytes | None = None) -> None:
    """A row that waits, if the game is one that counts and has none."""
    board = board_of(game.kind) if game.face == FACE else None
    if board is None:
        return
    row = connection.execute(select(_GAMES.id, _GAMES.player_id).where(_GAMES.key == game.key)).first()
    if row is not None and row.player_id is not None:
        values = {
            "game_id": row.id, "player_id": row.player_id, "board": board, "at": to_ms(game.ended), "waits": True,
            "record": record,
        }  # fmt: skip
        insert_new(connection, _COSTS, [values])


def waiting_keys(store: "Store", *, latest: bool = False, after: int = 0, most: int = 50) -> list[tuple[int, str]]:
    """Numbers and keys of games that wait to be judged, those behind `after`."""
    query = (
        select(_C.game_id, _GAMES.key)
        .join(schema.games, _GAMES.id == _C.game_id)
        .where(_C.waits, _C.game_id > after)
        .order_by(_C.game_id.desc() if latest else _C.game_id)
        .limit(most)
    )
    with store.reading() as connection:
        return [(number, key) for number, key in connection.execute(query)]


def waiting_game(store: "Store", key: str) -> StoredGame | None:
    """A game that waits to be judged; one in which help was had as it was then, unfinished."""
    query = select(_C.record).join(schema.games, _GAMES.id == _C.game_id).where(_GAMES.key == key, _C.waits)
    with store.reading() as connection:
        row = connection.execute(query).first()
        game = None if row is None else next(read_games(connection, key=key), None)
    if game is None or row is None or row.record is None:
        return game
    return game.replace(record=zlib.decompress(row.record).decode(), result=Result.PLAYING)


def abandoned_games(
    store: "Store", now: datetime, *, since: datetime | None = None, most: int = 500
) -> list[StoredGame]:
    """Games that began more than a day ago, have not ended, and were not counted as lost yet, the oldest first; those that began after `since`."""
    with store.reading() as connection:
        kinds = [number for number, kind in read_kinds(connection).items() if board_of(kind) is not None]
        query = (
            select(_GAMES.key)
            .outerjoin(_COSTS, _C.game_id == _GAMES.id)
            .where(
                _GAMES.category.in_([int(Category.PLAIN), int(Category.ASSISTED)]), _GAMES.ended < to_ms(now - ABANDONED),
                _GAMES.ended >= (0 if since is None else to_ms(since)), _GAMES.result == Result.PLAYING.value,
                _GAMES.kind_id.in_(kinds), _GAMES.face == FACE, _C.game_id.is_(None),
                _GAMES.hints == 0, _GAMES.undos == 0, not_(_GAMES.restarted), not_(_GAMES.overlay),
            )
            .order_by(_GAMES.ended)
            .limit(most)
        )  # fmt: skip
        return [game for key in connection.execute(query).scalars().all() for game in read_games(connection, key=key)]


def keep_cost(store: "Store", game: StoredGame, judged: JudgedGame, *, abandoned: datetime | None = None) -> None:
    """Keep what a game lost, once, and its player's rank; `abandoned`: when it was found to be unfinished."""

    def write(connection: Connection, _: object) -> None:
        if abandoned is not None:
            _insert(connection, game.replace(ended=abandoned))
        waiting = (
            select(schema.games, _C.board).join(_COSTS, _C.game_id == _GAMES.id).where(_GAMES.key == game.key, _C.waits)
        )
        row = connection.execute(waiting).first()
        if row is None:
            return
        # One after the other for a player: each sees what the others have kept.
        lock_players(connection, select(_PLAYERS.id).where(_PLAYERS.id == row.player_id))
        lost = None if judged.lost is None else round(judged.lost * LOST_PARTS)
        kept = update(_COSTS).where(_C.game_id == row.id, _C.waits).values(waits=False, record=None, lost=lost)
        if not connection.execute(kept).rowcount:  # its player has joined another meanwhile
            return
        if judged.doubt is not None:
            hold_game(connection, row, judged.doubt)
        rank_skill(connection, row.player_id, row.board)

    store.change(write)


def rank_skill(connection: Connection, player: int, *boards: str) -> None:
    """Make a player's rows of these boards anew; of all without any."""
    names = social_schema.player_names.c
    name = connection.execute(select(names.name).where(names.player_id == player)).scalar()
    for board in boards or BOARDS:
        skill, rows = _standing(connection, player, board)
        if skill.games < FEWEST:
            where = _RANKS.c.player_id == player, _RANKS.c.board == board, _RANKS.c.measure == SKILL
            connection.execute(delete(_RANKS).where(*where))
            continue
        # The place leads to a game that was played to its end without advice or doubt, if there is one.
        shown = (
            row
            for row in rows
            if row.result != Result.PLAYING.value
            and not (row.hints or row.undos or row.overlay)
            and row.state in (None, "accepted")
        )
        upsert(
            connection, _RANKS,
            [{
                "board": board, "measure": SKILL, "period": "ever", "player_id": player,
                "value": round(skill.bound * LOST_PARTS), "ended": rows[0].at, "game": next(shown, rows[0]).key,
                "shown": name is not None,
            }],
            where=lambda _old, _new: literal(value=True),
        )  # fmt: skip


def _standing(connection: Connection, player: int, board: str) -> tuple[BoardSkill, Sequence[Any]]:
    """How a player does on a board, and the games that this is of; of none without a game that is free of doubt."""
    both = [_last(connection, player, board, with_held=with_held) for with_held in (False, True)]
    return max(((_skill(board, rows), rows) for rows in both), key=lambda one: one[0].bound)


def _last(connection: Connection, player: int, board: str, *, with_held: bool) -> Sequence[Any]:
    """The last games of a player on a board that count, those that ended last first; `with_held`: those that wait for the operator too."""
    state = _HELD.c.state
    lost = case((state == "refused", LOST_PARTS), else_=_C.lost).label("lost")
    query = (
        select(lost, _C.at, _GAMES.key, _GAMES.result, _GAMES.hints, _GAMES.undos, _GAMES.overlay, state)
        .join(schema.games, _GAMES.id == _C.game_id)
        .outerjoin(_HELD, _HELD.c.game == _GAMES.key)
        .where(
            _C.player_id == player, _C.board == board, _C.lost.is_not(None),
            *([] if with_held else [or_(state.is_(None), state != "held")]),
        )
        .order_by(_C.at.desc(), _C.game_id.desc())
        .limit(LAST)
    )  # fmt: skip
    return connection.execute(query).all()


def _skill(board: str, rows: Sequence[Any]) -> BoardSkill:
    mean = sum(row.lost for row in rows) / max(1, len(rows)) / LOST_PARTS
    return BoardSkill(board=board, games=len(rows), mean=mean, bound=mean_at_most(mean, len(rows)))


def skill_of(store: "Store", player: str) -> list[BoardSkill]:
    """How a player does on each board with a game that counts."""
    with store.reading() as connection:
        number = connection.execute(select(_PLAYERS.id).where(_PLAYERS.name == player)).scalar()
        if number is None:
            return []
        found = [_standing(connection, number, board)[0] for board in BOARDS]
        return [one for one in found if one.games]


def leave_out(connection: Connection, player: int, *, of: int) -> None:
    """Give a player the games of another without having them count, the unfinished ones included: else who plays as many visitors could choose
    the best ones.
    """
    unfinished = select(_GAMES.id, _GAMES.ended).where(_GAMES.player_id == of, _GAMES.result == Result.PLAYING.value)
    rows = [
        {"game_id": number, "player_id": of, "board": "", "at": at, "waits": False}
        for number, at in connection.execute(unfinished)
    ]
    if rows:
        insert_new(connection, _COSTS, rows)
    values = {"player_id": player, "waits": False, "record": None, "lost": None}
    connection.execute(update(_COSTS).where(_C.player_id == of).values(**values))
