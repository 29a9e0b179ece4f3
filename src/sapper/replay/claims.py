"""Differences between what a recording states about itself and what its replay shows."""

from collections.abc import Sequence
from typing import NamedTuple

from sapper.core.status import Status
from sapper.core.words import counted
from sapper.metrics.layout import bbbv_of
from sapper.replay.recording import NOT_WON, Recording


class Difference(NamedTuple):
    """One difference between a file and its replay, in words."""

    stated: str
    shown: str
    is_grave: bool
    """Whether it is about the result or the mines: then the game that was recorded is not the one that was replayed."""


def find_differences(
    recording: Recording, status: Status, milliseconds: int, clicks: tuple[int, int], *, near: int
) -> tuple[Difference, ...]:
    """The differences. Times that are at most `near` milliseconds apart count as equal."""
    found: list[Difference] = []
    stated, mines = recording.claimed_result, recording.layout.mine_count
    if stated is not None and (status is Status.WON if stated == NOT_WON else stated != status.value):
        found.append(Difference(stated, status.value, is_grave=True))
    if recording.other_rules:
        found.append(Difference(", ".join(recording.other_rules), "a game without", is_grave=True))
    if recording.claimed_mines is not None and recording.claimed_mines != mines:
        found.append(Difference(counted(recording.claimed_mines, "mine"), counted(mines, "mine"), is_grave=True))
    if recording.claimed_bbbv is not None and recording.claimed_bbbv != (bbbv := bbbv_of(recording.layout)):
        found.append(Difference(f"3BV {recording.claimed_bbbv}", f"3BV {bbbv}", is_grave=False))
    if recording.claimed_ms is not None and abs(recording.claimed_ms - milliseconds) > near:
        found.append(Difference(f"{recording.claimed_ms / 1000:.3f} s", f"{milliseconds / 1000:.3f} s", is_grave=False))
    if recording.claimed_clicks is not None and recording.claimed_clicks != clicks:
        found.append(Difference(_clicks(recording.claimed_clicks), _clicks(clicks), is_grave=False))
    return tuple(found)


def _clicks(clicks: tuple[int, int]) -> str:
    return f"{clicks[0]} left and {clicks[1]} double clicks"


def told(differences: Sequence[Difference]) -> str:
    """Differences in a line; empty if there are none."""
    if not differences:
        return ""
    stated, shown = (", ".join(one.stated for one in differences), ", ".join(one.shown for one in differences))
    return f"the file says {stated}; the replay shows {shown}"
