"""Which program a strategy's name means: its version, and the SHA-256 of its source.

Nothing of it is run for that.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

from sapper.simulate.strategy_names import file_of, module_of
from sapper.solver.strategies.registry import entry_point_of, own_strategy

_MADE: Final = (".pyc", ".so", ".pyd", ".dylib", ".dll")
"""Endings of files that are made from others, and differ between machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """The identity of a strategy, for who wants to play with the same one."""

    strategy: str
    version: str | None
    """Of sapper for its own strategies, of the installed package that has it, or `__version__` in its file; None where nothing says it."""
    sha256: str | None
    """Of the strategy's file, or of all files of its package (`digest`); None where it is not found."""


def player_of(name: str) -> Player:
    if own_strategy(name) is not None:
        ours = Path(__file__).parents[1]
        return Player(strategy=name, version=_stated_version(ours / "__init__.py"), sha256=_digest(ours))
    file = file_of(name)
    if file is not None:
        return Player(strategy=name, version=_stated_version(file), sha256=_digest(file))
    point = entry_point_of(name)
    top = (module_of(name) if point is None else point.module).partition(".")[0]
    place = _place_of(top)
    if point is not None and point.dist is not None:
        version: str | None = point.dist.version
    else:
        version = _installed_version(top)
    if version is None and place is not None:
        version = _stated_version(place / "__init__.py" if place.is_dir() else place)
    return Player(strategy=name, version=version, sha256=None if place is None else _digest(place))


def _place_of(top: str) -> Path | None:
    """The folder or file of a module that is in no other."""
    spec = PathFinder.find_spec(top, sys.path)
    if spec is None:
        return None
    for folder in spec.submodule_search_locations or ():
        return Path(folder)
    return None if spec.origin is None else Path(spec.origin)


def _installed_version(top: str) -> str | None:
    names = metadata.packages_distributions().get(top, ())
    return metadata.version(names[0]) if names else None


def _stated_version(file: Path) -> str | None:
    """The value of `__version__ = "…"` in a file."""
    with suppress(OSError, SyntaxError, ValueError):
        for line in ast.parse(file.read_bytes()).body:
            match line:
                case ast.Assign(targets=[ast.Name(id="__version__")], value=ast.Constant(value=str(version))):
                    return version
                case _:
                    pass
    return None


def _digest(place: Path) -> str | None:
    """SHA-256 of a file; of a folder: of its files' paths and contents, but for those that are made from others. None if it cannot be read."""
    with suppress(OSError):
        if place.is_file():
            return hashlib.sha256(place.read_bytes()).hexdigest()
        if place.is_dir():
            found = hashlib.sha256()
            for name, path in sorted(_sources(place)):
                found.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n".encode())
            return found.hexdigest()
    return None


def _sources(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in _MADE:
            yield path.relative_to(folder).as_posix(), path
