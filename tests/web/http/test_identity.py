"""Cookies: whose they are, which are none, and the secret that they are signed with."""

import os
import stat
from pathlib import Path

import pytest

from sapper.errors import ConfigError
from sapper.web.http.identity import (
    COOKIE,
    FILE,
    LIFETIME,
    RENEWED,
    SECURE_COOKIE,
    PlayerCookies,
    draw_player,
    find_secrets,
)

SECRET = "a secret of the tests"
DAY = 24 * 3600


class Calendar:
    """A clock whose day is set."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


SESSION = "5e" * 8


def _value(cookie: str) -> str:
    return cookie.partition(";")[0]


def test_whoever_brings_the_cookie_is_the_player() -> None:
    players = PlayerCookies(SECRET)
    player = draw_player()
    assert player != draw_player()
    assert players.read(_value(players.cookie(player, SESSION, is_secure=False))) == (player, SESSION, False)


def test_other_cookies_beside_it_do_not_matter() -> None:
    players = PlayerCookies(SECRET)
    own = _value(players.cookie("web-" + "0" * 32, SESSION, is_secure=False))
    for header in (f'a={{"b": [1;2]}}; {own}', f"{own}; =; ;;", f"x{COOKIE}=no; {own};y=ü"):
        assert players.read(header) == ("web-" + "0" * 32, SESSION, False)


@pytest.mark.parametrize("header", [None, "", COOKIE, f"{COOKIE}=", f"{COOKIE}=web-{'0' * 32}", f"{COOKIE}=a.b.c", f"{COOKIE}=\xff.\xff.\xff"])  # fmt: skip
def test_what_is_no_cookie_is_nobody(header: str | None) -> None:
    assert PlayerCookies(SECRET).read(header) is None


def test_a_forged_cookie_is_nobody() -> None:
    players = PlayerCookies(SECRET)
    value = players.sign("web-" + "0" * 32, SESSION)
    name, stamp, signature = value.split(".")
    for forged in (
        f"web-{'1' * 32}-{SESSION}.{stamp}.{signature}",
        f"web-{'0' * 32}-{'1' * 16}.{stamp}.{signature}",
        f"{name}.{'A' if stamp[0] != 'A' else 'B'}{stamp[1:]}.{signature}",
        f"{name}.{stamp}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}",
        PlayerCookies("another secret of the tests").sign(*name.rsplit("-", 1)),
        players.sign("ann", SESSION),  # signed by us, for something else
    ):
        assert players.read(f"{COOKIE}={forged}") is None


def test_a_cookie_grows_old_and_is_renewed_and_no_clock_makes_anyone_another() -> None:
    calendar = Calendar()
    players = PlayerCookies(SECRET, now=calendar)
    player = draw_player()
    header = _value(players.cookie(player, SESSION, is_secure=False))
    calendar.now += RENEWED
    assert players.read(header) == (player, SESSION, False)
    calendar.now += DAY
    assert players.read(header) == (player, SESSION, True)
    calendar.now += LIFETIME
    assert players.read(header) == (player, SESSION, True)
    # A signature from the future: the clock was set back.
    calendar.now -= 2 * LIFETIME
    assert players.read(header) == (player, SESSION, False)


def test_what_the_browser_is_told() -> None:
    players = PlayerCookies(SECRET)
    plain, secure = (players.cookie("web-" + "0" * 32, SESSION, is_secure=is_secure) for is_secure in (False, True))
    for word in ("HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={LIFETIME}"):
        assert word in plain.split("; ")
    assert "Secure" not in plain
    assert secure.endswith("; Secure")
    assert secure.startswith(f"{SECURE_COOKIE}=")
    assert "Domain" not in secure  # a browser takes no such cookie otherwise


def test_over_tls_only_the_cookie_of_this_host_counts() -> None:
    """Another site of the domain can set the plain one."""
    players, player = PlayerCookies(SECRET), "web-" + "0" * 32
    plain, secure = (_value(players.cookie(player, SESSION, is_secure=is_secure)) for is_secure in (False, True))
    assert players.read(f"{plain}; {secure}", is_secure=True) == (player, SESSION, False)
    assert players.read(plain, is_secure=True) is None
    assert players.read(secure) is None


def test_a_new_secret_signs_and_the_old_one_is_still_known() -> None:
    player, new = "web-" + "0" * 32, "a new secret of the tests"
    old_cookie = _value(PlayerCookies(SECRET).cookie(player, SESSION, is_secure=False))
    both = PlayerCookies(new, SECRET)
    assert both.read(old_cookie) == (player, SESSION, True)  # and it is signed anew
    new_cookie = _value(both.cookie(player, SESSION, is_secure=False))
    assert both.read(new_cookie) == PlayerCookies(new).read(new_cookie) == (player, SESSION, False)
    assert PlayerCookies(new).read(old_cookie) is PlayerCookies(SECRET).read(new_cookie) is None


def test_several_secrets_are_set_or_stand_in_the_file(tmp_path: Path) -> None:
    both = ("a new secret of the tests", SECRET)
    assert find_secrets(", ".join(both), tmp_path) == both
    (tmp_path / FILE).write_text(f"{'1' * 64}\n{'2' * 64}\n", encoding="ascii")
    (tmp_path / FILE).chmod(0o600)
    assert find_secrets("", tmp_path) == ("1" * 64, "2" * 64)
    for short in (("guess me", SECRET), (SECRET, "guess me"), ()):
        with pytest.raises(ConfigError, match="at least 16 characters"):
            PlayerCookies(*short)


def test_a_short_secret_is_none() -> None:
    with pytest.raises(ConfigError, match="at least 16 characters"):
        PlayerCookies("guess me")


def test_the_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    (secret,) = find_secrets("", folder)
    assert len(secret) == 64
    assert find_secrets("", folder) == (secret,)
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [FILE]
    assert find_secrets("set by hand and used", folder) == ("set by hand and used",)


def test_secrets_that_cannot_be_used_are_said(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text("short\n", encoding="ascii")
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="this is no secret"):
        find_secrets("", tmp_path)
    path.write_bytes(b"\xff" * 40)
    with pytest.raises(ConfigError, match="it is no text"):
        find_secrets("", tmp_path)
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="others may read this secret"):
        find_secrets("", tmp_path)
    path.unlink()
    os.mkdir(path)  # noqa: PTH102  # something that is no file
    path.chmod(0o700)
    with pytest.raises(ConfigError, match=r"web-secret: .*Is a directory"):
        find_secrets("", tmp_path)
