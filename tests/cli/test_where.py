"""Conditions on rows."""

import click
import pytest

from sapper.cli.where import Condition

ROW = {"won": True, "seconds": 12.5, "bbbv": 40, "name": "Ann", "ioe": None}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("won", True), ("not won", False), ("won and seconds < 12", False), ("won or seconds < 12", True),
        ("bbbv / seconds >= 3.2", True), ("10 < seconds <= 12.5", True), ("name == 'Ann'", True), ("'nn' in name", True),
        ("name not in 'Bob'", True), ("ioe > 0", False), ("not ioe > 0", True), ("-bbbv < 0", True), ("ioe * 2 < 1", False),
        ("-ioe < 1", False), ("bbbv / 0 > 1", False), ("(bbbv + 2 - 2) * 1 != 40", False),
    ],
)  # fmt: skip
def test_what_holds(text: str, holds: bool) -> None:
    assert Condition(text, ROW).holds(ROW) is holds


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("won and", "needs a condition"), ("__import__('os')", "not call"), ("name.upper", "not attribute"), ("age > 1", "unknown name 'age'"),
        ("bbbv ** 9 > 1", "not pow"), ("'a' * 999999999 == name", "calculates with numbers"), ("name == b'x'", "numbers and texts"),
        ("x" * 2000, "at most 1,000"), ("[won]", "not list"), ("(" * 300 + "1" + ")" * 300, "needs a condition"),
    ],
)  # fmt: skip
def test_what_is_no_condition(text: str, said: str) -> None:
    with pytest.raises(click.UsageError, match=said):
        Condition(text, ROW)


def test_values_that_do_not_go_together() -> None:
    with pytest.raises(click.UsageError, match=r"does not go together|do not go together"):
        Condition("name < 3", ROW).holds(ROW)
