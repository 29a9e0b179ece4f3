"""The games for Stable-Baselines3 are those of the vector environment, told as its algorithms want them.

Where Stable-Baselines3 is not installed a base class stands in for its `VecEnv`, with what the class of that name gives to its heirs.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from sapper.rl.vector_env import MinesweeperVectorEnv

HAS_SB3 = find_spec("stable_baselines3") is not None
TASK: dict[str, Any] = {"width": 5, "height": 4, "mine_count": 3, "rewards": "progress", "observation": "planes"}


class _VecEnv:
    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._reset_seeds()
        self._reset_options()

    def seed(self, seed: int) -> list[int | None]:
        self._seeds: list[int | None] = [seed + number for number in range(self.num_envs)]
        return self._seeds

    def _reset_seeds(self) -> None:
        self._seeds = [None] * self.num_envs

    def _reset_options(self) -> None:
        self._options: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]

    def _get_indices(self, indices: Any) -> Any:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

    def step(self, actions: Any) -> Any:
        self.step_async(actions)  # type: ignore[attr-defined]
        return self.step_wait()  # type: ignore[attr-defined]


@pytest.fixture
def made() -> Iterator[Any]:
    """The class under test, with the true `VecEnv` or the one that stands in."""
    with pytest.MonkeyPatch.context() as patch:
        if not HAS_SB3:
            for name, thing in {"common": None, "common.monitor": "Monitor", "common.vec_env": "VecEnv"}.items():
                module = ModuleType(f"stable_baselines3.{name}")
                if thing is not None:
                    setattr(module, thing, _VecEnv if thing == "VecEnv" else type(thing, (), {}))
                patch.setitem(sys.modules, module.__name__, module)
            patch.setitem(sys.modules, "stable_baselines3", ModuleType("stable_baselines3"))
            patch.delitem(sys.modules, "sapper.rl.sb3", raising=False)
        from sapper.rl.sb3 import MinesweeperVecEnv

        yield MinesweeperVecEnv
        if not HAS_SB3:
            sys.modules.pop("sapper.rl.sb3", None)


def test_its_games_are_those_of_the_vector_environment(made: Any) -> None:
    games = 8
    ours = made(games, **TASK)
    theirs = MinesweeperVectorEnv(games, autoreset_mode=AutoresetMode.SAME_STEP, max_steps=20, **TASK)
    assert (ours.observation_space, ours.action_space) == (theirs.single_observation_space, theirs.single_action_space)
    ours.seed(40)
    assert (ours.reset() == theirs.reset(seed=40)[0]).all()
    rng = np.random.default_rng(2)
    returns, lengths, ended, won = np.zeros(games), np.zeros(games, int), 0, 0
    for _ in range(80):
        masks = ours.action_masks()
        assert (np.stack(ours.env_method("action_masks")) == masks).all()
        assert masks.any(axis=1).all()
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in masks])
        observation, rewards, dones, infos = ours.step(actions)
        seen, worth, terminated, truncated, told = theirs.step(actions)
        assert (observation == seen).all()
        assert rewards.dtype == np.float32
        assert rewards == pytest.approx(worth)
        assert (dones == (terminated | truncated)).all()
        assert not truncated.any(), "no player of legal moves meets the limit"
        returns += worth
        lengths += 1
        for row, info in enumerate(infos):
            if not dones[row]:
                assert info == {}
                continue
            assert (info["terminal_observation"] == told["final_obs"][row]).all()
            assert info["is_success"] == told["final_info"]["won"][row] == (info["terminal_observation"][10].max() == 0)
            assert info["episode"] == {"r": pytest.approx(returns[row]), "l": lengths[row]}
            assert info["TimeLimit.truncated"] is False
            ended, won = ended + 1, won + info["is_success"]
        returns[dones] = lengths[dones] = 0
    assert ended > 50
    assert won > 3
    assert (ours.reset() == theirs.reset()[0]).all()


def test_a_player_that_repeats_itself_is_cut_off(made: Any) -> None:
    games = made(3, width=5, height=4, mine_count=3, max_steps=None)
    games.seed(1)
    games.reset()
    for _ in range(19):
        assert not games.step([7, 7, 7])[2].any()
    observation, _, dones, infos = games.step([7, 7, 7])
    assert dones.all()
    assert [info["TimeLimit.truncated"] for info in infos] == [True] * 3
    assert all((info["terminal_observation"] != 9).any() for info in infos)
    assert (observation == 9).all(), "the next game has begun"


def test_what_games_have_and_what_they_have_not(made: Any) -> None:
    games = made(2, **TASK)
    assert [method().shape for method in games.get_attr("action_masks")] == [(2, 20)] * 2
    with pytest.raises(AttributeError):
        games.get_attr("layout")
    with pytest.raises(AttributeError, match="no layout"):
        games.env_method("layout")
    with pytest.raises(AttributeError, match="cannot be set"):
        games.set_attr("layout", 1)
    assert games.env_is_wrapped(_VecEnv) == [False, False]


@pytest.mark.skipif(not HAS_SB3, reason="Stable-Baselines3 is not locked: it needs torch")
def test_maskable_ppo_learns_something(made: Any) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    games = made(64, width=3, height=3, mine_count=2, observation="planes", rewards="progress")
    model = contrib.MaskablePPO("MlpPolicy", games, n_steps=16, batch_size=256, seed=1, device="cpu")
    before, _ = evaluate_policy(
        model, made(64, width=3, height=3, mine_count=2, observation="planes"), n_eval_episodes=256
    )
    model.learn(30_000)
    after, _ = evaluate_policy(
        model, made(64, width=3, height=3, mine_count=2, observation="planes"), n_eval_episodes=256
    )
    assert after > before + 0.1
