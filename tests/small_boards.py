"""The boards of `tests/data/small`, whose best chance to win is known exactly."""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.census import tiles_of

_DATA = Path(__file__).parent / "data" / "small"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWin:
    """A board, its best chance to win, and that after each first move."""

    name: str
    width: int
    height: int
    mines: int
    tiles: bytes
    best: Fraction
    moves: dict[int, Fraction]


def known_wins() -> list[KnownWin]:
    """The positions of which the best chance to win is known."""
    found = []
    for entry in json.loads((_DATA / "positions.json").read_text(encoding="utf-8"))["positions"]:
        if "optimal_win" not in entry:
            continue
        width, known = len(entry["rows"][0]), entry["optimal_win"]
        moves = {}
        for place, win in known.get("cells", {}).items():
            row, column = map(int, place.split(","))
            moves[row * width + column] = Fraction(win)
        found.append(
            KnownWin(
                name=entry["id"],
                width=width,
                height=len(entry["rows"]),
                mines=entry["mines"],
                tiles=tiles_of(entry["rows"]),
                best=Fraction(known["best"]),
                moves=moves,
            )
        )
    return found


def whole_games(most: int) -> dict[tuple[int, int, int], dict[str, Any]]:
    """What is known of whole games with at most so many layouts, by width, height and mines."""
    known = json.loads((_DATA / "optimal.json").read_text(encoding="utf-8"))
    found = {}
    for name, entry in known.items():
        width, height, mines = map(int, name.split("x"))
        if entry["placements"] <= most:
            found[width, height, mines] = entry
    return found
