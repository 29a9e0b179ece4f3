"""What follows from games that have ended, in the transaction that records them, and from what an operator decides about one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select, update

from sapper.store import schema, social_schema
from sapper.store.daily import decide_attempt, end_attempts
from sapper.store.held_games import hold_game
from sapper.store.models import Result, StoredGame
from sapper.store.names import see_player
from sapper.store.rankings import rank_games, rebuild_ranks
from sapper.store.skill import await_costs, rank_skill
from sapper.store.writing import lock_players

if TYPE_CHECKING:
    from sapper.store.repository import Store


def settle_games(connection: Connection, games: Sequence[StoredGame]) -> None:
    """Have games count. What was counted already changes nothing. One that is being played is among them where help was had in it."""
    if not games:
        return
    # One after the other for a player, whichever processes the games ended in: each counts what the others have recorded.
    owners = select(schema.games.c.player_id).where(schema.games.c.key.in_([game.key for game in games]))
    lock_players(connection, owners)
    end_attempts(connection, games)
    rank_games(connection, games)
    await_costs(connection, games)
    for game in games:
        if game.player is not None and game.result is not Result.PLAYING:
            see_player(connection, game.player, game.ended)


def decide_game(store: "Store", key: str, *, accept: bool) -> bool:
    """Have a game count, or not; False if there is no such game. What took its place before, or takes it now, is found again."""
    games, held = schema.games.c, social_schema.held_games

    def write(connection: Connection, _: object) -> bool:
        row = connection.execute(select(schema.games).where(games.key == key)).first()
        if row is None or row.player_id is None:
            return False
        lock_players(connection, select(schema.players.c.id).where(schema.players.c.id == row.player_id))
        hold_game(connection, row, "the operator has looked at it")
        connection.execute(update(held).where(held.c.game == key).values(state="accepted" if accept else "refused"))
        decide_attempt(connection, key, accept=accept)
        rebuild_ranks(connection, row.player_id)
        rank_skill(connection, row.player_id)
        return True

    return store.change(write)
