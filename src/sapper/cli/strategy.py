"""`sapper strategy new NAME`: a file with a strategy to start from."""

import keyword
import re
import sys
from pathlib import Path

import click

from sapper.cli import strategy_example
from sapper.cli.exits import ExitCode
from sapper.cli.files import write_named

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@click.group("strategy", epilog="Example: sapper strategy new mine")
def command() -> None:
    """Write a strategy of your own."""


@command.command("new", epilog="Example: sapper strategy new mine")
@click.argument("name")
def new(name: str) -> ExitCode:
    """Write NAME.py: a commented strategy that runs at once."""
    stem = name.removesuffix(".py")
    if _NAME.fullmatch(stem) is None:
        raise click.BadParameter(
            f"a name has letters, digits and _, like a module, not {name[:40]!r}", param_hint="NAME"
        )
    stem = stem.lower()
    # In the file's folder it would be found in place of the real one: by every strategy there, and by `python` itself.
    if stem in sys.stdlib_module_names or stem == "sapper":
        raise click.BadParameter(
            f"{stem!r} is a module of {'sapper' if stem == 'sapper' else 'Python'} itself, which the file would hide; "
            f"choose another name, as my_{stem}",
            param_hint="NAME",
        )
    if keyword.iskeyword(stem):
        raise click.BadParameter(
            f"{stem!r} is a Python keyword; choose another name, such as my_{stem}", param_hint="NAME"
        )
    path = Path(f"{stem}.py")
    if path.exists():
        raise click.UsageError(f"{path} exists; choose another name")
    class_name = "".join(word.capitalize() for word in stem.split("_"))
    code = Path(strategy_example.__file__).read_text(encoding="utf-8")
    write_named(path, code.replace("Example", class_name).replace("example.py", str(path)).encode())
    click.echo(f"{path} has the strategy {class_name}. Watch it play, and compare it:")
    click.echo(f"  sapper bot --strategy {path} --preset beginner")
    click.echo(f"  sapper simulate --strategy {path} --strategy least-risk --preset beginner --games 1000 --seed 1")
    return ExitCode.DONE
