#!/usr/bin/env python3
"""Writes what follows from the structs of the web game's messages: the page's types, and the document's tables and examples.

.venv/bin/python scripts/web_messages.py                   compare the document; exit code 1 where it differs
.venv/bin/python scripts/web_messages.py --write           write it anew, to be read as a diff
.venv/bin/python scripts/web_messages.py --declarations    write the page's types, which git ignores; scripts/javascript.sh does
"""

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the examples are played as tests play them

from sapper.session.events import Assistance  # noqa: E402
from sapper.web.games import bodies, played_bodies  # noqa: E402
from sapper.web.games.description import PREFIX, Schema, field_words, prose, schemas_of  # noqa: E402
from sapper.web.games.messages import (  # noqa: E402
    SOCKET_ERRORS,
    AnyServerMessage,
    GameNow,
    HintStep,
    PlayerMessage,
    PlayerRequest,
    RulesData,
    ServerMessage,
)
from sapper.web.games.social import bodies as social_bodies  # noqa: E402
from sapper.web.http.responses import HTTP_ERRORS  # noqa: E402
from tests.live_games import Seat  # noqa: E402

TYPES = ROOT / "src/sapper/web/static/messages.d.ts"
DOCUMENT = ROOT / "docs/web-protocol.md"

REQUESTS: tuple[type, ...] = get_args(PlayerMessage)
MESSAGES: tuple[type, ...] = get_args(AnyServerMessage)
PARTS = (RulesData, Assistance, HintStep)
"""Objects inside messages."""
BODIES: tuple[type, ...] = tuple(
    kind
    for module in (bodies, played_bodies, social_bodies)
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__
)
"""Of requests and answers, in the order of their source."""

HEAD = """\
// Made by scripts/web_messages.py from the structs of sapper.web.games.messages and bodies: change those, and not this.

"""
REGION = re.compile(r"(<!-- made by scripts/web_messages.py: (\w+) -->\n).*?(<!-- until here -->)", re.DOTALL)
EXCHANGE = re.compile(r"(?<=```exchange\n).*?(?=^```)", re.DOTALL | re.MULTILINE)
LATER = re.compile(r"([0-9]+) ms later")


# --- TypeScript ---------------------------------------------------------------------------------------


def types() -> str:
    """The declarations of all messages and bodies."""
    schemas = schemas_of([PlayerMessage, AnyServerMessage, *BODIES])
    parts = [_declaration(name, schema) for name, schema in schemas.items()]
    parts += [_union("PlayerMessage", "Everything that a player may say.", REQUESTS)]
    parts += [_union("ServerMessage", "Everything that the server may say.", MESSAGES)]
    return HEAD + "\n".join(parts)


def _declaration(name: str, schema: Schema) -> str:
    about = f"/** {schema['description']} */\n" if schema.get("description") else ""
    if "properties" not in schema:
        return f"{about}export type {name} = {_type_script(schema)};\n"
    lines = [f"{about}export interface {name} {{"]
    for field, one in schema["properties"].items():
        if words := one.get("description"):
            lines.append(f"  /** {words} */")
        lines.append(f"  {field}{'' if field in schema.get('required', ()) else '?'}: {_type_script(one)};")
    return "\n".join([*lines, "}"]) + "\n"


def _union(name: str, words: str, kinds: Iterable[type]) -> str:
    members = "".join(f"\n  | {kind.__name__}" for kind in kinds)
    return f"/** {words} */\nexport type {name} ={members};\n"


def _type_script(schema: Schema) -> str:
    match schema:
        case {"$ref": str() as name}:
            return name.removeprefix(PREFIX)
        case {"anyOf": list() as options}:
            return " | ".join(dict.fromkeys(_type_script(one) for one in options))
        case {"enum": list() as values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"prefixItems": list() as items}:
            return f"[{', '.join(map(_type_script, items))}]"
        case {"type": "array", "items": dict() as item}:
            inner = _type_script(item)
            return f"({inner})[]" if " " in inner and not inner.startswith("[") else f"{inner}[]"
        case {"type": "object", "additionalProperties": dict() as value}:
            return f"Record<string, {_type_script(value)}>"
        case _:
            names = {
                "integer": "number",
                "number": "number",
                "string": "string",
                "boolean": "boolean",
                "null": "null",
                "object": "object",
            }
            return names[schema["type"]]


# --- tables -------------------------------------------------------------------------------------------


def _verbs() -> str:
    rows = ["| `do` | besides `id` and `after` | |", "|---|---|---|"]
    for kind in REQUESTS:
        schema = schemas_of([kind])[kind.__name__]
        fields = [name for name in schema["properties"] if name not in ("do", "id", "after")]
        shown = ", ".join(f"`{name}`: {_words(schema['properties'][name], {})}" for name in fields)
        (verb,) = schema["properties"]["do"]["enum"]
        rows.append(f"| `{verb}` | {shown} | {prose(kind.__doc__)} |")
    return "\n".join(rows) + "\n"


def message_tables() -> str:
    """A table for each message of a socket, and for the objects in them; the documentation site shows them."""
    shared = [(f"Fields of `state` and `update`: {_lower(GameNow.__doc__)}", GameNow)]
    objects = [(f"The object `{name}`: {_lower(kind.__doc__)}", kind) for name, kind in _named(PARTS)]
    named = [(f"**`{_tag(kind)}`**: {_lower(kind.__doc__)}", kind) for kind in MESSAGES]
    return _tables([*named, *shared, *objects], skip={"id", "type"})


def bodies_tables() -> str:
    """A table for each body of a request or an answer; the documentation site shows them."""
    return _tables([(f"**`{kind.__name__}`**: {_lower(kind.__doc__)}", kind) for kind in BODIES], skip=set())


def _errors() -> str:
    rows = [f"| `{code}` | {words} |" for code, words in SOCKET_ERRORS.items()]
    return "\n".join(["| `code` | |", "|---|---|", *rows]) + "\n"


def _statuses() -> str:
    rows = [f"| {status} | `{code}` | {words} |" for code, (status, words) in HTTP_ERRORS.items()]
    return "\n".join(["| status | `code` | |", "|---|---|---|", *rows]) + "\n"


REGIONS: dict[str, Callable[[], str]] = {"verbs": _verbs, "errors": _errors, "statuses": _statuses}


def _named(kinds: Iterable[type]) -> list[tuple[str, type]]:
    names = {RulesData: "rules", Assistance: "assistance", HintStep: "step"}
    return [(names[kind], kind) for kind in kinds]


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # a struct


def _lower(text: str | None) -> str:
    words = prose(text)
    return words[:1].lower() + words[1:]


def _tables(kinds: Iterable[tuple[str, type]], *, skip: set[str]) -> str:
    """A table of its own fields for each; what several have is in the table of what they have it from."""
    schemas = schemas_of([AnyServerMessage, *BODIES, *PARTS, GameNow])
    parts = []
    for title, kind in kinds:
        own = [name for name in kind.__annotations__ if name not in skip]
        fields = [(name, schemas[kind.__name__]["properties"][name]) for name in own]
        rows = [
            f"| `{name}` | {_words(one, schemas)} | {field_words(kind).get(name, '')} |" for name, one in fields
        ]  # fmt: skip
        base = kind.__mro__[1]
        more = "" if base in (object, ServerMessage, PlayerRequest) or not field_words(base) else _more(base)
        table = "\n".join(["", "| | | |", "|---|---|---|", *rows, ""]) if rows else ""
        parts.append(f"{title}{more}\n{table}")
    return "\n".join(parts)


def _more(base: type) -> str:
    what = "that `state` and `update` share, below" if base is GameNow else f"of `{base.__name__}`"
    return f" It has the fields {what}, and these."


def _words(schema: Schema, schemas: dict[str, Schema]) -> str:
    match schema:
        case {"$ref": str() as name}:
            found = schemas.get(name.removeprefix(PREFIX), {})
            return _words(found, schemas) if "enum" in found else _object_name(name.removeprefix(PREFIX))
        case {"anyOf": list() as options}:
            return " or ".join(dict.fromkeys(_words(one, schemas) for one in options))
        case {"enum": list() as values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"prefixItems": list() as items}:
            return f"[{', '.join(_words(one, schemas) for one in items)}]"
        case {"type": "array", "items": dict() as item}:
            return f"list of {_words(item, schemas)}"
        case {"type": "object", "additionalProperties": dict() as value}:
            return f"object of {_words(value, schemas)}"
        case _:
            names = {
                "integer": "integer",
                "number": "number",
                "string": "text",
                "boolean": "boolean",
                "null": "null",
                "object": "object",
            }
            return names[schema["type"]]


def _object_name(name: str) -> str:
    tags = {kind.__name__: _tag(kind) for kind in MESSAGES}
    own = {kind.__name__: short for short, kind in _named(PARTS)}
    return f"`{tags.get(name) or own.get(name) or name}`"


# --- examples -----------------------------------------------------------------------------------------


def play_examples(text: str) -> str:
    """The document with what the server says in its examples: one game, from the first block to the last."""
    seat: Seat | None = None

    def play(block: "re.Match[str]") -> str:
        nonlocal seat
        lines: list[str] = []
        for line in block[0].splitlines():
            mark, _, rest = line.partition(" ")
            if mark == "<":
                continue
            lines.append(line)
            if line.startswith("POST /api/games "):
                seat = Seat(**json.loads(line.removeprefix("POST /api/games ")))
                lines.append(_said(seat.client.copy))
                continue
            assert seat is not None, f"a game is asked for first: {line}"
            if later := LATER.fullmatch(line):
                seat.clock.now += int(later[1])
                continue
            assert mark == ">", f"a line begins with > or <: {line}"
            begin = len(seat.client.heard)
            message = json.loads(rest)
            seat.client.do(message.pop("do"), **message)
            seat.services.work()
            lines += map(_said, seat.client.heard[begin:])
        return "".join(f"{line}\n" for line in lines)

    return EXCHANGE.sub(play, text)


def _said(message: Any) -> str:
    return f"< {json.dumps(message, ensure_ascii=False)}"


def document(text: str) -> str:
    """The document as it should be."""
    found = REGION.sub(lambda match: f"{match[1]}\n{REGIONS[match[2]]()}\n{match[3]}", text)
    return play_examples(found)


def main(arguments: list[str]) -> int:
    """Compare, or write."""
    if "--declarations" in arguments:
        TYPES.write_text(types(), encoding="utf-8")
        return 0
    before = DOCUMENT.read_text(encoding="utf-8")
    wanted = document(before)
    if before != wanted and "--write" in arguments:
        DOCUMENT.write_text(wanted, encoding="utf-8")
        print(f"written: {DOCUMENT.name}")
    elif before != wanted:
        print(f"differs: {DOCUMENT.name} (run scripts/web_messages.py --write)")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
