"""The name of the native library's file, and the hash of the sources that it must be built from.

`scripts/native.py` and `library` agree by this module.
"""

import hashlib
import os
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "native"

WHY_NOT = "not-built.txt"
"""Where the hook of the installation writes why there is no library."""


def machine() -> str:
    """The kind of processor: x86_64, aarch64 or another name of this system's."""
    name = os.environ.get("PROCESSOR_ARCHITECTURE", "") if sys.platform == "win32" else os.uname().machine
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name.lower(), name.lower())


def file_name(system: str = sys.platform, processor: str | None = None) -> str:
    """The library's, for a system as Python names it."""
    suffix = {"win32": "dll", "darwin": "dylib"}.get(system, "so")
    return f"sapper-{system}-{processor or machine()}.{suffix}"


def is_installed() -> bool:
    return (SOURCES / file_name()).exists()


def sources() -> list[Path]:
    """The files of C that are compiled, and the headers, in order."""
    return sorted(path for path in SOURCES.iterdir() if path.suffix in {".c", ".h"})


def sources_hash() -> str:
    """A name for this state of the sources: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sources():
        text = path.read_bytes()
        digest.update(f"{path.name}\0{len(text)}\0".encode())
        digest.update(text)
    return digest.hexdigest()[:16]
