"""The table of settings, made from their declarations.

docs/configuration.md shows it; to read it without the site:

    .venv/bin/python scripts/settings_table.py
"""

from sapper.config.setting import shown
from sapper.config.settings import SETTINGS

HEAD = "| Setting | Default | What it may be | Variable | For |\n|---|---|---|---|---|\n"


def table() -> str:
    """The table, a row a setting."""
    rows = [
        f"| `{one.key}` | `{shown(one.default)}` | {one.wanted} | `{one.variable}` | {one.help} |\n"
        for one in SETTINGS.values()
    ]
    return HEAD + "".join(rows)


if __name__ == "__main__":
    print(table(), end="")
