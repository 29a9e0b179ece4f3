"""The seam: every kernel, whichever backend serves it.

`reference` is the readable reference and needs nothing. No other module of sapper knows how many
backends there are; they import names from here.
"""

from sapper._kernels.large import cascade_plane, choose
from sapper._kernels.reference.analysis import (
    DEFAULT_CAP,
    Analysed,
    Component as AnalysedComponent,
    GivenBoard,
    Group as AnalysedGroup,
    Partial as AnalysedPartial,
    analyse_given,
    analyse_or_none,
    analyse_table,
)
from sapper._kernels.reference.cascade import cascade_table, changed_runs, merge_runs
from sapper._kernels.reference.layout import MINE_CLUE, clues_of_plane, clues_of_table, mine_map
from sapper._kernels.reference.measures import NO_OPENING, openings_of, values_of, zini_of
from sapper._kernels.reference.random import (
    SEED_LIMIT,
    VERSION as RANDOM_VERSION,
    below,
    child_seed,
    next_word,
    sample,
    seed_state,
)
