"""What one address that floods the web server costs a player: without a proxy, behind HAProxy, and with three processes behind it.

    .venv/bin/python bench/web_guards.py                # each kind of flood for 5 seconds
    .venv/bin/python bench/web_guards.py --seconds 10 pings slow

A row a kind: the player's round trips (a `ping` each 20 ms, on a socket of its own, from an address of its own) in milliseconds, the median and
the 99th percentile, and what became of the flood. The first row is without one. A player whose socket is closed is said to be cut off.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

from deploy.site import Site, own_database  # noqa: E402
from tests.web_process import web_process  # noqa: E402

KINDS = ("pings", "messages", "nonsense", "requests", "chunks", "bodies", "slow")
AT_ONCE = 20
PAUSE = 0.02


async def round_trips(port: int, seconds: float) -> list[float]:
    """A player's, in seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.3", 0))
    writer.write(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    cookie = head.partition(b"sapper_player=")[2].partition(b";")[0].decode()
    path = body.partition(b'"socket":"')[2].partition(b'"')[0].decode()
    options: dict[str, Any] = {
        "local_addr": ("127.0.0.3", 0),
        "compression": None,
        "ping_interval": None,
        "proxy": None,
    }
    async with connect(
        f"ws://127.0.0.1:{port}{path}", additional_headers={"cookie": f"sapper_player={cookie}"}, **options
    ) as one:
        found, until = [], time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.monotonic()
            await one.send('{"do":"ping"}')
            while '"pong"' not in str(await one.recv()):
                pass
            found.append(time.monotonic() - began)
            await asyncio.sleep(PAUSE)
        return found


def measured(port: int, kind: str | None, seconds: float) -> str:
    """A cell of the table."""
    words = [
        sys.executable,
        str(ROOT / "bench/web_flood.py"),
        str(port),
        str(seconds + 2),
        *([kind] * (AT_ONCE // 2) if kind else []),
    ]
    flood = subprocess.Popen(words, stdout=subprocess.PIPE, text=True) if kind else None
    time.sleep(1)
    try:
        trips = sorted(asyncio.run(round_trips(port, seconds)))
    except ConnectionClosed as error:
        trips = []
        print(f"  the player was cut off: {error}")
    said = "" if flood is None else flood.communicate()[0].strip().removeprefix("flood: ")
    if not trips:
        return f"                   {said}"
    return f"{1e3 * trips[len(trips) // 2]:8.1f} {1e3 * trips[int(len(trips) * 0.99)]:8.1f}  {said}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", type=int, choices=(0, 1, 3), help="processes behind HAProxy; 0 is one without it")
    asked = parser.parse_args()
    for count in (0, 1, 3) if asked.only is None else (asked.only,):
        name = (
            f"{count} process{'es on PostgreSQL' if count > 1 else ''} behind HAProxy" if count else "without a proxy"
        )
        print(f"\n{name}:  median, 99 %, in ms")
        for kind in (None, *asked.kinds):
            with ExitStack() as stack:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                if count:
                    database = stack.enter_context(own_database()) if count > 1 else str(folder / "web.db")
                    port = stack.enter_context(Site(folder, database, count=count).running()).port
                else:
                    port = stack.enter_context(web_process(folder, real=True)).port
                print(f"  {kind or 'no flood':10}{measured(port, kind, asked.seconds)}", flush=True)


if __name__ == "__main__":
    main()
