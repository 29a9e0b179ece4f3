"""The reference of the library: docstrings as they are written here, and a build that fails where the page would be wrong.

Docstrings say `X: y` in plain words, which napoleon would read as a type and a text. Names of `sapper` that are values have their docstring
in the module that defines them. What the page must have, it is asked for at the end: every public name, every public attribute, and
no error by a name that `sapper` does not have.

Knows: Sphinx's autodoc, the public names of sapper.
Does not know: what they mean.
"""

import builtins
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging

import sapper

_HOMES: Final[dict[str, str]] = vars(sapper)["_HOMES"]
"""The public names, each with the module that defines it."""
_LOG: Final = logging.getLogger(__name__)
_ERROR: Final = re.compile(r"\b[A-Z][A-Za-z]*Error\b")
_OF_TUPLES: Final = ("Alias for field number", "Create new instance of")
"""What Python says of every named tuple."""
_WITHOUT_SECTIONS: Final = ("attribute", "property", "data")
_BEFORE_NAPOLEON, _AFTER_NAPOLEON = 400, 600


def unknown_errors(text: str) -> set[str]:
    """The errors that a text names and nobody can import from `sapper`."""
    return {name for name in _ERROR.findall(text) if name not in _HOMES and not hasattr(builtins, name)}


def public_members(kind: type) -> Iterator[str]:
    """The attributes and methods that a class of ours has of its own."""
    names = {*vars(kind), *vars(kind).get("__annotations__", {})}
    return (name for name in sorted(names) if not name.startswith("_"))


def missing_names(documented: set[str]) -> list[str]:
    """What the page lacks of all that is public."""
    wanted = []
    for name in _HOMES:
        wanted.append(f"sapper.{name}")
        found = getattr(sapper, name)
        if isinstance(found, type) and not issubclass(found, Exception):
            wanted += [f"sapper.{name}.{member}" for member in public_members(found)]
    return [name for name in wanted if name not in documented]


def values_shown(name: str) -> list[str]:
    """What is in a registry, an item each."""
    if name == "PRESETS":
        return [
            f"* ``{one.name}``: {one.width}×{one.height}, {' or '.join(map(str, one.mine_counts))} mines, rules ``{one.rules.name}``"
            for one in sapper.PRESETS.values()
        ]
    if name == "RULES":
        return [
            f"* ``{rules.name}``: won when {rules.win.value}, start ``{rules.start.value}``, a zero opens {rules.spread} neighbours, "
            f"{'with' if rules.chording else 'without'} chords"
            for rules in sapper.RULES.values()
        ]
    return []


class _Docstrings:
    """What is done to docstrings around napoleon."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def before(self, app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
        lines[:] = [line for line in lines if not line.startswith(_OF_TUPLES)]
        short = name.removeprefix("sapper.")
        if what == "data" and short in _HOMES:
            docs = ModuleAnalyzer.for_module(_HOMES[short]).find_attr_docs()
            lines[:] = docs.get(("", short), [])
            if not lines:
                _LOG.warning("%s has no docstring where it is defined", name)
            if values := values_shown(short):
                lines += ["", *values, ""]
        for unknown in sorted(unknown_errors("\n".join(lines))):
            _LOG.warning("%s names %s, which is no name of sapper", name, unknown)
        self._kept = list(lines)

    def after(self, app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
        if what in _WITHOUT_SECTIONS:
            lines[:] = self._kept


def _signature(
    _: Sphinx, what: str, __: str, obj: Any, ___: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Nobody makes a member of an enumeration, or a result with private parts, such as an analysis: they have no signature."""
    is_made = what == "class" and (issubclass(obj, Enum) or " _" in (signature or ""))
    return ("", None) if is_made else (signature, returned)


def _check(_: Sphinx, env: BuildEnvironment) -> None:
    documented = set(env.get_domain("py").objects)  # type: ignore[attr-defined]  # the domain's own
    for name in missing_names(documented):
        _LOG.warning("%s is public, and the reference does not have it", name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what is done to docstrings, and the check at the end."""
    docstrings = _Docstrings()
    app.connect("autodoc-process-docstring", docstrings.before, priority=_BEFORE_NAPOLEON)
    app.connect("autodoc-process-docstring", docstrings.after, priority=_AFTER_NAPOLEON)
    app.connect("autodoc-process-signature", _signature)
    app.connect("env-check-consistency", _check)
    return {"parallel_read_safe": True}
