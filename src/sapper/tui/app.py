"""The terminal game as a Textual application: its screens, its colours, and how it ends.

Whatever ends it, its caller saves the game (`cli.play`): here signals only end it in order.
"""

import asyncio
import contextlib
import gc
import signal
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import LineFilter, NoColor

from sapper.errors import RequestError
from sapper.tui.local_play import LocalPlay
from sapper.tui.look import PlayLook
from sapper.tui.menu_screen import MenuScreen

if TYPE_CHECKING:
    from sapper.play.ports import Job, JobDone, Jobs
    from sapper.tui.remote_play import RemotePlay


_KEYS: Final = {" ": "space", "\r": "enter", "\n": "enter"}
ENDING: Final = ("SIGTERM", "SIGHUP")


def _collect_again() -> None:
    """Garbage is looked for again, which `cli.play` has put off to the first screen; not in what was imported, all of which stays."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


class PlayApp(App[None]):
    """The game of one player at this terminal."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self, play: "LocalPlay | RemotePlay", look: PlayLook, *, begins: bool = False, typed: str = ""
    ) -> None:
        """`begins`: with a game as `play.request` says, without the menu. `typed` is what was typed before there was a screen."""
        super().__init__()
        self.title = "sapper"
        self.play = play
        self.look = look
        self.ended_by_signal = False
        self.failure: Exception | None = None
        """The mistake of ours that ended it: for the caller to raise, when the terminal is as it was."""
        self._begins = begins
        self._typed = typed
        self.theme = "textual-light" if look.theme == "light" else "textual-dark"

    def get_driver_class(self) -> type[Driver]:
        """Textual's; where that is the one for POSIX, one that goes on when its terminal has gone."""
        usual = super().get_driver_class()
        if usual.__module__ != "textual.drivers.linux_driver":
            return usual
        from sapper.tui.driver import PersistentDriver  # noqa: PLC0415  # needs `termios`, which Windows lacks

        return PersistentDriver

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's, and no colours at all where none are wanted."""
        filters = super().get_line_filters()
        return filters if self.look.has_colours else [*filters, NoColor()]

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for name in ENDING:
            number = getattr(signal, name, None)
            if number is not None:
                # Windows has no such handlers, and no such signals to wait for; in a thread of tests there are none either.
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self._end)
        self.app_resume_signal.subscribe(self, self._on_continued)
        self._open(loop)
        self.call_after_refresh(_collect_again)
        for character in self._typed:
            self.call_after_refresh(self.simulate_key, _KEYS.get(character, character))

    def _open(self, loop: asyncio.AbstractEventLoop) -> None:
        """The first screens: the menu, and a game where one is asked for; of a server the game alone."""
        if not isinstance(self.play, LocalPlay):
            from sapper.tui.remote_screen import RemoteScreen  # noqa: PLC0415

            self.play.post = loop.call_soon_threadsafe
            _ = self.push_screen(RemoteScreen(self.play, self.look))
            return
        self.play.make_jobs = self._jobs
        _ = self.push_screen(MenuScreen(self.play, self.look))
        if self._begins:
            from sapper.tui.game_screen import GameScreen  # noqa: PLC0415  # what it needs would keep the menu waiting

            self.play.new()
            _ = self.push_screen(GameScreen(self.play, self.look))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ctrl-C and Ctrl-Z are something else where a setting gives them to the game."""
        key = {"interrupt": "ctrl+c", "suspend_process": "ctrl+z"}.get(action)
        return key not in self.look.keys and super().check_action(action, parameters)

    def action_interrupt(self) -> None:
        self.exit()

    def action_suspend_process(self) -> None:
        """Stop until the shell continues it, with the clock of the game standing; nothing where the system has no such thing."""
        from sapper.tui.game_screen import GameScreen  # noqa: PLC0415  # what it needs would keep the menu waiting

        stop = getattr(self._driver, "stop_process", None)
        if stop is None:
            return
        plays = any(isinstance(screen, GameScreen) for screen in self.screen_stack)
        if plays:
            self.play.leave()
        stop()
        if plays:
            self.play.come_back()

    def _on_continued(self, _: object) -> None:
        """The terminal has something else on it: all of the screen is painted."""
        self.refresh(layout=True)

    def _handle_exception(self, error: Exception) -> None:
        """End by a mistake; Textual's page about it is left out, since how errors are told is the caller's."""
        self.failure = self.failure or error
        super()._handle_exception(error)
        self._exit_renderables.clear()

    def _jobs(self) -> "Jobs":
        return LoopJobs(self._handle_exception)

    def _end(self) -> None:
        self.ended_by_signal = True
        self.exit()


class LoopJobs:
    """`Jobs` of the event loop that runs; `on_failure` hears of a mistake in one."""

    def __init__(self, on_failure: Callable[[Exception], None]) -> None:
        self._on_failure = on_failure

    def start(self, job: "Job", done: "JobDone", /) -> None:
        """Do it on a thread, and have `done` called on the loop's."""
        from sapper.play.ports import InlineJobs  # noqa: PLC0415  # what it needs would keep the menu waiting

        def work() -> tuple[Any, RequestError | None]:
            answers: list[tuple[Any, RequestError | None]] = []
            InlineJobs().start(job, lambda *answer: answers.append(answer))
            return answers[0]

        def finish(future: "asyncio.Future[tuple[Any, RequestError | None]]") -> None:
            try:
                done(*future.result())
            except Exception as error:  # noqa: BLE001  # nobody waits for this callback who could be told
                self._on_failure(error)

        asyncio.get_running_loop().run_in_executor(None, work).add_done_callback(finish)
