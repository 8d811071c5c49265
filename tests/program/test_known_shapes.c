/* tests/program/test_known_shapes.c -- rows of a list with a condition: the case that a row is of fulfils it, others do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_shape.h"
#include "oracle/judge/judge.h"

#define ARENA_BYTES ((size_t)256 << 20)

/* A case of a bug, the driver that had it, and a case of another bug with findings of any kind. */
static const struct shaped {
    const char *bundle, *target, *other;
} shaped[] = {
    {"20261120_uneven_dispatch",                   "intel-cpu",   "20261120_lost_lanes"                     },
    {"20261120_subgroups_per_row",                 "intel-cpu",   "20261120_lost_lanes"                     },
    {"20261120_ids_along_x",                       "lavapipe",    "20261126_lavapipe_round_of_double_halves"},
    {"20261126_swiftshader_loop_of_one_turn",      "swiftshader", "20261125_swiftshader_lost_exchange"      },
    {"20261126_pocl_done_twice_without_a_barrier", "pocl-7",      "20261120_lost_lanes"                     },
    {"20261127_pocl_return_in_a_loop",             "pocl-7",      "20261120_lost_lanes"                     },
    {"20261122_rusticl_size_of_a_small_subgroup",  "rusticl-26",  "20261120_lost_lanes"                     },
    {"20261122_pocl_size_of_a_small_subgroup",     "pocl-6",      "20261120_lost_lanes"                     },
    {"20261125_swiftshader_lost_exchange",         "swiftshader", "20261126_swiftshader_loop_of_one_turn"   },
};

static void read_bundle(const char *name, struct arena *a, struct bundle *b)
{
    struct err e = {RES_OK, ""};
    if (bundle_read(arena_printf(a, "corpora/regress/%s", name), a, b, &e) != RES_OK) {
        fail_msg("%s: %s", name, e.text);
    }
}

/* The bugs of the checked-in list that are shapes, of the target in any version. */
static struct known_bugs list_shapes(const char *target, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct expected_failures k;
    struct known_bugs all;
    if (expected_failures_read(&k, "corpora/known.tsv", "2026-01-01", a, &e) != RES_OK ||
        expected_failures_list_bugs(&k, target, NULL, &all, a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    struct known_bugs shapes = {.bug = all.bug};
    for (uint32_t i = 0; i < all.n; i++) {
        if (all.bug[i].shape) {
            shapes.bug[shapes.n++] = all.bug[i];
        }
    }
    return shapes;
}

static uint32_t count_left(const struct judgement *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        n += verdict_rows[f->kind].part == PART_VIOLATION && !(f->known && f->known[0]);
    }
    return n;
}

/* The case is a row's. With the same findings in a case of another shape it is not. */
static void a_row_fits_its_case_and_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(shaped); i++) {
        struct arena a;
        struct err e = {RES_OK, ""};
        struct bundle b, other;
        struct judgement g;
        arena_init(&a, ARENA_BYTES);
        read_bundle(shaped[i].bundle, &a, &b);
        read_bundle(shaped[i].other, &a, &other);
        struct known_bugs const shapes = list_shapes(shaped[i].target, &a);
        assert_true(shapes.n > 0);
        assert_int_equal(judge_run(&b.tc, &b.ob, &a, &g, &e), RES_OK);
        struct judgement plain = g;
        assert_true(count_left(&g) > 0);
        known_bugs_explain(&shapes, &b.tc, &b.ob, &g, &a);
        if (count_left(&g) > 0) {
            fail_msg("%s: no row of %s fits", shaped[i].bundle, shaped[i].target);
        }
        known_bugs_explain(&shapes, &other.tc, &b.ob, &plain, &a);
        if (count_left(&plain) == 0) {
            fail_msg("%s: a row of %s fits the case of %s", shaped[i].bundle, shaped[i].target,
                     shaped[i].other);
        }
        arena_free(&a);
    }
}

/* A run that ended badly is told apart as well, and its signature is taken apart again. */
static void a_crash_is_known_by_its_case(void **state)
{
    static const char row[] = "crash MUST_RUN start 11 code where sized";
    struct arena a;
    struct err e = {RES_OK, ""};
    struct bundle b;
    struct known_shape shape;
    (void)state;
    arena_init(&a, ARENA_BYTES);
    read_bundle("20261120_lost_lanes", &a, &b);
    assert_int_equal(known_shape_parse(row, &shape, &a, &e), RES_OK);
    struct known_bug bug = {.name = row, .shape = &shape};
    struct known_bugs const known = {.n = 1, .bug = &bug};
    struct observation const ob = {.status = RUN_CRASH,
                                   .phase = PHASE_RUN,
                                   .driver_code = 11,
                                   .signature = "code",
                                   .log = "",
                                   .facts = ""};
    for (uint32_t size = 0; size <= 8; size += 8) {
        struct judgement g;
        b.tc.subgroup_size = size;
        assert_int_equal(judge_run(&b.tc, &ob, &a, &g, &e), RES_OK);
        known_bugs_explain(&known, &b.tc, &ob, &g, &a);
        struct signature const s = signature_of(&g.findings[0], &ob, &a);
        assert_string_equal(s.core, "crash MUST_RUN run 11 code");
        assert_string_equal(s.known, size > 0 ? row : "");
    }
    arena_free(&a);
}

static void words_are_understood_or_named(void **state)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    struct known_shape shape;
    (void)state;
    arena_init(&a, (size_t)1 << 20);
    assert_false(known_shape_is("mask EVERY_LANE - - -"));
    assert_int_equal(known_shape_parse("mask ND_RANGE - - - where uneven", &shape, &a, &e), RES_OK);
    assert_string_equal(shape.signature, "mask ND_RANGE - - -");
    assert_int_equal(shape.pattern.n, 0);
    assert_int_equal(known_shape_parse("x where sized cut; branch Group*", &shape, &a, &e), RES_OK);
    assert_int_equal(shape.pattern.n, 1);
    assert_int_equal(known_shape_parse("x where ", &shape, &a, &e), RES_FORMAT);
    assert_int_equal(known_shape_parse("x where loop", &shape, &a, &e), RES_FORMAT);
    assert_int_equal(known_shape_parse("x where Load odd", &shape, &a, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "odd"));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_fits_its_case_and_no_other),
        cmocka_unit_test(a_crash_is_known_by_its_case),
        cmocka_unit_test(words_are_understood_or_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
