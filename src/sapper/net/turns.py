"""Work in small pieces: so much in each turn of the event loop, and who has had least of it first.

A packet is answered as soon as it is read while the turn has budget left. The budget counts only what is more than `FREE` for one
connection, so players' moves pass it by, however many players there are: they cost no more than without it. What is left when the
budget is spent stands in line, and the next turn begins with the line: those who ask for little before those who ask for much
(`server.fair_shares`). Between two turns the loop reads what has come, accepts, and writes.

STARTs stand in a line of their own, with accounts and a budget of their own, behind all other packets: one costs as much as many moves,
so a hundred connections that send nothing else could hold everyone's next move back for seconds. They have as much time in a turn as
all other packets had, and `STARTS_TURN` at least. So they wait for each other; whoever starts a game now and then comes before them.

Large games are dealt by one thread, in the order of the same accounts, and it rests as long as it worked: Python runs one thread
at a time, and the event loop would wait for it at every system call.

Knows: the budget, the line, the thread.
Does not know: packets, sockets; what a piece of work is.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, Literal, Protocol

from sapper.game.referee import Referee
from sapper.net.packets import StartRequest
from sapper.net.seat import deal
from sapper.server.fair_shares import Account, FairShares

TURN: Final = 0.005
"""Seconds of work in a turn of the loop, less what is free. What has begun is finished: the largest screens take about as long again."""
FREE: Final = 0.0002
"""Seconds of one connection's work in a turn that the budget does not count: several times what a move takes."""
STARTS_TURN: Final = 0.004
"""Seconds that STARTs have in a turn at least, however little else there is. Else they have as much as the rest: where everyone plays
and a game takes 25 packets, STARTs are a third of the work."""
SLICE: Final = 0.001
"""Seconds of work for one connection before the others in the line have their turn. A packet counts for one in its account, and for one
more for each slice that it took: players who play alike wait alike, though a cascade takes ten times a step."""
MOST_GONE: Final = 64
"""Entries of connections that have gone, which may stay in a line; or as many as there are others, if that is more."""


Work = Literal[0, 1]
PLAY: Final = 0
START: Final = 1
"""The two lines, as indices (every packet is looked up by them)."""

Accounts = tuple[Account, Account]
"""Those of one connection, by line."""


class Waiting(Protocol):
    """Somebody who can stand in a line."""

    accounts: Accounts

    def take_turn(self, work: Work) -> None:
        """Do a slice of that work, and `charge` it."""


class _Line:
    """Who waits for one kind of work, and the accounts of all."""

    __slots__ = ("_most", "_numbers", "shares", "waiting")

    def __init__(self) -> None:
        self.shares = FairShares()
        self.waiting: list[tuple[float, int, Waiting]] = []
        self._most = MOST_GONE
        """How long the line may become before it is looked through for connections that have gone."""
        self._numbers = count()

    def put(self, one: Waiting, account: Account) -> None:
        if not self.waiting:
            self.shares.rest()  # nobody was kept waiting until now
        elif len(self.waiting) >= self._most:
            self.waiting = [entry for entry in self.waiting if not entry[2].accounts[PLAY].is_closed]
            heapify(self.waiting)
            self._most = 2 * len(self.waiting) + MOST_GONE
        heappush(self.waiting, (self.shares.begin(account), next(self._numbers), one))

    def take(self) -> Waiting:
        return heappop(self.waiting)[2]


class Turns:
    """The budget of each turn, and the lines."""

    __slots__ = (
        "_clock",
        "_is_arranged",
        "_left",
        "_lines",
        "_loop",
        "_play",
        "_played",
        "_spent",
        "_starts",
        "_starts_left",
    )

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Callable[[], float] = time.thread_time) -> None:
        self._loop = loop
        self._clock = clock
        self._spent = clock()
        """The processor's time of this thread that is accounted for."""
        self._play, self._starts = _Line(), _Line()
        self._lines = (self._play, self._starts)
        self._left = TURN
        self._starts_left = STARTS_TURN
        self._played = 0.0
        """Seconds of work that was no START, in this turn, once something else than light moves came up."""
        self._is_arranged = False

    def open(self, address: str) -> Accounts:
        """Accounts for a connection from an address."""
        return self._play.shares.open(address), self._starts.shares.open(address)

    def close(self, accounts: Accounts) -> None:
        """The connection has gone."""
        for account, line in zip(accounts, self._lines, strict=True):
            line.shares.close(account)

    def forget(self) -> None:
        """Forget addresses that are owed and owe nothing. Called now and then."""
        for line in self._lines:
            line.shares.forget()

    @property
    def starts(self) -> FairShares:
        """The accounts of STARTs."""
        return self._starts.shares

    def is_free(self, work: Work) -> bool:
        """Whether that can be done at once: this turn has budget left, and no START overtakes anyone."""
        if work == PLAY:
            return self._left > 0
        return self._left > 0 and self._starts_left > 0 and not self._play.waiting and not self._starts.waiting

    def line_up(self, one: Waiting, work: Work) -> None:
        """Call `take_turn` when it is this one's turn. Nobody stands in a line twice, or in two."""
        self._lines[work].put(one, one.accounts[work])
        self._arrange()

    def take_up(self, account: Account, work: Work) -> None:
        """A slice of work begins."""
        self._lines[work].shares.take(account)

    def charge(self, account: Account, work: Work, packets: int, seconds: float) -> None:
        """A slice of work was done: so many packets, in so much time.

        What took long by the time of day may have waited for other programs, above all for the one that an answer woke. Then the
        processor's time is asked for: since the last time that it was, less what light work took meanwhile.

        Where nobody waits, moves are not written down: debts are forgiven before the first one stands in line anyway.
        """
        line = self._lines[work]
        if seconds > FREE:
            spent = self._clock()
            seconds = min(seconds, max(0.0, spent - self._spent))
            self._spent = spent
        else:
            self._spent += seconds
        if work == START:
            self._starts_left -= seconds
            self._arrange()
        elif seconds > FREE:
            self._left -= seconds - FREE
            self._arrange()
        if self._is_arranged:
            if work == PLAY:
                self._played += seconds
            if work == START or line.waiting:
                line.shares.charge(account, packets + seconds / SLICE)

    def _arrange(self) -> None:
        if not self._is_arranged:
            self._is_arranged = True
            self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        """A turn of the loop begins: this comes before what the loop has read meanwhile."""
        self._spent = self._clock()
        self._left = TURN
        self._starts_left = starts = max(STARTS_TURN, self._played)
        self._played = 0.0
        while self._play.waiting and self._left > 0:
            self._play.take().take_turn(PLAY)
        while self._starts.waiting and self._starts_left > 0:
            self._starts.take().take_turn(START)
        self._is_arranged = False
        if self._play.waiting or self._starts.waiting or self._left < TURN or self._starts_left < starts:
            self._arrange()


class Dealer:
    """Deals large games in a thread, one after another. Those of connections that have gone are not dealt."""

    def __init__(self, loop: asyncio.AbstractEventLoop, shares: FairShares) -> None:
        self._loop = loop
        self._shares = shares
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sapper-deal")
        self._line: list[tuple[float, int, Account, StartRequest, int, Callable[[asyncio.Future[Referee]], None]]] = []
        self._most = MOST_GONE
        """How long the line may become before it is looked through for games of connections that have gone."""
        self._numbers = count()
        self._is_busy = False
        self._is_closed = False

    def deal(
        self, account: Account, start: StartRequest, seed: int, done: "Callable[[asyncio.Future[Referee]], None]"
    ) -> None:
        """Deal the game of a possible START, and call `done` with it, unless the account is closed before its turn."""
        if len(self._line) >= self._most:
            self._line = [entry for entry in self._line if not entry[2].is_closed]
            heapify(self._line)
            self._most = 2 * len(self._line) + MOST_GONE
        heappush(self._line, (self._shares.begin(account), next(self._numbers), account, start, seed, done))
        if not self._is_busy:
            self._next()

    def _next(self) -> None:
        while self._line and self._line[0][2].is_closed:
            heappop(self._line)
        self._is_busy = bool(self._line) and not self._is_closed
        if not self._is_busy:
            return
        _, _, account, start, seed, done = heappop(self._line)
        self._shares.take(account)
        began = time.monotonic()

        def rest(future: "asyncio.Future[Referee]") -> None:
            seconds = time.monotonic() - began
            self._loop.call_later(seconds, self._next)  # first: whatever fails below, the others' games are dealt
            self._shares.charge(account, seconds / SLICE)
            done(future)

        self._loop.run_in_executor(self._executor, deal, start, seed).add_done_callback(rest)

    def close(self) -> None:
        """Deal no more; what waits is not done."""
        self._is_closed = True
        self._executor.shutdown(wait=False, cancel_futures=True)
