"""The last games of a player, to be looked at again."""

from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from sapper.core.record import Record
from sapper.errors import SapperError
from sapper.session.kinds import title_of_kind
from sapper.store.models import StoredGame
from sapper.tui.choice_list import ChoiceScreen
from sapper.tui.fitted_line import LinePart
from sapper.tui.look import PlayLook

_TITLE: Final = (LinePart("the last games: Return reviews one", 0), LinePart("Esc goes back", 1))


class GamesScreen(ChoiceScreen):
    """A list; Return shows the review of a game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "back"),
        Binding("j", "move(1)", "down"),
        Binding("k", "move(-1)", "up"),
    ]

    def __init__(self, games: list[StoredGame], look: PlayLook) -> None:
        super().__init__(_TITLE, [Option(_line(one), disabled=one.record is None) for one in games])
        self._games = games
        self._look = look

    def on_mount(self) -> None:
        self.choices.focus()

    def action_move(self, step: int) -> None:
        games = self.choices
        (games.action_cursor_down if step > 0 else games.action_cursor_up)()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        from sapper.tui.review_screen import ReviewScreen  # noqa: PLC0415  # what it needs would keep the menu waiting

        event.stop()
        game = self._games[event.option_index]
        try:
            record = Record.from_json(game.record or "")
        except SapperError as error:
            self.say(f"{error}")
            return
        _ = self.app.push_screen(ReviewScreen(record, self._look, title=title_of_kind(game.kind)))


def game_line(game: StoredGame) -> str:
    time = "" if game.time_ms is None else f", {game.time_ms / 1000:.1f} s"
    helped = "" if game.category == 0 else ", assisted"
    return f"{game.ended.astimezone():%Y-%m-%d %H:%M}  {title_of_kind(game.kind)}: {game.result.value}{time}{helped}"


def _line(game: StoredGame) -> str:
    return game_line(game) if game.record is not None else f"{game_line(game)} (its moves are not kept)"
