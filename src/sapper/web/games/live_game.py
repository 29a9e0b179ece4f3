"""A played game and whoever watches it: messages in, and what happened to all of them as messages."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Protocol

from msgspec import UNSET, structs

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.errors import IllegalMoveError, RequestError
from sapper.play.events import (
    WENT_ON,
    ChancesFound,
    Changed,
    GameEnded,
    GameEvent,
    Happened,
    HintFound,
    Judged,
    MayGuessFound,
    Refused,
    went_on,
)
from sapper.play.played_game import Ask, PlayedGame, Question
from sapper.play.ports import Receipt
from sapper.session.inputs import Verb
from sapper.session.session import Session
from sapper.solver.advisor import Advisor
from sapper.store.standing import StoredTotals
from sapper.web.games.messages import (
    REQUESTS,
    ChancesMessage,
    ErrorMessage,
    HintMessage,
    HintRequest,
    OverlayRequest,
    PageRequest,
    PingRequest,
    PlayerRequest,
    PongMessage,
    SavingMessage,
    ServerMessage,
    StateMessage,
    cell_of,
)
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.translating import error_message, message_of, state_message

_WORDS: Final[dict[str, Ask]] = {ask.value.replace(" ", "_"): ask for kind in (Verb, Question) for ask in kind}
_ASKS: Final[dict[type[PlayerRequest], Ask]] = {
    request: _WORDS[verb] for verb, request in REQUESTS.items() if verb in _WORDS
}
"""What a message asks a game for: the word for it is the same."""
_ANSWERS: Final = (HintFound, MayGuessFound, ChancesFound, Refused)
"""Events that answer a request; else the last change does."""


class Subscriber(Protocol):
    """Who is told what happens."""

    def send(self, message: ServerMessage, /) -> None:
        """Take a message; this never waits. Others have the same message."""


class Timer(Protocol):
    """Something that will be called later."""

    def cancel(self) -> None:
        """Have it not called."""


ASKING: Final = 0.5
"""The part of the time until an automatic pause in which other processes may say that somebody has the game in view."""
KEEP_TIME: Final = 1.0
"""Seconds that somebody waits for something to be durable; then it is said that it is not saved yet."""


async def wait_for(receipt: Receipt, seconds: float) -> bool:
    """Wait for so many seconds at most; True if it is durable."""
    if not receipt.is_settled:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()

        def release() -> None:
            if not future.done():
                future.set_result(None)

        receipt.when_settled(release)
        timer = loop.call_later(seconds, release)
        try:
            await future
        finally:
            timer.cancel()
    return receipt.is_durable


async def settled(receipt: Receipt | None) -> None:
    """Wait until it is durable; `RequestError` (`busy`) if that takes too long, or is refused."""
    if receipt is not None and not await wait_for(receipt, KEEP_TIME):
        raise RequestError("busy", WENT_ON if receipt.is_refused else "the last move of this game is not saved yet")


CallLater = Callable[[float, Callable[[], None]], Timer]
"""Has something called after so many seconds, unless the timer is cancelled."""


class PendingReply:
    """A subscriber that waits for one answer: how a plain endpoint asks."""

    def __init__(self, live: "LiveGame", wanted: type[ServerMessage]) -> None:
        self._live = live
        self._wanted = wanted
        self.receipt: Receipt | None = None
        """What must be durable before the answer is told."""
        self.future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()

    def send(self, message: ServerMessage, /) -> None:
        """Take the answer, or the error; anything else is for others."""
        if self.future.done():
            return
        self.receipt = self._live.receipt
        if isinstance(message, ErrorMessage):
            # Over HTTP this is a reason to ask again.
            code = "busy" if message.code == "went-on" else message.code
            self.future.set_exception(RequestError(code, message.message))
        elif isinstance(message, self._wanted):
            self.future.set_result(message)

    async def answer(self) -> ServerMessage:
        """The answer, when it may be told; `RequestError` if there is none."""
        message = await self.future
        await settled(self.receipt)
        return message


class LiveGame:
    """A game in memory, and its player's sockets."""

    def __init__(self, game: PlayedGame, *, policy: PlayPolicy, call_later: CallLater) -> None:
        self.game = game
        self.id = game.key
        self.player: str = game.player or ""
        self.grid: Grid = game.grid
        self.session: Session = game.session
        self.subscribers: list[Subscriber] = []
        self.is_leaving = False
        """True while it is about to leave memory, and was saved for that."""
        self._policy = policy
        self._call_later = call_later
        self._hidden: set[Subscriber] = set()
        """Those whose page is hidden."""
        self._absence: Timer | None = None
        """Runs while nobody has the game in view."""
        self.on_unseen: Callable[[LiveGame], None] | None = None
        """Asks other processes whether somebody has it in view there (`seen_elsewhere`), where there may be some."""
        self.on_end: Callable[[LiveGame, GameEnded], None] | None = None
        """Has an end told later (`tell_end`), with totals that are not known here, where there may be other processes."""
        self._after_end: list[GameEvent] | None = None
        """What is to be told after the end that is not told yet."""
        self._number = game.number
        """Of the last change."""
        self._changer: Subscriber | None = None
        """Who asked for it."""
        self._others_number = game.number
        """Of the last change that somebody else asked for."""
        self._stood_at: tuple[int, int] | None = None
        """What its clock said when it was loaded, and how many inputs it had, until somebody has it in view."""
        game.on_happened = self._publish
        self._attend()

    # --- watching -----------------------------------------------------------------------------------------

    def join(self, subscriber: Subscriber) -> None:
        """Tell a subscriber what happens from now on."""
        self._end_absence()
        self.subscribers.append(subscriber)
        self._attend()

    def leave(self, subscriber: Subscriber) -> None:
        """Tell it no longer."""
        if subscriber in self.subscribers:
            self.subscribers.remove(subscriber)
            self._hidden.discard(subscriber)
            if subscriber is self._changer:
                self._changer = None
            if not self.subscribers and self.confirms:
                self.save_clock()
            self._attend()

    def _attend(self) -> None:
        """Let the time until an automatic pause begin, or stop it: it runs while the clock does and nobody has the game in view."""
        may_pause = not self.is_in_view and self._policy.auto_pause and not self.game.kind.is_daily
        is_unseen = may_pause and self.session.is_running
        if is_unseen and self._absence is None:
            seconds = self._policy.unseen_seconds
            if self.on_unseen is None:
                self._absence = self._call_later(seconds, self._pause_unseen)
            else:
                self._absence = self._call_later(seconds * (1 - ASKING), self._ask_elsewhere)
        elif not is_unseen:
            self.stop_timer()

    @property
    def is_in_view(self) -> bool:
        """True if somebody has it in view, by what this process knows."""
        return not self._hidden.issuperset(self.subscribers)

    def _ask_elsewhere(self) -> None:
        if self.on_unseen is not None:
            self.on_unseen(self)
        self._absence = self._call_later(self._policy.unseen_seconds * ASKING, self._pause_unseen)

    def seen_elsewhere(self) -> None:
        """Somebody has it in view in another process: it is not paused, and asked for again later."""
        self.stop_timer()
        self._attend()

    def stop_timer(self) -> None:
        """No longer pause it from here: other processes decide that."""
        if self._absence is not None:
            self._absence.cancel()
            self._absence = None

    def stand_still(self) -> None:
        """It was loaded running, and nobody has it in view yet: until somebody has, or it pauses, its clock stands."""
        if self.session.is_running and not self.game.kind.is_daily:
            self._stood_at = self.session.elapsed, self.session.input_count

    def _end_absence(self) -> None:
        stood, self._stood_at = self._stood_at, None
        if stood is not None and self.session.is_running and self.session.input_count == stood[1]:
            self.session.stand_at(self.game.referee, stood[0], running=True)

    def _pause_unseen(self) -> None:
        self._absence = None
        self._end_absence()
        if not (self.game.is_gone or self.game.is_refused):
            self._publish(self.game.do(Verb.AUTO_PAUSE))

    @property
    def receipt(self) -> Receipt | None:
        """What must be durable before anything more is told of the game; None if there is nothing."""
        return self.game.receipt

    def replace(self, game: PlayedGame) -> None:
        """The game has gone on elsewhere: this is how it stands now, and all subscribers are told so."""
        # A higher number than any that was told: what a client asks for now is asked of the game as it was.
        game.number = max(game.number, self.game.number + 1)
        self._number, self._changer, self._after_end = game.number, None, None
        self.game, self.session = game, game.session
        game.on_happened = self._publish
        self.stop_timer()
        for subscriber in tuple(self.subscribers):
            self.tell_state(subscriber)
        self._attend()

    @property
    def confirms(self) -> bool:
        """True if nothing is to be told before it is durable."""
        return self.game.confirms

    def save_clock(self) -> None:
        """Have the clock kept as it is: whoever goes on with the game in another process begins there."""
        if self.session.is_running and self.game.is_kept and not (self.game.is_gone or self.game.is_refused):
            self.game.save()

    def tell_end(self, told: GameEnded, found: StoredTotals) -> None:
        """Tell of the end with the totals that were found, if it still is the game's."""
        if self.game.end is not told or self._after_end is None:
            return
        is_best = told.is_best and found.best_ms == self.session.elapsed
        self.game.end = told = told._replace(played=found.played, won=found.won, is_best=is_best)
        later, self._after_end = self._after_end, None
        for event in (told, *later):
            self._send(message_of(self.game, event))

    def tell_gone(self) -> None:
        """The game is not there any more."""
        self._send(ErrorMessage(code="failed", message="this game has been forgotten"))

    def tell_saving(self, *, saved: bool) -> None:
        """Tell all subscribers whether what they were told last is kept."""
        self._send(SavingMessage(saved=saved))

    def tell_state(self, subscriber: Subscriber, number: int | None = None) -> None:
        """Tell one subscriber everything about the game now; chances, if they are shown, follow when they are found."""
        subscriber.send(self.state().answering(number))
        if not self.game.is_refused:
            self._publish(self.game.do(Question.STATE))

    def state(self) -> StateMessage:
        """Everything about the game now, but for chances, and for an end that is not told yet."""
        state = state_message(self.game)
        return state if self._after_end is None else structs.replace(state, end=UNSET)

    # --- doing ----------------------------------------------------------------------------------------------

    def do(self, request: PlayerRequest, subscriber: Subscriber) -> None:
        """Do what is asked, or say why not; all subscribers are told what changed. This never raises and never waits."""
        ask = _ASKS.get(type(request))
        if ask is Verb.OVERLAY and isinstance(request, OverlayRequest) and not request.on:
            ask = Verb.NO_OVERLAY
        if ask is Question.STATE and not self.game.is_gone:
            self.tell_state(subscriber, request.id)
        elif ask is not None and self._is_late(request, subscriber):
            subscriber.send(error_message(went_on(), request.id))
        elif ask is not None:
            self._ask(ask, cell_of(request, self.grid), subscriber, request.id, self._advisor_of(request))
        elif isinstance(request, PingRequest):
            subscriber.send(PongMessage().answering(request.id))
        elif isinstance(request, PageRequest):
            (self._hidden.add if request.hidden else self._hidden.discard)(subscriber)
            self._attend()

    def _is_late(self, request: PlayerRequest, subscriber: Subscriber) -> bool:
        """True if somebody else has changed the game since the state that this was asked for in: the sender may have been told that it was not done."""
        others_number = self._others_number if subscriber is self._changer else self._number
        return request.after is not None and request.after < others_number

    def _advisor_of(self, request: PlayerRequest) -> Advisor | None:
        """Whose guess a hint is to name, if the message says."""
        if not isinstance(request, HintRequest) or request.strategy is None:
            return None
        return replace(self._policy.advisor, strategy=request.strategy)

    def _ask(
        self, ask: Ask, cell: Cell, subscriber: Subscriber, number: int | None, advisor: Advisor | None = None
    ) -> None:
        try:
            happened = self.game.do(ask, cell, (subscriber, number), advisor=advisor)
        except (RequestError, IllegalMoveError) as error:
            subscriber.send(error_message(error, number))
        else:
            self._publish(happened)

    async def hint(self) -> HintMessage:
        """A hint, as on the socket. `RequestError` if there is none to be had now."""
        reply = PendingReply(self, HintMessage)
        self.do(HintRequest(), reply)
        message = await reply.answer()
        assert isinstance(message, HintMessage)
        return message

    async def chances(self) -> ChancesMessage:
        """The chances of all covered cells, once; the game is marked. `RequestError` as above."""
        reply = PendingReply(self, ChancesMessage)
        self._ask(Question.CHANCES, Cell(0), reply, None)
        message = await reply.answer()
        assert isinstance(message, ChancesMessage)
        return message

    # --- telling --------------------------------------------------------------------------------------------

    def _publish(self, happened: Happened) -> None:
        """Tell all subscribers what happened, and who asked the answer with the id of the request."""
        asked: Any = happened.asker or (None, None)
        asker, number = asked
        if self.game.number != self._number:
            if asker is not self._changer:
                self._changer, self._others_number = asker, self._number
            self._number = self.game.number
        answer = _answer_of(happened.events) if number is not None else None
        for event in happened.events:
            if isinstance(event, GameEnded) and self.on_end is not None:
                self._after_end = []
                self.on_end(self, event)
                continue
            if isinstance(event, Judged) and self._after_end is not None:
                self._after_end.append(event)
                continue
            message = message_of(self.game, event)
            its_number = number if event is answer else None
            is_private = isinstance(event, Refused) and not event.ends_working
            if is_private or (isinstance(event, ChancesFound) and event.is_answer):
                asker.send(message.answering(its_number))
            else:
                self._send(message, asker, its_number)
        self._attend()

    def _send(self, message: ServerMessage, asker: Subscriber | None = None, number: int | None = None) -> None:
        """Tell all subscribers, and who asked if it is none of them; that one with its id."""
        is_told = asker is None
        for subscriber in tuple(self.subscribers):
            if subscriber is asker:
                is_told = True
                subscriber.send(message.answering(number))
            else:
                subscriber.send(message)
        if asker is not None and not is_told:
            asker.send(message.answering(number))


def _answer_of(events: list[GameEvent]) -> GameEvent | None:
    """The event that answers the request."""
    answer = None
    for event in events:
        if isinstance(event, _ANSWERS) or (isinstance(event, Changed) and not isinstance(answer, _ANSWERS)):
            answer = event
    return answer
