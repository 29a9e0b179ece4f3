"""The codes of tiles are part of every format: they never change."""

from sapper.core.tile import CLUES, Tile


def test_codes_are_fixed() -> None:
    names = "ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT COVERED FLAGGED QUESTION MINE EXPLODED WRONG_FLAG"
    assert [tile.name for tile in Tile] == names.split()
    assert [int(tile) for tile in Tile] == list(range(15))


def test_what_is_a_clue_and_what_is_revealed() -> None:
    assert [int(tile) for tile in Tile if tile.is_clue] == sorted(CLUES) == list(range(9))
    assert [tile for tile in Tile if tile.is_revealed and not tile.is_clue] == [Tile.EXPLODED]
