"""Unfinished games as a list shows them, whether they are in memory or put away."""

from sapper.store.models import GameKind, ListedSession, SessionState, to_ms
from sapper.web.games.bodies import GameSummary


def entry_of(name: str, title: str, kind: GameKind, state: SessionState, *, saved: int) -> GameSummary:
    """A game; `saved`: when it was played last, in milliseconds since 1970."""
    return GameSummary(
        game=name,
        title=title,
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
        saved=saved,
    )


def entry_of_listed(listed: ListedSession) -> GameSummary | None:
    """A game that was put away; None of one that says not which game it is."""
    if listed.kind is None:
        return None
    return entry_of(listed.key, listed.title, listed.kind, listed.state, saved=to_ms(listed.saved))
