"""The entry point of the command `sapper`.

Knows: where the program is, and that it takes a while to import it.
Does not know: what the program does (see `program`).
"""

import sys
from collections.abc import Mapping, Sequence

from sapper.cli import interrupt

TYPE_CHECKING = False  # importing typing for it would take longer than all else here
if TYPE_CHECKING:
    from sapper.cli.commands import Entry


def main(argv: Sequence[str] | None = None, *, commands: "Mapping[str, Entry] | None" = None) -> int:
    """Run `sapper` with these arguments (else the process's own) and return its exit code; see `program.run`."""
    interrupt.guard()
    from sapper.cli.program import run

    return run(sys.argv[1:] if argv is None else argv, commands)
