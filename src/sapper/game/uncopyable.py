"""Objects that cannot be copied: a copy of a game could be ended and its mines read, while the game goes on.

What leads to the truth inherits from `Uncopyable`: games, sessions, referees, sources of layouts. Public ways of the standard
library to copy or pickle such an object end in `AccessError`. That keeps programs honest that are handed a game; in one process there
is no wall against those that read names with underscores, so other people's strategies run in a process that holds no layout.
"""

from typing import Any, NoReturn

from sapper.errors import AccessError


class Uncopyable:
    """An object that can be neither copied nor pickled."""

    __slots__ = ()

    def __copy__(self) -> NoReturn:
        self.__refuse()

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        self.__refuse()

    def __reduce__(self) -> NoReturn:
        self.__refuse()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__refuse()

    def __getstate__(self) -> NoReturn:
        self.__refuse()

    def __refuse(self) -> NoReturn:
        raise AccessError(
            f"a {type(self).__name__} can be neither copied nor pickled, as a copy could be ended and its mines read: its Record has "
            "all that was played, and whoever holds the referee can save it (session.saving)"
        )
