"""Numbers and lists of things in words, as messages and reports say them."""

from collections.abc import Sequence


def counted(count: int, thing: str) -> str:
    """How many there are of something.

    >>> counted(1, "mine"), counted(1200, "mine")
    ('1 mine', '1,200 mines')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def joined(parts: Sequence[str], *, most: int | None = None) -> str:
    """A list; of one that is longer than `most` the first parts, and how many more there are.

    >>> joined(["a"]), joined(["a", "b", "c"]), joined(["a", "b", "c", "d"], most=3)
    ('a', 'a, b and c', 'a, b and 2 more')
    """
    if most is not None and len(parts) > most:
        parts = [*parts[: most - 1], f"{len(parts) - most + 1:,} more"]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def do_not(count: int) -> str:
    """What that many things do not: `1 mine does not fit`.

    >>> do_not(1), do_not(2)
    ('does not', 'do not')
    """
    return "does not" if count == 1 else "do not"
