"""The functions of the native library and their types, as its headers (`native/*.h`) declare them; a test compares them.

Every pointer is a `POINTER`, which takes an address, bytes or an array of ctypes.
"""

from ctypes import Structure, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import Any

POINTER = c_void_p
I32 = c_int32
I64 = c_int64
U64 = c_uint64
F64 = c_double


STRUCTURES: dict[str, Any] = {}
"""By the name that the headers have."""


def _structure(name: str, **fields: Any) -> Any:
    """A class of ctypes, its fields in this order."""
    STRUCTURES[name] = type(name, (Structure,), {"_fields_": tuple(fields.items())})
    return STRUCTURES[name]


GRID = _structure("sapper_grid", size=I32, width=I32, starts=POINTER, cells=POINTER)
PARTS = _structure(
    "sapper_parts", layouts=I32, candidates=I32, margin=I32, sets=I32, decay=I32, opening=I32, influence=I32,
    rivals=I32, playouts=I32, milliseconds=I32,
)  # fmt: skip
DECISION = _structure(
    "sapper_decision", candidates=I32, left=I32, usual=I32, opinions=I32, used=I32, layouts=I32, most_layouts=I32,
    cell=POINTER, is_left=POINTER, score=POINTER, error=POINTER, share=POINTER, mean=POINTER, value=POINTER, answer=POINTER,
    mapped=POINTER, words=POINTER, kept=POINTER, kept_size=I64,
)  # fmt: skip
SERIES = _structure("sapper_series", strategy=I32, start=I32, first=I32, counts=I32, mines=POINTER, seed=U64)
BATCH_OF_GAMES = _structure(
    "sapper_batch", grid=POINTER, opening=POINTER, mines=I32, start=I32, games=I32, autoreset=I32, limit=I32,
    seeds=POINTER, numbers=POINTER, tiles=POINTER, mask=POINTER, final=POINTER, opened=POINTER, outcome=POINTER,
    revealed=POINTER, steps=POINTER, clues=POINTER, stage=POINTER, order=POINTER, mapped=POINTER,
)  # fmt: skip
PROOF = _structure(
    "sapper_proof", grid=POINTER, edges=POINTER, columns=I32, wraps=I32, first=I32, hardest=I32, mines=I32, revealed=I32,
    mined=I32, clues=POINTER, tiles=POINTER, is_mined=POINTER, scratch=POINTER,
)  # fmt: skip
SPEC = _structure(
    "sapper_spec", mines=I32, start=I32, first=I32, logic=I32, least_bbbv=I32, most_bbbv=I32, least_openings=I32,
    most_openings=I32, seed=U64,
)  # fmt: skip
SEARCHED = _structure("sapper_searched", tried=I64, measured=I64, furthest=I32, status=I32)

FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "sapper_sources": (c_char_p, ()),
    "sapper_runs_here": (I32, ()),
    "sapper_grid_check": (I64, (POINTER, I64)),
    # analysis.h
    "sapper_analyser_new": (POINTER, (POINTER, I64)),
    "sapper_analyser_free": (None, (POINTER,)),
    "sapper_smallest_region": (F64, (POINTER, POINTER, POINTER, I32, I32, I32)),
    "sapper_analyse": (I32, (POINTER, I32, POINTER, POINTER, I32, I32, *(POINTER,) * 5)),
    # exact_value.h
    "sapper_exact_new": (POINTER, (POINTER, I32, POINTER, I32, I32)),
    "sapper_exact_free": (None, (POINTER,)),
    "sapper_exact_wins": (I64, (POINTER, I32, I32, I64, I64, POINTER, POINTER)),
    # endgame.h
    "sapper_endgame_new": (POINTER, (POINTER, I32, I32, I64)),
    "sapper_endgame_free": (None, (POINTER,)),
    "sapper_endgame_heed": (None, (POINTER, POINTER)),
    "sapper_endgame_list": (I32, (POINTER, POINTER, POINTER, I32, I32)),
    "sapper_endgame_search": (I32, (POINTER, I64, I32)),
    "sapper_endgame_places": (I32, (POINTER, POINTER, POINTER, POINTER, POINTER, POINTER)),
    # games.h
    "sapper_series_check": (I64, (POINTER, POINTER)),
    "sapper_player_new": (POINTER, (POINTER, POINTER, POINTER)),
    "sapper_player_free": (None, (POINTER,)),
    "sapper_play": (I64, (POINTER, U64, I64, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER)),
    # layouts.h
    "sapper_choose": (I64, (POINTER, I64, I64, POINTER)),
    "sapper_cascade": (I64, (I64, I64, I64, I64, POINTER, POINTER, I64, POINTER, POINTER)),
    "sapper_draw_many": (I64, (POINTER, I64, I64, I64, U64, U64, I64, POINTER)),
    # measures.h
    "sapper_measure_many": (I64, (POINTER, I64, POINTER, I64, I32, POINTER)),
    # prove.h
    "sapper_proof_room": (I64, (POINTER,)),
    "sapper_proof_begin": (I64, (POINTER, POINTER)),
    "sapper_proof_go_on": (I64, (POINTER, POINTER, I64)),
    "sapper_proof_conclude": (I64, (POINTER, POINTER, I64, I64)),
    # playouts.h
    "sapper_decider_new": (POINTER, (POINTER, POINTER, POINTER, I32, POINTER)),
    "sapper_decider_free": (None, (POINTER,)),
    "sapper_decider_decision": (POINTER, (POINTER,)),
    "sapper_decider_begin": (I32, (POINTER, POINTER, I32)),
    "sapper_decider_compare": (I32, (POINTER, POINTER, I32, POINTER, I32)),
    "sapper_decider_add_together": (I32, (POINTER, POINTER, I32, F64)),
    "sapper_decider_play": (I32, (POINTER, I32)),
    "sapper_decider_weigh": (I32, (POINTER, I32)),
    "sapper_decider_error": (F64, (POINTER, I32, I32)),
    "sapper_decider_settle": (I32, (POINTER, I32)),
    "sapper_decider_draw": (I32, (POINTER,)),
    # search.h
    "sapper_searcher_new": (POINTER, (POINTER, POINTER)),
    "sapper_searcher_free": (None, (POINTER,)),
    "sapper_search": (None, (POINTER, U64, I64, POINTER, POINTER)),
    "sapper_play_out": (I32, (POINTER, POINTER, POINTER, POINTER)),
    # stepping.h
    "sapper_step_games": (I64, (POINTER, POINTER)),
    "sapper_begin_games": (None, (POINTER, POINTER)),
}
"""Result type and argument types of each function."""
