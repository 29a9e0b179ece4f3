"""What the configuration says of the options of commands: their defaults, where a file or the environment has others."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_PICTURES: Final = {"palette": "screen.palette"}
_ADVICE: Final = {"strategy": "advice.strategy", "seconds": "advice.time"}

_LOG: Final = {"log_format": "log.format", "log_level": "log.level"}
OPTIONS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "bot": _PICTURES,
        "play": {"player": "player.name"},
        "analyse": _ADVICE | _PICTURES,
        "hint": _ADVICE | _PICTURES,
        "doctor": {},
        "generate": _PICTURES,
        "simulate": {"workers": "simulate.workers"},
        "serve": {
            "hosts": "server.host",
            "port": "server.port",
            "max_connections": "server.max_connections",
            "max_per_address": "server.max_per_address",
            "proxies": "server.proxies",
            "idle_timeout": "server.idle_timeout",
            "metrics": "server.metrics",
        }
        | _LOG,
        "web": {
            "hosts": "web.host",
            "port": "web.port",
            "allowed_hosts": "web.allowed_hosts",
            "allowed_origins": "web.allowed_origins",
            "proxies": "web.proxies",
            "max_cells": "web.max_cells",
            "max_connections": "web.max_connections",
            "max_per_address": "web.max_per_address",
            "max_open_games": "web.max_open_games",
            "max_address_rate": "web.max_address_rate",
            "keep_days": "web.keep_days",
            "metrics": "web.metrics",
        }
        | _LOG,
        "connect": {"host": "client.host", "port": "client.port"},
    }
)
"""The settings by command and parameter."""


def defaults_of(command: str) -> dict[str, Any]:
    """The defaults of a command's options that somebody set. `ConfigError` for a configuration that is wrong."""
    keys = OPTIONS.get(command)
    if keys is None:
        return {}
    from sapper.config.configuration import load

    configuration = load()
    said = set(configuration.said())
    return {name: configuration.value(key) for name, key in keys.items() if key in said}
