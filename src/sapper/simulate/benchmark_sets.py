"""Sets of boards to measure strategies on: fixed, hashed, and how sapper's own strategies did on them.

A set is a run of `simulate`: preset, start rule, usual first cell, seed. Its SHA-256 is that of its board list (UTF-8, a line a game, line
feeds), so anybody can see that their boards are these, whatever program made them.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from sapper.core.board import first_cell
from sapper.core.preset import find_preset
from sapper.core.rules import Start
from sapper.errors import UnknownNameError
from sapper.generator.board_file import write_game
from sapper.generator.generate import uniform_layouts
from sapper.generator.layout_spec import LayoutSpec
from sapper.simulate.comparison import OutcomeLog
from sapper.simulate.plan import Plan
from sapper.simulate.results import GameOutcome

GAMES: Final = 10_000
"""Boards of a set."""
SEED: Final = 20_261_128
RESULTS_FILE: Final = Path(__file__).with_name("benchmark_results.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSet:
    """Boards of one kind of game."""

    name: str
    preset: str
    start: Start
    sha256: str
    """Of its board list."""

    def plan(self, games: int = GAMES) -> Plan:
        preset = find_preset(self.preset)
        preset = replace(preset, rules=preset.rules.replace(start=self.start))
        return Plan(preset=preset, games=games, first=first_cell(preset.grid, self.start), seed=SEED)

    def board_list(self) -> Iterator[str]:
        plan = self.plan()
        preset = plan.preset
        spec = LayoutSpec(grid=preset.grid, mine_count=preset.mine_counts[0], start=self.start, first=plan.first)
        for begin in range(0, GAMES, 1000):
            for layout in uniform_layouts(spec, SEED, begin, 1000):
                yield f"{write_game(layout, plan.first)}\n"

    def digest(self) -> str:
        """The SHA-256 of the boards as they are drawn now: `sha256`, or something is wrong."""
        found = hashlib.sha256()
        for line in self.board_list():
            found.update(line.encode())
        return found.hexdigest()


SETS: Mapping[str, BenchmarkSet] = MappingProxyType(
    {
        f"{preset}-{start.value}": BenchmarkSet(
            name=f"{preset}-{start.value}", preset=preset, start=start, sha256=sha256
        )
        for preset, start, sha256 in (
            ("expert", Start.OPEN, "68ecd75468b0da2731c1da8da46da38255477dfd1b6eb14eb64c5f62abb765d1"),
            ("expert", Start.SAFE, "89d065c2d074c6bc764b117015415cbc564dda232e542e5203b02a6412a2972d"),
            ("intermediate", Start.OPEN, "2c6ad70ad569dd88ac81149c9ba9bc8e873d352e23edd292a85c9af34f1d80f3"),
            ("intermediate", Start.SAFE, "f21a2eb5bdd366da9ac4f4dcaf97cd5c2db26fae8dd1746e320285d80be7923b"),
            ("beginner", Start.OPEN, "3bc7d3c7ed215aa67c8351bb58cfb8ae5b0105870402c465c623ea65414d0c2c"),
            ("beginner", Start.SAFE, "51e867f06d7c22d38bdeea6eac351cb192974d773e152ab92489005623eaa96a"),
        )
    }
)
"""The six sets by name."""


def find_set(name: str) -> BenchmarkSet:
    """The set of that name; `UnknownNameError` otherwise."""
    if name not in SETS:
        raise UnknownNameError("benchmark set", name, SETS)
    return SETS[name]


@cache
def _stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))
    return found


def stored_version() -> str:
    """The sapper whose strategies the stored results are of."""
    return str(_stored()["sapper"])


def stored_results(name: str) -> dict[str, OutcomeLog]:
    """How sapper's own strategies did on each game of a set: won, or not."""
    return {strategy: _unpacked(text) for strategy, text in _stored()["sets"].get(name, {}).items()}


def packed(won: Sequence[bool]) -> str:
    """Games won and not, eight or a multiple of it, as the stored results have them: a bit a game, the first the highest of its byte."""
    if not won or len(won) % 8:
        raise ValueError(f"{len(won)} games do not fill bytes")
    content = int("".join("01"[one] for one in won), 2).to_bytes(len(won) // 8)
    return base64.b64encode(zlib.compress(content, 9)).decode()


def _unpacked(text: str) -> OutcomeLog:
    found = OutcomeLog()
    for byte in zlib.decompress(base64.b64decode(text)):
        for place in range(7, -1, -1):
            found.add(GameOutcome.WON if byte >> place & 1 else GameOutcome.LOST)
    return found
