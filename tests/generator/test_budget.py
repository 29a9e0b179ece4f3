"""How long to go on."""

import pytest

from sapper.generator.budget import UNLIMITED, Budget


def test_tries_are_counted() -> None:
    budget = Budget(tries=10)
    assert [budget.batch(tried, 4) for tried in (0, 4, 8, 10)] == [4, 4, 2, 0]
    assert UNLIMITED.batch(10**9, 7) == 7


def test_the_caller_may_say_stop() -> None:
    assert Budget(go_on=lambda: False).batch(0, 5) == 0


def test_no_try_is_no_budget() -> None:
    with pytest.raises(ValueError, match="1 try at least, not 0"):
        Budget(tries=0)
