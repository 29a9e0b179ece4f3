"""Points of the network protocol, and how the verdict on one comes about."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum, unique
from typing import Generic, TypeVar

from sapper.errors import SapperError, UnavailableError

Subject = TypeVar("Subject")


@unique
class PointVerdict(Enum):
    """What came of a point."""

    KEPT = "ok"
    BROKEN = "WRONG"
    DIFFERS = "differs"
    NOT_TESTED = "not tested"


class Deviation(Exception):  # noqa: N818  # it is what was looked for
    """What was other than it is to be, in a sentence."""


class NotTested(Exception):  # noqa: N818
    """Why a point could not be tested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformancePoint(Generic[Subject]):
    """Something that a client or a server is to do; the docstring of its check says what."""

    check: Callable[[Subject], None]
    """Raises `Deviation` where it does not."""
    is_required: bool
    """True if the requirements say it, False if only docs/protocol.md does."""

    @property
    def name(self) -> str:
        """As it is shown."""
        return self.check.__name__.replace("_", " ")

    @property
    def title(self) -> str:
        """What it is to do, in a sentence."""
        return self.check.__doc__ or ""

    def verdict(self, subject: AbstractContextManager[Subject]) -> tuple[PointVerdict, str]:
        """The verdict on a subject that is there for this point alone, and what was found instead."""
        wrong = PointVerdict.BROKEN if self.is_required else PointVerdict.DIFFERS
        try:
            with subject as there:
                self.check(there)
        except Deviation as deviation:
            return wrong, f"{deviation}"
        except (NotTested, UnavailableError) as why:
            return PointVerdict.NOT_TESTED, f"{why}"
        except TimeoutError:
            return wrong, "nothing came in time"
        except (OSError, SapperError) as error:
            return wrong, " ".join(f"{getattr(error, 'strerror', None) or error}".split())
        return PointVerdict.KEPT, ""


class Points(list[ConformancePoint[Subject]]):
    """The points of one side. A decorator adds each."""

    def required(self, check: Callable[[Subject], None]) -> Callable[[Subject], None]:
        """The requirements say it."""
        self.append(ConformancePoint(check=check, is_required=True))
        return check

    def documented(self, check: Callable[[Subject], None]) -> Callable[[Subject], None]:
        """Only docs/protocol.md says it."""
        self.append(ConformancePoint(check=check, is_required=False))
        return check
