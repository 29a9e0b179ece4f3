"""What is kept of a game, of a run of games, and of a game that is not finished yet."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import Enum, IntEnum, unique
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sapper.core.move import Action
from sapper.core.preset import Preset
from sapper.core.record import Record
from sapper.core.rules import Rules, Start, Win
from sapper.core.status import Status
from sapper.errors import StoreError

if TYPE_CHECKING:
    from sapper.metrics.game import GameMetrics, Guess

CLOCK = "clock"
"""The note about whether clocks may be believed when old games are cleared."""
DOUBTED = "doubted: "
TRUSTED = "trusted "
"""What it begins with; behind it the reason, or milliseconds since 1970."""
SHARED = "shared "
"""What the name of the note begins with that says that a player shows a finished game to others; behind it the game's key. It goes with its player."""
RECORDING = "recording"
"""The face of games that were recorded by other programs."""
DAILY = "daily-"
"""What the kind of a day's board has in the place of a preset begins with; behind it the size."""
LONGEST_KEY = 64
LONGEST_NAME = 200
LONGEST_RETENTION = 40
MOST_MOVES = 10_000
"""Moves of a game's record: of longer ones the first are kept and the last (`Record.shortened`)."""


@unique
class Result(Enum):
    """How a game stands."""

    PLAYING = "playing"
    """It was started. If nothing more is ever heard of it, it was played and not won."""
    WON = "won"
    LOST = "lost"
    TERMINATED = "terminated"


@unique
class Category(IntEnum):
    """The table that a game belongs in. Only `PLAIN` games set records."""

    PLAIN = 0
    """A person played it, unaided."""
    ASSISTED = 1
    """A person played it with hints, an overlay, undone moves, a screen that helped with flags, or on a board seen before."""
    DEBUGGED = 2
    """The mines were shown before the end. It counts in no statistics."""
    BOT = 3
    """A program chose the moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKind:
    """Which game it is: only games of one kind can be compared."""

    rules: Rules
    width: int
    height: int
    mine_count: int
    preset: str | None = None
    """The name that it was asked for by."""
    no_guess: bool = False
    """True if its layouts are those that need no guess."""

    @classmethod
    def of(cls, preset: Preset, mine_count: int | None = None, *, no_guess: bool = False) -> "GameKind":
        """A preset's kind; `mines` is needed where the preset has several counts."""
        count = preset.mine_counts[0] if mine_count is None else mine_count
        return cls(
            rules=preset.rules,
            width=preset.width,
            height=preset.height,
            mine_count=count,
            preset=preset.name,
            no_guess=no_guess,
        )

    @property
    def is_daily(self) -> bool:
        """True for games on the boards of the days: their clock never stops, and what they show is kept back until the day is over."""
        return self.preset is not None and self.preset.startswith(DAILY)

    @property
    def family(self) -> str | None:
        """The preset without the size, which presets of the binary protocol have in their name: `jminesweeper-1` of `jminesweeper-1 20x10`."""
        return None if self.preset is None else self.preset.removesuffix(f" {self.width}x{self.height}")

    @property
    def rules_text(self) -> str:
        """The values of the rules, for those who do not know their name."""
        return rules_text(self.rules)


@lru_cache
def rules_text(rules: Rules) -> str:
    """Rules as JSON of their values, keys in order."""
    values = {one.name: getattr(rules, one.name) for one in fields(Rules) if one.compare}
    plain = {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


class StoredGuess(NamedTuple):
    """A move that could have revealed a mine: what was claimed, and what happened."""

    risk: float
    """The chance of a mine before the move: what a bot claimed, else the exact one."""
    forced: bool
    exploded: bool

    @classmethod
    def of(cls, guess: "Guess") -> "StoredGuess":
        """A guess that was judged after the game (`metrics.game.guess_of`)."""
        return cls(guess.risk, guess.forced, not guess.survived)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """A game as the store keeps it. `StoreError` for values that cannot be."""

    key: str
    """A name that no other game has, given by whoever ran the game: recording a game again changes nothing."""
    kind: GameKind
    result: Result
    started: datetime
    ended: datetime
    """Both in UTC or with their offset."""
    face: str
    """What it was played on: `server`, `web`, `tui`, `bot` …"""
    player: str | None = None
    strategy: str | None = None
    """The strategy, if a program chose the moves: then it is counted with the bots' games."""
    time_ms: int | None = None
    """Milliseconds on the game's clock. None if that is not known, or not to be compared with others, as of a game that was paused."""
    seed: int | None = None
    code: str | None = None
    moves: int | None = None
    clicks: int | None = None
    effective_clicks: int | None = None
    bbbv: int | None = None
    """The layout's 3BV, if known."""
    solved_bbbv: int | None = None
    hints: int = 0
    undos: int = 0
    restarted: bool = False
    """True if the same board had been played before."""
    overlay: bool = False
    """True if chances were shown over the board."""
    aided: bool = False
    """True if the screen counted flags, or set several with one click."""
    debugged: bool = False
    guesses: tuple[StoredGuess, ...] = ()
    record: str | None = field(default=None, repr=False)
    """The whole game (`Record.to_json`), if it is to be kept."""

    def __post_init__(self) -> None:
        check_name("a game's key", self.key, LONGEST_KEY)
        for what, name in (("a player", self.player), ("a strategy", self.strategy), ("a preset", self.kind.preset)):
            if name is not None:
                check_name(f"the name of {what}", name, LONGEST_NAME)
        check_name("the name of a face", self.face, LONGEST_NAME)
        for when in (self.started, self.ended):
            if when.tzinfo is None:
                raise StoreError(f"a time needs a time zone: {when}")
        for name in _COUNTS:
            value = getattr(self, name)
            if value is not None and not 0 <= value < 1 << 62:
                raise StoreError(f"{name} is a count, not {value}")
        for guess in self.guesses:
            if not 0 <= guess.risk <= 1:
                raise StoreError(f"a risk is 0 to 1, not {guess.risk}")

    @property
    def category(self) -> Category:
        if self.debugged:
            return Category.DEBUGGED
        if self.strategy is not None:
            return Category.BOT
        is_assisted = self.hints or self.undos or self.restarted or self.overlay or self.aided
        return Category.ASSISTED if is_assisted else Category.PLAIN

    def replace(self, **changes: Any) -> "StoredGame":
        return replace(self, **changes)

    @classmethod
    def of_record(
        cls,
        record: Record,
        *,
        key: str,
        started: datetime,
        ended: datetime,
        face: str,
        metrics: "GameMetrics | None" = None,
        **marks: Any,
    ) -> "StoredGame":
        """A game from its record, with its numbers measured unless they are given; `marks` are any other fields.

        The kind is the record's grid and rules; give `preset` and `no_guess` where they are known.
        """
        kind = GameKind(
            rules=record.rules,
            width=record.grid.width,
            height=record.grid.height,
            mine_count=record.mine_count,
            preset=marks.pop("preset", None),
            no_guess=marks.pop("no_guess", False),
        )
        kept = record.shortened(MOST_MOVES)
        known: dict[str, Any] = {"seed": record.seed, "code": record.code, "record": kept.to_json()}
        known["time_ms"] = record.played[-1].at if record.played else 0
        known["moves"] = sum(
            not one.update.is_empty and one.move.action is not Action.TERMINATE for one in record.played
        )
        if record.mines is not None:
            if metrics is None:
                # Who only asks for statistics measures nothing, and need not wait for the solver.
                from sapper.metrics.game import measure_game  # noqa: PLC0415

                metrics = measure_game(record)
            known |= {
                "clicks": metrics.clicks,
                "effective_clicks": metrics.effective_clicks,
                "bbbv": metrics.bbbv,
                "solved_bbbv": metrics.solved_bbbv,
            }
        return cls(
            key=key,
            kind=kind,
            result=result_of(record.status),
            started=started,
            ended=ended,
            face=face,
            **(known | marks),
        )


_COUNTS = (
    "time_ms", "moves", "clicks", "effective_clicks", "bbbv", "solved_bbbv", "hints", "undos",
)  # fmt: skip


def check_name(what: str, name: str, longest: int) -> None:
    """`StoreError` for a name that is none: empty, too long, or with a character that no name has."""
    if not 0 < len(name) <= longest or not name.isprintable():
        raise StoreError(f"{what} is 1 to {longest} printable characters, not {name[:40]!r}")


def result_of(status: Status) -> Result:
    """A game's result by its status; a game that has not ended is being played."""
    return Result(status.value) if status.ended else Result.PLAYING


class SessionState(NamedTuple):
    """How a saved game stands: what lists say of it, without its text being read."""

    status: Status = Status.READY
    elapsed: int = 0
    """Milliseconds on its clock."""
    flags: int = 0
    covered: int = 0
    """Cells that are not revealed, flags included."""
    paused: bool = False


_FRESH: Final = SessionState()


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSession:
    """A game that is to be gone on with: what its session wrote, which the store does not read.

    Given to a store it is the whole of a game, in place of all that was kept of it; what is done afterwards follows as `InputLog`s. Found
    there it has those too: text, number of inputs, time and state are the latest.
    """

    key: str
    """The key of its game: recording that game as ended drops the session."""
    version: int
    """Of the text's form."""
    text: str = field(repr=False)
    saved: datetime
    inputs: int = 0
    """How many inputs the text has."""
    player: str | None = None
    kind: GameKind | None = None
    title: str = ""
    """What to show in a list of saved games."""
    retention: str = ""
    """Its retention class, a name that its face gives: games of one class are kept for equally long. Without one, forever."""
    state: SessionState = _FRESH

    def __post_init__(self) -> None:
        check_name("a session's key", self.key, LONGEST_KEY)
        if self.saved.tzinfo is None:
            raise StoreError(f"a time needs a time zone: {self.saved}")
        if self.retention:
            check_name("a retention class", self.retention, LONGEST_RETENTION)


class ListedSession(NamedTuple):
    """A saved game without its text."""

    key: str
    title: str
    kind: GameKind | None
    saved: datetime
    state: SessionState


class SessionMark(NamedTuple):
    """How far a saved game is."""

    player: str | None
    inputs: int
    """How many it has."""
    status: Status


class OldSession(NamedTuple):
    """A saved game whose retention class says that it may be dropped."""

    begun: datetime
    """When it was saved whole."""
    key: str
    player: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSimulation:
    """A run of many games by one strategy: its counts."""

    key: str
    kind: GameKind | None
    """None for games from a board list, which need not be of one kind."""
    strategy: str
    games: int
    won: int
    lost: int
    terminated: int = 0
    faults: int = 0
    moves: int = 0
    guesses: int = 0
    seconds: float = 0.0
    """Spent playing."""
    backend: str = ""
    seed: int | None = None
    boards: str | None = None
    """The name of the board list."""
    at: datetime

    def __post_init__(self) -> None:
        check_name("a simulation's key", self.key, LONGEST_KEY)
        check_name("the name of a strategy", self.strategy, LONGEST_NAME)
        if self.at.tzinfo is None:
            raise StoreError(f"a time needs a time zone: {self.at}")
        if min(self.won, self.lost, self.terminated, self.faults) < 0 or self.games != (
            self.won + self.lost + self.terminated + self.faults
        ):
            raise StoreError(f"{self.games} games are those won, lost, given up and at fault together")


_GAME_FIELDS = tuple(one.name for one in fields(StoredGame))


# --- times and plain values ---------------------------------------------------------------------------


def to_ms(when: datetime) -> int:
    """Milliseconds since 1970, UTC."""
    return round(when.timestamp() * 1000)


def from_ms(milliseconds: int) -> datetime:
    """The time in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def game_to_json(game: StoredGame) -> dict[str, Any]:
    values = {
        name: getattr(game, name) for name in _GAME_FIELDS
    }  # `asdict` copies deeply, which takes ten times as long
    values["kind"] = kind_to_json(game.kind)
    values["guesses"] = [list(guess) for guess in game.guesses]
    values["result"] = game.result.value
    values["started"], values["ended"] = to_ms(game.started), to_ms(game.ended)
    return values


def game_from_json(values: dict[str, Any]) -> StoredGame:
    """What `game_to_json` made; `StoreError` (or the error of a value) for anything else."""
    guesses: Sequence[Sequence[Any]] = values["guesses"]
    return StoredGame(
        **{
            **values,
            "kind": kind_from_json(values["kind"]),
            "result": Result(values["result"]),
            "started": from_ms(values["started"]),
            "ended": from_ms(values["ended"]),
            "guesses": tuple(StoredGuess(*one) for one in guesses),
        }
    )


def kind_to_json(kind: GameKind) -> dict[str, Any]:
    # The name of rules does not count when they are compared, and here it does.
    return dict(_kind_to_json(kind, kind.rules.name))


@lru_cache(maxsize=256)
def _kind_to_json(kind: GameKind, _: str) -> dict[str, Any]:
    return {
        "rules": {"name": kind.rules.name, **json.loads(kind.rules_text)},
        "width": kind.width, "height": kind.height, "mines": kind.mine_count,
        "preset": kind.preset, "no_guess": kind.no_guess,
    }  # fmt: skip


def kind_from_json(values: dict[str, Any]) -> GameKind:
    rest = {name: value for name, value in values.items() if name not in ("rules", "mines")}
    return GameKind(rules=rules_from_values(values["rules"]), mine_count=values["mines"], **rest)


def rules_from_values(values: dict[str, Any]) -> Rules:
    return Rules(**{**values, "win": Win(values["win"]), "start": Start(values["start"])})
