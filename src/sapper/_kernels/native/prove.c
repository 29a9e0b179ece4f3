#include "prove.h"

#include <stdlib.h>

#include "arena.h"

/* A clue is open while cells beside it are unknown: neither revealed nor known to be mines. For each open clue we keep how many
   such cells it has (room) and how many mines it needs among them (need). Two sets of clues, as bits, say where to look: `single`
   has those that settle all their cells; `fresh` those that have changed since they were last compared with every clue that
   shares a cell. Both are read from the lowest clue on, so the steps come in the order in which `deduce.knowledge` finds them. */
typedef struct {
    int8_t *room, *need, *shared;
    uint64_t *single, *fresh;
    int32_t words;
    int32_t *opened, *cells, *beside;
} desk;

static desk desk_of(const sapper_grid *grid, uint8_t *scratch, size_t *bytes) {
    sapper_arena shared = {(char *)scratch, 0}, *arena = &shared;
    const size_t size = (size_t)grid->size;
    desk of;
    of.words = (grid->size + 63) / 64;
    TAKE(of.single, (size_t)of.words);
    TAKE(of.fresh, (size_t)of.words);
    TAKE(of.opened, size);
    TAKE(of.cells, size);
    TAKE(of.beside, size);
    TAKE(of.room, size);
    TAKE(of.need, size);
    TAKE(of.shared, size);
    if (bytes)
        *bytes = shared.used;
    return of;
}

static inline void put(uint64_t *bits, int32_t place, bool value) {
    uint64_t bit = UINT64_C(1) << (place & 63);
    bits[place >> 6] = value ? bits[place >> 6] | bit : bits[place >> 6] & ~bit;
}

static int32_t lowest(const uint64_t *bits, int32_t words) {
    for (int32_t word = 0; word < words; word++)
        if (bits[word])
            return word * 64 + lowest_bit(bits[word]);
    return -1;
}

static inline bool unknown(const sapper_proof *proof, int32_t cell) {
    return proof->tiles[cell] == COVERED && !proof->is_mined[cell];
}

static inline bool is_open(const sapper_proof *proof, const desk *on, int32_t clue) {
    return proof->tiles[clue] < COVERED && on->room[clue];
}

/* The cells or the need of a clue have changed. */
static inline void changed(const desk *on, int32_t clue) {
    int32_t room = on->room[clue], need = on->need[clue];
    put(on->single, clue, room && (need == 0 || need == room));
    put(on->fresh, clue, room != 0);
}

/* ---- what is known ---- */

static void mine(sapper_proof *proof, const desk *on, int32_t cell) {
    proof->is_mined[cell] = 1;
    proof->mined++;
    FOR_NEAR(proof->grid, cell, clue) {
        if (proof->tiles[clue] < COVERED) {
            on->room[clue]--;
            on->need[clue]--;
            changed(on, clue);
        }
    }
}

/* Reveals cells that are safe, and reads the clues that come to light. */
static void reveal(sapper_proof *proof, const desk *on, const int32_t *safe, int32_t count) {
    int32_t opened = 0;
    for (int32_t i = 0; i < count; i++)
        if (proof->tiles[safe[i]] == COVERED)
            opened = sapper_open(proof->grid, proof->clues, proof->tiles, safe[i], on->opened, opened);
    proof->revealed += opened;
    for (int32_t i = 0; i < opened; i++)
        on->room[on->opened[i]] = 0; /* until it is read below */
    for (int32_t i = 0; i < opened; i++) {
        FOR_NEAR(proof->grid, on->opened[i], clue) {
            if (proof->tiles[clue] < COVERED && on->room[clue]) {
                on->room[clue]--;
                changed(on, clue);
            }
        }
    }
    for (int32_t i = 0; i < opened; i++) {
        int32_t clue = on->opened[i];
        int8_t room = 0, known = 0;
        FOR_NEAR(proof->grid, clue, near) {
            known += (int8_t)proof->is_mined[near];
            room += (int8_t)unknown(proof, near);
        }
        on->room[clue] = room;
        on->need[clue] = (int8_t)(proof->tiles[clue] - known);
        changed(on, clue);
    }
}

/* ---- steps ---- */

typedef struct {
    int32_t technique, name, bound, clues, safe, mined;
    int32_t *out; /* the clues, then safe cells, then mines are written here */
} step;

/* Adds the unknown cells beside `clue` that are beside `other` too (beside: 1), or are not (0); with other -1, all of them. */
static int32_t add_cells(const sapper_proof *proof, int32_t clue, int32_t other, bool beside, int32_t *out) {
    int32_t count = 0;
    FOR_NEAR(proof->grid, clue, cell) {
        if (!unknown(proof, cell))
            continue;
        bool is_beside = false;
        if (other >= 0)
            FOR_NEAR(proof->grid, other, near) is_beside |= near == cell;
        if (other < 0 || is_beside == beside)
            out[count++] = cell;
    }
    return count;
}

static bool by_one_clue(const sapper_proof *proof, const desk *on, step *of) {
    int32_t clue = lowest(on->single, on->words);
    if (clue < 0)
        return false;
    of->technique = SAPPER_ONE_CLUE;
    of->out[of->clues++] = clue;
    int32_t count = add_cells(proof, clue, -1, false, of->out + 1);
    *(on->need[clue] ? &of->mined : &of->safe) = count;
    return true;
}

/* The cell that comes next in line after two that share an edge; -1 if that is off the board. */
static int32_t beyond(const sapper_proof *proof, int32_t first, int32_t second) {
    int32_t columns = proof->columns, rows = proof->grid->size / columns;
    int32_t x = 2 * (second % columns) - first % columns, y = 2 * (second / columns) - first / columns;
    if (proof->wraps) { /* across the seam the difference is off by a whole row or column, which is nothing here */
        x = (x % columns + columns) % columns;
        y = (y % rows + rows) % rows;
    }
    return x < 0 || x >= columns || y < 0 || y >= rows ? -1 : y * columns + x;
}

static bool has(const int32_t *cells, int32_t count, int32_t cell) {
    for (int32_t i = 0; i < count; i++)
        if (cells[i] == cell)
            return true;
    return false;
}

/* 1-2-1 or 1-2-2-1 that begins with a 1 and a 2 of which the 2 has one cell that the 1 does not touch. That cell is a mine, and so
   is the one at which the same happens from the other end; if they are two cells, they are all the mines that these clues have. */
static bool line(const sapper_proof *proof, const desk *on, int32_t first, int32_t second, step *of) {
    int32_t third = beyond(proof, first, second), clues[4] = {first, second, third, -1}, count = 3, ends[8];
    if (third < 0 || third == first || !is_open(proof, on, third))
        return false;
    if (on->need[third] == 2) {
        int32_t fourth = beyond(proof, second, third);
        if (fourth < 0 || !is_open(proof, on, fourth) || on->need[fourth] != 1 || has(clues, 3, fourth))
            return false;
        clues[count++] = fourth;
    } else if (on->need[third] != 1) {
        return false;
    }
    int32_t mines[2], other = clues[count - 2];
    add_cells(proof, second, first, false, mines); /* one cell: that is what the two needs say */
    if (add_cells(proof, other, clues[count - 1], false, ends) != 1 || ends[0] == mines[0])
        return false;
    mines[1] = ends[0];
    for (int32_t i = 1; i < count - 1; i++) {
        int32_t cells = add_cells(proof, clues[i], -1, false, ends);
        if (!has(ends, cells, mines[0]) || !has(ends, cells, mines[1]))
            return false;
    }
    of->technique = SAPPER_PATTERN;
    of->name = count == 3 ? SAPPER_1_2_1 : SAPPER_1_2_2_1;
    int32_t *safe = of->out + count;
    for (int32_t i = 0; i < count; i++) {
        of->out[of->clues++] = clues[i];
        int32_t cells = add_cells(proof, clues[i], -1, false, ends);
        for (int32_t j = 0; j < cells; j++)
            if (!has(mines, 2, ends[j]) && !has(safe, of->safe, ends[j]))
                safe[of->safe++] = ends[j];
    }
    for (of->mined = 0; of->mined < 2; of->mined++)
        safe[of->safe + of->mined] = mines[of->mined];
    return true;
}

/* What players call it: 1-1 and 1-2 if the clues share an edge; a hole is a clue of one mine whose cells are all inside those of
   one that is not beside it. */
static int32_t pair_name(const sapper_proof *proof, const desk *on, int32_t smaller, int32_t larger) {
    int32_t first = on->need[smaller], second = on->need[larger];
    FOR_NEAR(proof->edges, smaller, near)
        if (near == larger)
            return first != 1 ? SAPPER_NO_NAME : second == 1 ? SAPPER_1_1 : second == 2 ? SAPPER_1_2 : SAPPER_NO_NAME;
    return first == 1 && second == 1 ? SAPPER_HOLE : SAPPER_NO_NAME;
}

/* Counts at every clue how many unknown cells it shares with this one: `by` is 1, or -1 to take it back. */
static int32_t count_shared(const sapper_proof *proof, const desk *on, int32_t clue, int8_t by) {
    int32_t count = 0;
    FOR_NEAR(proof->grid, clue, cell) {
        if (!unknown(proof, cell))
            continue;
        FOR_NEAR(proof->grid, cell, other) {
            if (!on->shared[other] && proof->tiles[other] < COVERED && other != clue)
                on->beside[count++] = other;
            on->shared[other] = (int8_t)(on->shared[other] + by);
        }
    }
    return count;
}

/* Say clue B needs as many mines more than A as it has cells that A does not touch. Then all those cells are mines, the shared
   ones have all the mines of A, and A's other cells are safe. */
static bool says(const desk *on, int32_t smaller, int32_t larger, int32_t shared) {
    int32_t only = on->room[larger] - shared;
    return on->need[larger] - on->need[smaller] == only && (only || on->room[smaller] - shared);
}

static bool by_overlap(const sapper_proof *proof, const desk *on, step *of) {
    for (int32_t clue; (clue = lowest(on->fresh, on->words)) >= 0; put(on->fresh, clue, false)) {
        int32_t found = INT32_MAX, count = count_shared(proof, on, clue, 1);
        bool is_smaller = false;
        for (int32_t i = 0; i < count; i++) {
            int32_t other = on->beside[i], shared = on->shared[other];
            bool up = says(on, clue, other, shared);
            if (other < found && (up || says(on, other, clue, shared))) {
                found = other;
                is_smaller = up;
            }
        }
        count_shared(proof, on, clue, -1);
        if (found == INT32_MAX)
            continue;
        int32_t smaller = is_smaller ? clue : found, larger = is_smaller ? found : clue;
        of->name = pair_name(proof, on, smaller, larger);
        if (of->name == SAPPER_1_2 && line(proof, on, smaller, larger, of))
            return true;
        of->technique = SAPPER_OVERLAP;
        of->out[of->clues++] = smaller;
        of->out[of->clues++] = larger;
        of->safe = add_cells(proof, smaller, larger, false, of->out + 2);
        of->mined = add_cells(proof, larger, smaller, false, of->out + 2 + of->safe);
        return true;
    }
    return false;
}

typedef struct {
    double share;
    int32_t cells, clue;
} candidate;

static int by_share(const void *one, const void *two) {
    const candidate *a = one, *b = two;
    if (a->share != b->share)
        return a->share < b->share ? -1 : 1;
    return a->cells != b->cells ? a->cells - b->cells : a->clue - b->clue;
}

static int by_number(const void *one, const void *two) {
    return *(const int32_t *)one - *(const int32_t *)two;
}

/* Clues that share no cell, taken greedily by the mines that they need for a cell, most (sign -1) or fewest first (1); with 0, no
   clue at all. If they need all the mines that are left, or leave only mines, the rest is settled. */
static bool by_apart(const sapper_proof *proof, const desk *on, int32_t sign, candidate *sorted, step *of) {
    int32_t count = 0, rest = proof->mines - proof->mined, *outside;
    for (int32_t clue = 0; sign && clue < proof->grid->size; clue++)
        if (is_open(proof, on, clue))
            sorted[count++] = (candidate){sign * ((double)on->need[clue] / on->room[clue]), on->room[clue], clue};
    qsort(sorted, (size_t)count, sizeof *sorted, by_share);
    memset(on->shared, 0, (uint32_t)proof->grid->size); /* here: 1 at cells of clues that were taken */
    of->clues = 0;
    for (int32_t i = 0; i < count; i++) {
        bool taken = false;
        FOR_NEAR(proof->grid, sorted[i].clue, cell) taken |= unknown(proof, cell) && on->shared[cell];
        if (taken)
            continue;
        FOR_NEAR(proof->grid, sorted[i].clue, cell) on->shared[cell] = 1;
        of->out[of->clues++] = sorted[i].clue;
        rest -= on->need[sorted[i].clue];
    }
    qsort(of->out, (size_t)of->clues, sizeof *of->out, by_number);
    outside = of->out + of->clues;
    count = 0;
    for (int32_t cell = 0; cell < proof->grid->size; cell++)
        if (unknown(proof, cell) && !on->shared[cell])
            outside[count++] = cell;
    memset(on->shared, 0, (uint32_t)proof->grid->size);
    if (!count || (rest && rest != count))
        return false;
    of->technique = SAPPER_MINE_COUNT;
    of->bound = rest ? 2 : 1;
    *(rest ? &of->mined : &of->safe) = count;
    return true;
}

/* The cheapest step; false if none follows. */
static bool next_step(const sapper_proof *proof, const desk *on, candidate *sorted, step *of) {
    if (by_one_clue(proof, on, of) || (proof->hardest >= SAPPER_OVERLAP && by_overlap(proof, on, of)))
        return true;
    if (proof->hardest < SAPPER_MINE_COUNT)
        return false;
    for (int32_t i = 0; i < 3; i++)
        if (by_apart(proof, on, i == 2 ? -1 : i, sorted, of))
            return true;
    return false;
}

/* ---- a proof ---- */

static bool in_range(const sapper_proof *proof) {
    const int32_t size = proof->grid->size;
    return proof->edges->size == size && proof->columns > 0 && size % proof->columns == 0 && proof->first >= 0 &&
           proof->first < size;
}

int64_t sapper_proof_room(const sapper_grid *grid) {
    size_t bytes;
    desk_of(grid, NULL, &bytes);
    return (int64_t)(bytes + (size_t)grid->size * sizeof(candidate));
}

int64_t sapper_proof_begin(sapper_proof *proof, const uint8_t *mapped) {
    if (!in_range(proof))
        return SAPPER_BAD;
    const size_t size = (uint32_t)proof->grid->size;
    desk on = desk_of(proof->grid, proof->scratch, NULL);
    memset(proof->scratch, 0, (size_t)sapper_proof_room(proof->grid));
    memset(proof->tiles, COVERED, size);
    memset(proof->is_mined, 0, size);
    proof->mines = sapper_count_clues(proof->grid, mapped, proof->clues, on.opened);
    proof->mined = proof->revealed = 0;
    if (proof->clues[proof->first] == SAPPER_MINE)
        return 1;
    reveal(proof, &on, &proof->first, 1);
    return 0;
}

int64_t sapper_proof_go_on(sapper_proof *proof, int32_t *steps, int64_t room) {
    const int32_t size = proof->grid->size;
    size_t bytes;
    desk on = desk_of(proof->grid, proof->scratch, &bytes);
    candidate *sorted = (candidate *)(void *)(proof->scratch + bytes);
    int64_t at = 2;
    if (!in_range(proof) || room < 2 + SAPPER_STEP_HEAD + 2 * (int64_t)size)
        return SAPPER_BAD;
    for (steps[1] = 0;;) {
        if (proof->revealed == size - proof->mines) {
            steps[0] = SAPPER_PROOF_DONE;
            return at;
        }
        if (room - at < SAPPER_STEP_HEAD + 2 * (int64_t)size) {
            steps[0] = SAPPER_PROOF_FULL;
            return at;
        }
        step of = {.out = steps + at + SAPPER_STEP_HEAD};
        if (!next_step(proof, &on, sorted, &of)) {
            steps[0] = SAPPER_PROOF_STUCK;
            return at;
        }
        if (of.safe + of.mined == 0)
            return SAPPER_BAD; /* a table that is not mutual */
        memcpy(steps + at, &of, SAPPER_STEP_HEAD * sizeof *steps);
        steps[1] = of.technique > steps[1] ? of.technique : steps[1];
        at += SAPPER_STEP_HEAD + of.clues + of.safe + of.mined;
        int32_t *safe = of.out + of.clues;
        if (sapper_proof_conclude(proof, safe, of.safe, of.mined))
            return SAPPER_BAD;
    }
}

int64_t sapper_proof_conclude(sapper_proof *proof, const int32_t *cells, int64_t safe, int64_t mined) {
    if (!in_range(proof) || safe < 0 || mined < 0 || safe + mined > proof->grid->size)
        return SAPPER_BAD;
    for (int64_t i = 0; i < safe + mined; i++)
        if (cells[i] < 0 || cells[i] >= proof->grid->size || !unknown(proof, cells[i]) ||
            (proof->clues[cells[i]] == SAPPER_MINE) != (i >= safe))
            return SAPPER_BAD;
    desk on = desk_of(proof->grid, proof->scratch, NULL);
    for (int64_t i = safe; i < safe + mined; i++)
        if (!proof->is_mined[cells[i]])
            mine(proof, &on, cells[i]);
    reveal(proof, &on, cells, (int32_t)safe);
    return 0;
}
