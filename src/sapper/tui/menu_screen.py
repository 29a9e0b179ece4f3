"""The menu: new games by a key each, what they are like, unfinished games, statistics."""

import asyncio
import importlib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from sapper.core.preset import PRESETS
from sapper.core.status import Status
from sapper.core.words import counted
from sapper.errors import NotationError, SapperError
from sapper.solver.advisor import ADVISORS
from sapper.tui.choice_list import ChoiceScreen, LinePart
from sapper.tui.keeper import totals_words
from sapper.tui.local_play import LocalPlay, game_request, request_by_code
from sapper.tui.look import PlayLook
from sapper.tui.text_screens import PromptScreen, TextScreen, help_screen

if TYPE_CHECKING:
    from sapper.session.game_request import GameRequest
    from sapper.store.models import ListedSession, StoredGame


BY_KEY: Final = {"1": "beginner", "2": "intermediate", "3": "expert"}
STARTS: Final = {"open": "always a blank", "safe": "never a mine", "any": "anything"}
_TITLE: Final = (LinePart("sapper: Minesweeper", 3),)
_MOST_GAMES: Final = 50
"""Games that are listed for their review."""
_CUSTOM: Final = re.compile(r"\s*([0-9]{1,5})\s*[x×, ]\s*([0-9]{1,5})\s*[/, ]\s*([0-9]{1,7})\s*")


class MenuScreen(ChoiceScreen):
    """Where a player chooses what to play."""

    def __init__(self, play: LocalPlay, look: PlayLook) -> None:
        super().__init__(_TITLE)
        self._play = play
        self._look = look
        self._starts = "open"
        self._no_guess = False
        self._unfinished: list[ListedSession] = []
        self._counts: list[LinePart] = []

    def on_mount(self) -> None:
        self._fill()

    def on_screen_resume(self) -> None:
        self.choices.focus()
        self._fill()
        # Opening the store keeps the interpreter busy: the menu is painted first.
        self.call_after_refresh(lambda: self.run_worker(self._ask(), exclusive=True))

    async def _ask(self) -> None:
        archive = self._play.archive
        self._unfinished = await asyncio.to_thread(archive.unfinished)
        played, won, _ = await asyncio.to_thread(archive.totals)
        self._counts = [LinePart(f"games played: {played}", 1), LinePart(f"games won: {won}", 2)]
        self._fill()
        if archive.trouble is not None:
            self.say(f"games are not kept: {archive.trouble}")
        # What plays a game is there before a key asks for one.
        await asyncio.to_thread(importlib.import_module, "sapper.tui.game_screen")

    def _fill(self) -> None:
        choices = self.choices
        highlighted = choices.highlighted
        game = self._play.game if self._play.has_game else None
        options = [
            *([] if game is None or game.session.status.ended else [Option(f"b  back to {game.title}", id="b")]),
            *(
                Option(f"{key}  {name.capitalize()}: {PRESETS[name].width} x {PRESETS[name].height}, {PRESETS[name].mine_counts[0]} mines", id=key)
                for key, name in BY_KEY.items()
            ),
            Option("c  another size …", id="c"),
            Option("o  the game of a code …", id="o"),
            Option(f"s  first reveal: {STARTS[self._starts]}", id="s"),
            Option(f"n  boards that need no guess: {'yes' if self._no_guess else 'no'}", id="n"),
            Option(f"h  guesses in hints: {self._play.advisor.strategy}", id="h"),
            Option("t  statistics", id="t"),
            Option("l  the last games, and their review", id="l"),
            Option("?  help", id="?"),
            Option("q  quit", id="q"),
            *(
                Option(f"   go on: {one.title}, {one.state.elapsed // 1000} s, {counted(one.state.covered, 'cell')} covered", id=f"resume {one.key}")
                for one in self._unfinished
                if game is None or one.key != game.key or game.session.status.ended
            ),
        ]  # fmt: skip
        choices.clear_options()
        choices.add_options(options)
        choices.highlighted = 0 if highlighted is None else min(highlighted, len(options) - 1)
        self.entitle([*_TITLE, *self._counts])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._choose(event.option_id or "")

    def on_key(self, event: events.Key) -> None:
        key = event.character or event.key
        if key in {*BY_KEY, *"bcosnhtlq?"} or event.key in {"escape", "j", "k"}:
            event.stop()
            event.prevent_default()
            if event.key in {"j", "k"}:
                choices = self.choices
                (choices.action_cursor_down if event.key == "j" else choices.action_cursor_up)()
                return
            self._choose("b" if event.key == "escape" else key)

    def _choose(self, choice: str) -> None:
        self.say("")
        if choice in BY_KEY:
            self._begin(lambda: self._request(preset=BY_KEY[choice]))
        elif choice.startswith("resume "):
            self._resume(choice.removeprefix("resume "))
        elif choice == "b":
            if self._play.has_game and not self._play.status.ended:
                self._play.come_back()
                self._play_on()
        elif choice == "c":
            _ = self.app.push_screen(PromptScreen("Columns x rows / mines, as 30x20/130:"), self._custom)
        elif choice == "o":
            _ = self.app.push_screen(PromptScreen("The code of a game:"), self._coded)
        elif choice == "s":
            names = list(STARTS)
            self._starts = names[(names.index(self._starts) + 1) % len(names)]
            self._fill()
        elif choice == "n":
            self._no_guess = not self._no_guess
            self._fill()
        elif choice == "h":
            advisor = self._play.advisor
            following = ADVISORS[(ADVISORS.index(advisor.strategy) + 1) % len(ADVISORS)]
            self._play.advisor = replace(advisor, strategy=following)
            self._fill()
        elif choice == "t":
            self.run_worker(self._statistics(), exclusive=True)
        elif choice == "l":
            self.run_worker(self._last_games(), exclusive=True)
        elif choice == "?":
            _ = self.app.push_screen(help_screen(self._look, keeps=self._play.archive.keeps))
        elif choice == "q":
            self.app.exit()

    def _request(
        self, *, preset: str = "beginner", size: tuple[int, int] | None = None, mine_count: int | None = None
    ) -> "GameRequest":
        return game_request(
            preset, size=size, mine_count=mine_count, start=self._starts, no_guess=self._no_guess,
            question_marks=self._look.question_marks,
        )  # fmt: skip

    def _custom(self, text: str | None) -> None:
        if text is None:
            return
        match = _CUSTOM.fullmatch(text)
        if match is None:
            self.say("a board is columns x rows / mines, as 30x20/130")
            return
        self._begin(lambda: self._request(size=(int(match[1]), int(match[2])), mine_count=int(match[3])))

    def _coded(self, text: str | None) -> None:
        if text:
            self._begin(lambda: request_by_code(text))

    def _begin(self, make: "Callable[[], GameRequest]") -> None:
        try:
            self._play.new(make())
        except (SapperError, ValueError) as error:
            self.say(_words(error))
            return
        self._play_on()

    def _play_on(self) -> None:
        from sapper.tui.game_screen import GameScreen  # noqa: PLC0415  # what it needs would keep the menu waiting

        _ = self.app.push_screen(GameScreen(self._play, self._look))

    def _resume(self, key: str) -> None:
        try:
            self._play.resume(key)
        except SapperError as error:
            self.say(_words(error))
            return
        self._play_on()

    async def _statistics(self) -> None:
        from sapper.session.kinds import title_of_kind  # noqa: PLC0415  # what it needs would keep the menu waiting

        archive = self._play.archive
        await asyncio.to_thread(archive.flush)
        found = await asyncio.to_thread(archive.statistics)
        latest = await asyncio.to_thread(archive.latest)
        lines = ["nothing is kept"] if found is None else []
        if found is not None:
            lines.append(totals_words(found))
            lines += ["", "best times:"] if found.kinds else []
            for kind, numbers in found.kinds:
                best = "-" if numbers.best_ms is None else f"{numbers.best_ms / 1000:.1f} s"
                lines.append(f"  {title_of_kind(kind):28} {numbers.won} of {numbers.ended} won, best {best}")
        if latest:
            lines += ["", "the last games (l in the menu reviews them):", *(f"  {game_line(one)}" for one in latest)]
        _ = self.app.push_screen(TextScreen("statistics", lines))

    async def _last_games(self) -> None:
        archive = self._play.archive
        await asyncio.to_thread(archive.flush)
        games = await asyncio.to_thread(archive.latest, _MOST_GAMES)
        if games:
            _ = self.app.push_screen(GamesScreen(games, self._look))
        else:
            self.say("no game has ended yet" if archive.keeps else "games are not kept")


def _words(error: Exception) -> str:
    return f"{error}" if not isinstance(error, NotationError) else f"not a code: {error}"


_GAMES_TITLE: Final = (LinePart("the last games: Return reviews one", 0), LinePart("Esc goes back", 1))


class GamesScreen(ChoiceScreen):
    """A list; Return shows the review of a game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "back"),
        Binding("j", "move(1)", "down"),
        Binding("k", "move(-1)", "up"),
    ]

    def __init__(self, games: "list[StoredGame]", look: PlayLook) -> None:
        super().__init__(_GAMES_TITLE, [Option(_line(one), disabled=one.record is None) for one in games])
        self._games = games
        self._look = look

    def on_mount(self) -> None:
        self.choices.focus()

    def action_move(self, step: int) -> None:
        games = self.choices
        (games.action_cursor_down if step > 0 else games.action_cursor_up)()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        from sapper.core.record import Record  # noqa: PLC0415  # what these need would keep the menu waiting
        from sapper.session.kinds import title_of_kind  # noqa: PLC0415
        from sapper.tui.review_screen import ReviewScreen  # noqa: PLC0415

        event.stop()
        game = self._games[event.option_index]
        try:
            record = Record.from_json(game.record or "")
        except SapperError as error:
            self.say(f"{error}")
            return
        _ = self.app.push_screen(ReviewScreen(record, self._look, title=title_of_kind(game.kind)))


def game_line(game: "StoredGame") -> str:
    from sapper.session.kinds import title_of_kind  # noqa: PLC0415  # what it needs would keep the menu waiting

    time = "" if game.time_ms is None else f", {game.time_ms / 1000:.1f} s"
    helped = "" if game.category == 0 else ", assisted"
    return f"{game.ended.astimezone():%Y-%m-%d %H:%M}  {title_of_kind(game.kind)}: {Status(game.result.value).words}{time}{helped}"


def _line(game: "StoredGame") -> str:
    return game_line(game) if game.record is not None else f"{game_line(game)} (its moves are not kept)"
