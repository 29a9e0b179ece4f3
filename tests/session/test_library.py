"""Games for a program: begun without a word, and what is said of a text that is no saved game."""

import json

import pytest

import sapper


def test_a_game_of_no_name_is_a_beginners() -> None:
    assert sapper.new_game().board.grid == sapper.Grid(9, 9)
    assert sapper.new_game(seed=7).record().code == sapper.new_game("beginner", seed=7).record().code


@pytest.mark.parametrize("wrong", [None, 5, b"{}"])
def test_what_is_no_text_is_no_saved_game(wrong: object) -> None:
    with pytest.raises(sapper.ArgumentError) as told:
        sapper.load_game(wrong)  # type: ignore[arg-type]
    assert str(told.value) == f"a saved game is text, not {wrong!r}"


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_text_is_no_saved_game(empty: str) -> None:
    with pytest.raises(sapper.RecordError, match="a saved game is the text that save_game gave; this text is empty"):
        sapper.load_game(empty)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ({}, "the saved game has version None; this sapper reads version 4"),
        ({"version": [1]}, r"has version \[1\]; "),
        ({"version": 3}, "has version 3; "),
        ({"version": 5}, "has version 5; "),
    ],
)
def test_a_version_that_cannot_be_read_is_named(version: dict[str, object], message: str) -> None:
    document = json.loads(sapper.save_game(sapper.new_game(seed=7)))
    del document["version"]
    with pytest.raises(sapper.RecordError, match=message):
        sapper.load_game(json.dumps(document | version))
