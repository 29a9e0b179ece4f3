/* One piece of memory for all the arrays that a call needs. Their sizes are added up in a first round, without memory, by the same
   function that shares it out in a second. */
#ifndef SAPPER_ARENA_H
#define SAPPER_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

/* The same for an array, by a pointer to what it has. */
#define TAKE(to, count) (to) = sapper_take(arena, (size_t)(count), sizeof *(to))

/* Memory that `lay_out` shares out for `of`: its first part, to be freed; NULL, as all its parts are then, if there is not enough. */
static inline void *sapper_allocate(void (*lay_out)(sapper_arena *arena, void *of), void *of) {
    sapper_arena arena = {NULL, 0};
    lay_out(&arena, of);
    arena = (sapper_arena){malloc(arena.used), 0};
    if (arena.base)
        lay_out(&arena, of);
    return arena.base;
}

#endif
