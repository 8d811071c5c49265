/* fuzz/reduce/test_shrink.c -- passes and sweep on generated cases: what comes out is valid, means the same
 * where it must, and gets small. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/reduce/shrink.h"
#include "fuzz/reduce/shrink_sweep.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    ARENA_BYTES = 512 << 20,
    N_SEEDS = 24,
    N_SEEDS_SLOW = 200,
    N_STEPS = 12, /* candidates of a pass that are tried on a case */
    MAX_STEPS = 1 << 16
};

static const enum profile profiles[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_MAXERROR};

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

/* Whether the case is one that SPIRV-Tools takes as it is: those that are wrong on purpose are not. */
static int is_valid(const struct testcase *tc, struct arena *a, const char **text)
{
    return spirv_validate(tc, a, text) != SPIRV_INVALID;
}

static int differ(const struct testcase *x, const struct testcase *y)
{
    if (x->n_words != y->n_words ||
        memcmp(x->module, y->module, x->n_words * sizeof *x->module) != 0 ||
        memcmp(x->local, y->local, sizeof x->local) != 0 ||
        memcmp(x->global, y->global, sizeof x->global) != 0 ||
        testcase_count_dispatches(x) != testcase_count_dispatches(y) || x->n_specs != y->n_specs ||
        memcmp(x->specs, y->specs, x->n_specs * sizeof *x->specs) != 0 ||
        x->subgroup_size != y->subgroup_size || x->full_subgroups != y->full_subgroups ||
        strcmp(x->build_options, y->build_options) != 0 ||
        memcmp(&x->needs, &y->needs, sizeof x->needs) != 0) {
        return 1;
    }
    for (uint32_t b = 0; b < x->n_bufs; b++) {
        if (x->bufs[b].n_bytes != y->bufs[b].n_bytes ||
            memcmp(x->bufs[b].data, y->bufs[b].data, x->bufs[b].n_bytes) != 0) {
            return 1;
        }
    }
    return 0;
}

/* ---- every candidate of every pass ---- */

struct tally {
    uint32_t n, n_valid;
    char complaint[400];
};

/* Make candidates of one case by one pass, some of all steps, and count how many there are and how many of
 * them are valid. */
static void tally_pass(const struct shrink_pass *p, const struct testcase *tc, struct rng *r,
                       struct tally *t)
{
    struct arena a;
    uint32_t n_tried = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint32_t step = 0; step < MAX_STEPS && n_tried < N_STEPS;) {
        struct testcase out;
        const char *text = "";
        arena_reset(&a);
        int const made = shrink_try(p, tc, step, &a, &out);
        if (made < 0) {
            break;
        }
        if (made > 0) {
            assert_true(differ(&out, tc));
            int const valid = is_valid(&out, &a, &text);
            n_tried++;
            t->n++;
            t->n_valid += (uint32_t)valid;
            if (!valid) {
                (void)snprintf(t->complaint, sizeof t->complaint, "%s", text);
            }
        }
        step += step < 3 ? 1 : 1 + (uint32_t)rng_below(r, 64);
    }
    arena_free(&a);
}

/* Nearly all candidates of every pass are valid modules. */
static void candidates_are_valid(void **state)
{
    (void)state;
    struct arena a;
    struct tally tally[SHRINK_PASS_N];
    struct rng r = rng_seed(99);
    memset(tally, 0, sizeof tally);
    arena_init(&a, ARENA_BYTES);
    for (uint64_t seed = 0; seed < n_seeds(); seed++) {
        for (size_t k = 0; k < 2 * ARRAY_N(profiles); k++) {
            struct testcase tc;
            const char *text = "";
            arena_reset(&a);
            make_case(profiles[k / 2], (enum env)(k % 2), seed, &a, &tc);
            if (!is_valid(&tc, &a, &text)) {
                continue;
            }
            for (int p = 0; p < SHRINK_PASS_N; p++) {
                tally_pass(shrink_passes[p], &tc, &r, &tally[p]);
            }
        }
    }
    uint32_t n = 0;
    int is_bad = 0;
    for (int p = 0; p < SHRINK_PASS_N; p++) {
        const struct tally *const t = &tally[p];
        double const share = t->n ? 100.0 * (double)t->n_valid / (double)t->n : 100;
        print_message("%6.2f %% of %6u  %s  %s\n", share, t->n, shrink_passes[p]->name,
                      t->complaint);
        n += t->n;
        is_bad |= share < 95;
    }
    assert_true(n > 0);
    assert_false(is_bad);
    arena_free(&a);
}

/* ---- sweep ---- */

/* Run tc on an honest device, which draws undefined results by its seed. 0: the simulated device cannot. */
static int run_honest(const struct testcase *tc, uint64_t seed, const char *facts, struct arena *a,
                      struct observation *ob)
{
    struct err e;
    struct fault_plan const honest = fault_plan_of(FAULT_NONE);
    return sim_run(tc, &(struct sim_device){SIM_IEEE, seed, &honest, facts}, a, ob, NULL, &e) ==
           RES_OK;
}

/* Check that sweeping changed nothing: what the swept module gives must be permitted to the whole one; and
 * with one invocation there is one order of things, so that bytes must be equal that devices of two seeds
 * agree on: others are undefined. Group operations are left out, whose undefined results may be a truth value, on which
 * two devices agree by chance. 0: it cannot be run. */
static int check_meaning(const struct testcase *tc, const struct testcase *swept, int has_groups,
                         struct arena *a)
{
    struct testcase one[3] = {*tc, *swept, *tc};
    struct observation ob[3];
    struct err e;
    struct judgement *const j = ARENA_NEW(a, struct judgement, 1);
    const char *const facts = sim_facts_for(tc, 5, a);
    assert_non_null(j);
    if (!run_honest(tc, 7, facts, a, &ob[0])) {
        return 0;
    }
    assert_true(run_honest(swept, 7, facts, a, &ob[1]));
    assert_int_equal(judge_run(tc, &ob[1], a, j, &e), RES_OK);
    if (verdict_rows[j->kind].part == PART_VIOLATION) {
        fail_msg("%s", j->findings[0].text);
    }
    for (int i = 0; i < 3; i++) {
        for (int d = 0; d < 3; d++) {
            one[i].local[d] = 1;
            one[i].global[d] = 1;
        }
        bool const is_run = run_honest(&one[i], i < 2 ? 7 : 8, facts, a, &ob[i]);
        if (!is_run && i != 1) {
            return 1; /* undefined with one invocation: a broadcast from one that is gone */
        }
        assert_true(is_run);
    }
    for (uint32_t b = 0; b < tc->n_bufs && !has_groups; b++) {
        for (uint64_t k = 0; k < tc->bufs[b].n_bytes; k++) {
            if (ob[0].out[b][k] == ob[2].out[b][k] && ob[0].out[b][k] != ob[1].out[b][k]) {
                fail_msg("buffer %u, byte %" PRIu64 ": %#x is %#x", b, k, ob[0].out[b][k],
                         ob[1].out[b][k]);
            }
        }
    }
    return 1;
}

/* A swept module is valid, no longer, does the same, and is swept to itself. */
static void sweep_keeps_what_a_module_does(void **state)
{
    (void)state;
    struct arena a;
    uint32_t n_run = 0;
    uint32_t n_less = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint64_t seed = 0; seed < n_seeds(); seed++) {
        for (size_t k = 0; k < 2 * ARRAY_N(profiles); k++) {
            struct testcase tc;
            struct testcase swept;
            uint32_t n_again = 0;
            const char *text = "";
            arena_reset(&a);
            make_case(profiles[k / 2], (enum env)(k % 2), seed, &a, &tc);
            swept = tc;
            swept.module = shrink_sweep(tc.module, tc.n_words, &a, &swept.n_words);
            assert_non_null(swept.module);
            const uint32_t *const again = shrink_sweep(swept.module, swept.n_words, &a, &n_again);
            assert_non_null(again);
            assert_int_equal(n_again, swept.n_words);
            assert_memory_equal(again, swept.module, n_again * sizeof *again);
            if (is_valid(&tc, &a, &text) && !is_valid(&swept, &a, &text)) {
                fail_msg("%s %s %llu: %s", profile_names[profiles[k / 2]], env_names[k % 2],
                         (unsigned long long)seed, text);
            }
            n_less += shrink_count(&swept) < shrink_count(&tc);
            assert_true(shrink_count(&swept) <= shrink_count(&tc));
            n_run += (uint32_t)check_meaning(&tc, &swept, profile_has_groups(profiles[k / 2]), &a);
        }
    }
    print_message("%u run alike, %u got shorter\n", n_run, n_less);
    assert_true(n_run > 0 && n_less > 0);
    arena_free(&a);
}

/* ---- a greedy loop ---- */

static int holds_op(const struct testcase *tc, uint32_t op)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == op) {
            return 1;
        }
    }
    return 0;
}

/* One round of all passes; whether anything was kept. The case lives in *now. */
static int shrink_round(struct arena *now, struct arena *next, struct testcase *tc, uint32_t op,
                        uint32_t *n_tried)
{
    int is_changed = 0;
    for (int p = 0; p < SHRINK_PASS_N; p++) {
        for (uint32_t step = 0; step < MAX_STEPS;) {
            struct testcase out;
            const char *text = "";
            arena_reset(next);
            int const made = shrink_try(shrink_passes[p], tc, step, next, &out);
            if (made < 0) {
                break;
            }
            *n_tried += made > 0;
            if (made > 0 && holds_op(&out, op) && is_valid(&out, next, &text)) {
                size_t n = 0;
                struct err e;
                const unsigned char *const bytes = testcase_encode(&out, next, &n);
                assert_non_null(bytes);
                arena_reset(now);
                assert_int_equal(testcase_decode(tc, now, bytes, n, &e), RES_OK);
                is_changed = 1;
            } else {
                step++;
            }
        }
    }
    return is_changed;
}

/* All passes together leave of nearly any case little more than the one instruction that must stay. */
static void any_case_shrinks_to_one_instruction(void **state)
{
    (void)state;
    static const uint32_t ops[] = {SpvOpAtomicFAddEXT, SpvOpAtomicFMaxEXT, SpvOpGroupNonUniformFAdd,
                                   SpvOpFMul, SpvOpGroupFAdd};
    struct arena now;
    struct arena next;
    uint32_t n = 0;
    uint32_t n_small = 0;
    uint32_t n_tried_all = 0;
    arena_init(&now, ARENA_BYTES);
    arena_init(&next, ARENA_BYTES);
    for (uint64_t seed = 0; seed < n_seeds(); seed++) {
        for (size_t k = 0; k < 2 * ARRAY_N(profiles); k++) {
            struct testcase tc;
            const char *text = "";
            uint32_t op = 0;
            arena_reset(&now);
            make_case(profiles[k / 2], (enum env)(k % 2), seed, &now, &tc);
            for (size_t i = 0; i < ARRAY_N(ops) && op == 0; i++) {
                op = holds_op(&tc, ops[i]) ? ops[i] : 0;
            }
            if (op == 0 || !is_valid(&tc, &now, &text)) {
                continue;
            }
            uint32_t n_tried = 0;
            for (int round = 0; round < 10 && shrink_round(&now, &next, &tc, op, &n_tried);
                 round++) {
            }
            n++;
            n_tried_all += n_tried;
            n_small += shrink_count(&tc) <= 8;
        }
    }
    print_message("%u of %u have at most 8 instructions, %u candidates\n", n_small, n, n_tried_all);
    assert_true(n > 0);
    assert_true(n_small * 100 >= n * 95);
    arena_free(&now);
    arena_free(&next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep_keeps_what_a_module_does),
        cmocka_unit_test(candidates_are_valid),
        cmocka_unit_test(any_case_shrinks_to_one_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
