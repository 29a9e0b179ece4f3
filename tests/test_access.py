"""A player who is handed a game cannot read its mines by the standard library's public ways before the end.

Every object that can be reached from a game, a session or a game of the formal specification by public names is attacked:
copied, pickled, looked into. What comes of it must hold no layout, and where it is a game again, it must not be one that can be
ended while the other goes on. Names with underscores, `gc` and frames are out of scope: there is no wall in one process.
"""

import copy
import dataclasses
import enum
import inspect
import pickle
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import Rules, find_rules
from sapper.errors import AccessError
from sapper.formal.minesweeper import Minesweeper
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.new_game import new_game, new_referee
from sapper.session.game_request import coded_game, new_session
from sapper.session.session import Session

MINES = CellSet.of((1, 5, 17, 40, 62, 77))
"""A layout that no other value in sight is equal to."""


def _layout() -> Layout:
    return Layout(new_game("beginner", seed=1).grid, MINES)


def _game(rules: str = "engine") -> Game:
    game = Game(rules=find_rules(rules), source=FixedLayout(_layout()))
    game.reveal(0)
    game.flag(80)
    return game


def _session() -> Session:
    session = Session(Referee(rules=find_rules("engine"), source=FixedLayout(_layout())))
    session.left_click(0)
    session.right_click(80)
    return session


def _formal() -> Any:
    minesweeper = Minesweeper(seed=3, preset="formal")
    return minesweeper.start_game()


PLAYERS: dict[str, Callable[[], Any]] = {
    "game": _game,
    "modern game": lambda: _game("modern"),
    "session": _session,
    "formal game": _formal,
    "formal tile": lambda: _formal().tile(3, 4),
    "formal player": lambda: Minesweeper(seed=3),
    "unbegun game": lambda: new_game("engine", seed=3),
}


def _ways(thing: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The standard library's public ways to get at what is in an object."""
    yield "copy.copy", lambda: copy.copy(thing)
    yield "copy.deepcopy", lambda: copy.deepcopy(thing)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield f"pickle {protocol}", partial(_pickled, thing, protocol)
        yield f"__reduce_ex__ {protocol}", partial(_called, thing, "__reduce_ex__", protocol)
    yield "__getstate__", partial(_called, thing, "__getstate__")
    yield "__reduce__", partial(_called, thing, "__reduce__")
    yield "vars", partial(vars, thing)
    yield "dataclasses.asdict", lambda: dataclasses.asdict(thing)
    yield "dataclasses.replace", lambda: dataclasses.replace(thing)
    yield "weakref", partial(weakref.ref, thing)
    yield "repr", partial(repr, thing)
    yield "str", partial(str, thing)
    yield "iter", lambda: [one for _, one in zip(range(50), thing, strict=False)]
    yield "getmembers", lambda: dict(_members(thing))


def _pickled(thing: Any, protocol: int) -> Any:
    return pickle.loads(pickle.dumps(thing, protocol))


def _called(thing: Any, name: str, *arguments: int) -> Any:
    return getattr(thing, name)(*arguments)


def _members(thing: Any) -> Iterator[tuple[str, Any]]:
    """The public attributes that can be read; methods without arguments are called, those that change the game are not."""
    for name in dir(thing):
        if name.startswith("_") or name in _CHANGES:
            continue
        try:
            value = inspect.getattr_static(thing, name) and getattr(thing, name)
            if inspect.ismethod(value) and not isinstance(thing, type):
                yield f"{name} (method)", value
                if not inspect.signature(value).parameters:
                    yield name, value()
                continue
        except Exception:  # noqa: BLE001  # whatever a player is refused with
            continue
        yield name, value


_CHANGES = {"terminate", "undo", "redo", "restart", "pause", "go_on", "terminate_game", "start_game", "of"}


def _attack(player: Any) -> list[str]:
    """Every way that led to the truth."""
    held: list[str] = []
    seen: dict[int, Any] = {}
    todo: list[tuple[int, str, Any]] = [(0, "it", player)]
    while todo:
        depth, path, thing = todo.pop()
        if id(thing) in seen or depth > 4:
            continue
        seen[id(thing)] = thing  # and it stays, so that its id is nobody else's
        if _is_truth(thing):
            held.append(path)
        elif isinstance(thing, dict):
            todo += [(depth + 1, f"{path}[{key!r}]", value) for key, value in thing.items()]
        elif isinstance(thing, list | tuple):
            todo += [(depth + 1, f"{path}[{number}]", value) for number, value in enumerate(thing[:50])]
        elif _is_ours(thing):
            for name, way in _ways(thing):
                try:
                    todo.append((depth + 1, f"{path}.{name}", way()))
                except Exception:  # noqa: BLE001  # refused
                    continue
    return held


def _is_ours(thing: Any) -> bool:
    """Whether it is an object of sapper's (or of this test's) that may lead on, and no plain value."""
    owner = thing.__self__ if inspect.ismethod(thing) else thing
    home = type(owner).__module__
    return home.startswith(("sapper", __name__)) and not isinstance(
        owner, type | enum.Enum | CellSet | Move | Grid | Rules
    )


def _is_truth(thing: Any) -> bool:
    if isinstance(thing, Layout | Referee | FixedLayout) or thing == MINES:
        return True
    if isinstance(thing, str):
        return repr(list(MINES)) in thing or f"{MINES.mask:x}" in thing
    return False


@pytest.mark.parametrize("name", PLAYERS)
def test_no_public_way_leads_from_a_player_to_the_mines(name: str) -> None:
    assert _attack(PLAYERS[name]()) == []


@pytest.mark.parametrize("name", PLAYERS)
def test_no_copy_of_a_game_can_be_had_that_could_be_ended(name: str) -> None:
    player = PLAYERS[name]()
    for way, attempt in _ways(player):
        if way.startswith(("copy", "pickle", "__")):
            if name == "formal tile" and way in ("copy.copy", "__getstate__", "__reduce__", *_SHALLOW):
                continue  # a tile of the same game, which holds no more than the tile did
            with pytest.raises((AccessError, pickle.PicklingError, TypeError)) as caught:
                attempt()
            if isinstance(caught.value, AccessError):
                assert "its Record" in str(caught.value)
                assert "session.saving" in str(caught.value)
    for bound in [value for name, value in _members(player) if name.endswith("(method)")]:
        with pytest.raises((AccessError, TypeError)):
            copy.deepcopy(bound)


_SHALLOW = tuple(f"__reduce_ex__ {protocol}" for protocol in range(pickle.HIGHEST_PROTOCOL + 1))


def test_the_attack_finds_what_is_not_hidden() -> None:
    """A player whose copies are its own gives the mines away: were games like that, the tests above would fail."""

    class Careless:
        def __init__(self, referee: Referee) -> None:
            self.held = [referee.grid, FixedLayout(_layout())]

    assert _attack(Careless(new_referee("beginner", seed=1)))


def test_referees_and_sources_cannot_be_copied_either() -> None:
    session, referee = new_session(coded_game("beginner", seed=7))
    session.left_click(40)
    for thing in (referee, referee.snapshot(), FixedLayout(_layout()), coded_game("beginner", seed=7).source()):
        for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(AccessError):
                attempt(thing)
