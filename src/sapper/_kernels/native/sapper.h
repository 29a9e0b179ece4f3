/* What all of the native half shares: how a function is made callable from Python, and what it answers where it fails.

   A header says what each of its functions promises; those marked SAPPER_API are called from Python, are declared in
   `declarations.py` (a test compares the two), and check all they are given. The others trust their callers.
   All of them are plain functions over integers and the caller's buffers: nothing is kept between two calls. */
#ifndef SAPPER_H
#define SAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SAPPER_API __declspec(dllexport)
#else
#define SAPPER_API __attribute__((visibility("default")))
#endif

enum {
    SAPPER_BAD = -1,    /* an argument is out of its range */
    SAPPER_MEMORY = -2, /* there is not enough memory */
};

enum { SAPPER_MOST_CELLS = 10 * 1000 * 1000 }; /* of a grid: `core.grid.MAX_SIZE` */

/* Where cells 0 to size - 1 lie. The neighbours of cell c are cells[starts[c]] to cells[starts[c + 1] - 1], ascending. */
typedef struct {
    int32_t size;
    int32_t width; /* of a rectangle with eight neighbours; 0 for any other grid */
    const int32_t *starts;
    const int32_t *cells;
} sapper_grid;

/* For each neighbour `near` of a cell. */
#define FOR_NEAR(grid, cell, near)                                                                    \
    for (int32_t at_ = (grid)->starts[cell], near; at_ < (grid)->starts[(cell) + 1] && (near = (grid)->cells[at_], true); at_++)

/* What is seen of a cell: below COVERED a clue. `core.tile` has the same. */
enum { EIGHT = 8, COVERED = 9, FLAGGED = 10, QUESTION = 11, MINE = 12, EXPLODED = 13, WRONG_FLAG = 14 };

static inline bool is_hidden(uint8_t tile) {
    return tile >= COVERED && tile <= QUESTION;
}

static inline int32_t smaller(int32_t one, int32_t other) {
    return one < other ? one : other;
}

static inline int32_t larger(int32_t one, int32_t other) {
    return one > other ? one : other;
}

static inline int bit_count(uint64_t bits) {
    return __builtin_popcountll(bits);
}

static inline int lowest_bit(uint64_t bits) {
    return __builtin_ctzll(bits);
}

/* 0 if the grid's table is one (rows in order, at most 2^31 - 1 entries, of which `entries` are there, each of them a cell, each
   row ascending, without its own cell and of 8 at most; a cell is a neighbour of its neighbours; `width` divides the size), else
   SAPPER_BAD. */
SAPPER_API int64_t sapper_grid_check(const sapper_grid *grid, int64_t entries);

/* A hash of the sources that the library was made of, in hexadecimal digits. */
SAPPER_API const char *sapper_sources(void);

/* 1 if this processor has the instructions that the library was made of, else 0. */
SAPPER_API int32_t sapper_runs_here(void);

#endif
