"""A name and a seed give a game, the same everywhere and forever."""

from pathlib import Path

import pytest

from sapper.core.move import Move
from sapper.core.preset import PRESETS, Preset
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.errors import InvalidValueError, UnknownNameError
from sapper.game.layout import Layout
from sapper.generator.board_file import read_board_list
from sapper.generator.new_game import choose_mine_count, new_game, new_referee, new_source

FROZEN = [
    line.split(": ", 1)
    for line in (Path(__file__).parents[1] / "data/rng_v1.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def _drawn(preset: str, seed: int, first: int) -> Layout:
    referee = new_referee(preset, seed=seed)
    referee.play(Move.reveal(first))
    assert referee.layout is not None
    return referee.layout


@pytest.mark.parametrize(("name", "line"), FROZEN, ids=[name for name, _ in FROZEN])
def test_one_seed_one_layout_for_ever(name: str, line: str) -> None:
    """tests/data/rng_v1.txt is never written anew: it is what was promised."""
    preset, seed = name.split("#")
    (game,) = read_board_list([line])
    assert _drawn(preset, int(seed), game.first) == game.layout


def test_every_preset_has_frozen_layouts() -> None:
    assert {name.split("#")[0] for name, _ in FROZEN} == set(PRESETS)
    assert len(FROZEN) >= 6 * len(PRESETS)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_game_is_that_of_its_preset(preset: Preset) -> None:
    for seed in range(20):
        game = new_game(preset.name, seed=seed)
        assert (game.grid, game.rules, game.board.covered_count) == (preset.grid, preset.rules, preset.grid.size)
        assert game.mine_count in preset.mine_counts
        assert game.board == new_game(preset, seed=seed).board
        late = new_referee(preset, seed=seed).layout is None
        assert late == (preset.rules.start is not Start.ANY)


def test_the_seed_draws_the_mine_count_where_there_are_several() -> None:
    counts = [new_game("kata", seed=seed).mine_count for seed in range(200)]
    assert set(counts) == {1, 3}
    assert 60 < counts.count(1) < 140
    assert counts == [choose_mine_count(PRESETS["kata"], seed) for seed in range(200)]
    assert [choose_mine_count(PRESETS["kata"], seed) for seed in range(8)] == KATA_COUNTS


KATA_COUNTS = [3, 1, 1, 3, 3, 1, 1, 3]


def test_the_layout_does_not_depend_on_what_is_flagged_before_or_done_after() -> None:
    plain = _drawn("expert", 3, 93)
    referee = new_referee("expert", seed=3)
    for cell in (0, 5, 94):
        referee.play(Move.flag(cell))
    referee.play(Move.reveal(93))
    assert referee.layout == plain
    assert referee.board.flagged >= {0, 5}  # kept across the draw
    referee.play(Move.unflag(0))
    assert referee.layout == plain


def test_the_same_seed_is_another_game_elsewhere() -> None:
    assert _drawn("expert", 3, 93) != _drawn("expert", 3, 94)
    assert _drawn("expert", 3, 93) != _drawn("expert", 4, 93)
    assert new_source(PRESETS["expert"], 3).generate(new_game("expert", seed=3).board, 93) == _drawn("expert", 3, 93)  # type: ignore[arg-type]


def test_a_preset_of_ones_own() -> None:
    preset = Preset(name="mine", rules=RULES["classic"], width=1, height=9, mine_counts=(2, 4, 6))
    assert {new_game(preset, seed=seed).mine_count for seed in range(50)} == {2, 4, 6}


def test_errors() -> None:
    with pytest.raises(UnknownNameError, match="unknown preset 'export'"):
        new_game("export", seed=1)
    for seed in (-1, 2**64):
        with pytest.raises(InvalidValueError, match="a seed is an integer from 0"):
            new_game("expert", seed=seed)
    assert Rng(2**64 - 1).seed == 2**64 - 1
