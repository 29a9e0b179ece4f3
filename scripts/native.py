#!/usr/bin/env python3
"""Makes the native library beside its sources: `python scripts/native.py [--strict]`.

The system's C compiler does it (`CC`, else cc, gcc or clang on PATH), in some seconds. Where it cannot, one line on stderr
says why, and the exit code is 1; sapper works without the library, more slowly.
`--strict` takes every warning as an error.
"""

import os
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

KERNELS = Path(__file__).resolve().parent.parent / "src" / "sapper" / "_kernels"
FILE = runpy.run_path(str(KERNELS / "library_file.py"))
COMPILERS = ("cc", "gcc", "clang")
# The least processor of each kind that the library is for; `sapper_runs_here` asks for it when it is loaded.
BASELINES = {"x86_64": ("-march=x86-64-v2",), "aarch64": ("-march=armv8-a",)}
# Floating point as it is written, without fused operations: ties between cells fall alike on every machine.
OPTIONS = ("-O3", "-std=c11", "-ffp-contract=off", "-fPIC", "-shared", "-fvisibility=hidden")
STRICT = ("-Wall", "-Wextra", "-Werror")


class BuildError(Exception):
    """The library could not be made; the message is one line."""


def compiler() -> list[str]:
    """The command of the system's C compiler."""
    chosen = shlex.split(os.environ.get("CC", ""))
    for words in [chosen] if chosen else [[name] for name in COMPILERS]:
        if shutil.which(words[0]):
            return words
    if chosen:
        raise BuildError(f"CC names {chosen[0]!r}, which is not on PATH")
    raise BuildError("there is no C compiler, neither cc nor gcc nor clang (on Debian: apt-get install gcc libc6-dev)")


def build(
    folder: Path, name: str, command: Sequence[str], *, processor: str, options: Sequence[str] = (), seconds: int = 600
) -> Path:
    """Make the library for a kind of processor: `name` in `folder`, put there when it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = Path(scratch) / name
        sources = [str(path) for path in FILE["sources"]() if path.suffix == ".c"]
        definition = f'-DSAPPER_SOURCES="{FILE["sources_hash"]()}"'
        maths = () if name.endswith(".dll") else ("-lm",)
        words = [
            *command,
            *OPTIONS,
            *BASELINES.get(processor, ()),
            *options,
            definition,
            "-o",
            str(made),
            *sources,
            *maths,
        ]
        try:
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"{command[0]} did not compile it: {error}") from error
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
            raise BuildError(f"{command[0]} did not compile it: {said[0] if said else f'exit code {done.returncode}'}")
        # Whoever has the old one loaded keeps it: the file is replaced, not written to.
        return made.replace(folder / name)


def build_here(folder: Path = FILE["SOURCES"], options: Sequence[str] = ()) -> Path | None:
    """Make the library for this machine; None where that fails, which is said on stderr and beside where it would be."""
    note = folder / FILE["WHY_NOT"]
    note.unlink(missing_ok=True)
    try:
        return build(folder, FILE["file_name"](), compiler(), processor=FILE["machine"](), options=options)
    except (BuildError, OSError) as error:
        why = " ".join(str(error).split())
        print(f"sapper: without its native library, so games and analyses take longer: {why}", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{why}\n", encoding="utf-8")
        return None


if __name__ == "__main__":
    sys.exit(build_here(options=STRICT if "--strict" in sys.argv[1:] else ()) is None)
