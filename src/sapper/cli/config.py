"""`sapper config`: each setting, its value and where that comes from; and the files changed by key."""

import contextlib
import json
import os
import shlex
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.config.configuration import Configuration, load
from sapper.config.places import ONE_FILE, PROJECT_FILE, ConfigFileKind, places, system_file, user_file
from sapper.config.reading import check_regular, read_file
from sapper.config.settings import SETTINGS, find_setting
from sapper.errors import ConfigError

_EXAMPLES = """\b
Examples:
  sapper config
  sapper config set server.port 9998
  sapper config get server.port
  sapper config set client.keys mark=space,m --project
  sapper config unset server.port

Defaults give way to the system's file, the user's, the current folder's sapper.toml, the environment (SAPPER_SERVER_PORT), and the command line.
"""


class _Words(click.Group):
    """Tells who gives a setting where a word belongs which word that is."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As ever, but for settings."""
        key, *values = args
        if key in SETTINGS or ("." in key and key not in self.commands):
            find_setting(key)
            raise click.UsageError(
                f"name what to do with the setting: sapper config {shlex.join(['set' if values else 'get', *args])}",
                ctx,
            )
        return super().resolve_command(ctx, args)


@click.group("config", epilog=_EXAMPLES, invoke_without_command=True, cls=_Words)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
@click.pass_context
def command(context: click.Context, /, as_json: bool) -> None:
    """List every setting with its value and origin; change settings in files.

    The list hides secrets and passwords; `sapper config get KEY` prints one.
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError("--json comes after the word: sapper config get KEY --json")
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
    return {
        "settings": [_setting_data(configuration, key) | _masked(configuration, key) for key in SETTINGS],
        "files": _files_data(),
    }


def _setting_data(configuration: Configuration, key: str) -> dict[str, Any]:
    setting, origin = SETTINGS[key], configuration.origin(key)
    return {
        "key": key,
        "value": configuration.value(key),
        "default": setting.default,
        "origin": origin.kind.value,
        "where": origin.where or None,
        "wanted": setting.wanted,
        "variable": setting.variable,
        "help": setting.help,
    }


def _masked(configuration: Configuration, key: str) -> dict[str, object]:
    """The value as a list of all settings has it: that may end in a report, so secrets and passwords are stars."""
    return {"value": SETTINGS[key].masked(configuration.value(key))}


def _files_data() -> list[dict[str, Any]]:
    found = places(os.environ, Path())
    return [{"kind": kind.value, "path": str(path), "exists": path.is_file()} for kind, path in found]


# --- one setting --------------------------------------------------------------------------------------


@command.command("get")
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def get(key: str, as_json: bool) -> None:
    """Print the value of KEY; items of a list are separated by commas, and actions of a table of keys by semicolons."""
    find_setting(key)
    configuration = load()
    if as_json:
        click.echo(json.dumps(_setting_data(configuration, key)))
        return
    value = configuration.value(key)
    if isinstance(value, Mapping):
        click.echo(";".join(f"{action}={','.join(keys)}" for action, keys in value.items()))
        return
    click.echo(
        ",".join(value) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else value
    )


_WHICH = (
    click.option("--user", is_flag=True, help="The user's own file (default)."),
    click.option("--project", is_flag=True, help="sapper.toml in this folder."),
    click.option("--system", is_flag=True, help="The machine's file, for all its users."),
)


def _file_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a word the options of the files; it gets which one is meant as `which`."""

    @wraps(function)
    def with_file(*args: Any, user: bool, project: bool, system: bool, **rest: Any) -> Any:
        said = [name for name, is_said in (("user", user), ("project", project), ("system", system)) if is_said]
        if len(said) > 1:
            raise click.UsageError(f"{' and '.join(f'--{name}' for name in said)}: one file is changed at a time")
        return function(*args, which=said[0] if said else "user", **rest)

    found: Callable[..., Any] = with_file
    for option in reversed(_WHICH):
        found = option(found)
    return found


def _file(which: str) -> Path:
    """The file that is meant: with SAPPER_CONFIG, that one."""
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
    if origin.kind is ConfigFileKind.ENVIRONMENT or not origin.where.startswith(f"{path}:"):
        click.echo(f"sapper: {key} is set elsewhere too, and that value is used: {origin}", err=True)


# --- files ------------------------------------------------------------------------------------------------


@command.command("path")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def path_(as_json: bool) -> None:
    """Print the files that are read; later ones override earlier ones."""
    files = _files_data()
    if as_json:
        click.echo(json.dumps({"files": files}))
        return
    for file in files:
        click.echo(f"{file['path']}  ({file['kind']}{'' if file['exists'] else ', not there'})")


@command.command("edit")
@_file_option
def edit(which: str) -> None:
    """Open a file in the editor (VISUAL, EDITOR), and check it afterwards."""
    path = _file(which)
    check_regular(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    click.edit(filename=str(path))
    read_file(path)
    click.echo(f"{path}: no errors")
