#include "influence.h"

#include <math.h>
#include <string.h>

enum {
    MOST_DOUBTS = 3, /* covered cells that could still tell: with more of them, a forced guess is too unlikely to be looked at */
    SIDES = 6,
};
#define LEAST_CHANCE 0.02 /* the same of the product of their chances */

/* Cells of which half are mines in one of two ways, that are mirror images; and those that would tell which, -1 off the board. */
struct figure {
    int32_t cells[4]; /* the mines of one way, then its safe cells */
    int32_t half;
    int32_t sides[SIDES];
    int32_t side_count;
    int32_t doubts[MOST_DOUBTS]; /* those of the sides that are covered, and no certain mines */
    int32_t doubt_count;
};

static int32_t cell_at(const sapper_grid *grid, int32_t x, int32_t y) {
    bool outside = x < 0 || x >= grid->width || y < 0 || y >= grid->size / grid->width;
    return outside ? -1 : y * grid->width + x;
}

/* The share of the layouts in which the first half are mines, the other half safe, and nothing can tell. */
static double forced_share(const struct influenced *board, struct figure *figure, uint8_t *after) {
    uint8_t *tiles = board->tiles;
    int32_t all = 2 * figure->half;
    double chance = 1.0;
    for (int32_t i = 0; i < all; i++)
        if (figure->cells[i] < 0 || tiles[figure->cells[i]] != COVERED || board->mark[figure->cells[i]] != UNKNOWN)
            return 0.0;
    for (int32_t i = 0; i < figure->side_count; i++) {
        int32_t side = figure->sides[i];
        if (side < 0 || board->mark[side] == MINED)
            continue;
        if (tiles[side] != COVERED || figure->doubt_count == MOST_DOUBTS)
            return 0.0;
        figure->doubts[figure->doubt_count++] = side;
        chance *= board->chance[side];
    }
    if (chance < LEAST_CHANCE - TIE)
        return 0.0;
    for (int32_t i = 0; i < all; i++)
        tiles[figure->cells[i]] = i < figure->half ? MINE : WRONG_FLAG;
    for (int32_t i = 0; i < figure->doubt_count; i++)
        tiles[figure->doubts[i]] = MINE;
    int status = sapper_solve(board->analyser, tiles, board->mines, false, board->cap, after);
    for (int32_t i = 0; i < all; i++)
        tiles[figure->cells[i]] = COVERED;
    for (int32_t i = 0; i < figure->doubt_count; i++)
        tiles[figure->doubts[i]] = COVERED;
    return status == OK ? exp(board->analyser->work.log_census - board->log_census) : 0.0;
}

/* The pair of a cell and its neighbour to the right, or below. */
static struct figure pair_of(const sapper_grid *grid, int32_t x, int32_t y, bool down) {
    struct figure figure = {.half = 1, .side_count = SIDES};
    figure.cells[0] = cell_at(grid, x, y);
    figure.cells[1] = down ? cell_at(grid, x, y + 1) : cell_at(grid, x + 1, y);
    for (int32_t i = 0; i < 3; i++) {
        figure.sides[2 * i] = down ? cell_at(grid, x - 1 + i, y - 1) : cell_at(grid, x - 1, y - 1 + i);
        figure.sides[2 * i + 1] = down ? cell_at(grid, x - 1 + i, y + 2) : cell_at(grid, x + 2, y - 1 + i);
    }
    return figure;
}

/* The square whose upper left corner is a cell: mines on one diagonal or on the other. */
static struct figure square_of(const sapper_grid *grid, int32_t x, int32_t y) {
    return (struct figure){
        .cells = {cell_at(grid, x, y), cell_at(grid, x + 1, y + 1), cell_at(grid, x + 1, y), cell_at(grid, x, y + 1)},
        .half = 2,
        .sides = {cell_at(grid, x - 1, y - 1), cell_at(grid, x + 2, y - 1), cell_at(grid, x - 1, y + 2),
                  cell_at(grid, x + 2, y + 2)},
        .side_count = 4,
    };
}

void sapper_find_influence(const struct influenced *board, double *influence, double *square, uint8_t *after) {
    const sapper_grid *grid = board->grid;
    for (int32_t cell = 0; cell < grid->size; cell++)
        influence[cell] = square[cell] = 0.0;
    if (!grid->width)
        return;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        if (board->tiles[cell] != COVERED || board->mark[cell] != UNKNOWN)
            continue;
        int32_t x = cell % grid->width, y = cell / grid->width;
        for (int down = 0; down < 2; down++) {
            struct figure pair = pair_of(grid, x, y, down);
            double share = forced_share(board, &pair, after);
            for (int32_t i = 0; share > 0.0 && i < 2; i++)
                influence[pair.cells[i]] += share;
            for (int32_t i = 0; share > 0.0 && i < pair.doubt_count; i++)
                influence[pair.doubts[i]] += share;
        }
        struct figure four = square_of(grid, x, y);
        double share = forced_share(board, &four, after);
        for (int32_t i = 0; share > 0.0 && i < 4; i++)
            square[four.cells[i]] = fmax(square[four.cells[i]], share);
        for (int32_t i = 0; share > 0.0 && i < four.doubt_count; i++)
            influence[four.doubts[i]] += share;
    }
    /* Several squares overlap in most of their layouts, pairs in few; none can have more layouts than there are. */
    for (int32_t cell = 0; cell < grid->size; cell++)
        if (influence[cell] + square[cell] > 0.0)
            influence[cell] = fmin(influence[cell] + square[cell], fmin(board->chance[cell], 1.0 - board->chance[cell]));
}
