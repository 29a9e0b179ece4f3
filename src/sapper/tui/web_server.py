"""A client of the web game (docs/web-protocol.md): what one player asks a server, and the socket of a game, which comes back by itself."""

import contextlib
import json
import random
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from sapper.errors import InvalidValueError, RequestError, UnavailableError
from sapper.render.ansi import printable

ANSWER_TIME: Final = 10.0
"""Seconds that a server has to answer."""
FIRST_WAIT, LONGEST_WAIT = 0.3, 10.0
"""Seconds until a lost connection is tried again: twice as long after each failure."""
LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the longest message: the state of a board of a million cells with all chances has a third of it."""
FINAL: Final = frozenset({1008, 4404})
"""The codes of a socket that is not opened again: this player may not, or there is no such game."""
COOKIES: Final = frozenset({"sapper_player", "__Host-sapper_player"})
_GAME: Final = re.compile(r"[A-Za-z0-9_.-]*")
"""The name of a game, or none."""
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})

_UNKNOWN: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""The errors of reading a message that does not follow this protocol."""

Message = dict[str, Any]


class WebServer:
    """A web server as one player knows it; without a recovery phrase it is a new player.

    `UnavailableError` in one line where it cannot be reached, or is something else; `RequestError` for what it refuses.
    """

    def __init__(self, url: str) -> None:
        """`url`: the server's address, of its page of the day's boards (`/daily`), or of a game (`/game/ID`, `/#game=ID`).

        `InvalidValueError` for any other.
        """
        parts = _split(url)
        self._host, self._port = parts.hostname or "", parts.port
        place, _, game = parts.path.strip("/").partition("/")
        if not place and parts.fragment.startswith("game="):  # what a browser shows
            place, game = "game", parts.fragment.removeprefix("game=")
        elif parts.fragment:
            place = "?"
        if (place, bool(game)) not in (("", False), ("daily", False), ("game", True)) or not _GAME.fullmatch(game):
            raise InvalidValueError(
                f"{url!r}: nothing is played there; an address ends with the host, /daily, /game/ID or /#game=ID"
            )
        asked = parse_qsl(parts.query, keep_blank_values=True)
        if asked and (place != "daily" or asked not in ([("audience", "people")], [("audience", "bots")])):
            raise InvalidValueError(
                f"{url!r}: ?{parts.query} is not known; /daily?audience=bots is the board of programs"
            )
        self.is_secure = parts.scheme == "https"
        self.place = f"{parts.scheme}://{parts.netloc}"
        self.game = game or None
        """The game that the address names."""
        self.is_daily = place == "daily"
        self.audience = dict(asked).get("audience", "people")
        """Whose board of the day: `people` or `bots`."""
        self._tls = ssl.create_default_context() if self.is_secure else None
        self._cookie: str | None = None
        self._is_signed_in = False

    def check(self) -> None:
        """`UnavailableError` unless this is a server of the web game."""
        if "presets" not in self.ask("GET", "/api/presets"):
            raise self._stranger()
        self.ask("GET", "/api/player")

    def sign_in(self, phrase: str) -> None:
        """Be the player of a recovery phrase, until `sign_out`."""
        if not self.is_secure and self._host not in _LOCAL:
            raise UnavailableError(f"a recovery phrase is sent over https only, and {self.place} is not")
        self.ask("POST", "/api/player/recovery", {"phrase": phrase})
        self._is_signed_in = True

    def sign_out(self) -> None:
        """End this session, if there is a phrase to come back with."""
        if self._is_signed_in:
            self._is_signed_in = False
            with self.understanding():
                own = [one for one in self.ask("GET", "/api/player/sessions")["sessions"] if one["own"]]
                for one in own:
                    self.ask("DELETE", f"/api/player/sessions/{one['session']}")

    def ask(self, method: str, path: str, body: Message | None = None) -> Message:
        """An answer; an empty one has nothing in it."""
        headers = {"user-agent": "sapper play", "accept": "application/json", "content-type": "application/json"}
        if self._cookie is not None:
            headers["cookie"] = self._cookie
        connection = (
            HTTPConnection(self._host, self._port, timeout=ANSWER_TIME) if self._tls is None
            else HTTPSConnection(self._host, self._port, timeout=ANSWER_TIME, context=self._tls)
        )  # fmt: skip
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, HTTPException, UnicodeError) as error:
            raise self._unreached(error) from None
        finally:
            connection.close()
        return self._read(answer, content)

    def _read(self, answer: HTTPResponse, content: bytes) -> Message:
        if 300 <= answer.status < 400:
            where = urlsplit(answer.headers.get("location", ""))
            there = printable(f"{where.scheme}://{where.netloc}")
            raise UnavailableError(f"{self.place} sends players to {there}: give that address")
        for one in answer.headers.get_all("set-cookie", []):
            pair = one.partition(";")[0].strip()
            if pair.partition("=")[0] in COOKIES:
                self._cookie = pair
        if answer.status == 204:
            return {}
        with self.understanding():
            found = read_message(content)
            if answer.status >= 400:
                raise RequestError(str(found["error"]["code"]), str(found["error"]["message"]))
        return found

    @contextlib.contextmanager
    def understanding(self) -> Iterator[None]:
        """`UnavailableError` where what the server said cannot be read."""
        try:
            yield
        except RequestError:
            raise
        except _UNKNOWN as error:
            raise self._stranger() from error

    def open_socket(self, game: str) -> ClientConnection:
        """The socket of a game; errors of websockets and of the system."""
        return connect(
            f"{'wss' if self.is_secure else 'ws'}{self.place[self.place.index(':') :]}/api/games/{game}/socket",
            ssl=self._tls, compression=None, proxy=None, user_agent_header="sapper play", max_size=LARGEST, open_timeout=ANSWER_TIME,
            close_timeout=1, additional_headers={} if self._cookie is None else {"cookie": self._cookie},
        )  # fmt: skip

    def _stranger(self) -> UnavailableError:
        return UnavailableError(
            f"{self.place} answers, and is no server of the web game (sapper web) that this program knows"
        )

    def _unreached(self, error: Exception) -> UnavailableError:
        match error:
            case ssl.SSLCertVerificationError():
                return UnavailableError(f"the certificate of {self.place} is not valid: {error.verify_message}")
            case ssl.SSLError():
                return UnavailableError(f"no TLS at {self.place}: {error.reason or 'the connection was ended'}")
            case TimeoutError():
                return UnavailableError(f"no answer from {self.place} within {ANSWER_TIME:g} seconds")
            case OSError():
                return UnavailableError(f"cannot connect to {self.place}: {error.strerror or error}")
            case UnicodeError():
                return UnavailableError(f"cannot connect to {self.place}: not a host name")
            case _:
                return self._stranger()


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if "@" in parts.netloc:  # not told: there may be a password in it
        raise InvalidValueError("an address has no USER:PASSWORD@ in it: the recovery phrase says who you are")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidValueError(f"{url!r} is no address: it is https://HOST or http://HOST:PORT")
    try:
        found = parts.port != 0
    except ValueError:
        found = False
    if not found:
        port = parts.netloc.rpartition(":")[2]
        raise InvalidValueError(f"{url!r}: a port is a number from 1 to 65535, not {port!r}")
    return parts


class GameLine:
    """The socket of a game, on a thread of its own. It comes back by itself: the server then says the whole state."""

    def __init__(
        self,
        server: WebServer,
        game: str,
        *,
        on_message: Callable[[Message], None],
        on_lost: Callable[[str, bool], None],
    ) -> None:
        """Both are called on the thread. `on_lost` hears why, and whether that is for good."""
        self._server = server
        self._game = game
        self._on_message = on_message
        self._on_lost = on_lost
        self._closing = threading.Event()
        self._socket: ClientConnection | None = None
        self._tries = 0
        self._thread = threading.Thread(target=self._run, name="sapper-line", daemon=True)
        self._thread.start()

    def send(self, message: Message) -> bool:
        """Say something; False if the connection is lost, and nothing was said."""
        socket = self._socket
        if socket is None:
            return False
        try:
            socket.send(json.dumps(message))
        except (WebSocketException, OSError):
            return False
        return True

    @property
    def has_ended(self) -> bool:
        return not self._thread.is_alive()

    def close(self) -> None:
        self._closing.set()
        socket = self._socket
        if socket is not None:
            with contextlib.suppress(WebSocketException, OSError):
                socket.close()
        self._thread.join(2)

    def _run(self) -> None:
        while not self._closing.is_set():
            why, is_final = self._listen()
            self._socket = None
            if self._closing.is_set():
                return
            self._on_lost(why, is_final)
            if is_final:
                return
            longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0**self._tries)
            self._tries += 1
            self._closing.wait(longest * random.uniform(0.5, 1))  # noqa: S311  # so that not all come back at once

    def _listen(self) -> tuple[str, bool]:
        """Hear what is said until the connection ends: why it did, and whether for good."""
        place = self._server.place
        try:
            with self._server.open_socket(self._game) as socket:
                self._socket = socket
                while True:
                    said = socket.recv()
                    with self._server.understanding():
                        self._on_message(read_message(said))
                    self._tries = 0
        except UnavailableError as error:
            return str(error), True
        except ConnectionClosed as error:
            if error.rcvd is None:
                return f"the connection to {place} is lost", False
            why = printable(error.rcvd.reason) or error.rcvd.code
            return f"{place} ended the connection: {why}", error.rcvd.code in FINAL
        except (WebSocketException, OSError, ValueError):
            return f"{place} cannot be reached", False


def read_message(content: str | bytes) -> Message:
    """What a server says, with no text that a terminal would take for a command."""
    found = json.loads(content)
    if not isinstance(found, dict):
        raise TypeError("this is no message")
    text = content if isinstance(content, str) else content.decode()
    if text.isprintable() and "\\" not in text:
        return found  # the chances of a large board are millions of values
    return {name: _harmless(value) for name, value in found.items()}


def _harmless(value: Any) -> Any:
    match value:
        case str():
            return printable(value)
        case dict():
            return {name: _harmless(inner) for name, inner in value.items()}
        case list():
            return [_harmless(inner) for inner in value]
        case _:
            return value
