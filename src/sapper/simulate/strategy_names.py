"""Strategies by name, and the name of a strategy that is a value.

Beside the names of the registry there are `module:factory`, `file.py:factory` and `file.py`, which has one class with a
method `choose`. Whatever is named is run: only names that somebody typed, or a program of theirs holds, are looked for here.
"""

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module, metadata, util
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from sapper.errors import StrategyLoadError
from sapper.solver.strategies.base import StrategyFactory
from sapper.solver.strategies.registry import entry_point_of, find_strategy, own_strategy

_FILE = "sapper_strategy_"
"""What modules made of files are named by: nothing else is."""
_OURS = str(Path(__file__).parents[1])
_LIBRARY = str(Path(inspect.__file__).parent)


def file_of(name: str) -> Path | None:
    """The file that a strategy's name begins with; None for another kind of name."""
    place = _split(name)[0]
    return Path(place) if place.endswith(".py") else None


def _split(name: str) -> tuple[str, str]:
    """File or module, and what is wanted of it; a drive's colon (`C:/mine.py`) is no separator."""
    if name.endswith(".py"):
        return name, ""
    place, _, attribute = name.rpartition(":")
    return (place, attribute) if place else (name, "")


def load_strategy(name: str) -> StrategyFactory:
    """The factory that `name` means; `StrategyLoadError` if there is no such thing, `UnknownNameError` for a name that is in no registry."""
    place, attribute = _split(name)
    is_file = file_of(name) is not None
    if not attribute and not is_file:
        return find_strategy(name)
    try:
        module = _of_file(Path(place)) if is_file else import_module(place)
        factory: Any = module if attribute else _only_strategy(module, place)
        for part in attribute.split(".") if attribute else ():
            factory = _part_of(factory, part, name)
    except StrategyLoadError:
        raise
    except Exception as error:  # other people's code: whatever it raises is why
        raise StrategyLoadError(f"strategy {name!r} could not be loaded: {told(error)}") from error
    if not callable(factory):
        raise StrategyLoadError(f"strategy {name!r} could not be loaded: it is not callable, but {factory!r}")
    made: StrategyFactory = factory
    return made


def _part_of(thing: Any, part: str, name: str) -> Any:
    """What a module or class has by a name; the module that a file is has one of ours, which is not told."""
    if isinstance(thing, ModuleType) and (file := file_of(name)) is not None and not hasattr(thing, part):
        raise StrategyLoadError(f"strategy {name!r} could not be loaded: {file} has no {part}")
    return getattr(thing, part)


def name_of(factory: StrategyFactory) -> str:
    """A name by which another process finds a class or function; `StrategyLoadError` if there is none."""
    module, attribute = getattr(factory, "__module__", None), getattr(factory, "__qualname__", "")
    if module is None or not attribute.replace(".", "").isidentifier():
        raise StrategyLoadError(
            f"a strategy is a class or a function that another process can import by its name, not {factory!r}"
        )
    if module != "__main__":
        return f"{module}:{attribute}"
    file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None:
        raise StrategyLoadError(
            f"{attribute} was defined in a session that is no file, and another process cannot import it: "
            f"write it to a file, and name it 'file.py:{attribute}'"
        )
    return f"{Path(file).resolve()}:{attribute}"


def told(error: BaseException) -> str:
    """An error of a user's code in one line, with the last line of that code that led to it."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg}{_place(error.filename, error.lineno or 0)}"
    text = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    lines = [(at.tb_frame.f_code.co_filename, at.tb_lineno) for at in _frames(error)]
    # Of what they call (Python's library, numpy) the last line tells less than that of the file they wrote.
    theirs = [at for at in lines if not at[0].startswith((_OURS, _LIBRARY, "<frozen")) and "site-packages" not in at[0]]
    return f"{text}{_place(*theirs[-1])}" if theirs else text


def line_of_code(thing: Any) -> str:
    """Where a class or function is written, in brackets; nothing if that is not known."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(thing))
        _, line = inspect.getsourcelines(thing)
    except (TypeError, OSError):
        return ""
    return _place(file or "?", line)


def _place(file: str, line: int) -> str:
    path, here = Path(file), Path.cwd()
    name = path.relative_to(here) if path.is_relative_to(here) else path
    return f" ({name}, line {line})"


def _frames(error: BaseException) -> Iterator[Any]:
    at = error.__traceback__
    while at is not None:
        yield at
        at = at.tb_next


def _of_file(path: Path) -> ModuleType:
    """The module that a file is; beside it lie the modules that it may import."""
    if not path.is_file():
        raise StrategyLoadError(f"no file {str(path)!r} (make one: sapper strategy new {path.stem or 'mine'})")
    path = path.resolve()
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    spec = util.spec_from_file_location(f"{_FILE}{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses and pickles look for it there
    spec.loader.exec_module(module)
    return module


def _only_strategy(module: ModuleType, place: str) -> StrategyFactory:
    """The one class of a file that has a method `choose`."""
    own: list[Any] = [
        thing
        for thing in vars(module).values()
        if inspect.isclass(thing) and thing.__module__ == module.__name__ and callable(getattr(thing, "choose", None))
    ]
    if len(own) == 1:
        found: StrategyFactory = own[0]
        return found
    if not own:
        raise StrategyLoadError(f"{place} has no class with a method choose(self, board)")
    names = ", ".join(f"{place}:{one.__name__}" for one in own)
    raise StrategyLoadError(f"{place} has several strategies; name one: {names}")


_MADE: Final = (".pyc", ".so", ".pyd", ".dylib", ".dll")
"""Endings of files that are made from others, and differ between machines."""


# Which program a strategy's name means: its version, and the SHA-256 of its source.
#
# Nothing of it is run for that.
@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """The identity of a strategy."""

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
    top = (_split(name)[0] if point is None else point.module).partition(".")[0]
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
