"""The WebSocket of a game: from a client's texts to the live game, and from the live game to its clients.

What goes out waits in a queue of a bounded length, and the live game never waits for it: a client that does not read is cut off.
What comes in is counted; what comes too fast is dropped, and a client that goes on is cut off too.
"""

import asyncio
import contextlib
import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter, thread_time
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from sapper.errors import RequestError, StoreError
from sapper.play.events import WENT_ON
from sapper.play.ports import Receipt
from sapper.server.rate_limits import TokenBucket
from sapper.web.games.live_game import KEEP_TIME, LiveGame
from sapper.web.games.messages import ErrorMessage, RestartRequest, SavingMessage, ServerMessage, id_of, read_request
from sapper.web.http.context import AppContext
from sapper.web.http.limits import WebLimits
from sapper.web.http.metrics import WebMetrics
from sapper.web.http.responses import MessageEncoder
from sapper.web.http.transport import LINE, TextLine

TOO_MANY_MESSAGES: Final = 1008
FLOOD: Final = TOO_MANY_MESSAGES, "too many messages"
NO_PLAYER: Final = 1008
TOO_MANY: Final = 1013
NO_GAME: Final = 4404

FREE: Final = 4_096
"""Characters of an answer that are not counted: an update of a board that people play."""
WEIGHT: Final = 32_768
"""Characters that are sent count as one message: the chances of all cells of 100×100 as five, on each socket that watches."""
WORK: Final = 0.001
"""Seconds of work that a message is counted as one for: a player has a twentieth of the time of all, an address half of it."""
SAVE_TIME: Final = 60.0
"""Seconds that an answer waits to be durable where it may not be told before; then the client is to come back later."""
FAREWELL: Final = 1.0
"""Seconds that a client has to take the frame that says why it is cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketRates:
    """What is left to a socket of the messages that its player and its address may send, and of the games that they may begin."""

    player: TokenBucket
    address: TokenBucket
    games: TokenBucket
    address_games: TokenBucket
    may_keep: Callable[[], bool]
    clock: Callable[[], float]

    def take(self) -> bool:
        """Whether one more message may come."""
        now = self.clock()
        return self.player.take(now) and self.address.take(now)

    def take_game(self) -> bool:
        """Whether one more game may be begun: a board that is started over is one, and is kept as one."""
        now = self.clock()
        return self.games.take(now) and self.address_games.take(now) and self.may_keep()

    @property
    def is_rested(self) -> bool:
        """Whether the player has been quiet for as long as it takes to be as at the start."""
        return self.player.is_full(self.clock())

    def weigh(self, characters: int) -> None:
        """So many are sent, to a socket of this player."""
        now, tokens = self.clock(), characters / WEIGHT
        self.player.spend(now, tokens)
        self.address.spend(now, tokens)

    def charge(self, seconds: float) -> None:
        """A message took so much work. Most take none to speak of; one that ends a game of 10,000 cells counts as many."""
        more = seconds / WORK - 1
        if more > 0:
            now = self.clock()
            self.player.spend(now, more)
            self.address.spend(now, more)


class GameWebSocket:
    """A socket that watches a live game.

    All that it does is done at once, in the call that brings a message: no task waits for one, and none for the sending.
    """

    __slots__ = (
        "_awaited", "_cut", "_dropped", "_fault", "_had", "_inbox", "_is_busy", "_limits", "_line", "_live", "_metrics", "_queue",
        "_rates", "_reader", "_receive", "_send", "_since", "_size", "_timer", "_unsaved", "_writer",
    )  # fmt: skip

    def __init__(
        self,
        live: LiveGame,
        line: TextLine,
        receive: Receive,
        send: Send,
        *,
        limits: WebLimits,
        rates: SocketRates,
        writer: MessageEncoder,
        metrics: WebMetrics,
    ) -> None:
        self._live = live
        self._line = line
        self._receive = receive
        self._send = send
        self._limits = limits
        self._rates = rates
        self._writer = writer
        self._metrics = metrics
        self._inbox: deque[str | bytes] = deque()
        """What came while something was still to be sent: it is not heard before that."""
        self._queue: deque[tuple[bytes, Receipt | None]] = deque()
        self._size = 0
        self._is_busy = False
        """True while a message is heard: what it leads to is sent together."""
        self._dropped = 0
        self._had: float | None = None
        """When the message came that is not answered yet."""
        self._awaited: Receipt | None = None
        """What the first in the queue waits for."""
        self._since = 0.0
        """Since when."""
        self._timer: asyncio.TimerHandle | None = None
        self._unsaved: Receipt | None = None
        """The one of which it was said that it is not saved yet."""
        self._reader: asyncio.Task[Any] | None = None
        self._cut: tuple[int, str] | None = None
        self._fault: Exception | None = None

    def send(self, message: ServerMessage, /) -> None:
        """Queue a message; never waits."""
        if self._cut is not None:
            return
        text = self._writer.text_of(message)
        size = len(text)
        if size > FREE:
            self._rates.weigh(size)
        self._metrics.sent += size
        self._queue.append((text, self._live.receipt))
        self._size += size
        if len(self._queue) > self._limits.queued or self._size > self._limits.queued_size:
            self.cut(TOO_MANY_MESSAGES, "messages were not read")
        elif not self._is_busy:
            self._flush()

    def cut(self, code: int, reason: str) -> None:
        """End this connection soon; what is queued is not sent."""
        if self._cut is None:
            self._cut = code, reason
            self._metrics.cut[reason] += 1
            self._queue.clear()
            self._size = 0
            self._wake_reader()

    @property
    def is_flood(self) -> bool:
        """Whether it was cut off for what it sent."""
        return self._cut == FLOOD

    async def run(self) -> None:
        """Play until the client goes, is cut off, or the server ends."""
        self._reader = asyncio.current_task()
        self._live.join(self)
        self._line.listen(self._hear, self._go_on)
        try:
            self._live.tell_state(self)
            while self._cut is None and self._fault is None:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    break
                text = message.get("text")  # came before it was listened to
                self._hear(message["bytes"] if text is None else text)
        except asyncio.CancelledError:
            is_ours = self._cut is not None or self._fault is not None
            if not is_ours or self._reader is None or self._reader.uncancel():
                raise
        finally:
            self._reader = None
            self._line.hush()
            self._live.leave(self)
            if self._timer is not None:
                self._timer.cancel()
        if self._fault is not None:
            raise self._fault
        if self._cut is not None:
            await self._close(*self._cut)

    def _wake_reader(self) -> None:
        if self._reader is not None and self._reader is not asyncio.current_task():
            self._reader.cancel()

    # --- what comes in -------------------------------------------------------------------------------------------

    def _hear(self, said: str | bytes) -> None:
        """A message has come."""
        if self._cut is not None:
            return
        if self._queue:
            self._inbox.append(said)
            self._line.hold()
            return
        try:
            self._do(said)
        except Exception as error:  # noqa: BLE001  # whatever it is: it ends this socket, and no other
            self._fault = error
            self._wake_reader()

    def _go_on(self) -> None:
        """What kept the queue waiting is over."""
        if self._reader is None or not self._flush() or not self._inbox:
            return
        while self._inbox and not self._queue:
            self._hear(self._inbox.popleft())
        if not self._inbox:
            self._line.release()

    def _do(self, said: str | bytes) -> None:
        had = perf_counter()
        if self._dropped and self._rates.is_rested:
            self._dropped = 0  # a socket that is open for days is no flood
        if not self._rates.take():
            self._dropped += 1
            if self._dropped > self._limits.dropped:
                self.cut(*FLOOD)
            else:
                dropped = ErrorMessage(code="slow-down", message="too many messages: this one was dropped")
                self.send(dropped.answering(id_of(said)))
            return
        self._is_busy, begin = True, thread_time()  # what other processes do meanwhile is nobody's fault
        try:
            self._ask(said)
        finally:
            self._is_busy = False
        if perf_counter() - had > WORK:  # to ask for the thread's time costs as much as a short message
            self._rates.charge(thread_time() - begin)
        self._had = had
        self._flush()

    def _ask(self, said: str | bytes) -> None:
        try:
            request = read_request(said, self._live.grid)
        except RequestError as error:
            self._metrics.errors["message"] += 1
            self.send(ErrorMessage(code=error.code, message=str(error)).answering(error.id))
            return
        self._metrics.messages[request.verb] += 1
        if isinstance(request, RestartRequest) and not self._rates.take_game():
            refused = ErrorMessage(
                code="slow-down", message="so many games were begun: this board was not started over"
            )
            self.send(refused.answering(request.id))
        else:
            self._live.do(request, self)

    # --- what goes out -------------------------------------------------------------------------------------------

    def _flush(self) -> bool:
        """Send what may be sent now; whether that is all there is. `_go_on` is called when there may be more."""
        queue = self._queue
        if queue and not self._line.is_ready:
            return False
        ready: list[bytes] = []
        while queue:
            text, receipt = queue[0]
            is_refused = receipt is not None and receipt.is_refused
            is_open = not (receipt is None or receipt.is_durable or is_refused)
            if is_open and (self._live.confirms or receipt is not self._unsaved):
                break
            queue.popleft()
            self._size -= len(text)
            if not is_refused:
                ready.append(text)
            elif (number := json.loads(text).get("id")) is not None:
                ready.append(self._writer.text_of(ErrorMessage(code="went-on", message=WENT_ON).answering(number)))
        if ready:
            self._line.write(ready)
        if queue:
            self._wait_for(queue[0][1])
            return False
        if self._had is not None:
            self._metrics.answers.observe(perf_counter() - self._had)
            self._had = None
        return True

    def _wait_for(self, receipt: Receipt | None) -> None:
        """Go on when what is told next is durable, or when that takes too long."""
        if receipt is None or receipt is self._awaited:
            return
        loop = asyncio.get_running_loop()
        self._awaited, self._since = receipt, loop.time()
        if self._timer is None:  # one for all receipts: they are durable long before
            self._timer = loop.call_later(KEEP_TIME, self._look_for_late)
        receipt.when_settled(self._go_on)

    def _look_for_late(self) -> None:
        """If what is waited for takes too long, say so, and say later when it is durable; where it may not be told before, give up in the end."""
        self._timer, receipt = None, self._awaited
        if receipt is None or receipt.is_settled:
            return
        loop = asyncio.get_running_loop()
        left = self._since + KEEP_TIME + (SAVE_TIME if receipt is self._unsaved else 0.0) - loop.time()
        if left > 0:
            self._timer = loop.call_later(left, self._look_for_late)
        elif receipt is self._unsaved:
            self.cut(TOO_MANY, "moves cannot be saved now")
        else:
            self._unsaved = receipt
            self._line.write([self._writer.text_of(SavingMessage(saved=False))])
            receipt.when_settled(self._say_saved)
            if self._live.confirms:
                self._timer = loop.call_later(SAVE_TIME, self._look_for_late)
            self._go_on()

    def _say_saved(self) -> None:
        if self._reader is not None:
            self.send(SavingMessage(saved=True))

    async def _close(self, code: int, reason: str) -> None:
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            async with asyncio.timeout(FAREWELL):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})


class WebSocketEndpoint:
    """Where sockets are asked for: who may have one gets it, and is counted."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._of_player: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket, from its first byte to its last."""
        player, address = scope["player"], scope["address"]
        context = self._context
        await receive()  # websocket.connect
        if player is None:
            await _turn_away(send, NO_PLAYER, "no player: the cookie comes with any other answer")
        elif not context.rates.opened.take(address):
            await _turn_away(send, TOO_MANY, "too many connections from this address")
        elif self._of_player[player] >= context.limits.sockets_per_player:
            await _turn_away(send, TOO_MANY, "too many connections of this player")
        else:
            self._of_player[player] += 1
            try:
                await self._admit(scope, receive, send)
            except OSError:
                pass  # it has gone
            except Exception:
                context.metrics.errors["socket"] += 1
                raise  # to the log, and to the client as an error of the server's
            finally:
                self._of_player[player] -= 1
                if not self._of_player[player]:
                    del self._of_player[player]

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        # Looked for only now: nothing is waited for between this and watching it, or it might leave memory.
        try:
            live = await self._context.registry.find(
                scope["player"], scope["path_params"]["id"], address=scope["address"]
            )
        except RequestError as error:
            await _close(send, TOO_MANY, str(error))
        except StoreError as error:
            self._context.outage.begin(error)
            await _close(send, TOO_MANY, "the game cannot be looked up now")
        else:
            if live is None:
                await _close(send, NO_GAME, "no such game")
            else:
                await self._play(live, scope, receive, send)

    async def _play(self, live: LiveGame, scope: Scope, receive: Receive, send: Send) -> None:
        limiters = self._context.rates
        rates = SocketRates(
            player=limiters.messages.of(scope["player"]), address=limiters.address_messages.of(scope["address"]),
            games=limiters.new_games.of(scope["player"]), address_games=limiters.address_new_games.of(scope["address"]),
            may_keep=partial(limiters.may_keep, scope["address"]), clock=limiters.clock,
        )  # fmt: skip
        socket = GameWebSocket(
            live,
            scope["state"][LINE],
            receive,
            send,
            limits=self._context.limits,
            rates=rates,
            writer=self._context.writer,
            metrics=self._context.metrics,
        )
        self._context.sockets[socket] = scope["player"], scope["session"]
        self._context.metrics.sockets += 1
        try:
            await socket.run()
            if socket.is_flood:
                limiters.opened.of(scope["address"]).spend(limiters.clock(), self._context.limits.penalty)
        finally:
            self._context.sockets.pop(socket, None)
            self._context.metrics.sockets -= 1


async def _turn_away(send: Send, code: int, reason: str) -> None:
    """Accept and close at once: a page is told the code of a socket that was open, and of no other."""
    with contextlib.suppress(OSError):
        await send({"type": "websocket.accept"})
        await _close(send, code, reason)


async def _close(send: Send, code: int, reason: str) -> None:
    await send({"type": "websocket.close", "code": code, "reason": reason})
