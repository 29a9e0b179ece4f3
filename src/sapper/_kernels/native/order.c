/* order.c: in what order the groups of a component are eliminated.

   The work is the number of states, which follows the number of clues that are open at once. Greedily next is the group that
   opens the fewest clues, less those it closes; among equals, the one whose clues were opened first. The walk begins at an
   end of the component. Where that looks bad, more costly orders are tried from several beginnings: next is the group after
   which the needs of all clues can have the fewest values together; or row by row. The one whose estimate is least is taken. */
#include "analysis.h"

enum {
    EASY_WORK = 4000, /* sum over the steps of 2 to the power of open clues, up to which the first order is taken */
    HOPELESS = 64,   /* clues open at once from which no order will do: there are far too many states for any cap */
    TRIALS = 12,
    TRIAL_WORK = 25, /* estimated states, for each group, that are worth another order */
};

/* Opens the clues of an eliminated group; the new number of groups in `queue`. */
static int32_t visit(struct work *w, int32_t group, int32_t count) {
    for (int32_t back = w->group[group].start; back < w->group[group + 1].start; back++) {
        struct clue *clue = &w->clue[w->group_clues[back]];
        bool fresh = !clue->slot;
        clue->left--;
        clue->slot = 1;
        if (!fresh && clue->left != 1)
            continue;
        for (int32_t at = clue->first; at < clue[1].first; at++) {
            int32_t number = w->clue_groups[at];
            struct group *other = &w->group[number];
            if (other->open < 0)
                continue;
            if (clue->left == 1)
                other->close++;
            if (!fresh)
                continue;
            if (other->open == other[1].start - other->start)
                w->queue[count++] = number;
            other->open--;
        }
    }
    return count;
}

/* Takes one of the groups that wait, and keeps the order of the others. */
static int32_t take(int32_t *queue, int32_t pick, int32_t count) {
    int32_t taken = queue[pick];
    for (int32_t at = pick; at < count - 1; at++)
        queue[at] = queue[at + 1];
    return taken;
}

/* One greedy order into `order`, beginning at the last group of part_groups[begin:end]; its estimated number of states, 0 if
   more clues are open at once than any order could help. */
static int64_t greedy(struct work *w, int32_t begin, int32_t end) {
    for (int32_t at = begin; at < end; at++) {
        struct group *group = &w->group[w->part_groups[at]];
        group->open = group[1].start - group->start;
        group->close = 0;
        for (int32_t back = group->start; back < group[1].start; back++) {
            struct clue *clue = &w->clue[w->group_clues[back]];
            clue->left = clue[1].first - clue->first;
            clue->slot = 0;
            group->close += clue->left == 1;
        }
    }
    /* Groups beside an open clue, in the order in which they came to be. */
    w->queue[0] = w->part_groups[end - 1];
    int32_t count = 1, open_clues = 0, widest = 0;
    int64_t work = 0;
    for (int32_t step = begin; step < end; step++) {
        int32_t pick = 0, least = INT32_MAX;
        for (int32_t at = 0; at < count; at++) {
            const struct group *group = &w->group[w->queue[at]];
            if (group->open - group->close < least) {
                least = group->open - group->close;
                pick = at;
            }
        }
        int32_t group = w->order[step] = take(w->queue, pick, count--);
        open_clues += least;
        work += (int64_t)1 << smaller(open_clues + w->group[group].open, 40);
        widest = larger(widest, open_clues + w->group[group].open);
        w->group[group].open = -1;
        count = visit(w, group, count);
    }
    return widest < HOPELESS ? work : 0;
}

/* How many values the need of a clue can have, `done` of its cells eliminated and `left` still to come. */
static int32_t values(int32_t need, int32_t done, int32_t left) {
    return larger(1, smaller(need, left) - larger(0, need - done) + 1);
}

/* All groups of the component are still to come: the cells left and done of every clue. */
static void close_all(struct work *w, int32_t begin, int32_t end) {
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t at = begin; at < end; at++) {
            struct group *group = &w->group[w->part_groups[at]];
            group->open = 0;
            for (int32_t back = group->start; back < group[1].start; back++) {
                struct clue *clue = &w->clue[w->group_clues[back]];
                clue->left = pass ? clue->left + group->size : 0;
                clue->slot = 0; /* here: cells done */
            }
        }
}

/* By what the product of the numbers of values of all clues changes if the group is eliminated next. */
static double growth_of(const struct work *w, int32_t number) {
    const struct group *group = &w->group[number];
    double growth = 1.0;
    for (int32_t back = group->start; back < group[1].start; back++) {
        const struct clue *clue = &w->clue[w->group_clues[back]];
        growth *= (double)values(clue->need, clue->slot + group->size, clue->left - group->size) /
                  values(clue->need, clue->slot, clue->left);
    }
    return growth;
}

/* Counts the cells of a group as done; the number of groups in `queue`, with those beside it. */
static int32_t eliminate(struct work *w, int32_t number, int32_t count) {
    const struct group *group = &w->group[number];
    for (int32_t back = group->start; back < group[1].start; back++) {
        struct clue *clue = &w->clue[w->group_clues[back]];
        clue->slot += group->size;
        clue->left -= group->size;
        for (int32_t at = clue->first; at < clue[1].first; at++) {
            int32_t other = w->clue_groups[at];
            if (!w->group[other].open) {
                w->group[other].open = 1;
                w->queue[count++] = other;
            }
        }
    }
    return count;
}

/* Into `order`, next always the group of least growth, from part_groups[first]; the estimated work.
   With a negative `first`, the groups as part_groups lists them. */
static double by_values(struct work *w, int32_t begin, int32_t end, int32_t first) {
    int32_t count = 0;
    double product = 1.0, work = 0.0;
    close_all(w, begin, end);
    if (first >= 0) {
        w->queue[count++] = w->part_groups[first];
        w->group[w->queue[0]].open = 1;
    }
    for (int32_t step = begin; step < end; step++) {
        int32_t group = w->part_groups[step];
        if (first >= 0) {
            int32_t pick = 0;
            double best = 1e300;
            for (int32_t at = 0; at < count; at++) {
                double growth = growth_of(w, w->queue[at]);
                if (growth < best * (1.0 - 1e-9)) {
                    best = growth;
                    pick = at;
                }
            }
            group = take(w->queue, pick, count--);
        }
        product *= growth_of(w, group);
        work += product;
        w->order[step] = group;
        count = eliminate(w, group, count);
    }
    return work;
}

/* Sorts the groups of a component: for a board, that is by rows. */
static void by_number(int32_t *groups, int32_t count) {
    for (int32_t at = 1; at < count; at++) {
        int32_t group = groups[at], place = at;
        for (; place > 0 && groups[place - 1] > group; place--)
            groups[place] = groups[place - 1];
        groups[place] = group;
    }
}

void sapper_order(struct work *w, int32_t begin, int32_t end) {
    if (greedy(w, begin, end) <= EASY_WORK)
        return;
    by_number(w->part_groups + begin, end - begin);
    double best = 1e300;
    int32_t choice = -1;
    for (int32_t trial = -1; trial < TRIALS; trial++) {
        int32_t first = trial >= 0 ? begin + (int32_t)((int64_t)trial * (end - begin) / TRIALS) : -1;
        double work = by_values(w, begin, end, first);
        if (work < best) {
            best = work;
            choice = first;
        }
        if ((double)(trial + 2) * (end - begin) * TRIAL_WORK > best)
            break;
    }
    by_values(w, begin, end, choice);
}
