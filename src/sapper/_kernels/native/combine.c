/* combine.c: all components and the interior together: what each looks like from the others.

   The polynomials of the components are multiplied in a tree, two by two; then the weights of the rest of the board are
   handed down it, from the interior's binomial at the root to every component. Leaves are the nodes 0 to L - 1; node L + j is
   the product of nodes 2j and 2j + 1. Where a polynomial is long, what is below 1e-140 of its greatest coefficient is cut off
   at its ends.

   Which numbers of mines are possible is found with integers: mostly every component can have any number between its least
   and its most, and sums of intervals are intervals. Where one cannot (1 or 3, say, but not 2), the tree is run over 0.0 and
   1.0 alone, where floats are exact, and never cut. */
#include <math.h>
#include <string.h>

#include "analysis.h"

#define CUT 1e-140
#define LEAST 1e-60 /* the least share of the greatest product that a sum may be where polynomials were cut */
enum { LONG = 64 };

double sapper_round_tilt(double odds) {
    int power;
    double mantissa = frexp(odds < 1e-12 ? 1e-12 : odds > 1e12 ? 1e12 : odds, &power);
    return ldexp(nearbyint(mantissa * 32.0), power - 5);
}

double sapper_log_binomial(int32_t total, int32_t chosen) {
    if (chosen == 0 || chosen == total)
        return 0.0;
    return lgamma(total + 1.0) - lgamma(chosen + 1.0) - lgamma(total - chosen + 1.0);
}

static int32_t size_of(const struct part *part) {
    return part->high - part->low + 1;
}

/* Makes what is positive 1.0. */
static void flatten(double *values, int32_t count) {
    for (int32_t at = 0; at < count; at++)
        values[at] = values[at] > 0.0 ? 1.0 : 0.0;
}

/* Leaves out the ends of a node's polynomial that are too small to matter. */
static void cut(const double *tree, struct node *node) {
    int32_t begin = node->at, end = node->at + node->size;
    double greatest = 0.0;
    for (int32_t at = begin; at < end; at++)
        greatest = tree[at] > greatest ? tree[at] : greatest;
    while (tree[begin] < greatest * CUT)
        begin++;
    while (tree[end - 1] < greatest * CUT)
        end--;
    *node = (struct node){node->low + begin - node->at, end - begin, begin};
}

/* Fills the inner nodes, after the leaves that end at `end`; `exponent` is what was taken out of them, in powers of two.
   `sets`: coefficients are 0.0 or 1.0 and stand for sets. False without room. */
static bool multiply_up(struct work *w, struct states *st, int64_t end, bool sets, int *exponent) {
    int32_t leaves = w->parts;
    *exponent = 0;
    for (int32_t at = leaves; at < 2 * leaves - 1; at++) {
        const struct node *long_one = &w->node[2 * (at - leaves)], *short_one = long_one + 1;
        if (long_one->size < short_one->size) {
            const struct node *other = long_one;
            long_one = short_one;
            short_one = other;
        }
        int32_t size = long_one->size + short_one->size - 1;
        if (end + size > st->reals)
            return false;
        double *product = st->tree + end;
        memset(product, 0, sizeof *product * (size_t)size);
        for (int32_t j = 0; j < short_one->size; j++) {
            double factor = st->tree[short_one->at + j];
            if (factor == 0.0)
                continue;
            for (int32_t i = 0; i < long_one->size; i++)
                product[j + i] += factor * st->tree[long_one->at + i];
        }
        struct node *node = &w->node[at];
        *node = (struct node){long_one->low + short_one->low, size, (int32_t)end};
        if (sets)
            flatten(product, size);
        else
            *exponent += sapper_rescale(product, size);
        if (size > LONG && !sets)
            cut(st->tree, node);
        end = node->at + node->size;
    }
    return true;
}

/* From the weights at the root to those at the leaves, in tree_rest. */
static void hand_down(struct work *w, struct states *st, bool sets) {
    int32_t leaves = w->parts;
    for (int32_t at = 2 * leaves - 2; at >= leaves; at--) {
        const struct node *node = &w->node[at], *pair = &w->node[2 * (at - leaves)];
        for (int32_t side = 0; side < 2; side++) {
            const struct node *child = &pair[side], *other = &pair[1 - side];
            double *rest = st->tree_rest + child->at;
            const double *source = st->tree_rest + node->at;
            memset(rest, 0, sizeof *rest * (size_t)child->size);
            int32_t slide = child->low + other->low - node->low;
            for (int32_t j = 0; j < other->size; j++) {
                double factor = st->tree[other->at + j];
                if (factor == 0.0)
                    continue;
                int32_t last = smaller(child->size, node->size - slide - j);
                for (int32_t i = larger(0, -slide - j); i < last; i++)
                    rest[i] += factor * source[slide + j + i];
            }
            if (sets)
                flatten(rest, child->size);
            else
                sapper_rescale(rest, child->size);
        }
    }
}

/* --- which numbers of mines are possible --- */

/* The bits from `begin` up to, not including, `end`, of a word. */
static uint64_t span(int32_t begin, int32_t end) {
    begin = larger(begin, 0);
    end = smaller(end, WORD);
    return begin < end ? UINT64_MAX >> (WORD - (end - begin)) << begin : 0;
}

static const uint64_t *reach_of(const struct work *w, const struct states *st, const struct part *part) {
    return st->reach + w->layer[part->last].reach;
}

/* Whether a component can have every number of mines from its least to its most. */
static bool is_interval(const struct part *part, const uint64_t *reach) {
    for (int32_t size = size_of(part); size > 0; size -= WORD)
        if (*reach++ != span(0, size))
            return false;
    return true;
}

static int totals_by_tree(struct work *w, struct states *st, int32_t mines, int32_t bounds[2]) {
    int64_t end = 0;
    int exponent;
    for (int32_t at = 0; at < w->parts; at++) {
        const struct part *part = &w->part[at];
        const uint64_t *reach = reach_of(w, st, part);
        if (end + size_of(part) > st->reals)
            return GROW;
        w->node[at] = (struct node){part->low, size_of(part), (int32_t)end};
        for (int32_t i = 0; i < size_of(part); i++)
            st->tree[end++] = (double)(reach[i / WORD] >> i % WORD & 1);
    }
    if (!multiply_up(w, st, end, true, &exponent))
        return GROW;
    const struct node *root = &w->node[2 * w->parts - 2];
    bounds[0] = w->interior + 1;
    bounds[1] = -1;
    for (int32_t i = 0; i < root->size; i++) {
        int32_t left = mines - root->low - i;
        bool fits = left >= 0 && left <= w->interior && st->tree[root->at + i] > 0.0;
        st->tree_rest[root->at + i] = fits ? 1.0 : 0.0;
        if (fits) {
            bounds[0] = smaller(bounds[0], left);
            bounds[1] = larger(bounds[1], left);
        }
    }
    if (bounds[1] < 0)
        return CONTRADICTION;
    hand_down(w, st, true);
    uint64_t *wide = w->wide;
    for (const struct node *node = w->node; node < w->node + w->parts; node++) {
        int32_t words = (node->size - 1) / WORD + 1;
        memset(wide, 0, sizeof *wide * (size_t)words);
        for (int32_t i = 0; i < node->size; i++)
            if (st->tree_rest[node->at + i] > 0.0)
                wide[i / WORD] |= (uint64_t)1 << i % WORD;
        wide += words;
    }
    return OK;
}

int sapper_totals(struct work *w, struct states *st, int32_t mines, int32_t bounds[2]) {
    int32_t low = 0, high = 0;
    bool whole = true;
    for (const struct part *part = w->part; part < w->part + w->parts; part++) {
        low += part->low;
        high += part->high;
        whole = whole && is_interval(part, reach_of(w, st, part));
    }
    bounds[0] = larger(0, mines - high);
    bounds[1] = smaller(w->interior, mines - low);
    if (bounds[0] > bounds[1])
        return CONTRADICTION;
    if (!whole)
        return totals_by_tree(w, st, mines, bounds);
    uint64_t *wide = w->wide;
    for (const struct part *part = w->part; part < w->part + w->parts; part++) {
        int32_t first = larger(part->low, mines - w->interior - (high - part->high)) - part->low;
        int32_t last = smaller(part->high, mines - (low - part->low)) - part->low;
        for (int32_t from = 0; from < size_of(part); from += WORD)
            *wide++ = span(first - from, last + 1 - from);
    }
    return OK;
}

/* --- chances --- */

/* The polynomials of all components, as the leaves of the tree; their end there, or -1 without room. */
static int64_t leaf_nodes(struct work *w, struct states *st) {
    int64_t end = 0;
    for (int32_t at = 0; at < w->parts; at++) {
        const struct part *part = &w->part[at];
        if (end + size_of(part) > st->reals)
            return -1;
        memcpy(st->tree + end, st->ways + st->state[part->final - 1].ways, sizeof *st->tree * (size_t)size_of(part));
        w->node[at] = (struct node){part->low, size_of(part), (int32_t)end};
        end += size_of(part);
    }
    return end;
}

/* Weights of the interior at the root, by the mines that are left for it; false if the range is lost.

   The binomial comes by ratios from where it is greatest. log_census gets the logarithm of the number of layouts, but for what
   was taken out of the root's polynomial; inside_chance the chance of a mine in a cell of the interior. */
static bool weigh_interior(struct work *w, struct states *st, int32_t mines, int32_t possible) {
    const struct node *root = &w->node[2 * w->parts - 2];
    int32_t low = root->low, size = root->size, interior = w->interior;
    double *rest = st->tree_rest + root->at, *tree = st->tree + root->at, tilt = w->tilt;
    memset(rest, 0, sizeof *rest * (size_t)size);
    int32_t fewest = larger(0, mines - low - size + 1), greatest = smaller(interior, mines - low);
    if (fewest > greatest)
        return false;
    int32_t middle = smaller(larger((int32_t)((interior + 1) * (tilt / (1.0 + tilt))), fewest), greatest);
    double weight = 1.0;
    for (int32_t j = middle; j <= greatest; j++) {
        rest[mines - low - j] = weight;
        weight *= tilt * (interior - j) / (j + 1);
    }
    weight = 1.0;
    for (int32_t j = middle; j > fewest; j--) {
        weight *= j / (tilt * (interior - j + 1));
        rest[mines - low - j + 1] = weight;
    }
    double total = 0.0, inside = 0.0, peak = 0.0;
    for (int32_t i = 0; i < size; i++) {
        double term = tree[i] * rest[i];
        total += term;
        inside += term * (mines - low - i);
        peak = tree[i] > peak ? tree[i] : peak;
    }
    double floor = size > LONG ? LEAST : FLOOR;
    if (total < floor * peak || total < FLOOR)
        return false;
    w->log_census = log(total) + sapper_log_binomial(interior, middle) + (middle - mines) * log(tilt);
    double chance = interior ? inside / (total * interior) : 0.0;
    w->inside_chance = chance < 1.0 ? chance : 1.0;
    return possible == 0 || inside >= total * floor;
}

/* Puts what a component looks like from outside before its last state; false if it is too small to be relied upon. */
static bool seed(const struct work *w, struct states *st, int32_t part, const uint64_t *wide, double least) {
    const struct node *node = &w->node[part];
    const double *tree = st->tree + node->at, *rest = st->tree_rest + node->at;
    memcpy(st->back, wide, sizeof *wide * (size_t)((node->size - 1) / WORD + 1));
    memcpy(st->rest, rest, sizeof *rest * (size_t)node->size);
    double total = 0.0, most_ways = 0.0, most_rest = 0.0;
    for (int32_t j = 0; j < node->size; j++) {
        total += rest[j] * tree[j];
        most_ways = tree[j] > most_ways ? tree[j] : most_ways;
        most_rest = rest[j] > most_rest ? rest[j] : most_rest;
    }
    return total > 0.0 && total >= least * most_ways * most_rest;
}

int sapper_weigh(struct work *w, struct states *st, int32_t mines, int32_t possible) {
    int power = 0, taken;
    for (struct part *part = w->part; part < w->part + w->parts; part++)
        power += part->power = sapper_count(w, st, part, w->tilt);
    int64_t end = leaf_nodes(w, st);
    if (end < 0 || !multiply_up(w, st, end, false, &taken))
        return GROW;
    if (!weigh_interior(w, st, mines, possible))
        return LOST;
    w->log_census += (power + taken) * log(2.0);
    hand_down(w, st, false);
    double least = w->node[2 * w->parts - 2].size > LONG ? LEAST : 0.0;
    bool good = true;
    const uint64_t *wide = w->wide;
    for (int32_t at = 0; at < w->parts; at++) {
        good &= seed(w, st, at, wide, least);
        wide += (size_of(&w->part[at]) - 1) / WORD + 1;
        good &= sapper_expect(w, st, &w->part[at], w->tilt, least);
    }
    return good ? OK : LOST;
}

double sapper_better_tilt(const struct work *w, const struct states *st, int32_t mines) {
    /* By halving an interval of its logarithm: the mean grows with the tilt. */
    double low = -28.0, high = 28.0;
    for (int turn = 0; turn < 50; turn++) {
        double middle = (low + high) / 2, odds = exp(middle), mean = w->interior * (odds / (1.0 + odds));
        double step = middle - log(w->tilt);
        for (const struct part *part = w->part; part < w->part + w->parts; part++) {
            const double *ways = st->ways + st->state[part->final - 1].ways;
            double peak = -1e300, total = 0.0, sum = 0.0;
            for (int32_t j = 0; j < size_of(part); j++)
                if (ways[j] > 0.0)
                    peak = fmax(peak, log(ways[j]) + j * step);
            for (int32_t j = 0; j < size_of(part); j++)
                if (ways[j] > 0.0) {
                    double value = exp(log(ways[j]) + j * step - peak);
                    total += value;
                    sum += value * j;
                }
            mean += part->low + (total > 0.0 ? sum / total : 0.0);
        }
        if (mean < mines)
            low = middle;
        else
            high = middle;
    }
    return sapper_round_tilt(exp((low + high) / 2));
}
