/* fuzz/variant/test_variant.c -- variants of generated cases are valid, other cases, and as legal as they were; of
 * planted faults the right one passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/kernel_args.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trial_count.h"
#include "fuzz/variant/variant.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/sim/sim_facts.h"

enum {
    ARENA_BYTES = 512 << 20,
    FIRST_SEED = 8,
    N_SEEDS = 8,
    N_SEEDS_SLOW = 60,
    MOST_SEEDS = 120, /* that are tried until each kind of change was made */
    N_FOUND = 5,      /* cases of a fault that are asked for */
    N_STAYING = 20,   /* runs: the fault acts at one instruction, each time at another */
    MAX_TRIED = 600,
    N_MUTANTS = 600,
    VARIANT_RUNS = 2
};

static const enum profile profiles[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_MAXERROR,
                                        PROFILE_ARITH};

static uint32_t n_seeds(void)
{
    return getenv("HALFULP_SLOW") ? N_SEEDS_SLOW : N_SEEDS;
}

static void make_case(enum profile profile, enum env env, uint64_t seed, struct arena *a,
                      struct testcase *tc)
{
    struct tape t;
    struct err e;
    struct rng r = rng_seed(seed);
    assert_int_equal(tape_random(&t, &r, a, &e), RES_OK);
    assert_int_equal(gen_case(profile, env, &t, a, tc, NULL, &e), RES_OK);
}

static int is_valid(const struct testcase *tc, struct arena *a)
{
    const char *text = "";
    return spirv_validate(tc, a, &text) != SPIRV_INVALID;
}

static int differ(const struct testcase *x, const struct testcase *y)
{
    return x->n_words != y->n_words ||
           memcmp(x->module, y->module, x->n_words * sizeof *x->module) != 0 ||
           memcmp(x->local, y->local, sizeof x->local) != 0 ||
           memcmp(x->global, y->global, sizeof x->global) != 0 ||
           testcase_count_dispatches(x) != testcase_count_dispatches(y) ||
           x->subgroup_size != y->subgroup_size || x->full_subgroups != y->full_subgroups ||
           strcmp(x->build_options, y->build_options) != 0;
}

/* ---- every variant of generated cases ---- */

/* How the texts begin; each has to be offered. */
static const char *const kinds[] = {
    "without FPMaxErrorDecorationINTEL",
    "without NoContraction",
    "without SignedZeroInfNanPreserve",
    "without ContractionOff",
    "with ContractionOff",
    "with NoContraction everywhere",
    "with -cl-opt-disable",
    "without -cl-",
    "with scope ",
    "with relaxed memory order",
    "with its operands stored as well (volatile)",
    "with its operands through volatile memory",
    "with its operands as constants",
    "one component at a time instead of as a vector",
    "in global memory in place of workgroup memory",
    "in workgroup memory in place of global memory",
    "with one dispatch",
    "with a literal size of work-groups",
    "without a required sub-group size",
    "without full sub-groups",
    "without the remainder",
    "with one work-group",
    "with one invocation",
    "after spirv-opt -O",
};
struct tally {
    uint32_t n[ARRAY_N(kinds)];
    uint32_t n_judged, n_unclear;
};

static void count_kind(struct tally *t, const char *text)
{
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (strncmp(text, kinds[i], strlen(kinds[i])) == 0) {
            t->n[i]++;
            return;
        }
    }
    if (strncmp(text, "without ", 8) != 0) {
        fail_msg("what kind is \"%s\"?", text);
    }
}

/* What an honest device gives for it is no violation: a variant that breaks a rule itself would. */
static void judge_honest(const struct testcase *tc, const char *text, uint64_t seed,
                         struct arena *a, struct tally *t)
{
    struct observation ob;
    struct err e;
    struct fault_plan const honest = fault_plan_of(FAULT_NONE);
    struct judgement *const j = ARENA_NEW(a, struct judgement, 1);
    const char *const facts = sim_facts_for(tc, seed, a);
    assert_non_null(j);
    if (sim_run(tc, &(struct sim_device){SIM_IEEE, seed, &honest, facts}, a, &ob, NULL, &e) !=
        RES_OK) {
        t->n_unclear++;
        return;
    }
    assert_int_equal(judge_run(tc, &ob, a, j, &e), RES_OK);
    if (verdict_rows[j->kind].part == PART_VIOLATION) {
        fail_msg("seed %u: %s: %s", (unsigned)seed, text, j->findings[0].text);
    }
    t->n_judged++;
    t->n_unclear += j->kind == VERDICT_INCONCLUSIVE;
}

/* A made-up finding at a random instruction with a result, in a random invocation. */
static struct finding draw_finding(const struct testcase *tc, struct rng *r)
{
    struct finding f = {
        .n_operands = 3,
        .operand = {0x3f800000, 0x40000000, 0x3c003c00},
        .invocation = (uint32_t)rng_below(r, testcase_get_items(tc))
    };
    uint32_t at = SPV_HEADER_WORDS;
    uint32_t n = 0;
    int is_code = 0;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        int const has_result =
            in.op == SpvOpExtInst || in.op == SpvOpFAdd || in.op == SpvOpFMul ||
            (in.op >= SpvOpAtomicLoad && in.op <= SpvOpAtomicXor) || in.op == SpvOpAtomicFAddEXT ||
            in.op == SpvOpAtomicFMinEXT ||
            (in.op >= SpvOpGroupNonUniformElect && in.op <= SpvOpGroupNonUniformQuadSwap) ||
            (in.op >= SpvOpGroupAll && in.op <= SpvOpGroupSMax);
        is_code |= in.op == SpvOpFunction;
        if (is_code && has_result && rng_below(r, ++n) == 0) {
            f.offset = in.offset;
        }
    }
    return f;
}

static void try_case(const struct testcase *tc, uint64_t seed, struct rng *r, struct tally *t)
{
    struct finding const f = draw_finding(tc, r);
    struct arena a;
    int made = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint32_t i = 0; made >= 0; i++) {
        struct variant variant;
        arena_reset(&a);
        made = variant_make(tc, &f, i, &a, &variant);
        if (made > 0) {
            assert_true(differ(&variant.tc, tc));
            assert_true(is_valid(&variant.tc, &a));
            count_kind(t, variant.text);
            judge_honest(&variant.tc, variant.text, seed, &a, t);
        }
    }
    arena_free(&a);
}

/* The variant of that text, if it is offered. */
static int narrow_to(const struct testcase *tc, const struct finding *f, const char *text,
                     struct arena *a, struct testcase *out)
{
    struct variant variant;
    int made = 0;
    for (uint32_t i = 0; (made = variant_make(tc, f, i, a, &variant)) >= 0; i++) {
        if (made > 0 && strcmp(variant.text, text) == 0) {
            *out = variant.tc;
            return 1;
        }
    }
    return 0;
}

/* The same with nothing known of what goes wrong. */
static int narrow(const struct testcase *tc, const char *text, struct arena *a,
                  struct testcase *out)
{
    struct finding const none = {.offset = 0};
    return narrow_to(tc, &none, text, a, out);
}

/* Kinds of change that were not made so far. */
static uint32_t count_missing(const struct tally *t)
{
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        n += t->n[i] == 0;
    }
    return n;
}

/* Variants of generated cases are valid, differ from their case and keep the rules; each kind of change is
 * made at least once. */
static void twins_are_valid_and_differ(void **state)
{
    (void)state;
    struct arena a;
    struct tally t;
    struct rng r = rng_seed(5);
    memset(&t, 0, sizeof t);
    arena_init(&a, ARENA_BYTES);
    for (uint64_t seed = FIRST_SEED;
         seed < FIRST_SEED + n_seeds() || (seed < FIRST_SEED + MOST_SEEDS && count_missing(&t) > 0);
         seed++) {
        for (size_t k = 0; k < 2 * ARRAY_N(profiles); k++) {
            struct testcase tc, small;
            arena_reset(&a);
            make_case(profiles[k / 2], (enum env)(k % 2), seed, &a, &tc);
            if (tc.class == CLASS_ILLEGAL || !is_valid(&tc, &a)) {
                continue;
            }
            if (tc.env == ENV_CL && !tc.build_options[0] && seed % 4 == 0) {
                tc.build_options = " -cl-mad-enable  -cl-no-signed-zeros"; /* seldom drawn */
            }
            if (tc.env == ENV_VK && seed % 4 == 1 && testcase_get_max_dispatches(&tc) > 1) {
                tc.n_dispatches = 2; /* the same */
            }
            try_case(&tc, seed, &r, &t);
            if (k < 2 && narrow(&tc, "with one work-group", &a, &small)) {
                try_case(&small, seed, &r, &t);
            }
            if (k < 2 && narrow(&tc, "with one invocation", &a, &small)) {
                try_case(&small, seed, &r, &t);
            }
        }
    }
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        print_message("%6u  %s\n", t.n[i], kinds[i]);
    }
    print_message("%u judged, %u of them unclear\n", t.n_judged, t.n_unclear);
    assert_true(t.n_judged > 0);
    assert_true(t.n_unclear < t.n_judged / 10);
    assert_int_equal(count_missing(&t), 0);
    arena_free(&a);
}

/* ---- what belongs to a change ---- */

static uint32_t count(const struct testcase *tc, uint32_t op, uint32_t at, uint32_t word)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t n = 0;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        n += in.op == op && in.n > at && in.w[at] == word;
    }
    return n;
}

/* Offset of the last instruction that has the decoration, or 0. */
static uint32_t find_decorated(const struct testcase *tc, uint32_t decoration)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t found = 0;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        uint32_t at = SPV_HEADER_WORDS;
        struct spv_inst d;
        int const has_result = in.op == SpvOpExtInst || in.op == SpvOpFAdd || in.op == SpvOpFMul ||
                               in.op == SpvOpFSub || in.op == SpvOpFDiv;
        while (has_result && spv_next(tc->module, tc->n_words, &at, &d)) {
            if (d.op == SpvOpDecorate && d.w[1] == in.w[2] && d.w[2] == decoration) {
                found = in.offset;
            }
        }
    }
    return found;
}

/* Without its decorations the module has no need of them; of components each has the whole's. */
static void decorations_go_and_follow(void **state)
{
    (void)state;
    struct arena a;
    uint32_t n_gone = 0;
    uint32_t n_followed = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint64_t seed = 0; seed < MAX_TRIED && (n_gone == 0 || n_followed == 0); seed++) {
        struct testcase tc, out;
        uint32_t const max_error = SPV_DEC_FP_MAX_ERROR_INTEL;
        arena_reset(&a);
        make_case(PROFILE_MAXERROR, ENV_CL, seed, &a, &tc);
        struct finding const f = {.offset = find_decorated(&tc, max_error)};
        if (tc.class == CLASS_ILLEGAL || f.offset == 0) {
            continue;
        }
        if (narrow_to(&tc, &f, "without FPMaxErrorDecorationINTEL", &a, &out)) {
            assert_int_equal(count(&out, SpvOpDecorate, 2, max_error), 0);
            assert_int_equal(count(&out, SpvOpCapability, 1, SPV_CAP_FP_MAX_ERROR_INTEL), 0);
            assert_true(needs_has(&tc.needs, NEED_CL_MAX_ERROR));
            assert_false(needs_has(&out.needs, NEED_CL_MAX_ERROR));
            n_gone++;
        }
        if (narrow_to(&tc, &f, "one component at a time instead of as a vector", &a, &out)) {
            assert_true(count(&out, SpvOpDecorate, 2, max_error) >
                        count(&tc, SpvOpDecorate, 2, max_error));
            assert_true(needs_has(&out.needs, NEED_CL_MAX_ERROR));
            n_followed++;
        }
    }
    assert_true(n_gone > 0);
    assert_true(n_followed > 0);
    arena_free(&a);
}

/* ---- any words ---- */

/* Modules with random words changed, and findings at random places, make valid variants or none. */
static void twins_of_any_words(void **state)
{
    (void)state;
    struct arena a, b;
    struct rng r = rng_seed(77);
    uint32_t n_made = 0;
    arena_init(&a, ARENA_BYTES);
    arena_init(&b, ARENA_BYTES);
    for (uint32_t i = 0; i < N_MUTANTS; i++) {
        struct testcase tc;
        struct variant variant;
        if (i % 50 == 0) {
            arena_reset(&a);
        }
        make_case(profiles[i % ARRAY_N(profiles)], (enum env)(i / 4 % 2), i / 50, &a, &tc);
        uint32_t *const words = arena_copy(&a, tc.module, tc.n_words * sizeof *words);
        struct finding f = draw_finding(&tc, &r);
        assert_non_null(words);
        for (uint32_t k = 0; k < 1 + i % 3; k++) {
            words[rng_below(&r, tc.n_words)] =
                rng_below(&r, 2) ? (uint32_t)rng_below(&r, 300) : (uint32_t)rng_next(&r);
        }
        tc.module = words;
        tc.n_words = i % 5 == 0 ? (uint32_t)rng_below(&r, tc.n_words + 1) : tc.n_words;
        f.offset = i % 7 == 0 ? (uint32_t)rng_next(&r) : f.offset;
        f.invocation = i % 7 == 1 ? (uint32_t)rng_next(&r) : f.invocation;
        int made = 0;
        uint32_t const step = 1 + i % 4; /* not all of each */
        for (uint32_t number = i % step; made >= 0; number += step) {
            arena_reset(&b);
            made = variant_make(&tc, &f, number, &b, &variant);
            n_made += made > 0;
            assert_true(made <= 0 || is_valid(&variant.tc, &b));
        }
    }
    assert_true(n_made > 0);
    arena_free(&b);
    arena_free(&a);
}

/* Of a kernel with an argument by value and atomics in both kinds of memory: in each variant the argument has its bytes, in
 * its place. */
static void values_stay_arguments(void **state)
{
    (void)state;
    static const char text[] =
        "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
        "OpEntryPoint Kernel %main \"main_kernel\"\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n"
        "%v2 = OpTypeVector %u32 2\n%ptr = OpTypePointer CrossWorkgroup %u32\n"
        "%local = OpTypePointer Workgroup %u32\n%c1 = OpConstant %u32 1\n"
        "%c2 = OpConstant %u32 2\n%c0 = OpConstant %u32 0\n%cell = OpVariable %local Workgroup\n"
        "%kernel = OpTypeFunction %void %v2 %ptr\n%main = OpFunction %void None %kernel\n"
        "%v = OpFunctionParameter %v2\n%p = OpFunctionParameter %ptr\n%entry = OpLabel\n"
        "%x = OpCompositeExtract %u32 %v 1\nOpAtomicStore %cell %c2 %c0 %x\n"
        "%old = OpAtomicIAdd %u32 %cell %c2 %c0 %x\n%new = OpAtomicIAdd %u32 %p %c1 %c0 %old\n"
        "OpReturn\nOpFunctionEnd\n";
    struct arena a;
    struct err e = {RES_OK, ""};
    unsigned char value[8] = {1, 0, 0, 0, 77}, content[4] = {0};
    struct testcase tc = {
        .env = ENV_CL,
        .profile = "atomics",
        .source = "",
        .entry = "main_kernel",
        .build_options = "",
        .local = {2,  1, 1},
        .global = {2,  1,   1},
        .n_bufs = 2,
        .bufs = {{.kind = BUF_VALUE, .n_bytes = sizeof value, .data = value},
                  {.n_bytes = sizeof content, .data = content}}
    };
    uint32_t n = 0, n_more = 0;
    arena_init(&a, ARENA_BYTES);
    if (spirv_assemble("values", text, strlen(text), &a, &tc.module, &tc.n_words, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    uint32_t *const words = arena_copy(&a, tc.module, tc.n_words * sizeof *words);
    assert_non_null(words);
    words[1] = 0x10000; /* the version that the text is written for */
    tc.module = words;
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc.module, tc.n_words, &at, &in)) { /* whatever goes wrong */
        struct finding const f = {.offset = in.offset};
        struct variant variant;
        int made = 0;
        for (uint32_t i = 0; (made = variant_make(&tc, &f, i, &a, &variant)) >= 0; i++) {
            if (made == 0) {
                continue;
            }
            if (kernel_args_find_misfit(&variant.tc, &a)[0] ||
                variant.tc.bufs[0].kind != BUF_VALUE ||
                memcmp(variant.tc.bufs[0].data, value, sizeof value) != 0) {
                fail_msg("%s: %s", variant.text, kernel_args_find_misfit(&variant.tc, &a));
            }
            n++;
            n_more += variant.tc.n_bufs > tc.n_bufs;
        }
    }
    print_message("%u variants, %u with further buffers\n", n, n_more);
    assert_true(n > 0 && n_more > 0);
    arena_free(&a);
}

/* ---- planted faults ---- */

struct planted {
    const char *target;
    enum profile profile;
    const char *narrow; /* make the case so before; NULL: as it is */
    const char *passes; /* the first variant that does */
};

/* The case of this seed in *tc, perhaps narrowed first, and the finding that shows the planted fault in it;
 * 0: it does not. */
static int find_case(const struct planted *p, const struct target *t, uint64_t seed,
                     struct arena *a, struct testcase *tc, struct finding *f,
                     struct observation *ob)
{
    struct trials *trials = NULL;
    struct err e;
    struct trial_wanted const any = {.n_runs = 1, .n_needed = 1};
    const struct testcase *const list[] = {tc};
    uint32_t first = 1;
    struct testcase whole;
    make_case(p->profile, t->env, seed, a, &whole);
    *tc = whole;
    if (tc->class == CLASS_ILLEGAL || (p->narrow && !narrow(&whole, p->narrow, a, tc))) {
        return 0;
    }
    assert_int_equal(trials_open(&trials, t, 1, &e), RES_OK);
    assert_int_equal(
        trials_find_first(trials, &any, &(struct trial_candidates){list, 1}, a, &first, ob, f, &e),
        RES_OK);
    trials_close(trials);
    return first == 0;
}

static const char *find_passing(const struct target *t, const struct testcase *tc,
                                const struct finding *f, const char *facts, struct arena *a)
{
    struct variant variant;
    int made = 0;
    struct trial_wanted const any = {.facts = facts, .n_runs = 1, .n_needed = 1};
    for (uint32_t i = 0; (made = variant_make(tc, f, i, a, &variant)) >= 0; i++) {
        struct trial_count n;
        struct err e;
        if (made > 0 && trials_count(t, &any, &variant.tc, VARIANT_RUNS, 0, &n, &e) == RES_OK &&
            n.n_shown == 0 && (n.worst == VERDICT_OK || n.worst == VERDICT_BOUNDED)) {
            return variant.text;
        }
    }
    return "nothing";
}

/* Is there a variant of that text? */
static bool may_be_made(const struct testcase *tc, const struct finding *f, const char *text,
                        struct arena *a)
{
    struct variant variant;
    bool is_made = false;
    int made = 0;
    for (uint32_t i = 0; !is_made && (made = variant_make(tc, f, i, a, &variant)) >= 0; i++) {
        is_made = made > 0 && strcmp(variant.text, text) == 0;
    }
    return is_made;
}

/* For most cases with a planted fault that such a variant can be made of the first variant that passes is the one that fits the fault. */
static void the_right_twin_passes(void **state)
{
    (void)state;
    static const struct planted planted[] = {
        {"sim-ieee-opencl:DISPATCH_AT_ZERO",            PROFILE_ATOMICS,  NULL,                  "with one dispatch"  },
        {"sim-ieee-vulkan:SIZE_UNSPECIALIZED",          PROFILE_ATOMICS,  NULL,
         "with a literal size of work-groups"                                                                         },
        {"sim-ieee-opencl:DECORATION_IGNORED",          PROFILE_MAXERROR, NULL,
         "without FPMaxErrorDecorationINTEL"                                                                          },
        {"sim-ieee-opencl:SUM_OFF_ULP:*:*:workgroup",   PROFILE_ATOMICS,  "with one work-group",
         "in global memory in place of workgroup memory"                                                              },
        {"sim-ieee-vulkan:SUM_OFF_ULP:*:f32:workgroup", PROFILE_ATOMICS,  "with one work-group",
         "in global memory in place of workgroup memory"                                                              },
        {"sim-ieee-opencl:SUM_OFF_ULP:*:*:global",      PROFILE_ATOMICS,  "with one invocation",
         "in workgroup memory in place of global memory"                                                              },
        {"sim-ieee-opencl:SECOND_GROUP_IGNORED",        PROFILE_ATOMICS,  NULL,                  "with one work-group"},
        {"sim-ieee-vulkan:FIRST_LANE_ONLY",             PROFILE_ATOMICS,  NULL,                  "with one invocation"},
        {"sim-ieee-vulkan:SUB_FOR_ADD",                 PROFILE_ATOMICS,  NULL,                  "nothing"            },
    };
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    for (size_t k = 0; k < ARRAY_N(planted); k++) {
        const struct planted *const p = &planted[k];
        uint32_t n_found = 0;
        uint32_t n_right = 0;
        for (uint64_t seed = 0; seed < MAX_TRIED && n_found < N_FOUND; seed++) {
            struct testcase tc = {.n_words = 0};
            struct finding f;
            struct observation ob;
            struct target t;
            struct err e;
            arena_reset(&a);
            assert_int_equal(targets_make_sim(p->target, &t, &a, &e), RES_OK);
            if (find_case(p, &t, seed, &a, &tc, &f, &ob)) {
                const char *const text = find_passing(&t, &tc, &f, ob.facts, &a);
                if (strcmp(p->passes, "nothing") != 0 && !may_be_made(&tc, &f, p->passes, &a)) {
                    continue; /* as a buffer cannot hold a variable with an initializer */
                }
                int const is_right = strcmp(text, p->passes) == 0;
                n_found++;
                n_right += (uint32_t)is_right;
                if (!is_right) {
                    print_message("%s, seed %u: passes %s\n", p->target, (unsigned)seed, text);
                }
            }
        }
        print_message("%s: %u of %u pass %s\n", p->target, n_right, n_found, p->passes);
        assert_true(n_found > 0);
        assert_true(2 * n_right > n_found);
    }
    arena_free(&a);
}

/* What goes wrong in one invocation by its own operands goes wrong with that one alone too: a variant that
 * let another stay would pass for nothing. */
static void the_invocation_that_fails_stays(void **state)
{
    (void)state;
    static const char *const texts[] = {"with one work-group", "with one invocation"};
    static const struct planted planted[] = {
        {"sim-ieee-opencl:MATH_OFF_TEN:*:f32",     PROFILE_MAXERROR, NULL, NULL},
        {"sim-ieee-vulkan:ARITH_OFF_ULP:FMul:f32", PROFILE_ARITH,    NULL, NULL},
    };
    struct arena a;
    uint32_t n[ARRAY_N(texts)] = {0};
    arena_init(&a, ARENA_BYTES);
    for (size_t k = 0; k < ARRAY_N(planted); k++) {
        const struct planted *const p = &planted[k];
        bool is_found = false;
        for (uint64_t seed = 0; seed < MAX_TRIED && !(is_found && n[0] > 0); seed++) {
            struct testcase tc = {.n_words = 0}, small;
            struct finding f;
            struct observation ob;
            struct target t;
            struct err e;
            arena_reset(&a);
            assert_int_equal(targets_make_sim(p->target, &t, &a, &e), RES_OK);
            if (!find_case(p, &t, seed, &a, &tc, &f, &ob) || f.invocation == 0) {
                continue;
            }
            for (size_t i = 0; i < ARRAY_N(texts); i++) {
                struct trial_count n_seen;
                struct trial_wanted const any = {.facts = ob.facts, .n_runs = 1, .n_needed = 1};
                if (narrow_to(&tc, &f, texts[i], &a, &small)) {
                    enum res const r = trials_count(&t, &any, &small, 1, 0, &n_seen, &e);
                    if (r == RES_LIMIT || (r == RES_OK && n_seen.worst == VERDICT_INCONCLUSIVE)) {
                        continue; /* undefined with fewer: a broadcast from one that is gone */
                    }
                    assert_int_equal(r, RES_OK);
                    if (n_seen.n_shown == 0) {
                        fail_msg("%s, seed %u, invocation %u, %s: %s", p->target, (unsigned)seed,
                                 f.invocation, texts[i], f.text);
                    }
                    is_found |= i == 1;
                    n[i]++;
                }
            }
        }
    }
    print_message("%u and %u cases\n", n[0], n[1]);
    assert_true(n[0] > 0);
    assert_true(n[1] > 0);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_are_valid_and_differ),
        cmocka_unit_test(decorations_go_and_follow),
        cmocka_unit_test(twins_of_any_words),
        cmocka_unit_test(values_stay_arguments),
        cmocka_unit_test(the_right_twin_passes),
        cmocka_unit_test(the_invocation_that_fails_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
