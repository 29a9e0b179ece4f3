/* Forced guesses to come: `solver.strategies.influence` defines what is found here.

   Two neighbours that no cell sees but both together, or a 2x2 square of which no cell sees one alone, are a forced guess where they
   have mines as a coin has faces: nothing that is revealed later tells which. Before that is so, cells that could tell are covered;
   in the layouts where all of those are mines, the guess is forced in the end. A player who guesses there now does not have to
   later: in these layouts the guess costs nothing. The influence of a cell is the share of the layouts in which it is safe and part
   of such a guess; and of a cell that could tell, of those in which it is a mine and the guess is forced: to know it settles more. */
#ifndef SAPPER_INFLUENCE_H
#define SAPPER_INFLUENCE_H

#include "analysis.h"

/* A board that was analysed, without flags and without a safe cell. */
struct influenced {
    const sapper_grid *grid;
    sapper_analyser *analyser;
    uint8_t *tiles;       /* changed, and restored */
    const uint8_t *mark;
    const double *chance; /* of a mine, by cell */
    double log_census;    /* natural */
    int32_t mines, cap;   /* of the whole board; the most states of an analysis */
};

/* Fills in the influence of each cell, none where the grid is no rectangle with eight neighbours. `square` and `after`: scratch. */
void sapper_find_influence(const struct influenced *board, double *influence, double *square, uint8_t *after);

#endif
