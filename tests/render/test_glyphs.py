"""The outlines of pictures."""

import re

import pytest

from sapper.render.glyphs import CELL, LIT, SEGMENTS, pips


@pytest.mark.parametrize("clue", range(1, 9))
def test_pips_count_fives_and_ones(clue: int) -> None:
    outline = pips(clue)
    bars, dots = outline.count("h8v"), outline.count("z") - outline.count("h8v")
    assert 5 * bars + dots == clue


@pytest.mark.parametrize("clue", range(1, 9))
def test_pips_lie_in_the_cell_and_in_its_middle(clue: int) -> None:
    starts = [float(x) for x in re.findall(r"M(-?[\d.]+) [\d.]+a", pips(clue))]
    if starts:
        assert starts[0] >= 0
        assert starts[-1] + 1.8 <= CELL
        assert starts[0] + starts[-1] + 1.8 == pytest.approx(CELL)


def test_every_sign_of_a_counter_has_segments_of_its_own() -> None:
    assert set(LIT) == {*"0123456789-"}
    assert len(SEGMENTS) == 7
    assert len({frozenset(segments) for segments in LIT.values()}) == len(LIT)
    assert all(set(segments) <= set("abcdefg") for segments in LIT.values())
