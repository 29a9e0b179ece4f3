/* Whole games: a game is given by the run's seed and its number. With that child of the run's seed, the layout is drawn from
   child 0 of it, the mine count from child 1 if there is a choice, and the strategy's random numbers come from child 2. That is
   what `generator.new_game` and `simulate` do. A game is won when all safe cells are revealed; nothing is ever flagged. */
#ifndef SAPPER_GAMES_H
#define SAPPER_GAMES_H

#include "guesses.h"

enum { SAPPER_RANDOM, SAPPER_SINGLE, SAPPER_SUBSET, SAPPER_LEAST_RISK, SAPPER_BEST_REPLY }; /* strategies */

/* Games that differ in their number only. */
typedef struct {
    int32_t strategy;
    int32_t start;        /* the start rule */
    int32_t first;        /* the cell that is revealed first */
    int32_t counts;       /* how many mine counts there are to draw from, at least one */
    const int32_t *mines; /* the mine counts */
    uint64_t seed;        /* of the run */
} sapper_series;

/* How one game ended. */
typedef struct {
    int32_t ending; /* 0 lost, 1 won, 2 it is to be played by Python: a board was too hard */
    int32_t moves;
    int32_t guesses;
    int32_t revealed; /* cells, the exploded mine not counted */
} sapper_ended;

/* Plays the games of one series, for one thread at a time. */
typedef struct sapper_player sapper_player;

/* 0 if the numbers of a series are in range, else SAPPER_BAD. */
SAPPER_API int64_t sapper_series_check(const sapper_grid *grid, const sapper_series *series);

/* A player, or NULL if there is not enough memory or the series is none. The grid has been checked; it and the mine counts have
   to stay where they are. `parts` are for SAPPER_BEST_REPLY. */
SAPPER_API sapper_player *sapper_player_new(
    const sapper_grid *grid, const sapper_series *series, const sapper_parts *parts);

SAPPER_API void sapper_player_free(sapper_player *player);

/* Plays games begin to begin + games - 1, or those before *stop is not 0; how many, or SAPPER_BAD. `ended` gets each one's end.
   `given`: their layouts, a byte a cell, not 0 at a mine, with the cell that each game reveals first in `firsts`; both NULL: the
   layouts are drawn. `moves` gets the cells that moves reveal, `maps` the layouts (1 at a mine): `size` for each game; or NULL. */
SAPPER_API int64_t sapper_play(
    sapper_player *player, uint64_t begin, int64_t games, const uint8_t *given, const int32_t *firsts, sapper_ended *ended,
    int32_t *moves, uint8_t *maps, const uint8_t *stop);

#endif
