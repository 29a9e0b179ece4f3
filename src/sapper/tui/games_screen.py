"""The last games of a player, to be looked at again.

Knows: how a game is listed, which of them have their moves.
Does not know: where games are kept, what a review says.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from sapper.core.record import Record
from sapper.errors import SapperError
from sapper.session.kinds import title_of_kind
from sapper.store.models import StoredGame
from sapper.tui.choice_list import ChoiceList
from sapper.tui.look import PlayLook


class GamesScreen(Screen[None]):
    """A list; Return shows the review of a game."""

    DEFAULT_CSS = """
    GamesScreen { align: center middle; }
    GamesScreen > Static { width: 76; max-width: 100%; padding: 0 1; }
    GamesScreen > ChoiceList { width: 76; max-width: 100%; height: auto; max-height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "back"),
        Binding("j", "move(1)", "down"),
        Binding("k", "move(-1)", "up"),
    ]

    def __init__(self, games: list[StoredGame], look: PlayLook) -> None:
        super().__init__()
        self._games = games
        self._look = look

    def compose(self) -> ComposeResult:
        """The games, the last one first."""
        yield Static("the last games: Return reviews one, Esc goes back")
        yield ChoiceList(*(Option(_line(one), disabled=one.record is None) for one in self._games), id="games")
        yield Static("", id="said", markup=False)

    def on_mount(self) -> None:
        """The keys are for the list."""
        self.query_one("#games").focus()

    def action_move(self, step: int) -> None:
        """The next choice, or the one before."""
        games = self.query_one("#games", OptionList)
        (games.action_cursor_down if step > 0 else games.action_cursor_up)()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Look at a game."""
        from sapper.tui.review_screen import ReviewScreen  # noqa: PLC0415  # what it needs would keep the menu waiting

        event.stop()
        game = self._games[event.option_index]
        try:
            record = Record.from_json(game.record or "")
        except SapperError as error:
            self.query_one("#said", Static).update(f"{error}")
            return
        _ = self.app.push_screen(ReviewScreen(record, self._look, title=title_of_kind(game.kind)))


def game_line(game: StoredGame) -> str:
    """When, what, how it ended."""
    time = "" if game.time_ms is None else f", {game.time_ms / 1000:.1f} s"
    helped = "" if game.category == 0 else ", assisted"
    return f"{game.ended.astimezone():%Y-%m-%d %H:%M}  {title_of_kind(game.kind)}: {game.result.value}{time}{helped}"


def _line(game: StoredGame) -> str:
    return game_line(game) if game.record is not None else f"{game_line(game)} (its moves are not kept)"
