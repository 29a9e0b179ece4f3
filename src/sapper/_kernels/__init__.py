"""The seam: every kernel, whichever backend serves it.

`reference` is the readable reference and needs nothing. No other module of sapper knows how many
backends there are; they import names from here.
"""

from sapper._kernels.large import cascade_plane, choose
from sapper._kernels.reference.analysis import DEFAULT_CAP, Analysed, analyse_plane, analyse_table, census_of
from sapper._kernels.reference.analysis import Component as AnalysedComponent
from sapper._kernels.reference.analysis import Group as AnalysedGroup
from sapper._kernels.reference.analysis import Partial as AnalysedPartial
from sapper._kernels.reference.cascade import cascade_table, changed_runs, merge_runs
from sapper._kernels.reference.layout import MINE_CLUE, clues_of_plane, clues_of_table, mine_map
from sapper._kernels.reference.measures import NO_OPENING, openings_of, values_of, zini_of
from sapper._kernels.reference.random import SEED_LIMIT, below, child_seed, next_word, sample, seed_state
from sapper._kernels.reference.random import VERSION as RANDOM_VERSION

__all__ = [
    "DEFAULT_CAP",
    "MINE_CLUE",
    "NO_OPENING",
    "RANDOM_VERSION",
    "SEED_LIMIT",
    "Analysed",
    "AnalysedComponent",
    "AnalysedGroup",
    "AnalysedPartial",
    "analyse_plane",
    "analyse_table",
    "below",
    "cascade_plane",
    "cascade_table",
    "census_of",
    "changed_runs",
    "child_seed",
    "choose",
    "clues_of_plane",
    "clues_of_table",
    "merge_runs",
    "mine_map",
    "next_word",
    "openings_of",
    "sample",
    "seed_state",
    "values_of",
    "zini_of",
]
