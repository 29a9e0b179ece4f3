"""What messages and bodies look like, for others: JSON Schemas made from their structs, with the words of their docstrings.

The OpenAPI document takes them as they are; `scripts/web_messages.py` makes the tables of docs/web-protocol.md and the page's
`messages.d.ts` from them.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import msgspec

Schema = dict[str, Any]

PREFIX: Final = "#/components/schemas/"


def schemas_of(kinds: Iterable[Any]) -> dict[str, Schema]:
    """The schemas of these types, and of all that they are made of, by the names of their classes."""
    wanted = list(kinds)
    _, found = msgspec.json.schema_components(wanted, ref_template=PREFIX + "{name}")
    classes = {one.__name__: one for one in _classes(wanted)}
    for name, schema in found.items():
        schema.pop("title", None)
        if name not in classes:
            continue
        schema["description"] = prose(classes[name].__doc__)
        for field, words in field_words(classes[name]).items():
            if (about := schema.get("properties", {}).get(field)) is not None:
                schema["properties"][field] = {**about, "description": words}
    return found


def prose(text: str | None) -> str:
    """A docstring as one line."""
    return " ".join((text or "").split())


@cache
def field_words(kind: type) -> dict[str, str]:
    """What each field of a class means: the text below it in the source. Inherited fields come first, as in the class."""
    words: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("sapper."):
            continue
        (found,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(found, ast.ClassDef)
        for field, text in zip(found.body, found.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            ):
                words[field.target.id] = prose(str(text.value.value))
    return words


def _classes(kinds: Iterable[Any]) -> set[type]:
    """The classes with fields that types are made of."""
    found: set[type] = set()

    def visit(kind: msgspec.inspect.Type) -> None:
        match kind:
            case msgspec.inspect.StructType() | msgspec.inspect.DataclassType():
                if kind.cls not in found:
                    found.add(kind.cls)
                    for field in kind.fields:
                        visit(field.type)
            case msgspec.inspect.EnumType():
                found.add(kind.cls)
            case msgspec.inspect.UnionType():
                for one in kind.types:
                    visit(one)
            case msgspec.inspect.TupleType():
                for one in kind.item_types:
                    visit(one)
            case msgspec.inspect.ListType():
                visit(kind.item_type)
            case msgspec.inspect.DictType():
                visit(kind.value_type)
            case msgspec.inspect.Metadata():
                visit(kind.type)
            case _:
                pass

    for kind in msgspec.inspect.multi_type_info(kinds):
        visit(kind)
    return found
