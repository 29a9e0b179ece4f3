#include "stepping.h"

static void begin(const sapper_batch *batch, int32_t game) {
    const size_t size = (size_t)batch->grid->size, row = size * (size_t)game;
    batch->numbers[game]++;
    memset(batch->tiles + row, COVERED, size);
    memset(batch->mask + row, 1, size);
    batch->revealed[game] = 0;
    batch->steps[game] = 0;
    batch->stage[game] = SAPPER_FRESH;
}

/* Reveals a covered cell; what that did to the game. */
static int32_t reveal(const sapper_batch *batch, int32_t game, int32_t cell) {
    const size_t row = (size_t)batch->grid->size * (size_t)game;
    uint8_t *tiles = batch->tiles + row, *clues = batch->clues + row;
    if (batch->stage[game] == SAPPER_FRESH) {
        uint64_t seed = sapper_child_seed(sapper_child_seed(batch->seeds[game], (uint64_t)batch->numbers[game]), 0);
        sapper_draw_mines(batch->grid, batch->mines, batch->start, cell, seed, batch->mapped);
        sapper_count_clues(batch->grid, batch->mapped, clues, batch->order);
        batch->stage[game] = SAPPER_RUNNING;
    }
    if (clues[cell] == SAPPER_MINE) {
        tiles[cell] = EXPLODED;
        return SAPPER_LOST;
    }
    int32_t count = sapper_open(batch->opening, clues, tiles, cell, batch->order, 0);
    for (int32_t i = 0; i < count; i++)
        batch->mask[row + (size_t)batch->order[i]] = 0;
    batch->opened[game] = count;
    batch->revealed[game] += count;
    return batch->revealed[game] == batch->grid->size - batch->mines ? SAPPER_WON : 0;
}

/* A game has ended: no move is legal any more, unless it was only cut off. */
static void end(const sapper_batch *batch, int32_t game, int32_t outcome) {
    const size_t size = (size_t)batch->grid->size, row = size * (size_t)game;
    batch->stage[game] = SAPPER_OVER;
    if (outcome & (SAPPER_WON | SAPPER_LOST))
        memset(batch->mask + row, 0, size);
    if (batch->autoreset == SAPPER_SAME_STEP) {
        memcpy(batch->final + row, batch->tiles + row, size);
        begin(batch, game);
    }
}

int64_t sapper_step_games(const sapper_batch *batch, const int64_t *actions) {
    const int32_t size = batch->grid->size;
    if (!sapper_can_draw(batch->grid, batch->mines, batch->start, 0) || batch->opening->size != size)
        return SAPPER_BAD;
    for (int32_t game = 0; game < batch->games; game++)
        if (actions[game] < 0 || actions[game] >= size)
            return SAPPER_BAD;
    for (int32_t game = 0; game < batch->games; game++) {
        batch->opened[game] = 0;
        batch->outcome[game] = 0;
        if (batch->stage[game] == SAPPER_OVER) {
            if (batch->autoreset == SAPPER_NEXT_STEP) {
                begin(batch, game);
                batch->outcome[game] = SAPPER_RESET;
            }
            continue;
        }
        int32_t cell = (int32_t)actions[game], steps = ++batch->steps[game];
        bool covered = batch->tiles[(size_t)size * (size_t)game + (size_t)cell] == COVERED;
        int32_t outcome = covered ? reveal(batch, game, cell) : SAPPER_ILLEGAL;
        if (!(outcome & (SAPPER_WON | SAPPER_LOST)) && 0 < batch->limit && batch->limit <= steps)
            outcome |= SAPPER_TRUNCATED;
        if (outcome & (SAPPER_WON | SAPPER_LOST | SAPPER_TRUNCATED))
            end(batch, game, outcome);
        batch->outcome[game] = (uint8_t)outcome;
    }
    return 0;
}

void sapper_begin_games(const sapper_batch *batch, const uint8_t *which) {
    for (int32_t game = 0; game < batch->games; game++)
        if (which[game])
            begin(batch, game);
}
