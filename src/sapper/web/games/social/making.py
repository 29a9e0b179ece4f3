"""Makes the board of a day, in a worker process: drawn by a secret, without guesses, with its proof."""

import hashlib
import hmac
import json
from typing import Final

from sapper.core.cells import Cell
from sapper.core.preset import PRESETS
from sapper.core.rng import Rng
from sapper.errors import SapperError
from sapper.generator.game_code import CodedGame
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec, chosen_method
from sapper.generator.no_guess.certificate import certificate_data
from sapper.generator.no_guess.verify import fault_of
from sapper.metrics.layout import bbbv_of
from sapper.store.daily import BoardName, DailyBoard

MAKE_TIME: Final = 60.0
"""Seconds that a board may take."""
_FIRST_KEY: Final = 0xF157
"""The key of the random numbers that choose the first cell."""


def make_board(secret: str, name: BoardName) -> DailyBoard:
    """The board of that name: the same from the same secret. Its proof was checked."""
    text = f"{name.day} {name.size} {name.audience}".encode()
    seed = int.from_bytes(hmac.digest(bytes.fromhex(secret), text, hashlib.sha256)[:8])
    preset = PRESETS[name.size]
    grid, (mine_count,), start = preset.grid, preset.mine_counts, preset.rules.start
    first = Cell(Rng(seed).split(_FIRST_KEY).below(grid.size))
    spec = LayoutSpec(
        grid=grid, mine_count=mine_count, start=start, first=first, no_guess=True,
        method=chosen_method(grid, mine_count, start, first),
    )  # fmt: skip
    found = generate_layout(spec, seed)
    assert found.certificate is not None
    fault = fault_of(found.layout, first, found.certificate)
    if fault is not None:
        raise SapperError(f"the proof of the board of {name.day}, {name.size}, does not hold: {fault}")
    coded = CodedGame(rules=preset.rules, grid=grid, mine_count=mine_count, first=first, layout=found.layout)
    return DailyBoard(
        name=name,
        code=coded.code,
        proof=json.dumps(certificate_data(found.certificate), separators=(",", ":")),
        difficulty=int(found.certificate.difficulty),
        bbbv=bbbv_of(found.layout),
    )
