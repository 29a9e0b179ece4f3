"""The screen of a game that a web server plays: that of games at this machine, and what is said of the connection."""

from sapper.core.status import Status
from sapper.tui.advice import ENDS_ATTEMPT
from sapper.tui.game_screen import GameScreen
from sapper.tui.look import PlayLook, key_label
from sapper.tui.remote_play import RemotePlay


class RemoteScreen(GameScreen):
    """The game that is played on a server. There is no menu: its key quits."""

    menu_does = "quit"

    def __init__(self, play: RemotePlay, look: PlayLook) -> None:
        super().__init__(play, look)
        self._remote = play
        self._lost: str | None = None
        """What was said of a lost connection."""

    def _tick(self) -> None:
        lost = self._remote.lost
        if lost != self._lost:
            self._lost = lost
            if lost is not None:
                self._say(lost)
        if news := self._remote.news():
            self._say(" ".join(news))
        super()._tick()

    def act(self, action: str) -> None:
        end = ENDS_ATTEMPT.get(action)
        if end is None or self._asked == action or not self._remote.is_attempt:
            super().act(action)
            return
        self._asked, self._count, self._first_of_two = action, "", False
        self._say(end.format(again=f"Press {key_label(self._look.names[action][0])} again"))

    def _new(self, *, sure: bool) -> None:
        if self._remote.status is Status.PLAYING and not sure:
            self._asked = "new"
            self._say(f"{self._look.names['new'][0]} again begins another game; the server keeps this one")
            return
        with self._saying_errors():
            self._remote.new()
            self._took_up("another game")

    def _review(self) -> None:
        ended = self._remote.status.ended
        self._say(f"its review: {self._remote.page}" if ended else "a review is for a game that has ended")

    def _menu(self) -> None:
        self.app.exit()
