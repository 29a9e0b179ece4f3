/* Whole games on small boards: in how many layouts best play wins.

   A grid has at most 64 cells here. A layout is a 64-bit mask of mines, and all that a player can know is a set of layouts. */
#ifndef SAPPER_EXACT_VALUE_H
#define SAPPER_EXACT_VALUE_H

#include "sapper.h"

enum { SAPPER_MOST_WHOLE = 1 << 24 }; /* layouts of a board */

/* What was found of one board's sets, and memory to find more. */
typedef struct sapper_exact sapper_exact;

/* For the layouts of `mines` mines on a grid that has been checked and stays where it is. `symmetries` has `count` (1 to 8)
   permutations of its cells under which neighbours stay neighbours, the identity among them. The table gets 2^`bits` (8 to 32)
   entries of 24 bytes, the lists 136 bytes a layout. NULL if there is not enough memory, the grid has more than 64 cells, there
   are not 1 to size - 1 mines, there are more than SAPPER_MOST_WHOLE layouts, or a number is out of its range. */
SAPPER_API sapper_exact *sapper_exact_new(
    const sapper_grid *grid, int32_t mines, const int32_t *symmetries, int32_t count, int32_t bits);

SAPPER_API void sapper_exact_free(sapper_exact *exact);

/* Of the layouts in which `first` is no mine (with `open`: shows a zero), how many best play wins after revealing it: exact if
   that is at least `goal`, else an upper bound. SAPPER_BAD if `first` is no cell, SAPPER_MEMORY if more than `sets` sets of layouts had to be looked at,
   the lists are full, or another thread has set *stop. `looked_at` gets how many were. */
SAPPER_API int64_t sapper_exact_wins(
    sapper_exact *exact, int32_t first, int32_t open, int64_t goal, int64_t sets, const uint8_t *stop, int64_t *looked_at);

#endif
