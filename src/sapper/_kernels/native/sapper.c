#include "sapper.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Whether a row of the table has a cell. */
static bool has(const sapper_grid *grid, int32_t row, int32_t cell) {
    FOR_NEAR(grid, row, near)
        if (near == cell)
            return true;
    return false;
}

int64_t sapper_grid_check(const sapper_grid *grid, int64_t entries) {
    if (grid->size < 1 || grid->size > SAPPER_MOST_CELLS || grid->width < 0 || entries < 0 || entries > INT32_MAX)
        return SAPPER_BAD;
    if (grid->width && grid->size % grid->width)
        return SAPPER_BAD;
    if (grid->starts[0] != 0 || grid->starts[grid->size] != entries)
        return SAPPER_BAD;
    for (int32_t cell = 0; cell < grid->size; cell++) {
        int32_t from = grid->starts[cell], to = grid->starts[cell + 1];
        if (to < from || to > entries || to - from > 8)
            return SAPPER_BAD;
        int32_t before = -1;
        for (int32_t at = from; at < to; at++) {
            int32_t near = grid->cells[at];
            if (near <= before || near >= grid->size || near == cell)
                return SAPPER_BAD;
            before = near;
        }
    }
    for (int32_t cell = 0; cell < grid->size; cell++)
        FOR_NEAR(grid, cell, near)
            if (!has(grid, near, cell))
                return SAPPER_BAD;
    return 0;
}

const char *sapper_sources(void) {
    return SAPPER_SOURCES; /* scripts/native.py defines it */
}

int32_t sapper_runs_here(void) {
#if defined(__x86_64__)
    /* x86-64-v2: SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT. */
    const unsigned int wanted = 1u << 0 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23;
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & wanted) == wanted;
#else
    return 1;
#endif
}
