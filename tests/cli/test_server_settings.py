"""Proxies, origins and the address of metrics: what is taken, and what is refused where the server starts."""

import pytest

from sapper.cli.server_settings import metrics_address, origins, proxies, web_proxies
from sapper.config.configuration import Configuration, load
from sapper.config.setting import Value
from sapper.errors import ConfigError


def _with(**settings: Value) -> Configuration:
    return load(
        {"SAPPER_CONFIG": "/dev/null"}, options={key.replace("_", ".", 1): value for key, value in settings.items()}
    )


def test_proxies() -> None:
    assert proxies(_with(server_proxies=("127.0.0.1", "none", "2001:db8::/32")), "server.proxies") == (
        "127.0.0.1",
        "2001:db8::/32",
    )
    for wrong in ("nope", "10.0.0.0/33", "1.2.3.4:80", "*"):
        with pytest.raises(ConfigError, match="neither an address nor a network"):
            proxies(_with(server_proxies=("127.0.0.1", wrong)), "server.proxies")
    # The web server's proxies are looked for as they are written, so a network is written as one.
    assert web_proxies(_with(web_proxies=("10.1.2.3/8",))) == ("10.0.0.0/8",)
    assert web_proxies(_with(web_proxies=("*",))) == ("*",)
    assert web_proxies(_with(web_proxies=("none",))) == ("none",)


def test_origins() -> None:
    right = ("auto", "https://example.org", "HTTP://a-b.example:8080/", "http://[::1]:80", "moz-extension://0a-1b")
    assert origins(_with(web_allowed_origins=right)) == right
    for wrong in (
        "*", "null", "nope", "example.org:80", "https://", "https://a/b", "https://a@b", "https://a:b", "//a", "https://*.a",
    ):  # fmt: skip
        with pytest.raises(ConfigError, match="is not an origin"):
            origins(_with(web_allowed_origins=("https://example.org", wrong)))


def test_the_address_of_metrics() -> None:
    assert metrics_address(_with(server_metrics=""), "server.metrics") is None
    assert metrics_address(_with(server_metrics="[::1]:0"), "server.metrics") == ("::1", 0)
    for wrong in ("9998", "host:", ":9998", "host:65536", "host:1x"):
        with pytest.raises(ConfigError, match="write HOST:PORT"):
            metrics_address(_with(server_metrics=wrong), "server.metrics")
