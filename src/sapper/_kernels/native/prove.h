/* Proving that a layout needs no guess, by single clues, two clues that overlap, patterns in a line, and clues that share no cell
   with the number of mines: the steps that `solver.deduce` finds, in the same order. What else follows (from all layouts of some
   clues, or of the board) is found elsewhere, and handed in by `sapper_proof_conclude`. */
#ifndef SAPPER_PROVE_H
#define SAPPER_PROVE_H

#include "layouts.h"

/* Techniques as in `solver.deduce.step.Technique`, patterns by their place in `proof_steps.py`. */
enum { SAPPER_ONE_CLUE = 1, SAPPER_OVERLAP = 2, SAPPER_PATTERN = 3, SAPPER_MINE_COUNT = 4 };
enum { SAPPER_NO_NAME, SAPPER_1_1, SAPPER_1_2, SAPPER_HOLE, SAPPER_1_2_1, SAPPER_1_2_2_1 };

/* What `sapper_proof_go_on` ends with. */
enum { SAPPER_PROOF_STUCK, SAPPER_PROOF_DONE, SAPPER_PROOF_FULL };

/* A step is technique, name, bound (0 none, 1 fewest, 2 most), the numbers of clues, safe cells and mines, and these cells. */
enum { SAPPER_STEP_HEAD = 6 };

/* A proof on its way. The caller keeps it, and the buffers of a byte a cell. */
typedef struct {
    const sapper_grid *grid;
    const sapper_grid *edges; /* the neighbours that share an edge */
    int32_t columns;          /* cells in a row */
    int32_t wraps;            /* whether the last cell of a row, or column, is followed by its first */
    int32_t first;
    int32_t hardest; /* the hardest technique that is allowed */
    int32_t mines;
    int32_t revealed;
    int32_t mined;    /* mines that are known */
    uint8_t *clues;   /* of the layout */
    uint8_t *tiles;   /* what is seen: clues and COVERED */
    uint8_t *is_mined; /* 1 at known mines */
    uint8_t *scratch; /* sapper_proof_room(grid) bytes, on a boundary of eight */
} sapper_proof;

/* How many bytes of scratch a proof on this grid needs. */
SAPPER_API int64_t sapper_proof_room(const sapper_grid *grid);

/* Begins: clues of the mine map, the first cell revealed. 1 if that is a mine (then nothing else may be called), 0, or SAPPER_BAD. */
SAPPER_API int64_t sapper_proof_begin(sapper_proof *proof, const uint8_t *mapped);

/* Takes steps as long as one follows, the cheapest first, and reveals what each shows to be safe. They are written one after the
   other; `room`, at least SAPPER_STEP_HEAD + 2 * the cells, is how many numbers there is room for. steps[0] becomes how it ended,
   FULL if it has to be called again with an empty buffer, steps[1] the hardest technique of these steps; the steps begin at
   steps[2]. How many numbers were written, or SAPPER_BAD. */
SAPPER_API int64_t sapper_proof_go_on(sapper_proof *proof, int32_t *steps, int64_t room);

/* Takes over that the first `safe` of these cells are safe, which reveals them, and the next `mined` are mines.
   0, or SAPPER_BAD where the layout says otherwise. */
SAPPER_API int64_t sapper_proof_conclude(sapper_proof *proof, const int32_t *cells, int64_t safe, int64_t mined);

#endif
