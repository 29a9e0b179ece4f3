/* The analysis of boards: how many layouts fit, and the chance of a mine in each covered cell.

   A board is one tile a cell: MINE and EXPLODED are known to be mines, WRONG_FLAG is known to be safe.

   The steps, a file each: scan (tiles to clues, and what is known at once), groups (cells of the same clues; components),
   order (in which groups are eliminated), states (those of a component), polynomials (how many layouts each stands for),
   combine (all components and the interior), analysis (all of it).

   "Start" and "first" fields have one entry more than what they index: the entries of i lie from start[i] up to, not
   including, start[i + 1]. */
#ifndef SAPPER_ANALYSIS_H
#define SAPPER_ANALYSIS_H

#include "random.h"

enum { UNKNOWN = 0, SAFE = 1, MINED = 2 };
#define TIE 1e-9 /* chances that differ by no more are equal */

/* How an analysis ended. */
enum {
    OK = 0,
    CONTRADICTION = 1, /* no layout fits */
    CAPPED = 2,        /* it takes more states than allowed, as it would for the reference */
    LOST = 3,          /* the range of a float, the clues open at once or the memory were not enough */
    BAD_TILE = 4,      /* a code above 14 */
    GROW = 100,        /* inside the analysis only: the states do not fit their memory */
};

enum {
    WIDEST = 62,    /* columns of the widest rectangle that is read as rows of bits: one bit of margin on either side */
    SLOTS = 32,     /* clues that may be open at once: 4 bits each in two words of 64 */
    WORD = 64,      /* bits in a word of a set of numbers */
    GROUP_MOST = 8, /* mines of one group */
};

struct clue {
    int32_t need;  /* mines that are not known */
    int32_t start; /* into clue_cells */
    int32_t first; /* into clue_groups */
    int32_t part;  /* component, -1 while unknown */
    int32_t left;  /* groups (order) or cells (states) still to come */
    int32_t slot;  /* place in the key; in order: whether the clue is open, or how many of its cells are done */
};

struct group {
    int32_t size;
    int32_t start; /* into group_clues */
    int32_t open;  /* clues of the group that are not open yet, -1 when it is eliminated; or a note of the step at hand */
    int32_t close; /* clues that this group would close */
    int32_t need;  /* its mines, if it is a component of its own; else -1 */
    int32_t mark;
    double chance;
};

/* Cells that the clues seen so far do not tell apart. */
struct cell_class {
    int32_t child, stamp, size, group;
};

/* A component of two groups or more. */
struct part {
    int32_t begin, end;  /* groups: order[begin:end] */
    int32_t layer, last; /* its first and last layer */
    int32_t final;       /* one more than its last state */
    int32_t low, high;   /* least and most mines */
    int32_t power;       /* of two, taken out of its last state's polynomial */
    bool is_fixed;       /* whether its number of mines is the same in every layout; a note of `regions` */
};

struct layer {
    int32_t first; /* state */
    int32_t base;  /* least number of mines */
    int32_t words; /* of reachability a state */
    int32_t reach; /* where they begin */
};

/* Of the product tree of components. */
struct node {
    int32_t low, size, at; /* least number of mines, coefficients, where they begin in `tree` and `tree_rest` */
};

struct state {
    uint64_t key[2];    /* what each open clue still needs, 4 bits a clue */
    int32_t low, high;  /* least and most mines so far */
    int32_t fewest;     /* mines of its first move */
    int32_t edge, ways; /* where its moves and its polynomial begin */
};

/* Scratch, and what was found of a board; sized by the board and its neighbour table. */
struct work {
    sapper_grid grid; /* width 0: the table is read */
    int32_t height;
    int64_t pairs;                    /* of a clue and a covered neighbour, at most */
    uint64_t *rows;                   /* of a rectangle: rows of bits, see scan */
    int32_t *worklist;                /* of another grid: clues to visit */
    uint8_t *kind, *waits;            /* and what each cell is */
    int32_t *group_of;                /* of a cell: 0 interior, else its group + 1; right where single clues say nothing */
    struct clue *clue;
    int32_t *clue_cells, *clue_groups, *group_clues;
    struct cell_class *cell_class;
    struct group *group;
    int32_t *part_start, *part_groups, *order, *queue;
    struct part *part;
    struct layer *layer;
    struct node *node;
    uint64_t *wide;                   /* each component's possible numbers of mines, seen from outside */

    int32_t clues, groups, parts;     /* parts: those of two groups or more */
    int32_t undetermined, known;      /* after single clues: cells that are open; mines that are shown, flagged or found */
    int32_t safe;                     /* cells that single clues prove safe */
    int32_t lone_mines, lone_cells;   /* of components of one group */
    int32_t interior, inside;         /* cells of no clue, and their mark */
    int32_t inside_bounds[2];         /* the fewest and most mines there */
    int32_t states;                   /* the work it took */
    int32_t ways_used, reach_used, most_ways, most_reach; /* of the states' memory; the most that one layer takes */
    double tilt;                      /* the weight of a mine in the polynomials */
    double inside_chance, log_census; /* the census is a natural logarithm */
};

/* Sized by the work. */
struct states {
    int32_t room; /* states */
    int32_t edges, reals;
    struct state *state;
    int32_t *edge, *table;
    uint64_t *reach, *back;
    double *ways, *rest, *tree, *tree_rest;
};

/* Memory for the analysis of boards of one grid, and what is known of the board that was analysed last. */
typedef struct sapper_analyser sapper_analyser;

struct sapper_analyser {
    struct work work;
    struct states states;
    struct states more;     /* those of the board that was analysed last, if they took more; its `state` is NULL if not */
    uint8_t *mark;          /* for callers from Python */
    int32_t *starts, *cells; /* the neighbours of a rectangle that is too wide for rows of bits, where it was given none */
    void *memory;
};

/* What was found of one board. */
typedef struct {
    int32_t status;
    int32_t lowest;       /* the covered cell least likely to be a mine, the first of those within 1e-9; -1 if there is none */
    int32_t safe;         /* how many cells are certain to be safe */
    int32_t states;       /* the work it took */
    double log_census;    /* the decimal logarithm of the number of layouts */
    double least, second; /* the two smallest chances of cells that are not certain (of one: the same); NaN if there is none */
    double inside_chance; /* of a mine in a cell of the interior; NaN if there is none */
} sapper_found;

/* --- for callers from Python --- */

/* An analyser for a grid (see sapper_grid_check) or NULL if there is not enough memory or the grid is none. A rectangle needs
   no table: then `starts` may be NULL. A table has to stay where it is. */
SAPPER_API sapper_analyser *sapper_analyser_new(const sapper_grid *grid, int64_t entries);

SAPPER_API void sapper_analyser_free(sapper_analyser *analyser);

/* Analyses boards, one after another: `tiles` and `chance` have a row of cells for each; `safe`, `mined` and `interior` (the
   uncertain cells of no clue) one of (cells + 7) / 8 bytes, a bit a cell. `chance` is that of a mine in a covered cell (a trusted
   flag: 1), NaN elsewhere; it is right within 1e-12, and safe and mined cells come from integers. Where the status is not OK,
   nothing but that is written. `cap`: the most states that a board may take. The counts of mines may be any.
   0, or SAPPER_MEMORY, or SAPPER_BAD for a number of boards or a cap below 0. */
SAPPER_API int32_t sapper_analyse(sapper_analyser *analyser, int32_t boards, const uint8_t *tiles, const int32_t *mines,
                                  int32_t trust, int32_t cap, sapper_found *found, double *chance, uint8_t *safe,
                                  uint8_t *mined, uint8_t *interior);

/* The natural logarithm of the number of layouts of the smallest region (see `reference.layouts`) that has more than one;
   infinity if there is none, -1 where that is not known. `table`: the grid with its neighbour table, which has been checked. */
SAPPER_API double sapper_smallest_region(
    sapper_analyser *analyser, const sapper_grid *table, const uint8_t *tiles, int32_t mines, int32_t trust, int32_t cap);

/* --- for the other files --- */

/* Analyses a board: a status. `mark` gets what single clues tell, a byte a cell; all else that is found is in `work`. */
int sapper_solve(
    sapper_analyser *analyser, const uint8_t *tiles, int32_t mines, bool trust, int32_t cap, uint8_t *mark);

/* Of a board that was solved with OK, and its marks: the chance of each cell (NaN where it is not covered), all marks, and the
   rest. */
void sapper_report(
    const sapper_analyser *analyser, const uint8_t *tiles, uint8_t *mark, double *chance, sapper_found *found);

#define EACH UINT64_C(0x0101010101010101) /* 1 in each of eight bytes */

/* The lowest bits of eight bytes that are 0 or 1, side by side. */
static inline uint64_t gather_lowest(uint64_t bytes) {
    return bytes * UINT64_C(0x0102040810204080) >> 56;
}

/* --- drawing --- */

/* The states of the board that was analysed last (OK). */
const struct states *sapper_latest_states(const sapper_analyser *analyser);

/* Draws a layout of the board that was analysed last, with its marks and no safe cell; 1 at each mine. False if that cannot be.
   `mines`: of the whole board. The analysis can be drawn from again, and for nothing else. */
bool sapper_sample_layout(
    sapper_analyser *analyser, const uint8_t *tiles, const uint8_t *mark, int32_t mines, sapper_rng *rng, uint8_t *mapped);

/* --- scan --- */

/* Reads the tiles, follows single clues to the end, and lists the clues that are left with their undetermined cells.
   OK, CONTRADICTION or BAD_TILE. `mark` (a byte a cell) gets SAFE and MINED; with `trust` flags are mines. */
int sapper_scan(struct work *w, const uint8_t *tiles, bool trust, uint8_t *mark);

/* --- groups --- */

/* Finds the groups of the clues. */
void sapper_find_groups(struct work *w);

/* Finds the components, as part_start and part_groups; how many there are. */
int32_t sapper_find_parts(struct work *w);

/* --- order --- */

/* Puts part_groups[begin:end], the groups of a component, into `order`. */
void sapper_order(struct work *w, int32_t begin, int32_t end);

/* --- states --- */

/* Makes the states of a component, after `count` that are there. OK, CONTRADICTION, GROW, CAPPED where there would be more than
   `cap` states in all, or LOST where there are more than SLOTS open clues. */
int sapper_expand(struct work *w, struct states *st, struct part *part, int32_t count, int32_t cap);

/* --- polynomials --- */

#define FLOOR 1e-200 /* sums of products below this may have lost something to underflow */

/* weights[k]: the ways to choose k of `size` cells, times the tilt to the power k. */
void sapper_weights(int32_t size, double tilt, double weights[GROUP_MOST + 1]);

/* Divides by a power of two so that the greatest is at least 0.5 and below 1, if it is far from it; the power. */
int sapper_rescale(double *values, int32_t count);

/* Fills `ways` for a component; the power of two that was taken out of its last state. */
int sapper_count(const struct work *w, struct states *st, const struct part *part, double tilt);

/* Finds the chance of a mine in a cell of each group of a component, and what is certain; false if a float's range was lost.
   `rest` begins with the weights of the last state's numbers of mines, `back` with those that are possible. A positive chance
   below `least` is not to be relied upon. */
bool sapper_expect(struct work *w, struct states *st, const struct part *part, double tilt, double least);

/* --- combine --- */

/* Fills `wide`; bounds: the fewest and most mines of the interior. OK, CONTRADICTION or GROW. */
int sapper_totals(struct work *w, struct states *st, int32_t mines, int32_t bounds[2]);

/* Finds all chances under one tilt: OK, LOST or GROW. `possible`: the most mines that the interior can have. */
int sapper_weigh(struct work *w, struct states *st, int32_t mines, int32_t possible);

/* A number of five significant bits near `odds`, between 2 to the power of -40 and 40. */
double sapper_round_tilt(double odds);

/* The tilt under which the expected number of mines is `mines`, from polynomials made with another. */
double sapper_better_tilt(const struct work *w, const struct states *st, int32_t mines);

/* A natural logarithm, for the census only. */
double sapper_log_binomial(int32_t total, int32_t chosen);

#endif
