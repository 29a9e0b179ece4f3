"""Players: a random name each, in a signed cookie.

There are no accounts. Whoever brings the cookie is the player; one that was not signed with a secret of this server's is none, and its
bringer a new player. When it was signed decides only whether it is signed anew, also where that time is still to come.
A cookie also names its session, so that a player can end one of them (`devices`).
"""

import contextlib
import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from itsdangerous import BadSignature, TimestampSigner

from sapper.errors import ConfigError
from sapper.server.wall_clock import seconds_now

COOKIE: Final = "sapper_player"
SECURE_COOKIE: Final = f"__Host-{COOKIE}"
"""Its name over TLS: a browser takes such a cookie from this very host and over TLS only, so no other site of the domain can set it."""
LIFETIME: Final = 400 * 24 * 3600
"""Seconds that a cookie is good for: browsers keep none longer."""
RENEWED: Final = 30 * 24 * 3600
"""The age at which it is signed anew."""
SHORTEST_SECRET: Final = 16
FILE: Final = "web-secret"

_SIGNED = re.compile(r"(web-[0-9a-f]{32})-([0-9a-f]{16})")
"""A player and a session."""


class Bearer(NamedTuple):
    """The player and session of a cookie."""

    player: str
    session: str
    is_old: bool
    """True if the cookie should be signed anew."""


def draw_player() -> str:
    return f"web-{secrets.token_hex(16)}"


def draw_session() -> str:
    return secrets.token_hex(8)


def cookie_name(*, is_secure: bool) -> str:
    return SECURE_COOKIE if is_secure else COOKIE


class _Signer(TimestampSigner):
    """Signs with the time that it is told."""

    now: Callable[[], float] = seconds_now

    def get_timestamp(self) -> int:
        """Whole seconds since 1970."""
        return int(self.now())


class PlayerCookies:
    """Signs and reads cookies."""

    def __init__(self, *secrets: str, now: Callable[[], float] = seconds_now) -> None:
        """The first secret signs; a cookie that was signed with any of them is valid.

        `now` is the time since 1970. `ConfigError` for a secret that can be guessed.
        """
        if not secrets or min(map(len, secrets)) < SHORTEST_SECRET:
            raise ConfigError(f"each secret of web.secret has at least {SHORTEST_SECRET} characters (python -c 'import secrets; print(secrets.token_hex())')")  # fmt: skip
        self._signer = _Signer(list(secrets[::-1]), salt="sapper.web.player", digest_method=hashlib.sha256)
        self._signer.now = now
        self._first = _Signer(secrets[0], salt="sapper.web.player", digest_method=hashlib.sha256)

    def sign(self, player: str, session: str) -> str:
        return self._signer.sign(f"{player}-{session}").decode("ascii")

    def read(self, header: str | None, *, is_secure: bool = False) -> Bearer | None:
        """The player and session of a `Cookie` header; None if it has none."""
        value = _cookie(header, cookie_name(is_secure=is_secure))
        if value is None:
            return None
        try:
            # By no clock: one that was set wrong for an hour must not cost anyone their games. A signature holds for as long as the secret.
            name, signed = self._signer.unsign(value, return_timestamp=True)
            age = self._signer.get_timestamp() - signed.timestamp()
        except BadSignature:
            return None
        match = _SIGNED.fullmatch(name.decode("ascii", errors="replace"))
        if match is None:
            return None
        return Bearer(match[1], match[2], age > RENEWED or not self._first.validate(value))

    def cookie(self, player: str, session: str, *, is_secure: bool) -> str:
        """The `Set-Cookie` header of a session of a player. Lax: a link from elsewhere must find the player that there is."""
        value = f"{cookie_name(is_secure=is_secure)}={self.sign(player, session)}; Path=/; Max-Age={LIFETIME}; HttpOnly; SameSite=Lax"
        return value + "; Secure" if is_secure else value


def _cookie(header: str | None, wanted: str) -> str | None:
    """The cookie's value. Whatever else is in the header is other programs' and may be anything."""
    for part in (header or "").split(";"):
        name, _, value = part.partition("=")
        if name.strip() == wanted:
            return value.strip()
    return None


def shared_secrets(first_note: Callable[[str, str], str]) -> tuple[str, ...]:
    """The secrets that all servers of a database share; the first of them draws one. `first_note` is `Store.first_note`."""
    return tuple(first_note(FILE, secrets.token_hex(32)).split())


def find_secrets(setting: str, folder: Path) -> tuple[str, ...]:
    """The secrets that are set, with commas between them, else the lines of the file in a folder, which is made where there is none.

    Only its owner may read the file. `ConfigError` for a file that cannot be read, written, or used.
    """
    if setting:
        return tuple(one.strip() for one in setting.split(","))
    path = folder / FILE
    try:
        if not path.exists():
            _make(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise ConfigError(f"{path}: others may read this secret (chmod 600)")
        found = tuple(path.read_text(encoding="ascii").split())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(f"{path}: the secret of the players' cookies: {reason} (or set web.secret)") from None
    if not found or min(map(len, found)) < SHORTEST_SECRET:
        raise ConfigError(f"{path}: this is no secret; without the file a new one is made, and all players are new")
    return found


def _make(path: Path) -> None:
    """Make a new secret atomically; another process may do so at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{FILE}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()
