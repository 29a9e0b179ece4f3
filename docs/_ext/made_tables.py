"""The directive `made-table NAME`: tables that follow from the source, written as the site is built, so that no copy of them can be old."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

sys.path.insert(0, str(Path(__file__).parents[2]))

from scripts.settings_table import table
from scripts.web_messages import bodies_tables, message_tables

TABLES: Final[dict[str, Callable[[], str]]] = {"settings": table, "messages": message_tables, "bodies": bodies_tables}


class MadeTable(SphinxDirective):
    """Inserts the tables of a name, which are Markdown."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """The tables."""
        return self.parse_text_to_nodes(TABLES[self.arguments[0]]())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("made-table", MadeTable)
    return {"parallel_read_safe": True}
