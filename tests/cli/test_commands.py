"""The table of commands agrees with the commands."""

from importlib import import_module
from pathlib import Path

import click
import pytest

import sapper.cli
from sapper.cli.commands import ALONE, COMMANDS, Entry


@pytest.mark.parametrize(("name", "entry"), COMMANDS.items(), ids=list(COMMANDS))
def test_each_entry_leads_to_a_command(name: str, entry: Entry) -> None:
    command = import_module(entry.module).command
    assert isinstance(command, click.Command)
    assert command.name == name
    # Click keeps the help option that a command was first given: ask as `sapper` does.
    context = click.Context(command, info_name=f"sapper {name}", help_option_names=["-h", "--help"])
    assert "Example" in command.get_help(context)


@pytest.mark.parametrize(("name", "entry"), COMMANDS.items(), ids=list(COMMANDS))
def test_a_summary_is_one_short_line(name: str, entry: Entry) -> None:
    assert entry.summary == entry.summary.strip()
    assert 0 < len(f"  {name}  {entry.summary}") <= 100
    assert not entry.summary.endswith(".")


def test_each_command_is_in_the_table() -> None:
    modules = [f"sapper.cli.{path.stem}" for path in sorted(Path(sapper.cli.__path__[0]).glob("[!_]*.py"))]
    with_a_command = {name for name in modules if hasattr(import_module(name), "command")}
    assert with_a_command == {entry.module for entry in COMMANDS.values()}


def test_the_default_is_a_command() -> None:
    assert ALONE[0] in COMMANDS
