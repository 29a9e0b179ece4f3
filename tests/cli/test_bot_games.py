"""Which games the bot plays: a preset's, Kaboom's, or that of a code."""

import click
import pytest

from sapper.cli.bot import command
from sapper.cli.bot_games import Games
from sapper.core.rules import Start
from sapper.generator.game_code import game_of_code
from sapper.generator.new_game import new_game
from sapper.session.new_session import coded_game


def _games(*words: str) -> Games:
    context = command.make_context("bot", list(words))
    return Games.of({**context.params, "record": context.params.get("record", False)}, context)


def test_a_preset_s_are_those_of_their_seeds() -> None:
    games = _games("--preset", "beginner", "--mines", "12", "--start", "safe")
    assert (games.name, games.first, games.start, games.preset.mine_counts) == ("beginner", None, Start.SAFE, (12,))
    game, same = games.new(5), new_game(games.preset, seed=5)
    assert game.reveal(3) == same.reveal(3)


def test_a_code_s_is_always_the_same() -> None:
    code = coded_game("kata", seed=7).code
    games = _games("--code", code)
    assert games.code == game_of_code(code)
    assert (games.name, games.first, games.start) == ("a code", None, Start.ANY)
    one, other = games.new(1), games.new(2)
    assert one.reveal(0) == other.reveal(0)


def test_what_says_the_same_twice() -> None:
    code = coded_game("kata", seed=7).code
    for option in (["--size", "4x4"], ["--kaboom"], ["--start", "any"], ["--rules", "kata"], ["--mines", "1"]):
        with pytest.raises(click.UsageError, match=f"leave out {option[0]}"):
            _games("--code", code, *option)
