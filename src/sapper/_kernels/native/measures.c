#include "measures.h"

#include "arena.h"

/* ---- rectangles with a side up to 62, a word a line: several times as fast as cell by cell ---- */

enum { WIDEST = 62 }; /* the most places a line of bits can have here, with room for a bit on either side */

static inline uint64_t widened(uint64_t line) {
    return line | line << 1 | line >> 1;
}

/* Writes into `wide` the cells of `lines` with their neighbours. */
static void widen(int32_t count, const uint64_t *lines, uint64_t *wide, uint64_t full) {
    uint64_t before = 0, here = widened(lines[0]);
    for (int32_t y = 0; y < count; y++) {
        uint64_t after = y + 1 < count ? widened(lines[y + 1]) : 0;
        wide[y] = (before | here | after) & full;
        before = here;
        here = after;
    }
}

static inline int32_t root_of(const int32_t *parents, int32_t run) {
    while (parents[run] != run)
        run = parents[run];
    return run;
}

/* Parts of the set bits that are connected over eight neighbours. Runs of bits are joined with the runs of the line before that
   they touch (union by the lower number); each run adds a part, each joining of two takes one away. */
static int32_t count_parts(int32_t count, const uint64_t *lines, int32_t *parents) {
    int32_t parts = 0, runs = 0, first_before = 0;
    for (int32_t y = 0; y < count; y++) {
        int32_t first = runs, other_run = first_before;
        uint64_t bits = lines[y], others = y ? lines[y - 1] : 0;
        while (bits) {
            /* Adding the lowest bit of a run carries through it: what changes is the run. */
            uint64_t run = bits & ~(bits + (bits & -bits)), near = widened(run);
            bits &= ~run;
            parents[runs] = runs;
            parts++;
            /* Both lines go from low to high: runs that end before this one begins are done with. */
            while (others) {
                uint64_t other = others & ~(others + (others & -others));
                if (other & near) {
                    int32_t one = root_of(parents, runs), two = root_of(parents, other_run);
                    if (one != two) {
                        parts--;
                        parents[one > two ? one : two] = one > two ? two : one;
                    }
                }
                if ((other & ~run) > run)
                    break; /* its highest bit is above this one's: it may touch the next run */
                others &= ~other;
                other_run++;
            }
            runs++;
        }
        first_before = first;
    }
    return parts;
}

/* 3BV, openings and islands of a map whose lines are `step` apart and the places of a line `stride`. `scratch`: three words a line. */
static void numbers_by_lines(
    const uint8_t *mapped, int32_t count, int32_t places, int32_t step, int32_t stride, uint64_t *scratch, int32_t *parents,
    int32_t *numbers) {
    const uint64_t full = (UINT64_C(1) << places) - 1;
    uint64_t *lines = scratch, *zeros = lines + count, *touching = zeros + count;
    for (int32_t y = 0; y < count; y++) {
        const uint8_t *line = mapped + (int64_t)y * step;
        lines[y] = 0;
        for (int32_t x = 0; x < places; x++)
            lines[y] |= (uint64_t)(line[(int64_t)x * stride] != 0) << x;
    }
    widen(count, lines, zeros, full);
    for (int32_t y = 0; y < count; y++)
        zeros[y] = ~zeros[y] & full;
    int32_t openings = count_parts(count, zeros, parents), alone = 0;
    widen(count, zeros, touching, full);
    for (int32_t y = 0; y < count; y++) {
        lines[y] = ~lines[y] & ~touching[y] & full;
        alone += bit_count(lines[y]);
    }
    numbers[0] = openings + alone;
    numbers[1] = openings;
    numbers[2] = count_parts(count, lines, parents);
}

/* ---- any grid, cell by cell ---- */

int32_t sapper_connected(
    const sapper_grid *grid, const uint8_t *bytes, uint8_t wanted, int32_t *of, int32_t *stack) {
    int32_t count = 0;
    for (int32_t cell = 0; cell < grid->size; cell++)
        of[cell] = -1;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        if (bytes[cell] != wanted || of[cell] >= 0)
            continue;
        int32_t top = 0;
        of[cell] = count;
        stack[top++] = cell;
        while (top) {
            int32_t here = stack[--top];
            FOR_NEAR(grid, here, near) {
                if (bytes[near] == wanted && of[near] < 0) {
                    of[near] = count;
                    stack[top++] = near;
                }
            }
        }
        count++;
    }
    return count;
}

int32_t sapper_alone(const sapper_grid *grid, const uint8_t *clues, uint8_t *alone) {
    int32_t count = 0;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        alone[cell] = clues[cell] && clues[cell] != SAPPER_MINE;
        for (int32_t at = grid->starts[cell]; alone[cell] && at < grid->starts[cell + 1]; at++)
            alone[cell] = clues[grid->cells[at]] != 0;
        count += alone[cell];
    }
    return count;
}

/* ---- ZiNi ----

   The premium of a cell is what is gained by chording it: the 3BV that opening its neighbours does, less the flags that it needs,
   less the click of the chord, and less another if the cell must be opened first. The player takes the cell with the highest
   premium as long as one is not negative. A move changes premiums near it only, so they are kept up to date and never counted
   again: that is what makes the player linear in the size of the board but for the search of the highest. */

enum { UNOPENED, OPEN, UNMARKED, MARKED }; /* the state of a cell on the player's board; the latter two of mines */
enum { OUT_OF_REACH = 50 };            /* taken off the premium of a cell that may not be chorded: a mine, a covered cell for the human */

/* Room for the measuring of layouts of one grid. A premium is -10 to 9, out of reach or not: a byte each, so that the highest
   of all is found many at a time. */
typedef struct {
    sapper_grid grid; /* cells numbered column by column */
    uint64_t *lines;
    int32_t *starts, *cells, *of, *stack, *touched;
    uint8_t *mapped, *clues, *alone, *state;
    int8_t *first, *premium;
} room;

/* The premium of each cell while all are covered. */
static void first_premiums(const room *of) {
    const sapper_grid *grid = &of->grid;
    for (int32_t cell = 0; cell < grid->size; cell++)
        of->first[cell] = (int8_t)(of->alone[cell] - 2);
    for (int32_t cell = 0; cell < grid->size; cell++) {
        const int32_t *near = grid->cells + grid->starts[cell];
        int32_t degree = sapper_degree(grid, cell);
        if (of->alone[cell]) {
            for (int32_t i = 0; i < degree; i++)
                of->first[near[i]]++;
        } else if (of->clues[cell] == SAPPER_MINE) {
            of->first[cell] -= OUT_OF_REACH;
            for (int32_t i = 0; i < degree; i++)
                of->first[near[i]]--;
        } else if (!of->clues[cell]) {
            of->first[cell]++; /* a zero touches one opening, its own */
        } else {
            for (int32_t i = 0; i < degree; i++) {
                int32_t opening = of->of[near[i]], before = 0;
                if (opening < 0)
                    continue;
                while (of->of[near[before]] != opening)
                    before++;
                of->first[cell] += before == i;
            }
        }
    }
}

/* Marks a cell as open, which its premium gains by, and which the human player may chord from now on. */
static inline void uncover(const room *of, int32_t cell, int32_t human) {
    if (of->state[cell] == UNOPENED) {
        of->state[cell] = OPEN;
        of->premium[cell] += 1 + human * OUT_OF_REACH;
    }
}

/* Opens a cell, with its opening if it is a zero; the 3BV that are done by it, 0 or 1. Every cell that touches the opening, its
   zeros among them, had it in its premium; touched[c] is the last opening that took one off cell c (named by its first zero
   plus 1), so that it is taken off once. */
static int32_t open_cell(const room *of, int32_t cell, int32_t human) {
    const sapper_grid *grid = &of->grid;
    if (of->state[cell])
        return 0;
    uncover(of, cell, human);
    if (of->clues[cell]) {
        if (!of->alone[cell])
            return 0;
        of->premium[cell]--;
        FOR_NEAR(grid, cell, near)
            of->premium[near]--;
        return 1;
    }
    int32_t name = cell + 1, top = 0;
    of->premium[cell]--;
    of->touched[cell] = name;
    of->stack[top++] = cell;
    while (top) {
        int32_t zero = of->stack[--top];
        FOR_NEAR(grid, zero, near) {
            if (of->touched[near] == name)
                continue;
            of->touched[near] = name;
            of->premium[near]--;
            uncover(of, near, human);
            if (!of->clues[near])
                of->stack[top++] = near;
        }
    }
    return 1;
}

/* The first cell with the highest premium, -1 if none is 0 or more. */
static int32_t best_premium(const int8_t *premium, int32_t size) {
    int8_t highest = -1;
    for (int32_t cell = 0; cell < size; cell++)
        highest = premium[cell] > highest ? premium[cell] : highest;
    return highest < 0 ? -1 : (int32_t)((const int8_t *)memchr(premium, highest, size) - premium);
}

/* The clicks of the player; `premium` holds the first ones. */
static int32_t count_zini(const room *of, int32_t bbbv, int32_t human) {
    const sapper_grid *grid = &of->grid;
    int32_t clicks = 0, unopened = 0;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        of->state[cell] = of->clues[cell] == SAPPER_MINE ? UNMARKED : UNOPENED;
        of->touched[cell] = 0;
        of->premium[cell] = (int8_t)(of->first[cell] - human * OUT_OF_REACH);
    }
    for (int32_t cell = 0; human && cell < grid->size; cell++) {
        if (!of->clues[cell] && !of->state[cell]) {
            clicks++;
            bbbv -= open_cell(of, cell, human);
        }
    }
    while (bbbv) {
        int32_t best = best_premium(of->premium, grid->size);
        if (best < 0) {
            if (!human)
                return clicks + bbbv; /* opening what is left raises no premium: what a cell gains by being open, its 3BV loses */
            while (of->state[unopened] || !of->alone[unopened])
                unopened++;
            clicks++;
            bbbv -= open_cell(of, unopened, human);
            continue;
        }
        if (!of->state[best]) {
            clicks++;
            bbbv -= open_cell(of, best, human);
        }
        clicks++;
        FOR_NEAR(grid, best, near) {
            if (of->state[near] == UNOPENED) {
                bbbv -= open_cell(of, near, human);
            } else if (of->state[near] == UNMARKED) {
                of->state[near] = MARKED;
                clicks++;
                FOR_NEAR(grid, near, beside)
                    of->premium[beside]++;
            }
        }
    }
    return clicks;
}

/* ---- many layouts ---- */

static void lay_out(sapper_arena *arena, void *of_grid) {
    room *of = of_grid;
    const size_t size = (uint32_t)of->grid.size;
    TAKE(of->lines, 3 * size);
    TAKE(of->starts, size + 1);
    TAKE(of->cells, of->grid.starts[size]);
    TAKE(of->of, size);
    TAKE(of->stack, size);
    TAKE(of->touched, size);
    TAKE(of->mapped, size);
    TAKE(of->clues, size);
    TAKE(of->alone, size);
    TAKE(of->state, size);
    TAKE(of->first, size);
    TAKE(of->premium, size);
}

/* Numbers the cells column by column. */
static void turn(room *of, const sapper_grid *grid, int32_t columns) {
    const int32_t rows = grid->size / columns;
    int32_t entries = 0;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        int32_t old = cell % rows * columns + cell / rows;
        of->starts[cell] = entries;
        FOR_NEAR(grid, old, near)
            of->cells[entries++] = near % columns * rows + near / columns;
    }
    of->starts[grid->size] = entries;
    of->grid = (sapper_grid){grid->size, 0, of->starts, of->cells};
}

static void by_cells(const room *of, const uint8_t *mapped, int32_t columns, bool with_zini, bool by_lines, int32_t *numbers) {
    const int32_t size = of->grid.size, rows = size / columns;
    for (int32_t x = 0; x < columns; x++)
        for (int32_t y = 0; y < rows; y++)
            of->mapped[x * rows + y] = mapped[y * columns + x];
    sapper_count_clues(&of->grid, of->mapped, of->clues, of->stack);
    int32_t openings = sapper_connected(&of->grid, of->clues, 0, of->of, of->stack);
    int32_t alone = sapper_alone(&of->grid, of->clues, of->alone);
    if (!by_lines) {
        numbers[0] = openings + alone;
        numbers[1] = openings;
        numbers[2] = sapper_connected(&of->grid, of->alone, 1, of->touched, of->stack);
    }
    if (with_zini) {
        first_premiums(of);
        numbers[3] = count_zini(of, openings + alone, 0);
        numbers[4] = count_zini(of, openings + alone, 1);
    }
}

int64_t sapper_measure_many(
    const sapper_grid *grid, int64_t columns, const uint8_t *maps, int64_t count, int32_t with_zini, int32_t *numbers) {
    const int32_t size = grid->size;
    if (columns < 1 || columns > size || size % columns || count < 0)
        return SAPPER_BAD;
    const int32_t across = (int32_t)columns, down = size / across;
    const bool by_rows = grid->width && across <= WIDEST, by_lines = by_rows || (grid->width && down <= WIDEST);
    room of = {.grid = *grid};
    void *memory = sapper_allocate(lay_out, &of);
    if (!memory)
        return SAPPER_MEMORY;
    turn(&of, grid, across);
    for (int64_t game = 0; game < count; game++, maps += size, numbers += SAPPER_NUMBERS) {
        memset(numbers, 0, SAPPER_NUMBERS * sizeof *numbers);
        if (by_rows)
            numbers_by_lines(maps, down, across, across, 1, of.lines, of.stack, numbers);
        else if (by_lines)
            numbers_by_lines(maps, across, down, 1, across, of.lines, of.stack, numbers);
        if (with_zini || !by_lines)
            by_cells(&of, maps, across, with_zini, by_lines, numbers);
    }
    free(memory);
    return 0;
}
