/* Many games that are played a reveal at a time, all in one call: `reference.stepping`, which says what each buffer means.

   The cost is that of the cells which are looked at: a game is covered when it begins, laid at its first reveal, and afterwards
   only the cells that open are touched. */
#ifndef SAPPER_STEPPING_H
#define SAPPER_STEPPING_H

#include "layouts.h"

enum { SAPPER_NEXT_STEP = 1, SAPPER_SAME_STEP = 2 }; /* when a game that has ended gives way to the next; else it does not */
enum { SAPPER_WON = 1, SAPPER_LOST = 2, SAPPER_TRUNCATED = 4, SAPPER_RESET = 8, SAPPER_ILLEGAL = 16 }; /* bits of `outcome` */
enum { SAPPER_FRESH, SAPPER_RUNNING, SAPPER_OVER };                                                    /* of `stage` */

/* The games of a batch. Buffers have an item a game, or a byte for each cell of each. */
typedef struct {
    const sapper_grid *grid;
    const sapper_grid *opening; /* the cells that a zero opens: the same, or those that share an edge */
    int32_t mines;
    int32_t start;
    int32_t games;
    int32_t autoreset;
    int32_t limit; /* steps after which a game is cut off; 0: never */
    const uint64_t *seeds;
    int64_t *numbers;
    uint8_t *tiles;
    uint8_t *mask;
    uint8_t *final; /* for SAPPER_SAME_STEP only */
    int32_t *opened;
    uint8_t *outcome;
    int32_t *revealed;
    int32_t *steps;
    uint8_t *clues;
    uint8_t *stage;
    int32_t *order;  /* scratch, a number a cell */
    uint8_t *mapped; /* scratch, a byte a cell */
} sapper_batch;

/* Reveals one cell in every game. 0, or SAPPER_BAD, with nothing done, where a cell is not on the board or the batch's own
   numbers are out of range. The grids have been checked. */
SAPPER_API int64_t sapper_step_games(const sapper_batch *batch, const int64_t *actions);

/* Begins the next game of its run where `which` is not 0. */
SAPPER_API void sapper_begin_games(const sapper_batch *batch, const uint8_t *which);

#endif
