"""Thousands of games at once, as Stable-Baselines3 wants them: a `VecEnv` whose step is one call of a kernel.

`pip install stable-baselines3 sb3-contrib` brings what this module needs; sapper has no extra for it.
"""

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from sapper.rl.task import TaskArguments
from sapper.rl.vector_env import MinesweeperVectorEnv


class MinesweeperVecEnv(VecEnv):  # type: ignore[misc]  # it is not locked: its torch is larger than all that is
    """`num_envs` games as in `MinesweeperVectorEnv`; the next game begins in the step that ends one.

    The arguments are those of `MinesweeperEnv`. Without `max_steps` a game is cut off after as many steps as there are cells: a player
    of legal moves never meets that, one that repeats itself does. `seed(S)` before `reset()` gives game `i` run S + i.

    `action_masks()` is what `sb3_contrib.MaskablePPO` asks for. `info` of a game that has ended has `terminal_observation`,
    `TimeLimit.truncated` if it was cut off, and, as of a `Monitor`, `episode`; `is_success` says whether it was won, so that
    `rollout/success_rate` is the rate of games won.
    """

    def __init__(self, num_envs: int, *, native: bool = True, **task: Unpack[TaskArguments]) -> None:
        task["max_steps"] = task.get("max_steps") or task.get("width", 9) * task.get("height", 9)
        self.games = MinesweeperVectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, native=native, **task)
        self.render_mode = None
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._actions: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)

    def reset(self) -> NDArray[np.uint8]:
        """Begin a game of each run: the first of new ones after `seed`, else the next."""
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observation, _ = self.games.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        return observation

    def step_async(self, actions: Any) -> None:
        """The actions of the step that `step_wait` makes."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Reveal a cell in every game."""
        observation, rewards, terminated, truncated, told = self.games.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(dones).tolist():
            infos[row] = {
                "terminal_observation": told["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row]),
                "is_success": bool(told["final_info"]["won"][row]),
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row])},
            }
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return observation, rewards.astype(np.float32), dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Where a reveal is legal, a row a game."""
        return self.games.action_masks()

    def close(self) -> None:
        self.games.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """One value, which all games share; of methods, the whole vector's."""
        return [
            getattr(self if hasattr(self, attr_name) else self.games, attr_name) for _ in self._get_indices(indices)
        ]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Games have nothing of their own that could be set."""
        raise AttributeError(f"{attr_name} of a game cannot be set: make new games")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """`action_masks`, the only method that a game has."""
        if method_name != "action_masks":
            raise AttributeError(f"a game has action_masks(), and no {method_name}()")
        masks = self.action_masks()
        return [masks[game] for game in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """True of `Monitor`, whose `info` these games have; no other wrapper is there."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """No pictures: `MinesweeperEnv` draws one game."""
        return []
