/* analysis.c: one board: from its tiles to the chance of a mine in every covered cell. */
#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

enum {
    ATTEMPTS = 3,
    PLANE_PAIRS = 4,          /* pairs of a clue and a covered neighbour, a cell of a rectangle: 8 for every clue and for every
                                 covered cell, and a cell is not both */
    STATES_AT_FIRST = 20000,  /* states for which there is memory before anybody knows how many there are */
    MOST_STATES = 16 << 20,   /* of one board; 8 numbers for each are counted by 32 bits */
};

/* --- memory --- */

static void lay_out_states(sapper_arena *arena, void *of) {
    struct states *st = of;
    st->edges = 4 * st->room;
    st->reals = 8 * st->room;
    TAKE(st->state, st->room);
    TAKE(st->edge, st->edges);
    TAKE(st->table, st->edges);
    TAKE(st->reach, st->edges);
    TAKE(st->back, st->edges);
    TAKE(st->ways, st->reals);
    TAKE(st->rest, st->reals);
    TAKE(st->tree, st->reals);
    TAKE(st->tree_rest, st->reals);
}

/* The neighbours of every cell of a rectangle. */
static void fill_table(int32_t *starts, int32_t *cells, int32_t width, int32_t height) {
    int32_t end = 0;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            starts[y * width + x] = end;
            for (int32_t row = larger(y - 1, 0); row <= smaller(y + 1, height - 1); row++)
                for (int32_t column = larger(x - 1, 0); column <= smaller(x + 1, width - 1); column++)
                    if (row != y || column != x)
                        cells[end++] = row * width + column;
        }
    starts[width * height] = end;
}

static void lay_out_work(sapper_arena *arena, void *of) {
    sapper_analyser *analyser = of;
    struct work *w = &analyser->work;
    size_t size = (size_t)w->grid.size + 2, pairs = (size_t)w->pairs;
    TAKE(analyser->mark, size);
    if (!w->grid.width && !w->grid.starts) {
        TAKE(analyser->starts, size);
        TAKE(analyser->cells, 8 * size);
    }
    if (w->grid.width) {
        TAKE(w->rows, 5 * ((size_t)w->height + 4));
    } else {
        TAKE(w->worklist, size);
        TAKE(w->kind, size);
        TAKE(w->waits, size);
    }
    TAKE(w->group_of, size);
    TAKE(w->clue, size);
    TAKE(w->clue_cells, pairs);
    TAKE(w->clue_groups, pairs);
    TAKE(w->group_clues, pairs);
    TAKE(w->cell_class, pairs + 1);
    TAKE(w->group, size);
    TAKE(w->part_start, size);
    TAKE(w->part_groups, size);
    TAKE(w->order, size);
    TAKE(w->queue, size);
    TAKE(w->part, size);
    TAKE(w->layer, 2 * size);
    TAKE(w->node, 2 * size);
    TAKE(w->wide, 2 * size);
}

static bool make_states(struct states *st, int32_t room) {
    st->room = room;
    return sapper_allocate(lay_out_states, st);
}

sapper_analyser *sapper_analyser_new(const sapper_grid *grid, int64_t entries) {
    bool by_rows = grid->width && grid->width <= WIDEST, own_table = !by_rows && !grid->starts;
    if (grid->starts) {
        if (sapper_grid_check(grid, entries))
            return NULL;
    } else if (grid->size < 1 || grid->size > SAPPER_MOST_CELLS || grid->width < 1 || grid->size % grid->width) {
        return NULL;
    }
    sapper_analyser *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    struct work *w = &made->work;
    w->grid = *grid;
    w->height = grid->width ? grid->size / grid->width : 0;
    if (!by_rows)
        w->grid.width = 0;
    w->pairs = grid->width ? PLANE_PAIRS * (int64_t)grid->size + 8 : entries + 2;
    made->memory = sapper_allocate(lay_out_work, made);
    if (!made->memory || !make_states(&made->states, STATES_AT_FIRST)) {
        sapper_analyser_free(made);
        return NULL;
    }
    if (own_table) {
        fill_table(made->starts, made->cells, grid->width, w->height);
        w->grid.starts = made->starts;
        w->grid.cells = made->cells;
    }
    return made;
}

void sapper_analyser_free(sapper_analyser *analyser) {
    if (!analyser)
        return;
    free(analyser->states.state); /* the first part of its block */
    free(analyser->more.state);
    free(analyser->memory);
    free(analyser);
}

/* --- solving --- */

/* What all clues of a component of one group need; -1 where they differ. */
static int32_t lone_need(const struct work *w, const struct group *group) {
    int32_t need = w->clue[w->group_clues[group->start]].need;
    for (int32_t at = group->start + 1; at < group[1].start; at++)
        if (w->clue[w->group_clues[at]].need != need)
            return -1;
    return need <= group->size ? need : -1;
}

/* Groups, components and their states. A component of one group is solved at once; log_census gets the ways of those. */
static int split(struct work *w, struct states *st, int32_t cap) {
    w->ways_used = w->reach_used = w->most_ways = w->most_reach = 0;
    w->lone_mines = w->lone_cells = w->parts = w->states = 0;
    w->log_census = 0.0;
    sapper_find_groups(w);
    int32_t all = sapper_find_parts(w), layer = 0;
    w->interior = w->undetermined;
    for (int32_t group = 0; group < w->groups; group++)
        w->interior -= w->group[group].size;
    for (int32_t at = 0; at < all; at++) {
        int32_t begin = w->part_start[at], end = w->part_start[at + 1];
        if (end - begin == 1) {
            struct group *group = &w->group[w->part_groups[begin]];
            group->need = lone_need(w, group);
            if (group->need < 0)
                return CONTRADICTION;
            group->mark = UNKNOWN;
            group->chance = (double)group->need / group->size;
            w->lone_mines += group->need;
            w->lone_cells += group->size;
            w->log_census += sapper_log_binomial(group->size, group->need);
            continue;
        }
        sapper_order(w, begin, end);
        struct part *part = &w->part[w->parts];
        *part = (struct part){.begin = begin, .end = end, .layer = layer};
        int status = sapper_expand(w, st, part, w->states, cap);
        if (status != OK)
            return status;
        layer = part->last + 1;
        w->states = part->final;
        w->parts++;
    }
    return 2 * (int64_t)larger(w->most_ways, 1) <= st->reals && 2 * (int64_t)larger(w->most_reach, 1) <= st->edges ? OK : GROW;
}

/* From the open clues to the chances of groups and of the interior. */
static int solve(struct work *w, struct states *st, int32_t mines, int32_t cap) {
    if (mines < 0 || mines > w->undetermined)
        return CONTRADICTION;
    int status = split(w, st, cap);
    if (status != OK)
        return status;
    mines -= w->lone_mines;
    double lone_ways = w->log_census;
    int32_t *bounds = w->inside_bounds;
    status = sapper_totals(w, st, mines, bounds);
    if (status != OK)
        return status;
    w->inside = bounds[1] == 0 ? SAFE : bounds[0] == w->interior ? MINED : UNKNOWN;
    w->tilt = 1.0;
    if (w->parts == 0) {
        w->log_census = sapper_log_binomial(w->interior, mines);
        w->inside_chance = w->interior ? (double)mines / w->interior : 0.0;
    } else {
        int32_t cells = w->undetermined - w->lone_cells;
        w->tilt = sapper_round_tilt(fmax(mines, 0.5) / fmax(cells - mines, 0.5));
        status = LOST;
        for (int attempt = 0; attempt < ATTEMPTS && status == LOST; attempt++) {
            if (attempt)
                w->tilt = sapper_better_tilt(w, st, mines);
            status = sapper_weigh(w, st, mines, bounds[1]);
        }
    }
    w->log_census += lone_ways;
    if (w->inside != UNKNOWN)
        w->inside_chance = w->inside == MINED;
    return status;
}

int sapper_solve(
    sapper_analyser *analyser, const uint8_t *tiles, int32_t mines, bool trust, int32_t cap, uint8_t *mark) {
    struct work *w = &analyser->work;
    struct states *more = &analyser->more;
    free(more->state);
    more->state = NULL;
    int status = sapper_scan(w, tiles, trust, mark);
    if (status != OK)
        return status;
    int32_t most = smaller(cap, MOST_STATES);
    status = solve(w, &analyser->states, mines - w->known, most);
    for (int64_t room = 8 * STATES_AT_FIRST; status == GROW; room *= 8) {
        /* For this board alone, to draw layouts from, too. The system gives memory only as it is touched. */
        free(more->state);
        more->state = NULL;
        room = room > INT32_MAX / 8 ? INT32_MAX / 8 : room;
        if (!make_states(more, (int32_t)room))
            return SAPPER_MEMORY;
        status = solve(w, more, mines - w->known, most);
        if (status == GROW && (room > 16 * (int64_t)most || room == INT32_MAX / 8))
            status = LOST;
    }
    return status == CAPPED && most < cap ? LOST : status;
}

const struct states *sapper_latest_states(const sapper_analyser *analyser) {
    return analyser->more.state ? &analyser->more : &analyser->states;
}

void sapper_report(
    const sapper_analyser *analyser, const uint8_t *tiles, uint8_t *mark, double *chance, sapper_found *found) {
    const struct work *w = &analyser->work;
    int32_t safe = 0;
    double least = 2.0, uncertain[2] = {2.0, 2.0};
    for (int32_t cell = 0; cell < w->grid.size; cell++) {
        if (!is_hidden(tiles[cell])) {
            chance[cell] = NAN;
            continue;
        }
        if (mark[cell] == UNKNOWN) {
            const struct group *group = &w->group[w->group_of[cell] - 1];
            mark[cell] = (uint8_t)(w->group_of[cell] ? group->mark : w->inside);
            chance[cell] = w->group_of[cell] ? group->chance : w->inside_chance;
            if (mark[cell] == UNKNOWN && chance[cell] < uncertain[1]) {
                bool first = chance[cell] < uncertain[0];
                uncertain[1] = first ? uncertain[0] : chance[cell];
                uncertain[0] = first ? chance[cell] : uncertain[0];
            }
        } else {
            chance[cell] = mark[cell] == MINED;
        }
        safe += mark[cell] == SAFE;
        least = chance[cell] < least ? chance[cell] : least;
    }
    int32_t lowest = 0;
    while (lowest < w->grid.size && !(chance[lowest] <= least + TIE))
        lowest++;
    *found = (sapper_found){
        .status = OK,
        .lowest = lowest < w->grid.size ? lowest : -1,
        .safe = safe,
        .states = w->states,
        .log_census = w->log_census / log(10.0),
        .least = uncertain[0] > 1.0 ? NAN : uncertain[0],
        .second = uncertain[0] > 1.0 ? NAN : uncertain[1] > 1.0 ? uncertain[0] : uncertain[1],
        .inside_chance = w->interior ? w->inside_chance : NAN,
    };
}

/* --- for callers from Python --- */

/* The cells that have a mark, SAFE or MINED, a bit each. */
static void pack(const uint8_t *mark, int32_t size, uint8_t wanted, uint8_t *bits) {
    for (int32_t cell = 0; cell < size; cell += 8) {
        uint64_t eight = 0;
        memcpy(&eight, mark + cell, (size_t)smaller(8, size - cell));
        bits[cell / 8] = (uint8_t)gather_lowest(eight >> (wanted == MINED) & EACH); /* SAFE is 1, MINED 2 */
    }
}

int32_t sapper_analyse(sapper_analyser *analyser, int32_t boards, const uint8_t *tiles, const int32_t *mines, int32_t trust,
                       int32_t cap, sapper_found *found, double *chance, uint8_t *safe, uint8_t *mined,
                       uint8_t *interior) {
    int32_t size = analyser->work.grid.size;
    if (boards < 0 || cap < 0)
        return SAPPER_BAD;
    for (int32_t board = 0; board < boards; board++) {
        int status = sapper_solve(analyser, tiles, mines[board], trust, cap, analyser->mark);
        if (status == SAPPER_MEMORY)
            return SAPPER_MEMORY;
        *found = (sapper_found){.status = status, .lowest = -1};
        if (status == OK) {
            sapper_report(analyser, tiles, analyser->mark, chance, found);
            pack(analyser->mark, size, SAFE, safe);
            pack(analyser->mark, size, MINED, mined);
            for (int32_t at = 0; at < (size + 7) / 8; at++)
                interior[at] = 0;
            if (analyser->work.inside == UNKNOWN)
                for (int32_t cell = 0; cell < size; cell++)
                    if (is_hidden(tiles[cell]) && analyser->mark[cell] == UNKNOWN)
                        interior[cell / 8] |= (uint8_t)(!analyser->work.group_of[cell] << cell % 8);
        }
        tiles += size;
        chance += size;
        found++;
        safe += (size + 7) / 8;
        mined += (size + 7) / 8;
        interior += (size + 7) / 8;
    }
    return 0;
}
