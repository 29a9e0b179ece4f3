"""What a name may be, and what a recovery phrase looks like.

Names are compared by their skeletons (UTS 39): two that look alike are one. A name has one script, or Latin beside the scripts of one
East Asian language, which is the restriction level "highly restrictive".
"""

import secrets
import unicodedata
from typing import Final

import disarm

from sapper.core.words import joined
from sapper.errors import RequestError

LONGEST: Final = 20
_BESIDE_LATIN: Final = ({"Han", "Hiragana", "Katakana"}, {"Han", "Bopomofo"}, {"Han", "Hangul"})
_BETWEEN: Final = frozenset(" -_.'’")
_DIGITS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Those of Crockford's base 32: none looks like another."""
_GROUPS, _GROUP = 7, 4


def read_name(text: str) -> tuple[str, str]:
    """A name in its normal form, and its skeleton; `RequestError` for what is none."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(name) <= LONGEST:
        raise RequestError("bad-request", f"a name has 1 to {LONGEST} characters")
    for letter in name:
        if unicodedata.category(letter)[0] not in "LMN" and letter not in _BETWEEN:
            raise RequestError("bad-request", f"a name has letters, digits, spaces and -_.', not U+{ord(letter):04X}")
    if name != unicodedata.normalize("NFKC", name):
        raise RequestError("bad-request", "a name has plain letters, not other forms of them")
    if unicodedata.category(name[0])[0] not in "LN":
        raise RequestError("bad-request", "a name begins with a letter or a digit")
    scripts = {script.value if hasattr(script, "value") else str(script) for script in disarm.detect_scripts(name)}
    others = scripts - {"Latin"}
    is_one = len(scripts) <= 1 or not disarm.is_mixed_script(name)
    if not is_one and not ("Latin" in scripts and any(others <= one for one in _BESIDE_LATIN)):
        raise RequestError("bad-request", f"a name is written in one script, not in {joined(sorted(scripts))}")
    skeleton = disarm.skeleton_key(name, digit_policy="tr39").replace(" ", "")
    if not skeleton:
        raise RequestError("bad-request", "a name has something to read in it")
    return name, skeleton


def draw_phrase() -> str:
    """A new recovery phrase, of 140 random bits."""
    return "-".join("".join(secrets.choice(_DIGITS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def read_phrase(text: str) -> str:
    """A phrase as it was drawn, however it was copied; `RequestError` for what is none."""
    plain = "".join(text.lower().split()).replace("-", "").translate(str.maketrans("oil", "011"))
    if len(plain) != _GROUPS * _GROUP or not set(plain) <= set(_DIGITS):
        raise RequestError("bad-request", f"a recovery phrase has {_GROUPS} groups of {_GROUP} letters and digits")
    return "-".join(plain[at : at + _GROUP] for at in range(0, len(plain), _GROUP))
