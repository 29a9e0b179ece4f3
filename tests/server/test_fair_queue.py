"""Whoever has many players at one address has one turn like everybody else."""

import pytest
from hypothesis import given, strategies as st

from sapper.server.fair_queue import FairQueue, WorkQueue
from sapper.server.rate_limits import KeyedRateLimiter, RateLimit

ASKED = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("123")), max_size=40)
"""Addresses and players, in the order in which they ask."""


def _filled(asked: list[tuple[str, str]]) -> FairQueue[tuple[str, str, int]]:
    turns = FairQueue[tuple[str, str, int]]()
    for number, (address, player) in enumerate(asked):
        turns.put((address, player, number), player, address)
    return turns


def test_an_address_with_many_players_has_one_turn() -> None:
    turns = _filled([("flood", f"cookie {number}") for number in range(5)] + [("home", "ann")] * 2)
    order = [turns.take()[:2] for _ in range(len(turns))]
    assert order[:4] == [("flood", "cookie 0"), ("home", "ann"), ("flood", "cookie 1"), ("home", "ann")]
    with pytest.raises(IndexError):
        turns.take()


def _last(names: list[str], name: str) -> int:
    """Where a name comes last; -1 if it does not."""
    return max((at for at, one in enumerate(names) if one == name), default=-1)


@given(ASKED)
def test_nothing_is_lost_and_nobody_waits_for_two_turns_of_another(asked: list[tuple[str, str]]) -> None:
    turns = _filled(asked)
    order = [turns.take() for _ in range(len(asked))]
    assert sorted(order, key=lambda one: one[2]) == [(*one, number) for number, one in enumerate(asked)]
    assert not turns
    for at, (address, player, _) in enumerate(order):
        # While somebody waits, no other address has two turns, and no other player of the address.
        addresses = [one[0] for one in order]
        between = addresses[_last(addresses[:at], address) + 1 : at]
        assert len(between) == len(set(between))
        of_address = [one[1] for one in order[:at] if one[0] == address]
        between = of_address[_last(of_address, player) + 1 :]
        assert len(between) == len(set(between))
    for who in {one[:2] for one in order}:
        numbers = [one[2] for one in order if one[:2] == who]
        assert numbers == sorted(numbers)


@given(ASKED, st.integers(0, 5))
def test_the_last_of_those_who_have_most_gives_way(asked: list[tuple[str, str]], more_than: int) -> None:
    turns = _filled(asked)
    counts = {address: sum(one[0] == address for one in asked) for address in "abc"}
    assert {address: turns.of_address(address) for address in "abc"} == counts
    shed = turns.shed(more_than)
    if max(counts.values()) <= more_than:
        assert shed is None
        assert len(turns) == len(asked)
        return
    assert shed is not None
    address, player, number = shed
    assert counts[address] == max(counts.values())
    of_player = {one: asked.count((address, one)) for one in "123"}
    assert of_player[player] == max(of_player.values())
    assert number == max(at for at, one in enumerate(asked) if one == (address, player))
    assert turns.of_player(player, address) == of_player[player] - 1
    left = [turns.take() for _ in range(len(turns))]
    assert len(left) == len(asked) - 1
    assert shed not in left


def _work(workers: int = 1) -> WorkQueue[str]:
    return WorkQueue(workers, KeyedRateLimiter(RateLimit(per_second=0.5, burst=10), lambda: 0.0), most_waiting=6)


def _taken(queue: WorkQueue[str], seconds: float = 0.0) -> str:
    """What is next; it takes so long."""
    taken = queue.take()
    assert taken is not None
    queue.done(taken, seconds)
    return taken.item


def test_seconds_count_and_not_jobs() -> None:
    queue = _work()
    for number in range(3):
        queue.put(f"long {number}", "eve", "flood", urgent=False)
        queue.put(f"short {number}", "ann", "home", urgent=False)
    assert [_taken(queue, 12.0), _taken(queue, 0.1)] == ["long 0", "short 0"]
    assert [_taken(queue, 0.1), _taken(queue, 0.1)] == ["short 1", "short 2"]
    queue.put("urgent and long", "eve", "flood", urgent=True)
    assert [_taken(queue, 12.0), _taken(queue, 12.0), _taken(queue)] == ["urgent and long", "long 1", "long 2"]
    assert queue.take() is None


def test_workers_are_kept_free_for_what_comes_next() -> None:
    queue = _work(workers=4)
    queue.put("much", "eve", "flood", urgent=False)
    assert _taken(queue, 20.0) == "much"
    waiting = {"flood": "x" * 3, "home": "yy", "school": "z"}
    for address, items in waiting.items():
        for item in items:
            queue.put(item, "", address, urgent=False)
    found = [queue.take() for _ in range(4)]
    # Two of one address at most; a third worker for who is within the seconds; the fourth is for what is urgent.
    assert [one and one.item for one in found] == ["y", "z", "y", None]
    queue.put("hint", "", "home", urgent=True)
    queue.put("hint", "", "school", urgent=True)
    assert [one and one.address for one in (queue.take(), queue.take())] == ["school", None]
    for one in found[:2]:
        assert one is not None
        queue.done(one, 1.0)
    assert [one and one.item for one in (queue.take(), queue.take())] == ["hint", None]
    assert len(queue.empty()) == 3
    assert len(queue) == 0


def test_one_worker_is_kept_for_what_is_urgent() -> None:
    queue = _work(workers=2)
    for address in ("here", "there"):
        queue.put(address, "", address, urgent=False)
    assert [one and one.item for one in (queue.take(), queue.take())] == ["here", None]
    queue.put("hint", "", "home", urgent=True)
    assert _taken(queue) == "hint"


def test_a_full_queue_gives_up_what_is_of_whoever_has_most() -> None:
    queue = _work()
    assert [queue.put(f"cookie {number}", str(number), "flood", urgent=True) for number in range(7)] == [
        None, None, None, None, None, None, "cookie 6",
    ]  # fmt: skip
    assert queue.put("ann", "ann", "home", urgent=True) == "cookie 5"
    assert queue.put("leisurely", "ann", "home", urgent=False) is None
    assert queue.of_player("ann", "home") == 2
