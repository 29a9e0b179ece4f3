"""Writes the table of settings in docs/configuration.md anew, from their declarations.

.venv/bin/python scripts/settings_table.py
"""

from pathlib import Path

from sapper.config.setting import shown
from sapper.config.settings import SETTINGS

DOCUMENT = Path(__file__).parents[1] / "docs/configuration.md"
HEAD = "| Setting | Default | What it may be | Variable | For |\n|---|---|---|---|---|\n"


def table() -> str:
    """The table, a row a setting."""
    rows = [
        f"| `{one.key}` | `{shown(one.default)}` | {one.wanted} | `{one.variable}` | {one.help} |\n"
        for one in SETTINGS.values()
    ]
    return HEAD + "".join(rows)


def with_table(text: str) -> str:
    """The document with the table as it should be."""
    before, _, rest = text.partition(HEAD)
    lines = rest.splitlines(keepends=True)
    while lines and lines[0].startswith("|"):
        del lines[0]
    return before + table() + "".join(lines)


if __name__ == "__main__":
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
