"""Recordings of versions that no reader of ours knows, read by ms-toollib in a process of its own."""

import importlib.util
import json
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from sapper.core.mouse_path import CODES, MouseAction, MousePath
from sapper.errors import RecordError
from sapper.replay.recording import MOST_CELLS, Recording, check_count, make_layout, utc_text

FORMATS: Final = frozenset({"avf", "evf", "rmv", "mvf"})
PATIENCE: Final = 30.0
"""Seconds that the process gets."""
LONGEST: Final = 256 * 1024 * 1024
"""Bytes of an answer."""


def is_there() -> bool:
    return importlib.util.find_spec("ms_toollib") is not None


def read_by_toollib(data: bytes, format_name: str) -> Recording:
    """A recording; `RecordError` for whatever happens to the process, and for an answer that is no recording."""
    # With -P no module of the current folder is taken for one of ours or of Python's.
    words = [sys.executable, "-P", "-m", "sapper.replay.toollib_child", format_name]
    try:
        with tempfile.TemporaryDirectory() as folder:  # where it writes a crash.log
            done = subprocess.run(  # noqa: S603  # this Python
                words, input=data, capture_output=True, timeout=PATIENCE, check=False, cwd=folder
            )
    except subprocess.TimeoutExpired:
        raise RecordError("ms-toollib took too long for it") from None
    except OSError as error:
        raise RecordError(f"ms-toollib could not be started: {error.strerror}") from None
    if done.returncode or len(done.stdout) > LONGEST:
        raise RecordError("ms-toollib cannot read it either")
    try:
        return _recording(json.loads(done.stdout), format_name)
    except RecordError:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise RecordError(f"ms-toollib's answer is not a recording: {type(error).__name__}") from None


def _recording(values: dict[str, Any], format_name: str) -> Recording:
    width, height, cell_size = (int(values[name]) for name in ("width", "height", "cell_size"))
    if not 0 < width * height <= MOST_CELLS:
        raise RecordError(f"a board of {width}x{height} cells is impossible")
    events = values["events"]
    check_count(len(events))
    # A place left of or above the board is outside, as one to the right is.
    size = cell_size if 0 < cell_size < 1000 else 16
    outside = width * size, height * size
    places = [(x, y) if 0 <= x < outside[0] and 0 <= y < outside[1] else outside for _, _, x, y in events]
    path = MousePath(
        [max(0, int(at)) for at, *_ in events],
        bytes(CODES[MouseAction(what)] for _, what, _, _ in events),
        [int(x) for x, _ in places],
        [int(y) for _, y in places],
    )
    time = int(values["milliseconds"])
    return Recording(
        format=format_name,
        version=f"read by ms-toollib {_version()}",
        layout=make_layout(width, height, [(int(x), int(y)) for x, y in values["mines"]]),
        events=path,
        player=_printable(values["player"]),
        program=_printable(values["program"]),
        started=utc_text(int(values["started"] or 0) // 1_000_000),
        cell_size=size,
        claimed_ms=time if 0 < time < 1 << 40 else None,
    )


def _printable(text: str) -> str:
    return "".join(character for character in str(text)[:400] if character.isprintable()).strip()


def _version() -> str:
    try:
        return version("ms-toollib")
    except PackageNotFoundError:
        return ""
