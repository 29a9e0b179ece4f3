"""Turns: a budget for each turn of the loop, moves before STARTs, little before much."""

import asyncio
from collections.abc import Callable

from sapper.net.packets import StartRequest
from sapper.net.turns import FREE, MOST_GONE, PLAY, START, TURN, Accounts, Dealer, Turns, Work
from sapper.server.fair_shares import FairShares


class ClockedTurns(Turns):
    """Turns whose processor's time goes on as the test says."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(asyncio.get_running_loop(), lambda: self.now)


class Player:
    """Wants so many pieces of work, each of which takes so long."""

    def __init__(self, turns: ClockedTurns, name: str, address: str, served: list[str]) -> None:
        self.turns = turns
        self.name = name
        self.accounts: Accounts = turns.open(address)
        self.served = served
        self.wants: list[tuple[Work, float]] = []

    def want(self, work: Work, seconds: float, times: int = 1) -> None:
        is_new = not self.wants
        self.wants += [(work, seconds)] * times
        if is_new:
            self.turns.line_up(self, work)

    def take_turn(self, work: Work) -> None:
        kind, seconds = self.wants.pop(0)
        assert kind == work
        self.turns.take_up(self.accounts[work], work)
        self.turns.now += seconds
        self.turns.charge(self.accounts[work], work, 1, seconds)
        self.served.append(self.name)
        if self.wants:
            self.turns.line_up(self, self.wants[0][0])


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - one turn of the loop after another
        await asyncio.sleep(0)


def test_a_turn_has_its_budget_and_the_loop_goes_on_between_two() -> None:
    async def main() -> None:
        turns = ClockedTurns()
        served: list[str] = []
        Player(turns, "a", "a", served).want(START, TURN / 2, 6)
        counts = []
        for _ in range(3):
            await asyncio.sleep(0)
            counts.append(len(served))
        assert counts == [2, 4, 6]

    asyncio.run(main())


def test_moves_come_before_starts_and_starts_still_come() -> None:
    async def main() -> None:
        turns = ClockedTurns()
        served: list[str] = []
        for number in range(3):
            Player(turns, f"flood {number}", "flood", served).want(START, TURN, 5)
        player = Player(turns, "player", "flood", served)
        player.want(PLAY, TURN / 10 + FREE, 100)
        await _until(lambda: len(served) == 115)
        # In each turn all the moves that fit, and then STARTs for as long: never more than two of these.
        assert served[:10] == ["player"] * 10
        text = "".join("m" if name == "player" else "S" for name in served)
        assert "SSS" not in text.rstrip("S")
        assert text[:44].count("S") in range(3, 8)

    asyncio.run(main())


def test_who_starts_a_game_now_and_then_comes_before_who_floods() -> None:
    async def main() -> None:
        turns = ClockedTurns()
        served: list[str] = []
        for number in range(50):
            Player(turns, "flood", f"{number % 3}", served).want(START, TURN, 4)
        await _until(lambda: len(served) == 60)
        Player(turns, "player", "0", served).want(START, TURN)
        await _until(lambda: len(served) == 201)
        # All of them have had one game at least, and some another.
        assert served.index("player") <= 60 + 50

    asyncio.run(main())


def test_what_is_free_is_done_at_once() -> None:
    async def main() -> None:
        turns = ClockedTurns()
        served: list[str] = []
        player = Player(turns, "player", "a", served)
        assert turns.is_free(PLAY)
        assert turns.is_free(START)
        player.want(START, TURN)
        assert turns.is_free(PLAY)
        assert not turns.is_free(START)
        await asyncio.sleep(0)
        # The START has spent what STARTs have in this turn, and is nothing to players.
        assert not turns.is_free(START)
        assert turns.is_free(PLAY)
        turns.now += TURN + 2 * FREE
        turns.charge(player.accounts[PLAY], PLAY, 1, TURN + 2 * FREE)
        assert not turns.is_free(PLAY)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert turns.is_free(PLAY)
        assert turns.is_free(START)
        turns.close(player.accounts)

    asyncio.run(main())


def test_players_moves_pass_the_budget_by_however_many_there_are() -> None:
    async def main() -> None:
        turns = ClockedTurns()
        players = [turns.open(f"{number}") for number in range(1000)]
        for accounts in players:
            assert turns.is_free(PLAY)
            turns.now += FREE
            turns.charge(accounts[PLAY], PLAY, 1, FREE)
        assert turns.is_free(PLAY)
        # What only waited for other programs costs nothing either.
        turns.charge(players[0][PLAY], PLAY, 1, 10 * TURN)
        assert turns.is_free(PLAY)
        # STARTs have as much time in the next turn as the moves of this one.
        turns.charge(players[0][START], START, 1, 1.0)
        for accounts in players:
            turns.now += FREE
            turns.charge(accounts[PLAY], PLAY, 1, FREE)
        await asyncio.sleep(0)
        turns.now += 1000 * FREE - 0.001
        turns.charge(players[0][START], START, 1, 1.0)
        assert turns.is_free(START)
        turns.now += 0.002
        turns.charge(players[0][START], START, 1, 1.0)
        assert not turns.is_free(START)

    asyncio.run(main())


def test_large_games_are_dealt_in_the_order_of_accounts_and_not_after_the_end() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        shares = FairShares()
        dealer = Dealer(loop, shares)
        much, little, new = (shares.open(name) for name in ("much", "little", "new"))
        shares.charge(much, 100.0)
        shares.charge(little, 1.0)
        start = StartRequest(columns=50, rows=50, level=1)
        order: list[str] = []
        over = asyncio.Event()

        def note(name: str, *, last: bool = False) -> None:
            order.append(name)
            if last:
                dealer.close()
                over.set()

        dealer.deal(new, start, 1, lambda future: note("first"))
        dealer.deal(much, start, 2, lambda future: note(f"much {future.result().mines}", last=True))
        dealer.deal(much, start, 2, lambda future: note("never"))
        dealer.deal(little, start, 3, lambda future: note("little"))
        await asyncio.wait_for(over.wait(), 60)
        await asyncio.sleep(0.05)
        assert order == ["first", "little", "much 125"]

    asyncio.run(main())


def test_who_has_gone_holds_up_no_large_game_and_the_line_stays_short() -> None:
    async def main() -> None:
        shares = FairShares()
        dealer = Dealer(asyncio.get_running_loop(), shares)
        start = StartRequest(columns=50, rows=50, level=1)
        dealt: list[str] = []
        over = asyncio.Event()
        leaves, stays = shares.open("leaves"), shares.open("stays")
        dealer.deal(leaves, start, 1, lambda _: dealt.append("leaves"))
        # It is dealt already: its time is charged to an account that is closed, of an address that is forgotten.
        shares.rest()
        shares.close(leaves)
        assert len(shares) == 1
        # Some come and go, again and again; whoever stays has asked in between.
        for number in range(10 * MOST_GONE):
            if number == 5 * MOST_GONE:
                dealer.deal(stays, start, 2, lambda _: over.set())
            gone = shares.open("gone")
            dealer.deal(gone, start, 3, lambda _: dealt.append("gone"))
            shares.close(gone)
        assert len(dealer._line) <= MOST_GONE + 2
        await asyncio.wait_for(over.wait(), 60)
        assert dealt == ["leaves"]
        dealer.close()

    asyncio.run(main())


def test_who_has_gone_does_not_make_the_lines_long() -> None:
    async def main() -> None:
        turns = ClockedTurns()
        served: list[str] = []
        stay = [Player(turns, f"stays {number}", f"{number}", served) for number in range(MOST_GONE)]
        for number in range(10 * MOST_GONE):
            if number % 10 == 0:
                stay[number // 10].want(START, FREE)
            gone = Player(turns, "gone", "gone", served)
            gone.want(START, FREE)
            turns.close(gone.accounts)
        assert len(turns._starts.waiting) <= 3 * MOST_GONE
        await _until(lambda: not turns._starts.waiting)
        assert sorted(name for name in served if name != "gone") == sorted(player.name for player in stay)

    asyncio.run(main())
