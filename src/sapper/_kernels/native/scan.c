/* scan.c: from tiles to constraints: what is known at once, and the clues that are left.

   A clue whose mines are all known makes its other cells safe; one with as many cells left as mines makes them mined.
   That is followed to its end here, since most of a board goes that way and what is left falls into smaller components.
   Rectangles of up to WIDEST columns are read as rows of bits, any other grid cell by cell over its neighbour table. */
#include <string.h>

#include "analysis.h"

/* The bit rows of a rectangle: cell x is bit x + 1; there are two rows of margin at the top and at the bottom. */
struct rows {
    uint64_t *covered, *mined, *clue, *active, *dirty;
};

static struct rows rows_of(const struct work *w) {
    int32_t stride = w->height + 4;
    uint64_t *at = w->rows;
    return (struct rows){at + 2, at + stride + 2, at + 2 * stride + 2, at + 3 * stride + 2, at + 4 * stride + 2};
}

/* The nine bits around cell x of row y. */
static inline uint32_t window(const uint64_t *rows, int32_t y, int32_t x) {
    return (uint32_t)((rows[y - 1] >> x & 7) | (rows[y] >> x & 7) << 3 | (rows[y + 1] >> x & 7) << 6);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first of eight cells is the lowest byte");
#define TOPS (EACH << 7)

/* Of eight bytes below 128, those that are at least `bound`: their highest bits. */
static inline uint64_t at_least(uint64_t bytes, uint64_t bound) {
    return (bytes + EACH * (128 - bound)) & TOPS;
}

/* The highest bits of eight bytes, side by side. */
static inline uint64_t gather(uint64_t tops) {
    return gather_lowest(tops >> 7);
}

/* Read the tiles, eight at a time. OK, BAD_TILE, or CONTRADICTION for a clue without covered neighbours that is wrong. */
static int load_rows(struct work *w, const uint8_t *tiles, bool trust, uint8_t *mark) {
    int32_t width = w->grid.width, height = w->height;
    struct rows rows = rows_of(w);
    uint64_t any_mine = 0;
    memset(w->rows, 0, sizeof *w->rows * 5 * (size_t)(height + 4));
    memset(mark, UNKNOWN, (size_t)w->grid.size);
    for (int32_t y = 0; y < height; y++) {
        uint64_t covered = 0, mined = 0, clues = 0, numbers = 0, flags = 0;
        for (int32_t x = 0; x < width; x += 8) {
            uint64_t eight = EACH * WRONG_FLAG;
            int32_t count = smaller(8, width - x);
            if (count == 8)
                memcpy(&eight, tiles + y * width + x, 8);
            else
                memcpy(&eight, tiles + y * width + x, (size_t)count);
            if ((eight & TOPS) || at_least(eight & ~TOPS, WRONG_FLAG + 1))
                return BAD_TILE;
            uint64_t hidden = at_least(eight, COVERED), shown = at_least(eight, MINE);
            clues |= gather(~hidden & TOPS) << x;
            numbers |= gather(~hidden & at_least(eight, 1)) << x;
            covered |= gather(hidden & ~shown) << x;
            mined |= gather(shown & ~at_least(eight, WRONG_FLAG)) << x;
            if (trust)
                flags |= gather(at_least(eight, FLAGGED) & ~at_least(eight, QUESTION)) << x;
        }
        for (uint64_t rest = flags; rest; rest &= rest - 1)
            mark[y * width + lowest_bit(rest)] = MINED;
        rows.covered[y] = (covered & ~flags) << 1;
        rows.mined[y] = (mined | flags) << 1;
        rows.clue[y] = clues << 1;
        rows.active[y] = numbers << 1;
        any_mine |= mined | flags;
    }
    for (int32_t y = 0; y < height; y++) {
        uint64_t near = rows.covered[y - 1] | rows.covered[y] | rows.covered[y + 1];
        near |= near << 1 | near >> 1;
        /* Clues without a covered neighbour are only checked: zeros need that only near a mine. */
        uint64_t check = (any_mine ? rows.clue[y] : rows.active[y]) & ~near;
        for (; check; check &= check - 1) {
            int32_t x = lowest_bit(check) - 1;
            if (bit_count(window(rows.mined, y, x)) != tiles[y * width + x])
                return CONTRADICTION;
        }
        rows.active[y] = rows.dirty[y] = rows.clue[y] & near;
    }
    return OK;
}

/* Follow single clues to the end; the rows `active` keep the clues that are left. */
static int settle_rows(struct work *w, const uint8_t *tiles, uint8_t *mark) {
    int32_t width = w->grid.width, height = w->height;
    struct rows rows = rows_of(w);
    for (int32_t y = 0; y < height;) {
        uint64_t todo = rows.dirty[y];
        if (!todo) {
            y++;
            continue;
        }
        uint64_t low = todo & -todo;
        int32_t x = lowest_bit(low) - 1;
        rows.dirty[y] = todo ^ low;
        uint32_t around = window(rows.covered, y, x);
        int32_t count = bit_count(around);
        int32_t need = tiles[y * width + x] - bit_count(window(rows.mined, y, x));
        if (need < 0 || need > count)
            return CONTRADICTION;
        if (need != 0 && need != count)
            continue;
        rows.active[y] &= ~low;
        if (!count)
            continue;
        uint8_t verdict = need ? MINED : SAFE;
        w->safe += need ? 0 : count;
        for (int32_t i = 0; i < 3; i++) {
            int32_t line = y - 1 + i;
            uint64_t part = (uint64_t)(around >> 3 * i & 7) << x;
            rows.covered[line] &= ~part;
            if (verdict == MINED)
                rows.mined[line] |= part;
            for (; part; part &= part - 1)
                mark[line * width + lowest_bit(part) - 1] = verdict;
        }
        uint64_t reach = x > 0 ? (uint64_t)31 << (x - 1) : 15;
        for (int32_t i = y - 2; i <= y + 2; i++)
            rows.dirty[i] |= reach & rows.active[i];
        y = larger(y - 2, 0);
    }
    return OK;
}

/* Write the open clues with their undetermined cells. */
static void emit_rows(struct work *w, const uint8_t *tiles) {
    int32_t width = w->grid.width, end = 0;
    struct rows rows = rows_of(w);
    for (int32_t y = 0; y < w->height; y++) {
        w->undetermined += bit_count(rows.covered[y]);
        w->known += bit_count(rows.mined[y]);
        for (uint64_t todo = rows.active[y]; todo; todo &= todo - 1) {
            int32_t x = lowest_bit(todo) - 1;
            struct clue *clue = &w->clue[w->clues++];
            clue->need = tiles[y * width + x] - bit_count(window(rows.mined, y, x));
            clue->start = end;
            int32_t corner = (y - 1) * width + x - 1;
            for (uint32_t around = window(rows.covered, y, x); around; around &= around - 1) {
                int32_t place = lowest_bit(around);
                w->clue_cells[end++] = corner + place / 3 * width + place % 3;
            }
        }
    }
    w->clue[w->clues].start = end;
}

enum { CLEAR_KIND, OPEN_KIND, MINE_KIND }; /* revealed or safe; covered and undetermined; shown, or known to be mined */

/* All three steps for any grid: clues are visited from a worklist. */
static int settle_table(struct work *w, const uint8_t *tiles, bool trust, uint8_t *mark) {
    int32_t count = 0;
    for (int32_t cell = 0; cell < w->grid.size; cell++) {
        uint8_t tile = tiles[cell];
        if (tile > WRONG_FLAG)
            return BAD_TILE;
        mark[cell] = UNKNOWN;
        w->waits[cell] = tile <= EIGHT;
        w->kind[cell] = CLEAR_KIND;
        if (tile <= EIGHT) {
            w->worklist[count++] = cell;
        } else if (tile == COVERED || tile == QUESTION || (tile == FLAGGED && !trust)) {
            w->kind[cell] = OPEN_KIND;
        } else if (tile <= EXPLODED) {
            w->kind[cell] = MINE_KIND;
            if (tile == FLAGGED)
                mark[cell] = MINED;
        }
    }
    while (count) {
        int32_t clue = w->worklist[--count];
        w->waits[clue] = 0;
        int32_t covered = 0, need = tiles[clue];
        FOR_NEAR(&w->grid, clue, cell) {
            covered += w->kind[cell] == OPEN_KIND;
            need -= w->kind[cell] == MINE_KIND;
        }
        if (need < 0 || need > covered)
            return CONTRADICTION;
        if (!covered || (need != 0 && need != covered))
            continue;
        FOR_NEAR(&w->grid, clue, cell) {
            if (w->kind[cell] != OPEN_KIND)
                continue;
            w->kind[cell] = need ? MINE_KIND : CLEAR_KIND;
            mark[cell] = need ? MINED : SAFE;
            w->safe += !need;
            FOR_NEAR(&w->grid, cell, near) {
                if (tiles[near] <= EIGHT && !w->waits[near]) {
                    w->waits[near] = 1;
                    w->worklist[count++] = near;
                }
            }
        }
    }
    return OK;
}

static void emit_table(struct work *w, const uint8_t *tiles) {
    int32_t end = 0;
    for (int32_t cell = 0; cell < w->grid.size; cell++) {
        w->undetermined += w->kind[cell] == OPEN_KIND;
        w->known += w->kind[cell] == MINE_KIND;
        if (tiles[cell] > EIGHT)
            continue;
        int32_t begin = end, need = tiles[cell];
        FOR_NEAR(&w->grid, cell, near) {
            if (w->kind[near] == OPEN_KIND)
                w->clue_cells[end++] = near;
            need -= w->kind[near] == MINE_KIND;
        }
        if (end > begin) {
            w->clue[w->clues].need = need;
            w->clue[w->clues++].start = begin;
        }
    }
    w->clue[w->clues].start = end;
}

int sapper_scan(struct work *w, const uint8_t *tiles, bool trust, uint8_t *mark) {
    int status;
    w->safe = w->clues = w->undetermined = w->known = 0;
    if (w->grid.width) {
        status = load_rows(w, tiles, trust, mark);
        if (status == OK)
            status = settle_rows(w, tiles, mark);
    } else {
        status = settle_table(w, tiles, trust, mark);
    }
    if (status == OK)
        (w->grid.width ? emit_rows : emit_table)(w, tiles);
    return status;
}
