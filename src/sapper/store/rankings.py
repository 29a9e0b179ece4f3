"""Rankings of games that this server recorded: for each board, measure and period the best of each player.

A row holds one player's best, so that a page is read from one index in its order, however many games there are. Rows are written in the
transaction that records the game, after a referee has played it again: a rank that somebody was told is on the disk.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import Connection, Row, and_, bindparam, delete, exists, func, literal, or_, select, tuple_, update

from sapper.core.preset import PRESETS
from sapper.store import schema, social_schema
from sapper.store.fair_play import fault_of_game, human_doubt, uses_flags
from sapper.store.held_games import hold_game
from sapper.store.models import Category, GameKind, Result, StoredGame, from_ms, to_ms
from sapper.store.reading import read_games, read_kinds
from sapper.store.writing import upsert

if TYPE_CHECKING:
    from sapper.store.repository import Store

FACE: Final = "web"
"""The face whose games are ranked: there the server sees each move."""
NO_GUESS: Final = "-no-guess"
BOARDS: Final = tuple(
    f"{preset}{style}" for style in ("", NO_GUESS) for preset in ("beginner", "intermediate", "expert")
)
MEASURES: Final = ("time", "speed", "efficiency", "no-flag", "streak")
"""Least time, most 3BV/s, most 3BV a click, least time without flags, most wins one after the other."""
SKILL: Final = "skill"
"""The measure of `store.skill`, which has no periods: it is of the last games."""
PERIODS: Final = ("day", "week", "season", "ever")
LOST_PARTS: Final = 1_000_000
_SCALE: Final = {"speed": -1000, "efficiency": -10_000, "streak": -1, SKILL: LOST_PARTS}
"""What is kept as a number of parts; negative where more is better."""
ABANDONED: Final = timedelta(hours=24)
"""An unfinished game is lost after so long."""
LONGEST_STREAK: Final = 5_000
"""Games that are looked at for a streak."""
MOST_OFFSET: Final = 10_000

_RANKS, _HELD, _GAMES = social_schema.rankings, social_schema.held_games, schema.games.c
_R = _RANKS.c


class RankedGame(NamedTuple):
    """One row of a ranking."""

    rank: int | None
    """From 1; None beyond the first `MOST_OFFSET` places."""
    name: str
    value: float
    """In the measure's own unit: milliseconds, 3BV/s, 3BV a click, games, chance to win lost a game."""
    ended: datetime
    game: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """Some rows of a ranking."""

    rows: list[RankedGame]
    more: bool
    own: RankedGame | None
    """The asker's own place, on this page or not."""


@lru_cache(maxsize=1024)
def board_of(kind: GameKind) -> str | None:
    """The board that a kind of games is ranked on, if it is one: a preset's, by its own rules. Chording and question marks may be off."""
    preset = PRESETS.get(kind.preset or "")
    if preset is None or kind.preset not in BOARDS or (kind.width, kind.height) != (preset.width, preset.height):
        return None
    if kind.mine_count not in preset.mine_counts:
        return None
    rules = preset.rules
    if kind.rules.replace(chording=rules.chording, question_marks=rules.question_marks) != rules:
        return None
    return f"{kind.preset}{NO_GUESS if kind.no_guess else ''}"


def period_names(when: datetime) -> dict[str, str]:
    """The names of the periods that a moment is in: `2026-11-29`, `2026-W48`, `2026-Q4`, `ever`."""
    day = when.astimezone(UTC).date()
    week = day.isocalendar()
    return {
        "day": day.isoformat(), "week": f"{week.year}-W{week.week:02}", "season": f"{day.year}-Q{(day.month + 2) // 3}",
        "ever": "ever",
    }  # fmt: skip


def _starts(when: datetime) -> dict[str, int]:
    """When the periods that a moment is in began."""
    day = when.astimezone(UTC).date()
    first = {
        "day": day, "week": day - timedelta(days=day.weekday()),
        "season": day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
    }  # fmt: skip
    return {"ever": 0, **{name: to_ms(datetime.combine(one, time(), UTC)) for name, one in first.items()}}


# --- games that count -----------------------------------------------------------------------------------------


def rank_games(connection: Connection, games: Sequence[StoredGame]) -> None:
    """Have games counted that were recorded in this transaction."""
    for game in games:
        if game.result is not Result.WON or game.category is not Category.PLAIN:
            continue
        board = _board_here(game)
        row = None if board is None else _row_of(connection, game.key)
        if board is None or row is None:
            continue
        if fault := fault_of_game(game):
            hold_game(connection, row, fault, "refused")
        elif doubt := human_doubt(game):
            hold_game(connection, row, doubt)
        else:
            _count(connection, board, row, game)
    for player, board in sorted(_overtaken(connection, games)):
        _rebuild_streaks(connection, player, board)


def _overtaken(connection: Connection, games: Sequence[StoredGame]) -> set[tuple[int, str]]:
    """Players and boards of games that ended before others of their kind which are counted already, since another process recorded those first."""
    ended = {game.key: board for game in games if game.result is not Result.PLAYING and (board := _board_here(game))}
    if not ended:
        return set()
    later = schema.games.alias().c
    is_overtaken = exists().where(
        later.player_id == _GAMES.player_id, later.kind_id == _GAMES.kind_id, later.key.not_in(list(ended)),
        tuple_(later.ended, later.id) > tuple_(_GAMES.ended, _GAMES.id), later.result != Result.PLAYING.value,
    )  # fmt: skip
    query = select(_GAMES.key, _GAMES.player_id).where(_GAMES.key.in_(list(ended)), is_overtaken)
    return {(player, ended[key]) for key, player in connection.execute(query)}


def _board_here(game: StoredGame) -> str | None:
    return board_of(game.kind) if game.face == FACE else None


def _row_of(connection: Connection, key: str) -> Row[Any] | None:
    """A game as the database has it, if it may count and nobody has looked at it."""
    query = (
        select(schema.games, social_schema.player_names.c.name.label("player_name"))
        .outerjoin(social_schema.player_names, social_schema.player_names.c.player_id == _GAMES.player_id)
        .outerjoin(_HELD, _HELD.c.game == _GAMES.key)
        .where(
            _GAMES.key == key, _GAMES.category == int(Category.PLAIN), _GAMES.result == Result.WON.value,
            _GAMES.time_ms > 0, _GAMES.player_id.is_not(None), or_(_HELD.c.game.is_(None), _HELD.c.state == "accepted"),
        )
    )  # fmt: skip
    return connection.execute(query).first()


def _count(connection: Connection, board: str, row: Row[Any], game: StoredGame) -> None:
    """Put a game into the rankings where it is its player's best."""
    values = {"time": row.time_ms}
    if row.bbbv:
        values["speed"] = round(_SCALE["speed"] * 1000 * row.bbbv / row.time_ms)
    if row.bbbv and row.clicks:
        values["efficiency"] = round(_SCALE["efficiency"] * row.bbbv / row.clicks)
    if game.record is not None and not uses_flags(game):
        values["no-flag"] = row.time_ms
    when = from_ms(row.ended)
    streaks = _streaks(connection, row, _starts(when))
    _put(connection, [
        _rank(board, measure, name, value, row)
        for period, name in period_names(when).items()
        for measure, value in (*values.items(), ("streak", -streaks[period]))
    ])  # fmt: skip


def _rank(board: str, measure: str, period: str, value: int, row: Row[Any]) -> dict[str, Any]:
    """The row of a game's value in a ranking."""
    return {
        "board": board, "measure": measure, "period": period, "player_id": row.player_id, "value": value,
        "ended": row.ended, "game": row.key, "shown": row.player_name is not None,
    }  # fmt: skip


def _put(connection: Connection, ranks: Sequence[dict[str, Any]]) -> None:
    """Put rows into the rankings where they are their player's best. Of two that are as good the one stays that ended first."""
    upsert(
        connection, _RANKS, ranks, where=lambda old, new: tuple_(new.value, new.ended) < tuple_(old.value, old.ended)
    )


def _streak_queries() -> tuple[Any, Any]:
    """The game that ended a player's streak before this one, and how many games were won since, by period.

    Made once: making them takes longer than most streaks. Both read the index `by_player` from this game back.
    """
    when = tuple_(_GAMES.ended, _GAMES.id)
    is_won = and_(_GAMES.category == int(Category.PLAIN), _GAMES.result == Result.WON.value)
    back = (
        select(_GAMES.ended, _GAMES.id)
        .where(
            _GAMES.player_id == bindparam("player"), _GAMES.kind_id == bindparam("kind"),
            when <= tuple_(bindparam("ended"), bindparam("id")),
            or_(_GAMES.result != Result.PLAYING.value, _GAMES.ended < bindparam("abandoned")),
        )
        .order_by(_GAMES.ended.desc(), _GAMES.id.desc())
    )  # fmt: skip
    won = back.where(when > tuple_(bindparam("end"), bindparam("end_id"))).limit(bindparam("most")).subquery().c
    counts = [func.count().filter(won.ended >= bindparam(period)).label(period) for period in PERIODS]
    return back.where(~is_won).limit(1), select(*counts)


_STREAK_END, _STREAK = _streak_queries()


def _streaks(connection: Connection, row: Row[Any], starts: dict[str, int]) -> dict[str, int]:
    """How many games of the kind were won one after the other up to this one, in each period. What was helped, given up or left ends a streak."""
    values = {
        "player": row.player_id, "kind": row.kind_id, "ended": row.ended, "id": row.id, "most": LONGEST_STREAK,
        "abandoned": row.ended - ABANDONED // timedelta(milliseconds=1),
    }  # fmt: skip
    end, end_id = connection.execute(_STREAK_END, values).first() or (-1, -1)
    return dict(connection.execute(_STREAK, {**values, **starts, "end": end, "end_id": end_id}).mappings().one())


def _rebuild_streaks(connection: Connection, player: int, board: str) -> None:
    """Make a player's streaks on a board anew, for each period that it has rows of: games that are counted already may be in another one now."""
    kinds = [number for number, kind in read_kinds(connection).items() if board_of(kind) == board]
    own = _R.player_id == player, _R.board == board, _R.measure == "streak"
    periods = set(connection.execute(select(_R.period).where(*own)).scalars())
    connection.execute(delete(_RANKS).where(*own))
    query = (
        select(
            _GAMES.key, _GAMES.kind_id, _GAMES.player_id, _GAMES.category, _GAMES.result, _GAMES.ended, _GAMES.time_ms,
            _GAMES.face, _HELD.c.state,
            social_schema.player_names.c.name.label("player_name"),
        )
        .outerjoin(social_schema.player_names, social_schema.player_names.c.player_id == _GAMES.player_id)
        .outerjoin(_HELD, _HELD.c.game == _GAMES.key)
        .where(_GAMES.player_id == player, _GAMES.kind_id.in_(kinds))
        .order_by(_GAMES.ended, _GAMES.id)
    )  # fmt: skip
    best: dict[str, tuple[int, Row[Any]]] = {}
    won: dict[int, list[int]] = {kind: [] for kind in kinds}
    open_since: dict[int, list[int]] = {kind: [] for kind in kinds}
    rows: Sequence[Any] = connection.execute(query).all()
    for row in rows:
        if row.result == Result.PLAYING.value:
            open_since[row.kind_id].append(row.ended)
            continue
        run = won[row.kind_id]
        if row.category != Category.PLAIN or row.result != Result.WON.value:
            run.clear()
            continue
        run.append(row.ended)
        begun = open_since[row.kind_id]
        if left := bisect_left(begun, row.ended - ABANDONED // timedelta(milliseconds=1)):
            del run[: bisect_left(run, begun[left - 1])], begun[:left]
        if row.time_ms and row.state in (None, "accepted") and row.face == FACE:
            when = from_ms(row.ended)
            starts = _starts(when)
            for period, name in period_names(when).items():
                value = min(LONGEST_STREAK, len(run) - bisect_left(run, starts[period]))
                if name in periods and value > best.get(name, (0, row))[0]:
                    best[name] = value, row
    _put(connection, [_rank(board, "streak", name, -value, last) for name, (value, last) in best.items()])


def show_player(connection: Connection, player: int, *, shown: bool) -> None:
    """Show a player's rows, or hide them: only who has a name is shown."""
    connection.execute(update(_RANKS).where(_R.player_id == player).values(shown=shown))


def forget_old_periods(store: "Store", now: datetime) -> None:
    """Delete the rows of days, weeks and seasons that are over."""
    # By name: another process's clock may be in the next period already.
    is_over = [
        and_(_R.period.like(form), _R.period < name)
        for form, name in zip(("____-__-__", "____-W__", "____-Q_"), period_names(now).values(), strict=False)
    ]
    store.change(lambda connection, _: connection.execute(delete(_RANKS).where(or_(*is_over))))


def rebuild_ranks(connection: Connection, player: int, *, joined: int | None = None) -> None:
    """Make a player's rows of all measures but `SKILL` anew, from all games that count, those of a player who has `joined` too.

    A game without a record was looked at when it was recorded. Whether it used flags is not known any more: of these the rows stay.
    """
    whose = _R.player_id.in_([player] if joined is None else [player, joined])
    is_recorded = exists().where(schema.records.c.game_id == _GAMES.id, _GAMES.key == _R.game)
    told = connection.execute(select(_RANKS).where(whose, _R.measure == "no-flag", ~is_recorded)).all()
    connection.execute(delete(_RANKS).where(whose, _R.measure != SKILL))
    keys = select(_GAMES.key).where(
        _GAMES.player_id == player, _GAMES.face == FACE, _GAMES.category == int(Category.PLAIN),
        _GAMES.result == Result.WON.value,
    )  # fmt: skip
    for key in connection.execute(keys.order_by(_GAMES.ended, _GAMES.id)).scalars().all():
        for game in read_games(connection, key=key):
            board, row = board_of(game.kind), _row_of(connection, key)
            if board is not None and row is not None and (game.record is None or fault_of_game(game) is None):
                _count(connection, board, row, game)
    rows = [(one, row) for one in told if (row := _row_of(connection, one.game)) is not None]
    _put(connection, [one._asdict() | {"player_id": player, "shown": row.player_name is not None} for one, row in rows])


# --- pages --------------------------------------------------------------------------------------------------------


def read_ranking(
    store: "Store", board: str, measure: str, period: str, now: datetime, *, player: str | None = None, offset: int = 0,
    most: int = 50,
) -> RankingPage:  # fmt: skip
    """Some places of a ranking as it is now, those of named players only."""
    name = period_names(now)["ever" if measure == SKILL else period]
    where = [_R.board == board, _R.measure == measure, _R.period == name, _R.shown]
    # The index gives the places; names are looked up for those alone.
    places = (
        select(_R.value, _R.ended, _R.game, _R.player_id)
        .where(*where)
        .order_by(_R.value, _R.ended, _R.player_id)
        .limit(most + 1)
        .offset(min(offset, MOST_OFFSET))
    )
    with store.reading() as connection:
        found = connection.execute(places).all()
        own = None if player is None else connection.execute(_own(player, board, measure, name)).first()
        names = _names(connection, {row.player_id for row in found} | ({own.player_id} if own is not None else set()))
        number = None if own is None else own.player_id
        rows = [
            _ranked(row, offset + at, names[row.player_id], measure, is_own=row.player_id == number)
            for at, row in enumerate(found[:most], 1)
        ]
        mine = None
        if own is not None and own.shown:
            # Counted no further than pages go: a place costs the same among a million.
            earlier = select(_R.player_id).where(
                *where,
                tuple_(_R.value, _R.ended, _R.player_id) < tuple_(*map(literal, (own.value, own.ended, own.player_id))),
            )
            counted = select(func.count()).select_from(earlier.limit(MOST_OFFSET).subquery())
            before = connection.scalar(counted) or 0
            rank = before + 1 if before < MOST_OFFSET else None
            mine = _ranked(own, rank, names[own.player_id], measure, is_own=True)
    return RankingPage(rows=rows, more=len(found) > most, own=mine)


def _own(player: str, board: str, measure: str, period: str) -> Any:
    whose = select(schema.players.c.id).where(schema.players.c.name == player).scalar_subquery()
    return select(_RANKS).where(
        _R.board == board, _R.measure == measure, _R.period == period, _R.player_id == whose
    )  # fmt: skip


def _names(connection: Connection, players: set[int]) -> dict[int, str]:
    names = social_schema.player_names.c
    query = select(names.player_id, names.name).where(names.player_id.in_(players))
    found = {row.player_id: row.name for row in connection.execute(query)}
    return {number: found.get(number, "") for number in players}


def _ranked(row: Any, rank: int | None, name: str, measure: str, *, is_own: bool) -> RankedGame:
    scale = _SCALE.get(measure)
    value = row.value if scale is None else row.value / scale
    return RankedGame(rank, name, value, from_ms(row.ended), row.game, is_own)


def is_public(store: "Store", key: str) -> bool:
    """True if a ranking opens this game's replay: it is a named player's best somewhere."""
    with store.reading() as connection:
        return connection.execute(select(_R.game).where(_R.game == key, _R.shown).limit(1)).first() is not None
