/* oracle/feature/test_feature.c -- cells of a map: one property more is a cell more, a larger error too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "oracle/feature/feature.h"
#include "oracle/feature/feature_group.h"

static struct feature_map *new_map(void)
{
    struct feature_map *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->cells = calloc(1, FEATURE_CELLS);
    assert_non_null(m->cells);
    feature_clear(m);
    return m;
}

static void free_map(struct feature_map *m)
{
    free(m->cells);
    free(m);
}

static uint32_t count_cells(const struct feature_map *m, uint32_t first, uint32_t n)
{
    uint32_t n_set = 0;
    for (uint32_t i = first; i < first + n; i++) {
        assert_true(m->cells[i] <= 1);
        n_set += m->cells[i];
    }
    return n_set;
}

static uint32_t count_tuples(const struct feature_map *m)
{
    return count_cells(m, 0, FEATURE_TUPLE_CELLS);
}

static uint32_t count_ratios(const struct feature_map *m)
{
    return count_cells(m, FEATURE_TUPLE_CELLS, FEATURE_RATIO_CELLS);
}

/* ---- classes ---- */

/* The class of encodings of each kind, and the coarse class that it belongs to. */
static void classes_of_encodings(void **state)
{
    (void)state;
    static const struct {
        int fmt;
        unsigned n_bits;
        uint64_t enc;
        enum feature_class want, whole;
    } rows[] = {
        {FMT_F16, 16, 0x0000,                       FEATURE_ZERO,       FEATURE_ZERO     },
        {FMT_F16, 16, 0x8000,                       FEATURE_MINUS_ZERO, FEATURE_ZERO     },
        {FMT_F16, 16, 0x0001,                       FEATURE_SUBNORMAL,  FEATURE_SUBNORMAL},
        {FMT_F16, 16, 0x83ff,                       FEATURE_SUBNORMAL,  FEATURE_SUBNORMAL},
        {FMT_F16, 16, 0x0400,                       FEATURE_TINY,       FEATURE_NORMAL   },
        {FMT_F16, 16, 0x07ff,                       FEATURE_TINY,       FEATURE_NORMAL   },
        {FMT_F16, 16, 0x0800,                       FEATURE_NORMAL,     FEATURE_NORMAL   },
        {FMT_F16, 16, 0xbc00,                       FEATURE_NEGATIVE,   FEATURE_NORMAL   },
        {FMT_F16, 16, 0x77ff,                       FEATURE_NORMAL,     FEATURE_NORMAL   },
        {FMT_F16, 16, 0x7800,                       FEATURE_HUGE,       FEATURE_NORMAL   },
        {FMT_F16, 16, 0xfbff,                       FEATURE_HUGE,       FEATURE_NORMAL   },
        {FMT_F16, 16, 0x7c00,                       FEATURE_INF,        FEATURE_INF      },
        {FMT_F16, 16, 0xfc00,                       FEATURE_MINUS_INF,  FEATURE_INF      },
        {FMT_F16, 16, 0x7e00,                       FEATURE_QNAN,       FEATURE_QNAN     },
        {FMT_F16, 16, 0xfc01,                       FEATURE_SNAN,       FEATURE_SNAN     },
        {FMT_F32, 32, 0x00800000,                   FEATURE_TINY,       FEATURE_NORMAL   },
        {FMT_F64, 64, UINT64_C(0x7fe0000000000000), FEATURE_HUGE,       FEATURE_NORMAL   },
        {-1,      32, 0,                            FEATURE_INT_ZERO,   FEATURE_INT_ZERO },
        {-1,      32, 0xffffffff,                   FEATURE_INT_ONES,   FEATURE_INT_ONES },
        {-1,      64, 0xffffffff,                   FEATURE_INT,        FEATURE_INT      },
        {-1,      32, 0x80000000,                   FEATURE_INT_TOP,    FEATURE_INT      },
        {-1,      32, 0x7fffffff,                   FEATURE_INT_TOP,    FEATURE_INT      },
        {-1,      8,  0xff80,                       FEATURE_INT_TOP,    FEATURE_INT      },
        {-1,      1,  0,                            FEATURE_INT_ZERO,   FEATURE_INT_ZERO },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum feature_class const got = feature_classify(rows[i].fmt, rows[i].n_bits, rows[i].enc);
        if (got != rows[i].want || feature_coarse(got) != rows[i].whole) {
            fail_msg("row %zu: class %d, want %d", i, (int)got, (int)rows[i].want);
        }
    }
    assert_int_equal(feature_classify(-1, 1, 1), feature_classify(-1, 1, UINT64_MAX));
    assert_int_not_equal(feature_classify(-1, 1, 1), FEATURE_INT_ZERO);
}

/* ---- tuples ---- */

static struct feature ordinary(void)
{
    return (struct feature){
        .op = OP_core_AtomicFAddEXT,
        .type = VT_F32,
        .storage = STORAGE_GLOBAL,
        .scope = 2,
        .mask = FEATURE_MASK_PRIVATE,
        .operand = {FEATURE_NORMAL, FEATURE_NORMAL, FEATURE_NOTHING},
        .result = FEATURE_NORMAL,
        .rounding = FEATURE_ROUNDING_INEXACT,
        .width = 4,
        .component = 1,
        .size = 3,
        .flow = FEATURE_IN_LOOP,
        .place = 0,
        .decoration = 1,
        .outcome = FEATURE_SHARP
    };
}

/* Makes features that differ from the ordinary one in exactly one property. */
static uint32_t make_neighbours(struct feature *out)
{
    uint32_t n = 0;
    struct feature f;
#define NEIGHBOUR(field, value) (f = ordinary(), f.field = (value), out[n++] = f)
    NEIGHBOUR(op, OP_core_AtomicFMinEXT);
    NEIGHBOUR(type, VT_F64);
    NEIGHBOUR(storage, STORAGE_WORKGROUP);
    NEIGHBOUR(scope, 3);
    NEIGHBOUR(mask, FEATURE_MASK_GROUPS);
    NEIGHBOUR(operand[0], FEATURE_QNAN);
    NEIGHBOUR(operand[0], FEATURE_TINY);
    NEIGHBOUR(operand[1], FEATURE_SUBNORMAL);
    NEIGHBOUR(operand[1], FEATURE_NEGATIVE);
    NEIGHBOUR(operand[2], FEATURE_INF);
    NEIGHBOUR(result, FEATURE_SUBNORMAL);
    NEIGHBOUR(rounding, FEATURE_ROUNDING_TIE);
    NEIGHBOUR(width, 3);
    NEIGHBOUR(component, 3);
    NEIGHBOUR(size, 4);
    NEIGHBOUR(flow, FEATURE_IN_LOOP | FEATURE_IN_ELSE);
    NEIGHBOUR(place, FEATURE_SECOND_WAVE);
    NEIGHBOUR(decoration, 2);
    NEIGHBOUR(outcome, FEATURE_DIVERGENT);
#undef NEIGHBOUR
    return n;
}

/* A feature that differs from another one in any property sets a cell of its own; recording it again sets no more. */
static void each_property_has_a_cell(void **state)
{
    (void)state;
    struct feature const base = ordinary();
    struct feature other[32];
    uint32_t const n = make_neighbours(other);
    struct feature_map *m = new_map();
    for (uint32_t i = 0; i < n; i++) {
        feature_clear(m);
        assert_int_equal(count_tuples(m), 0);
        feature_put(m, &base);
        uint32_t const n_base = count_tuples(m);
        assert_true(n_base > 0);
        feature_put(m, &other[i]);
        if (count_tuples(m) <= n_base) {
            fail_msg("neighbour %u sets no cell of its own", i);
        }
        uint32_t const n_both = count_tuples(m);
        feature_put(m, &base); /* no longer a recent one, perhaps */
        feature_put(m, &other[i]);
        assert_int_equal(count_tuples(m), n_both);
    }
    assert_int_equal(count_ratios(m), 0);
    free_map(m);
}

static uint32_t count_pairs(const struct feature_map *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < FEATURE_PAIR_CELLS; i++) {
        n += m->pairs[i / 8] >> i % 8 & 1;
    }
    return n;
}

/* n known properties of a value set n (n - 1) / 2 cells; a change of one property sets n - 1 new cells. */
static void each_two_properties_have_a_cell(void **state)
{
    enum {
        N_KNOWN = 12, /* of ordinary(): a place in the vector is one more than its width */
        N_PAIRS = N_KNOWN * (N_KNOWN - 1) / 2
    };
    (void)state;
    struct feature_map *m = new_map();
    struct feature f = ordinary();
    feature_put(m, &f); /* nobody asks for pairs */
    m->pairs = calloc(1, FEATURE_PAIR_BYTES);
    assert_non_null(m->pairs);
    feature_clear(m);
    feature_put(m, &f);
    assert_int_equal(count_pairs(m), N_PAIRS);
    f.mask = FEATURE_MASK_GROUPS;
    feature_put(m, &f);
    assert_int_equal(count_pairs(m), N_PAIRS + N_KNOWN - 1);
    f.place = FEATURE_SECOND_WAVE; /* nothing was known of it */
    feature_put(m, &f);
    assert_int_equal(count_pairs(m), N_PAIRS + N_KNOWN - 1 + N_KNOWN);
    f.type = VT_F64;
    feature_put(m, &f);
    assert_int_equal(count_pairs(m), N_PAIRS + N_KNOWN - 1 + N_KNOWN + N_PAIRS + N_KNOWN);
    feature_clear(m);
    assert_int_equal(count_pairs(m), 0);
    free(m->pairs);
    free_map(m);
}

/* What was put before changes nothing but what is in the map: recent features are no others'. */
static void order_does_not_matter(void **state)
{
    (void)state;
    struct feature all[32];
    uint32_t const n = make_neighbours(all);
    struct feature_map *up = new_map(), *down = new_map();
    for (uint32_t i = 0; i < n; i++) {
        feature_put(up, &all[i]);
        feature_put(up, &all[i / 2]);
        feature_put(down, &all[n - 1 - i]);
    }
    assert_memory_equal(up->cells, down->cells, FEATURE_CELLS);
    free_map(up);
    free_map(down);
}

/* Only few of the many pairs of instruction and type may share a cell. */
static void few_pairs_of_instruction_and_type_collide(void **state)
{
    (void)state;
    struct feature_map *m = new_map();
    uint32_t n_pairs = 0, n_hidden = 0;
    for (uint16_t op = 0; op < OP_N; op++) {
        bool const is_atomic = op_is_atomic(op_rows[op].name);
        for (uint8_t type = VT_F16; type < VT_N; type++) {
            if (type == VT_BF16 && !is_atomic) { /* no other instruction takes it */
                continue;
            }
            struct feature const f = {
                .op = op, .type = type, .result = FEATURE_NORMAL, .outcome = FEATURE_SHARP};
            uint32_t const before = count_tuples(m);
            feature_put(m, &f);
            n_hidden += count_tuples(m) == before;
            n_pairs++;
        }
    }
    uint32_t const n_set = count_tuples(m), n_keys = 2 * n_pairs + 2 * OP_N + 3;
    print_message("%u pairs: %u tuples, %u cells, %u pairs without one of their own\n", n_pairs,
                  n_keys, n_set, n_hidden);
    assert_true(n_set <= n_keys && n_set >= n_keys * 93 / 100);
    assert_true(n_hidden * 200 <= n_pairs);
    free_map(m);
}

/* ---- ratios ---- */

/* A larger ratio of error and bound sets all cells of smaller ratios and more. */
static void larger_errors_set_more(void **state)
{
    (void)state;
    static const double ratio[] = {0,   0.001, 0.02, 0.03, 0.05, 0.0625, 0.09, 0.125, 0.18, 0.25,
                                   0.4, 0.5,   0.71, 0.9,  1,    1.0001, 16.5, 1025,  1e300};
    struct feature_map *m = new_map();
    uint32_t last = 0;
    unsigned step = 0;
    for (size_t i = 0; i < ARRAY_N(ratio); i++) {
        assert_true(feature_ratio_step(ratio[i]) >= step);
        step = feature_ratio_step(ratio[i]);
        feature_put_ratio(m, OP_opencl_std_exp, FMT_F32, ratio[i]);
        assert_int_equal(count_ratios(m), step + 1);
        assert_true(count_ratios(m) >= last);
        last = count_ratios(m);
    }
    assert_int_equal(last, FEATURE_RATIO_STEPS);
    assert_true(feature_ratio_step(1) > feature_ratio_step(0.99));
    assert_true(feature_ratio_step(1) < feature_ratio_step(1.01));
    feature_put_ratio(m, OP_opencl_std_exp, FMT_F32, 0.1); /* a smaller one sets nothing */
    assert_int_equal(count_ratios(m), last);
    feature_put_ratio(m, OP_opencl_std_exp, FMT_F16, (double)NAN);
    assert_int_equal(count_ratios(m), last);
    feature_put_ratio(m, OP_opencl_std_exp, FMT_F16, 0.1);
    assert_true(count_ratios(m) > last);
    assert_int_equal(count_tuples(m), 0);
    free_map(m);
}

static void ratios_of_all_instructions_are_apart(void **state)
{
    (void)state;
    struct feature_map *m = new_map();
    unsigned n_floats = 0; /* rows up to the last that works on floats */
    for (unsigned op = 0; op < OP_N; op++) {
        bool const is_of_floats = op_rows[op].types & (TYPE_F16 | TYPE_F32 | TYPE_F64);
        n_floats = is_of_floats ? op + 1 : n_floats;
    }
    assert_true(n_floats > 250);
    for (unsigned op = 0; op < n_floats; op++) {
        for (int fmt = 0; fmt < FMT_N; fmt++) {
            feature_put_ratio(m, op, (enum fmt_id)fmt, (double)INFINITY);
        }
    }
    assert_int_equal(count_ratios(m), n_floats * FMT_N * FEATURE_RATIO_STEPS);
    assert_int_equal(count_tuples(m), 0);
    free_map(m);
}

/* ---- masks ---- */

/* The class of the participants' mask, and the most unusual class among their operands. */
static void masks_of_groups(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, index[4], size;
        int is_partial;
        enum feature_mask want;
    } rows[] = {
        {4, {0, 1, 2, 3}, 4, 0, FEATURE_MASK_FULL  },
        {3, {0, 1, 2},    4, 0, FEATURE_MASK_CUT   },
        {3, {0, 1, 2},    4, 1, FEATURE_MASK_FIRST },
        {3, {1, 2, 3},    4, 1, FEATURE_MASK_BLOCK },
        {2, {0, 3},       4, 1, FEATURE_MASK_SPARSE},
        {1, {0},          4, 1, FEATURE_MASK_ONE   },
        {1, {3},          4, 1, FEATURE_MASK_ONE   },
    };
    static const uint64_t value[4] = {0x3c00, 0x8000, 0x0001, 0x7e00};
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct group_call const c = {.fmt = FMT_F16,
                                     .n_bits = 16,
                                     .n_components = 1,
                                     .n = rows[i].n,
                                     .index = rows[i].index,
                                     .value = value,
                                     .size = rows[i].size};
        static const enum feature_class worst[5] = {FEATURE_NOTHING, FEATURE_NORMAL, FEATURE_ZERO,
                                                    FEATURE_SUBNORMAL, FEATURE_QNAN};
        uint8_t mask, least_usual;
        feature_describe_group(&c, rows[i].is_partial, &mask, &least_usual);
        assert_int_equal(mask, rows[i].want);
        assert_int_equal(least_usual, worst[rows[i].n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_of_encodings),
        cmocka_unit_test(each_property_has_a_cell),
        cmocka_unit_test(each_two_properties_have_a_cell),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(few_pairs_of_instruction_and_type_collide),
        cmocka_unit_test(larger_errors_set_more),
        cmocka_unit_test(ratios_of_all_instructions_are_apart),
        cmocka_unit_test(masks_of_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
