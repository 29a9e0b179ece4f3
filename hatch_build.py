"""Puts the manual pages, made from `--help`, into the wheel."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPages(BuildHookInterface[Any]):
    """Runs `scripts/manpages.py`, which needs Click and the sources and nothing else."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built; one that is installed in place gets no pages."""
        if version == "editable":
            return
        root = Path(self.root)
        folder = root / "build" / "man"
        sys.path[:0] = [str(root / "src"), str(root / "scripts")]
        try:
            import manpages  # noqa: PLC0415  # it is found only now

            manpages.main(folder)
        finally:
            del sys.path[:2]
        build_data["shared_data"] |= {str(path): f"share/man/man1/{path.name}" for path in sorted(folder.glob("*.1"))}
