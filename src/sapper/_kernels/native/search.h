/* Drawing, measuring and playing out many layouts: `reference.search`.

   A layout is played out from a first cell: all cells that are certain to be safe are revealed, again and again, until every safe
   cell is or none is certain. */
#ifndef SAPPER_SEARCH_H
#define SAPPER_SEARCH_H

#include "layouts.h"

enum { SAPPER_NO_LOGIC, SAPPER_BY_ONE_CLUE, SAPPER_BY_ANALYSIS };             /* how a layout is played out */
enum { SAPPER_STUCK, SAPPER_SOLVED, SAPPER_HARD, SAPPER_STRUCK };             /* how that ends; see `reference.search` */
enum { SAPPER_SEARCH_CAP = 100000 }; /* states of a board at most: what takes more is for the reference to settle */

/* What is searched for: layouts of so many mines, 3BV and openings, under a start rule, played out from `first`. */
typedef struct {
    int32_t mines;
    int32_t start;
    int32_t first;
    int32_t logic;
    int32_t least_bbbv;
    int32_t most_bbbv;
    int32_t least_openings;
    int32_t most_openings;
    uint64_t seed;
} sapper_spec;

/* What came of some tries. */
typedef struct {
    int64_t tried;
    int64_t measured; /* tries that had the wanted numbers */
    int32_t furthest; /* the most cells that were revealed before a guess was needed */
    int32_t status;   /* SOLVED or HARD of the last try, else STUCK */
} sapper_searched;

/* Searches; for one thread at a time. */
typedef struct sapper_searcher sapper_searcher;

/* A searcher, or NULL if there is not enough memory or a number is out of its range. The grid has been checked, and its table has
   to stay where it is. */
SAPPER_API sapper_searcher *sapper_searcher_new(const sapper_grid *grid, const sapper_spec *spec);

SAPPER_API void sapper_searcher_free(sapper_searcher *searcher);

/* Tries the layouts of children begin, begin + 1, … of the seed, `tries` at the most, up to the first that is solved or too hard;
   `mapped` gets the mine map of the last one. */
SAPPER_API void sapper_search(
    sapper_searcher *searcher, uint64_t begin, int64_t tries, sapper_searched *searched, uint8_t *mapped);

/* Plays the layout of a mine map out; how that ends. `tiles` gets what is seen then, `certain` 1 at the cells that are certain to
   be mines, 0 elsewhere. */
SAPPER_API int32_t sapper_play_out(sapper_searcher *searcher, const uint8_t *mapped, uint8_t *tiles, uint8_t *certain);

#endif
