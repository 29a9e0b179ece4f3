"""What is done for one name is done one after the other, and nothing is left of it."""

import asyncio

from sapper.web.games.locks import PlayerLocks


def test_one_name_waits_and_another_does_not() -> None:
    done: list[str] = []

    async def act(locks: PlayerLocks, name: str, what: str) -> None:
        async with locks.of(name):
            done.append(f"{what} begins")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            done.append(f"{what} ends")

    async def test() -> None:
        locks = PlayerLocks()
        await asyncio.gather(*(act(locks, "ann", what) for what in "ABC"), act(locks, "bob", "D"))
        assert len(locks) == 0

    asyncio.run(test())
    assert [one for one in done if one[0] != "D"] == [f"{what} {when}" for what in "ABC" for when in ("begins", "ends")]
    assert done.index("D begins") < done.index("A ends")


async def test_who_is_cancelled_while_waiting_leaves_nothing() -> None:
    locks = PlayerLocks()

    async def wait() -> None:
        async with locks.of("ann"):
            raise AssertionError("it was never free")

    async with locks.of("ann"):
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert len(locks) == 0
