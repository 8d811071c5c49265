/* tests/program/test_source.c -- OpenCL C on the default driver: programs from source, and each function of
 * cl_ext_float_atomics by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/trial/float_atomics.h"
#include "gen/print/print.h"
#include "oracle/judge/judge.h"

enum {
    N_PROGRAMS = 24
};

struct rig {
    struct arena a;
    struct target_list targets;
    struct target target;
    struct float_atomics float_atomics; /* what `target` has of them, if has_asked */
    bool has_asked;
};

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    struct err e = {RES_OK, ""};
    const char *const build = getenv("HALFULP_BUILD"); /* where the worker is */
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)64 << 20);
    const char *const worker =
        arena_printf(&r->a, "%s/halfulp-worker", build ? build : "build/opt");
    if (setenv("HALFULP_WORKER", worker, 0) != 0) {
        return -1;
    }
    if (targets_find(&r->targets, "corpora/check.ini", &r->a, &e) != RES_OK) {
        (void)fprintf(stderr, "%s\n", e.text);
        return -1;
    }
    const struct target *const found = targets_find_name(&r->targets, "intel-cpu-c");
    if (found) {
        r->target = *found;
    }
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    arena_free(&r->a);
    free(r);
    return 0;
}

static void skip_without_driver(const struct rig *r)
{
    if (!r->target.name) {
        printf("no intel-cpu in the folder of drivers\n");
        skip();
    }
}

/* Nothing that is drawn is refused by the front end, and what runs is judged by the module. */
static void check_programs(const struct rig *r)
{
    struct run *const run = calloc(1, sizeof *run);
    uint32_t n_done = 0, n_fine = 0;
    assert_non_null(run);
    arena_init(&run->arena, HANDLE_RUN_BYTES);
    for (uint64_t i = 0; i < N_PROGRAMS; i++) {
        struct err e = {RES_OK, ""};
        struct tape tape;
        struct judgement g;
        arena_reset(&run->arena);
        assert_int_equal(
            sched_make_case(PROFILE_ATOMICS, 3, i, ENV_CL, &run->arena, &run->tc, &tape, &e),
            RES_OK);
        if (print_set_language(&run->tc, r->target.language, &run->arena, &e) == RES_LIMIT) {
            continue; /* the language has no words for it */
        }
        assert_int_equal(handle_run_once(&r->target, run, &e), RES_OK);
        if (run->ob.status == RUN_REJECT) {
            fail_msg("program %d: %s\n%s", (int)i, run->ob.log, run->tc.source);
        }
        n_done += run->ob.status == RUN_DONE;
        assert_int_equal(judge_run(&run->tc, &run->ob, &run->arena, &g, &e), RES_OK);
        n_fine += run->ob.status == RUN_DONE && g.kind == VERDICT_OK;
    }
    arena_free(&run->arena);
    free(run);
    assert_true(n_done >= N_PROGRAMS / 2);
    assert_true(n_fine * 4 >= n_done * 3);
}

static void programs_are_built_from_source(void **state)
{
    const struct rig *const r = *state;
    skip_without_driver(r);
    check_programs(r);
}

/* The same target with one more variable of the environment. */
static struct target with_variable(const struct target *t, const char *pair)
{
    struct target out = *t;
    size_t n = 0;
    while (out.env_vars[n]) {
        n++;
    }
    assert_true(n < TARGET_MAX_ENV);
    out.env_vars[n] = pair;
    return out;
}

static void atomics_act_on_shared_virtual_memory(void **state)
{
    const struct rig *const r = *state;
    struct rig other = *r;
    skip_without_driver(r);
    other.target = with_variable(&r->target, "HALFULP_MEMORY=svm");
    check_programs(&other);
}

/* What kind of memory there is no word for stops the worker, which says so. */
static void an_unknown_memory_is_refused(void **state)
{
    const struct rig *const r = *state;
    struct run *const run = calloc(1, sizeof *run);
    struct err e = {RES_OK, ""};
    struct tape tape;
    skip_without_driver(r);
    assert_non_null(run);
    struct target const other = with_variable(&r->target, "HALFULP_MEMORY=paper");
    arena_init(&run->arena, HANDLE_RUN_BYTES);
    assert_int_equal(
        sched_make_case(PROFILE_ATOMICS, 3, 0, ENV_CL, &run->arena, &run->tc, &tape, &e), RES_OK);
    assert_int_not_equal(handle_run_once(&other, run, &e), RES_OK);
    assert_non_null(strstr(e.text, "svm or buffer"));
    arena_free(&run->arena);
    free(run);
}

/* A program that is wrong is refused, with the front end's own words. */
static void a_wrong_program_is_refused(void **state)
{
    const struct rig *const r = *state;
    struct run *const run = calloc(1, sizeof *run);
    struct err e = {RES_OK, ""};
    struct tape tape;
    skip_without_driver(r);
    assert_non_null(run);
    arena_init(&run->arena, HANDLE_RUN_BYTES);
    assert_int_equal(
        sched_make_case(PROFILE_ATOMICS, 3, 0, ENV_CL, &run->arena, &run->tc, &tape, &e), RES_OK);
    assert_int_equal(print_set_language(&run->tc, r->target.language, &run->arena, &e), RES_OK);
    run->tc.source = arena_printf(&run->arena, "%s\nno_such_type x;\n", run->tc.source);
    assert_int_equal(handle_run_once(&r->target, run, &e), RES_OK);
    assert_int_equal(run->ob.status, RUN_REJECT);
    assert_int_equal(run->ob.phase, PHASE_BUILD);
    assert_non_null(strstr(run->ob.log, "no_such_type"));
    arena_free(&run->arena);
    free(run);
}

/* What the driver has of float atomics, which takes a while: asked for once. */
static const struct float_atomics *ask(struct rig *r)
{
    struct err e = {RES_OK, ""};
    if (!r->has_asked) {
        assert_int_equal(float_atomics_ask(&r->target, &r->a, &r->float_atomics, &e), RES_OK);
        r->has_asked = true;
    }
    return &r->float_atomics;
}

/* The driver lists every bit, has every function right, and defines no macro: OpenCL C has to have both or none. */
static void each_function_is_asked_for(void **state)
{
    /* SHOWS(FA_NAMES, FA_BIT_FIELDS, FA_GLOBAL_ADD, FA_LOCAL_ADD, FA_MACROS, FA_LOADS, FA_ADDS,
     * FA_MINIMA, FA_VOLATILE, FA_GENERIC_BOTH, FA_WIDE_LS) */
    struct rig *const r = *state;
    skip_without_driver(r);
    struct float_atomics const x = *ask(r);
    for (unsigned i = 0; i < FLOAT_ATOMICS_WIDTHS * FLOAT_ATOMICS_SPACES; i++) {
        unsigned const width = i / FLOAT_ATOMICS_SPACES;
        unsigned const space = i % FLOAT_ATOMICS_SPACES;
        for (unsigned f = 0; f < FLOAT_ATOMICS_FUNCTIONS && x.has_type[width]; f++) {
            for (unsigned form = 0; form < FLOAT_ATOMICS_FORMS; form++) {
                if (x.is_listed[width][space][float_atomics_class_of(f)]) {
                    assert_int_equal(x.step[width][space][f][form], STEP_RIGHT);
                }
            }
        }
    }
    assert_true(x.is_listed[1][0][1]);
    assert_false(x.has_macro[1][0][1]);
    assert_string_equal(float_atomics_macro(0, 1, 2, &r->a),
                        "__opencl_c_ext_fp16_local_atomic_min_max");
}

/* The extension's text: atomic_half only if cl_khr_fp16 is supported and enabled. A compiler takes it where the device has
 * the type. Of a program that disables the extension nothing is asserted: clang, which most drivers have, takes the pragma for
 * nothing from OpenCL C 3.0 on. */
static void halves_need_their_extension(void **state)
{
    /* SHOWS(FA_HALF) */
    struct rig *const r = *state;
    skip_without_driver(r);
    struct float_atomics const x = *ask(r);
    assert_int_equal(x.has_half_enabled, x.has_type[0]);
    print_message("atomic_half where cl_khr_fp16 is disabled: %s\n",
                  x.has_half_disabled ? "taken" : "refused");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_built_from_source),
        cmocka_unit_test(atomics_act_on_shared_virtual_memory),
        cmocka_unit_test(an_unknown_memory_is_refused),
        cmocka_unit_test(a_wrong_program_is_refused),
        cmocka_unit_test(each_function_is_asked_for),
        cmocka_unit_test(halves_need_their_extension),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
