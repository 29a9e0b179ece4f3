"""Runs one command with Click, and puts what Click has to say into the contract's words.

Apart from `main`, because Click takes long to import.
"""

import difflib
import re
from collections.abc import Callable
from importlib import import_module

import click

from sapper.cli.commands import Entry
from sapper.cli.exits import ExitCode
from sapper.core.preset import PRESETS


def invoke(name: str, entry: Entry, words: list[str], *, complain: Callable[[str], None]) -> int:
    """Run the command on these arguments and return its exit code.

    Wrong usage is said through `complain`. Errors of the command itself are raised.
    """
    command = import_module(entry.module).command
    if not isinstance(command, click.Command):
        raise TypeError(f"{entry.module}.command is a {type(command).__name__}, not a click.Command")
    path = f"sapper {name}"
    try:
        # Not command.main(): it has exit codes and messages of its own for what ends here.
        with command.make_context(path, words, help_option_names=["-h", "--help"]) as context:
            result = command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:  # its message is the whole help
        group = error.ctx
        assert group is not None
        words_there = group.command.list_commands(group) if isinstance(group.command, click.Group) else []
        complain(f"name a subcommand: {', '.join(words_there)} (see: {group.command_path} --help)")
        return ExitCode.USAGE
    except click.NoSuchOption as error:
        complain(_no_such_option(error, path))
        return ExitCode.USAGE
    except click.ClickException as error:
        asked = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else path
        message = _no_such_command(error) or " ".join(error.format_message().split())
        complain(f"{_with_preset(command, message)} (see: {asked} --help)")
        return ExitCode.USAGE
    return ExitCode.DONE if result is None else ExitCode(result)


def _no_such_option(error: click.NoSuchOption, path: str) -> str:
    """The nearest option, or where this one belongs: Click names several that are hardly alike."""
    name, context = error.option_name, error.ctx
    asked = path if context is None else context.command_path
    known = [] if context is None else [one for param in context.command.params for one in param.opts]
    near = difflib.get_close_matches(name, [*known, "--help"], n=1, cutoff=0.7)
    meant = f"; did you mean {near[0]}?" if near else ""
    group = None if context is None else context.parent
    if group is not None and any(name in param.opts for param in group.command.params):
        meant = f"; it comes earlier: {group.command_path} {name} …"
    return f"no option {name}{meant} (see: {asked} --help)"


def _no_such_command(error: click.ClickException) -> str | None:
    """The nearest subcommand, else all of them; None if the error is another."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    word = re.match("No such command '(.+)'", error.message)
    if word is None or context is None or not isinstance(context.command, click.Group):
        return None
    known = context.command.list_commands(context)
    near = difflib.get_close_matches(word[1], known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"commands: {', '.join(known)}"
    return f"no command {word[1]!r} of {context.command_path}; {hint}"


def _with_preset(command: click.Command, message: str) -> str:
    """What Click says of wrong usage; of a preset's name that stands alone, also the option for it."""
    stray = re.search(r"(?:extra arguments? \(|[Nn]o (?:such )?command ')([^\s')]+)", message)
    word = "" if stray is None else stray[1]
    if word not in PRESETS or all("--preset" not in one.opts for one in command.params):
        return message
    return f"{message.rstrip('.')}; did you mean --preset {word}?"
