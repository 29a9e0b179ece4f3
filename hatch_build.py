"""Compiles the native library, and puts it and the manual pages, made from `--help`, into the wheel."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags


class Parts(BuildHookInterface[Any]):
    """What of a wheel is made from other files of the project.

    The native library (`scripts/native.py`) needs a C compiler; without one the wheel has Python only.
    The manual pages (`scripts/manpages.py`) need Click and the sources and nothing else.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built; one that is installed in place has the library in the sources, and no pages."""
        root = Path(self.root)
        sys.path[:0] = [str(root / "src"), str(root / "scripts")]
        try:
            if version == "editable":
                import native  # noqa: PLC0415  # it is found only now

                native.build_here()
            else:
                self._library(root / "build" / "native", build_data)
                self._pages(root / "build" / "man", build_data)
        finally:
            del sys.path[:2]

    def _library(self, folder: Path, build_data: dict[str, Any]) -> None:
        """Put the library in: for this machine, or what `scripts/wheels.py` has compiled for another (or for none)."""
        import native  # noqa: PLC0415

        if chosen := os.environ.get("SAPPER_WHEEL"):
            tag, _, path = chosen.partition(os.pathsep)
            made = Path(path) if path else None
        else:
            # What this machine made is not claimed to run on older systems of its kind.
            tag = next(tag.platform for tag in sys_tags() if not tag.platform.startswith(("manylinux", "musllinux")))
            made = native.build_here(folder)
            if made is None:
                note = native.FILE["WHY_NOT"]
                build_data["force_include"][str(folder / note)] = f"sapper/_kernels/native/{note}"
        if made is not None:
            # For any Python 3, as ctypes loads it.
            build_data["force_include"][str(made)] = f"sapper/_kernels/native/{made.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{tag}"

    def _pages(self, folder: Path, build_data: dict[str, Any]) -> None:
        import manpages  # noqa: PLC0415

        manpages.main(folder)
        build_data["shared_data"] |= {str(path): f"share/man/man1/{path.name}" for path in sorted(folder.glob("*.1"))}
