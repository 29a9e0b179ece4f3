#include "games.h"

#include <stdlib.h>
#include <string.h>

#include "layouts.h"
#include "notes.h"

enum { LOST_GAME, WON_GAME, UNSOLVED }; /* endings */
enum { LAYOUT_KEY, MINE_COUNT_KEY, STRATEGY_KEY }; /* children of a game's seed */

/* What a strategy sees, and keeps: never the layout. */
struct chooser {
    int32_t strategy;
    struct notes notes;
    struct desk desk;
    sapper_rng rng;
    uint8_t *tiles;
};

struct sapper_player {
    sapper_grid grid;
    sapper_series series;
    struct chooser chooser;
    uint8_t *mapped, *clues; /* the truth */
    int32_t *listed;
    void *memory;
};

/* --- choosing --- */

/* The cell to reveal where the exact analysis has to say; -1 where it fails. */
static int32_t choose_analysed(struct chooser *chooser, bool *is_guess) {
    struct desk *desk = &chooser->desk;
    if (sapper_desk_read(desk, chooser->tiles) != OK)
        return -1;
    *is_guess = !desk->found.safe;
    if (*is_guess && chooser->strategy == SAPPER_BEST_REPLY)
        return sapper_choose_best_reply(desk, chooser->tiles);
    return desk->found.lowest;
}

/* The cell to reveal, `count` cells being open; -1 where the board is too hard. */
static int32_t choose(struct chooser *chooser, int32_t count, bool *is_guess) {
    struct notes *notes = &chooser->notes;
    int32_t cell = -1;
    uint8_t mines = 0; /* what proves a mine */
    *is_guess = false;
    if (chooser->strategy == SAPPER_SINGLE) {
        cell = sapper_lowest_by_one(notes, chooser->tiles, count);
        mines = MINE_BY_ONE;
    } else if (chooser->strategy != SAPPER_RANDOM) {
        cell = sapper_lowest_certain(notes, chooser->tiles, count);
        mines = MINE_BY_ONE | MINE_BY_TWO;
    }
    if (cell >= 0)
        return cell;
    if (chooser->strategy >= SAPPER_LEAST_RISK)
        return choose_analysed(chooser, is_guess);
    *is_guess = true;
    return sapper_guess(notes, chooser->tiles, mines, &chooser->rng);
}

/* --- the referee --- */

static void lay_out(sapper_arena *arena, void *of) {
    sapper_player *player = of;
    size_t size = (size_t)player->grid.size;
    TAKE(player->mapped, size);
    TAKE(player->clues, size);
    TAKE(player->listed, size + 1);
    TAKE(player->chooser.tiles, size + 1);
    sapper_notes_lay_out(&player->chooser.notes, arena, &player->grid);
}

int64_t sapper_series_check(const sapper_grid *grid, const sapper_series *series) {
    if (series->strategy < SAPPER_RANDOM || series->strategy > SAPPER_BEST_REPLY || series->counts < 1)
        return SAPPER_BAD;
    for (int32_t i = 0; i < series->counts; i++)
        if (!sapper_can_draw(grid, series->mines[i], series->start, series->first))
            return SAPPER_BAD;
    return 0;
}

sapper_player *sapper_player_new(const sapper_grid *grid, const sapper_series *series, const sapper_parts *parts) {
    if (sapper_series_check(grid, series))
        return NULL;
    sapper_player *player = calloc(1, sizeof *player);
    if (!player)
        return NULL;
    player->grid = *grid;
    player->series = *series;
    player->chooser.strategy = series->strategy;
    player->memory = sapper_allocate(lay_out, player);
    bool has_desk = series->strategy < SAPPER_LEAST_RISK || sapper_desk_make(&player->chooser.desk, &player->grid, parts);
    if (player->memory && has_desk)
        return player;
    sapper_player_free(player);
    return NULL;
}

void sapper_player_free(sapper_player *player) {
    if (!player)
        return;
    sapper_desk_free(&player->chooser.desk);
    free(player->memory);
    free(player);
}

/* Lays a game out, covers everything, and seeds the strategy; the number of safe cells. */
static int32_t begin_game(sapper_player *player, uint64_t number, const uint8_t *given) {
    const sapper_series *series = &player->series;
    int32_t size = player->grid.size;
    uint64_t seed = sapper_child_seed(series->seed, number);
    if (given) {
        for (int32_t cell = 0; cell < size; cell++)
            player->mapped[cell] = given[cell] != 0;
    } else {
        int32_t mines = series->mines[0];
        if (series->counts > 1) {
            sapper_rng rng = sapper_seeded(sapper_child_seed(seed, MINE_COUNT_KEY));
            mines = series->mines[sapper_below(&rng, (uint32_t)series->counts)];
        }
        sapper_draw_mines(
            &player->grid, mines, series->start, series->first, sapper_child_seed(seed, LAYOUT_KEY), player->mapped);
    }
    int32_t mines = sapper_count_clues(&player->grid, player->mapped, player->clues, player->listed);
    struct chooser *chooser = &player->chooser;
    memset(chooser->tiles, COVERED, (size_t)size);
    chooser->tiles[size] = NO_TILE;
    chooser->rng = sapper_seeded(sapper_child_seed(seed, STRATEGY_KEY));
    chooser->desk.mines = mines;
    if (series->strategy != SAPPER_RANDOM)
        sapper_notes_clear(&chooser->notes);
    return size - mines;
}

static sapper_ended play_game(sapper_player *player, int32_t safe, int32_t cell, int32_t *moves) {
    struct chooser *chooser = &player->chooser;
    sapper_ended ended = {UNSOLVED, 0, 0, 0};
    while (cell >= 0) {
        if (moves)
            moves[ended.moves] = cell;
        ended.moves++;
        if (player->clues[cell] == SAPPER_MINE) {
            ended.ending = LOST_GAME;
            break;
        }
        ended.revealed =
            sapper_open(&player->grid, player->clues, chooser->tiles, cell, chooser->notes.opened, ended.revealed);
        if (ended.revealed == safe) {
            ended.ending = WON_GAME;
            break;
        }
        bool is_guess;
        cell = choose(chooser, ended.revealed, &is_guess);
        ended.guesses += is_guess;
    }
    return ended;
}

int64_t sapper_play(
    sapper_player *player, uint64_t begin, int64_t games, const uint8_t *given, const int32_t *firsts, sapper_ended *ended,
    int32_t *moves, uint8_t *maps, const uint8_t *stop) {
    int64_t size = player->grid.size;
    if (games < 0 || !given != !firsts)
        return SAPPER_BAD;
    for (int64_t game = 0; firsts && game < games; game++)
        if (firsts[game] < 0 || firsts[game] >= size)
            return SAPPER_BAD;
    for (int64_t game = 0; game < games; game++) {
        if (*(const volatile uint8_t *)stop)
            return game;
        int32_t safe = begin_game(player, begin + (uint64_t)game, given ? given + game * size : NULL);
        if (maps)
            memcpy(maps + game * size, player->mapped, (size_t)size);
        ended[game] = play_game(player, safe, firsts ? firsts[game] : player->series.first, moves ? moves + game * size : NULL);
    }
    return games;
}
