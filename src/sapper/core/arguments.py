"""Values that the library is called with: of a type that cannot be, it says what would be right."""

from sapper.errors import ArgumentError, InvalidValueError

_RIGHT = {
    "Board": "a Board, as read_board and Game.board give it",
    "CellSet": "a CellSet, as CellSet.of([1, 2])",
    "Grid": "a Grid, as Grid(9, 9)",
    "Layout": "a Layout, as place_mines and read_board_list give it",
    "LayoutSpec": "a LayoutSpec, as LayoutSpec(grid=Grid(9, 9), mine_count=10)",
    "Move": "a Move, as Move.reveal(3)",
    "Preset": "the name of a preset or a Preset",
    "Record": "a Record, as Record.from_json and unpack_record give it",
    "Rng": "an Rng, as Rng(7)",
    "Rules": "rules, as find_rules and RULES give them",
    "Start": "a Start, as Start.SAFE",
    "Technique": "a Technique, as Technique.CASES",
    "Topology": "a Topology, as PLANE or TORUS",
    "bool": "True or False",
    "bytes": "bytes",
    "int": "an integer",
    "str": "text",
}


def check_type(name: str, value: object, kind: type) -> None:
    """`ArgumentError`, a `TypeError`, unless the argument `name` is of this kind."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} is {_RIGHT.get(kind.__name__, kind.__name__)}, not {value!r:.60}")


def check_number(name: str, value: object, *, least: int) -> None:
    """The same for an integer, and `InvalidValueError` for one below `least`."""
    check_type(name, value, int)
    if isinstance(value, int) and value < least:
        raise InvalidValueError(f"{name} is an integer from {least}, not {value}")
