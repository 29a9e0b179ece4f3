/* drawing.c: a layout is drawn by going back through the numbers of layouts that the analysis has left: the mines of all
   components together by the weights at the root of the product tree, those of each component down the tree, those of each group
   from the last layer to the first, which cells of the group have them, and at last those of the interior. Every choice is made
   in proportion to the layouts that it leads to, so that each layout is as likely as any other. */
#include "analysis.h"

/* A number from 0 up to, not including, 1. */
static double fraction(sapper_rng *rng) {
    return (double)(sapper_next(rng) >> 11) * 0x1p-53;
}

/* How much of `total` is the left one's, of two polynomials in the tree; -1 if nothing fits. */
static int32_t split_node(const struct states *st, const struct node *left, const struct node *right, int32_t total,
                          sapper_rng *rng) {
    const double *ones = st->tree + left->at, *others = st->tree + right->at;
    int32_t first = larger(0, total - right->size + 1), last = smaller(left->size - 1, total);
    double whole = 0.0;
    for (int32_t j = first; j <= last; j++)
        whole += ones[j] * others[total - j];
    double aim = fraction(rng) * whole;
    for (int32_t j = first; j <= last; j++) {
        aim -= ones[j] * others[total - j];
        if (aim < 0.0)
            return j;
    }
    return first <= last ? last : -1;
}

/* Draws how many mines each component has, into `queue` (by node of the tree). */
static void share_out(struct work *w, const struct states *st, sapper_rng *rng) {
    int32_t top = 2 * w->parts - 2, total = -1, *mines = w->queue;
    const struct node *root = &w->node[top];
    double whole = 0.0;
    for (int32_t i = 0; i < root->size; i++)
        whole += st->tree[root->at + i] * st->tree_rest[root->at + i];
    double aim = fraction(rng) * whole;
    for (int32_t i = 0; i < root->size && aim >= 0.0; i++) {
        double term = st->tree[root->at + i] * st->tree_rest[root->at + i];
        if (term > 0.0) {
            total = i;
            aim -= term;
        }
    }
    mines[top] = root->low + total;
    for (int32_t at = top; at >= w->parts; at--) {
        const struct node *left = &w->node[2 * (at - w->parts)], *right = left + 1;
        int32_t more = split_node(st, left, right, mines[at] - left->low - right->low, rng);
        mines[2 * (at - w->parts)] = left->low + more;
        mines[2 * (at - w->parts) + 1] = mines[at] - left->low - more;
    }
}

/* A move, and the state that it is made from. */
struct step {
    int32_t state, mines; /* state: -1 if there is none */
    double whole;         /* the layouts of all moves */
};

/* Of the moves from a layer that lead to a state with so many mines, the one at which the sum of the layouts passes `aim`. */
static struct step step_into(const struct states *st, const struct layer *layer, int32_t state, int32_t mines,
                             const double *weights, double aim) {
    struct step step = {-1, 0, 0.0};
    for (int32_t from = layer->first; from < layer[1].first; from++) {
        const struct state *one = &st->state[from];
        for (int32_t edge = one->edge, k = one->fewest; edge < one[1].edge; edge++, k++) {
            int32_t rest = mines - k - one->low;
            if (st->edge[edge] != state || rest < 0 || rest > one->high - one->low)
                continue;
            double term = weights[k] * st->ways[one->ways + rest];
            if (term > 0.0 && step.whole <= aim) {
                step.state = from;
                step.mines = k;
            }
            step.whole += term;
        }
    }
    return step;
}

/* Draws how many mines each group of a component has, into `need`; false if the memory does not fit. */
static bool walk_back(struct work *w, const struct states *st, const struct part *part, int32_t mines, sapper_rng *rng) {
    const struct layer *layer = &w->layer[part->last];
    int32_t state = part->final - 1;
    for (int32_t at = part->end - 1; at >= part->begin; at--) {
        struct group *group = &w->group[w->order[at]];
        double weights[GROUP_MOST + 1];
        sapper_weights(group->size, w->tilt, weights);
        layer--;
        /* A layer's numbers are divided by a common power of two that is not kept: their sum comes first. */
        double whole = step_into(st, layer, state, mines, weights, 0.0).whole;
        struct step step = step_into(st, layer, state, mines, weights, fraction(rng) * whole);
        if (step.state < 0)
            return false;
        group->close = step.mines; /* here: its mines */
        mines -= step.mines;
        state = step.state;
    }
    return true;
}

bool sapper_sample_layout(
    sapper_analyser *analyser, const uint8_t *tiles, const uint8_t *mark, int32_t mines, sapper_rng *rng, uint8_t *mapped) {
    struct work *w = &analyser->work;
    const struct states *st = sapper_latest_states(analyser);
    if (w->parts)
        share_out(w, st, rng);
    for (int32_t at = 0; at < w->parts; at++)
        if (!walk_back(w, st, &w->part[at], w->queue[at], rng))
            return false;
    for (int32_t group = 0; group < w->groups; group++) {
        if (w->group[group].need >= 0)
            w->group[group].close = w->group[group].need;
        w->group[group].open = w->group[group].size; /* here: its cells that are still to come */
    }
    for (int32_t cell = 0; cell < w->grid.size; cell++) {
        mapped[cell] = 0;
        if (tiles[cell] != COVERED)
            continue;
        if (w->group_of[cell]) {
            /* The cells of a group one after the other: each is as likely to have one of the mines that are left. */
            struct group *group = &w->group[w->group_of[cell] - 1];
            mapped[cell] = (int32_t)sapper_below(rng, (uint32_t)group->open--) < group->close;
            group->close -= mapped[cell];
        } else {
            mapped[cell] = mark[cell] == MINED;
        }
        mines -= mapped[cell];
    }
    int32_t interior = w->interior;
    for (int32_t cell = 0; cell < w->grid.size; cell++) {
        if (tiles[cell] != COVERED || mark[cell] != UNKNOWN || w->group_of[cell])
            continue;
        if (mines > 0 && (int32_t)sapper_below(rng, (uint32_t)interior) < mines) {
            mapped[cell] = 1;
            mines--;
        }
        interior--;
    }
    return mines == 0;
}
