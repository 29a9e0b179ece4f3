"""How another Python is started, so that nothing in the current folder is taken for a module of sapper or of Python's library.

`python -m` and `python -c` look for every module in the current folder first. A file `types.py` or `sapper.py` there, which may be a
user's strategy or somebody else's, would be run in place of the real one.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SAFE_PATH: Final = "PYTHONSAFEPATH"
"""With any text in it: Python leaves the current folder out, as with `-P`."""
_lock = threading.Lock()


def python_command() -> list[str]:
    """The first words of a command that runs this Python, without the current folder. The flag goes to no process of the child's."""
    return [sys.executable, "-P"]


def python_path(*, with_current_folder: bool = False) -> str:
    """`PYTHONPATH` for a child that finds what this process finds, in the same order, but the current folder last of all.

    That is in it where this process looks there too, or if it is asked for.
    """
    here = {"", ".", *_current_folder()}
    others = [path for path in sys.path if path not in here]
    has_current_folder = with_current_folder or len(others) < len(sys.path)
    return os.pathsep.join([*others, "."] if has_current_folder else others)


def _current_folder() -> list[str]:
    try:
        return [os.getcwd()]  # noqa: PTH109  # a text, as in `sys.path`
    except OSError:  # it has been deleted
        return []


@contextmanager
def without_current_folder() -> Iterator[None]:
    """The same for children that `multiprocessing` starts meanwhile, which takes no such flag: through the environment."""
    with _lock:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[SAFE_PATH]
            else:
                os.environ[SAFE_PATH] = before
