"""A verdict is green unless something is wrong."""

from sapper.errors import SapperError
from sapper.kata.document import Item, ItemKind
from sapper.kata.verdict import Fault, NotMetError, Verdict

ITEM = Item(kind=ItemKind.EXAMPLE, number="1", title="", line=1)


def test_green_and_red() -> None:
    assert Verdict(item=ITEM).is_green
    assert not Verdict(item=ITEM, fault=Fault(line=3, reason="so it is")).is_green


def test_the_error_says_line_and_reason() -> None:
    error = NotMetError("a new game looks otherwise", line=7, expected="a", got="b")
    assert isinstance(error, (SapperError, ValueError))
    assert str(error) == "line 7: a new game looks otherwise"
    assert error.fault == Fault(line=7, reason="a new game looks otherwise", expected="a", got="b")
