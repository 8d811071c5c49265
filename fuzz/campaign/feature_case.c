/* fuzz/campaign/feature_case.c -- what a case is made of, as cells of a map: pairs, each by its hash. */
#include "fuzz/campaign/feature_case.h"

#include "gen/shape/shape.h"

/* Where the lists of things that a case may have begin, among all of them. */
enum {
    FIRST_SHAPE = 0,
    FIRST_GROUP_SHAPE = FIRST_SHAPE + 64 * SHAPE_WORDS,
    FIRST_MATH_SHAPE = FIRST_GROUP_SHAPE + 64,
    FIRST_BOUND = FIRST_MATH_SHAPE + 64,
    FIRST_KIND = FIRST_BOUND + 64,
    FIRST_GROUP_ROW = FIRST_KIND + 64,
    FIRST_MATH_ROW = FIRST_GROUP_ROW + 64 * GEN_OP_WORDS,
    MAX_THINGS = FIRST_MATH_ROW + 64 * GEN_OP_WORDS
};

/* The set bits of a list, as numbers from `first` on. */
struct things {
    uint32_t n;
    uint16_t at[MAX_THINGS];
};

static void add_bits(struct things *t, uint64_t bits, uint32_t first)
{
    for (uint32_t i = 0; i < 64; i++) {
        if (bits >> i & 1) {
            t->at[t->n++] = (uint16_t)(first + i);
        }
    }
}

static void put_pair(unsigned char *map, uint32_t x, uint32_t y)
{
    uint64_t const key = (uint64_t)x << 32 | y;
    map[hash_bytes(0, &key, sizeof key) & (FEATURE_CASE_CELLS - 1)] = 1;
}

static void put_pairs(unsigned char *map, const struct things *x, const struct things *y)
{
    for (uint32_t i = 0; i < x->n; i++) {
        for (uint32_t k = x == y ? i : 0; k < y->n; k++) { /* a pair within a list once */
            put_pair(map, x->at[i], y->at[k]);
        }
    }
}

/* Set the cells of what a case holds, whatever its run shows: for each shape (a construct of the generator)
 * and each thing that stands in the case a cell of the pair, and one for each pair of shapes. Plain, group
 * and math shapes are paired only among themselves. The bounds of decorations count as math shapes. */
void feature_case_put(const struct gen_info *info, unsigned char *map)
{
    struct things shapes = {.n = 0}, group_shapes = {.n = 0}, math_shapes = {.n = 0};
    struct things kinds = {.n = 0}, group_rows = {.n = 0}, math_rows = {.n = 0};
    for (uint32_t i = 0; i < SHAPE_WORDS; i++) {
        add_bits(&shapes, info->shapes.words[i], FIRST_SHAPE + 64 * i);
    }
    add_bits(&group_shapes, info->group_shapes, FIRST_GROUP_SHAPE);
    add_bits(&math_shapes, info->math_shapes, FIRST_MATH_SHAPE);
    add_bits(&math_shapes, info->bounds, FIRST_BOUND);
    add_bits(&kinds, info->op_kinds, FIRST_KIND);
    for (uint32_t i = 0; i < GEN_OP_WORDS; i++) {
        add_bits(&group_rows, info->group_rows[i], FIRST_GROUP_ROW + 64 * i);
        add_bits(&math_rows, info->math_rows[i], FIRST_MATH_ROW + 64 * i);
    }
    put_pairs(map, &shapes, &kinds);
    put_pairs(map, &group_shapes, &group_rows);
    put_pairs(map, &math_shapes, &math_rows);
    put_pairs(map, &shapes, &shapes);
    put_pairs(map, &group_shapes, &group_shapes);
    put_pairs(map, &math_shapes, &math_shapes);
}
