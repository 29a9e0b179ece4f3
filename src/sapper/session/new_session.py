"""A new session from a name and a seed, or from a code."""

from sapper.core.preset import Preset, as_preset
from sapper.game.referee import Referee
from sapper.generator.game_code import CodedGame
from sapper.generator.new_game import choose_mine_count
from sapper.session.clock import Clock, system_clock
from sapper.session.session import Session


def coded_game(preset: Preset | str, *, seed: int) -> CodedGame:
    """The game of a preset with that seed, as codes name it: the same as `new_game`'s."""
    preset = as_preset(preset)
    return CodedGame(rules=preset.rules, grid=preset.grid, mine_count=choose_mine_count(preset, seed), seed=seed)


def new_session(game: CodedGame, *, clock: Clock = system_clock) -> tuple[Session, Referee]:
    """A session of a new game, and its referee: the session is the player's, the referee for who keeps the truth.

    >>> session, referee = new_session(coded_game("beginner", seed=7), clock=lambda: 0)
    >>> session.left_click(40).status.value
    'playing'
    """
    referee = game.referee()
    return Session(referee, clock=clock, code=game.code, seed=game.seed), referee
