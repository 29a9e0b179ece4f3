/* The numbers of layouts, 3BV, openings, islands and ZiNi: `reference.measures` says what they mean. */
#ifndef SAPPER_MEASURES_H
#define SAPPER_MEASURES_H

#include "layouts.h"

enum { SAPPER_NUMBERS = 5 }; /* of a layout: 3BV, openings, islands, greedy ZiNi, human ZiNi */

/* How many connected sets the cells with a wanted byte make: openings are those of the clue 0. of[cell] becomes the set of such a cell,
   -1 elsewhere. `stack`: a number a cell. */
int32_t sapper_connected(const sapper_grid *grid, const uint8_t *bytes, uint8_t wanted, int32_t *of, int32_t *stack);

/* The number of clues that touch no opening; alone[cell] becomes 1 at these, 0 elsewhere. */
int32_t sapper_alone(const sapper_grid *grid, const uint8_t *clues, uint8_t *alone);

/* Measures `count` layouts given by their mine maps; `numbers` gets SAPPER_NUMBERS of each, the last two 0 unless with_zini.
   Cells are numbered in rows of `columns`; of equal premiums of ZiNi the first cell column by column is taken.
   0, SAPPER_BAD or SAPPER_MEMORY. The grid has been checked. */
SAPPER_API int64_t sapper_measure_many(
    const sapper_grid *grid, int64_t columns, const uint8_t *maps, int64_t count, int32_t with_zini, int32_t *numbers);

#endif
