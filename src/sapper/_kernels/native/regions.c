/* regions.c: how many layouts the smallest region of a board has, so that larger ones need not be counted exactly.

   A region is a part of a board that what is revealed elsewhere says nothing about, and that says nothing about elsewhere
   (`reference.layouts`). Its units are components and the interior. Units whose number of mines is not the same in every layout
   belong together, and so do those beside one cell that can still be revealed. The layouts of a board are all combinations of
   its regions' layouts. */
#include "analysis.h"

#include <math.h>

/* Units: parts, then groups that are components of their own, then the interior. */
struct units {
    int32_t *root;  /* of each unit, another of its region; itself if it stands for the region */
    int32_t *of;    /* of each group, its unit */
    int32_t *lone;  /* the groups that are components of their own */
    int32_t count;
    int32_t loose;  /* a unit whose number of mines is not fixed, -1 if there is none */
};

static int32_t root_of(int32_t *root, int32_t unit) {
    while (root[unit] != unit)
        unit = root[unit] = root[root[unit]];
    return unit;
}

static void join(struct units *units, int32_t one, int32_t other) {
    units->root[root_of(units->root, one)] = root_of(units->root, other);
}

static void hold_together(struct units *units, int32_t unit) {
    if (units->loose >= 0)
        join(units, unit, units->loose);
    units->loose = unit;
}

/* The unit of a cell that is not certain, -1 for any other. */
static int32_t unit_of(const struct work *w, const struct units *units, const uint8_t *tiles, const uint8_t *mark,
                       int32_t cell) {
    if (!is_hidden(tiles[cell]) || mark[cell] != UNKNOWN)
        return -1;
    return w->group_of[cell] ? units->of[w->group_of[cell] - 1] : units->count - 1;
}

/* Joins the units beside each cell that can still be revealed. */
static void join_neighbours(const struct work *w, struct units *units, const sapper_grid *table, const uint8_t *tiles,
                            const uint8_t *mark) {
    for (int32_t cell = 0; cell < table->size; cell++) {
        if (!is_hidden(tiles[cell]) || mark[cell] == MINED)
            continue;
        int32_t first = unit_of(w, units, tiles, mark, cell);
        FOR_NEAR(table, cell, near) {
            int32_t unit = unit_of(w, units, tiles, mark, near);
            if (unit >= 0 && first >= 0 && unit != first)
                join(units, unit, first);
            first = first >= 0 ? first : unit;
        }
    }
}

/* The natural logarithm of the layouts of a component that has its only number of mines. */
static double log_ways(const struct work *w, const struct states *st, const struct part *part, int32_t mines) {
    double ways = st->ways[st->state[part->final - 1].ways + mines - part->low];
    return log(ways) + part->power * log(2.0) - mines * log(w->tilt);
}

double sapper_smallest_region(
    sapper_analyser *analyser, const sapper_grid *table, const uint8_t *tiles, int32_t mines, int32_t trust, int32_t cap) {
    struct work *w = &analyser->work;
    uint8_t *mark = analyser->mark;
    if (table->size != w->grid.size || table->size >= analyser->states.reals)
        return -1.0;
    if (sapper_solve(analyser, tiles, mines, trust, cap, mark) != OK)
        return -1.0;
    const struct states *st = sapper_latest_states(analyser);
    for (int32_t cell = 0; cell < table->size; cell++)
        if (is_hidden(tiles[cell]) && mark[cell] == UNKNOWN)
            mark[cell] = (uint8_t)(w->group_of[cell] ? w->group[w->group_of[cell] - 1].mark : w->inside);
    /* These lists of the analysis are free by now. */
    struct units units = {w->queue, w->part_groups, w->part_start, w->parts, -1};
    for (int32_t group = 0; group < w->groups; group++)
        if (w->group[group].need >= 0) {
            units.lone[units.count - w->parts] = group;
            units.of[group] = units.count++;
        }
    units.count++;
    for (int32_t unit = 0; unit < units.count; unit++)
        units.root[unit] = unit;
    const uint64_t *wide = w->wide;
    for (int32_t at = 0; at < w->parts; at++) {
        struct part *part = &w->part[at];
        int32_t numbers = 0;
        for (int32_t words = (part->high - part->low) / WORD + 1; words; words--)
            numbers += bit_count(*wide++);
        part->is_fixed = numbers == 1;
        for (int32_t i = part->begin; i < part->end; i++)
            units.of[w->order[i]] = at;
        if (!part->is_fixed)
            hold_together(&units, at);
    }
    bool is_fixed = w->inside_bounds[0] == w->inside_bounds[1];
    if (!is_fixed)
        hold_together(&units, units.count - 1);
    join_neighbours(w, &units, table, tiles, mark);
    /* The layouts of each region, at the unit that stands for it: what is fixed is known, and what is loose has the rest. */
    double *layouts = st->tree_rest, rest = w->log_census;
    for (int32_t unit = 0; unit < units.count; unit++)
        layouts[unit] = 0.0;
    wide = w->wide;
    for (int32_t unit = 0; unit < units.count; unit++) {
        double log_layouts = 0.0;
        if (unit < w->parts) {
            const struct part *part = &w->part[unit];
            int32_t low = 0, words = (part->high - part->low) / WORD + 1;
            for (; part->is_fixed && !wide[low / WORD]; low += WORD)
                continue;
            if (part->is_fixed)
                log_layouts = log_ways(w, st, part, part->low + low + lowest_bit(wide[low / WORD]));
            wide += words;
        } else if (unit < units.count - 1) {
            const struct group *group = &w->group[units.lone[unit - w->parts]];
            log_layouts = sapper_log_binomial(group->size, group->need);
        } else if (is_fixed) {
            log_layouts = sapper_log_binomial(w->interior, w->inside_bounds[0]);
        }
        layouts[root_of(units.root, unit)] += log_layouts;
        rest -= log_layouts;
    }
    if (units.loose >= 0)
        layouts[root_of(units.root, units.loose)] += rest;
    double smallest = INFINITY;
    for (int32_t unit = 0; unit < units.count; unit++)
        if (layouts[unit] > 0.5 && layouts[unit] < smallest) /* more than one, that is two at least */
            smallest = layouts[unit];
    return smallest;
}
