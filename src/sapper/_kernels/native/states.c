/* states.c: the states of a component, and which numbers of mines each can have.

   Groups are eliminated one by one: a layer for each. A state is what every open clue still needs, 4 bits a clue; a move puts
   k mines into the group: the new key is the old one less k times the group's mask. Moves that leave a clue more than its
   other cells can hold are never made, so closed clues are met. Reachable numbers of mines are sets of bits, counted from the
   least in the layer: certainty comes from these, never from a float. */
#include <string.h>

#include "analysis.h"

/* Where the clues of a group lie in a key. */
struct plan {
    int32_t most;        /* mines that the group can hold */
    int32_t clues;       /* how many, those of the first word first */
    int32_t in_first;
    uint64_t mask[2];    /* one for each clue */
    uint64_t fresh[2];   /* the needs of clues that are open from here on */
    int32_t shift[SLOTS];
    int32_t left[SLOTS]; /* what the clue's other cells can hold */
};

/* Gives the group's new clues a slot each, the lowest free; false if there are none. */
static bool open_clues(struct work *w, const struct group *group, uint32_t *free) {
    for (int32_t back = group->start; back < group[1].start; back++) {
        struct clue *clue = &w->clue[w->group_clues[back]];
        if (clue->slot < 0) {
            if (!*free)
                return false;
            clue->slot = lowest_bit(*free) + SLOTS; /* fresh: its need is still to be put into the keys */
            *free &= *free - 1;
        }
        clue->left -= group->size;
    }
    return true;
}

/* Takes back the slots of clues that have no group left. */
static void close_clues(struct work *w, const struct group *group, uint32_t *free) {
    for (int32_t back = group->start; back < group[1].start; back++) {
        struct clue *clue = &w->clue[w->group_clues[back]];
        clue->slot &= SLOTS - 1;
        if (!clue->left)
            *free |= (uint32_t)1 << clue->slot;
    }
}

static void plan_moves(const struct work *w, const struct group *group, struct plan *plan) {
    plan->most = group->size;
    plan->clues = plan->in_first = 0;
    plan->mask[0] = plan->mask[1] = plan->fresh[0] = plan->fresh[1] = 0;
    for (int word = 0; word < 2; word++)
        for (int32_t back = group->start; back < group[1].start; back++) {
            const struct clue *clue = &w->clue[w->group_clues[back]];
            if ((clue->slot >> 4 & 1) != word)
                continue;
            int32_t shift = (clue->slot & 15) * 4;
            plan->mask[word] |= (uint64_t)1 << shift;
            if (clue->slot >= SLOTS)
                plan->fresh[word] |= (uint64_t)clue->need << shift;
            plan->most = smaller(plan->most, clue->need);
            plan->shift[plan->clues] = shift;
            plan->left[plan->clues++] = clue->left;
            plan->in_first += !word;
        }
}

/* The state of the layer that has a key; state `count` is made for it if there is none.
   The table has `room` places, a power of two, at least half of them free. */
static inline int32_t state_of(struct states *st, const uint64_t key[2], uint32_t room, int32_t count) {
    uint64_t mixed = key[0] * UINT64_C(0x1E3779B97F4A7C15) + key[1] * UINT64_C(0x42B2AE3D27D4EB4F);
    uint32_t at = (uint32_t)(mixed >> 32) & (room - 1);
    for (int32_t found; (found = st->table[at]) >= 0; at = (at + 1) & (room - 1))
        if (st->state[found].key[0] == key[0] && st->state[found].key[1] == key[1])
            return found;
    st->table[at] = count;
    st->state[count].key[0] = key[0];
    st->state[count].key[1] = key[1];
    return count;
}

/* Makes the moves of a group from the states `first` to `last`; `count` becomes the number of states after it. */
static int expand_layer(struct work *w, struct states *st, const struct group *group, int32_t first, int32_t *count,
                        int32_t cap) {
    struct plan plan;
    plan_moves(w, group, &plan);
    int32_t last = *count, edge = st->state[first].edge, limit = smaller(cap, st->room - 1);
    int64_t entries = 4, moves = (int64_t)(last - first) * (plan.most + 1), room = limit - last + 1;
    while (entries < 2 * (moves < room ? moves : room))
        entries *= 2;
    if (entries > st->edges)
        return GROW;
    memset(st->table, 0xFF, sizeof *st->table * (size_t)entries);
    for (int32_t from = first; from < last; from++) {
        struct state *state = &st->state[from];
        uint64_t key[2] = {state->key[0] + plan.fresh[0], state->key[1] + plan.fresh[1]};
        int32_t fewest = 0, greatest = plan.most;
        for (int32_t i = 0; i < plan.clues; i++) {
            int32_t need = (int32_t)(key[i >= plan.in_first] >> plan.shift[i] & 15);
            greatest = smaller(greatest, need);
            fewest = larger(fewest, need - plan.left[i]);
        }
        if (edge + greatest - fewest >= st->edges)
            return GROW;
        state->edge = edge;
        state->fewest = fewest;
        key[0] -= (uint64_t)fewest * plan.mask[0];
        key[1] -= (uint64_t)fewest * plan.mask[1];
        for (int32_t mines = fewest; mines <= greatest; mines++) {
            int32_t to = state_of(st, key, (uint32_t)entries, *count);
            struct state *found = &st->state[to];
            int32_t low = state->low + mines, high = state->high + mines;
            if (to == *count) {
                if (*count >= limit)
                    return limit == cap ? CAPPED : GROW;
                ++*count;
            } else {
                low = smaller(low, found->low);
                high = larger(high, found->high);
            }
            found->low = low;
            found->high = high;
            st->edge[edge++] = to;
            key[0] -= plan.mask[0];
            key[1] -= plan.mask[1];
        }
    }
    st->state[*count].edge = edge;
    st->state[last].edge = edge;
    return *count > last ? OK : CONTRADICTION;
}

/* Adds a set of bits, each moved up by `shift`, to another; what falls outside is left out. */
static void add_shifted(uint64_t *to, int32_t words, const uint64_t *of, int32_t old_words, int32_t shift) {
    for (int32_t i = 0; i < old_words; i++) {
        if (!of[i])
            continue;
        int32_t place = i * WORD + shift, word = place >= 0 ? place / WORD : -((WORD - 1 - place) / WORD);
        int32_t up = place - word * WORD;
        if (word >= 0 && word < words)
            to[word] |= of[i] << up;
        if (up && word + 1 >= 0 && word + 1 < words)
            to[word + 1] |= of[i] >> (WORD - up);
    }
}

/* Places the polynomials of a layer, the states `last` to `count`, and fills its reachable sets; false without room. */
static bool measure_layer(struct work *w, struct states *st, int32_t layer, int32_t first, int32_t last, int32_t count) {
    int32_t base = st->state[last].low, top = st->state[last].high;
    int64_t used = 0;
    for (int32_t state = last; state < count; state++) {
        struct state *one = &st->state[state];
        if (w->ways_used + used > st->reals)
            return false;
        one->ways = w->ways_used + (int32_t)used;
        used += one->high - one->low + 1;
        base = smaller(base, one->low);
        top = larger(top, one->high);
    }
    int32_t words = (top - base) / WORD + 1, place = w->reach_used;
    int64_t needed = (int64_t)words * (count - last);
    if (w->ways_used + used > st->reals || place + needed > st->edges)
        return false;
    w->ways_used += (int32_t)used;
    w->reach_used += (int32_t)needed;
    w->most_ways = larger(w->most_ways, (int32_t)used);
    w->most_reach = larger(w->most_reach, (int32_t)needed);
    w->layer[layer] = (struct layer){last, base, words, place};
    memset(st->reach + place, 0, sizeof *st->reach * (size_t)needed);
    const struct layer *old = &w->layer[layer - 1];
    for (int32_t from = first; from < last; from++) {
        const struct state *state = &st->state[from];
        const uint64_t *source = st->reach + old->reach + (int64_t)(from - first) * old->words;
        int32_t shift = old->base - base + state->fewest;
        for (int32_t edge = state->edge; edge < state[1].edge; edge++, shift++) {
            uint64_t *target = st->reach + place + (int64_t)(st->edge[edge] - last) * words;
            if (words == 1 && old->words == 1)
                *target |= shift >= 0 ? *source << shift : *source >> -shift;
            else
                add_shifted(target, words, source, old->words, shift);
        }
    }
    return true;
}

int sapper_expand(struct work *w, struct states *st, struct part *part, int32_t count, int32_t cap) {
    if (count + 1 >= st->room || w->ways_used >= st->reals || w->reach_used >= st->edges)
        return GROW;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t at = part->begin; at < part->end; at++) {
            const struct group *group = &w->group[w->order[at]];
            for (int32_t back = group->start; back < group[1].start; back++) {
                struct clue *clue = &w->clue[w->group_clues[back]];
                clue->slot = -1;
                clue->left = pass ? clue->left + group->size : 0;
            }
        }
    st->state[count] = (struct state){.edge = count ? st->state[count - 1].edge : 0, .ways = w->ways_used++};
    st->reach[w->reach_used] = 1;
    int32_t layer = part->layer, first = count;
    w->layer[layer] = (struct layer){count, 0, 1, w->reach_used++};
    uint32_t free = UINT32_MAX;
    count++;
    for (int32_t at = part->begin; at < part->end; at++) {
        const struct group *group = &w->group[w->order[at]];
        if (!open_clues(w, group, &free))
            return LOST;
        int32_t last = count;
        int status = expand_layer(w, st, group, first, &count, cap);
        if (status != OK)
            return status;
        if (!measure_layer(w, st, ++layer, first, last, count))
            return GROW;
        first = last;
        close_clues(w, group, &free);
    }
    part->last = layer;
    part->final = count;
    part->low = st->state[count - 1].low;
    part->high = st->state[count - 1].high;
    return OK;
}
