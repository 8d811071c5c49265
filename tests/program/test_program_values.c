/* tests/program/test_program_values.c -- values of a GPU's compiler without the GPU: of RADV, where its root is here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "fuzz/io/bundle.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)

/* The case whose 8-bit division by the constant -9 Mesa 26.2.6 makes a multiplication without its correction. */
#define DIVISION "corpora/compilers/nir-narrow-division"

struct rig {
    struct arena a;
    struct target_list all, chosen;
    struct testcase tc;
};

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    struct err e = {RES_OK, ""};
    const char *const build = getenv("HALFULP_BUILD"); /* where the worker is */
    struct bundle b;
    if (!r) {
        return -1;
    }
    arena_init(&r->a, TEST_ARENA_BYTES);
    (void)setenv("HALFULP_WORKER",
                 arena_printf(&r->a, "%s/halfulp-worker", build ? build : "build/opt"), 0);
    *state = r;
    if (targets_find(&r->all, NULL, &r->a, &e) != RES_OK ||
        bundle_read(DIVISION, &r->a, &b, &e) != RES_OK) {
        print_message("%s\n", e.text);
        return -1;
    }
    r->tc = b.tc;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    arena_free(&r->a);
    free(r);
    return 0;
}

/* The target of that name, with the values that are asked for; skipped where its root is not here. */
static struct target get_target(struct rig *r, const char *name, enum target_values values)
{
    struct err e;
    if (targets_choose(&r->all, name, &r->chosen, &r->a, &e) != RES_OK) {
        print_message("skipped: no %s here\n", name);
        skip();
    }
    struct target t = r->chosen.t[0];
    assert_int_equal(t.values, VALUES_NIR);
    t.values = values;
    return t;
}

static void run(struct rig *r, const struct target *t, struct run *out)
{
    struct err e = {RES_OK, ""};
    *out = (struct run){.tc = r->tc};
    arena_init(&out->arena, TEST_ARENA_BYTES);
    if (handle_run_once(t, out, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* Does a division give a wrong value? */
static bool is_division_wrong(struct run *run)
{
    struct judgement g;
    struct err e;
    bool is_wrong = false;
    assert_int_equal(run->ob.status, RUN_DONE);
    assert_int_equal(judge_run(&run->tc, &run->ob, &run->arena, &g, &e), RES_OK);
    assert_true(g.n_judged > 0);
    for (uint32_t i = 0; i < g.n_findings; i++) {
        is_wrong |= strstr(g.findings[i].text, "SDiv") != NULL;
    }
    return is_wrong;
}

/* Two releases, two programs, two verdicts: the rule of the later one is broken, the earlier one is right. */
static void a_wrong_value_is_found_without_a_gpu(void **state)
{
    static const struct {
        const char *target, *version;
        bool is_wrong;
    } rows[] = {
        {"radv-navi31", "Mesa 26.2.6", true},
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct run out;
        char version[64];
        struct target const t = get_target(r, rows[i].target, VALUES_NIR);
        run(r, &t, &out);
        assert_true(facts_get(out.ob.facts, "driver", version, sizeof version));
        if (strncmp(version, rows[i].version, strlen(rows[i].version)) ==
            0) { /* the root moves on */
            assert_int_equal(is_division_wrong(&out), rows[i].is_wrong);
        }
        assert_true(out.ob.n_programs > 0);
        assert_true(facts_has_word(out.ob.facts, "target.values", "nir"));
        arena_free(&out.arena);
    }
}

/* With `values = no` the same target builds, and no more. */
static void values_can_be_left_out(void **state)
{
    struct rig *const r = *state;
    struct run out;
    struct target const t = get_target(r, "radv-navi31", VALUES_NONE);
    run(r, &t, &out);
    assert_int_equal(out.ob.status, RUN_BUILT);
    assert_int_equal(out.ob.n_programs, 0);
    arena_free(&out.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wrong_value_is_found_without_a_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_can_be_left_out, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
