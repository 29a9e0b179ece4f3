"""Settings of Python's garbage collector for servers: full collections are rare, small ones frequent."""

import gc
from typing import Final

COLLECT: Final = 500, 3, 5_000
"""New objects, then rounds. A look at all objects stops every game, for 0.3 s with a thousand games (`bench/web.py`), so it comes every
ten million objects and not every seventy thousand. The looks in between are at four rounds' objects, which takes a millisecond: with
rounds of 5,000 it took up to twenty, and one move in a hundred waited for that."""


def collect_in_short_looks() -> None:
    """Use these settings in this process; objects that exist now are not looked at again."""
    gc.set_threshold(*COLLECT)
    gc.freeze()
