"""Proxies and origins: what is taken, and what is refused where the server starts."""

import click
import pytest

from sapper.cli.server_names import check_origins, check_proxies, check_web_proxies

CONTEXT, OPTION = click.Context(click.Command("serve")), click.Option(["--it"])


def test_proxies() -> None:
    for check in (check_proxies, check_web_proxies):
        assert check(CONTEXT, OPTION, ("127.0.0.1", "none", "2001:db8::/32")) == ("127.0.0.1", "2001:db8::/32")
        for wrong in ("nope", "", "10.0.0.0/33", "1.2.3.4:80"):
            with pytest.raises(click.BadParameter, match="neither an address nor a network"):
                check(CONTEXT, OPTION, ("127.0.0.1", wrong))
    # The web server's proxies are looked for as they are written, so a network is written as one.
    assert check_web_proxies(CONTEXT, OPTION, ("10.1.2.3/8",)) == ("10.0.0.0/8",)
    assert check_web_proxies(CONTEXT, OPTION, ("*",)) == ("*",)
    assert check_web_proxies(CONTEXT, OPTION, ("none",)) == ("none",)
    with pytest.raises(click.BadParameter):
        check_proxies(CONTEXT, OPTION, ("*",))


def test_origins() -> None:
    right = ("auto", "https://example.org", "HTTP://a-b.example:8080/", "http://[::1]:80", "moz-extension://0a-1b")
    assert check_origins(CONTEXT, OPTION, right) == right
    for wrong in (
        "", "*", "null", "nope", "example.org:80", "https://", "https://a/b", "https://a@b", "https://a:b", "//a", "https://*.a",
    ):  # fmt: skip
        with pytest.raises(click.BadParameter, match="is not an origin"):
            check_origins(CONTEXT, OPTION, ("https://example.org", wrong))
