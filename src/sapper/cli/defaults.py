"""What the configuration says of the options of commands: their defaults, where a file or the environment has others.

Knows: which setting is the default of which option.
Does not know: what options mean; values, which `sapper.config` has checked.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_PICTURES: Final = {"palette": "screen.palette"}

OPTIONS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "bot": {"preset": "bot.preset", "strategy": "bot.strategy", "view": "bot.view", "delay": "bot.delay"}
        | _PICTURES,
        "play": {"player": "player.name"},
        "analyse": _PICTURES,
        "hint": _PICTURES,
        "doctor": {},
        "generate": _PICTURES,
        "simulate": {
            "strategies": "simulate.strategy",
            "workers": "simulate.workers",
            "backend": "simulate.backend",
        },
        "serve": {
            "hosts": "server.host",
            "port": "server.port",
            "max_connections": "server.max_connections",
            "max_per_address": "server.max_per_address",
            "proxies": "server.proxies",
            "idle_timeout": "server.idle_timeout",
            "max_packet": "server.max_packet",
            "max_queued": "server.max_queued",
            "stall_timeout": "server.stall_timeout",
            "metrics_host": "server.metrics_host",
            "metrics_port": "server.metrics_port",
            "log_format": "server.log_format",
            "log_level": "server.log_level",
        },
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
            "max_games": "web.max_games",
            "max_new_games": "web.max_new_games",
            "max_address_rate": "web.max_address_rate",
            "keep_ready": "web.keep_ready",
            "keep_playing": "web.keep_playing",
            "metrics_host": "web.metrics_host",
            "metrics_port": "web.metrics_port",
            "log_format": "web.log_format",
            "log_level": "web.log_level",
        },
        "connect": {
            "host": "client.host",
            "port": "client.port",
            "rows": "client.rows",
            "columns": "client.columns",
            "level": "client.level",
        },
    }
)
"""The settings by command and parameter."""


def defaults_of(command: str) -> dict[str, Any]:
    """The defaults of a command's options that somebody set. `ConfigError` for a configuration that is wrong."""
    keys = OPTIONS.get(command)
    if keys is None:
        return {}
    from sapper.config.configuration import load
    from sapper.config.settings import SETTINGS

    configuration = load()
    said = set(configuration.said())
    values: dict[str, Any] = {name: configuration.value(key) for name, key in keys.items() if key in said}
    if "strategies" in values:  # one setting, but an option that may be given several times
        values["strategies"] = (values["strategies"],)
    return {name: value for name, value in values.items() if value != SETTINGS[keys[name]].nothing}
