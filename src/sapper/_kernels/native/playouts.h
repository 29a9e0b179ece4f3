/* The guess of `second-opinion` and `playouts`: guesses compared by playing on. Layouts are drawn from all that fit, and `best-reply`
   plays each of them out after each guess.

   What is compared are opinions, the guess of `best-reply` and those of other heuristics, and of the other candidates as many as
   are wanted (`rivals`), those of the greatest value. Where there is one guess only, nothing is played.

   Playouts that come to the same board guess the same: such guesses are kept, which saves much of the time (the first answers are
   few). What is uncertain is lessened in five ways, and none of them changes what is expected. The same layouts are played after
   every guess. A playout ends where few layouts are left, with the exact chance to win. A guess on the way is always survived: its
   chance to be safe becomes a factor of the result, and where the layout has a mine there, the playout goes on with another that
   fits what is seen and has none. What a guess's answers are and how likely each is comes from the exact analysis, so that only
   what follows each answer is estimated: the mean of the playouts that had it. And guesses that are worse are given up, so that
   the others get more.

   Of the opinions the best one is taken; a rival only if it is better by more than chance would have it.

   A decision has a budget of playouts, and of work (`guesses.h`): slow boards get fewer layouts. */
#ifndef SAPPER_PLAYOUTS_H
#define SAPPER_PLAYOUTS_H

#include "guesses.h"

/* What is known of the decision at hand. The arrays have a row for each candidate. */
typedef struct {
    int32_t candidates;    /* guesses that are compared */
    int32_t left;          /* those that are left */
    int32_t usual;         /* which of them is that of `best-reply` */
    int32_t opinions;      /* how many come first that are somebody's guess */
    int32_t used;          /* playouts */
    int32_t layouts;       /* that every guess left has been played on */
    int32_t most_layouts;  /* the length of a row of `value` and `answer` */
    int32_t *cell;
    uint8_t *is_left;
    double *score;         /* the chance to win, as far as the playouts tell */
    double *error;         /* its standard error */
    double *share;         /* ten: the chance of each clue */
    double *mean;          /* ten: the values after each clue; 0 after a mine */
    double *value;         /* the chance to win after the guess, by layout */
    uint8_t *answer;       /* the clue that it showed, 9 for a mine */
    uint8_t *mapped;       /* the layout that was drawn last */
    uint64_t *words;       /* the random numbers' state */
    uint64_t *kept;        /* the boards whose guesses are kept */
    int64_t kept_size;
} sapper_decision;

/* Decides on boards of one grid, for one thread at a time. */
typedef struct sapper_decider sapper_decider;

/* A decider, or NULL if there is not enough memory. The grid has been checked, and has to stay where it is. `others`: the parts of
   so many other heuristics, which have to stay where they are; `played`: of who plays a layout out. */
SAPPER_API sapper_decider *sapper_decider_new(
    const sapper_grid *grid, const sapper_parts *parts, const sapper_parts *others, int32_t count, const sapper_parts *played);

SAPPER_API void sapper_decider_free(sapper_decider *decider);

SAPPER_API sapper_decision *sapper_decider_decision(sapper_decider *decider);

/* Begins: the cell to reveal, with `left` guesses to compare if there is doubt; -1 where the analysis fails, or the tiles are not
   all clues and covered cells. `mines`: of the whole board. */
SAPPER_API int32_t sapper_decider_begin(sapper_decider *decider, const uint8_t *tiles, int32_t mines);

/* Begins with these reveals of covered cells to compare, the first of them being the usual one; a safe cell alone shows what the board
   wins. The first, or -1 as above, or where there are more than fit. */
SAPPER_API int32_t sapper_decider_compare(
    sapper_decider *decider, const uint8_t *tiles, int32_t mines, const int32_t *cells, int32_t count);

/* Adds a guess that reveals several covered cells at once, after `sapper_decider_compare` and before anything is played. `survived`: the
   chance that none of them is a mine. One such guess can be added; false if it cannot be. */
SAPPER_API int32_t sapper_decider_add_together(sapper_decider *decider, const int32_t *cells, int32_t count, double survived);

/* Plays every guess that is left on so many layouts more, or as far as the budget of work allows; how many were drawn. */
SAPPER_API int32_t sapper_decider_play(sapper_decider *decider, int32_t layouts);

/* Scores the guesses that are left and gives up those that are clearly worse, and all but `most`, but for two; which is the best, -1 if
   there are none. The best opinion stays. */
SAPPER_API int32_t sapper_decider_weigh(sapper_decider *decider, int32_t most);

/* The standard error of the difference between the scores of two guesses that were scored when guesses were weighed last; -1 of others. */
SAPPER_API double sapper_decider_error(const sapper_decider *decider, int32_t i, int32_t j);

/* The cell to take: that of the best, unless the best opinion is as good but for chance. `best` is what weighing has said. */
SAPPER_API int32_t sapper_decider_settle(const sapper_decider *decider, int32_t best);

/* Draws a layout of the board that was begun with doubt, into `mapped`; 0 if that cannot be. */
SAPPER_API int32_t sapper_decider_draw(sapper_decider *decider);

#endif
