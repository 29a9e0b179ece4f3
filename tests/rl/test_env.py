"""One game at a time: Gymnasium's checker, rewards, what is observed and what is not."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.errors import ArgumentError, CellError, InvalidValueError, SapperError
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.source import FixedLayout
from sapper.generator.new_game import new_game
from sapper.rl.env import MinesweeperEnv
from sapper.rl.envs import ENVIRONMENTS
from sapper.rl.rewards import Rewards
from sapper.rl.vector_env import MinesweeperVectorEnv
from tests.playing import layout_of
from tests.worlds import other_worlds

ALL_WAYS: list[dict[str, Any]] = [
    {},
    {"observation": "planes", "rewards": "careful", "chances": True, "max_steps": 40},
    {"width": 7, "height": 3, "mine_count": 4, "start": "any", "rules": "formal"},
]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_gymnasiums_checker_has_nothing_to_say(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make(name).unwrapped)  # warnings are errors
    assert capsys.readouterr().out.count("#") > 0  # the render mode `human` among the modes that it tries


@pytest.mark.parametrize("arguments", ALL_WAYS, ids=str)
def test_so_it_is_with_every_kind_of_argument(arguments: dict[str, Any]) -> None:
    check_env(gymnasium.make("sapper/Minesweeper-v1", **arguments).unwrapped, skip_render_check=True)
    one, other = (gymnasium.make("sapper/Minesweeper-v1", **arguments) for _ in range(2))
    check_environments_match(one, other, num_steps=60, seed=3)


def test_a_seed_gives_the_games_of_a_run() -> None:
    env = MinesweeperEnv()
    for number in range(3):
        _, info = env.reset(seed=None if number else 7)
        game = new_game("beginner", seed=Rng(7).split(number).seed)
        rng = np.random.default_rng(number)
        assert info["action_mask"].all()
        terminated = False
        while not terminated:
            cell = int(rng.choice(np.flatnonzero(info["action_mask"])))
            game.reveal(cell)
            observed, reward, terminated, truncated, info = env.step(cell)
            assert observed.tobytes() == game.board.tiles
            assert terminated == game.status.ended
            assert not truncated
            assert reward == (0 if not terminated else 1 if game.board.is_won else -1)
        assert info["won"] == game.board.is_won
        assert not info["action_mask"].any()


class _Laid(MinesweeperEnv):
    """An environment on a given layout."""

    def __init__(self, layout: Layout, **arguments: Any) -> None:
        grid = layout.grid
        super().__init__(
            width=grid.width, height=grid.height, mine_count=layout.mine_count, start=Start.ANY, **arguments
        )
        self._layout = layout

    def _new_game(self, seed: int) -> Game:
        return Game(rules=self.task.preset.rules, source=FixedLayout(self._layout))


def test_rewards_add_up() -> None:
    rewards = Rewards(win=10, loss=-20, progress=3, illegal=-0.5)
    env = _Laid(layout_of("*..../....*"), rewards=rewards, max_steps=6)
    env.reset(seed=1)
    assert env.step(1)[1] == pytest.approx(3 / 8)
    assert env.step(1)[1:4] == (-0.5, False, False)
    observed, reward, terminated, _, info = env.step(9)
    assert (reward, terminated, info["won"], info["revealed"]) == (-20, True, False, 1)
    assert observed[1, 4] == 13
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    steps = [env.step(1) for _ in range(6)]
    assert [one[3] for one in steps] == [False] * 5 + [True]


def test_needless_risk_is_the_chance_above_the_least() -> None:
    env = _Laid(layout_of("*..../....*"), rewards=Rewards(risk=-1.0), chances=True)
    _, info = env.reset(seed=1)
    assert info["chances"] == pytest.approx(np.full((2, 5), 0.2))
    _, reward, _, _, info = env.step(1)
    assert reward == 0  # all were as likely
    # The 1 has five covered neighbours and one of the two mines, the other four cells the other one.
    assert info["chances"] == pytest.approx(np.array([[0.2, -1, 0.2, 0.25, 0.25], [0.2, 0.2, 0.2, 0.25, 0.25]]))
    assert env.step(3)[1] == pytest.approx(-0.05)


def test_planes_say_what_tiles_say() -> None:
    tiles, planes = MinesweeperEnv(start="any"), MinesweeperEnv(start="any", observation="planes")
    seen = set()
    rng = np.random.default_rng(1)
    for seed in range(20):
        one, _ = tiles.reset(seed=seed)
        other, _ = planes.reset(seed=seed)
        over = False
        while not over:
            assert (other.sum(axis=0) == 1).all()
            shown = other.argmax(axis=0)
            assert (np.where(shown == 10, 13, shown) == one).all()
            seen |= set(shown.ravel().tolist())
            cell = int(rng.integers(81))
            one, _, over, _, _ = tiles.step(cell)
            other = planes.step(cell)[0]
    assert {0, 1, 2, 3, 9} <= seen


def _equal(one: Any, other: Any) -> bool:
    return bool(gymnasium.utils.env_checker.data_equivalence(one, other, exact=True))


def test_two_worlds_show_the_same() -> None:
    """Observation, reward and info are the same on another layout that agrees with all that was seen, until a cell tells."""
    compared = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        truth = new_game("beginner8", seed=seed)
        safe_first = 27
        truth.reveal(safe_first)
        board = truth.board
        truth_layout = _layout_of_game(truth)
        other = next(other_worlds(board, truth_layout, Rng(seed)), None)
        if other is None:
            continue
        assert other != truth_layout
        ways: dict[str, Any] = {"chances": True, "rewards": "careful"}
        one_env, other_env = _Laid(truth_layout, **ways), _Laid(other, **ways)
        assert _equal(one_env.reset(seed=seed), other_env.reset(seed=seed))
        assert _equal(one_env.step(safe_first), other_env.step(safe_first))
        shown = [cell for cell in range(64) if board.tiles[cell] < 9]
        for cell in rng.choice(shown, 3):
            assert _equal(one_env.step(int(cell)), other_env.step(int(cell)))
        telling = next(cell for cell in range(64) if truth_layout.is_mine(cell) != other.is_mine(cell))
        assert not _equal(one_env.step(telling)[:4], other_env.step(telling)[:4])  # the comparison can fail
        compared += 1
    assert compared > 6


def _layout_of_game(game: Game) -> Layout:
    layout: Layout = game._Game__referee.layout  # type: ignore[attr-defined]
    return layout


def test_the_seed_of_a_game_is_not_told() -> None:
    env = MinesweeperEnv(chances=True)
    assert set(env.reset(seed=1)[1]) == {"action_mask", "revealed", "won", "chances"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mine_count": 81}, "needs 1 to 80"),
        ({"mine_count": 0}, "needs 1 to 80"),
        ({"rules": "jminesweeper"}, "win=revealed"),
        ({"rules": "none such"}, "none such"),
        ({"start": "open?"}, "open"),
        ({"rewards": "much"}, "progress"),
        ({"observation": "pixels"}, "planes"),
        ({"max_steps": 0}, "max_steps"),
        ({"width": 0}, "0"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(SapperError, match=words):
        MinesweeperEnv(**arguments)


def test_what_cannot_be_played_is_refused() -> None:
    env = MinesweeperEnv()
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.render()
    with pytest.raises(InvalidValueError):
        env.reset(seed=1 << 64)
    env.reset(seed=1)
    with pytest.raises(CellError):
        env.step(81)
    with pytest.raises(gymnasium.error.UnsupportedMode):
        MinesweeperEnv(render_mode="opera")


def test_render() -> None:
    env = MinesweeperEnv(render_mode="ansi")
    env.reset(seed=7)
    env.step(40)
    text = env.render()
    assert text.count("\n") == 9
    assert "." in text
    pictured = MinesweeperEnv(render_mode="rgb_array")
    pictured.reset(seed=7)
    covered = pictured.render()
    pictured.step(40)
    opened = pictured.render()
    assert covered.shape == opened.shape
    assert covered.ndim == 3
    assert covered.shape[2] == 3
    assert (covered != opened).any()


def test_a_fresh_program_names_the_module_and_imports_nothing() -> None:
    code = 'import gymnasium; print(gymnasium.make("sapper.rl.envs:sapper/Beginner-v1").action_space.n)'
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "81\n"


def test_masks_for_learners_are_the_legal_reveals_and_never_empty() -> None:
    env = gymnasium.make("sapper/Minesweeper-v1", width=3, height=2, mine_count=1)
    masks = env.get_wrapper_attr("action_masks")
    _, info = env.reset(seed=3)
    assert masks().all()
    ended = False
    while not ended:
        assert masks().dtype == np.bool_
        assert (masks() == (info["action_mask"] == 1)).all()
        _, _, ended, _, info = env.step(int(masks().argmax()))
    assert not info["action_mask"].any()
    assert masks().all()


def test_masks_of_many_games_allow_everything_where_a_game_has_ended() -> None:
    envs = MinesweeperVectorEnv(16, width=3, height=3, mine_count=2)
    _, info = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    seen = 0
    for _ in range(30):
        masks = envs.action_masks()
        over = ~info["action_mask"].any(axis=1)
        assert (masks[~over] == info["action_mask"][~over]).all()
        assert masks[over].all()
        seen += int(over.sum())
        info = envs.step(np.array([rng.choice(np.flatnonzero(row)) for row in masks]))[4]
    assert seen > 20


def test_an_action_that_is_no_integer_is_refused() -> None:
    env = MinesweeperEnv()
    env.reset(seed=1)
    with pytest.raises(ArgumentError, match=r"action is an integer, the cell to reveal, not 3\.5"):
        env.step(3.5)  # type: ignore[arg-type]
