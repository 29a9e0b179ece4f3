"""A page for each command, `commands/NAME`, made when the site is built, and the directive `sapper-command` that they use:
what `--help` prints of the command, and a section for each command below it.
"""

from importlib import import_module
from pathlib import Path
from typing import ClassVar

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from sapper.cli.commands import COMMANDS


class CommandHelp(SphinxDirective):
    """Inserts the help of the command that it names."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """The help, then the sections."""
        name = self.arguments[0]
        command: click.Command = import_module(COMMANDS[name].module).command
        return self._help(f"sapper {name}", command)

    def _help(self, path: str, command: click.Command) -> list[nodes.Node]:
        with click.Context(
            command, info_name=path, help_option_names=["-h", "--help"], max_content_width=96
        ) as context:
            text = command.get_help(context)
        block = nodes.literal_block(text, text)
        block["language"] = "text"
        found: list[nodes.Node] = [block]
        if isinstance(command, click.Group):
            found += [self._section(f"{path} {name}", one) for name, one in command.commands.items()]
        return found

    def _section(self, path: str, command: click.Command) -> nodes.section:
        section = nodes.section("", nodes.title(text=path), ids=[nodes.make_id(path)], names=[path])
        section += self._help(path, command)
        return section


def write_pages(app: Sphinx) -> None:
    """Write the pages into `docs/commands`, which git ignores, and delete those of commands that are gone."""
    folder = Path(app.srcdir) / "commands"
    folder.mkdir(exist_ok=True)
    for page in folder.glob("*.md"):
        if page.stem not in COMMANDS:
            page.unlink()
    for name in COMMANDS:
        text = f"# sapper {name}\n\n```{{sapper-command}} {name}\n```\n"
        page = folder / f"{name}.md"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive, and write the pages before Sphinx looks for sources."""
    app.add_directive("sapper-command", CommandHelp)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
