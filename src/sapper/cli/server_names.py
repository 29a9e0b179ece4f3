"""What servers are told of other machines: proxies that are believed, servers whose pages may play."""

import re
from ipaddress import ip_network
from typing import Final

import click

_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\]|[^\s\[\]/?#@:*]+)(:[0-9]{1,5})?/?", re.IGNORECASE)


def check_proxies(_: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses and networks, and not `none`."""
    wanted = tuple(name for name in names if name != "none")
    for name in wanted:
        try:
            ip_network(name, strict=False)
        except ValueError:
            raise click.BadParameter(
                f"{name!r} is neither an address nor a network: write 192.0.2.7 or 10.0.0.0/8.", param=parameter
            ) from None
    return wanted


def check_web_proxies(context: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The same; also `*`, alone, for every machine. A network is written as such: 10.1.2.3/8 is 10.0.0.0/8."""
    if names == ("*",):
        return names
    wanted = check_proxies(context, parameter, names)
    return tuple(str(ip_network(name, strict=False)) if "/" in name else name for name in wanted) or ("none",)


def check_origins(_: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """As browsers say them, scheme://host[:port]; and `auto`."""
    for name in names:
        if name != "auto" and _ORIGIN.fullmatch(name) is None:
            raise click.BadParameter(
                f"{name!r} is not an origin: write scheme://host or scheme://host:port, such as https://example.org.",
                param=parameter,
            )
    return names
