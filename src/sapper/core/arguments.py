"""Values that the library is called with: of a type that cannot be, it says what would be right."""

from sapper.errors import ArgumentError

_RIGHT = {
    "Board": "a Board, as read_board and Game.board give it",
    "Grid": "a Grid, as Grid(9, 9)",
    "Layout": "a Layout, as place_mines and read_board_list give it",
    "Preset": "the name of a preset or a Preset",
    "Record": "a Record, as Record.from_json and unpack_record give it",
    "Rng": "an Rng, as Rng(7)",
    "int": "an integer",
    "str": "text",
}


def check_type(name: str, value: object, kind: type) -> None:
    """`ArgumentError`, a `TypeError`, unless the argument `name` is of this kind."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} is {_RIGHT.get(kind.__name__, kind.__name__)}, not {value!r:.60}")
