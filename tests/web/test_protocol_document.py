"""The examples of docs/web-protocol.md happen as they are shown: one game, from its first block to its last."""

import json
import re
from pathlib import Path
from typing import Any

from tests.documents import blocks
from tests.live_games import Seat

DOCUMENT = Path(__file__).parents[2] / "docs" / "web-protocol.md"
LATER = re.compile(r"([0-9]+) ms later")


def test_the_examples_of_the_protocol_are_true() -> None:
    shown = [block for block in blocks(DOCUMENT.read_text(encoding="utf-8")) if block.language == "exchange"]
    assert len(shown) >= 4
    seat: Seat | None = None
    told: list[Any] = []
    for block in shown:
        for number, line in enumerate(block.text.splitlines(), block.line):
            where = f"{DOCUMENT.name}:{number}"
            mark, _, rest = line.partition(" ")
            if line.startswith("POST /api/games "):
                seat = Seat(**json.loads(line.removeprefix("POST /api/games ")))
                told = [seat.client.copy]
                continue
            assert seat is not None, f"{where}: a game is asked for first"
            if later := LATER.fullmatch(line):
                seat.clock.now += int(later[1])
            elif mark == ">":
                assert not told, f"{where}: this has been said too: {json.dumps(told[0])}"
                message = json.loads(rest)
                told = list(seat.client.do(message.pop("do"), **message))
                begin = len(seat.client.heard)
                if seat.services.work():
                    told += seat.client.heard[begin:]
            else:
                assert mark == "<", f"{where}: a line begins with > or <"
                assert told, f"{where}: nothing more was said"
                assert json.loads(rest) == told.pop(0), where
    assert not told
