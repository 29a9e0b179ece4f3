#include "guesses.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "influence.h"

#define LN10 2.302585092994046
#define FIRST 0.8 /* what the best and the second best safety after an answer are worth */
#define SECOND 0.2
enum { MOST_PLACES = 256 };       /* cells that are not certainly mined, of a board whose endgame is searched */

static void lay_out(sapper_arena *arena, void *of) {
    struct desk *desk = of;
    size_t size = (size_t)desk->grid->size;
    TAKE(desk->chance, size);
    TAKE(desk->influence, size);
    TAKE(desk->square, size);
    TAKE(desk->rank, size);
    TAKE(desk->candidates, size);
    TAKE(desk->mark, size);
    TAKE(desk->after, size);
    TAKE(desk->near, size);
}

bool sapper_desk_make(struct desk *desk, const sapper_grid *grid, const sapper_parts *parts) {
    desk->grid = grid;
    desk->parts = *parts;
    desk->analyser = sapper_analyser_new(grid, grid->starts[grid->size]);
    if (parts->layouts > 0)
        desk->endgame = sapper_endgame_new(grid, smaller(grid->size, MOST_PLACES), parts->layouts, parts->sets);
    desk->memory = sapper_allocate(lay_out, desk);
    if (desk->analyser && (desk->endgame || parts->layouts <= 0) && desk->memory)
        return true;
    sapper_desk_free(desk);
    return false;
}

void sapper_desk_free(struct desk *desk) {
    sapper_analyser_free(desk->analyser);
    sapper_endgame_free(desk->endgame);
    free(desk->memory);
    *desk = (struct desk){0};
}

/* Analyses a board with no flags: a status. */
static int solve(struct desk *desk, const uint8_t *tiles, uint8_t *mark) {
    int status = sapper_solve(desk->analyser, tiles, desk->mines, false, MOST_STATES, mark);
    desk->work += WORK_AN_ANALYSIS + desk->grid->size / CELLS_A_UNIT + desk->analyser->work.states;
    return status;
}

int sapper_desk_read(struct desk *desk, const uint8_t *tiles) {
    int status = solve(desk, tiles, desk->mark);
    if (status == OK)
        sapper_report(desk->analyser, tiles, desk->mark, desk->chance, &desk->found);
    return status;
}

/* --- endgames --- */

/* The place that wins most layouts; -1 where there are too many, or the search takes too long. */
static int32_t endgame_place(struct desk *desk, const uint8_t *tiles) {
    int32_t most = desk->parts.layouts;
    if (!desk->endgame || exp(desk->found.log_census * LN10) > most + 0.5)
        return -1;
    if (sapper_endgame_list(desk->endgame, tiles, desk->mark, desk->mines, most) <= 0)
        return -1;
    int32_t place = sapper_endgame_search(desk->endgame, desk->parts.sets, false);
    desk->work += WORK_A_SET * sapper_endgame_sets(desk->endgame);
    return place;
}

int32_t sapper_endgame_move(struct desk *desk, const uint8_t *tiles) {
    int32_t best = endgame_place(desk, tiles);
    return best >= 0 ? sapper_endgame_cell(desk->endgame, best) : -1;
}

double sapper_endgame_share(struct desk *desk, const uint8_t *tiles) {
    int32_t best = endgame_place(desk, tiles);
    return best >= 0 ? sapper_endgame_wins(desk->endgame, best) / exp(desk->found.log_census * LN10) : -1.0;
}

/* --- answers --- */

/* The safety of a guess, with what it is worth not to be forced to it later. */
static double safety_of(const struct desk *desk, int32_t cell) {
    return 1.0 - desk->chance[cell] + desk->influence[cell] * desk->parts.influence / 1000.0;
}

/* Analyses the board with a clue at a covered cell: a status. */
static int solve_after(struct desk *desk, uint8_t *tiles, int32_t cell, uint8_t clue) {
    tiles[cell] = clue;
    int status = solve(desk, tiles, desk->after);
    tiles[cell] = COVERED;
    return status;
}

double sapper_clue_share(struct desk *desk, uint8_t *tiles, int32_t cell, uint8_t clue) {
    int status = solve_after(desk, tiles, cell, clue);
    if (status == CONTRADICTION)
        return 0.0;
    double log_census = desk->analyser->work.log_census / log(10.0);
    return status == OK ? exp((log_census - desk->found.log_census) * LN10) : -1.0;
}

/* What the board is worth that was solved last: see the header. */
static double next_safety(const struct desk *desk, double decay) {
    const struct work *w = &desk->analyser->work;
    double best = 2.0, second = 2.0; /* risks */
    int32_t safe = w->safe;
    for (int32_t i = 0; i <= w->groups; i++) {
        bool inside = i == w->groups; /* the interior comes last */
        int32_t size = inside ? w->interior : w->group[i].size, mark = inside ? w->inside : w->group[i].mark;
        double chance = inside ? w->inside_chance : w->group[i].chance;
        if (mark == SAFE)
            safe += size;
        for (int32_t turn = 0; mark == UNKNOWN && turn < smaller(size, 2); turn++) {
            if (chance < best) {
                second = best;
                best = chance;
            } else if (chance < second) {
                second = chance;
            }
        }
    }
    if (best > 1.0)
        return 1.0;
    return 1.0 - (FIRST * best + SECOND * (second > 1.0 ? best : second)) * pow(decay, safe);
}

/* The value of a guess, halved if it can show only one number; less than `least` if it is found to be below that.
   -1 where the analysis fails. `later`: what follows an answer is worth so much of what it would be; if that is less than 1,
   a zero is looked for, and is worth 1. */
static double reply_value(struct desk *desk, uint8_t *tiles, int32_t cell, double later, double least) {
    const sapper_grid *grid = desk->grid;
    int32_t known = 0, left = 0, answers = 0;
    double expected = 0.0;
    FOR_NEAR(grid, cell, near) {
        if (tiles[near] >= COVERED) {
            known += desk->mark[near] == MINED;
            left += desk->mark[near] != MINED;
            expected += desk->chance[near];
        }
    }
    double rest = 1.0 - desk->chance[cell], value = 0.0, factor = safety_of(desk, cell) / rest;
    /* From the expected clue outwards: likely answers decide sooner whether the guess can be the best, and the impossible ones at
       both ends are never looked at. */
    int32_t most = smaller(known + left, EIGHT), up = smaller((int32_t)(expected + 0.5), most), down = up - 1;
    while (up <= most || down >= known) {
        bool is_up = down < known || (up <= most && up - expected <= expected - down);
        int32_t clue = is_up ? up++ : down--;
        double share = sapper_clue_share(desk, tiles, cell, (uint8_t)clue);
        if (share < 0.0)
            return -1.0;
        if (share == 0.0)
            continue;
        value += share * factor * (!clue && later < 1.0 ? 1.0 : later * next_safety(desk, desk->parts.decay / 1000.0));
        rest -= share;
        answers++;
        if (value + rest * factor < least)
            return value + rest * factor;
        if (rest < TIE)
            break;
    }
    return answers > 1 ? value : value * 0.5;
}

/* --- guesses --- */

static void note_near(const struct desk *desk, const uint8_t *tiles) {
    const sapper_grid *grid = desk->grid;
    memset(desk->near, 0, (size_t)grid->size);
    for (uint8_t level = 1; level <= 2; level++)
        for (int32_t cell = 0; cell < grid->size; cell++) {
            if (level == 1 ? tiles[cell] >= COVERED : desk->near[cell] != 1)
                continue;
            FOR_NEAR(grid, cell, near)
                if (!desk->near[near])
                    desk->near[near] = level;
        }
}

static void note_influence(struct desk *desk, uint8_t *tiles) {
    struct influenced board = {
        desk->grid, desk->analyser, tiles, desk->mark, desk->chance, desk->found.log_census * LN10, desk->mines, MOST_STATES};
    if (desk->parts.influence)
        sapper_find_influence(&board, desk->influence, desk->square, desk->after);
    else
        memset(desk->influence, 0, sizeof *desk->influence * (size_t)desk->grid->size);
}

static int32_t list_candidates(struct desk *desk, const uint8_t *tiles) {
    /* The safest first, of equals the one with the fewest undecided neighbours, then the lowest. Cells two steps or more from
       every clue are all alike but for their number of neighbours: one of each number is enough. */
    const sapper_grid *grid = desk->grid;
    double best = 0.0;
    for (int32_t cell = 0; cell < grid->size; cell++)
        if (tiles[cell] == COVERED && desk->mark[cell] != MINED)
            best = fmax(best, safety_of(desk, cell));
    double least = best * desk->parts.margin / 1000.0 - TIE;
    int32_t count = 0, most = smaller(desk->parts.candidates, grid->size);
    uint64_t far = 0;
    note_near(desk, tiles);
    for (int32_t cell = 0; cell < grid->size; cell++) {
        if (tiles[cell] != COVERED || desk->mark[cell] == MINED || safety_of(desk, cell) < least)
            continue;
        int32_t undecided = 0;
        FOR_NEAR(grid, cell, near)
            undecided += tiles[near] == COVERED && desk->mark[near] != MINED;
        if (!desk->near[cell] && undecided < 64) {
            if (far >> undecided & 1)
                continue;
            far |= (uint64_t)1 << undecided;
        }
        /* Chances that are equal as fractions may differ in their last bit. */
        int64_t rank = ((int64_t)((1.0 - safety_of(desk, cell)) / TIE + 0.5) << 4) + undecided;
        int32_t at = count;
        while (at > 0 && desk->rank[at - 1] > rank)
            at--;
        if (at >= most)
            continue;
        count = smaller(count + 1, most);
        for (int32_t i = count - 1; i > at; i--) {
            desk->rank[i] = desk->rank[i - 1];
            desk->candidates[i] = desk->candidates[i - 1];
        }
        desk->rank[at] = rank;
        desk->candidates[at] = cell;
    }
    return count;
}

/* What an answer is worth of what it would be later: less than 1 as long as no zero is revealed. */
static double worth_now(const struct desk *desk, const uint8_t *tiles) {
    bool is_opened = !desk->parts.opening || memchr(tiles, 0, (size_t)desk->grid->size);
    return is_opened ? 1.0 : desk->parts.opening / 1000.0;
}

int32_t sapper_rank_candidates(struct desk *desk, uint8_t *tiles) {
    note_influence(desk, tiles);
    int32_t count = list_candidates(desk, tiles);
    double later = worth_now(desk, tiles);
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = desk->candidates[i], at = i;
        double value = reply_value(desk, tiles, cell, later, 0.0);
        if (value < 0.0)
            return -1;
        for (; at > 0 && desk->square[at - 1] < value; at--) {
            desk->square[at] = desk->square[at - 1];
            desk->candidates[at] = desk->candidates[at - 1];
        }
        desk->square[at] = value;
        desk->candidates[at] = cell;
    }
    return count;
}

int32_t sapper_choose_guess(struct desk *desk, uint8_t *tiles) {
    note_influence(desk, tiles);
    int32_t count = list_candidates(desk, tiles), choice = -1;
    if (count == 1)
        return desk->candidates[0];
    double best = 0.0, later = worth_now(desk, tiles);
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = desk->candidates[i];
        if (safety_of(desk, cell) < best - TIE)
            break;
        double value = reply_value(desk, tiles, cell, later, best - TIE);
        if (value < 0.0)
            return -1;
        if (value > best + TIE || (value >= best - TIE && cell < choice))
            choice = cell;
        best = value > best ? value : best;
    }
    return choice;
}

int32_t sapper_choose_best_reply(struct desk *desk, uint8_t *tiles) {
    int32_t cell = sapper_endgame_move(desk, tiles);
    return cell >= 0 ? cell : sapper_choose_guess(desk, tiles);
}
