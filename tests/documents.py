"""Runs what a document shows, so that it cannot rot.

* A ```python block is run, all blocks of a document in one namespace, from top to bottom. If a
  ```text block follows it with nothing between but blank lines, that is what it prints.
* In a ```console block each line that starts with `$ ` is a command. `$ sapper …`, alone or in a
  pipeline, `$ printf …` and `$ ./run.sh …` (the same command from a clone) are run in an empty folder that the
  whole document shares, and must exit with 0; lines below a command, where there are any, are what
  it prints on stdout. A line `[…]` stands for any number of lines.
* `$ ./test.sh …` and the commands that fetch or install the project are shown, not run.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_ANY_LINES = re.compile(r"^\[…\]\n", re.MULTILINE)
_RUN = re.compile(r"(^|[|;&]\s*)((?:[A-Z_]+=\S+ )*)(sapper|\./run\.sh)(?=\s|$)")
_SHOWN_ONLY = ("./test.sh", "git clone ", "cd ", "pip install ", "uv ", "scripts/", ".ci/", ".venv/")


class DocumentError(AssertionError):
    """What the document shows is not what happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block: its language, its text, the number of its first line of text in the document."""

    language: str
    text: str
    line: int
    after_blank: bool
    """Nothing but blank lines lies between it and the block before."""


def blocks(document: str) -> Iterator[Block]:
    """The fenced blocks of a Markdown document, in order."""
    end = 0
    for match in _FENCE.finditer(document):
        yield Block(
            language=match["language"],
            text=match["text"],
            line=document.count("\n", 0, match.start("text")) + 1,
            after_blank=not document[end : match.start()].strip(),
        )
        end = match.end()


def run_python(name: str, document: str) -> int:
    """Run the python blocks; how many there were."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    found = list(blocks(document))
    count = 0
    for block, after in zip(found, [*found[1:], None], strict=False):
        if block.language != "python":
            continue
        count += 1
        printed = io.StringIO()
        # Blank lines in front make a traceback name the line of the document.
        code = compile("\n" * (block.line - 1) + block.text, name, "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        if after is not None and after.language == "text" and after.after_blank:
            _compare(after.text, printed.getvalue(), f"{name}:{block.line}")
    return count


def run_console(name: str, document: str, folder: Path) -> int:
    """Run the console blocks' commands in `folder`; how many were run."""
    count = 0
    for block in blocks(document):
        if block.language != "console":
            continue
        for command, line, want in _commands(name, block):
            if command.startswith(_SHOWN_ONLY):
                continue
            if not _RUN.search(command) and not command.startswith("printf "):
                raise DocumentError(f"{name}:{line}: neither run nor known as shown only: {command}")
            count += 1
            done = _shell(_RUN.sub(r"\1\2sapper", command), folder)
            if done.returncode != 0:
                raise DocumentError(f"{name}:{line}: {command}\nexit code {done.returncode}\n{done.stderr}")
            if want:
                _compare(want, done.stdout, f"{name}:{line}")
    return count


def _commands(name: str, block: Block) -> Iterator[tuple[str, int, str]]:
    """Each command, its line in the document, and the output shown below it ('' if none)."""
    pieces = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if pieces[0].strip():
        raise DocumentError(f"{name}:{block.line}: a console block starts with a command: '$ …'")
    line = block.line + pieces[0].count("\n")
    for piece in pieces[1:]:
        command, _, output = piece.partition("\n")
        yield command.strip(), line, output
        line += piece.count("\n")


def _shell(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    # The settings are the document's own, not those of whoever runs it, nor none.
    settings = {name: str(folder / ".settings") for name in ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS")}
    environment = os.environ | {"PATH": path} | settings
    environment.pop("SAPPER_CONFIG", None)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def _compare(want: str, got: str, where: str) -> None:
    pieces = [re.escape(piece) for piece in _ANY_LINES.split(_lines(want))]
    if re.fullmatch(r"(?:.*\n)*?".join(pieces), _lines(got)) is None:
        raise DocumentError(f"{where}: it shows\n{want}\nbut this is printed\n{got}")


def _lines(text: str) -> str:
    """Without what cannot be seen: blanks at the ends of lines, blank lines at the end."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"
