"""The directive `sapper-commands`: what `--help` prints of each command, a section a command."""

from importlib import import_module
from typing import ClassVar

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from sapper.cli.commands import COMMANDS


class CommandHelp(SphinxDirective):
    """Inserts the sections."""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """A section a command, a section a command of a command below it."""
        return [self._section(f"sapper {name}", self._command(entry.module)) for name, entry in COMMANDS.items()]

    @staticmethod
    def _command(module: str) -> click.Command:
        command: click.Command = import_module(module).command
        return command

    def _section(self, path: str, command: click.Command) -> nodes.section:
        title = nodes.title(text=path)
        section = nodes.section("", title, ids=[nodes.make_id(path)], names=[path])
        with click.Context(
            command, info_name=path, help_option_names=["-h", "--help"], max_content_width=96
        ) as context:
            text = command.get_help(context)
        block = nodes.literal_block(text, text)
        block["language"] = "text"
        section += block
        if isinstance(command, click.Group):
            section += [self._section(f"{path} {name}", one) for name, one in command.commands.items()]
        return section


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("sapper-commands", CommandHelp)
    return {"parallel_read_safe": True}
