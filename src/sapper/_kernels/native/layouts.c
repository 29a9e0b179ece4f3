#include "layouts.h"

bool sapper_can_draw(const sapper_grid *grid, int64_t mines, int64_t start, int64_t first) {
    return mines >= 0 && mines <= grid->size && first >= 0 && first < grid->size && start >= SAPPER_START_ANY &&
           start <= SAPPER_START_OPEN;
}

void sapper_draw_mines(
    const sapper_grid *grid, int32_t mines, int32_t start, int32_t first, uint64_t seed, uint8_t *mapped) {
    const int32_t size = grid->size, degree = sapper_degree(grid, first);
    if (start == SAPPER_START_OPEN && mines > size - 1 - degree)
        start = SAPPER_START_SAFE;
    if (start == SAPPER_START_SAFE && mines > size - 1)
        start = SAPPER_START_ANY;
    sapper_rng rng = sapper_seeded(seed);
    if (start == SAPPER_START_ANY) {
        sapper_sample(&rng, size, mines, mapped);
        return;
    }
    /* The numbers that are drawn, in order, are the cells that are left, in order: those that are kept free push the ones from
       them on up by one. From the end, so that a cell never reads what was written already. */
    const int32_t *near = grid->cells + grid->starts[first];
    int32_t nears = start == SAPPER_START_OPEN ? degree : 0, free = nears + 1;
    sapper_sample(&rng, size - free, mines, mapped);
    bool before_first = false;
    for (int32_t cell = size - 1; free; cell--) {
        if (cell == first && !before_first) {
            before_first = true;
            mapped[cell] = 0;
            free--;
        } else if (nears && near[nears - 1] == cell) {
            nears--;
            mapped[cell] = 0;
            free--;
        } else {
            mapped[cell] = mapped[cell - free];
        }
    }
}

int32_t sapper_count_clues(const sapper_grid *grid, const uint8_t *mapped, uint8_t *clues, int32_t *listed) {
    /* A list of the mines, made without a branch: a fifth of all cells mined is what branches are worst at. */
    int32_t mines = 0;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        listed[mines] = cell;
        mines += mapped[cell] != 0;
    }
    memset(clues, 0, (uint32_t)grid->size);
    for (int32_t i = 0; i < mines; i++)
        FOR_NEAR(grid, listed[i], near)
            clues[near]++;
    for (int32_t i = 0; i < mines; i++)
        clues[listed[i]] = SAPPER_MINE;
    return mines;
}

int32_t sapper_open(
    const sapper_grid *grid, const uint8_t *clues, uint8_t *tiles, int32_t cell, int32_t *opened, int32_t count) {
    int32_t done = count;
    tiles[cell] = clues[cell];
    opened[count++] = cell;
    while (done < count) {
        int32_t here = opened[done++];
        if (clues[here])
            continue;
        FOR_NEAR(grid, here, near) { /* beside a zero, so no mine */
            if (tiles[near] == COVERED) {
                tiles[near] = clues[near];
                opened[count++] = near;
            }
        }
    }
    return count;
}

int64_t sapper_choose(sapper_rng *rng, int64_t population, int64_t count, uint8_t *chosen) {
    if (count < 0 || count > population || population > INT32_MAX)
        return SAPPER_BAD;
    if (population) /* else `chosen` may be NULL */
        sapper_sample(rng, (uint32_t)population, (uint32_t)count, chosen);
    return 0;
}

int64_t sapper_cascade(
    int64_t width, int64_t height, int64_t spread, int64_t clears_flags, const uint8_t *clues, uint8_t *tiles, int64_t cell,
    int32_t *opened, int32_t *span) {
    if (width < 1 || height < 1 || width > INT32_MAX / height || (spread != 8 && spread != 4) || cell < 0 ||
        cell >= width * height)
        return SAPPER_BAD;
    int64_t count = 0, done = 0, low = cell, high = cell;
    tiles[cell] = clues[cell];
    opened[count++] = (int32_t)cell;
    while (done < count) {
        int64_t here = opened[done++], x = here % width;
        low = here < low ? here : low;
        high = here > high ? here : high;
        if (clues[here])
            continue;
        for (int64_t down = here < width ? 0 : -1; down <= (here < width * (height - 1)); down++) {
            int64_t reach = spread == 8 || !down;
            for (int64_t right = x ? -reach : 0; right <= (x < width - 1 ? reach : 0); right++) {
                int64_t near = here + down * width + right;
                uint8_t tile = tiles[near];
                /* Beside a zero there is no mine; were there one, it would look covered, and be opened again and again. */
                bool opens = tile == COVERED || tile == QUESTION || (tile == FLAGGED && clears_flags);
                if (opens && clues[near] < SAPPER_MINE) {
                    tiles[near] = clues[near];
                    opened[count++] = (int32_t)near;
                }
            }
        }
    }
    span[0] = (int32_t)low;
    span[1] = (int32_t)high + 1;
    return count;
}

int64_t sapper_draw_many(
    const sapper_grid *grid, int64_t mines, int64_t start, int64_t first, uint64_t seed, uint64_t begin, int64_t count,
    uint8_t *maps) {
    if (!sapper_can_draw(grid, mines, start, first) || count < 0)
        return SAPPER_BAD;
    for (int64_t game = 0; game < count; game++) {
        uint64_t one = sapper_child_seed(sapper_child_seed(seed, begin + game), 0);
        sapper_draw_mines(grid, (int32_t)mines, (int32_t)start, (int32_t)first, one, maps + game * grid->size);
    }
    return 0;
}
