"""The entry point of the command `sapper`."""

import gc
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

    if argv is not None:
        return run(argv, commands)
    code = run(sys.argv[1:], commands)
    # The process ends, and its memory with it. Python would look through all modules for what only holds itself: with those
    # of a database that takes a tenth of a second and more.
    gc.freeze()
    return code
