"""What `sapper generate` prints of a layout: the table of formats, and JSON.

A new format is a line in `FORMATS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sapper.core.board import Board
from sapper.core.notation import write_board
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.generator.board_list import write_game
from sapper.generator.game_code import CodedGame
from sapper.generator.mbf import write_mbf
from sapper.generator.search_values import GeneratedLayout

_SHOWN = bytes(Tile.MINE if code == 9 else code for code in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A layout of the command, and the game it was made for."""

    found: GeneratedLayout
    game: CodedGame

    @property
    def layout(self) -> Layout:
        return self.found.layout

    @property
    def layout_game(self) -> CodedGame:
        return replace(self.game, layout=self.layout, seed=None, spec=None)


class Format(NamedTuple):
    """One way to print a layout; `gap` goes between two of them, where there can be two."""

    write: Callable[[Generated], str | bytes]
    gap: str = ""
    holds_many: bool = True


def shown(made: Generated) -> Board:
    layout = made.layout
    return Board(
        grid=layout.grid,
        rules=made.game.rules,
        mine_count=layout.mine_count,
        tiles=layout.clues.translate(_SHOWN),
        status=Status.TERMINATED,
    )


def _text(made: Generated) -> str:
    return write_board(shown(made))


def _list(made: Generated) -> str:
    return write_game(made.layout, made.found.first) + "\n"


FORMATS: Mapping[str, Format] = {
    "text": Format(_text, "\n"),
    "list": Format(_list),
    "mbf": Format(lambda made: write_mbf(made.layout), holds_many=False),
    "code": Format(lambda made: made.game.code + "\n"),
    "layout-code": Format(lambda made: made.layout_game.code + "\n"),
}
"""The formats by their names."""


def board_data(made: Generated, *, with_proof: bool) -> dict[str, Any]:
    from sapper._kernels import values_of
    from sapper.generator.no_guess.certificate import certificate_data

    layout, certificate = made.layout, made.found.certificate
    values = values_of(*layout.grid.table, layout.clues)
    data: dict[str, Any] = {
        "seed": made.game.seed,
        "first": layout.grid.xy(made.found.first),
        "mines": list(layout.mines),
        "3bv": values.bbbv,
        "openings": values.openings,
        "tries": made.found.tries,
        "code": made.game.code,
        "layout_code": made.layout_game.code,
    }
    if certificate is not None:
        data["no_guess"] = {
            "difficulty": certificate.difficulty.word,
            "hardest": None if certificate.hardest is None else certificate.hardest.words,
            "mine_count": certificate.mine_count,
            "steps": {technique.words: count for technique, count in certificate.counts.items()},
        }
        if with_proof:
            data["proof"] = certificate_data(certificate)
    return data
