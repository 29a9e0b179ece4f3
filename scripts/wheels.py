#!/usr/bin/env python3
"""Makes the wheels of all platforms from this machine, and the source distribution: `python scripts/wheels.py [FOLDER]`.

FOLDER is `dist` unless another is named. Zig compiles the native library for each platform: it brings the C libraries of all of them.
It comes from the package index (`ziglang`, some hundred megabytes) into `build/zig`, once. One more wheel has no library, for every
other platform. Each wheel is looked through: the library is for that system and processor, made from these sources, and exports what
`declarations.py` names. The one for this machine, if there is one, analyses a board in an environment of its own, without a compiler on PATH.
"""

import os
import platform
import runpy
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import native

ROOT = Path(__file__).resolve().parent.parent
ZIG = "ziglang==0.17.1"
MOST_BYTES = 2_000_000
"""Of a wheel."""


class Target(NamedTuple):
    """A platform: what wheels, Zig, Python and the library call it."""

    tag: str
    zig: str
    system: str
    processor: str
    magic: bytes
    """How a library for it begins, or for Windows what follows `PE`."""


X86_ELF, ARM_ELF = b"\x7fELF\2\1\1", b"\x7fELF\2\1\1"
TARGETS = (
    Target("manylinux2014_x86_64", "x86_64-linux-gnu.2.17", "linux", "x86_64", X86_ELF),
    Target("manylinux2014_aarch64", "aarch64-linux-gnu.2.17", "linux", "aarch64", ARM_ELF),
    Target("musllinux_1_1_x86_64", "x86_64-linux-musl", "linux", "x86_64", X86_ELF),
    Target("musllinux_1_1_aarch64", "aarch64-linux-musl", "linux", "aarch64", ARM_ELF),
    Target("macosx_11_0_x86_64", "x86_64-macos.11.0", "darwin", "x86_64", b"\xcf\xfa\xed\xfe\7\0\0\1"),
    Target("macosx_11_0_arm64", "aarch64-macos.11.0", "darwin", "aarch64", b"\xcf\xfa\xed\xfe\x0c\0\0\1"),
    Target("win_amd64", "x86_64-windows-gnu", "win32", "x86_64", b"PE\0\0\x64\x86"),
    Target("win_arm64", "aarch64-windows-gnu", "win32", "aarch64", b"PE\0\0\x64\xaa"),
)
MACHINES = {"x86_64": (b"\x3e\0", "x86_64_v2"), "aarch64": (b"\xb7\0", "generic")}
"""What ELF calls a processor (bytes 18 and 19), and the least of its kind that Zig is to compile for."""

PLAYS = """
import sapper, sys
from sapper._kernels import loading
assert sapper.__file__.startswith(sys.argv[1]), sapper.__file__
assert loading.absence() is None, loading.absence()
print("  in a bare environment:", sapper.analyse(sapper.read_board(sys.argv[2])).summary)
"""


class Fault(Exception):  # noqa: N818 - it is ours alone
    """A wheel is not what it should be; the message is one line."""


def zig() -> list[str]:
    """The command of Zig's C compiler, fetched if it is not there."""
    folder = ROOT / "build" / "zig"
    if not (folder / "ziglang").exists():
        uv = shutil.which("uv")
        words = [uv, "pip", "install", "-q"] if uv else [sys.executable, "-m", "pip", "install", "-q"]
        subprocess.run([*words, "--target", str(folder), ZIG], check=True)
    name = "zig.exe" if sys.platform == "win32" else "zig"
    return [str(folder / "ziglang" / name), "cc"]


def wheel(folder: Path, library: Path | None, tag: str) -> Path:
    """The wheel with this library, or without one; `hatch_build.py` reads the variable."""
    chosen = os.pathsep.join((tag, str(library) if library else ""))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, env=os.environ | {"SAPPER_WHEEL": chosen}, check=True, capture_output=True,
    )  # fmt: skip
    return next(folder.glob(f"*-{tag}.whl"))


def inspect(made: Path, target: Target | None) -> None:
    """Look a wheel through; `Fault` if something is wrong with it."""
    if made.stat().st_size > MOST_BYTES:
        raise Fault(f"{made.name} has {made.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
    with zipfile.ZipFile(made) as archive:
        names = [name for name in archive.namelist() if name.endswith((".so", ".dylib", ".dll"))]
        wanted = (
            [f"sapper/_kernels/native/{native.FILE['file_name'](target.system, target.processor)}"] if target else []
        )
        if names != wanted:
            raise Fault(f"{made.name} has the libraries {names}, not {wanted}")
        if target is None:
            return
        content = archive.read(names[0])
    at = content.find(b"PE\0\0") if target.system == "win32" else 0
    if content[at : at + len(target.magic)] != target.magic:
        raise Fault(f"{made.name}: its library is not for {target.tag}")
    if target.system == "linux" and content[18:20] != MACHINES[target.processor][0]:
        raise Fault(f"{made.name}: its library is for another processor")
    functions = runpy.run_path(str(native.KERNELS / "declarations.py"))["FUNCTIONS"]
    missing = [name for name in (*functions, native.FILE["sources_hash"]()) if name.encode() not in content]
    if missing:
        raise Fault(f"{made.name}: its library lacks {', '.join(missing)}")
    print(f"  {made.name}: {made.stat().st_size:,} bytes, the library {len(content):,}", flush=True)


def is_here(target: Target) -> bool:
    """Whether this machine can run it."""
    libc = "manylinux" if platform.libc_ver()[0] == "glibc" else "musllinux"
    return (
        (sys.platform, native.FILE["machine"]()) == (target.system, target.processor)
        and (sys.platform != "linux" or target.tag.startswith(libc))
    )  # fmt: skip


def try_out(made: Path, folder: Path) -> None:
    """Analyse a board with a wheel in an environment that has nothing else."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "bare")], check=True)
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder / "site")
    python = folder / "bare" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    environment = {"PYTHONPATH": str(folder / "site"), "PATH": str(python.parent)}
    subprocess.run([str(python), "-c", PLAYS, str(folder), "2x2/1\n1#\n##\n"], cwd=folder, env=environment, check=True)


def main(folder: Path) -> int:
    """Make all of them in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    command = zig()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for target in TARGETS:
            library = native.build(
                scratch / target.tag, native.FILE["file_name"](target.system, target.processor),
                [*command, "-target", target.zig], processor="",
                options=(f"-mcpu={MACHINES[target.processor][1]}", "-s"),
            )  # fmt: skip
            made = wheel(folder, library, target.tag)
            inspect(made, target)
            if is_here(target):
                try_out(made, scratch)
        inspect(wheel(folder, None, "any"), None)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()))
    except (Fault, native.BuildError) as error:
        print(f"wheels: {error}", file=sys.stderr)
        sys.exit(1)
