#include "playouts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"
#include "notes.h"

enum {
    MOST_LAYOUTS = 16384, /* that are drawn for a decision */
    MOST_CANDIDATES = 4096,
    CLUE_COUNT = 10,
    STRUCK = 9,           /* in place of a clue */
    KEPT_BITS = 17,       /* guesses that are kept for playouts that come to the same board: two to this power at most */
    MICROSECONDS_A_PLAYOUT = 200, /* of work, for each playout of the budget; on Expert one takes 200 */
    FEWEST_LAYOUTS = 16,  /* that are played if it is not much more work than that */
    MUCH_MORE = 4,
    USUAL_PLAYOUTS = 450, /* what a board is played out with that has no budget */
    MOST_DRAWS = 200,     /* of a layout on the way, until one has no mine at a cell */
};

#define DROP 2.0    /* a guess is given up that is so many standard errors worse than the best; the best opinion never is */
/* Opinions are overruled by a rival that is better by more than the standard error, and than its square times this. That is
   what follows if, before any playout, others are thought to be 0.01 worse, give or take 0.01: of many noisy numbers the greatest
   is mostly too great. With many playouts it makes no difference, with few it is why there is a gain (`docs/strength.md`). */
#define DOUBT 100.0

struct sapper_decider {
    sapper_grid grid;
    sapper_decision decision;
    struct desk root, play; /* the board at hand; the boards that are played */
    struct notes before, notes;
    uint8_t *board, *tiles, *clues; /* as it is; as it is played on; the layout it is played on */
    uint8_t *mapped, *others_clues; /* of a layout that is drawn on the way */
    int32_t *listed;
    int32_t *scored;   /* the layouts that each guess was scored on last */
    int32_t *together; /* the cells of a guess that reveals several at once */
    int32_t together_count, together_at; /* and which guess that is; -1 if there is none */
    int32_t revealed; /* cells of the board */
    bool can_draw;    /* whether the analysis of the board is the latest, and can be drawn from */
    sapper_rng rng;
    int32_t *kept_cell;
    double *kept_risk;
    uint64_t seed; /* of layouts that are drawn on the way */
    sapper_parts own;           /* of `best-reply` */
    const sapper_parts *others; /* of the other heuristics */
    int32_t other_count;
    int32_t room;            /* guesses that can be compared */
    int64_t most_work;       /* of a decision's playouts */
    void *memory;
};

static void lay_out(sapper_arena *arena, void *of) {
    sapper_decider *decider = of;
    size_t size = (size_t)decider->grid.size, most = (size_t)decider->room;
    sapper_decision *d = &decider->decision;
    TAKE(d->kept, (size_t)1 << KEPT_BITS);
    TAKE(decider->kept_cell, (size_t)1 << KEPT_BITS);
    TAKE(decider->kept_risk, (size_t)1 << KEPT_BITS);
    TAKE(d->score, most);
    TAKE(d->error, most);
    TAKE(decider->scored, most);
    TAKE(d->share, most * CLUE_COUNT);
    TAKE(d->mean, most * CLUE_COUNT);
    TAKE(d->value, most * MOST_LAYOUTS);
    TAKE(d->answer, most * MOST_LAYOUTS);
    TAKE(d->cell, most);
    TAKE(d->is_left, most);
    TAKE(d->mapped, size);
    TAKE(decider->board, size + 1);
    TAKE(decider->tiles, size + 1);
    TAKE(decider->clues, size);
    TAKE(decider->mapped, size);
    TAKE(decider->others_clues, size);
    TAKE(decider->listed, size + 1);
    TAKE(decider->together, size);
    sapper_notes_lay_out(&decider->before, arena, &decider->grid);
    sapper_notes_lay_out(&decider->notes, arena, &decider->grid);
}

sapper_decider *sapper_decider_new(
    const sapper_grid *grid, const sapper_parts *parts, const sapper_parts *others, int32_t count, const sapper_parts *played) {
    sapper_decider *decider = calloc(1, sizeof *decider);
    if (!decider)
        return NULL;
    decider->grid = *grid;
    decider->own = *parts;
    decider->others = others;
    decider->other_count = count;
    decider->room = larger(smaller(parts->rivals, smaller(grid->size, MOST_CANDIDATES)), 0) + larger(count, 1) + 1;
    int64_t playouts = parts->playouts ? parts->playouts : USUAL_PLAYOUTS;
    decider->most_work = parts->milliseconds ? INT64_MAX : playouts * MICROSECONDS_A_PLAYOUT * WORK_A_MICROSECOND;
    bool made = sapper_desk_make(&decider->root, &decider->grid, parts) &&
                sapper_desk_make(&decider->play, &decider->grid, played);
    decider->decision.most_layouts = MOST_LAYOUTS;
    decider->decision.kept_size = (int64_t)1 << KEPT_BITS;
    decider->decision.words = decider->rng.words;
    decider->memory = sapper_allocate(lay_out, decider);
    if (made && decider->memory) {
        decider->board[grid->size] = decider->tiles[grid->size] = NO_TILE;
        return decider;
    }
    sapper_decider_free(decider);
    return NULL;
}

void sapper_decider_free(sapper_decider *decider) {
    if (!decider)
        return;
    sapper_desk_free(&decider->root);
    sapper_desk_free(&decider->play);
    free(decider->memory);
    free(decider);
}

sapper_decision *sapper_decider_decision(sapper_decider *decider) {
    return &decider->decision;
}

/* --- playing on --- */

/* A number that tells a board by its open cells (Zobrist's, with a sum). */
static uint64_t key_of(const uint8_t *tiles, const int32_t *opened, int32_t count) {
    uint64_t key = 0;
    for (int32_t at = 0; at < count; at++)
        key += sapper_mix((uint64_t)opened[at] * 16 + tiles[opened[at]]);
    return sapper_mix(key);
}

/* Reveals all cells that the analysis of the board that is played has found safe; how many are open now. In what order makes no
   difference. */
static int32_t reveal_safe(sapper_decider *decider, const uint8_t *clues, int32_t count) {
    for (int32_t cell = 0; cell < decider->grid.size; cell++)
        if (decider->play.mark[cell] == SAFE && decider->tiles[cell] == COVERED)
            count = sapper_open(&decider->grid, clues, decider->tiles, cell, decider->notes.opened, count);
    return count;
}

/* Puts a layout into `others_clues` that fits the board that is played and has no mine at a cell; false if that cannot be. */
static bool draw_safe(sapper_decider *decider, int32_t cell, sapper_rng *rng) {
    struct desk *desk = &decider->play;
    if (sapper_desk_read(desk, decider->tiles) != OK)
        return false;
    for (int32_t turn = 0; turn < MOST_DRAWS; turn++) {
        if (!sapper_sample_layout(desk->analyser, decider->tiles, desk->mark, desk->mines, rng, decider->mapped))
            return false;
        if (!decider->mapped[cell]) {
            sapper_count_clues(&decider->grid, decider->mapped, decider->others_clues, decider->listed);
            return true;
        }
    }
    return false;
}

/* Reveals cells of the board on the layout in `clues` and plays on as `best-reply`; the chance to win. A guess on the way that would be
   lost is survived on another layout that fits, and the chance that it is survived is a factor of what is returned. */
static double play_on(sapper_decider *decider, const int32_t *cells, int32_t cell_count) {
    uint8_t *tiles = decider->tiles;
    const uint8_t *clues = decider->clues;
    struct desk *desk = &decider->play;
    struct notes *notes = &decider->notes;
    double chance = 1.0, risk = 0.0;
    sapper_rng rng = sapper_seeded(decider->seed);
    for (int32_t at = 0; at < cell_count; at++)
        if (clues[cells[at]] == SAPPER_MINE)
            return 0.0;
    memcpy(tiles, decider->board, (size_t)decider->grid.size);
    sapper_notes_copy(notes, &decider->before);
    int32_t count = decider->revealed, safe = decider->grid.size - desk->mines, cell = cells[0];
    for (int32_t at = 1; at < cell_count; at++)
        if (tiles[cells[at]] == COVERED)
            count = sapper_open(&decider->grid, clues, tiles, cells[at], notes->opened, count);
    for (;;) {
        if (clues[cell] == SAPPER_MINE) {
            if (risk == 0.0 || !draw_safe(decider, cell, &rng))
                return 0.0;
            clues = decider->others_clues;
        }
        chance *= 1.0 - risk;
        risk = 0.0;
        if (tiles[cell] == COVERED)
            count = sapper_open(&decider->grid, clues, tiles, cell, notes->opened, count);
        for (cell = -1; cell < 0;) {
            if (count == safe)
                return chance;
            cell = sapper_lowest_certain(notes, tiles, count);
            if (cell >= 0)
                break;
            /* Many playouts come to the same boards at first, and the guess on a board is always the same. */
            uint64_t key = key_of(tiles, notes->opened, count), at = key >> (64 - KEPT_BITS);
            if (decider->decision.kept[at] == key) {
                cell = decider->kept_cell[at];
                risk = decider->kept_risk[at];
                break;
            }
            if (sapper_desk_read(desk, tiles) != OK)
                return 0.0;
            if (desk->found.safe) {
                count = reveal_safe(decider, clues, count);
                continue;
            }
            double won = sapper_endgame_share(desk, tiles);
            if (won >= 0.0)
                return chance * won;
            cell = sapper_choose_guess(desk, tiles);
            if (cell < 0)
                return 0.0;
            risk = desk->chance[cell];
            if (!decider->decision.kept[at]) {
                decider->decision.kept[at] = key;
                decider->kept_cell[at] = cell;
                decider->kept_risk[at] = risk;
            }
        }
    }
}

/* --- deciding --- */

/* Keeps what one and two clues say of the board, for playouts to begin with, and seeds the random numbers by it. */
static void read_notes(sapper_decider *decider) {
    struct notes *notes = &decider->before;
    int32_t count = 0;
    uint64_t seed = (uint64_t)decider->root.mines;
    sapper_notes_clear(notes);
    for (int32_t cell = 0; cell < decider->grid.size; cell++) {
        seed = sapper_child_seed(seed, decider->board[cell]);
        if (decider->board[cell] < COVERED)
            notes->opened[count++] = cell;
    }
    decider->rng = sapper_seeded(seed);
    decider->revealed = count;
    sapper_lowest_certain(notes, decider->board, count);
}

/* Puts a guess after those that are there, with the chances of its answers, unless it is there; false where an analysis fails. */
static bool add_guess(sapper_decider *decider, int32_t cell) {
    sapper_decision *d = &decider->decision;
    for (int32_t i = 0; i < d->candidates; i++)
        if (d->cell[i] == cell)
            return true;
    int32_t at = d->candidates++;
    d->cell[at] = cell;
    d->is_left[at] = 1;
    decider->scored[at] = -1;
    for (int32_t clue = 0; clue < STRUCK; clue++) {
        double share = sapper_clue_share(&decider->root, decider->board, cell, (uint8_t)clue);
        if (share < 0.0)
            return false;
        d->share[at * CLUE_COUNT + clue] = share;
    }
    return true;
}

/* What is asked for after guesses were listed: whether they can be played. */
static void prepare(sapper_decider *decider) {
    decider->play.mines = decider->root.mines;
    decider->play.work = decider->root.work; /* of the lists */
    memset(decider->decision.kept, 0, sizeof *decider->decision.kept << KEPT_BITS);
    /* The analysis is to be that of the board itself again. */
    read_notes(decider);
    decider->can_draw = sapper_desk_read(&decider->root, decider->board) == OK;
    decider->decision.left = decider->can_draw ? decider->decision.candidates : 0;
}

/* Lists the guesses of a board that was read: the guess of `best-reply`; -1 where an analysis fails. */
static int32_t list_guesses(sapper_decider *decider) {
    struct desk *root = &decider->root;
    sapper_decision *d = &decider->decision;
    int32_t usual = sapper_choose_guess(root, decider->board);
    bool is_added = usual >= 0 && add_guess(decider, usual);
    for (int32_t i = 0; is_added && i < decider->other_count; i++) {
        root->parts = decider->others[i];
        int32_t other = sapper_choose_guess(root, decider->board);
        is_added = other >= 0 && add_guess(decider, other);
    }
    root->parts = decider->own;
    if (!is_added)
        return -1;
    d->opinions = d->candidates;
    int32_t count = decider->own.rivals ? smaller(sapper_rank_candidates(root, decider->board), decider->own.rivals) : 0;
    for (int32_t i = 0; i < count; i++)
        if (!add_guess(decider, root->candidates[i]))
            return -1;
    if (d->candidates > 1)
        prepare(decider);
    return usual;
}

/* Takes a board; whether its tiles are all clues and covered cells, and it could be analysed. */
static bool take_board(sapper_decider *decider, const uint8_t *tiles, int32_t mines) {
    sapper_decision *d = &decider->decision;
    d->candidates = d->left = d->usual = d->opinions = d->used = d->layouts = 0;
    decider->can_draw = false;
    decider->together_at = -1;
    for (int32_t cell = 0; cell < decider->grid.size; cell++)
        if (tiles[cell] > COVERED)
            return false;
    memcpy(decider->board, tiles, (size_t)decider->grid.size);
    decider->root.mines = mines;
    decider->root.work = 0;
    return sapper_desk_read(&decider->root, decider->board) == OK;
}

int32_t sapper_decider_begin(sapper_decider *decider, const uint8_t *tiles, int32_t mines) {
    if (!take_board(decider, tiles, mines))
        return -1;
    if (decider->root.found.safe)
        return decider->root.found.lowest;
    int32_t cell = sapper_endgame_move(&decider->root, decider->board);
    decider->root.work = 0; /* the search has a limit of its own */
    return cell >= 0 ? cell : list_guesses(decider);
}

int32_t sapper_decider_compare(
    sapper_decider *decider, const uint8_t *tiles, int32_t mines, const int32_t *cells, int32_t count) {
    if (count < 1 || count > decider->room || !take_board(decider, tiles, mines))
        return -1;
    for (int32_t i = 0; i < count; i++)
        if (cells[i] < 0 || cells[i] >= decider->grid.size || tiles[cells[i]] != COVERED || !add_guess(decider, cells[i]))
            return -1;
    decider->decision.opinions = 1;
    prepare(decider);
    return cells[0];
}

int32_t sapper_decider_add_together(sapper_decider *decider, const int32_t *cells, int32_t count, double survived) {
    sapper_decision *d = &decider->decision;
    if (!d->left || d->layouts || decider->together_at >= 0 || d->candidates == decider->room || count < 1 ||
        count > decider->grid.size)
        return 0;
    for (int32_t i = 0; i < count; i++)
        if (cells[i] < 0 || cells[i] >= decider->grid.size || decider->board[cells[i]] != COVERED)
            return 0;
    int32_t at = decider->together_at = d->candidates++;
    memcpy(decider->together, cells, sizeof *cells * (size_t)count);
    decider->together_count = count;
    d->cell[at] = cells[0];
    d->is_left[at] = 1;
    decider->scored[at] = -1;
    d->left++;
    /* Its answers are not told apart. */
    memset(d->share + (size_t)at * CLUE_COUNT, 0, sizeof *d->share * CLUE_COUNT);
    d->share[(size_t)at * CLUE_COUNT] = survived;
    return 1;
}

int32_t sapper_decider_draw(sapper_decider *decider) {
    if (!decider->can_draw)
        return 0;
    return sapper_sample_layout(
        decider->root.analyser, decider->board, decider->root.mark, decider->root.mines, &decider->rng,
        decider->decision.mapped);
}

int32_t sapper_decider_play(sapper_decider *decider, int32_t layouts) {
    sapper_decision *d = &decider->decision;
    for (int32_t drawn = 0; drawn < layouts; drawn++, d->layouts++) {
        bool is_spent = decider->play.work >= decider->most_work &&
                        (d->layouts >= FEWEST_LAYOUTS || decider->play.work / MUCH_MORE >= decider->most_work);
        if (!d->left || d->layouts == MOST_LAYOUTS || is_spent)
            return drawn;
        if (!sapper_decider_draw(decider)) {
            d->left = 0;
            return drawn;
        }
        sapper_count_clues(&decider->grid, d->mapped, decider->clues, decider->listed);
        decider->seed = sapper_next(&decider->rng);
        for (int32_t i = 0; i < d->candidates; i++) {
            if (!d->is_left[i])
                continue;
            int64_t at = (int64_t)i * MOST_LAYOUTS + d->layouts;
            bool is_together = i == decider->together_at;
            const int32_t *cells = is_together ? decider->together : d->cell + i;
            int32_t count = is_together ? decider->together_count : 1;
            d->answer[at] = is_together ? 0 : decider->clues[*cells];
            for (int32_t each = 0; each < count; each++)
                if (decider->clues[cells[each]] == SAPPER_MINE)
                    d->answer[at] = STRUCK;
            d->value[at] = play_on(decider, cells, count);
            d->used++;
        }
    }
    return layouts;
}

/* The chance to win after a guess, as far as the playouts tell. */
static double score(const sapper_decision *d, int32_t i) {
    double sums[CLUE_COUNT] = {0}, counts[CLUE_COUNT] = {0}, all = 0.0, total = 0.0;
    double *mean = d->mean + i * CLUE_COUNT;
    for (int32_t at = i * MOST_LAYOUTS; at < i * MOST_LAYOUTS + d->layouts; at++) {
        sums[d->answer[at]] += d->value[at];
        counts[d->answer[at]] += 1.0;
    }
    for (int32_t clue = 0; clue < CLUE_COUNT; clue++)
        all += sums[clue];
    double safe = d->layouts - counts[STRUCK], usual = safe > 0.0 ? all / safe : 0.0;
    for (int32_t clue = 0; clue < STRUCK; clue++) {
        mean[clue] = counts[clue] > 0.0 ? sums[clue] / counts[clue] : usual;
        total += d->share[i * CLUE_COUNT + clue] * mean[clue];
    }
    mean[STRUCK] = 0.0;
    return total;
}

/* The standard error of the difference between the scores of two guesses; of the score of one, if the other is -1. */
static double error_of(const sapper_decision *d, int32_t i, int32_t j) {
    double total = 0.0;
    for (int32_t at = 0; at < d->layouts; at++) {
        int32_t one = i * MOST_LAYOUTS + at, other = j * MOST_LAYOUTS + at;
        double rest = d->value[one] - d->mean[i * CLUE_COUNT + d->answer[one]];
        if (j >= 0)
            rest -= d->value[other] - d->mean[j * CLUE_COUNT + d->answer[other]];
        total += rest * rest;
    }
    /* As many numbers were fitted as there are answers. */
    return sqrt(total) / larger(d->layouts - 8, 1);
}

/* The best of the opinions that are left. */
static int32_t best_opinion(const sapper_decision *d) {
    int32_t best = -1;
    for (int32_t i = 0; i < d->opinions; i++)
        if (d->is_left[i] && (best < 0 || d->score[i] > d->score[best]))
            best = i;
    return best;
}

int32_t sapper_decider_weigh(sapper_decider *decider, int32_t most) {
    sapper_decision *d = &decider->decision;
    int32_t best = -1;
    for (int32_t i = 0; i < d->candidates; i++) {
        if (!d->is_left[i])
            continue;
        d->score[i] = score(d, i);
        d->error[i] = error_of(d, i, -1);
        decider->scored[i] = d->layouts;
        if (best < 0 || d->score[i] > d->score[best])
            best = i;
    }
    int32_t opinion = best_opinion(d);
    d->left = 0;
    for (int32_t i = 0; i < d->candidates; i++) {
        bool may_go = d->is_left[i] && i != best && i != opinion;
        if (may_go && d->score[best] - d->score[i] > DROP * error_of(d, best, i))
            d->is_left[i] = 0;
        d->left += d->is_left[i];
    }
    for (; d->left > larger(most, 2); d->left--) {
        int32_t worst = -1;
        for (int32_t i = 0; i < d->candidates; i++)
            if (d->is_left[i] && i != opinion && (worst < 0 || d->score[i] < d->score[worst]))
                worst = i;
        d->is_left[worst] = 0;
    }
    return best;
}

double sapper_decider_error(const sapper_decider *decider, int32_t i, int32_t j) {
    const sapper_decision *d = &decider->decision;
    bool are_there = i >= 0 && j >= 0 && i < d->candidates && j < d->candidates;
    bool are_scored = are_there && decider->scored[i] == d->layouts && decider->scored[j] == d->layouts;
    return are_scored ? error_of(d, i, j) : -1.0;
}

int32_t sapper_decider_settle(const sapper_decider *decider, int32_t best) {
    const sapper_decision *d = &decider->decision;
    if (best < 0 || best >= d->candidates)
        return -1;
    int32_t opinion = best_opinion(d);
    if (opinion < 0 || best < d->opinions)
        return d->cell[best];
    double error = error_of(d, best, opinion), bar = DOUBT * error * error;
    return d->cell[d->score[best] - d->score[opinion] < (error > bar ? error : bar) ? opinion : best];
}
