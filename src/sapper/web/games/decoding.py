"""From JSON to structs, with errors that say what is wrong and what would be right.

msgspec says where a value does not fit. What it should be is said here, in words that come from the struct: the description of a
field's type, or its kind and limits.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from sapper.errors import RequestError

Decoded = TypeVar("Decoded")

LARGEST_ID: Final = 2**53
"""Larger numbers are not the same in every language that reads JSON."""

type_info = cache(inspect.type_info)
"""What a type is made of. To find that out takes a thousand times as long as to read a message, and anybody can send wrong ones."""

_UNKNOWN = re.compile(r"unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"missing required field `(.*)`")
_PLACE = re.compile(r" - at `\$\.(\w+)")


def decode(
    decoder: "msgspec.json.Decoder[Decoded]", content: str | bytes, *, what: str, example: str, code: str
) -> Decoded:
    """The value of a JSON text, which is checked. `RequestError` of that code for anything else, with the text's `id` if it has one.

    `what` is the thing asked for, in words, and `example` one of them.
    """
    try:
        return decoder.decode(content)
    except msgspec.ValidationError as error:
        raise _explain(error, decoder.type, content, what=what, example=example, code=code) from None
    except (ValueError, RecursionError):  # text that is no UTF-8 is a ValueError of Python's
        raise RequestError(code, f"{what} is one JSON object in UTF-8, as {example}") from None


def convert(kind: type[Decoded], values: Mapping[str, str], *, what: str, code: str) -> Decoded:
    """The value that texts by name say, as a query has them; `RequestError` of that code for anything else."""
    try:
        return msgspec.convert(dict(values), kind, strict=False)
    except msgspec.ValidationError as error:
        any_kind: Any = kind
        raise RequestError(code, _reason(str(error), type_info(any_kind), dict(values), what)) from None


def _explain(
    error: msgspec.ValidationError, kind: Any, content: str | bytes, *, what: str, example: str, code: str
) -> RequestError:
    """What is wrong, looked for in the text once more: this need not be quick."""
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):  # read in part only: something did not fit before the end
        return RequestError(code, f"{what} is one JSON object in UTF-8, as {example}")
    if not isinstance(values, dict):
        return RequestError(code, f"{what} is an object, as {example}")
    number = values.get("id")
    is_id = type(number) is int and abs(number) <= LARGEST_ID
    reason = _reason(str(error), type_info(kind), values, what)
    return RequestError(code, reason, number=number if is_id else None)


def _reason(error: str, kind: inspect.Type, values: dict[str, Any], what: str) -> str:
    structs = list(kind.types) if isinstance(kind, inspect.UnionType) else [kind]
    known = {one.tag: one for one in structs if isinstance(one, inspect.StructType)}
    tag_field = next((one.tag_field for one in known.values()), None)
    tag = None if tag_field is None else values.get(tag_field)
    found = known.get(tag if isinstance(tag, str) else None)
    if found is None:
        return f"{tag_field} is one of {', '.join(sorted(map(str, known)))}, not {shown(tag)}"
    fields = {field.encode_name: field for field in found.fields}
    name = what if found.tag is None else f"{found.tag!r}"
    if unknown := _UNKNOWN.search(error):
        its = ", ".join(fields)
        return f"{name} has no {shown(unknown[1])}; it has {its}"
    at = _MISSING.search(error) or _PLACE.search(error)
    field = fields.get(at[1]) if at else None
    if field is None:
        return error
    return f"{field.encode_name} is {words(field.type)}, not {shown(values.get(field.encode_name))}"


def words(kind: inspect.Type) -> str:
    """What a value of that type is, for people.

    >>> words(inspect.type_info(bool)), words(inspect.type_info(int | None))
    ('true or false', 'a whole number')
    """
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str() as description}):
            return description
        case inspect.Metadata():
            return words(kind.type)
        case inspect.UnionType():
            return " or ".join(words(one) for one in kind.types if not isinstance(one, inspect.NoneType))
        case inspect.BoolType():
            return "true or false"
        case inspect.EnumType():
            return f"one of {', '.join(str(one.value) for one in kind.cls)}"
        case inspect.LiteralType():
            return f"one of {', '.join(map(str, kind.values))}"
        case inspect.IntType() if kind.le is not None:
            return f"a whole number from {kind.ge or 0} to {kind.le}"
        case inspect.IntType():
            return "a whole number" if kind.ge is None else f"a whole number, {kind.ge} or more"
        case inspect.StrType():
            return "a text" if kind.max_length is None else f"a text of at most {kind.max_length} characters"
        case _:
            return "something else"


def shown(value: object) -> str:
    """A value as it came, but for its length."""
    try:
        text = json.dumps(value)
    except RecursionError:  # it could be read, one call further up
        return "that"
    return text if len(text) <= 40 else text[:37] + "…"
