"""JSON Schemas of the values that the plain endpoints take and answer.

Knows: their fields.
Does not know: paths, errors.
"""

from typing import Any, Final

from sapper.core.preset import PRESETS
from sapper.core.rules import RULES, Start, Win
from sapper.core.status import Status
from sapper.web.http.limits import WebLimits

Schema = dict[str, Any]

INT: Final[Schema] = {"type": "integer"}
NUMBER: Final[Schema] = {"type": "number"}
SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
BOOL: Final[Schema] = {"type": "boolean"}
TEXT: Final[Schema] = {"type": "string"}


def ref(name: str) -> Schema:
    """The schema of that name."""
    return {"$ref": f"#/components/schemas/{name}"}


def text(description: str) -> Schema:
    """A text, and what it is."""
    return {"type": "string", "description": description}


def array(items: Schema, description: str = "") -> Schema:
    """A list of such values."""
    return {"type": "array", "items": items} | ({"description": description} if description else {})


def pair(*items: Schema) -> Schema:
    """A list of just these values."""
    return {"type": "array", "prefixItems": list(items), "minItems": len(items), "maxItems": len(items)}


def nullable(schema: Schema) -> Schema:
    """Such a value, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(values: Any) -> Schema:
    """One of these texts."""
    return {"type": "string", "enum": list(values)}


def object_of(optional: tuple[str, ...] = (), /, **fields: Schema) -> Schema:
    """An object with these fields, all there but the optional ones."""
    return {"type": "object", "properties": fields, "required": [name for name in fields if name not in optional]}


CELL: Final = pair(INT, INT) | {"description": "Column and row, from 0."}
CELLS: Final = array(CELL)
RUNS: Final = array(pair(INT, TEXT), "The first cell's index, and the tiles from there on.")
START: Final = one_of(start.value for start in Start)
CHANCES: Final = array(pair(INT, INT, SHARE), "Column, row, chance.")
TIME: Final = nullable({**NUMBER, "description": "Milliseconds."})

_RULES: Final = object_of(
    name=TEXT, win=one_of(win.value for win in Win), start=START, chording=BOOL, question_marks=BOOL,
    cascade_clears_flags=BOOL, click_reveals_flagged=BOOL,
)  # fmt: skip
_MARKS: Final = object_of(hints=INT, undone=INT, restarts=INT, pauses=INT, overlay=BOOL, seen=BOOL)
_STEP: Final = object_of(
    technique=TEXT, pattern=nullable(TEXT), why=TEXT, clues=CELLS, safe=CELLS, mined=CELLS, best=nullable(CELL),
    risk=nullable(SHARE),
)  # fmt: skip
_END: Final = object_of(
    status=TEXT, runs=RUNS, code=nullable(TEXT), seed=nullable(TEXT), bbbv=nullable(INT),
    solved_bbbv=nullable(INT), clicks=nullable(INT), effective_clicks=nullable(INT), efficiency=nullable(NUMBER),
    bbbv_per_second=nullable(NUMBER), played=nullable(INT), won=nullable(INT), best=nullable(BOOL),
)  # fmt: skip
_REVIEW: Final = object_of(
    safe=CELLS, mined=CELLS, risk=nullable(SHARE), least=nullable(SHARE), forced=nullable(BOOL)
)  # fmt: skip
_NUMBERS: Final[dict[str, Schema]] = {
    **dict.fromkeys(("played", "won", "lost", "terminated", "unfinished"), INT),
    **dict.fromkeys(("rate", "low", "high"), nullable(SHARE)),
    **dict.fromkeys(("best", "median"), TIME),
    **dict.fromkeys(("bbbv_per_second", "efficiency"), nullable(NUMBER)),
}
_STATISTICS: Final = object_of(
    total=object_of(**_NUMBERS),
    kinds=array(
        object_of(
            title=TEXT, preset=nullable(TEXT), width=INT, height=INT, mines=INT, start=START, no_guess=BOOL, **_NUMBERS
        )
    ),
    kind_count=INT,
    streak=INT,
    best_streak=INT,
    over_time=array(
        object_of(begin=INT, played=INT, won=INT, low=nullable(SHARE), high=nullable(SHARE), mean=TIME)
    ),
    times=object_of(width=INT, counts=array(pair(INT, INT))),
    wins=array(pair(INT, INT, BOOL)),
    calibration=array(
        object_of(low=SHARE, high=SHARE, moves=INT, exploded=INT, claimed=SHARE, least=SHARE, most=SHARE)
    ),
)  # fmt: skip

NAMED: Final[dict[str, Schema]] = {
    "Error": object_of(error=object_of(code=TEXT, message=TEXT)),
    "Board": object_of(
        ("mines",), board=text("A board text: a line a row."), mines={"type": ["integer", "null"], "minimum": 0}
    ),
    "Rules": _RULES,
    "Marks": _MARKS,
    "End": _END,
    "Review": _REVIEW,
    "State": object_of(
        ("end", "review"),
        type={"const": "state"}, game=TEXT, title=TEXT, preset=nullable(TEXT), rules=ref("Rules"), no_guess=BOOL,
        width=INT, height=INT, mines=INT, board=array(TEXT, "A text a row."), number=INT,
        status=one_of(status.value for status in Status), time=INT, running=BOOL, paused=BOOL, flags=INT, can_undo=BOOL,
        can_redo=BOOL, marks=ref("Marks"), overlay=BOOL, end=ref("End"), review=ref("Review"),
    ),
    "OpenGame": object_of(
        game=TEXT, title=TEXT, preset=nullable(TEXT), width=INT, height=INT, mines=INT, no_guess=BOOL, status=TEXT,
        time=INT, flags=INT, covered=INT, paused=BOOL, saved=INT,
    ),
    "Hint": object_of(
        ("id",), type={"const": "hint"}, steps=array(_STEP), may_guess=nullable(BOOL), number=INT, id=INT
    ),
    "Chances": object_of(("id",), type={"const": "chances"}, chances=nullable(CHANCES), number=INT, id=INT),
    "Analysis": object_of(
        width=INT, height=INT, mines=INT, chances=nullable(CHANCES), safe=CELLS, mined=CELLS, may_guess=nullable(BOOL),
        best=nullable(CELL),
    ),
    "Presets": object_of(
        presets=array(object_of(name=TEXT, rules=ref("Rules"), width=INT, height=INT, mines=array(INT))),
        limits=object_of(width=pair(INT, INT), height=pair(INT, INT), cells=INT, no_guess_cells=INT),
        defaults=object_of(preset=TEXT, palette=TEXT, theme=TEXT, keys=ref("Keys")),
    ),
    "Keys": {"type": "object", "additionalProperties": array(TEXT)},
    "Look": object_of(keys=ref("Keys"), palette=TEXT, theme=TEXT),
    "Statistics": _STATISTICS,
}  # fmt: skip
"""Schemas by name; that of a new game depends on the server's limits."""


def new_game(limits: WebLimits) -> Schema:
    """What a new game is asked for with."""
    side = {"type": ["integer", "null"], "minimum": 1, "maximum": limits.cells}
    return {
        "type": "object",
        "additionalProperties": False,
        "description": f"All of it optional; a board has at most {limits.cells} cells. `code` stands alone.",
        "properties": {
            "preset": {**nullable(one_of(PRESETS)), "default": "beginner"},
            "rules": nullable(one_of(RULES)),
            "width": side,
            "height": side,
            "mines": {"type": ["integer", "null"], "minimum": 0, "maximum": limits.cells},
            "start": nullable(START),
            **dict.fromkeys(("chording", "question_marks", "no_guess"), nullable(BOOL)),
            "seed": nullable({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 2**64 - 1}, {"type": "string", "pattern": r"^\d{1,20}$"}]}),
            "code": {"type": ["string", "null"]},
        },
    }  # fmt: skip
