"""Many games at once: the same as Gymnasium's own vector of single environments, in every mode; as many games of the engine."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from sapper.core.rng import Rng
from sapper.errors import CellError, InvalidValueError
from sapper.game.layout import Layout
from sapper.generator.new_game import new_game
from sapper.rl.env import MinesweeperEnv
from sapper.rl.envs import ENVIRONMENTS
from sapper.rl.vector_env import MinesweeperVectorEnv, RecycledCopies
from tests.worlds import other_worlds

WAYS: dict[str, dict[str, Any]] = {
    "beginner": {},
    "planes, progress, cut off": {"observation": "planes", "rewards": "progress", "max_steps": 5},
    "chances, careful": {
        "width": 6,
        "height": 5,
        "mine_count": 5,
        "rewards": "careful",
        "chances": True,
        "max_steps": 9,
    },
    "any start, over four": {"width": 5, "height": 4, "mine_count": 3, "start": "any", "rules": "engine+spread=4"},
}


def _actions(rng: np.random.Generator, mask: Any) -> Any:
    """Mostly legal cells; some that are revealed already."""
    legal = [int(rng.choice(np.flatnonzero(row))) if row.any() and rng.random() < 0.9 else 3 for row in mask]
    return np.array(legal, np.int64)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("way", WAYS)
def test_it_is_a_vector_of_single_environments(way: str, mode: AutoresetMode) -> None:
    arguments, games = WAYS[way], 6
    many = MinesweeperVectorEnv(games, autoreset_mode=mode, **arguments)
    single = SyncVectorEnv([lambda: MinesweeperEnv(**arguments) for _ in range(games)], autoreset_mode=mode)
    assert many.single_observation_space == single.single_observation_space
    assert many.action_space == single.action_space
    assert many.metadata["autoreset_mode"] == single.metadata["autoreset_mode"]
    rng = np.random.default_rng(3)
    one: Any = many.reset(seed=11)
    other: Any = single.reset(seed=11)
    ended = 0
    for _ in range(60):
        assert data_equivalence(_comparable(one), _comparable(other))
        assert many.observation_space.contains(one[0])
        actions = _actions(rng, one[-1]["action_mask"])
        one, other = many.step(actions), single.step(actions)
        over = one[2] | one[3]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            assert data_equivalence(_comparable(one), _comparable(other))
            one = many.reset(options={"reset_mask": over})
            other = single.reset(options={"reset_mask": over})
            one[-1]["action_mask"] = other[-1]["action_mask"] = many._games.mask.copy()  # of all, to go on with
    assert ended > 10


def _comparable(result: Any) -> Any:
    """Without the order of names in `info`; sums to twelve digits."""

    def tidy(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: tidy(value[name]) for name in sorted(value)}
        if isinstance(value, np.ndarray) and value.dtype == object:
            return tuple(None if one is None else one.tolist() for one in value)
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            return value.round(12)
        return value

    return tuple(map(tidy, result))


def test_expert_games_are_those_of_the_engine_move_for_move() -> None:
    games = 200
    env = MinesweeperVectorEnv(games, width=30, height=16, mine_count=99, autoreset_mode="Disabled")
    engine = [new_game("expert", seed=Rng(500 + number).split(0).seed) for number in range(games)]
    observed, info = env.reset(seed=500)
    rng = np.random.default_rng(2)
    moves = 0
    while True:
        running = [number for number, game in enumerate(engine) if not game.status.ended]
        if not running:
            break
        actions = np.zeros(games, np.int64)
        for number in running:
            actions[number] = rng.choice(np.flatnonzero(info["action_mask"][number]))
            engine[number].reveal(int(actions[number]))
            moves += 1
        env._games.stepper.step(actions)  # games that have ended rest
        observed, info = env._observation(), env._info(env._all)
        for number in running:
            assert observed[number].tobytes() == engine[number].board.tiles
            assert (env._games.status(number)) is engine[number].status
    assert moves > 3 * games


def test_python_alone_plays_the_same() -> None:
    quick, plain = (MinesweeperVectorEnv(4, native=which) for which in (True, False))
    rng = np.random.default_rng(1)
    one: Any = quick.reset(seed=1)
    other: Any = plain.reset(seed=1)
    for _ in range(30):
        assert data_equivalence(one, other)
        actions = _actions(rng, one[-1]["action_mask"])
        one, other = quick.step(actions), plain.step(actions)


def test_two_worlds_show_the_same() -> None:
    """Other mines where nobody has looked change neither observation, reward nor info until a cell tells."""
    ways: dict[str, Any] = {"width": 8, "height": 8, "mine_count": 10, "chances": True, "rewards": "careful"}
    compared = 0
    one_env, other_env = (MinesweeperVectorEnv(12, **ways) for _ in range(2))
    one_env.reset(seed=40)
    other_env.reset(seed=40)
    first = np.full(12, 27)
    assert data_equivalence(one_env.step(first), other_env.step(first))
    telling = np.zeros(12, np.int64)
    for number in range(12):
        clues = one_env._games.buffers.clues.reshape(12, 64)[number]
        board = one_env.task.board(one_env._games.tiles[number], one_env._games.status(number))
        truth = Layout(board.grid, type(board.covered).where(bytes(clues == 9)))
        other = next(other_worlds(board, truth, Rng(number)), None)
        if other is not None:
            other_env._games.buffers.clues.reshape(12, 64)[number] = np.frombuffer(other.clues, np.uint8)
            telling[number] = next(iter(truth.mines - other.mines))
            compared += 1
    assert compared > 6
    shown = np.array([int(np.flatnonzero(row < 9)[0]) for row in one_env._games.tiles])
    assert data_equivalence(one_env.step(shown), other_env.step(shown))
    apart = one_env.step(telling)[2] != other_env.step(telling)[2]
    assert apart.sum() == compared


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_make_vec_makes_it(name: str) -> None:
    env = gymnasium.make_vec(name, num_envs=3, autoreset_mode="SameStep")
    assert isinstance(env.unwrapped, MinesweeperVectorEnv)
    observed, info = env.reset(seed=1)
    assert observed.shape[0] == len(info["action_mask"]) == 3
    env.close()


def test_without_a_seed_runs_go_on_and_differ() -> None:
    env = MinesweeperVectorEnv(50)
    env.reset()
    assert len(set(env._games.buffers.seeds.tolist())) == 50
    env.reset()
    assert (env._games.buffers.numbers == 1).all()
    env.reset(seed=[5, None] + [None] * 48)
    assert env._games.buffers.numbers.tolist() == [0] + [2] * 49


def test_views_are_the_environments_own() -> None:
    env = MinesweeperVectorEnv(2, copy=False)
    observed, _ = env.reset(seed=1)
    env.step([40, 40])
    assert (observed != 9).any()
    kept, _ = MinesweeperVectorEnv(2).reset(seed=1)
    assert (kept == 9).all()


def test_render_shows_every_game() -> None:
    env = MinesweeperVectorEnv(2, render_mode="ansi")
    env.reset(seed=1)
    texts = env.render()
    assert texts is not None
    assert [text.count("#") for text in texts] == [81, 81]
    pictured = MinesweeperVectorEnv(2, render_mode="rgb_array")
    pictured.reset(seed=1)
    pictures = pictured.render()
    assert pictures is not None
    assert pictures[0].shape == pictures[1].shape


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        MinesweeperVectorEnv(0)
    with pytest.raises(gymnasium.error.UnsupportedMode):
        MinesweeperVectorEnv(1, render_mode="human")
    env = MinesweeperVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED, start="any", width=2, height=1, mine_count=1)
    for call in (
        lambda: env.step([0, 0]),
        env.render,
        lambda: env.reset(options={"reset_mask": np.array([True, False])}),
    ):
        with pytest.raises(ResetNeeded):
            call()
    with pytest.raises(InvalidValueError):
        env.reset(seed=2**64 - 1)
    with pytest.raises(ValueError, match="as many seeds"):
        env.reset(seed=[1])
    env.reset(seed=1)
    with pytest.raises(CellError):
        env.step([0, 2])
    with pytest.raises(ValueError, match="as many actions"):
        env.step([0])
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(2, np.bool_)})
    env.step([0, 1])
    with pytest.raises(ResetNeeded):
        env.step([0, 0])


def test_what_is_held_never_changes_and_what_is_let_go_is_used_again() -> None:
    source = np.zeros((3, 4), np.uint8)
    copies = RecycledCopies(source)
    rng = np.random.default_rng(1)
    held: list[tuple[object, bytes]] = []
    for number in range(1, 201):
        source[:] = number
        copy = copies.copy(source)
        assert not np.shares_memory(copy, source)
        copy[0, 0] = 255 - number  # the caller's own
        kinds: list[object] = [copy, copy[1], copy.reshape(-1)[5:], copy.data, copy.T[1:].view(np.int8)]
        held.append((kinds[number % len(kinds)], bytes(np.asarray(kinds[number % len(kinds)]))))
        del copy, kinds
        for value, was in held:
            assert bytes(np.asarray(value)) == was
        keep = int(rng.integers(0, 8))
        held = held[len(held) - keep :] if keep else []
        del value
    held.clear()
    # Of those that nobody holds, the first is taken again and again: `base` is the array whose memory a copy is in.
    assert len({id(copies.copy(source).base) for _ in range(50)}) == 1
