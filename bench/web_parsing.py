"""What a request costs to parse, in slices as the web server parses it: why an address may have so much time, and not so many bytes.

    .venv/bin/python bench/web_parsing.py

Seconds of processor, the least of several rounds, of what a browser sends for the page and its files, of a long body in one piece, and of
a body in pieces of one byte each.
"""

import time
from collections.abc import Iterable

import h11

from sapper.web.http.static_files import StaticFiles
from sapper.web.http.transport import SLICE

ROUNDS = 5
HEAD = "Host: localhost:8080\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br\r\nAccept-Language: en\r\nReferer: http://localhost:8080/\r\nCookie: sapper_player=web-0123456789abcdef0123456789abcdef.aSkAAA.0123456789abcdef0123456789abcdef0123456789a\r\n"
PIECES = 40_000


def parse(request: bytes) -> None:
    """Feed a request to a new connection, and take its events."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=8 * 1024)
    for at in range(0, len(request), SLICE):
        connection.receive_data(request[at : at + SLICE])
        while connection.next_event() not in (h11.NEED_DATA, h11.PAUSED):
            pass


def least(requests: Iterable[bytes]) -> float:
    """Seconds of processor for all of them, in the best round."""
    listed, rounds = list(requests), []
    for _ in range(ROUNDS):
        begin = time.thread_time()
        for request in listed:
            parse(request)
        rounds.append(time.thread_time() - begin)
    return min(rounds)


def main() -> None:
    post = f"POST /api/analysis HTTP/1.1\r\n{HEAD}"
    page = [f"GET /static/any/{name} HTTP/1.1\r\n{HEAD}\r\n".encode() for name in StaticFiles().files]
    whole = f"{post}Content-Length: {PIECES}\r\n\r\n".encode() + b"x" * PIECES
    pieces = f"{post}Transfer-Encoding: chunked\r\n\r\n".encode() + b"1\r\nx\r\n" * PIECES + b"0\r\n\r\n"
    lines = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a:\r\n" * 1_900 + b"\r\n"
    one = least([whole])
    print(f"the page and its {len(page)} files: {least(page):.4f} s")
    print(f"a body of {PIECES} bytes in one piece: {one:.4f} s")
    print(f"the same in pieces of one byte: {least([pieces]):.4f} s, {least([pieces]) / one:.0f} times as long")
    print(f"a head of 1,900 lines: {least([lines]):.4f} s")


if __name__ == "__main__":
    main()
