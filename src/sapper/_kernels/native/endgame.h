/* The exact chance to win where few layouts are left, and the moves that win most.

   `mark` has, for each cell of a board, SAFE or MINED where that is certain (trusted flags are MINED), else UNKNOWN. A place is a
   covered cell that is not certainly mined; those that are certainly safe come too, since what they show tells layouts apart. */
#ifndef SAPPER_ENDGAME_H
#define SAPPER_ENDGAME_H

#include "analysis.h"

/* Memory for searches, made once and used for many. */
typedef struct sapper_endgame sapper_endgame;

/* Memory for boards of a grid with at most so many places and layouts, and for searches of `sets` sets of layouts; NULL if
   there is not enough, or a number is not at least 1 (`sets`: 0). The grid has been checked, and has to stay where it is. */
SAPPER_API sapper_endgame *sapper_endgame_new(const sapper_grid *grid, int32_t places, int32_t layouts, int64_t sets);

SAPPER_API void sapper_endgame_free(sapper_endgame *endgame);

/* From now on listing ends as if it took too long, and a search as if its sets were used up, once another thread has set *stop. */
SAPPER_API void sapper_endgame_heed(sapper_endgame *endgame, const uint8_t *stop);

/* Lists the layouts of a board, `most` at the most; how many there are, or -1 if there is no room for them or that takes too
   long. `mines`: of the whole board. Tiles and marks are in range. */
SAPPER_API int32_t sapper_endgame_list(
    sapper_endgame *endgame, const uint8_t *tiles, const uint8_t *mark, int32_t mines, int32_t most);

/* Searches what was listed, at least one layout: the place that wins most of them, the lowest of those, or its complement if
   more than `sets` sets would have to be looked at. -1 if every cell is mined. With `every`, the chance of every place is
   found, not of the best alone. */
SAPPER_API int32_t sapper_endgame_search(sapper_endgame *endgame, int64_t sets, int32_t every);

/* Of the search: how many places there are; for each (the arrays have room for `places` as in sapper_endgame_new) its cell, in how
   many of the layouts it is safe, and between how many of them revealing it wins. `looked_at`: how many sets were. */
SAPPER_API int32_t sapper_endgame_places(
    const sapper_endgame *endgame, int32_t *cells, int32_t *safe, int32_t *low, int32_t *high, int64_t *looked_at);

/* --- for the other files --- */

/* The cell of a place, and how many layouts revealing it wins at least. */
int32_t sapper_endgame_cell(const sapper_endgame *endgame, int32_t place);
int32_t sapper_endgame_wins(const sapper_endgame *endgame, int32_t place);

/* How many sets of layouts the search looked at. */
int64_t sapper_endgame_sets(const sapper_endgame *endgame);

#endif
