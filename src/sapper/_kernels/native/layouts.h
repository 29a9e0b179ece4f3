/* From a seed to mines and clues, and what opens when a cell is revealed: `reference.layout`, `reference.search.draw_mines`
   and `reference.cascade`, for boards without flags.

   A mine map has a byte a cell, not 0 at a mine. Clues are 0 to 8, and SAPPER_MINE at a mine. */
#ifndef SAPPER_LAYOUTS_H
#define SAPPER_LAYOUTS_H

#include "random.h"

enum { SAPPER_MINE = 9 };                                             /* in place of a clue */
enum { SAPPER_START_ANY, SAPPER_START_SAFE, SAPPER_START_OPEN };      /* start rules, as in `core.rules.Start` */

static inline int32_t sapper_degree(const sapper_grid *grid, int32_t cell) {
    return grid->starts[cell + 1] - grid->starts[cell];
}

/* Whether a start rule, a first cell and a number of mines are in range, so that `sapper_draw_mines` may be called. */
bool sapper_can_draw(const sapper_grid *grid, int64_t mines, int64_t start, int64_t first);

/* Maps the mines of the layout that this seed gives. Where the start rule leaves no room for the mines, the nearest that does
   is taken: open, safe, any. */
void sapper_draw_mines(
    const sapper_grid *grid, int32_t mines, int32_t start, int32_t first, uint64_t seed, uint8_t *mapped);

/* Fills in the clues of a mine map; the number of mines. `listed`, scratch of a number a cell, gets where they are. */
int32_t sapper_count_clues(const sapper_grid *grid, const uint8_t *mapped, uint8_t *clues, int32_t *listed);

/* Reveals a covered cell that is no mine, and from every zero its neighbours, on a board without flags. The cells go into
   `opened` from `count` on, in the order in which they open; how many it has then. */
int32_t sapper_open(
    const sapper_grid *grid, const uint8_t *clues, uint8_t *tiles, int32_t cell, int32_t *opened, int32_t count);

/* `sapper_sample`; the generator goes on. 0, or SAPPER_BAD. */
SAPPER_API int64_t sapper_choose(sapper_rng *rng, int64_t population, int64_t count, uint8_t *chosen);

/* `reference.cascade.cascade_plane`: reveals a cell that is no mine, and on from every zero, on a rectangle whose tiles may be flags
   and question marks; `spread` is 8 or 4. `opened`: scratch, a number a cell. `span` gets the first of the cells that were opened and
   the one after the last. How many were opened, or SAPPER_BAD. */
SAPPER_API int64_t sapper_cascade(
    int64_t width, int64_t height, int64_t spread, int64_t clears_flags, const uint8_t *clues, uint8_t *tiles, int64_t cell,
    int32_t *opened, int32_t *span);

/* The mine maps of games begin to begin + count - 1 of a run, one after the other: the layout of a game is drawn from child 0 of
   the game's seed, which is a child of the run's. 0, or SAPPER_BAD. The grid has been checked. */
SAPPER_API int64_t sapper_draw_many(
    const sapper_grid *grid, int64_t mines, int64_t start, int64_t first, uint64_t seed, uint64_t begin, int64_t count,
    uint8_t *maps);

#endif
