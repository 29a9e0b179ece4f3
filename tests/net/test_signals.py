"""A signal sets the event, and the first is remembered."""

import asyncio
import signal

import pytest

from sapper.net.signals import ENDING, SignalStop


@pytest.mark.parametrize("sent", [*[(number,) for number in ENDING], ENDING, tuple(reversed(ENDING))])
def test_the_first_signal_counts(sent: tuple[signal.Signals, ...]) -> None:
    async def serve() -> signal.Signals:
        told = SignalStop()
        assert not told.stop.is_set()
        for number in sent:
            signal.raise_signal(number)
            await asyncio.wait_for(told.stop.wait(), 10)
            await asyncio.sleep(0)  # the second one's turn
        return told.received

    assert asyncio.run(serve()) == sent[0]


def test_a_server_that_ends_by_itself_ended_as_if_it_had_been_asked_to() -> None:
    async def serve() -> signal.Signals:
        return SignalStop().received

    assert asyncio.run(serve()) == signal.SIGTERM
