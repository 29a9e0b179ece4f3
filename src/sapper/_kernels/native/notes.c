#include "notes.h"

#include <string.h>

/* Further bits of a mark: a clue that waits in the queue; a cell that the rules for two clues count as opened or known. */
enum { WAITING = 16, SETTLED = 32 };

static inline const int32_t *near_of(const struct notes *notes, int32_t cell) {
    return notes->near + (int64_t)MOST_NEAR * cell;
}

/* For each neighbour of a cell, by a pointer to its number. */
#define EACH_NEAR(at, cell) (const int32_t *at = near_of(notes, cell), *end = at + MOST_NEAR; at < end; at++)

void sapper_notes_lay_out(struct notes *notes, sapper_arena *arena, const sapper_grid *grid) {
    size_t size = (size_t)grid->size;
    notes->grid = grid;
    TAKE(notes->note, size + 1);
    TAKE(notes->near, (size + 1) * MOST_NEAR);
    TAKE(notes->opened, size);
    TAKE(notes->touched, size);
    TAKE(notes->queue, size);
    if (!arena->base)
        return;
    for (int64_t at = 0; at < ((int64_t)grid->size + 1) * MOST_NEAR; at++)
        notes->near[at] = grid->size;
    for (int32_t cell = 0; cell < grid->size; cell++)
        for (int32_t at = grid->starts[cell]; at < grid->starts[cell + 1]; at++)
            notes->near[(int64_t)MOST_NEAR * cell + at - grid->starts[cell]] = grid->cells[at];
}

void sapper_notes_clear(struct notes *notes) {
    const sapper_grid *grid = notes->grid;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        int16_t near = (int16_t)(grid->starts[cell + 1] - grid->starts[cell]);
        notes->note[cell] = (struct note){.covered_near = near, .unsure = near};
    }
    notes->note[grid->size] = (struct note){0};
    notes->seen_by_one = notes->seen_by_two = notes->touched_count = notes->touched_by_two = 0;
    notes->lowest_by_one = notes->lowest_by_two = notes->queued = notes->stamps = 0;
}

void sapper_notes_copy(struct notes *to, const struct notes *from) {
    struct notes own = *to;
    size_t size = (size_t)from->grid->size;
    *to = *from;
    to->near = own.near;
    to->note = memcpy(own.note, from->note, (size + 1) * sizeof *own.note);
    to->opened = memcpy(own.opened, from->opened, size * sizeof *own.opened);
    to->touched = memcpy(own.touched, from->touched, (size_t)from->touched_count * sizeof *own.touched);
    to->queue = own.queue; /* empty between calls */
}

/* --- one clue at a time --- */

/* A clue whose mines are all known: its other covered neighbours are safe. */
static void open_rest(struct notes *notes, const uint8_t *tiles, int32_t clue) {
    for EACH_NEAR (at, clue) {
        int32_t cell = *at;
        if (tiles[cell] == COVERED && !(notes->note[cell].mark & (MINE_BY_ONE | SAFE_BY_ONE))) {
            notes->note[cell].mark |= SAFE_BY_ONE;
            notes->lowest_by_one = smaller(notes->lowest_by_one, cell);
        }
    }
}

/* All covered neighbours of a clue are mines: says so around them. */
static void mine_all(struct notes *notes, const uint8_t *tiles, int32_t clue) {
    for EACH_NEAR (at, clue) {
        int32_t mine = *at;
        if (tiles[mine] != COVERED || notes->note[mine].mark & MINE_BY_ONE)
            continue;
        notes->note[mine].mark |= MINE_BY_ONE;
        notes->touched[notes->touched_count++] = mine;
        for EACH_NEAR (back, mine) {
            int32_t near = *back;
            if (++notes->note[near].mines_near == tiles[near])
                open_rest(notes, tiles, near);
        }
    }
}

static void note_opened(struct notes *notes, const uint8_t *tiles, int32_t count) {
    struct note *note = notes->note;
    int32_t begin = notes->seen_by_one;
    notes->seen_by_one = count;
    for (int32_t i = begin; i < count; i++)
        for EACH_NEAR (at, notes->opened[i])
            note[*at].covered_near--;
    for (int32_t i = begin; i < count; i++) {
        int32_t cell = notes->opened[i];
        if (tiles[cell]) {
            if (tiles[cell] == note[cell].covered_near)
                mine_all(notes, tiles, cell);
            if (tiles[cell] == note[cell].mines_near)
                open_rest(notes, tiles, cell);
        }
        for EACH_NEAR (at, cell) {
            int32_t near = *at;
            if (tiles[near] == note[near].covered_near && tiles[near] != note[near].mines_near)
                mine_all(notes, tiles, near);
        }
    }
}

/* The lowest covered cell with this bit in its mark, searched from *place on; -1 if there is none. */
static int32_t lowest_safe(const struct notes *notes, const uint8_t *tiles, uint8_t bit, int32_t *place) {
    int32_t cell = *place, size = notes->grid->size;
    while (cell < size && (tiles[cell] != COVERED || !(notes->note[cell].mark & bit)))
        cell++;
    *place = cell;
    return cell < size ? cell : -1;
}

int32_t sapper_lowest_by_one(struct notes *notes, const uint8_t *tiles, int32_t count) {
    note_opened(notes, tiles, count);
    return lowest_safe(notes, tiles, SAFE_BY_ONE, &notes->lowest_by_one);
}

/* --- two clues together --- */

/* Puts a clue that has something to say into the queue, once. */
static void wait_for(struct notes *notes, const uint8_t *tiles, int32_t clue) {
    struct note *note = &notes->note[clue];
    if (tiles[clue] > 0 && tiles[clue] < COVERED && note->unsure && !(note->mark & WAITING)) {
        note->mark |= WAITING;
        notes->queue[notes->queued++] = clue;
    }
}

/* Counts a cell as opened or known (1: as a mine), and lets the clues around it wait to be looked at again. */
static void settle(struct notes *notes, const uint8_t *tiles, int32_t cell, int16_t mine) {
    if (notes->note[cell].mark & SETTLED)
        return;
    notes->note[cell].mark |= SETTLED;
    for EACH_NEAR (at, cell) {
        int32_t clue = *at;
        notes->note[clue].unsure--;
        notes->note[clue].taken += mine;
        wait_for(notes, tiles, clue);
    }
}

/* Whether the rules for two clues say nothing of a cell yet. */
static bool is_open(const struct notes *notes, const uint8_t *tiles, int32_t cell) {
    return tiles[cell] == COVERED && !(notes->note[cell].mark & SETTLED);
}

static void mark_cell(struct notes *notes, const uint8_t *tiles, int32_t cell, uint8_t bit) {
    notes->note[cell].mark |= bit;
    if (bit == SAFE_BY_TWO)
        notes->lowest_by_two = smaller(notes->lowest_by_two, cell);
    settle(notes, tiles, cell, bit == MINE_BY_TWO);
}

/* Marks what only one of two clues touches: the first one's cells with the bit `ours`, the other's with `theirs`. */
static void conclude(struct notes *notes, const uint8_t *tiles, int32_t clue, int32_t other, uint8_t ours, uint8_t theirs) {
    int32_t stamp = ++notes->stamps;
    for EACH_NEAR (at, clue)
        notes->note[*at].stamp = stamp;
    for EACH_NEAR (at, other) {
        int32_t cell = *at;
        if (!is_open(notes, tiles, cell))
            continue;
        if (notes->note[cell].stamp == stamp)
            notes->note[cell].stamp = 0; /* shared: nothing is said of it */
        else
            mark_cell(notes, tiles, cell, theirs);
    }
    for EACH_NEAR (at, clue) {
        int32_t cell = *at;
        if (is_open(notes, tiles, cell) && notes->note[cell].stamp == stamp)
            mark_cell(notes, tiles, cell, ours);
    }
    wait_for(notes, tiles, clue);
}

/* One clue alone, then beside each that shares a cell with it; the last that says something counts. */
static void study(struct notes *notes, const uint8_t *tiles, int32_t clue) {
    struct note *note = notes->note;
    int32_t size = note[clue].unsure, need = tiles[clue] - note[clue].taken, open[MOST_NEAR], count = 0;
    if (size == 0)
        return;
    for EACH_NEAR (at, clue)
        if (is_open(notes, tiles, *at))
            open[count++] = *at;
    if (need == 0 || need == size) {
        for (int32_t i = 0; i < count; i++)
            mark_cell(notes, tiles, open[i], need ? MINE_BY_TWO : SAFE_BY_TWO);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        for EACH_NEAR (at, open[i])
            note[*at].shared++;
    int32_t found = -1;
    uint8_t theirs = 0;
    for (int32_t i = 0; i < count; i++)
        for EACH_NEAR (at, open[i]) {
            const struct note *other = &note[*at];
            /* One that waits will be compared with this one when its turn comes. */
            if (tiles[*at] >= COVERED || other->mark & WAITING)
                continue;
            int32_t only = size - other->shared, rest = other->unsure - other->shared;
            int32_t more = tiles[*at] - other->taken - need;
            if (only + rest && (more == rest || -more == only)) {
                found = *at;
                theirs = more == rest ? MINE_BY_TWO : SAFE_BY_TWO;
            }
        }
    for (int32_t i = 0; i < count; i++)
        for EACH_NEAR (at, open[i])
            note[*at].shared = 0;
    if (found >= 0)
        conclude(notes, tiles, clue, found, MINE_BY_TWO + SAFE_BY_TWO - theirs, theirs);
}

int32_t sapper_lowest_certain(struct notes *notes, const uint8_t *tiles, int32_t count) {
    int32_t cell = sapper_lowest_by_one(notes, tiles, count);
    if (cell >= 0)
        return cell;
    /* Cells that one clue proves safe are open by now, so that only its mines are to be taken over. */
    for (int32_t i = notes->seen_by_two; i < count; i++) {
        settle(notes, tiles, notes->opened[i], 0);
        wait_for(notes, tiles, notes->opened[i]);
    }
    for (int32_t i = notes->touched_by_two; i < notes->touched_count; i++)
        settle(notes, tiles, notes->touched[i], 1);
    notes->seen_by_two = count;
    notes->touched_by_two = notes->touched_count;
    while (notes->queued) {
        int32_t clue = notes->queue[--notes->queued];
        notes->note[clue].mark &= (uint8_t)~WAITING;
        study(notes, tiles, clue);
    }
    return lowest_safe(notes, tiles, SAFE_BY_TWO, &notes->lowest_by_two);
}

int32_t sapper_guess(const struct notes *notes, const uint8_t *tiles, uint8_t mines, sapper_rng *rng) {
    int32_t count = 0, size = notes->grid->size;
    for (int pass = 0; pass < 2 && count == 0; pass++) {
        mines = pass ? 0 : mines;
        for (int32_t cell = 0; cell < size; cell++)
            count += tiles[cell] == COVERED && !(notes->note[cell].mark & mines);
    }
    if (count == 0)
        return -1;
    int32_t left = (int32_t)sapper_below(rng, (uint32_t)count);
    for (int32_t cell = 0; cell < size; cell++)
        if (tiles[cell] == COVERED && !(notes->note[cell].mark & mines) && left-- == 0)
            return cell;
    return -1;
}
