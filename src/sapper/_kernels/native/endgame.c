/* endgame.c: what a player knows is the set of layouts that are still possible.

   `sapper_endgame_list` walks through the cells that the analysis leaves open, mine or not, and gives up a branch as soon as a
   clue or the number of mines cannot be met. Each layout becomes a column of numbers: what every place would show.

   A move splits a set by what the cell would show; the part in which the cell is a mine is lost. In counts of layouts:
   wins(set) = the most, over the cells, of the sum of wins(part) over the parts in which the cell is safe; a set of one layout
   is won. All covered cells that are safe in the whole set are revealed first, which costs nothing. So the value depends on the
   set alone, whatever the order of moves, and sets are kept in a table under two 64-bit sums of random numbers (a false match
   has a chance below 1e-30 a lookup).

   What makes it quick: cells that show the same in every layout of the set are one cell; a cell that could show only one number
   (it tells nothing, so that it can wait) is left out while there are others; a move is looked at while the sum of bounds of
   its parts can still be the best, and a part only as far as it has to be known (`goal`: a value below it may be any upper
   bound). */
#include "endgame.h"

#include <string.h>

#include "arena.h"
#include "random.h"

enum {
    MINE_VALUE = 9,         /* in place of a clue: the cell is a mine */
    STEPS_PER_LAYOUT = 400, /* cells tried, for each layout that there is room for, before listing is given up */
    OUT_OF_BUDGET = -1,
    EXPANDED = -2,
    KNOWN_WEIGHT = 16,      /* for the order of moves: what a layout in a part counts whose value is known (or that is alone) */
    OPEN_WEIGHT = 13,       /* and any other */
    MOST_ENTRIES = 1 << 22, /* of a table */
    LARGE = 12,             /* layouts in a set from which the table is asked about the parts of all its moves, for their order */
    MOST_DEPTHS = 32,       /* sets of all layouts that `order` has room for */
};

/* What listing knows of a cell. */
struct cell {
    int32_t slot;  /* its place, -1 if it has none */
    int32_t need;  /* mines that a clue still needs */
    int32_t left;  /* cells beside it that are still to be decided */
    int32_t known; /* certain mines beside it */
};

/* A set of layouts, order[begin:end], at one depth of the search. */
struct frame {
    int64_t key[2];
    int32_t begin, end;
    int32_t top;    /* where the parts of a move go in `order` */
    int32_t goal;   /* a value below this may be any upper bound */
    int32_t best;   /* the most layouts that a move was found to win */
    int32_t bound;  /* no move that was given up wins more */
    int32_t live;   /* how many places still differ */
    int32_t picks;  /* how many moves there are to try */
    int32_t at;     /* the one being tried */
    int32_t parts;  /* how many parts it has */
    int32_t part;   /* the one being looked at */
    int32_t won;    /* layouts won in the parts before it */
    int32_t rest;   /* the bounds of the parts after it */
    int32_t wanted; /* what this part must reach */
};

struct pick {
    int32_t place, bound, weight;
};

struct piece {
    int64_t key[2];
    int32_t begin, size;
    int32_t bound; /* an upper bound of its wins; the complement if that is exact */
};

struct entry {
    int64_t key[2];
    int32_t low, high;
    int64_t generation; /* of the entries that count */
};

static const uint8_t NEVER; /* it is 0: nobody stops the work */

struct sapper_endgame {
    const sapper_grid *grid;
    int32_t most_places, most_layouts, depths;
    int32_t places, layouts; /* of the board at hand */
    /* the list */
    uint8_t *value; /* a row for each place, `most_layouts` long: what it shows in each layout */
    int32_t *place; /* the cell at each place, ascending */
    struct cell *cell;
    int32_t *variable; /* the undecided cells, in the order in which they are decided */
    int8_t *choice;    /* of each of these: -1 not tried, 0 safe, 1 mine */
    uint8_t *shown;
    /* the search */
    int64_t *key[2];
    int32_t *order, order_room;
    struct frame *frame;
    int32_t *live;           /* `most_places` for each depth */
    struct pick *pick;       /* `most_places` + 1 for each depth */
    struct piece (*part)[MINE_VALUE];
    int32_t *low, *high;
    struct entry *table;
    void *memory; /* all but the table */
    int64_t entries, used, generation, nodes, budget;
    const volatile uint8_t *stop; /* another thread may set it */
    int32_t sizes[MINE_VALUE + 1]; /* of the parts of a move, with their keys */
    int64_t keys[MINE_VALUE + 1][2];
};

static void lay_out(sapper_arena *arena, void *of) {
    sapper_endgame *e = of;
    size_t size = (size_t)e->grid->size, places = (size_t)e->most_places, layouts = (size_t)e->most_layouts;
    size_t depths = (size_t)e->depths;
    TAKE(e->value, places * layouts);
    TAKE(e->place, places);
    TAKE(e->cell, size);
    TAKE(e->variable, size + 1);
    TAKE(e->choice, size + 1);
    TAKE(e->shown, places);
    TAKE(e->key[0], layouts);
    TAKE(e->key[1], layouts);
    TAKE(e->order, e->order_room);
    TAKE(e->frame, depths);
    TAKE(e->live, depths * places);
    TAKE(e->pick, depths * (places + 1));
    TAKE(e->part, depths);
    TAKE(e->low, places);
    TAKE(e->high, places);
}

sapper_endgame *sapper_endgame_new(const sapper_grid *grid, int32_t places, int32_t layouts, int64_t sets) {
    if (places < 1 || places > grid->size || layouts < 1 || layouts > 1 << 22 || sets < 0)
        return NULL;
    sapper_endgame *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->grid = grid;
    e->stop = &NEVER;
    e->most_places = places;
    e->most_layouts = layouts;
    e->depths = smaller(places, layouts) + 3;
    e->order_room = layouts * smaller(e->depths, MOST_DEPTHS) + 64;
    for (e->entries = 256; e->entries <= 2 * sets && e->entries < MOST_ENTRIES;)
        e->entries *= 2; /* half of them stay free, up to a limit */
    e->memory = sapper_allocate(lay_out, e);
    e->table = calloc((size_t)e->entries, sizeof *e->table);
    if (!e->memory || !e->table) {
        sapper_endgame_free(e);
        return NULL;
    }
    for (int32_t i = 0; i < layouts; i++)
        for (int word = 0; word < 2; word++) {
            uint64_t number = (uint64_t)i + (uint64_t)word * ((uint64_t)layouts + 1);
            e->key[word][i] = (int64_t)sapper_mix(number * SAPPER_GAMMA + 0x1234567);
        }
    return e;
}

void sapper_endgame_free(sapper_endgame *endgame) {
    if (!endgame)
        return;
    free(endgame->memory);
    free(endgame->table);
    free(endgame);
}

void sapper_endgame_heed(sapper_endgame *endgame, const uint8_t *stop) {
    endgame->stop = stop;
}

/* --- listing --- */

/* Names the places, and what each clue needs of undecided cells; false if there is no room. */
static bool read_board(sapper_endgame *e, const uint8_t *tiles, const uint8_t *mark) {
    const sapper_grid *grid = e->grid;
    e->places = 0;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        e->cell[cell].slot = -1;
        if (!is_hidden(tiles[cell]) || mark[cell] == MINED)
            continue;
        if (e->places == e->most_places)
            return false;
        e->cell[cell].slot = e->places;
        e->place[e->places++] = cell;
    }
    for (int32_t cell = 0; cell < grid->size; cell++) {
        struct cell *here = &e->cell[cell];
        here->known = here->left = 0;
        FOR_NEAR(grid, cell, near) {
            if (tiles[near] == MINE || tiles[near] == EXPLODED || (tiles[near] >= COVERED && mark[near] == MINED))
                here->known++;
            else if (e->cell[near].slot >= 0 && mark[near] == UNKNOWN)
                here->left++;
        }
        here->need = tiles[cell] < COVERED ? tiles[cell] - here->known : 0;
    }
    return true;
}

/* Puts the undecided cells in the order of a walk from clue to clue, those of no clue last; how many there are. */
static int32_t order_cells(sapper_endgame *e, const uint8_t *tiles, const uint8_t *mark) {
    const sapper_grid *grid = e->grid;
    int32_t count = 0;
    memset(e->choice, 0, (size_t)grid->size); /* here: whether the cell is in the order yet */
    for (int whole = 0; whole < 2; whole++)
        for (int32_t seed = 0; seed < grid->size; seed++) {
            if (e->cell[seed].slot < 0 || mark[seed] != UNKNOWN || e->choice[seed])
                continue;
            bool has_clue = whole;
            FOR_NEAR(grid, seed, near)
                has_clue |= tiles[near] < COVERED;
            if (!has_clue)
                continue;
            int32_t head = count;
            e->variable[count++] = seed;
            e->choice[seed] = 1;
            for (; head < count; head++) {
                int32_t cell = e->variable[head];
                FOR_NEAR(grid, cell, clue) {
                    if (tiles[clue] >= COVERED)
                        continue;
                    FOR_NEAR(grid, clue, near) {
                        if (e->cell[near].slot >= 0 && mark[near] == UNKNOWN && !e->choice[near]) {
                            e->variable[count++] = near;
                            e->choice[near] = 1;
                        }
                    }
                }
            }
        }
    return count;
}

/* Counts a decided cell at the clues beside it (sign 1), or takes that back (-1); whether each can still be met. */
static bool decide(sapper_endgame *e, const uint8_t *tiles, int32_t cell, int32_t mine, int32_t sign) {
    bool fits = true;
    FOR_NEAR(e->grid, cell, near) {
        if (tiles[near] >= COVERED)
            continue;
        struct cell *clue = &e->cell[near];
        clue->left -= sign;
        clue->need -= sign * mine;
        if (clue->need < 0 || clue->need > clue->left)
            fits = false;
    }
    return fits;
}

/* Writes down what every place shows in the layout that was just found, of `count` cells that were decided. */
static void write_down(sapper_endgame *e, int32_t count) {
    const sapper_grid *grid = e->grid;
    for (int32_t place = 0; place < e->places; place++)
        e->shown[place] = (uint8_t)e->cell[e->place[place]].known;
    for (int32_t i = 0; i < count; i++)
        if (e->choice[i])
            FOR_NEAR(grid, e->variable[i], near)
                if (e->cell[near].slot >= 0)
                    e->shown[e->cell[near].slot]++;
    for (int32_t i = 0; i < count; i++)
        if (e->choice[i])
            e->shown[e->cell[e->variable[i]].slot] = MINE_VALUE;
    for (int32_t place = 0; place < e->places; place++) /* a number that is no clue cannot be told apart from others */
        e->value[(int64_t)place * e->most_layouts + e->layouts] = (uint8_t)smaller(e->shown[place], MINE_VALUE);
    e->layouts++;
}

int32_t sapper_endgame_list(
    sapper_endgame *e, const uint8_t *tiles, const uint8_t *mark, int32_t mines, int32_t most) {
    e->layouts = 0;
    if (!read_board(e, tiles, mark))
        return -1;
    int32_t count = order_cells(e, tiles, mark), left = mines;
    for (int32_t cell = 0; cell < e->grid->size; cell++)
        left -= tiles[cell] == MINE || tiles[cell] == EXPLODED ||
                (is_hidden(tiles[cell]) && mark[cell] == MINED);
    int64_t steps = STEPS_PER_LAYOUT * ((int64_t)most + 100);
    most = smaller(most, e->most_layouts);
    e->choice[0] = -1;
    for (int32_t depth = 0; depth >= 0;) {
        if (depth == count) {
            if (left == 0) {
                if (e->layouts >= most)
                    return -1;
                write_down(e, count);
            }
            depth--;
            continue;
        }
        int32_t cell = e->variable[depth], before = e->choice[depth];
        if (before >= 0) {
            decide(e, tiles, cell, before, -1);
            left += before;
        }
        if (before == 1) {
            depth--;
            continue;
        }
        if (--steps < 0 || *e->stop)
            return -1;
        e->choice[depth] = (int8_t)(before + 1);
        left -= before + 1;
        if (decide(e, tiles, cell, before + 1, 1) && left >= 0 && left < count - depth)
            e->choice[++depth] = -1;
    }
    return e->layouts;
}

/* --- searching --- */

static const uint8_t *values_of(const sapper_endgame *e, int32_t place) {
    return e->value + (int64_t)place * e->most_layouts;
}

/* The entry of a set in the table, or the free one where it would go. */
static struct entry *find(const sapper_endgame *e, const int64_t key[2]) {
    int64_t mask = e->entries - 1, at = (key[0] >> 17 ^ key[1]) & mask;
    while (e->table[at].generation == e->generation &&
           (e->table[at].key[0] != key[0] || e->table[at].key[1] != key[1]))
        at = (at + 1) & mask;
    return &e->table[at];
}

/* Keeps what is known of a set; a table three quarters full takes no more. */
static int32_t store(sapper_endgame *e, const int64_t key[2], int32_t low, int32_t high) {
    struct entry *entry = find(e, key);
    if (entry->generation == e->generation) {
        entry->low = larger(entry->low, low);
        entry->high = smaller(entry->high, high);
    } else if (4 * e->used < 3 * e->entries) {
        e->used++;
        *entry = (struct entry){{key[0], key[1]}, low, high, e->generation};
    }
    return high;
}

/* For a set and one place: the size of each part; that of the mines. */
static int32_t count_parts(sapper_endgame *e, int32_t place, const struct frame *set) {
    const uint8_t *values = values_of(e, place);
    memset(e->sizes, 0, sizeof e->sizes);
    for (int32_t i = set->begin; i < set->end; i++)
        e->sizes[values[e->order[i]]]++;
    return e->sizes[MINE_VALUE];
}

/* And their keys. */
static void add_keys(sapper_endgame *e, int32_t place, const struct frame *set) {
    const uint8_t *values = values_of(e, place);
    memset(e->keys, 0, sizeof e->keys);
    for (int32_t i = set->begin; i < set->end; i++) {
        int32_t layout = e->order[i];
        for (int word = 0; word < 2; word++) {
            int64_t *key = &e->keys[values[layout]][word];
            *key = (int64_t)((uint64_t)*key + (uint64_t)e->key[word][layout]);
        }
    }
}

/* An upper bound of the wins in a part; its complement if that is exact. */
static int32_t bound_of(const sapper_endgame *e, int32_t size, const int64_t key[2]) {
    if (size == 1)
        return ~1;
    if (size > 2) {
        const struct entry *entry = find(e, key);
        if (entry->generation == e->generation)
            return entry->low == entry->high ? ~entry->high : entry->high;
    }
    return size;
}

static void add_pick(sapper_endgame *e, int32_t depth, int32_t place, int32_t bound, int32_t weight) {
    struct pick *picks = e->pick + (int64_t)depth * (e->most_places + 1);
    int32_t at = e->frame[depth].picks++;
    for (; at > 0 && picks[at - 1].weight < weight; at--)
        picks[at] = picks[at - 1];
    picks[at] = (struct pick){place, bound, weight};
}

static bool same_values(const sapper_endgame *e, int32_t one, int32_t other, const struct frame *set) {
    const uint8_t *ones = values_of(e, one), *others = values_of(e, other);
    for (int32_t at = set->begin; at < set->end; at++)
        if (ones[e->order[at]] != others[e->order[at]])
            return false;
    return true;
}

/* The wins in a set of two: both if a safe cell tells them apart, else one. */
static int32_t of_two(const sapper_endgame *e, int32_t depth) {
    int32_t one = e->order[e->frame[depth].begin], other = e->order[e->frame[depth].begin + 1];
    const int32_t *live = e->live + (int64_t)(depth - 1) * e->most_places;
    for (int32_t i = 0; i < e->frame[depth - 1].live; i++) {
        uint8_t here = values_of(e, live[i])[one], there = values_of(e, live[i])[other];
        if (here != there && here != MINE_VALUE && there != MINE_VALUE)
            return 2;
    }
    return 1;
}

struct weighed {
    int32_t parts, bound, weight;
};

/* The parts that were counted: how many, the sum of their bounds, the weight of the move. `keyed`: the table is asked. */
static struct weighed weigh_parts(const sapper_endgame *e, bool keyed) {
    struct weighed found = {0, 0, 0};
    for (int value = 0; value < MINE_VALUE; value++) {
        int32_t size = e->sizes[value];
        if (!size)
            continue;
        int32_t bound = keyed || size < 3 ? bound_of(e, size, e->keys[value]) : size;
        bool is_known = bound < 0;
        bound = is_known ? ~bound : bound;
        found.parts++;
        found.bound += bound;
        found.weight += (is_known ? KNOWN_WEIGHT : OPEN_WEIGHT) * bound;
    }
    return found;
}

/* The moves of the set at `depth`, and the places that still differ; an upper bound of its wins.
   A safe place with several numbers is the only move there is. A move that tells nothing is there only if no other is. */
static int32_t list_moves(sapper_endgame *e, int32_t depth) {
    struct frame *set = &e->frame[depth];
    const int32_t *before = e->live + (int64_t)(depth - 1) * e->most_places;
    int32_t *live = e->live + (int64_t)depth * e->most_places, before_count = e->frame[depth - 1].live;
    int32_t size = set->end - set->begin, quiet = -1, quiet_bound = 0, most = 0;
    set->live = set->picks = 0;
    for (int32_t i = 0; i < before_count; i++) {
        int32_t place = before[i], mines = count_parts(e, place, set);
        if (mines == size)
            continue;
        if (mines == 0) {
            int32_t parts = 0;
            for (int value = 0; value < MINE_VALUE; value++)
                parts += e->sizes[value] > 0;
            if (parts == 1)
                continue;
        }
        if (size >= LARGE)
            add_keys(e, place, set);
        struct weighed move = weigh_parts(e, size >= LARGE);
        bool is_new = true;
        for (int32_t j = 0; j < set->live && is_new; j++)
            is_new = !same_values(e, place, live[j], set);
        if (!is_new)
            continue;
        live[set->live++] = place;
        if (mines == 0) {
            for (int32_t rest = i + 1; rest < before_count; rest++)
                live[set->live++] = before[rest];
            set->picks = 0;
            add_pick(e, depth, place, move.bound, 0);
            return move.bound;
        }
        if (move.parts == 1) {
            if (move.bound > quiet_bound) {
                quiet_bound = move.bound;
                quiet = place;
            }
            continue;
        }
        most = larger(most, move.bound);
        add_pick(e, depth, place, move.bound, move.weight);
    }
    if (set->picks == 0) {
        most = quiet_bound;
        add_pick(e, depth, quiet, quiet_bound, 0);
    }
    return most;
}

/* Makes the parts of a move, the smallest first; the sum of their bounds, OUT_OF_BUDGET without room. */
static int32_t split(sapper_endgame *e, int32_t depth, int32_t place) {
    struct frame *set = &e->frame[depth];
    const uint8_t *values = values_of(e, place);
    int32_t size = set->end - set->begin, top = set->top, total = 0;
    int32_t mines = count_parts(e, place, set);
    add_keys(e, place, set);
    if ((int64_t)top + size - mines > e->order_room)
        return OUT_OF_BUDGET;
    set->parts = 0;
    for (int32_t least = 0, next; least <= size; least = next) {
        /* The next size up; parts of one size in the order of their numbers. */
        next = size + 1;
        for (int value = 0; value < MINE_VALUE; value++)
            if (e->sizes[value] > least)
                next = smaller(next, e->sizes[value]);
        for (int value = 0; value < MINE_VALUE && next <= size; value++) {
            if (e->sizes[value] != next)
                continue;
            struct piece *part = &e->part[depth][set->parts++];
            *part = (struct piece){{e->keys[value][0], e->keys[value][1]}, top, next, bound_of(e, next, e->keys[value])};
            total += part->bound < 0 ? ~part->bound : part->bound;
            for (int32_t i = set->begin; i < set->end; i++)
                if (values[e->order[i]] == value)
                    e->order[top++] = e->order[i];
        }
    }
    return total;
}

/* Goes down into the part at hand of the move at `depth`; the depth below. */
static int32_t push(sapper_endgame *e, int32_t depth) {
    const struct frame *set = &e->frame[depth];
    const struct piece *part = &e->part[depth][set->part], *last = &e->part[depth][set->parts - 1];
    struct frame *below = &e->frame[depth + 1];
    below->begin = part->begin;
    below->end = part->begin + part->size;
    below->top = last->begin + last->size;
    below->key[0] = part->key[0];
    below->key[1] = part->key[1];
    below->goal = set->wanted;
    return depth + 1;
}

/* Begins with the set at `depth`: its wins (or a bound below the goal) if that is easy, EXPANDED, or OUT_OF_BUDGET. */
static int32_t enter(sapper_endgame *e, int32_t depth) {
    struct frame *set = &e->frame[depth];
    int32_t size = set->end - set->begin;
    if (size == 1)
        return 1;
    if (size == 2)
        return of_two(e, depth);
    const struct entry *entry = find(e, set->key);
    if (entry->generation == e->generation && (entry->high < set->goal || entry->low == entry->high))
        return entry->high;
    if (++e->nodes > e->budget || *e->stop)
        return OUT_OF_BUDGET;
    int32_t bound = list_moves(e, depth);
    if (bound < set->goal)
        return store(e, set->key, 1, bound);
    set->best = set->bound = 0;
    set->at = -1;
    return EXPANDED;
}

/* Begins with the parts of a move; false without room. */
static bool begin_parts(sapper_endgame *e, int32_t depth, int32_t place) {
    struct frame *set = &e->frame[depth];
    set->rest = split(e, depth, place);
    set->won = 0;
    set->part = -1;
    return set->rest >= 0;
}

/* Goes on to the next move that can still be the best; the value of the set if there is none, EXPANDED, OUT_OF_BUDGET. */
static int32_t next_move(sapper_endgame *e, int32_t depth) {
    struct frame *set = &e->frame[depth];
    const struct pick *picks = e->pick + (int64_t)depth * (e->most_places + 1);
    int32_t goal = larger(set->best + 1, set->goal);
    for (set->at++; set->at < set->picks && picks[set->at].bound < goal; set->at++)
        set->bound = larger(set->bound, picks[set->at].bound);
    if (set->at == set->picks) {
        int32_t high = set->best >= set->goal ? set->best : larger(set->best, set->bound);
        return store(e, set->key, larger(set->best, 1), high);
    }
    return begin_parts(e, depth, picks[set->at].place) ? EXPANDED : OUT_OF_BUDGET;
}

/* Goes on to the next part of the move that has to be searched, its goal in `wanted`; false if there is none.
   Then the move's value is `won` if that reaches `goal`, else won + rest is below it and a bound. */
static bool next_part(sapper_endgame *e, int32_t depth, int32_t goal) {
    struct frame *set = &e->frame[depth];
    while (set->part + 1 < set->parts && set->won + set->rest >= goal) {
        int32_t bound = e->part[depth][++set->part].bound;
        set->rest -= bound < 0 ? ~bound : bound;
        if (bound >= 0) {
            set->wanted = goal - set->won - set->rest;
            return true;
        }
        set->won += ~bound;
    }
    return false;
}

/* Counts the value of the part that was searched: as won if it is exact, else as a bound, which ends the move. */
static void take_value(struct frame *set, int32_t value) {
    if (value < set->wanted)
        set->rest += value;
    else
        set->won += value;
}

/* The wins in the part at hand of the move at depth 0: exact if they reach what is wanted there, else an upper bound; or
   OUT_OF_BUDGET. */
static int32_t search(sapper_endgame *e) {
    int32_t depth = push(e, 0), value = enter(e, depth);
    while (value != OUT_OF_BUDGET) {
        if (value == EXPANDED) {
            value = next_move(e, depth);
            if (value != EXPANDED)
                continue;
        } else {
            if (--depth == 0)
                return value;
            take_value(&e->frame[depth], value);
        }
        struct frame *set = &e->frame[depth];
        int32_t goal = larger(set->best + 1, set->goal);
        if (next_part(e, depth, goal)) {
            depth = push(e, depth);
            value = enter(e, depth);
            continue;
        }
        if (set->won + set->rest >= goal)
            set->best = set->won;
        else
            set->bound = larger(set->bound, set->won + set->rest);
        value = EXPANDED;
    }
    return OUT_OF_BUDGET;
}

/* Puts the whole list at depth 0, and its moves among its picks; low and high get what is known of each.
   A place equal to one before it gets the complement of that one's number in `high`, and is no move of its own. */
static void begin_list(sapper_endgame *e) {
    struct frame *set = &e->frame[0];
    e->generation++;
    e->used = e->nodes = 0;
    for (int32_t layout = 0; layout < e->layouts; layout++)
        e->order[layout] = layout;
    *set = (struct frame){.end = e->layouts, .top = e->layouts};
    for (int32_t place = 0; place < e->places; place++) {
        e->low[place] = e->high[place] = 0;
        int32_t mines = count_parts(e, place, set);
        if (mines == e->layouts)
            continue;
        for (int32_t i = 0; i < set->live && e->high[place] == 0; i++)
            if (same_values(e, place, e->live[i], set))
                e->high[place] = ~e->live[i];
        if (e->high[place] < 0)
            continue;
        struct weighed move = weigh_parts(e, false);
        e->low[place] = move.parts;
        e->high[place] = move.bound;
        e->live[set->live++] = place;
        add_pick(e, 0, place, move.bound, move.weight + (mines ? 0 : e->layouts * 256));
    }
}

/* Searches one move of the whole list, as far as `goal` asks; false if the budget ran out. */
static bool try_move(sapper_endgame *e, int32_t place, int32_t goal) {
    struct frame *set = &e->frame[0];
    if (!begin_parts(e, 0, place))
        return false;
    while (next_part(e, 0, goal)) {
        int32_t value = search(e);
        if (value == OUT_OF_BUDGET) {
            int32_t bound = e->part[0][set->part].bound;
            e->low[place] = larger(e->low[place], set->won + set->parts - set->part);
            e->high[place] = smaller(e->high[place], set->won + bound + set->rest);
            return false;
        }
        take_value(set, value);
    }
    e->high[place] = set->won + set->rest;
    if (e->high[place] >= goal)
        e->low[place] = e->high[place];
    return true;
}

int32_t sapper_endgame_search(sapper_endgame *e, int64_t sets, int32_t every) {
    begin_list(e);
    e->budget = sets;
    int32_t best = -1;
    bool in_budget = true;
    for (int32_t i = 0; i < e->frame[0].picks; i++) {
        int32_t place = e->pick[i].place, goal = 0;
        if (best >= 0 && !every)
            goal = place < best ? e->low[best] : e->low[best] + 1;
        if (in_budget && e->high[place] >= goal)
            in_budget = try_move(e, place, goal);
        if (best < 0 || e->low[place] > e->low[best] || (e->low[place] == e->low[best] && place < best))
            best = place;
    }
    for (int32_t place = 0; place < e->places; place++)
        if (e->high[place] < 0) {
            e->low[place] = e->low[~e->high[place]];
            e->high[place] = e->high[~e->high[place]];
        }
    return in_budget ? best : ~best;
}

int32_t sapper_endgame_places(
    const sapper_endgame *endgame, int32_t *cells, int32_t *safe, int32_t *low, int32_t *high, int64_t *looked_at) {
    size_t bytes = sizeof *cells * (size_t)endgame->places;
    memcpy(cells, endgame->place, bytes);
    memcpy(low, endgame->low, bytes);
    memcpy(high, endgame->high, bytes);
    for (int32_t place = 0; place < endgame->places; place++) {
        safe[place] = 0;
        for (int32_t layout = 0; layout < endgame->layouts; layout++)
            safe[place] += values_of(endgame, place)[layout] != MINE_VALUE;
    }
    *looked_at = endgame->nodes;
    return endgame->places;
}

int32_t sapper_endgame_cell(const sapper_endgame *endgame, int32_t place) {
    return endgame->place[place];
}

int32_t sapper_endgame_wins(const sapper_endgame *endgame, int32_t place) {
    return endgame->low[place];
}

int64_t sapper_endgame_sets(const sapper_endgame *endgame) {
    return endgame->nodes;
}
