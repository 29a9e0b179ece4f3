"""Numbers of things in words, as messages and reports say them."""


def counted(count: int, thing: str) -> str:
    """How many there are of something.

    >>> counted(1, "mine"), counted(1200, "mine")
    ('1 mine', '1,200 mines')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def do_not(count: int) -> str:
    """What that many things do not: `1 mine does not fit`.

    >>> do_not(1), do_not(2)
    ('does not', 'do not')
    """
    return "does not" if count == 1 else "do not"
