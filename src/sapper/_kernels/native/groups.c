/* groups.c: groups, which are cells in the same constraints, and components, which are clues that share no cell with others.

   Groups come from refining one class of all cells by each clue in turn: exact, and linear in the number of pairs of clue
   and cell. The order of a component's groups is that of a walk in breadth, whose last group lies at an end of it. */
#include <string.h>

#include "analysis.h"

/* Turns the groups of each clue into the clues of each group. */
static void transpose(struct work *w) {
    int32_t total = 0;
    for (int32_t group = 0; group < w->groups; group++)
        w->group[group].start = total += w->group[group].start;
    w->group[w->groups].start = total;
    for (int32_t clue = w->clues - 1; clue >= 0; clue--)
        for (int32_t at = w->clue[clue].first; at < w->clue[clue + 1].first; at++)
            w->group_clues[--w->group[w->clue_groups[at]].start] = clue;
}

void sapper_find_groups(struct work *w) {
    struct clue *clues = w->clue;
    struct cell_class *classes = w->cell_class;
    int32_t *of = w->group_of, *cells = w->clue_cells, count = 1;
    memset(of, 0, sizeof *of * (size_t)w->grid.size);
    classes[0] = (struct cell_class){.stamp = -1};
    for (int32_t clue = 0; clue < w->clues; clue++)
        for (int32_t at = clues[clue].start; at < clues[clue + 1].start; at++) {
            struct cell_class *old = &classes[of[cells[at]]];
            if (old->stamp != clue) {
                old->stamp = clue;
                old->child = count;
                classes[count++] = (struct cell_class){.stamp = -1, .group = -1};
            }
            of[cells[at]] = old->child;
            old->size--;
            classes[old->child].size++;
        }
    int32_t groups = 0, end = 0;
    for (int32_t clue = 0; clue < w->clues; clue++) {
        clues[clue].first = end;
        for (int32_t at = clues[clue].start; at < clues[clue + 1].start; at++) {
            struct cell_class *of_cell = &classes[of[cells[at]]];
            if (of_cell->group < 0) {
                of_cell->group = groups;
                w->group[groups++] = (struct group){.size = of_cell->size, .open = -1, .need = -1};
            }
            struct group *group = &w->group[of_cell->group];
            if (group->open != clue) { /* here: the last clue that has met it */
                group->open = clue;
                group->start++; /* here: how many have */
                w->clue_groups[end++] = of_cell->group;
            }
        }
    }
    clues[w->clues].first = end;
    w->groups = groups;
    transpose(w);
    /* From classes to groups. A cell of several clues is met several times: its class is marked by its complement first. */
    int32_t pairs = clues[w->clues].start;
    for (int32_t at = 0; at < pairs; at++)
        if (of[cells[at]] > 0)
            of[cells[at]] = ~of[cells[at]];
    for (int32_t at = 0; at < pairs; at++)
        if (of[cells[at]] < 0)
            of[cells[at]] = classes[~of[cells[at]]].group + 1;
}

int32_t sapper_find_parts(struct work *w) {
    int32_t *queue = w->queue, parts = 0, end = 0;
    for (int32_t group = 0; group < w->groups; group++)
        w->group[group].open = 0; /* here: whether it is listed */
    for (int32_t clue = 0; clue < w->clues; clue++)
        w->clue[clue].part = -1;
    for (int32_t seed = 0; seed < w->clues; seed++) {
        if (w->clue[seed].part >= 0)
            continue;
        w->part_start[parts] = end;
        w->clue[seed].part = parts;
        queue[0] = seed;
        for (int32_t head = 0, tail = 1; head < tail; head++)
            for (int32_t at = w->clue[queue[head]].first; at < w->clue[queue[head] + 1].first; at++) {
                int32_t group = w->clue_groups[at];
                if (w->group[group].open)
                    continue;
                w->group[group].open = 1;
                w->part_groups[end++] = group;
                for (int32_t back = w->group[group].start; back < w->group[group + 1].start; back++) {
                    struct clue *near = &w->clue[w->group_clues[back]];
                    if (near->part < 0) {
                        near->part = parts;
                        queue[tail++] = w->group_clues[back];
                    }
                }
            }
        parts++;
    }
    w->part_start[parts] = end;
    return parts;
}
