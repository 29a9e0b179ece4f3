"""Reads one recording with ms-toollib and prints what is in it: `python -m sapper.replay.toollib_child evf < FILE`.

A process of its own, because ms-toollib ends the interpreter on bytes that it does not expect. Its memory and
processor time are limited before it is loaded.
"""

import contextlib
import json
import sys
from typing import Any, Final

MOST_EVENTS: Final = 1_000_000
MEMORY: Final = 2 << 30
SECONDS: Final = 20
"""Bytes of memory and seconds of processor time that it may use."""
_READERS: Final = {"avf": "AvfVideo", "evf": "EvfVideo", "rmv": "RmvVideo", "mvf": "MvfVideo"}


def main(argv: list[str]) -> int:
    """Read, print, and say by the exit code whether that went well."""
    _limit()
    import ms_toollib  # noqa: PLC0415  # after the limits

    video = getattr(ms_toollib, _READERS[argv[0]])(f"x.{argv[0]}", sys.stdin.buffer.read())
    video.parse()
    json.dump(_values(video), sys.stdout, ensure_ascii=True)
    return 0


def _limit() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  # not on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _values(video: Any) -> dict[str, Any]:
    events: list[tuple[int, str, int, int]] = []
    for one in video.events:
        if one.event.is_mouse():
            mouse = one.event.unwrap_mouse()
            events.append((round(one.time * 1000), mouse.mouse, mouse.x, mouse.y))
            if len(events) > MOST_EVENTS:
                raise ValueError("too many events")
    mines = [(x, y) for y, row in enumerate(video.board) for x, cell in enumerate(row) if cell == -1]
    return {
        "width": video.column, "height": video.row, "mines": mines, "events": events, "player": str(video.player_identifier),
        "program": str(video.software), "started": video.start_time, "cell_size": video.pix_size, "milliseconds": video.rtime_ms,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
