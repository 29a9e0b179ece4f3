"""Turns: a budget for each turn of the loop, and a line in which addresses take turns."""

import asyncio

from sapper.net.turns import TURN, Turns


class Player:
    """Wants so many pieces of work, each of which takes so long."""

    def __init__(self, turns: Turns, peer: str, address: str, served: list[str]) -> None:
        self.turns = turns
        self.peer = peer
        self.address = address
        self.served = served
        self.wants = 0
        self.seconds = 0.0

    def want(self, seconds: float, times: int = 1) -> None:
        self.wants, self.seconds = times, seconds
        self.turns.line_up(self)

    def take_turn(self) -> None:
        self.wants -= 1
        self.turns.spend(self.seconds)
        self.served.append(self.peer)
        if self.wants:
            self.turns.line_up(self)


async def test_a_turn_has_its_budget_and_the_loop_goes_on_between_two() -> None:
    turns, served = Turns(asyncio.get_running_loop()), list[str]()
    Player(turns, "a", "a", served).want(TURN / 2, 5)
    counts = []
    for _ in range(4):
        await asyncio.sleep(0)
        counts.append(len(served))
    assert counts == [2, 4, 5, 5]


async def test_what_is_spent_at_once_is_of_the_same_budget() -> None:
    turns = Turns(asyncio.get_running_loop())
    assert turns.is_free
    turns.spend(TURN / 2)
    assert turns.is_free
    found = []
    for _ in range(2):
        turns.spend(TURN)
        found.append(turns.is_free)
        await asyncio.sleep(0)
        found.append(turns.is_free)
    assert found == [False, True] * 2


async def test_nobody_overtakes_the_line() -> None:
    turns, served = Turns(asyncio.get_running_loop()), list[str]()
    Player(turns, "a", "a", served).want(2 * TURN, 2)
    assert not turns.is_free
    await asyncio.sleep(0)
    assert served == ["a"]
    assert not turns.is_free


async def test_addresses_take_turns_and_then_their_connections() -> None:
    turns, served = Turns(asyncio.get_running_loop()), list[str]()
    for number in range(3):
        Player(turns, f"flood {number}", "flood", served).want(TURN, 3)
    Player(turns, "player", "other", served).want(TURN, 2)
    for _ in range(20):
        await asyncio.sleep(0)
    assert served[:4] == ["flood 0", "player", "flood 1", "player"]
    assert served[4:] == ["flood 2", "flood 0", "flood 1", "flood 2", "flood 0", "flood 1", "flood 2"]
