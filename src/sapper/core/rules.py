"""Rules are values, and the engine has one code for all of them; promises about a layout that a board does not show."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, unique
from functools import lru_cache
from types import MappingProxyType

from sapper.core.arguments import check_type
from sapper.errors import InvalidValueError, UnknownNameError


@unique
class Win(Enum):
    """When a game is won."""

    REVEALED = "revealed"
    """Every safe cell is revealed."""
    FLAGGED = "flagged"
    """Exactly the mines are flagged."""
    EITHER = "either"
    """Whichever comes first."""


@unique
class Start(Enum):
    """Which cells the first reveal keeps free of mines."""

    ANY = "any"
    """Anything: the layout is drawn when the game starts."""
    SAFE = "safe"
    """Never a mine: the layout is drawn at the first reveal."""
    OPEN = "open"
    """Always a zero: neither the cell nor a neighbour of it is a mine; drawn at the first reveal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One way to play. The name is a label and does not count when rules are compared."""

    name: str = field(default="custom", compare=False)
    win: Win = Win.REVEALED
    """When the game is won."""
    spread: int = 8
    """How many neighbours a zero opens: 8, or the 4 that share an edge."""
    cascade_clears_flags: bool = False
    """True if a cascade that meets a flag clears it and reveals the cell; else it goes around."""
    click_reveals_flagged: bool = False
    """True if a left click (and a reveal) on a flagged cell reveals it; else nothing happens."""
    chording: bool = True
    """True if a left click on a revealed clue, with as many flags beside it, reveals the rest."""
    start: Start = Start.ANY
    """Which cells the first reveal keeps free of mines."""
    question_marks: bool = False
    """True if the right click goes on from a flag to a question mark."""
    one_game: bool = False
    """True if a player may have only one unfinished game at a time."""

    def __post_init__(self) -> None:
        if self.spread not in (4, 8) or type(self.spread) is not int:  # 8.0 would be another text
            raise InvalidValueError(f"a cascade spreads over 8 or 4 neighbours, not {self.spread!r}")
        if not isinstance(self.win, Win):
            raise InvalidValueError(f"win is one of {', '.join(map(str, Win))}, not {self.win!r}")
        if not isinstance(self.start, Start):
            raise InvalidValueError(f"start is one of {', '.join(map(str, Start))}, not {self.start!r}")
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise InvalidValueError(f"{name} is True or False, not {getattr(self, name)!r}")

    @property
    def allows_aids(self) -> bool:
        """Whether a face may help with flags and with clicks: not under the rules of programs that say themselves what a click does."""
        return self.name.partition("+")[0] not in _PLAIN

    def replace(self, **changes: object) -> "Rules":
        """These rules with some values changed, and a name that says so.

        >>> RULES["modern"].replace(start=Start.SAFE).name
        'modern+start=safe'
        """
        unknown = [name for name in changes if name not in _FIELDS]
        if unknown:
            raise InvalidValueError(f"rules have no {unknown[0]!r}; they have {', '.join(_FIELDS)}")
        changed = replace(self, **changes)  # type: ignore[arg-type]  # checked by __post_init__
        if changed == self:
            return self
        base = RULES.get(self.name.partition("+")[0], self)
        differing = [name for name in _FIELDS if getattr(changed, name) != getattr(base, name)]
        extra = "".join(f"+{name}={_text(getattr(changed, name))}" for name in differing)
        return replace(changed, name=base.name + extra)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, tuple(getattr(self, one.name) for one in fields(self)))


_PLAIN = frozenset({"engine", "kata", "jminesweeper", "formal"})
_FIELDS = tuple(one.name for one in fields(Rules) if one.compare)
_SWITCHES = tuple(one.name for one in fields(Rules) if one.type in (bool, "bool"))


def _restore(*values: object) -> Rules:
    return Rules(**dict(zip([one.name for one in fields(Rules)], values, strict=True)))  # type: ignore[arg-type]


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


RULES: Mapping[str, Rules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            Rules(name="engine", cascade_clears_flags=True),
            Rules(name="kata", cascade_clears_flags=True, click_reveals_flagged=True, chording=False),
            Rules(name="jminesweeper", win=Win.FLAGGED, spread=4, chording=False),
            Rules(name="formal", win=Win.EITHER, cascade_clears_flags=True, chording=False, one_game=True),
            Rules(name="classic", start=Start.SAFE),
            Rules(name="modern", start=Start.OPEN),
        )
    }
)
"""The named rules of sapper itself. Other packages add theirs by the entry point group `sapper.rules`."""


def find_rules(name: str) -> Rules:
    """The rules of that name, changes included: `modern`, `modern+start=safe+question_marks=on`.

    `UnknownNameError` for a name that nobody registered, `InvalidValueError` for a change that is none.
    """
    check_type("name", name, str)
    base_name, *changes = name.split("+")
    rules = RULES.get(base_name) or _others().get(base_name)
    if rules is None:
        raise UnknownNameError("rules", base_name, (*RULES, *_others()))
    return rules.replace(**dict(_parse_change(change) for change in changes)) if changes else rules


def _parse_change(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or name not in _FIELDS:
        raise InvalidValueError(f"a change of rules is NAME=VALUE with a name of {', '.join(_FIELDS)}, not {text!r}")
    choices: dict[str, object] = {"on": True, "off": False}
    if name == "win":
        choices = {win.value: win for win in Win}
    elif name == "start":
        choices = {start.value: start for start in Start}
    elif name == "spread":
        choices = {"8": 8, "4": 4}
    if value not in choices:
        raise InvalidValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return name, choices[value]


@lru_cache(maxsize=1)
def _others() -> dict[str, Rules]:
    """What installed packages register: an entry point's object is a `Rules`."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # a third of the time of `import sapper`

    found = {}
    for point in entry_points(group="sapper.rules"):
        rules = point.load()
        if not isinstance(rules, Rules):
            raise InvalidValueError(f"entry point {point.name!r} of group sapper.rules is not Rules but {rules!r}")
        found[point.name] = replace(rules, name=point.name)
    return found


@unique
class Promise(Enum):
    """A promise to the player about the layout."""

    NO_GUESS = "no guess"
    """From the promised first cell on, some covered cell is certain to be safe until the game is won."""
    KABOOM = "kaboom"
    """A reveal where no covered cell is certain is safe; where one is, revealing another that is not meets a mine."""
