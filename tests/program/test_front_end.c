/* tests/program/test_front_end.c -- GLSL through glslang: programs are compiled, run by a simulated device and judged by
 * their own module; what is wrong in the text is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/pool/front_end.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_find.h"
#include "gen/print/print.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim_facts.h"

enum {
    N_PROGRAMS = 16,  /* per profile */
    N_SEARCHED = 120, /* cases in which a change of the text may show */
    SEED = 3
};

struct rig {
    struct arena a;
    struct target_list targets;
    struct target target;
    struct run run;
};

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    struct err e = {RES_OK, ""};
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)64 << 20);
    arena_init(&r->run.arena, HANDLE_RUN_BYTES);
    if (targets_find(&r->targets, "corpora/check.ini", &r->a, &e) != RES_OK) {
        (void)fprintf(stderr, "%s\n", e.text);
        return -1;
    }
    const struct target *const found = targets_find_name(&r->targets, "glslang");
    if (found) {
        r->target = *found;
    }
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    arena_free(&r->run.arena);
    arena_free(&r->a);
    free(r);
    return 0;
}

static void skip_without_glslang(const struct rig *r)
{
    if (!r->target.name) {
        printf("no glslang in the driver root sid (make drivers)\n");
        skip();
    }
}

/* The case of that index as GLSL; false: the language has no words for it. */
static bool make(struct rig *r, enum profile profile, uint64_t index)
{
    struct err e = {RES_OK, ""};
    struct tape tape;
    struct run *const run = &r->run;
    arena_reset(&run->arena);
    assert_int_equal(
        sched_make_case(profile, SEED, index, ENV_VK, &run->arena, &run->tc, &tape, &e), RES_OK);
    enum res const said = print_set_language(&run->tc, LANGUAGE_GLSL, &run->arena, &e);
    assert_true(said == RES_OK || said == RES_LIMIT);
    return said == RES_OK;
}

static enum verdict_kind judge(struct rig *r, uint64_t seed)
{
    struct err e = {RES_OK, ""};
    struct judgement g;
    struct run *const run = &r->run;
    const char *const facts = sim_facts(ENV_VK, seed, &run->arena);
    enum res const res =
        front_end_run_sim(&r->target, &run->tc, seed, facts, &run->arena, &run->ob, &e);
    if (res != RES_OK) {
        fail_msg("%s\n%s", e.text, run->tc.source);
    }
    run->ob.facts = facts;
    assert_int_equal(judge_run(&run->tc, &run->ob, &run->arena, &g, &e), RES_OK);
    return g.kind;
}

static void programs_are_compiled_and_judged(void **state)
{
    static const enum profile profiles[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_ARITH};
    struct rig *const r = *state;
    skip_without_glslang(r);
    for (size_t k = 0; k < ARRAY_N(profiles); k++) {
        uint32_t n_judged = 0, n_made = 0;
        for (uint64_t i = 0; i < N_SEARCHED && n_made < N_PROGRAMS; i++) {
            if (!make(r, profiles[k], i)) {
                continue;
            }
            n_made++;
            enum verdict_kind const kind = judge(r, i);
            if (kind != VERDICT_OK && kind != VERDICT_INCONCLUSIVE) {
                fail_msg("profile %d, program %d: %s\n%s\n%s", (int)k, (int)i,
                         verdict_rows[kind].name, r->run.ob.log, r->run.tc.source);
            }
            n_judged += kind == VERDICT_OK;
        }
        assert_int_equal(n_made, N_PROGRAMS);
        assert_true(n_judged * 2 >= N_PROGRAMS);
    }
}

/* A copy of the text with the first `from` as `to`, or NULL. Both are of the same length. */
static const char *swap(const char *text, const char *from, const char *to, struct arena *a)
{
    const char *const at = strstr(text, from);
    char *const copy = at ? arena_copy(a, text, strlen(text)) : NULL;
    assert_int_equal(strlen(from), strlen(to));
    if (copy) {
        memcpy(copy + (at - text), to, strlen(to));
    }
    return copy;
}

/* A front end that takes one function for another is found by the values, in some case where it shows. */
static void a_changed_text_is_found(void **state)
{
    static const struct {
        enum profile profile;
        const char *from, *to;
    } changes[] = {
        {PROFILE_ATOMICS, "atomicMin(",             "atomicMax("            },
        {PROFILE_ATOMICS, "atomicAdd(",             "atomicMax("            },
        {PROFILE_GROUPS,  "subgroupBallotFindLSB(", "subgroupBallotFindMSB("},
    };
    struct rig *const r = *state;
    skip_without_glslang(r);
    for (size_t k = 0; k < ARRAY_N(changes); k++) {
        uint32_t n_found = 0;
        for (uint64_t i = 0; i < N_SEARCHED && n_found == 0; i++) {
            const char *const changed =
                make(r, changes[k].profile, i)
                    ? swap(r->run.tc.source, changes[k].from, changes[k].to, &r->run.arena)
                    : NULL;
            if (!changed) {
                continue;
            }
            assert_int_equal(judge(r, i), VERDICT_OK); /* the control */
            r->run.tc.source = changed;
            n_found += verdict_rows[judge(r, i)].part == PART_VIOLATION;
        }
        if (n_found == 0) {
            fail_msg("%s for %s is not found", changes[k].to, changes[k].from);
        }
    }
}

static const char vector_line[] = "#extension GL_NV_shader_atomic_fp16_vector : require";

/* The first case whose text requires the functions on vectors, which is judged and right; r holds it. */
static void make_with_vectors(struct rig *r, uint64_t *index)
{
    uint64_t i = 0;
    while (i < 4 * N_SEARCHED &&
           !(make(r, PROFILE_ATOMICS, i) && strstr(r->run.tc.source, vector_line))) {
        i++;
    }
    assert_true(i < 4 * N_SEARCHED);
    assert_int_equal(judge(r, i), VERDICT_OK); /* the control */
    *index = i;
}

/* The #extension line is what makes the functions on vectors known. */
static void without_its_extension_a_text_is_refused(void **state)
{
    /* SHOWS(VE_LINE) */
    struct rig *const r = *state;
    uint64_t i;
    skip_without_glslang(r);
    make_with_vectors(r, &i);
    r->run.tc.source = swap(r->run.tc.source, vector_line,
                            "//                                                  ", &r->run.arena);
    assert_int_equal(judge(r, i), VERDICT_REJECT);
    assert_int_equal(r->run.ob.phase, PHASE_BUILD);
    assert_non_null(strstr(r->run.ob.log, "atomic"));
}

/* "#extension GL_NV_shader_atomic_fp16_vector : <behavior>": require, enable and warn make it known, disable does not. */
static void each_behavior_of_the_extension(void **state)
{
    /* SHOWS(VE_BEHAVIOR) */
    static const struct {
        const char *behavior; /* of the length of ": require" */
        bool is_known;
    } rows[] = {
        {": require", true },
        {": enable ", true },
        {": warn   ", true },
        {": disable", false},
    };
    struct rig *const r = *state;
    uint64_t index;
    skip_without_glslang(r);
    make_with_vectors(r, &index);
    const char *const source = r->run.tc.source;
    size_t const n_name = sizeof vector_line - sizeof ": require";
    for (size_t k = 0; k < ARRAY_N(rows); k++) {
        const char *const line =
            arena_printf(&r->run.arena, "%.*s%s", (int)n_name, vector_line, rows[k].behavior);
        r->run.tc.source = swap(source, vector_line, line, &r->run.arena);
        enum verdict_kind const kind = judge(r, index);
        if (kind != (rows[k].is_known ? VERDICT_OK : VERDICT_REJECT)) {
            fail_msg("%s: %s\n%s", line, verdict_rows[kind].name, r->run.ob.log);
        }
        assert_true(rows[k].is_known || r->run.ob.phase == PHASE_BUILD);
    }
}

/* "New preprocessor #defines are added: #define GL_NV_shader_atomic_fp16_vector 1". A program that asks for it is refused
 * where the front end lacks it: the glslang of the root sid does, and has the macros of the extensions beside it. */
static void the_macro_of_the_extension_is_asked_for(void **state)
{
    /* SHOWS(VE_MACRO) */
    static const char version[] = "#version 460\n";
    static const struct {
        const char *name;
        bool is_defined;
    } rows[] = {
        {"GL_EXT_shader_atomic_float2",      true },
        {"GL_NV_shader_atomic_int64",        true },
        {"GL_NV_shader_atomic_fp16_vector",  false},
        {"GL_NV_shader_atomic_fp16_vectors", false},
    };
    struct rig *const r = *state;
    uint64_t index;
    skip_without_glslang(r);
    make_with_vectors(r, &index);
    const char *const source = r->run.tc.source;
    const char *const rest = strstr(source, version);
    assert_non_null(rest);
    for (size_t k = 0; k < ARRAY_N(rows); k++) {
        r->run.tc.source = arena_printf(
            &r->run.arena, "%.*s%s#if %s != 1\n#error no macro\n#endif\n%s", (int)(rest - source),
            source, version, rows[k].name, rest + strlen(version));
        enum verdict_kind const kind = judge(r, index);
        if (kind != (rows[k].is_defined ? VERDICT_OK : VERDICT_REJECT)) {
            fail_msg("%s: %s\n%s", rows[k].name, verdict_rows[kind].name, r->run.ob.log);
        }
        assert_true(rows[k].is_defined || strstr(r->run.ob.log, "no macro"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_compiled_and_judged),
        cmocka_unit_test(a_changed_text_is_found),
        cmocka_unit_test(without_its_extension_a_text_is_refused),
        cmocka_unit_test(each_behavior_of_the_extension),
        cmocka_unit_test(the_macro_of_the_extension_is_asked_for),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
