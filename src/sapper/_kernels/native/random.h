/* The generator of random numbers: the same numbers from the same seed as `reference.random`, where the sources are named
   (SplitMix64, xoshiro256**, Lemire's method, Floyd's sample). */
#ifndef SAPPER_RANDOM_H
#define SAPPER_RANDOM_H

#include <string.h>

#include "sapper.h"

#define SAPPER_GAMMA UINT64_C(0x9E3779B97F4A7C15)

typedef struct {
    uint64_t words[4];
} sapper_rng;

/* SplitMix64's finaliser. */
static inline uint64_t sapper_mix(uint64_t value) {
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

static inline sapper_rng sapper_seeded(uint64_t seed) {
    sapper_rng rng;
    for (int i = 0; i < 4; i++)
        rng.words[i] = sapper_mix(seed += SAPPER_GAMMA);
    return rng;
}

/* The seed of child `key` of the generator seeded by `seed`. */
static inline uint64_t sapper_child_seed(uint64_t seed, uint64_t key) {
    return sapper_mix(sapper_mix(seed + SAPPER_GAMMA) + (key + 1) * SAPPER_GAMMA);
}

static inline uint64_t sapper_rotate(uint64_t word, int by) {
    return word << by | word >> (64 - by);
}

/* The next 64 bits. */
static inline uint64_t sapper_next(sapper_rng *rng) {
    uint64_t *s = rng->words, result = sapper_rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = sapper_rotate(s[3], 45);
    return result;
}

/* A number from 0 to bound - 1, exactly uniform; 1 <= bound < 2^32. */
static inline uint32_t sapper_below(sapper_rng *rng, uint32_t bound) {
    uint64_t limit = bound, word = sapper_next(rng);
    if (word * limit < limit)
        for (uint64_t least = (0 - limit) % limit; word * limit < least;)
            word = sapper_next(rng);
    /* The upper half of the product's 128 bits, by halves: nothing overflows. */
    return (uint32_t)(((word >> 32) * limit + ((word & UINT32_MAX) * limit >> 32)) >> 32);
}

/* Sets chosen[i] to 1 at `count` different numbers below `population`, to 0 at the others. */
static inline void sapper_sample(sapper_rng *rng, uint32_t population, uint32_t count, uint8_t *chosen) {
    bool whole = 2 * (uint64_t)count <= population; /* else those that are left out are drawn */
    uint32_t some = whole ? count : population - count;
    memset(chosen, !whole, population);
    for (uint32_t top = population - some; top < population; top++) {
        uint32_t one = sapper_below(rng, top + 1);
        chosen[chosen[one] == whole ? top : one] = whole;
    }
}

#endif
