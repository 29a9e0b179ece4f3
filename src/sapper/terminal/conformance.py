"""Whether somebody else's client or server keeps the network protocol: points, each with a verdict.

Knows: what a point is, how its verdict comes about and is told.
Does not know: sockets, terminals, what any point is about (see `conform_server` and `conform_client`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Generic, TypeVar

from sapper.errors import SapperError, ServerLostError

Subject = TypeVar("Subject")


@unique
class PointVerdict(Enum):
    """What came of a point."""

    KEPT = "ok"
    BROKEN = "WRONG"
    """It breaks what the requirements say."""
    OTHERWISE = "differs"
    """It does otherwise than docs/protocol.md says, where the requirements leave it open."""
    NOT_TESTED = "not tested"
    """It could not be told, since something else was wrong."""


class Deviation(Exception):  # noqa: N818  # it is what was looked for
    """What was other than it is to be, in a sentence."""


class NotTested(Exception):  # noqa: N818
    """Why a point could not be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformancePoint(Generic[Subject]):
    """Something that a client or a server is to do."""

    name: str
    title: str
    """What it is to do, in a sentence."""
    check: Callable[[Subject], None]
    """Raises `Deviation` where it does not."""
    is_required: bool = True
    """Whether the requirements say it, or only docs/protocol.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceResult:
    """A point and its verdict."""

    name: str
    title: str
    verdict: PointVerdict
    found: str = ""
    """What was found instead."""


def judged(points: Sequence[ConformancePoint[Subject]], subject: Subject) -> Iterator[ConformanceResult]:
    """The verdict on each point, as it is reached."""
    for point in points:
        verdict, found = PointVerdict.KEPT, ""
        try:
            point.check(subject)
        except Deviation as deviation:
            verdict, found = PointVerdict.BROKEN if point.is_required else PointVerdict.OTHERWISE, f"{deviation}"
        except (NotTested, ServerLostError) as why:
            verdict, found = PointVerdict.NOT_TESTED, f"{why}"
        except TimeoutError:
            verdict, found = (
                PointVerdict.BROKEN if point.is_required else PointVerdict.OTHERWISE,
                "nothing came in time",
            )
        except (OSError, SapperError) as error:
            verdict = PointVerdict.BROKEN if point.is_required else PointVerdict.OTHERWISE
            found = " ".join(f"{getattr(error, 'strerror', None) or error}".split())
        yield ConformanceResult(name=point.name, title=point.title, verdict=verdict, found=found)
