/* What a player notes down during one game, and what one clue at a time and two clues together say.

   The notes follow the board: they are told which cells were opened since the last time, and look only around those. A clue with
   as many covered neighbours as mines makes them all mines; a clue whose mines are all known makes its other neighbours safe.
   Say clue B needs as many mines more than clue A as it has cells that A does not touch, known cells left out: then all those
   cells are mines, and the cells that only A touches are safe. All of that only ever becomes true as cells are opened, so the
   notes are at every moment what the whole board says: `solver.strategies.simple` and `subset` work it out afresh.

   No tile is ever flagged here. Every cell has MOST_NEAR neighbours, so that loops over them are short and even: those that the
   grid does not have are a cell behind the last one, and tiles have a byte more for it, NO_TILE. */
#ifndef SAPPER_NOTES_H
#define SAPPER_NOTES_H

#include "analysis.h"
#include "arena.h"
#include "random.h"

/* Bits of a cell's mark: proven by one clue at a time, by two. */
enum { MINE_BY_ONE = 1, SAFE_BY_ONE = 2, MINE_BY_TWO = 4, SAFE_BY_TWO = 8 };

enum { MOST_NEAR = 8, NO_TILE = WRONG_FLAG };

struct note {
    uint8_t mark;
    int16_t covered_near; /* covered neighbours */
    int16_t mines_near;   /* neighbours that one clue proves to be mines */
    int16_t unsure;       /* neighbours that the rules for two clues do not count as opened or known */
    int16_t taken;        /* neighbours that they count as mines */
    int16_t shared;       /* 0 between calls */
    int32_t stamp;
};

struct notes {
    const sapper_grid *grid;
    struct note *note; /* one more than there are cells */
    int32_t *near;     /* the neighbours of each cell, MOST_NEAR each */
    int32_t *opened;  /* the cells opened, in order: what each move's update says */
    int32_t *touched; /* cells proven to be mines by one clue, in order */
    int32_t *queue;   /* clues that wait to be looked at */
    int32_t seen_by_one, seen_by_two; /* how much of `opened` has been looked at */
    int32_t touched_count, touched_by_two;
    int32_t lowest_by_one, lowest_by_two; /* no cell below is covered and proven safe */
    int32_t queued, stamps;
};

/* Takes its part of the arena. */
void sapper_notes_lay_out(struct notes *notes, sapper_arena *arena, const sapper_grid *grid);

/* Forgets everything: a new game. */
void sapper_notes_clear(struct notes *notes);

/* Makes `to`, notes of the same grid, equal to others. */
void sapper_notes_copy(struct notes *to, const struct notes *from);

/* The lowest cell that one clue proves safe, or -1; `count` cells are opened by now. */
int32_t sapper_lowest_by_one(struct notes *notes, const uint8_t *tiles, int32_t count);

/* The same, or else the lowest that two clues prove safe; -1 if there is neither. */
int32_t sapper_lowest_certain(struct notes *notes, const uint8_t *tiles, int32_t count);

/* A covered cell at random that has none of the bits `mines` in its mark; of all if each has. */
int32_t sapper_guess(const struct notes *notes, const uint8_t *tiles, uint8_t mines, sapper_rng *rng);

#endif
