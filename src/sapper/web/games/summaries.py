"""Unfinished games as a list shows them, whether they are in memory or put away."""

from sapper.store.models import ListedSession, to_ms
from sapper.web.games.bodies import GameSummary


def entry_of_listed(listed: ListedSession) -> GameSummary | None:
    """A saved game; None of one that says not which game it is."""
    kind, state = listed.kind, listed.state
    if kind is None:
        return None
    return GameSummary(
        game=listed.key,
        title=listed.title,
        preset=kind.preset,
        rules=kind.rules.name,
        width=kind.width,
        height=kind.height,
        mine_count=kind.mine_count,
        no_guess=kind.no_guess,
        status=state.status,
        time=state.elapsed,
        flags=state.flags,
        covered=state.covered,
        paused=state.paused,
        saved=to_ms(listed.saved),
    )
