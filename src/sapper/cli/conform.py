"""`sapper conform`: whether a client or a server, somebody else's or ours, keeps the network protocol.

Knows: the options, the report.
Does not know: what is looked at (see `terminal.conform_server` and `terminal.conform_client`).
"""

import json
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from sapper.cli.connect import COLUMNS, LEVEL, ROWS
from sapper.cli.exits import ExitCode
from sapper.net.packets import PORT, StartRequest

if TYPE_CHECKING:
    from sapper.terminal.conformance import ConformanceResult

EPILOG = """\b
Examples:
  sapper conform server games.example.org
  sapper conform client -- java -jar client.jar -r 10 -c 20 -l 1
  sapper conform client -c 8 -r 6 -l 2 -- sapper connect {host} --port {port} -c 8 -r 6 -l 2

\b
ok       conforms to docs/protocol.md
WRONG    violates a requirement of the protocol
differs  differs from docs/protocol.md where the requirements leave it open
not tested  something else failed first

Exit code: 1 if any point is WRONG or not tested, or no server answers.
"""


@click.group("conform", epilog=EPILOG)
def command() -> None:
    """Test whether a client or a server conforms to the network protocol (docs/protocol.md), point by point.

    A server is asked by a model client. A client is run in a terminal of its own against a model server, and its keys are pressed.
    """


_patience = click.option(
    "--patience",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long an answer may take.",
)
_as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document: every point with its verdict."
)


@command.command("server", epilog=EPILOG)
@click.argument("host", default="127.0.0.1")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="The server's port.")
@_patience
@_as_json
def server(host: str, port: int, patience: float, as_json: bool) -> ExitCode:
    """Test the server at HOST (default 127.0.0.1) on every point of the protocol."""
    from sapper.terminal.conform_server import POINTS, ServerSubject
    from sapper.terminal.conformance import judged

    subject = ServerSubject(host=host, port=port, patience=patience)
    subject.check_there()
    return _report(judged(POINTS, subject), as_json=as_json)


@command.command("client", epilog=EPILOG)
@click.option(
    "-r",
    "--rows",
    type=ROWS,
    metavar="1-255",
    default=10,
    show_default=True,
    help="Height of the board that the client should ask for.",
)
@click.option(
    "-c", "--columns", type=COLUMNS, metavar="1-255", default=20, show_default=True, help="Width of that board."
)
@click.option("-l", "--level", type=LEVEL, metavar="1-3", default=1, show_default=True, help="Difficulty of that game.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of the model server, for a client whose port is fixed; 0 is any free one.",
)
@_patience
@_as_json
@click.argument("client_command", metavar="COMMAND...", nargs=-1, required=True)
def client(
    port: int, rows: int, columns: int, level: int, patience: float, as_json: bool, client_command: tuple[str, ...]
) -> ExitCode:
    """Run the client that COMMAND starts, once for each point. {host} and {port} in it stand for where the model server is."""
    from sapper.terminal.conform_client import POINTS, ClientSubject, check_possible
    from sapper.terminal.conformance import judged

    check_possible()
    if shutil.which(client_command[0]) is None:
        raise click.UsageError(f"{client_command[0]}: no such program, or no permission to run it")
    start = StartRequest(columns=columns, rows=rows, level=level)
    subject = ClientSubject(command=client_command, start=start, patience=patience, port=port)
    return _report(judged(POINTS, subject), as_json=as_json)


def _report(results: "Iterator[ConformanceResult]", *, as_json: bool) -> ExitCode:
    """Tell each verdict as it is reached; whether all is well."""
    told = []
    for one in results:
        told.append(one)
        if not as_json:
            click.echo(f"{one.verdict.value:10} {one.name}: {one.title}")
            if one.found:
                click.echo(f"           {one.found}")
    counts = {verdict: sum(one.verdict is verdict for one in told) for verdict in type(told[0].verdict)}
    if as_json:
        points = [
            {
                "name": one.name,
                "title": one.title,
                "verdict": one.verdict.value.lower().replace(" ", "_"),
                "found": one.found,
            }
            for one in told
        ]
        click.echo(
            json.dumps(
                {
                    "counts": {verdict.value.lower().replace(" ", "_"): count for verdict, count in counts.items()},
                    "points": points,
                }
            )
        )
    else:
        click.echo(", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count))
    is_well = all(one.verdict.value in ("ok", "differs") for one in told)
    return ExitCode.DONE if is_well else ExitCode.NO
