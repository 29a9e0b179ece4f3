/* polynomials.c: how many layouts each state stands for, as polynomials in the number of mines: floats.

   Every mine is weighted by a tilt, near the odds of a mine on this board, so that the coefficients that matter are near the
   largest of their layer. Layers are scaled by powers of two, which is exact; the tilt has five significant bits, so its first
   powers are exact too. Nothing is ever subtracted.

   One pass forward gives each state its ways from the start. One pass back, seeded with the weight of everything outside the
   component, gives every group's expected number of mines, and from the sets of reachable numbers which numbers of mines in
   the group are possible at all. */
#include <math.h>
#include <string.h>

#include "analysis.h"

enum { LAZY = 60 }; /* powers of two that need no scaling */

void sapper_weights(int32_t size, double tilt, double weights[GROUP_MOST + 1]) {
    double ways = 1.0, power = 1.0;
    for (int32_t k = 0; k <= smaller(size, GROUP_MOST); k++) {
        weights[k] = ways * power;
        ways = ways * (size - k) / (k + 1);
        power *= tilt;
    }
}

int sapper_rescale(double *values, int32_t count) {
    double greatest = 0.0;
    for (int32_t at = 0; at < count; at++)
        greatest = values[at] > greatest ? values[at] : greatest;
    int power;
    frexp(greatest, &power);
    if (-LAZY <= power && power <= LAZY)
        return 0;
    /* In two steps, since 2 to the power may be out of range. */
    int half = power >> 1;
    double one = ldexp(1.0, -half), two = ldexp(1.0, half - power);
    for (int32_t at = 0; at < count; at++)
        values[at] = values[at] * one * two;
    return power;
}

/* The number of coefficients of a state's polynomial. */
static inline int32_t length_of(const struct state *state) {
    return state->high - state->low + 1;
}

int sapper_count(const struct work *w, struct states *st, const struct part *part, double tilt) {
    double *ways = st->ways;
    int power, exponent = 0, pending = 0;
    frexp(tilt, &power);
    int steps = (power < 0 ? -power : power) * 8 + 8; /* powers of two that a group may add */
    const struct layer *layer = &w->layer[part->layer];
    ways[st->state[layer->first].ways] = 1.0;
    for (int32_t at = part->begin; at < part->end; at++, layer++) {
        double weights[GROUP_MOST + 1];
        sapper_weights(w->group[w->order[at]].size, tilt, weights);
        int32_t last = layer[1].first, after = at + 1 < part->end ? layer[2].first : part->final;
        int32_t low = st->state[last].ways, high = st->state[after - 1].ways + length_of(&st->state[after - 1]);
        memset(ways + low, 0, sizeof *ways * (size_t)(high - low));
        for (int32_t from = layer->first; from < last; from++) {
            const struct state *state = &st->state[from];
            const double *source = ways + state->ways;
            int32_t length = length_of(state);
            for (int32_t edge = state->edge, k = state->fewest; edge < state[1].edge; edge++, k++) {
                const struct state *to = &st->state[st->edge[edge]];
                double *target = ways + to->ways + state->low + k - to->low, weight = weights[k];
                for (int32_t j = 0; j < length; j++)
                    target[j] += weight * source[j];
            }
        }
        pending += steps;
        if (pending > 200 || at + 1 == part->end) {
            pending = 0;
            exponent += sapper_rescale(ways + low, high - low);
        }
    }
    return exponent;
}

/* Adds to `to` what of `back`, moved down by `shift`, is in `reach`; whether any is. */
static bool meet(uint64_t *to, const uint64_t *reach, int32_t words, const uint64_t *back, int32_t old_words, int32_t shift) {
    uint64_t met = 0;
    for (int32_t i = 0; i < old_words; i++) {
        if (!back[i])
            continue;
        int32_t place = i * WORD - shift, word = place >= 0 ? place / WORD : -((WORD - 1 - place) / WORD);
        int32_t up = place - word * WORD;
        for (int32_t step = 0; step <= (up > 0); step++) {
            if (word + step < 0 || word + step >= words)
                continue;
            uint64_t found = (step ? back[i] >> (WORD - up) : back[i] << up) & reach[word + step];
            to[word + step] |= found;
            met |= found;
        }
    }
    return met;
}

/* What one layer of the pass back says of its group. */
struct layer_sums {
    double total, mines; /* the weighted layouts, and their mines in the group */
    uint32_t possible;   /* its numbers of mines, as bits */
};

/* `rest` and `back` of the layer after, and those of this one. */
struct behind {
    const double *old_rest;
    double *rest;
    const uint64_t *old_back;
    uint64_t *back;
};

static struct layer_sums layer_back(const struct states *st, const struct layer *layer, struct behind behind,
                                    const double *weights) {
    struct layer_sums sums = {0.0, 0.0, 0};
    int32_t last = layer[1].first, words = layer->words, old_words = layer[1].words, slide = layer->base - layer[1].base;
    int32_t low_ways = st->state[layer->first].ways, old_ways = st->state[last].ways;
    const uint64_t *reach = st->reach + layer->reach;
    uint64_t *back = behind.back;
    for (int32_t from = layer->first; from < last; from++, reach += words, back += words) {
        const struct state *state = &st->state[from];
        const double *source = st->ways + state->ways;
        double *here = behind.rest + state->ways - low_ways;
        int32_t length = length_of(state);
        memset(back, 0, sizeof *back * (size_t)words);
        memset(here, 0, sizeof *here * (size_t)length);
        for (int32_t edge = state->edge, k = state->fewest; edge < state[1].edge; edge++, k++) {
            const struct state *to = &st->state[st->edge[edge]];
            const uint64_t *bits = behind.old_back + (int64_t)(st->edge[edge] - last) * old_words;
            int32_t shift = slide + k;
            bool met;
            if (words == 1 && old_words == 1) {
                uint64_t both = (shift >= 0 ? *bits >> shift : *bits << -shift) & *reach;
                *back |= both;
                met = both;
            } else {
                met = meet(back, reach, words, bits, old_words, shift);
            }
            if (!met)
                continue;
            const double *target = behind.old_rest + to->ways - old_ways + state->low + k - to->low;
            double weight = weights[k], sum = 0.0;
            for (int32_t j = 0; j < length; j++) {
                double value = weight * target[j];
                here[j] += value;
                sum += value * source[j];
            }
            sums.possible |= (uint32_t)1 << k;
            sums.total += sum;
            sums.mines += k * sum;
        }
    }
    return sums;
}

bool sapper_expect(struct work *w, struct states *st, const struct part *part, double tilt, double least) {
    bool good = true;
    int32_t half_rest = st->reals / 2, half_back = st->edges / 2, old_rest = 0, old_back = 0;
    const struct layer *layer = &w->layer[part->last];
    for (int32_t at = part->end - 1; at >= part->begin; at--) {
        struct group *group = &w->group[w->order[at]];
        double weights[GROUP_MOST + 1];
        sapper_weights(group->size, tilt, weights);
        layer--;
        /* Two layers in turn. */
        int32_t rest = half_rest - old_rest, back = half_back - old_back;
        struct behind behind = {st->rest + old_rest, st->rest + rest, st->back + old_back, st->back + back};
        struct layer_sums sums = layer_back(st, layer, behind, weights);
        double floor = least * sums.total > FLOOR ? least * sums.total : FLOOR;
        if (sums.total < FLOOR || (sums.possible > 1 && sums.mines < floor))
            good = false;
        if (sums.possible == 1) {
            group->mark = SAFE;
            group->chance = 0.0;
        } else if (group->size <= GROUP_MOST && sums.possible == (uint32_t)1 << group->size) {
            group->mark = MINED;
            group->chance = 1.0;
        } else {
            double chance = sums.mines / (sums.total * group->size);
            group->mark = UNKNOWN;
            group->chance = chance < 1.0 ? chance : 1.0;
        }
        const struct state *end = &st->state[layer[1].first - 1];
        sapper_rescale(st->rest + rest, end->ways + length_of(end) - st->state[layer->first].ways);
        old_rest = rest;
        old_back = back;
    }
    return good;
}
