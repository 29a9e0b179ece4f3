#include "search.h"

#include <stdlib.h>

#include "measures.h"
#include "notes.h"

struct sapper_searcher {
    sapper_grid grid;
    sapper_spec spec;
    bool has_wanted; /* whether numbers are wanted at all */
    sapper_analyser *analyser;
    struct notes notes;
    uint8_t *clues, *tiles, *mark;
    int32_t *of, *listed;
    double *chance;
    void *memory;
};

static void lay_out(sapper_arena *arena, void *of) {
    sapper_searcher *searcher = of;
    const size_t size = (uint32_t)searcher->grid.size;
    TAKE(searcher->chance, size);
    TAKE(searcher->of, size);
    TAKE(searcher->listed, size);
    TAKE(searcher->clues, size);
    TAKE(searcher->tiles, size);
    TAKE(searcher->mark, size);
    sapper_notes_lay_out(&searcher->notes, arena, &searcher->grid);
}

sapper_searcher *sapper_searcher_new(const sapper_grid *grid, const sapper_spec *spec) {
    if (!sapper_can_draw(grid, spec->mines, spec->start, spec->first) || spec->logic < SAPPER_NO_LOGIC ||
        spec->logic > SAPPER_BY_ANALYSIS)
        return NULL;
    sapper_searcher *searcher = calloc(1, sizeof *searcher);
    if (!searcher)
        return NULL;
    searcher->grid = *grid;
    searcher->spec = *spec;
    searcher->has_wanted = spec->least_bbbv > 0 || spec->most_bbbv < grid->size || spec->least_openings > 0 ||
                           spec->most_openings < grid->size;
    searcher->memory = sapper_allocate(lay_out, searcher);
    searcher->analyser = sapper_analyser_new(&searcher->grid, grid->starts[grid->size]);
    if (searcher->memory && searcher->analyser)
        return searcher;
    sapper_searcher_free(searcher);
    return NULL;
}

void sapper_searcher_free(sapper_searcher *searcher) {
    if (!searcher)
        return;
    sapper_analyser_free(searcher->analyser);
    free(searcher->memory);
    free(searcher);
}

/* Whether the layout has the wanted numbers. */
static bool is_wanted(const sapper_searcher *searcher) {
    const sapper_spec *spec = &searcher->spec;
    if (!searcher->has_wanted)
        return true;
    int32_t openings = sapper_connected(&searcher->grid, searcher->clues, 0, searcher->of, searcher->listed);
    if (openings < spec->least_openings || openings > spec->most_openings)
        return false;
    int32_t bbbv = openings + sapper_alone(&searcher->grid, searcher->clues, searcher->mark);
    return spec->least_bbbv <= bbbv && bbbv <= spec->most_bbbv;
}

/* Reveals a cell, if it is still covered; how many are open now. */
static int32_t reveal(sapper_searcher *searcher, int32_t cell, int32_t count) {
    if (searcher->tiles[cell] != COVERED)
        return count;
    return sapper_open(&searcher->grid, searcher->clues, searcher->tiles, cell, searcher->notes.opened, count);
}

/* Plays the layout in `clues`, of so many mines, out; how that ends. *open gets the cells that are revealed then, `mark` what is
   certain of those that are not. */
static int32_t play_out(sapper_searcher *searcher, int32_t mines, int32_t *open) {
    const int32_t size = searcher->grid.size, first = searcher->spec.first;
    struct notes *notes = &searcher->notes;
    memset(searcher->tiles, COVERED, (uint32_t)size);
    memset(searcher->mark, UNKNOWN, (uint32_t)size);
    *open = 0;
    if (searcher->clues[first] == SAPPER_MINE)
        return SAPPER_STRUCK;
    sapper_notes_clear(notes);
    *open = reveal(searcher, first, 0);
    for (;;) {
        for (int32_t cell; *open < size - mines && (cell = sapper_lowest_by_one(notes, searcher->tiles, *open)) >= 0;)
            *open = reveal(searcher, cell, *open);
        if (*open == size - mines) {
            for (int32_t cell = 0; cell < size; cell++)
                searcher->mark[cell] = searcher->tiles[cell] == COVERED ? MINED : UNKNOWN;
            return SAPPER_SOLVED;
        }
        if (searcher->spec.logic == SAPPER_BY_ONE_CLUE) {
            for (int32_t cell = 0; cell < size; cell++)
                searcher->mark[cell] = notes->note[cell].mark & MINE_BY_ONE ? MINED : UNKNOWN;
            return SAPPER_STUCK;
        }
        sapper_found found;
        if (sapper_solve(searcher->analyser, searcher->tiles, mines, false, SAPPER_SEARCH_CAP, searcher->mark) != OK)
            return SAPPER_HARD;
        sapper_report(searcher->analyser, searcher->tiles, searcher->mark, searcher->chance, &found);
        if (!found.safe)
            return SAPPER_STUCK;
        for (int32_t cell = 0; cell < size; cell++)
            if (searcher->mark[cell] == SAFE)
                *open = reveal(searcher, cell, *open);
    }
}

void sapper_search(
    sapper_searcher *searcher, uint64_t begin, int64_t tries, sapper_searched *searched, uint8_t *mapped) {
    const sapper_spec *spec = &searcher->spec;
    *searched = (sapper_searched){.status = SAPPER_STUCK};
    while (searched->tried < tries && searched->status == SAPPER_STUCK) {
        uint64_t seed = sapper_child_seed(spec->seed, begin + (uint64_t)searched->tried++);
        sapper_draw_mines(&searcher->grid, spec->mines, spec->start, spec->first, seed, mapped);
        sapper_count_clues(&searcher->grid, mapped, searcher->clues, searcher->listed);
        if (!is_wanted(searcher))
            continue;
        searched->measured++;
        int32_t open = 0, status = SAPPER_SOLVED;
        if (spec->logic != SAPPER_NO_LOGIC)
            status = play_out(searcher, spec->mines, &open);
        searched->furthest = larger(open, searched->furthest);
        searched->status = status == SAPPER_STRUCK ? SAPPER_STUCK : status;
    }
}

int32_t sapper_play_out(sapper_searcher *searcher, const uint8_t *mapped, uint8_t *tiles, uint8_t *certain) {
    int32_t open, mines = sapper_count_clues(&searcher->grid, mapped, searcher->clues, searcher->listed);
    int32_t status = play_out(searcher, mines, &open);
    memcpy(tiles, searcher->tiles, (uint32_t)searcher->grid.size);
    for (int32_t cell = 0; cell < searcher->grid.size; cell++)
        certain[cell] = searcher->mark[cell] == MINED;
    return status;
}
