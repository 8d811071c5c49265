/* oracle/group/test_group_world.h -- lanes as arrays with active flags, for the tests of group.h. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <spirv/unified1/spirv.h>

#include "base/ops.h"
#include "oracle/group/group.h"
#include "oracle/group/group_float.h"
#include "oracle/group/group_move.h"

#define COVERS(id)  (void)CLAUSE_##id
#define AMD(number) OP_NUMBER(OP_SET_amd_ballot, (number))

enum {
    LANES = 128,
    MAX_COMPONENTS = 4
};

/* All lanes of one group, by index; what is not active does not take part. */
struct world {
    unsigned size;
    unsigned char active[LANES], known[LANES], known_second[LANES];
    uint64_t in[LANES][MAX_COMPONENTS], second[LANES], other[LANES][MAX_COMPONENTS];
    unsigned n_components;
};

/* A call packed from a world: participants alone. */
struct packed {
    struct group_call c;
    uint32_t index[LANES];
    uint64_t value[LANES * MAX_COMPONENTS], second[LANES], other[LANES * MAX_COMPONENTS];
    unsigned char known[LANES], known_second[LANES];
};

/* Makes a group call of the active lanes of w, in ascending order. */
static inline void pack(struct packed *p, const struct world *w, uint32_t op, unsigned n_bits)
{
    uint32_t n = 0;
    for (unsigned lane = 0; lane < w->size; lane++) {
        if (!w->active[lane]) {
            continue;
        }
        p->index[n] = lane;
        for (unsigned k = 0; k < w->n_components; k++) {
            p->value[n * w->n_components + k] = w->in[lane][k];
            p->other[n * w->n_components + k] = w->other[lane][k];
        }
        p->second[n] = w->second[lane];
        p->known[n] = w->known[lane];
        p->known_second[n] = w->known_second[lane];
        n++;
    }
    p->c = (struct group_call){.op = op,
                               .operation = GROUP_NO_OPERATION,
                               .fmt = -1,
                               .n_bits = n_bits,
                               .n_components = w->n_components,
                               .n_results = w->n_components,
                               .size = w->size,
                               .max_size = w->size,
                               .n = n,
                               .index = p->index,
                               .value = p->value,
                               .second = p->second,
                               .other = p->other,
                               .known = p->known,
                               .known_second = p->known_second};
}

static inline uint64_t low_bits(unsigned n_bits)
{
    return n_bits == 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

/* A random mask: full, one lane, dense, sparse, a half; at least one lane. */
static inline void draw_active(struct rng *rng, struct world *w)
{
    uint64_t const style = rng_below(rng, 6), pivot = rng_below(rng, w->size);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t const draw = rng_below(rng, 8);
        w->active[lane] = lane < w->size && (style == 0   ? 1
                                             : style == 1 ? lane == pivot
                                             : style == 2 ? draw != 0
                                             : style == 3 ? draw == 0
                                             : style == 4 ? lane <= pivot
                                                          : draw < 4);
    }
    w->active[pivot] = 1;
}

/* Values that meet each other: small, extreme or random ones of n_bits. */
static inline uint64_t draw_value(struct rng *rng, unsigned n_bits)
{
    static const uint64_t seeds[] = {0, 1, 2, 3, UINT64_MAX, 5, 0x5555555555555555};
    uint64_t const style = rng_below(rng, 4);
    uint64_t const sign = UINT64_C(1) << (n_bits - 1);
    uint64_t const v = style == 0   ? seeds[rng_below(rng, ARRAY_N(seeds))]
                       : style == 1 ? sign - rng_below(rng, 2)
                                    : rng_next(rng);
    return v & low_bits(n_bits);
}

static inline void draw_world(struct rng *rng, struct world *w, unsigned n_bits)
{
    static const unsigned sizes[] = {1, 2, 3, 4, 7, 8, 16, 20, 32, 33, 64, 100, 128};
    memset(w, 0, sizeof *w);
    w->size = sizes[rng_below(rng, ARRAY_N(sizes))];
    w->n_components = 1;
    draw_active(rng, w);
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned k = 0; k < MAX_COMPONENTS; k++) {
            w->in[lane][k] = draw_value(rng, n_bits);
            w->other[lane][k] = draw_value(rng, n_bits);
        }
        w->known[lane] = w->known_second[lane] = 1;
    }
}

static inline const char *op_name(uint32_t op)
{
    int const row = op_find_number(op);
    return row < 0 ? "?" : op_rows[row].name;
}

/* Lane p->index[i] must get exactly this. */
static inline void expect_answer(const struct packed *p, uint32_t i, const struct rules *r,
                                 enum group_answer want, const uint64_t *bits, unsigned n_bits)
{
    uint64_t out[MAX_COMPONENTS] = {0xbad, 0xbad, 0xbad, 0xbad};
    enum group_answer const got = group_answer(&p->c, i, r, out);
    if (got != want) {
        fail_msg("%s lane %u of %u: answer %d, want %d", op_name(p->c.op), p->index[i], p->c.size,
                 (int)got, (int)want);
    }
    for (unsigned k = 0; want == GROUP_IS && k < p->c.n_results; k++) {
        if (out[k] != (bits[k] & low_bits(n_bits))) {
            fail_msg("%s operation %u lane %u of %u component %u: 0x%llx, want 0x%llx",
                     op_name(p->c.op), p->c.operation, p->index[i], p->c.size, k,
                     (unsigned long long)out[k], (unsigned long long)bits[k]);
        }
    }
}
