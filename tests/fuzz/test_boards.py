"""A thousand wrong, contradictory, truncated, huge or hostile boards; `fuzz/boards.py` has as many as one likes."""

import pytest

from fuzz import boards


def test_a_value_or_a_documented_error() -> None:
    wrong: list[str] = []
    outcomes = boards.run(0, 1000, wrong.append)
    assert wrong == []
    assert set(outcomes) == {"analysed", "contradictory", "no board", "too hard"}
    assert outcomes.total() == 1000


def test_what_is_wrong_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "analyse", lambda *_, **__: 1 // 0)
    wrong: list[str] = []
    outcomes = boards.run(0, 40, wrong.append)
    assert outcomes["WRONG"] == len(wrong) > 0
    assert wrong[0].endswith(": ZeroDivisionError: integer division or modulo by zero")
