"""`sapper serve`: the game server, its games on their way into the store, and settings that servers share."""

import asyncio
import contextlib
import logging
import re
import signal
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any, Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import database_option, setting_option
from sapper.cli.store_access import address_of, open_serving
from sapper.config.configuration import Configuration, load
from sapper.errors import ConfigError
from sapper.net.settings import ServerLimits, ServerSettings
from sapper.server.logging import OutageLog, log, say_what_is_lost, set_up

if TYPE_CHECKING:
    from sapper.play.ports import LogChain
    from sapper.store.changes import Change


_HOST: Final = re.compile(r"\[[0-9a-f:.]+\]|[a-z0-9._-]+", re.IGNORECASE)
_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\]|[^\s\[\]/?#@:*]+)(:[0-9]{1,5})?/?", re.IGNORECASE)


def metrics_address(configuration: Configuration, key: str) -> tuple[str, int] | None:
    """HOST:PORT as a pair; None where metrics are not served."""
    text = configuration.text(key)
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdecimal() and int(port) <= 65535):
        raise ConfigError(f"{key}: write HOST:PORT, such as 127.0.0.1:9998 ([::1]:9998), not {text!r}")
    return host.removeprefix("[").removesuffix("]"), int(port)


def proxies(configuration: Configuration, key: str) -> tuple[str, ...]:
    """Addresses and networks; none for `none`. A network is written as such: 10.1.2.3/8 is 10.0.0.0/8."""
    names = tuple(name for name in configuration.texts(key) if name != "none")
    for name in names:
        try:
            ip_network(name, strict=False)
        except ValueError:
            raise ConfigError(
                f"{key}: {name!r} is neither an address nor a network: write 192.0.2.7 or 10.0.0.0/8"
            ) from None
    return tuple(str(ip_network(name, strict=False)) if "/" in name else name for name in names)


def web_proxies(configuration: Configuration) -> tuple[str, ...]:
    """The same for the web server; also `*`, alone, for every machine."""
    names = configuration.texts("web.proxies")
    return names if names == ("*",) else proxies(configuration, "web.proxies") or ("none",)


def host_names(configuration: Configuration) -> tuple[str, ...]:
    """The names that the web server answers to, as a `Host` header has them, without the port; or `auto`, or `*`."""
    names = configuration.texts("web.allowed_hosts")
    for name in names:
        if name not in ("auto", "*") and _HOST.fullmatch(name) is None:
            raise ConfigError(
                f"web.allowed_hosts: {name!r} is not a name: write it without scheme, port and path, such as play.example.org or [::1]"
            )
    return names


def origins(configuration: Configuration) -> tuple[str, ...]:
    """Other servers whose pages may play here, as browsers name them: scheme://host[:port]; or `auto`."""
    names = configuration.texts("web.allowed_origins")
    for name in names:
        if name != "auto" and _ORIGIN.fullmatch(name) is None:
            raise ConfigError(
                f"web.allowed_origins: {name!r} is not an origin: write scheme://host or scheme://host:port, such as https://example.org"
            )
    return names


CLOSE_TIME: Final = 5.0
"""Seconds that the end waits for the database."""


class ServerRecorder:
    """Records a server's games: durable before a player is told, in the database soon afterwards."""

    def __init__(self, database: str | None) -> None:
        """A store that was named is opened now, and an error ends the program. The store that nobody named must
        not keep a server from serving: it is opened on the way, and trouble with it is logged.
        """
        from sapper.play.writer import Writer
        from sapper.store.late_store import LateStore

        address = address_of(database)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._late = LateStore(lambda: open_serving(address))
        if address:
            self._late.apply(())
        self._log = OutageLog("games wait to be recorded", "games are recorded again")
        self._writer = Writer(
            self._late, on_trouble=self._log.begin, on_recovery=self._log.end, tell=self._tell,
            on_fault=lambda error: log(logging.ERROR, "a game cannot be kept", reason=repr(error)),
        )  # fmt: skip

    def put(
        self,
        change: "Change | Callable[[], Change | None]",
        on_durable: Callable[[], None] | None = None,
        /,
        *,
        is_urgent: bool = True,
        chain: "LogChain | None" = None,
    ) -> None:
        """Have a game kept; see `play.ports.GameSink`."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        self._writer.put(change, on_durable, is_urgent=is_urgent, chain=chain)

    def _tell(self, calls: Sequence[Callable[[], None]]) -> None:
        """On the writer's thread: all that is durable now, in one call of the loop."""
        from sapper.play.writer import call_each

        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it is closed: nobody waits any more
                self._loop.call_soon_threadsafe(call_each, calls)

    def close(self) -> bool:
        """Keep what is waiting, and say what could not be kept; whether all is well: nothing was lost, and the store is where it was."""
        dropped = self._writer.close(CLOSE_TIME)
        is_lost = self._late.is_lost
        self._late.close()
        say_what_is_lost(dropped)
        if is_lost:
            log(logging.ERROR, "the store was moved away or replaced while this server used it")
        return not dropped and not is_lost


EPILOG = """\b
Examples:
  sapper serve
  sapper serve --host 0.0.0.0
  SAPPER_SERVER_METRICS=127.0.0.1:9998 SAPPER_LOG_FORMAT=json sapper serve

Limits, proxies, metrics and the log are the settings server.* and log.*, in a file or in the environment (sapper config).

Each player (sapper connect) plays a game of their own. SIGTERM (SIGHUP, SIGQUIT) ends the server in order: players are told, and it exits with 0,
or with 1 if a game could not be kept.
"""


@click.command("serve", epilog=EPILOG)
@setting_option(
    "server.host", "--host", "hosts", metavar="HOST",
    help="Address to serve on; may be repeated. 0.0.0.0 is every address.",
)  # fmt: skip
@setting_option("server.port", "--port")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="One seed for all games, for tests.")
@click.option("--record/--no-record", default=True, show_default=True, help="Record each finished game (sapper stats).")
@database_option
def command(**options: Any) -> ExitCode:
    """Serve games to players who connect, until a signal ends it.

    Writes its log to stderr, a line an event.
    """
    from sapper.net.server import serve_until_signalled

    configuration = load()
    finish = set_up(sys.stderr, log_format=configuration.text("log.format"), level=configuration.text("log.level"))
    recorder, is_well = None, True
    try:
        recorder = ServerRecorder(options["database"]) if options["record"] else None
        settings = ServerSettings(
            hosts=options["hosts"],
            port=options["port"],
            proxies=proxies(configuration, "server.proxies"),
            limits=ServerLimits(
                connections=configuration.whole("server.max_connections"),
                per_address=configuration.whole("server.max_per_address"),
                idle=configuration.number("server.idle_timeout"),
            ),
            seed=options["seed"],
            metrics=metrics_address(configuration, "server.metrics"),
            sink=recorder,
        )
        received = asyncio.run(serve_until_signalled(settings, ready=announce))
    finally:
        if recorder is not None:
            is_well = recorder.close()
        finish()
    if received is signal.SIGINT:
        raise KeyboardInterrupt
    return ExitCode.DONE if is_well else ExitCode.NO


def announce(address: str) -> None:
    click.echo(f"Serving on {address}. Ctrl-C ends it.")
