"""`sapper completion SHELL`: what makes a shell complete commands, options and their values.

The script that a shell runs asks the program itself, by the variable `_SAPPER_COMPLETE` (Click's way; `program` looks for it).
"""

import os
from importlib import import_module

import click
from click.shell_completion import get_completion_class

from sapper.cli.commands import COMMANDS

VARIABLE = "_SAPPER_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


class _Commands(click.Group):
    """All commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        # For a list of names the table is enough: importing all commands takes seconds.
        if cmd_name not in os.environ.get("COMP_WORDS", "").split():
            return click.Command(cmd_name, short_help=entry.summary)
        command: click.Command = import_module(entry.module).command
        return command


def complete() -> int:
    """Answer the shell that asks; `VARIABLE` says what: `bash_complete`, for instance."""
    group = _Commands("sapper", context_settings={"help_option_names": ["-h", "--help"]})
    instruction = os.environ[VARIABLE]
    shell, _, what = instruction.partition("_")
    kind = get_completion_class(shell)
    if kind is None or what != "complete":
        return 1
    click.echo(kind(group, {}, "sapper", VARIABLE).complete())
    return 0


@click.command("completion", epilog='Example: eval "$(sapper completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a script that completes sapper's commands and options in SHELL.

    In ~/.bashrc: eval "$(sapper completion bash)". In ~/.zshrc, after compinit: eval "$(sapper completion zsh)". For fish:
    sapper completion fish > ~/.config/fish/completions/sapper.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(_Commands("sapper"), {}, "sapper", VARIABLE).source())
