/* One piece of memory for all the arrays that a call needs. Their sizes are added up in a first round, without memory, by the same
   function that shares it out in a second. */
#ifndef SAPPER_ARENA_H
#define SAPPER_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    char *base; /* NULL in the first round */
    size_t used;
} sapper_arena;

/* Room for `count` items of `each` bytes, at a place that suits any type; NULL in the first round. What is asked for is
   less than half of what a size_t can count, so that nothing overflows: counts are those of cells. */
static inline void *sapper_take(sapper_arena *arena, size_t count, size_t each) {
    char *here = arena->base ? arena->base + arena->used : NULL;
    arena->used += (count * each + 15) / 16 * 16;
    return here;
}

#endif
