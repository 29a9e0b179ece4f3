/* The guess of `best-reply`: `solver.strategies.best_reply` defines it.

   Best reply: a guess is worth what the answer will allow. For each number that a cell can show, the board with that number is
   analysed: its share of the layouts is the chance of the answer. Where no cell is safe then, what follows is worth s, most of the
   best next safety and some of the second best. Each cell that is safe then makes the next guess less likely: with k of them it
   is worth 1 - (1 - s) * decay^k. The sum over the answers is the value of the guess. It is at most the guess's own safety, so
   guesses are tried from the safest down, and left as soon as they cannot reach the best.

   With `influence`, a guess is worth more where it may be forced later (`influence.h`): its value, and the safety by which guesses
   are listed, grow by the share of the layouts in which it is safe and forced.

   As long as no zero is revealed, a zero is worth 1, and any other answer less than it would be later (`opening`).

   Boards have no flags. */
#ifndef SAPPER_GUESSES_H
#define SAPPER_GUESSES_H

#include "endgame.h"

/* What is done at a guess: `reference.guess_parts.GuessParts`. */
typedef struct {
    int32_t layouts, candidates, margin, sets, decay, opening, influence, rivals, playouts, milliseconds;
} sapper_parts;

enum { MOST_STATES = 200000 }; /* of a board; one that takes more is left to Python, whose limit is higher */

/* Work is counted rather than timed, so that it is the same on every machine: a state of an analysis is one unit. An analysis takes as
   long as 64 more on Expert (4, and one for each eight cells), a set of layouts that is looked at as 20 (fitted to 240 decisions on
   Expert, correlation 0.98). */
enum { WORK_A_MICROSECOND = 16, WORK_AN_ANALYSIS = 4, CELLS_A_UNIT = 8, WORK_A_SET = 20 };

/* Memory of one player, and what is known of the board at hand. */
struct desk {
    const sapper_grid *grid;
    sapper_parts parts;
    int32_t mines; /* of the whole board */
    sapper_analyser *analyser;
    sapper_endgame *endgame;
    uint8_t *mark, *after; /* of the board; of a board that it may become, single clues only */
    double *chance, *influence;
    double *square; /* scratch of `influence`, and the values of candidates */
    sapper_found found;
    int32_t *candidates; /* cells, the safest first */
    int64_t *rank;       /* in what order */
    uint8_t *near;       /* of each cell: 1 beside a clue, 2 beside one that is, else 0 */
    int64_t work;        /* done so far: analyses and searches, in units of WORK_A_MICROSECOND */
    void *memory;
};

/* Makes the memory; false if there is not enough. The grid has been checked, and the desk is all zeros. */
bool sapper_desk_make(struct desk *desk, const sapper_grid *grid, const sapper_parts *parts);
void sapper_desk_free(struct desk *desk);

/* Analyses the board at hand, `desk->mines` in all: a status. */
int sapper_desk_read(struct desk *desk, const uint8_t *tiles);

/* --- of a board that was read, and has no safe cell --- */

/* The cell that wins most layouts where few are left, and the exact chance to win; -1 where there are too many, or the search
   takes too long. */
int32_t sapper_endgame_move(struct desk *desk, const uint8_t *tiles);
double sapper_endgame_share(struct desk *desk, const uint8_t *tiles);

/* Puts the guesses to look at into `candidates`, that of the greatest value first; how many there are, -1 where an analysis fails. */
int32_t sapper_rank_candidates(struct desk *desk, uint8_t *tiles);

/* The chance that a cell is safe and shows a clue; -1 where the analysis fails. The tiles are changed and restored. */
double sapper_clue_share(struct desk *desk, uint8_t *tiles, int32_t cell, uint8_t clue);

/* The guess where too many layouts are left to search, and the guess whatever is left; -1 where an analysis fails. */
int32_t sapper_choose_guess(struct desk *desk, uint8_t *tiles);
int32_t sapper_choose_best_reply(struct desk *desk, uint8_t *tiles);

#endif
