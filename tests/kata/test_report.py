"""The report: a line an item, red ones with what was expected and what was got; the log; the data."""

import json

from sapper.kata.document import Fault, Item, ItemKind, Verdict
from sapper.kata.report import as_data, log_text, total_text, verdict_text
from sapper.render.ansi import COLOURED

GREEN = Verdict(
    item=Item(kind=ItemKind.EXAMPLE, number="5", title="Step on a bomb", line=1),
    runs=2,
    told=("step on 0;0\n1--\n[x] 1", "mark 1;0\n1*-"),
)
FAULT = Fault(line=9, reason="no move leads here", expected="X-1\n[x] BOOM", got="--1\n[x] 1 bomb around")
RED = Verdict(item=Item(kind=ItemKind.UAT, number="6.1", title="I step", line=7, mark="✅"), runs=0, fault=FAULT)
BARE = Verdict(
    item=Item(kind=ItemKind.SCENARIO, number="1", title="", line=3), fault=Fault(line=3, reason="unreadable")
)


def test_a_green_one_is_one_line() -> None:
    assert verdict_text(GREEN) == "green  Example 5    Step on a bomb"
    assert verdict_text(GREEN, COLOURED) == "\x1b[32mgreen\x1b[m  Example 5    Step on a bomb"


def test_a_red_one_says_what_was_expected_and_got() -> None:
    assert verdict_text(RED).split("\n") == [
        "red    UAT 6.1      I step",
        "       line 9: no move leads here",
        "       expected    got",
        "       X-1         --1",
        "       [x] BOOM    [x] 1 bomb around",
        "",
    ]


def test_a_red_one_with_nothing_to_compare() -> None:
    assert verdict_text(BARE) == "red    Scenario 1\n       line 3: unreadable\n"


def test_texts_of_different_heights_and_wide_ones() -> None:
    uneven = Fault(line=1, reason="x", expected="a\nb", got="c")
    assert verdict_text(Verdict(item=RED.item, fault=uneven)).split("\n")[2:5] == [
        "       expected    got",
        "       a           c",
        "       b",
    ]
    wide = Fault(line=1, reason="x", expected="-" * 99, got="1" * 99)
    assert [line.strip() for line in verdict_text(Verdict(item=RED.item, fault=wide)).split("\n")[2:6]] == [
        "expected",
        "-" * 99,
        "got",
        "1" * 99,
    ]


def test_what_was_played_can_be_told() -> None:
    assert verdict_text(GREEN, told=True).split("\n") == [
        "green  Example 5    Step on a bomb",
        "       step on 0;0",
        "       1--",
        "       [x] 1",
        "",
        "       mark 1;0",
        "       1*-",
        "       (the same in each of the 2 games that are as shown)",
        "",
    ]


def test_the_total_names_the_red_ones() -> None:
    assert total_text([GREEN]) == "1 green, 0 red"
    assert total_text([GREEN, RED, BARE]) == "1 green, 2 red: UAT 6.1, Scenario 1"


def test_the_log_is_the_whole_report_without_colours() -> None:
    log = log_text("kata.md", [GREEN, RED])
    assert log.startswith("kata.md\n\ngreen  Example 5")
    assert verdict_text(GREEN, told=True) in log
    assert log.endswith("1 green, 1 red: UAT 6.1\n")
    assert "\x1b" not in log
    assert log == log_text("kata.md", [GREEN, RED])


def test_the_data() -> None:
    data = as_data("kata.md", [GREEN, RED])
    assert json.loads(json.dumps(data)) == data
    assert (data["file"], data["green"], data["red"]) == ("kata.md", 1, 1)
    assert data["results"] == [
        {
            "kind": "example",
            "number": "5",
            "title": "Step on a bomb",
            "line": 1,
            "mark": None,
            "colour": "green",
            "runs": 2,
            "fault": None,
        },
        {
            "kind": "uat",
            "number": "6.1",
            "title": "I step",
            "line": 7,
            "mark": "✅",
            "colour": "red",
            "runs": 0,
            "fault": {"line": 9, "reason": FAULT.reason, "expected": FAULT.expected, "got": FAULT.got},
        },
    ]
