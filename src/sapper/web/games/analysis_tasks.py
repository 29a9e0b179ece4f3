"""What a live game has thought about by others: hints, chances, a layout that takes a search. The answer comes later.

Knows: what each question is about, what becomes of its answer, that nothing is asked twice at once.
Does not know: who thinks; sockets.
"""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.move import Move
from sapper.errors import IllegalMoveError, RequestError, SapperError
from sapper.game.layout import Layout
from sapper.web.games import jobs
from sapper.web.games.messages import Message, Request, error_message
from sapper.web.games.services import Job, Subscriber

if TYPE_CHECKING:
    from sapper.web.games.live_game import LiveGame


def fault_message(error: RequestError | IllegalMoveError, number: int | None) -> Message:
    """Why something is not done, as the answer to a request of that id."""
    code = error.code if isinstance(error, RequestError) else "illegal-move"
    return error_message(code, str(error), number)


class PendingReply:
    """A subscriber that waits for one answer: how a plain endpoint asks."""

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted
        self.future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

    def send(self, message: Message, /) -> None:
        """Take the answer, or the error; anything else is for others."""
        if self.future.done():
            return
        if message["type"] == "error":
            self.future.set_exception(RequestError(message["code"], message["message"]))
        elif message["type"] == self._wanted:
            self.future.set_result(message)


class AnalysisTasks:
    """What is being worked on for one live game."""

    __slots__ = ("_live", "_wants_chances", "_works")

    def __init__(self, live: "LiveGame") -> None:
        self._live = live
        self._works: set[str] = set()
        self._wants_chances = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being worked on."""
        return bool(self._works)

    def tell_chances(self, single: PendingReply) -> None:
        """Tell chances once, and mark the game."""
        live, session = self._live, self._live.session

        def done(answer: Any, error: RequestError | None) -> None:
            self._works.discard(name)
            if error is not None and error.code != "failed":
                single.send(fault_message(error, None))
                return
            if not (session.marks.overlay or session.shows_chances):
                session.show_chances(True)
                session.show_chances(False)
                live.tell(single, None)
            single.send({"type": "chances", "number": self._number_of(board, number), "chances": answer})

        try:
            session.check(Move.terminate())
        except IllegalMoveError as error:
            single.send(fault_message(error, None))
            return
        board, number, name = live.referee.board, live.number, f"chances for {id(single)}"
        self._works.add(name)
        live.services.start(Job(jobs.chances, (board,), live.player, live.address), done)

    def _number_of(self, board: Board, number: int) -> int:
        """The number of the update that led to a board that had that number: the last one, if it is still the board."""
        live = self._live
        return live.number if board.tiles == live.referee.board.tiles else number

    def advise(self, request: Request, subscriber: Subscriber) -> None:
        """Start a hint, or the question whether a guess is all that is left. `IllegalMoveError` if there is nothing to ask about."""
        live, session, verb = self._live, self._live.session, request.verb
        session.check(Move.terminate())  # a game that runs, and is not paused
        if verb in self._works:
            raise RequestError("busy", "that is being worked on already")
        board, number = live.referee.board, live.number

        def done(answer: Any, error: RequestError | None) -> None:
            self._works.discard(verb)
            try:
                if error is not None and (verb == "hint" or error.code != "failed"):
                    raise error
                found, cells = answer if verb == "hint" else ({"answer": answer}, CellSet())
                session.hint(cells)
            except (RequestError, IllegalMoveError) as fault:
                subscriber.send(fault_message(fault, request.id))
                return
            live.tell(subscriber, None)
            about = {"number": self._number_of(board, number)} if verb == "hint" else {}
            live.send({"type": verb, **found, **about}, subscriber, request.id)

        self._works.add(verb)
        live.services.start(
            Job(jobs.hint if verb == "hint" else jobs.may_guess, (board,), live.player, live.address), done
        )

    def think_of_chances(self) -> None:
        """Have the chances of the board found, if they are shown; once for all changes that come meanwhile."""
        live, session = self._live, self._live.session
        if not session.shows_chances or session.is_paused or session.status.ended:
            return
        if "chances" in self._works:
            self._wants_chances = True
            return
        board, number = live.referee.board, live.number

        def done(answer: Any, _: RequestError | None) -> None:
            self._works.discard("chances")
            is_late, self._wants_chances = self._wants_chances, False
            if session.shows_chances and not session.is_paused and not session.status.ended:
                live.send({"type": "chances", "number": self._number_of(board, number), "chances": answer})
            if is_late:
                self.think_of_chances()

        self._works.add("chances")
        live.services.start(Job(jobs.chances, (board,), live.player, live.address), done)

    def search(self, request: Request, subscriber: Subscriber) -> bool:
        """Whether a layout has to be found before this first reveal; then that is started, and the reveal follows."""
        live, session, cell = self._live, self._live.session, request.cell
        source = live.source
        if request.verb not in ("left", "reveal") or live.referee.layout is not None or not source.lacks(cell):
            return False
        if session.is_paused or not session.is_legal(Move.reveal(cell)):
            return False
        if "layout" in self._works:
            raise RequestError("busy", "the board is being looked for already")
        wish = source.game.wish
        assert wish is not None
        try:
            wish = replace(wish, first=source.first_of(cell))
        except SapperError as error:
            raise RequestError("failed", str(error)) from None

        def done(answer: Any, error: RequestError | None) -> None:
            self._works.discard("layout")
            try:
                if error is not None:
                    raise error
                if live.referee.layout is None:
                    source.prepare(cell, Layout(live.grid, answer))
                live.play(request, subscriber)
            except (RequestError, IllegalMoveError) as fault:
                live.send(fault_message(fault, None), subscriber, request.id)

        self._works.add("layout")
        live.send_update("working", [], None, None)
        live.services.start(Job(jobs.find, (wish, source.seed), live.player, live.address), done)
        return True
