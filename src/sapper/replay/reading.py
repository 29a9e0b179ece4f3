"""Reading a recording, whichever program wrote it."""

from collections.abc import Callable
from typing import Final

from sapper.errors import RecordError, SapperError
from sapper.replay import toollib
from sapper.replay.avf import is_avf, read_avf
from sapper.replay.evf import is_evf, read_evf
from sapper.replay.mvf import is_mvf, read_mvf
from sapper.replay.rawvf import is_rawvf, read_rawvf
from sapper.replay.recording import Recording, UnknownVersionError
from sapper.replay.rmv import is_rmv, read_rmv

READERS: Final[dict[str, Callable[[bytes], Recording]]] = {
    "rmv": read_rmv,
    "rawvf": read_rawvf,
    "avf": read_avf,
    "evf": read_evf,
    "mvf": read_mvf,
}
"""The readers by the ending of a file's name."""

_SIGNS: Final = {"rmv": is_rmv, "rawvf": is_rawvf, "mvf": is_mvf, "avf": is_avf, "evf": is_evf}

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of a file; the longest events take 9 bytes, as text some 40."""


def read_recording(data: bytes, *, name: str = "") -> Recording:
    """A recording by its content; the ending of `name` decides where that says nothing. `RecordError` for anything else."""
    if len(data) > LARGEST:
        raise RecordError(f"a recording has at most {LARGEST:,} bytes, not {len(data):,}")
    found = format_of(data, name)
    if found is None:
        raise RecordError(f"not a recording of a known format ({', '.join(sorted(READERS))}; sapper's own: sapr, JSON)")
    try:
        return READERS[found](data)
    except UnknownVersionError as error:
        return _by_others(data, found, error)
    except RecordError as error:
        raise RecordError(f"{found}: {error}") from None
    except SapperError as error:  # a board that cannot be
        raise RecordError(f"{found}: {error}") from error


def _by_others(data: bytes, found: str, error: UnknownVersionError) -> Recording:
    """A recording of a version that is unknown here: ms-toollib may know it."""
    if not toollib.is_there():
        raise RecordError(
            f"{found}: {error}; ms-toollib may know it: pip install '.[replays]' in the clone of sapper"
        ) from None
    try:
        return toollib.read_by_toollib(data, found)
    except RecordError as other:
        raise RecordError(f"{found}: {error}; {other}") from None


def format_of(data: bytes, name: str = "") -> str | None:
    """Which format it is, by its signature, else by the name's ending, else by what it looks like; None if it is none."""
    for format_name in ("rmv", "mvf"):
        if _SIGNS[format_name](data):
            return format_name
    ending = name.rpartition(".")[2].lower()
    if ending in READERS and data:
        return ending
    return next((format_name for format_name in ("rawvf", "avf", "evf") if _SIGNS[format_name](data)), None)
