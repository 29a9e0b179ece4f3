"""What a live game has worked out by others: hints, chances, a layout that takes a search, the review of its last move.

The answer comes later. Nothing is asked twice at once.

Knows: what each question is about, what becomes of its answer.
Does not know: live games, sockets, who works it out.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.move import Move
from sapper.core.update import Update
from sapper.errors import IllegalMoveError, RequestError
from sapper.game.referee import Referee
from sapper.generator.layout_spec import LayoutSpec
from sapper.play.ports import JobDone
from sapper.session.session import Session
from sapper.solver.advisor import Advisor
from sapper.web.games import jobs
from sapper.web.games.messages import (
    ChancesMessage,
    ErrorMessage,
    HintMessage,
    HintRequest,
    MayGuessMessage,
    MayGuessRequest,
    ReviewMessage,
    ServerMessage,
)
from sapper.web.games.services import Subscriber


class Publish(Protocol):
    """Tells all subscribers what the session has done since they were told last, and then a message, if there is one."""

    def __call__(
        self, message: ServerMessage | None = None, asker: Subscriber | None = None, number: int | None = None, /
    ) -> None:
        """`asker` gets the message with the id `number`, whether it is a subscriber or not."""


StartJob = Callable[[Callable[..., Any], tuple[Any, ...], JobDone], None]
"""Has a function of `jobs` called with these arguments by a worker, and its answer told."""


def error_message(error: RequestError | IllegalMoveError, number: int | None = None) -> ErrorMessage:
    """Why something is not done, as the answer to a request of that id."""
    code = error.code if isinstance(error, RequestError) else "illegal-move"
    message = ErrorMessage(code=code, message=str(error))
    return message if number is None else ErrorMessage(code=code, message=str(error), id=number)


def _chances_message(number: int, found: jobs.WebOdds | None) -> ChancesMessage:
    """What was found, if it was, about the board of that update."""
    return ChancesMessage(number=number, **(found or jobs.WebOdds(chances=None))._asdict())


class PendingReply:
    """A subscriber that waits for one answer: how a plain endpoint asks."""

    def __init__(self, wanted: type[ServerMessage]) -> None:
        self._wanted = wanted
        self.future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()

    def send(self, message: ServerMessage, /) -> None:
        """Take the answer, or the error; anything else is for others."""
        if self.future.done():
            return
        if isinstance(message, ErrorMessage):
            self.future.set_exception(RequestError(message.code, message.message))
        elif isinstance(message, self._wanted):
            self.future.set_result(message)


class AnalysisTasks:
    """What is being worked out for one session."""

    __slots__ = (
        "_advisor", "_is_judging", "_next_review", "_number", "_publish", "_referee", "_session", "_start", "_wants_chances", "_works",
    )  # fmt: skip

    def __init__(
        self,
        session: Session,
        referee: Referee,
        *,
        advisor: Advisor,
        start: StartJob,
        publish: Publish,
        number: Callable[[], int],
    ) -> None:
        """`advisor`: whose guesses hints name, where nobody says; `number` gives that of the last update."""
        self._advisor = advisor
        self._session = session
        self._referee = referee
        self._start = start
        self._publish = publish
        self._number = number
        self._works: set[str] = set()
        self._wants_chances = False
        self._is_judging = False
        self._next_review: Callable[[], None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is being worked out that the game waits for."""
        return bool(self._works)

    def tell_chances(self, reply: PendingReply) -> None:
        """Tell chances once, and mark the game."""
        session = self._session

        def done(answer: Any, error: RequestError | None) -> None:
            self._works.discard(name)
            if error is not None and error.code != "failed":
                reply.send(error_message(error))
                return
            if not (session.assistance.overlay or session.shows_chances):
                session.show_chances(True)
                session.show_chances(False)
                self._publish()
            reply.send(_chances_message(self._number_of(board, number), answer))

        try:
            session.check(Move.terminate())
        except IllegalMoveError as error:
            reply.send(error_message(error))
            return
        board, number, name = self._referee.board, self._number(), f"chances for {id(reply)}"
        self._works.add(name)
        self._start(jobs.odds, (board,), done)

    def _number_of(self, board: Board, number: int) -> int:
        """The number of the update that led to a board that had that number: the last one, if it is still the board."""
        return self._number() if board.tiles == self._referee.board.tiles else number

    def hint(self, request: HintRequest, subscriber: Subscriber) -> None:
        """Start a hint. `IllegalMoveError` if there is nothing to ask about, `RequestError` if one is being worked out."""
        session = self._session
        session.check(Move.terminate())  # a game that runs, and is not paused
        self._begin("hint")
        board, number = self._referee.board, self._number()

        def done(answer: jobs.WebHint, error: RequestError | None) -> None:
            self._works.discard("hint")
            try:
                if error is not None:
                    raise error
                session.hint(answer.cells)
            except (RequestError, IllegalMoveError) as fault:
                subscriber.send(error_message(fault, request.id))
                return
            self._publish(None, subscriber)
            message = HintMessage(number=self._number_of(board, number), steps=answer.steps, may_guess=answer.may_guess)
            self._publish(message, subscriber, request.id)

        advisor = self._advisor if request.strategy is None else replace(self._advisor, strategy=request.strategy)
        self._start(jobs.hint, (board, advisor), done)

    def may_guess(self, request: MayGuessRequest, subscriber: Subscriber) -> None:
        """Start the question whether a guess is all that is left; errors as of `hint`."""
        session = self._session
        session.check(Move.terminate())
        self._begin("may_guess")

        def done(answer: bool | None, error: RequestError | None) -> None:
            self._works.discard("may_guess")
            try:
                if error is not None and error.code != "failed":
                    raise error
                session.hint(CellSet())
            except (RequestError, IllegalMoveError) as fault:
                subscriber.send(error_message(fault, request.id))
                return
            self._publish(None, subscriber)
            self._publish(MayGuessMessage(answer=answer), subscriber, request.id)

        self._start(jobs.may_guess, (self._referee.board,), done)

    def _begin(self, name: str) -> None:
        if name in self._works:
            raise RequestError("busy", "that is being worked on already")
        self._works.add(name)

    def follow_chances(self) -> None:
        """Have the chances of the board found, if they are shown; once for all changes that come meanwhile."""
        session = self._session
        if not session.shows_chances or session.is_paused or session.status.ended:
            return
        if "chances" in self._works:
            self._wants_chances = True
            return
        board, number = self._referee.board, self._number()

        def done(answer: Any, _: RequestError | None) -> None:
            self._works.discard("chances")
            is_late, self._wants_chances = self._wants_chances, False
            if session.shows_chances and not session.is_paused and not session.status.ended:
                self._publish(_chances_message(self._number_of(board, number), answer))
            if is_late:
                self.follow_chances()

        self._works.add("chances")
        self._start(jobs.odds, (board,), done)

    def find_layout(self, spec: LayoutSpec, seed: int, found: JobDone) -> None:
        """Have a layout searched for; `found` gets its mines. `RequestError` (`busy`) while another search goes on."""
        if "layout" in self._works:
            raise RequestError("busy", "the board is being looked for already")

        def done(answer: Any, error: RequestError | None) -> None:
            self._works.discard("layout")
            found(answer, error)

        self._works.add("layout")
        self._start(jobs.find, (spec, seed), done)

    def judge(
        self, before: Board, move: Move, update: Update, *, is_wanted: Callable[[], bool], tell: Callable[[ReviewMessage], None]
    ) -> None:  # fmt: skip
        """Have the last move of a game judged, as long as that is wanted. One at a time: whoever ends the same game again and again
        has the last end judged.
        """

        def done(answer: ReviewMessage | None, error: RequestError | None) -> None:
            self._is_judging = False
            if error is None and answer is not None and is_wanted():
                tell(answer)
            elif self._next_review is not None:
                self._next_review()

        def start() -> None:
            self._next_review = None
            if is_wanted():
                self._is_judging = True
                self._start(jobs.review, (before, move, update), done)

        if self._is_judging:
            self._next_review = start
        else:
            start()
