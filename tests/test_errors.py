"""Every error is a SapperError and the builtin that fits it, says one line, and can be pickled."""

import pickle

import pytest

from sapper import errors
from sapper.errors import (
    ContradictionError,
    IllegalMoveError,
    MoveFault,
    NotationError,
    SapperError,
    TooHardError,
    UnknownNameError,
)

CLASSES = sorted(
    (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, SapperError)),
    key=lambda one: one.__name__,
)

BARE = (Exception, BaseException, object)

# What callers of the engine and the solver rely on.
BUILTINS: dict[str, type[Exception]] = {
    "AccessError": LookupError,
    "CellError": IndexError,
    "ContradictionError": ValueError,
    "InvalidValueError": ValueError,
    "IllegalMoveError": ValueError,
    "LayoutError": ValueError,
    "NotationError": ValueError,
    "RecordError": ValueError,
    "StrategyError": RuntimeError,
    "TooHardError": RuntimeError,
    "UnknownNameError": LookupError,
}


@pytest.mark.parametrize("kind", [one for one in CLASSES if one is not SapperError], ids=lambda kind: kind.__name__)
def test_an_error_is_also_the_builtin_that_fits(kind: type[SapperError]) -> None:
    builtin = [base for base in kind.__mro__ if base.__module__ == "builtins" and base not in BARE]
    assert builtin
    assert issubclass(kind, BUILTINS.get(kind.__name__, builtin[0]))
    assert kind.__doc__


@pytest.mark.parametrize(
    "error",
    [
        *(kind("a line") for kind in CLASSES if "__init__" not in vars(kind)),
        IllegalMoveError("the game is paused", MoveFault.PAUSED),
        UnknownNameError("rules", "clasic", ["classic", "modern"]),
        NotationError("no tile", source="b.txt", line=3, column=4),
        ContradictionError("too many", clues=(4, 7), mine_count=True),
        TooHardError("too many states", cap=10, partial=(1, 2)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_the_way_between_processes(error: SapperError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.args, vars(copy)) == (type(error), str(error), error.args, vars(error))


def test_an_unknown_name_lists_the_known_ones() -> None:
    error = UnknownNameError("rules", "clasic", (name for name in ("classic", "modern")))
    assert str(error) == "unknown rules 'clasic'; known are: classic, modern"
    assert (error.kind, error.name, error.known) == ("rules", "clasic", ("classic", "modern"))
