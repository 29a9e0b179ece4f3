/* exact_value.c: what a player knows is the set of layouts that are still possible.

   A reveal splits a set by what the cell would show; the part in which it is a mine is lost. In counts of layouts:

       wins(set) = 1                              for one layout
       wins(set) = the sum of wins(part)          for any cell that is safe in all of it and splits it
       wins(set) = the most, over cells, of that  else

   The value depends on the set alone. It grows with the set (a way to play wins, of more layouts, at least those it won), and
   no more is won of a whole than of its parts, each known apart; what follows rests on these two facts.

   - A cell that shows one number wherever it is safe tells nothing: who guesses it can as well guess it last, and of a set that
     has only such cells one layout is won. It is left out, in all parts too.
   - One cell serves for another if it is a mine only where that is one, and tells apart, where both are safe, all that the other
     tells apart.
   - Two layouts are *twins* if no cell that is safe in both tells them apart: only one of them can be won. So a set wins at most
     as many layouts as there are groups of twins that cover it.
   - Sets that are the same but for names have the same value: what counts of a set is which layouts each cell tells apart. A
     small set is kept under its *shape*: its cells' parts, with the layouts put in an order that comes from the parts alone. So
     mirrored boards, and like corners of unlike boards, are searched once. A large set is kept under what is known of each cell,
     in the least of its mirrored forms.

   All keys are two 64-bit hashes (a false match has a chance below 1e-30 a lookup). A search asks whether a set reaches a
   `goal`: a value that is not below the goal is exact, one below it is an upper bound. */
#include "exact_value.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

enum {
    CELLS = 64,
    CLUES = 9,
    MINED = 9,  /* in place of a clue */
    OPEN = 10,  /* it is not known what the cell is */
    SMALL = 64, /* layouts of a set that is one word */
    LISTS = 16, /* numbers of layouts that the lists have room for, beside all of them */
    BUCKET = 4,
    STRIDE = 1 << 16, /* layouts that are counted before it is looked whether to stop */
    KNOWN_WEIGHT = 16, /* for the order of moves: what a layout counts that is known to be won */
    OPEN_WEIGHT = 13,  /* and one of a small part that is not */
    OUT_OF_BUDGET = -1,
};

typedef uint64_t word;

struct key {
    word half[2];
};

struct entry {
    struct key key;
    int32_t low, high; /* high: 0 where there is no entry */
};

struct sapper_exact {
    const sapper_grid *grid;
    int32_t size, count, symmetries;
    word near[CELLS];
    uint8_t image[8][CELLS];
    struct key known[CELLS][OPEN + 1]; /* of what is known of a cell, for keys of large sets */
    struct entry *table;
    word buckets;
    word *layouts; /* all, then the lists */
    int64_t top, room;
    int64_t sets, budget;
    const volatile uint8_t *stop; /* another thread sets it */
};

/* A small set's layouts are bits; `part`: those in which a cell shows a clue, `safe`: in which it shows any. */
struct small {
    word part[CELLS][CLUES], safe[CELLS], twins[SMALL];
};

struct move {
    int32_t bound, weight;
    uint8_t cell;
};

/* What a large set's cells would show: how many layouts show each clue (or a mine), and the keys of these parts. */
struct large {
    int32_t sizes[CELLS][CLUES + 1];
    struct key keys[CELLS][CLUES + 1];
};

static bool is_over(const sapper_exact *e) {
    return e->sets > e->budget || *e->stop;
}

static int32_t shown(const sapper_exact *e, word layout, int32_t cell) {
    return layout >> cell & 1 ? MINED : bit_count(layout & e->near[cell]);
}

/* --- the table --- */

static struct entry *bucket_of(const sapper_exact *e, struct key key) {
    return e->table + (key.half[0] & (e->buckets - 1)) * BUCKET;
}

/* What is known of a set; NULL if nothing is. */
static const struct entry *find(const sapper_exact *e, struct key key) {
    const struct entry *bucket = bucket_of(e, key);
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key.half[0] == key.half[0] && bucket[i].key.half[1] == key.half[1] && bucket[i].high)
            return bucket + i;
    return NULL;
}

/* Keeps a value, in place of the least one where its bucket is full; the value. */
static int32_t store(const sapper_exact *e, struct key key, int32_t value, int32_t goal) {
    struct entry *bucket = bucket_of(e, key), *least = bucket;
    int32_t low = value >= goal ? value : 1;
    for (int i = 0; i < BUCKET; i++) {
        struct entry *entry = bucket + i;
        if (entry->high && entry->key.half[0] == key.half[0] && entry->key.half[1] == key.half[1]) {
            entry->low = larger(entry->low, low);
            entry->high = smaller(entry->high, value);
            return value;
        }
        if (entry->high < least->high)
            least = entry;
    }
    *least = (struct entry){key, low, value};
    return value;
}

/* --- small sets --- */

/* What each cell shows in some layouts, of which there are at most 64: numbers of mines, added up for all layouts at once. */
static int32_t make_small(
    const sapper_exact *e, const word *layouts, int32_t count, const uint8_t *known, struct small *s, uint8_t *cells) {
    word mines[CELLS] = {0}, all = ~(word)0 >> (SMALL - count);
    int32_t places = 0;
    for (int32_t i = 0; i < count; i++)
        for (word left = layouts[i]; left; left &= left - 1)
            mines[lowest_bit(left)] |= (word)1 << i;
    memset(s->twins, 0xff, sizeof s->twins);
    for (int32_t cell = 0; cell < e->size; cell++) {
        if (known[cell] != OPEN)
            continue;
        word digit[4] = {0}, safe = all & ~mines[cell];
        for (word left = e->near[cell]; left; left &= left - 1) {
            word carry = mines[lowest_bit(left)];
            for (int i = 0; i < 4; i++) {
                word sum = digit[i] ^ carry;
                carry &= digit[i];
                digit[i] = sum;
            }
        }
        int32_t parts = 0;
        for (int clue = 0; clue < CLUES; clue++) {
            word part = safe;
            for (int i = 0; i < 4; i++)
                part &= clue >> i & 1 ? digit[i] : ~digit[i];
            s->part[cell][clue] = part;
            parts += part != 0;
        }
        s->safe[cell] = safe;
        if (parts < 2)
            continue;
        cells[places++] = (uint8_t)cell;
        for (int clue = 0; clue < CLUES; clue++)
            for (word left = s->part[cell][clue]; left; left &= left - 1)
                s->twins[lowest_bit(left)] &= ~(safe & ~s->part[cell][clue]);
    }
    for (int32_t i = 0; i < count; i++)
        s->twins[i] &= all & ~((word)1 << i);
    return places;
}

/* In how many groups of twins a set falls: no more of it can be won. */
static int32_t cover(const struct small *s, word set) {
    int32_t groups = 0;
    for (; set; groups++) {
        word others = s->twins[lowest_bit(set)] & set;
        set &= set - 1;
        while (others) {
            int32_t twin = lowest_bit(others);
            set &= ~((word)1 << twin);
            others &= s->twins[twin];
        }
    }
    return groups;
}

/* Whether `one` serves for `other`. */
static bool serves(const struct small *s, word set, int32_t one, int32_t other) {
    word safe = s->safe[other] & set;
    if (safe & ~s->safe[one])
        return false;
    for (int clue = 0; clue < CLUES; clue++) {
        word part = s->part[one][clue] & safe;
        if (!part)
            continue;
        int at = 0;
        while (!(s->part[other][at] & part))
            at++;
        if (part & ~s->part[other][at])
            return false;
    }
    return true;
}

static word sum_of(const word *numbers, word set) {
    word sum = 0;
    for (; set; set &= set - 1)
        sum += sapper_mix(numbers[lowest_bit(set)]);
    return sum;
}

/* Numbers for the layouts of a set that do not depend on their order: from how each cell splits it. */
static void colour(const struct small *s, word set, const uint8_t *cells, int32_t places, word *colours) {
    word next[SMALL];
    for (int round = 0; round < 2; round++) {
        for (word left = set; left; left &= left - 1)
            next[lowest_bit(left)] = round ? sapper_mix(colours[lowest_bit(left)]) : 0;
        for (int32_t i = 0; i < places; i++) {
            word number[CLUES], mined = set & ~s->safe[cells[i]];
            word whole = round ? sum_of(colours, mined) : (word)bit_count(mined);
            whole = sapper_mix(2 * whole + 1);
            for (int clue = 0; clue < CLUES; clue++) {
                word part = s->part[cells[i]][clue] & set;
                if (!part)
                    continue;
                number[clue] = sapper_mix(2 * (round ? sum_of(colours, part) : (word)bit_count(part)));
                whole += sapper_mix(number[clue]);
            }
            for (int clue = 0; clue < CLUES; clue++) {
                word part = s->part[cells[i]][clue] & set, more = part ? sapper_mix(number[clue] + whole) : 0;
                for (; part; part &= part - 1)
                    next[lowest_bit(part)] += more;
            }
            for (; mined; mined &= mined - 1)
                next[lowest_bit(mined)] += whole;
        }
        for (word left = set; left; left &= left - 1)
            colours[lowest_bit(left)] = next[lowest_bit(left)];
    }
}

/* The key of a small set's shape: with the layouts in the order of their colours, its cells' parts, in no order. */
static struct key shape_of(const struct small *s, word set, const uint8_t *cells, int32_t places) {
    word colours[SMALL], bit[SMALL];
    uint8_t order[SMALL];
    int32_t count = 0;
    colour(s, set, cells, places, colours);
    for (word left = set; left; left &= left - 1) {
        int32_t at = count++, layout = lowest_bit(left);
        for (; at > 0 && colours[order[at - 1]] > colours[layout]; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)layout;
    }
    for (int32_t i = 0; i < count; i++)
        bit[order[i]] = (word)1 << i;
    struct key key = {{sapper_mix((word)count), sapper_mix((word)count + SAPPER_GAMMA)}};
    for (int32_t i = 0; i < places; i++) {
        word halves[2] = {0, 0};
        for (int clue = 0; clue < CLUES; clue++) {
            word part = s->part[cells[i]][clue] & set, ordered = 0;
            if (!part)
                continue;
            for (; part; part &= part - 1)
                ordered |= bit[lowest_bit(part)];
            halves[0] += sapper_mix(ordered);
            halves[1] += sapper_mix(ordered ^ SAPPER_GAMMA);
        }
        key.half[0] += sapper_mix(halves[0]);
        key.half[1] += sapper_mix(halves[1] + SAPPER_GAMMA);
    }
    return key;
}

static void add_move(struct move *moves, int32_t at, struct move move) {
    for (; at > 0 && moves[at - 1].weight < move.weight; at--)
        moves[at] = moves[at - 1];
    moves[at] = move;
}

static int32_t wins_of_small(
    sapper_exact *e, const struct small *s, word set, const uint8_t *before, int32_t before_count, int32_t goal);

/* The wins after revealing a cell, the smallest part first; see `goal` above. */
static int32_t wins_after_small(
    sapper_exact *e, const struct small *s, word set, int32_t cell, const uint8_t *cells, int32_t places, int32_t goal) {
    word part[CLUES];
    int32_t bound[CLUES], parts = 0, won = 0, rest = 0;
    for (int clue = 0; clue < CLUES; clue++) {
        word one = s->part[cell][clue] & set;
        if (!one)
            continue;
        int32_t at = parts++, size = bit_count(one), most = cover(s, one);
        for (; at > 0 && bit_count(part[at - 1]) > size; at--) {
            part[at] = part[at - 1];
            bound[at] = bound[at - 1];
        }
        part[at] = one;
        bound[at] = most;
        rest += most;
    }
    for (int32_t i = 0; i < parts; i++) {
        if (won + rest < goal)
            return won + rest;
        rest -= bound[i];
        int32_t wanted = goal - won - rest;
        int32_t value = wins_of_small(e, s, part[i], cells, places, wanted);
        if (value == OUT_OF_BUDGET)
            return value;
        won += value;
        if (value < wanted)
            return won + rest;
    }
    return won;
}

/* The cells that can be worth a guess, and their moves, the most promising first; how many. */
static int32_t list_small(const struct small *s, word set, int32_t most, const uint8_t *cells, int32_t places, struct move *moves) {
    for (int32_t i = 0; i < places; i++) {
        struct move move = {0, 0, cells[i]};
        for (int clue = 0; clue < CLUES; clue++) {
            int32_t bound = cover(s, s->part[cells[i]][clue] & set);
            move.bound += bound;
            move.weight += bound * (bound < 3 ? KNOWN_WEIGHT : OPEN_WEIGHT);
        }
        move.bound = smaller(move.bound, most);
        add_move(moves, i, move);
    }
    return places;
}

/* Those of the cells that tell something and that no other serves for; -1 and the cell in `safe` if one is safe and does. */
static int32_t keep_cells(
    const struct small *s, word set, const uint8_t *before, int32_t before_count, uint8_t *cells, int32_t *safe) {
    int32_t places = 0, left = 0;
    bool is_gone[CELLS] = {false};
    for (int32_t i = 0; i < before_count; i++) {
        int32_t cell = before[i], parts = 0;
        for (int clue = 0; clue < CLUES; clue++)
            parts += (s->part[cell][clue] & set) != 0;
        if (parts < 2)
            continue;
        if (!(set & ~s->safe[cell])) {
            *safe = cell;
            return -1;
        }
        cells[places++] = (uint8_t)cell;
    }
    for (int32_t i = 0; i < places; i++)
        for (int32_t j = 0; j < places && !is_gone[i]; j++)
            is_gone[i] = i != j && !is_gone[j] && serves(s, set, cells[j], cells[i]);
    for (int32_t i = 0; i < places; i++)
        if (!is_gone[i])
            cells[left++] = cells[i];
    return left;
}

static int32_t wins_of_small(
    sapper_exact *e, const struct small *s, word set, const uint8_t *before, int32_t before_count, int32_t goal) {
    int32_t most = cover(s, set), safe = -1;
    if (most < goal || most == 1 || bit_count(set) == 2)
        return most;
    uint8_t cells[CELLS];
    int32_t places = keep_cells(s, set, before, before_count, cells, &safe);
    if (places < 0)
        return wins_after_small(e, s, set, safe, before, before_count, goal);
    if (!places)
        return 1;
    struct key key = shape_of(s, set, cells, places);
    const struct entry *entry = find(e, key);
    if (entry && (entry->high < goal || entry->low == entry->high))
        return entry->high;
    if (entry)
        most = smaller(most, entry->high);
    e->sets++;
    if (is_over(e))
        return OUT_OF_BUDGET;
    struct move moves[CELLS];
    int32_t count = list_small(s, set, most, cells, places, moves), best = 0, bound = 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t wanted = larger(best + 1, goal), value = moves[i].bound;
        if (value >= wanted) {
            value = wins_after_small(e, s, set, moves[i].cell, cells, places, wanted);
            if (value == OUT_OF_BUDGET)
                return value;
            value = smaller(value, most);
        }
        if (value >= wanted)
            best = value;
        else
            bound = larger(bound, value);
    }
    return store(e, key, best ? best : bound, goal);
}

/* --- large sets --- */

static int32_t wins_of(sapper_exact *e, const word *layouts, int32_t count, const uint8_t *before, int32_t goal);

/* The wins after revealing a cell, the smallest part first. `known` is what is known of each cell before. */
static int32_t wins_after(
    sapper_exact *e, const word *layouts, int32_t count, const uint8_t *known, int32_t cell, const int32_t *sizes,
    const struct key *keys, int32_t goal) {
    struct {
        int32_t size, clue, bound;
        const word *layouts;
    } part[CLUES];
    int32_t parts = 0, won = 0, rest = 0;
    bool is_wanted[CLUES + 1] = {false};
    for (int clue = 0; clue < CLUES; clue++) {
        if (!sizes[clue])
            continue;
        const struct entry *entry = sizes[clue] > 1 ? find(e, keys[clue]) : NULL;
        int32_t at = parts, bound = entry ? entry->high : sizes[clue];
        if (sizes[clue] == 1 || (entry && entry->low == entry->high)) {
            won += bound;
            continue;
        }
        for (parts++; at > 0 && part[at - 1].size > sizes[clue]; at--)
            part[at] = part[at - 1];
        part[at].size = sizes[clue];
        part[at].clue = clue;
        part[at].bound = bound;
        rest += bound;
        is_wanted[clue] = true;
    }
    if (won + rest < goal || !parts)
        return won + rest;
    int64_t top = e->top;
    if (e->room - top < count)
        return OUT_OF_BUDGET;
    word *at[CLUES + 1];
    for (int32_t i = 0; i < parts; e->top += part[i++].size)
        part[i].layouts = at[part[i].clue] = e->layouts + e->top;
    for (int32_t i = 0; i < count; i++) {
        int32_t clue = shown(e, layouts[i], cell);
        if (is_wanted[clue])
            *at[clue]++ = layouts[i];
    }
    uint8_t after[CELLS];
    memcpy(after, known, sizeof after);
    for (int32_t i = 0; i < parts && won + rest >= goal; i++) {
        rest -= part[i].bound;
        int32_t wanted = goal - won - rest;
        after[cell] = (uint8_t)part[i].clue;
        int32_t value = wins_of(e, part[i].layouts, part[i].size, after, wanted);
        if (value == OUT_OF_BUDGET) {
            won = value;
            rest = 0;
            break;
        }
        won += store(e, keys[part[i].clue], value, wanted);
        if (value < wanted)
            break;
    }
    e->top = top;
    return won + rest;
}

/* Whether a safe cell shows different things in some layouts; if not, `known` gets what it shows. */
static bool differs(const sapper_exact *e, const word *layouts, int32_t count, int32_t cell, uint8_t *known) {
    int32_t first = shown(e, layouts[0], cell);
    for (int32_t i = 1; i < count; i++)
        if (shown(e, layouts[i], cell) != first)
            return true;
    *known = (uint8_t)first;
    return false;
}

/* The key of a large set: what is known of each cell, in the least of its mirrored forms. */
static struct key key_of(const sapper_exact *e, const uint8_t *known) {
    struct key least = {{0, 0}};
    for (int32_t i = 0; i < e->symmetries; i++) {
        struct key key = {{0, 0}};
        for (int32_t cell = 0; cell < e->size; cell++) {
            const struct key *more = &e->known[e->image[i][cell]][known[cell]];
            key.half[0] += more->half[0];
            key.half[1] += more->half[1];
        }
        if (!i || key.half[0] < least.half[0])
            least = key;
    }
    return least;
}

static void count_parts(const sapper_exact *e, const word *layouts, int32_t count, const uint8_t *cells, int32_t places, struct large *l) {
    for (int32_t i = 0; i < places; i++) {
        memset(l->sizes[cells[i]], 0, sizeof l->sizes[0]);
        memset(l->keys[cells[i]], 0, sizeof l->keys[0]);
    }
    for (int32_t i = 0; i < count && !(i % STRIDE == 0 && *e->stop); i++) {
        word layout = layouts[i], one = sapper_mix(layout + SAPPER_GAMMA), other = sapper_mix(one ^ 0x1234567);
        for (int32_t j = 0; j < places; j++) {
            int32_t cell = cells[j], clue = shown(e, layout, cell);
            l->sizes[cell][clue]++;
            l->keys[cell][clue].half[0] += one;
            l->keys[cell][clue].half[1] += other;
        }
    }
}

/* What each clue of a large set's cell can win at most, in all, with a weight for the order of moves. */
static struct move weigh(const sapper_exact *e, const struct large *l, int32_t cell) {
    struct move move = {0, 0, (uint8_t)cell};
    int64_t weight = 0;
    for (int clue = 0; clue < CLUES; clue++) {
        int32_t bound = l->sizes[cell][clue];
        if (!bound)
            continue;
        const struct entry *entry = bound > 1 ? find(e, l->keys[cell][clue]) : NULL;
        bool is_known = bound == 1 || (entry && entry->low == entry->high);
        bound = entry ? entry->high : bound;
        /* A large part is won in a smaller share: so much is lost for each doubling. */
        int32_t doublings = 0;
        for (int32_t left = l->sizes[cell][clue]; left > 1 && !is_known; left /= 2)
            doublings++;
        move.bound += bound;
        weight += (int64_t)bound * (160 - 6 * doublings);
    }
    move.weight = (int32_t)(weight / 10 > INT32_MAX ? INT32_MAX : weight / 10);
    return move;
}

/* Those of the cells of a large set that tell something, once each; how many. */
static int32_t keep_large(const struct large *l, uint8_t *cells, int32_t places) {
    int32_t left = 0;
    for (int32_t i = 0; i < places; i++) {
        int32_t cell = cells[i], parts = 0;
        for (int clue = 0; clue < CLUES; clue++)
            parts += l->sizes[cell][clue] > 0;
        bool is_kept = parts > 1;
        for (int32_t j = 0; j < left && is_kept; j++)
            is_kept = memcmp(l->keys[cell], l->keys[cells[j]], sizeof l->keys[0]) != 0;
        if (is_kept)
            cells[left++] = (uint8_t)cell;
    }
    return left;
}

/* The best guess in a large set that is not in the table. `most`: no more can be won. */
static int32_t best_of(
    sapper_exact *e, const word *layouts, int32_t count, const uint8_t *known, uint8_t *cells, int32_t places,
    int32_t most, int32_t goal, const struct key *key) {
    struct large l;
    struct move moves[CELLS];
    count_parts(e, layouts, count, cells, places, &l);
    if (is_over(e))
        return OUT_OF_BUDGET;
    places = keep_large(&l, cells, places);
    for (int32_t i = 0; i < places; i++)
        add_move(moves, i, weigh(e, &l, cells[i]));
    int32_t best = 0, bound = 1;
    for (int32_t i = 0; i < places; i++) {
        int32_t wanted = larger(best + 1, goal), cell = moves[i].cell, value = smaller(moves[i].bound, most);
        if (value >= wanted) {
            value = wins_after(e, layouts, count, known, cell, l.sizes[cell], l.keys[cell], wanted);
            if (value == OUT_OF_BUDGET)
                return value;
            value = smaller(value, most);
        }
        if (value >= wanted)
            best = value;
        else
            bound = larger(bound, value);
    }
    return store(e, *key, best ? best : bound, goal);
}

/* The wins after revealing a cell that is safe. */
static int32_t wins_after_safe(
    sapper_exact *e, const word *layouts, int32_t count, const uint8_t *known, int32_t cell, int32_t goal) {
    struct large l;
    uint8_t cells[1] = {(uint8_t)cell};
    count_parts(e, layouts, count, cells, 1, &l);
    if (is_over(e))
        return OUT_OF_BUDGET;
    return wins_after(e, layouts, count, known, cell, l.sizes[cell], l.keys[cell], goal);
}

/* How many of these layouts best play wins. `before` is what was known of each cell before the last reveals. */
static int32_t wins_of(sapper_exact *e, const word *layouts, int32_t count, const uint8_t *before, int32_t goal) {
    uint8_t known[CELLS], cells[CELLS];
    int32_t places = 0;
    if (count <= SMALL) {
        struct small s;
        places = make_small(e, layouts, count, before, &s, cells);
        return wins_of_small(e, &s, ~(word)0 >> (SMALL - count), cells, places, goal);
    }
    memcpy(known, before, sizeof known);
    word some = 0, every = ~(word)0;
    for (int32_t i = 0; i < count; i++) {
        some |= layouts[i];
        every &= layouts[i];
    }
    for (int32_t cell = 0; cell < e->size; cell++) {
        if (known[cell] != OPEN)
            continue;
        if (every >> cell & 1)
            known[cell] = MINED;
        else if (some >> cell & 1)
            cells[places++] = (uint8_t)cell;
        else if (differs(e, layouts, count, cell, &known[cell]))
            return wins_after_safe(e, layouts, count, known, cell, goal);
    }
    struct key key = key_of(e, known);
    const struct entry *entry = find(e, key);
    if (entry && (entry->high < goal || entry->low == entry->high))
        return entry->high;
    e->sets++;
    if (is_over(e))
        return OUT_OF_BUDGET;
    return best_of(e, layouts, count, known, cells, places, entry ? entry->high : count, goal, &key);
}

/* --- whole games --- */

static int64_t layouts_of(int32_t size, int32_t mines) {
    int64_t count = 1;
    for (int32_t i = 0; i < mines; i++) {
        if (count > INT64_MAX / CELLS)
            return INT64_MAX;
        count = count * (size - i) / (i + 1);
    }
    return count;
}

static bool takes_symmetries(sapper_exact *e, const int32_t *symmetries, int32_t count) {
    e->symmetries = count;
    for (int32_t i = 0; i < count; i++) {
        word met = 0;
        for (int32_t cell = 0; cell < e->size; cell++) {
            int32_t image = symmetries[i * e->size + cell];
            if (image < 0 || image >= e->size || met >> image & 1)
                return false;
            met |= (word)1 << image;
            e->image[i][cell] = (uint8_t)image;
        }
    }
    return true;
}

static void list_layouts(sapper_exact *e, int32_t mines) {
    word layout = ((word)1 << mines) - 1;
    for (int32_t i = 0; i < e->count; i++) { /* the next larger number with as many bits, by Gosper */
        e->layouts[i] = layout;
        word low = layout & (~layout + 1), high = layout + low;
        layout = high | ((layout ^ high) >> 2) / low;
    }
}

sapper_exact *sapper_exact_new(
    const sapper_grid *grid, int32_t mines, const int32_t *symmetries, int32_t count, int32_t bits) {
    if (grid->size > CELLS || mines < 1 || mines >= grid->size || count < 1 || count > 8 || bits < 8 || bits > 32)
        return NULL;
    int64_t layouts = layouts_of(grid->size, smaller(mines, grid->size - mines));
    if (layouts > SAPPER_MOST_WHOLE)
        return NULL;
    sapper_exact *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->grid = grid;
    e->size = grid->size;
    e->count = (int32_t)layouts;
    e->room = layouts * (LISTS + 1);
    e->buckets = ((word)1 << bits) / BUCKET;
    e->layouts = malloc((size_t)e->room * sizeof *e->layouts);
    e->table = calloc((size_t)1 << bits, sizeof *e->table);
    if (!e->layouts || !e->table || !takes_symmetries(e, symmetries, count)) {
        sapper_exact_free(e);
        return NULL;
    }
    for (int32_t cell = 0; cell < e->size; cell++) {
        FOR_NEAR(grid, cell, near)
            e->near[cell] |= (word)1 << near;
        for (int value = 0; value <= OPEN; value++)
            for (int half = 0; half < 2; half++) {
                word number = (word)((cell * (OPEN + 1) + value) * 2 + half);
                e->known[cell][value].half[half] = sapper_mix(number * SAPPER_GAMMA + 0x7654321);
            }
    }
    list_layouts(e, mines);
    return e;
}

void sapper_exact_free(sapper_exact *exact) {
    if (!exact)
        return;
    free(exact->layouts);
    free(exact->table);
    free(exact);
}

int64_t sapper_exact_wins(
    sapper_exact *exact, int32_t first, int32_t open, int64_t goal, int64_t sets, const uint8_t *stop, int64_t *looked_at) {
    sapper_exact *e = exact;
    if (first < 0 || first >= e->size)
        return SAPPER_BAD;
    struct large l;
    uint8_t known[CELLS], cells[1] = {(uint8_t)first};
    memset(known, OPEN, sizeof known);
    e->sets = 0;
    e->budget = sets;
    e->stop = stop;
    count_parts(e, e->layouts, e->count, cells, 1, &l);
    for (int clue = 1; clue < CLUES && open; clue++)
        l.sizes[first][clue] = 0;
    e->top = e->count;
    int32_t wanted = (int32_t)(goal < 0 ? 0 : goal > e->count ? e->count : goal);
    int32_t value = OUT_OF_BUDGET;
    if (!*stop)
        value = wins_after(e, e->layouts, e->count, known, first, l.sizes[first], l.keys[first], wanted);
    *looked_at = e->sets;
    return value == OUT_OF_BUDGET ? SAPPER_MEMORY : value;
}
