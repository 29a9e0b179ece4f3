"""A signal sets the event, the first is remembered, and no other breaks the end off."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping

import pytest

from sapper.server.signals import ENDING, SignalStop

Handlers = Mapping[signal.Signals, object]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[Handlers]:
    """Those there are; they are there again afterwards."""
    before = {number: signal.getsignal(number) for number in ENDING}
    yield before
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_terminal_that_closes_and_ctrl_backslash_are_ends_too() -> None:
    assert set(ENDING) == {signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT}


@pytest.mark.parametrize("sent", [*[(number,) for number in ENDING], ENDING, tuple(reversed(ENDING))])
def test_the_first_signal_counts(sent: tuple[signal.Signals, ...]) -> None:
    async def serve() -> signal.Signals:
        with SignalStop() as told:
            assert not told.stop.is_set()
            for number in sent:
                signal.raise_signal(number)
                await asyncio.wait_for(told.stop.wait(), 60)
                await asyncio.sleep(0)  # the second one's turn
        return told.received

    assert asyncio.run(serve()) == sent[0]
    assert [signal.getsignal(number) for number in ENDING] == [signal.SIG_IGN] * len(ENDING)


def test_a_server_that_ends_by_itself_ended_as_if_it_had_been_asked_to(handlers: Handlers) -> None:
    async def serve() -> signal.Signals:
        with SignalStop() as told:
            return told.received

    assert asyncio.run(serve()) == signal.SIGTERM
    assert {number: signal.getsignal(number) for number in ENDING} == handlers


def test_under_nohup_a_terminal_may_close() -> None:
    async def serve() -> bool:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with SignalStop() as told:
            signal.raise_signal(signal.SIGHUP)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return told.stop.is_set()

    assert not asyncio.run(serve())


_PROGRAM = """
import asyncio, signal, sys
from sapper.server.signals import SignalStop

async def serve():
    with SignalStop() as told:
        print("ready", flush=True)
        await told.stop.wait()

class Late:
    def __del__(self):
        print("ended", flush=True)
        sys.stdin.read()

sys.modules["late"] = Late()  # among the last that goes
asyncio.run(serve())
print("served", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_does_not_break_the_end_off(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.stdout.readline() == "served\n"
        process.send_signal(number)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "ended\n"  # while Python itself comes to its end
        process.send_signal(number)
        process.stdin.close()
        assert process.wait(60) == 0
