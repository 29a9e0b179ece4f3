"""The screen of a game that a web server plays: that of games at this machine, and what is said of the connection."""

from sapper.core.status import Status
from sapper.errors import SapperError
from sapper.tui.game_screen import GameScreen
from sapper.tui.look import PlayLook
from sapper.tui.remote_play import RemotePlay


class RemoteScreen(GameScreen):
    """The game that is played on a server. There is no menu: its key quits."""

    def __init__(self, play: RemotePlay, look: PlayLook) -> None:
        super().__init__(play, look)
        self._remote = play
        self._lost: str | None = None
        """What was said of a lost connection."""

    def _tick(self) -> None:
        lost = self._remote.lost
        if lost != self._lost:
            self._lost = lost
            self._say(lost or "connected again")
        super()._tick()

    def _new(self, *, sure: bool) -> None:
        if self._remote.status is Status.PLAYING and not sure:
            self._asked = "new"
            self._say(f"{self._look.names['new'][0]} again begins another game; the server keeps this one")
            return
        try:
            self._remote.new()
        except SapperError as error:
            self._say(str(error))
            return
        self._took_up("another game")

    def _review(self) -> None:
        self._say("the review of a game is on the server's page")

    def _menu(self) -> None:
        self.app.exit()
