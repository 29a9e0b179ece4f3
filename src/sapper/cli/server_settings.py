"""Settings of servers that are checked where they are used: `ConfigError` for what cannot be."""

import re
from ipaddress import ip_network
from typing import Final

from sapper.config.configuration import Configuration
from sapper.errors import ConfigError

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


def origins(configuration: Configuration) -> tuple[str, ...]:
    """Other servers whose pages may play here, as browsers name them: scheme://host[:port]; or `auto`."""
    names = configuration.texts("web.allowed_origins")
    for name in names:
        if name != "auto" and _ORIGIN.fullmatch(name) is None:
            raise ConfigError(
                f"web.allowed_origins: {name!r} is not an origin: write scheme://host or scheme://host:port, such as https://example.org"
            )
    return names
