"""`SHA256SUMS` of a folder of positions, as `sha256sum -c` reads it: which files are whole.

Several processes may fill one folder.
"""

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # pragma: no cover  # a system without them has no such locks
    fcntl = None  # type: ignore[assignment]

SUMS: Final = "SHA256SUMS"


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_sums(folder: Path) -> dict[str, str]:
    """Each name that is listed, with its SHA-256; lines that cannot be read are none."""
    with contextlib.suppress(FileNotFoundError):
        lines = (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
        return {name: digest for digest, mark, name in (line.partition("  ") for line in lines) if mark}
    return {}


def note_sums(folder: Path, digests: Iterable[tuple[str, str]]) -> None:
    """List these names with their SHA-256; the other lines stay."""
    with _alone(folder):
        sums = read_sums(folder) | dict(digests)
        write_whole(folder / SUMS, "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())))


def write_whole(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all, whoever else writes it at the same time."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        if fcntl is not None:
            held = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, held)
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
