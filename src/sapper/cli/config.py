"""`sapper config`: each setting, its value and where that comes from; and the files changed by key."""

import contextlib
import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import json_option
from sapper.config.configuration import (
    ONE_FILE,
    PROJECT_FILE,
    ConfigFileKind,
    Configuration,
    config_files,
    load,
    system_file,
    user_file,
)
from sapper.config.settings import SETTINGS, find_setting
from sapper.errors import ConfigError

_EXAMPLES = """\b
Examples:
  sapper config
  sapper config set server.port 9998
  sapper config get server.port
  sapper config set client.keys mark=space,m --file project
  sapper config unset server.port

Defaults give way to the system's file, the user's, the current folder's sapper.toml, the environment (SAPPER_SERVER_PORT), and the command line.
"""


class _Words(click.Group):
    """Tells who gives a setting where a word belongs which word that is."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        key, *values = args
        if key in SETTINGS or ("." in key and key not in self.commands):
            find_setting(key)
            raise click.UsageError(
                f"name what to do with the setting: sapper config {shlex.join(['set' if values else 'get', *args])}",
                ctx,
            )
        return super().resolve_command(ctx, args)


@click.group("config", epilog=_EXAMPLES, invoke_without_command=True, cls=_Words)
@json_option
@click.pass_context
def command(context: click.Context, /, as_json: bool) -> None:
    """List every setting with its value and origin; change settings in files.

    The list hides secrets and passwords; `sapper config get KEY` prints one.
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"--json lists all settings: leave out {context.invoked_subcommand}")
        return
    configuration = load()
    if as_json:
        click.echo(json.dumps(_as_data(configuration)))
        return
    for key, setting in SETTINGS.items():
        click.echo(
            f"{key} = {setting.shown(configuration.value(key))}  ({configuration.origin(key)})\n    {setting.help}"
        )


def _as_data(configuration: Configuration) -> dict[str, Any]:
    return {"settings": [_setting_data(configuration, key) for key in SETTINGS], "files": _files_data()}


def _setting_data(configuration: Configuration, key: str) -> dict[str, Any]:
    """A setting as the list has it: the list may end in a report, so secrets and passwords are stars."""
    setting, origin = SETTINGS[key], configuration.origin(key)
    return {
        "key": key,
        "value": setting.masked(configuration.value(key)),
        "default": setting.default,
        "origin": origin.kind.value,
        "where": origin.where or None,
        "wanted": setting.wanted,
        "variable": setting.variable,
        "help": setting.help,
    }


def _files_data() -> list[dict[str, Any]]:
    found = config_files(os.environ, Path()).items()
    return [{"kind": kind.value, "path": str(path), "exists": path.is_file()} for kind, path in found]


# --- one setting --------------------------------------------------------------------------------------


@command.command("get")
@click.argument("key")
def get(key: str) -> None:
    """Print the value of KEY; items of a list are separated by commas, and actions of a table of keys by semicolons."""
    find_setting(key)
    value = load().value(key)
    if isinstance(value, Mapping):
        click.echo(";".join(f"{action}={','.join(keys)}" for action, keys in value.items()))
        return
    click.echo(
        ",".join(value) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else value
    )


_file_option = click.option(
    "--file",
    "which",
    type=click.Choice(["user", "project", "system"]),
    default="user",
    show_default=True,
    help="The user's own file, sapper.toml in this folder, or the machine's file for all its users.",
)


def _file(which: str) -> Path:
    chosen = os.environ.get(ONE_FILE)
    if chosen == os.devnull:
        raise ConfigError(f"{ONE_FILE} is {os.devnull}: there is no file to change")
    if chosen:
        return Path(chosen)
    return {"user": user_file(os.environ), "system": system_file(os.environ), "project": Path(PROJECT_FILE)}[which]


@command.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key")
@click.argument("value")
@_file_option
def set_(key: str, value: str, which: str) -> None:
    """Set KEY to VALUE in a file; items of a list are separated by commas, and actions of a table of keys by semicolons: undo=u,z;redo=y."""
    from sapper.config.editing import set_value

    path = _file(which)
    parsed = find_setting(key).parse(value)
    _check_twin(key, parsed)
    set_value(path, key, parsed)
    click.echo(f"{path}: {key} = {SETTINGS[key].shown(parsed)}")
    _say_what_prevails(key, path)


def _check_twin(key: str, value: object) -> None:
    """No key of the game in the terminal does two things: `sapper play` would refuse to begin."""
    if key != "play.keys" or not isinstance(value, Mapping):
        return
    with contextlib.suppress(ConfigError):  # a configuration that is wrong must be changed to be mended
        there = load().keys(key)
        actions: dict[str, str] = {}
        for action, keys in {**there, **value}.items():
            for one in keys:
                if (other := actions.setdefault(one, action)) != action:
                    raise click.UsageError(f"{one!r} is the key of both {other} and {action}: give one of them another")


@command.command("unset")
@click.argument("key")
@_file_option
def unset(key: str, which: str) -> ExitCode:
    """Remove KEY from a file; the exit code is 1 if it is not in the file."""
    from sapper.config.editing import unset as take_out

    path = _file(which)
    if not take_out(path, key):
        click.echo(f"{path}: {key} is not in it", err=True)
        return ExitCode.NO
    click.echo(f"{path}: {key} is removed")
    return ExitCode.DONE


def _say_what_prevails(key: str, path: Path) -> None:
    """A value that was set and does not count is a surprise that is better said at once."""
    try:
        origin = load().origin(key)
    except ConfigError as error:
        click.echo(f"sapper: {error}", err=True)
        return
    if origin.kind is ConfigFileKind.ENVIRONMENT or origin.where != str(path):
        click.echo(f"sapper: {key} is set elsewhere too, and that value is used: {origin}", err=True)


# --- files ------------------------------------------------------------------------------------------------


@command.command("path")
def path_() -> None:
    """Print the files that are read; later ones override earlier ones."""
    for file in _files_data():
        click.echo(f"{file['path']}  ({file['kind']}{'' if file['exists'] else ', not there'})")
