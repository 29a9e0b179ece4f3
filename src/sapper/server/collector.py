"""How a server's process looks for objects that only hold each other: seldom at all of them, often at few."""

import gc
from typing import Final

COLLECT: Final = 500, 3, 5_000
"""New objects, then rounds. A look at all objects stops every game, for 0.3 s with a thousand games (`bench/web.py`), so it comes every
ten million objects and not every seventy thousand. The looks in between are at four rounds' objects, which takes a millisecond: with
rounds of 5,000 it took up to twenty, and one move in a hundred waited for that."""


def collect_in_short_looks() -> None:
    """Have this process collect so from now on; what is there now stays, and is not looked at again."""
    gc.set_threshold(*COLLECT)
    gc.freeze()
