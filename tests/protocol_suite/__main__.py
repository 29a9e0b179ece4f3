"""The test suite of the network protocol, for anybody's server or client: `python -m tests.protocol_suite --help`."""

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import NoReturn

from sapper.errors import SapperError
from sapper.net.packets import PORT, StartRequest
from sapper.terminal.client import reach
from tests.protocol_suite import client, server
from tests.protocol_suite.points import Points, PointVerdict, Subject

ABOUT = """\
Test whether a server or a client conforms to the network protocol (docs/protocol.md), point by point.
A server is asked by a model client. A client is started once for each point, in a terminal of its own, against a
model server, and its keys are pressed.

ok          conforms to docs/protocol.md
WRONG       violates a requirement of the protocol
differs     differs from docs/protocol.md where the requirements leave it open
not tested  something else failed first

Exit code: 1 if any point is WRONG or not tested, or no server answers."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as the command `sapper` does."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"sapper: {message} (see: {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    parser = _Parser("python -m tests.protocol_suite", description=ABOUT, formatter_class=shape)
    sides = parser.add_subparsers(dest="side", title="what is tested")
    of_server = sides.add_parser("server", help="a server at an address")
    of_server.add_argument("host", nargs="?", default="127.0.0.1")
    of_server.add_argument("--port", type=int, default=PORT, help=f"the server's port (default {PORT})")
    of_client = sides.add_parser("client", help="a client that a command starts")
    of_client.add_argument("--port", type=int, default=0, help="port of the model server (default: any free one)")
    for name, usual in (("columns", 20), ("rows", 10), ("level", 1)):
        text = f"{name} that the client should ask for (default {usual})"
        of_client.add_argument(f"-{name[0]}", f"--{name}", type=int, default=usual, help=text)
    of_client.add_argument("command", nargs="+", help="{host} and {port} in it stand for where the model server is")
    for one in (of_server, of_client):
        one.add_argument("--patience", type=float, default=10.0, help="seconds that an answer may take (default 10)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Test what the arguments name; the exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.side is None:
        parser.print_help()
        return 2  # nothing was tested
    try:
        if asked.side == "server":
            reach(asked.host, asked.port, asked.patience).close()  # of a server that is not there nothing can be said
            return report(server.POINTS, lambda: server.connected(asked.host, asked.port, asked.patience))
        client.check_possible()
        if shutil.which(asked.command[0]) is None:
            parser.error(f"{asked.command[0]}: no such program, or no permission to run it")
        start = StartRequest(columns=asked.columns, rows=asked.rows, level=asked.level)
        return report(client.POINTS, lambda: client.running(asked.command, start, asked.patience, asked.port))
    except SapperError as error:
        sys.stderr.write(f"sapper: {error}\n")
        return 1


def report(points: Points[Subject], begin: Callable[[], AbstractContextManager[Subject]]) -> int:
    """Say each verdict as it is reached; the exit code."""
    counts = dict.fromkeys(PointVerdict, 0)
    for point in points:
        verdict, found = point.verdict(begin())
        counts[verdict] += 1
        sys.stdout.write(
            f"{verdict.value:10} {point.name}: {point.title}\n" + (f"           {found}\n" if found else "")
        )
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count) + "\n")
    return 1 if counts[PointVerdict.BROKEN] or counts[PointVerdict.NOT_TESTED] else 0


if __name__ == "__main__":
    sys.exit(main())
