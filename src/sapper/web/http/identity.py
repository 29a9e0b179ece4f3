"""Who plays: a name drawn by the server, in a cookie that it has signed.

There are no accounts. Whoever brings the cookie is the player; one that was not signed with this server's secret is none, and its
bringer a new player. When it was signed decides only whether it is signed anew, also where that time is still to come.

Knows: the cookie; the secret and the file that keeps it.
Does not know: what a player has played.
"""

import contextlib
import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from itsdangerous import BadSignature, TimestampSigner

from sapper.errors import ConfigError
from sapper.server.wall_clock import seconds_now

COOKIE: Final = "sapper_player"
LIFETIME: Final = 400 * 24 * 3600
"""Seconds that a cookie is good for: browsers keep none longer."""
RENEWED: Final = 30 * 24 * 3600
"""The age at which it is signed anew."""
SHORTEST_SECRET: Final = 16
FILE: Final = "web-secret"

_NAME = re.compile(r"web-[0-9a-f]{32}")


class _Signer(TimestampSigner):
    """Signs with the time that it is told."""

    now: Callable[[], float] = seconds_now

    def get_timestamp(self) -> int:
        """Whole seconds since 1970."""
        return int(self.now())


class PlayerCookies:
    """Makes players and knows them again."""

    def __init__(self, secret: str, *, now: Callable[[], float] = seconds_now) -> None:
        """`now` is the time since 1970. `ConfigError` for a secret that can be guessed."""
        if len(secret) < SHORTEST_SECRET:
            raise ConfigError(f"web.secret has at least {SHORTEST_SECRET} characters (python -c 'import secrets; print(secrets.token_hex())')")  # fmt: skip
        self._signer = _Signer(secret, salt="sapper.web.player", digest_method=hashlib.sha256)
        self._signer.now = now

    def draw(self) -> str:
        """A new player."""
        return f"web-{secrets.token_hex(16)}"

    def sign(self, player: str) -> str:
        """The value of that player's cookie."""
        return self._signer.sign(player).decode("ascii")

    def read(self, header: str | None) -> tuple[str | None, bool]:
        """The player that a `Cookie` header names, if there is one, and whether the cookie should be renewed."""
        value = _cookie(header)
        if value is None:
            return None, False
        try:
            # By no clock: one that was set wrong for an hour must not cost anyone their games. A signature holds for as long as the secret.
            name, signed = self._signer.unsign(value, return_timestamp=True)
            age = self._signer.get_timestamp() - signed.timestamp()
        except BadSignature:
            return None, False
        player = name.decode("ascii", errors="replace")
        return (player, age > RENEWED) if _NAME.fullmatch(player) else (None, False)

    def cookie(self, player: str, *, is_secure: bool) -> str:
        """The `Set-Cookie` header of a player. Lax: a link from elsewhere must find the player that there is."""
        value = f"{COOKIE}={self.sign(player)}; Path=/; Max-Age={LIFETIME}; HttpOnly; SameSite=Lax"
        return value + "; Secure" if is_secure else value


def _cookie(header: str | None) -> str | None:
    """The cookie's value. Whatever else is in the header is other programs' and may be anything."""
    for part in (header or "").split(";"):
        name, _, value = part.partition("=")
        if name.strip() == COOKIE:
            return value.strip()
    return None


def find_secret(setting: str, folder: Path) -> str:
    """The secret that is set, else that of the file in a folder, which is made where there is none.

    Only its owner may read the file. `ConfigError` for a file that cannot be read, written, or used.
    """
    if setting:
        return setting
    path = folder / FILE
    try:
        if not path.exists():
            _make(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise ConfigError(f"{path}: others may read this secret (chmod 600)")
        found = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(f"{path}: the secret of the players' cookies: {reason} (or set web.secret)") from None
    if len(found) < SHORTEST_SECRET:
        raise ConfigError(f"{path}: this is no secret; without the file a new one is made, and all players are new")
    return found


def _make(path: Path) -> None:
    """A new secret, whole or not at all, whoever else makes one at the same time."""
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
