"""Games to put into stores."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from sapper.core.preset import find_preset
from sapper.store.models import GameKind, Result, StoredGame, StoredGuess

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)


def stored(key: str = "a game", **changes: Any) -> StoredGame:
    """A won game on Beginner, with some values changed."""
    values: dict[str, Any] = {
        "key": key, "kind": GameKind.of(find_preset("beginner")), "result": Result.WON, "started": BEGIN,
        "ended": BEGIN + timedelta(seconds=9), "face": "tui", "time_ms": 9000,
    }  # fmt: skip
    return StoredGame(**(values | changes))


def many(count: int, seed: int) -> list[StoredGame]:
    """Games of every sort, the same for the same seed."""
    rng = random.Random(seed)
    kinds = [GameKind.of(find_preset(name)) for name in ("beginner", "expert", "formal")]
    games = []
    for number in range(count):
        ended = BEGIN + timedelta(minutes=rng.randrange(200), milliseconds=rng.randrange(3))
        result = rng.choice([Result.WON] * 3 + [Result.LOST] * 2 + [Result.TERMINATED, Result.PLAYING])
        games.append(
            stored(
                f"{seed}-{number}",
                kind=rng.choice(kinds),
                result=result,
                started=ended - timedelta(seconds=60),
                ended=ended,
                player=rng.choice([None, "ann", "bob"]),
                strategy=rng.choice([None, None, None, "least-risk"]),
                time_ms=rng.choice([None, 0, rng.randrange(1, 99_000)]),
                solved_bbbv=rng.choice([None, rng.randrange(0, 200)]),
                clicks=rng.choice([None, 0, rng.randrange(1, 300)]),
                seed=rng.choice([None, 0, 2**63, 2**64 - 1]),
                hints=rng.choice([0, 0, 0, 2]),
                debugged=rng.random() < 0.1,
                guesses=tuple(
                    StoredGuess(rng.choice([0.0, 0.5, 1.0, rng.random()]), rng.random() < 0.5, rng.random() < 0.3)
                    for _ in range(rng.choice([0, 0, 3]))
                ),
                record=rng.choice([None, '{"a": "–"}']),
            )
        )
    return games
