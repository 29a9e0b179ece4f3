"""Many who ask for saved games at once get them by few questions."""

import asyncio
import threading
from collections.abc import Collection
from typing import Any, cast

import pytest

from sapper.errors import StoreError
from sapper.store.models import SavedSession
from sapper.web.games.saved_games import AT_ONCE, SavedGames


class Questions:
    """A store that answers when it may, with the names themselves; those with a minus are not there."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.may_answer = threading.Event()
        self.error: Exception | None = None

    def read(self, names: Collection[str]) -> dict[str, SavedSession]:
        self.asked.append(list(names))
        assert self.may_answer.wait(60)
        if self.error is not None:
            raise self.error
        return cast("dict[str, Any]", {name: name for name in names if not name.startswith("-")})


async def _begun(questions: Questions, games: SavedGames, *names: str) -> list[asyncio.Task[Any]]:
    """Tasks that wait for these games, once the store has been asked for the first."""
    tasks = [asyncio.create_task(games.find(name)) for name in names]
    while not questions.asked:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    return tasks


async def test_games_that_are_asked_for_meanwhile_are_read_together() -> None:
    questions = Questions()
    games = SavedGames(questions.read)
    first = await _begun(questions, games, "a")
    names = ["a", *(f"{number}" for number in range(AT_ONCE)), "-gone"]
    others = await _begun(questions, games, *names, "0")
    await asyncio.sleep(0)
    questions.may_answer.set()
    assert await asyncio.gather(*first, *others) == ["a", *names[:-1], None, "0"]
    # What was asked for while it was read is read again: it may have changed since.
    assert questions.asked == [["a"], names[:AT_ONCE], names[AT_ONCE:]]


async def test_whoever_asked_hears_that_the_store_does_not_answer() -> None:
    questions = Questions()
    questions.error = StoreError("away")
    games = SavedGames(questions.read)
    questions.may_answer.set()
    found = await asyncio.gather(*(games.find(name) for name in "ab"), return_exceptions=True)
    assert [str(one) for one in found] == ["away", "away"]
    questions.error = None
    assert cast("str", await games.find("a")) == "a"


async def test_who_goes_away_takes_nothing_from_others() -> None:
    questions = Questions()
    games = SavedGames(questions.read)
    one, two = await _begun(questions, games, "a", "a")
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    questions.may_answer.set()
    assert await two == "a"


async def test_one_game_that_cannot_be_understood_hinders_no_other() -> None:
    def read(names: Collection[str]) -> dict[str, SavedSession]:
        if "damaged" in names:
            raise ValueError("no status")
        return cast("dict[str, Any]", {name: name for name in names})

    games = SavedGames(read)
    found = await asyncio.gather(*(games.find(name) for name in ("a", "damaged", "b")), return_exceptions=True)
    assert [str(one) for one in found] == ["a", "no status", "b"]
