/* tests/program/test_buckets.c -- findings of planted faults fall into their own buckets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/bucket.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    FINDINGS = 1000, /* of all faults together, in the long run */
    FAST_FINDINGS = 120,
    FAST_FAULTS = 12,
    MAX_CASES = 4000, /* of one fault */
    MAX_SIGNATURES = 4096
};

/* Each bound to one instruction, type and storage. No two atomics of one type and storage: of an
 * original that does not fit nothing tells which of them left it. */
static const struct {
    const char *target;
    enum profile profile;
} faults[] = {
    {"SUM_OFF_ULP:AtomicFAddEXT:f32:global",                              PROFILE_ATOMICS },
    {"NAN_WINS_MIN:AtomicFMinEXT:f64:global",                             PROFILE_ATOMICS },
    {"VOTES_SWAPPED:GroupNonUniformAll:bool:subgroup",                    PROFILE_GROUPS  },
    {"BALLOT_BEYOND:GroupNonUniformBallot:bool:subgroup",                 PROFILE_GROUPS  },
    {"MATH_OFF_TEN:exp:f32",                                              PROFILE_MAXERROR},
    {"MINMAX_SWAPPED:AtomicFMaxEXT:f64:workgroup",                        PROFILE_ATOMICS },
    {"SUB_FOR_ADD:AtomicFAddEXT:f32:workgroup",                           PROFILE_ATOMICS },
    {"EXCHANGE_RETURNS_VALUE:AtomicExchange:i32:global",                  PROFILE_ATOMICS },
    {"LANE_OMITTED:GroupNonUniformFMax:f32:subgroup-reduce",              PROFILE_GROUPS  },
    {"ARITH_OFF_ULP:FMul:f32",                                            PROFILE_MAXERROR},
    {"STORE_LOST:AtomicStore:f16:global",                                 PROFILE_ATOMICS },
    {"BROADCAST_OF_LANE_0:GroupNonUniformBroadcast:f32:subgroup",         PROFILE_GROUPS  },
    {"CMPXCHG_ALWAYS:AtomicCompareExchange:i64:global",                   PROFILE_ATOMICS },
    {"LOST_UPDATE:AtomicIAdd:i32:workgroup",                              PROFILE_ATOMICS },
    {"SUM_TRUNCATED:AtomicFAddEXT:f32:image",                             PROFILE_ATOMICS },
    {"MINMAX_SWAPPED:AtomicFMinEXT:f32:texel",                            PROFILE_ATOMICS },
    {"DOUBLED_UPDATE:AtomicFAddEXT:f16:workgroup",                        PROFILE_ATOMICS },
    {"WRONG_IDENTITY:GroupNonUniformIAdd:i32:subgroup-exclusive",         PROFILE_GROUPS  },
    {"EXCLUSIVE_IS_INCLUSIVE:GroupNonUniformFMin:f32:subgroup-exclusive", PROFILE_GROUPS  },
    {"SCAN_REVERSED:GroupIAdd:i32:group-inclusive",                       PROFILE_GROUPS  },
    {"UP_DOWN_SWAPPED:GroupNonUniformShuffleUp:i32:subgroup",             PROFILE_GROUPS  },
    {"XOR_TRUNCATED:GroupNonUniformShuffleXor:i32:subgroup",              PROFILE_GROUPS  },
    {"ELECT_TWO:GroupNonUniformElect:bool:subgroup",                      PROFILE_GROUPS  },
    {"COUNT_OF_ALL:GroupNonUniformBallotBitCount:i32:subgroup-inclusive", PROFILE_GROUPS  },
    {"ROTATE_ONE_MORE:GroupNonUniformRotateKHR:i32:subgroup",             PROFILE_GROUPS  },
    {"QUAD_AXES_SWAPPED:GroupNonUniformQuadSwap:f32:subgroup",            PROFILE_GROUPS  },
    {"MATH_OFF_TEN:log:f64",                                              PROFILE_MAXERROR},
    {"MATH_ZERO_SIGN:sin:f32",                                            PROFILE_MAXERROR},
    {"CONVERT_DIRECTION:FConvert:f32",                                    PROFILE_MAXERROR},
    {"FMIN_OF_NAN:fmin:f32",                                              PROFILE_MAXERROR},
};

struct rig {
    struct arena own, scratch;
    uint32_t n;
    const char *signatures[MAX_SIGNATURES]; /* distinct for each fault */
    uint32_t fault[MAX_SIGNATURES];
};

static void add(struct rig *r, const char *signature, uint32_t fault)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->fault[i] == fault && strcmp(r->signatures[i], signature) == 0) {
            return;
        }
    }
    assert_true(r->n < MAX_SIGNATURES);
    r->signatures[r->n] = arena_printf(&r->own, "%s", signature);
    r->fault[r->n++] = fault;
}

/* The signatures from `first` on, taken apart. */
static struct signature *parse(struct rig *r, uint32_t first)
{
    struct signature *s = ARENA_NEW(&r->own, struct signature, r->n - first + 1);
    assert_non_null(s);
    for (uint32_t i = first; i < r->n; i++) {
        s[i - first] = signature_parse(r->signatures[i], &r->own);
    }
    return s;
}

/* Violations of one case on the target. */
static uint32_t run_case(struct rig *r, const struct target *t, uint32_t fault, uint64_t index)
{
    struct testcase tc;
    struct tape tape;
    struct observation ob;
    struct err e;
    struct sim_outcome outcome = {.site = 0};
    uint32_t n = 0;
    arena_reset(&r->scratch);
    assert_int_equal(sched_make_case(faults[fault].profile, 7, index, (enum env)(index % ENV_N),
                                     &r->scratch, &tc, &tape, &e),
                     RES_OK);
    struct judgement *g = ARENA_NEW(&r->scratch, struct judgement, 1);
    for (int i = 0; i < 3; i++) { /* there, one clause stands for all that goes wrong */
        if (tc.global[i] % tc.local[i]) {
            return 0;
        }
    }
    const char *facts = sim_facts_for(&tc, index, &r->scratch);
    if (sim_run(&tc, &(struct sim_device){t->strategy, index, &t->fault, facts}, &r->scratch, &ob,
                &outcome, &e) != RES_OK ||
        outcome.fault != FAULT_APPLIED || judge_run(&tc, &ob, &r->scratch, g, &e) != RES_OK) {
        return 0;
    }
    for (uint32_t i = 0; i < g->n_findings; i++) {
        if (verdict_rows[g->findings[i].kind].part == PART_VIOLATION) {
            add(r, signature_of(&g->findings[i], &ob, &r->scratch).text, fault);
            n++;
        }
    }
    return n;
}

/* Bound to its instruction, type and storage, or to its instruction alone. */
static uint32_t run_fault(struct rig *r, uint32_t fault, uint32_t n_wanted, int is_bound)
{
    struct target t;
    struct err e;
    uint32_t n = 0;
    const char *what = faults[fault].target;
    size_t const n_fault = strcspn(what, ":");
    size_t const n_name = is_bound ? strlen(what) : n_fault + 1 + strcspn(what + n_fault + 1, ":");
    const char *name = arena_printf(&r->own, "sim-ieee:%.*s", (int)n_name, what);
    if (targets_make_sim(name, &t, &r->own, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    for (uint64_t i = 0; i < MAX_CASES && n < n_wanted; i++) {
        n += run_case(r, &t, fault, i);
    }
    if (n == 0) {
        fail_msg("%s: no finding in %d cases", faults[fault].target, MAX_CASES);
    }
    return n;
}

static void no_bucket_mixes_two_faults(void **state)
{
    (void)state;
    int const is_slow = getenv("HALFULP_SLOW") != NULL;
    uint32_t const n_faults = is_slow ? ARRAY_N(faults) : (uint32_t)FAST_FAULTS;
    uint32_t const n_all = is_slow ? FINDINGS : FAST_FINDINGS;
    struct rig *r = calloc(1, sizeof *r);
    struct err e;
    uint32_t n_findings = 0, n_buckets = 0;
    assert_non_null(r);
    arena_init(&r->own, (size_t)256 << 20);
    arena_init(&r->scratch, (size_t)512 << 20);
    for (uint32_t f = 0; f < n_faults; f++) {
        n_findings += run_fault(r, f, (n_all + n_faults - 1) / n_faults, 1);
    }
    uint32_t *bucket = ARENA_NEW(&r->own, uint32_t, r->n);
    assert_non_null(bucket);
    assert_int_equal(bucket_group(parse(r, 0), r->n, &r->own, bucket, &e), RES_OK);
    for (uint32_t i = 0; i < r->n; i++) {
        n_buckets += bucket[i] == i;
        if (bucket[i] == i) {
            print_message("%s: %s\n", faults[r->fault[i]].target, r->signatures[i]);
        }
        if (r->fault[bucket[i]] != r->fault[i]) {
            fail_msg("\"%s\" of %s is in the bucket \"%s\" of %s", r->signatures[i],
                     faults[r->fault[i]].target, r->signatures[bucket[i]],
                     faults[r->fault[bucket[i]]].target);
        }
    }
    print_message("%u findings of %u faults, %u signatures, %u buckets: %.2f a fault\n", n_findings,
                  n_faults, r->n, n_buckets, (double)n_buckets / n_faults);
    assert_true(n_findings >= n_all);
    assert_true(2 * n_buckets <= 3 * n_faults);
    arena_free(&r->scratch);
    arena_free(&r->own);
    free(r);
}

/* Families of the buckets of one fault, whose signatures are the last of the rig. */
static uint32_t count_families(struct rig *r, uint32_t first)
{
    struct err e;
    uint32_t const n = r->n - first;
    struct signature *const s = parse(r, first);
    uint32_t *bucket = ARENA_NEW(&r->own, uint32_t, n + 1);
    const char **families = ARENA_NEW(&r->own, const char *, n + 1);
    uint32_t n_families = 0;
    assert_true(bucket && families);
    assert_int_equal(bucket_group(s, n, &r->own, bucket, &e), RES_OK);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        families[i] = s[bucket[i]].family;
        while (strcmp(families[k], families[i]) != 0) {
            k++;
        }
        n_families += k == i;
        if (k == i) {
            print_message("%s: %s\n", faults[r->fault[first]].target, families[i]);
        }
    }
    return n_families;
}

/* Of a fault of one instruction in all types and storages alike. */
static void an_unbound_fault_is_one_family(void **state)
{
    (void)state;
    int const is_slow = getenv("HALFULP_SLOW") != NULL;
    uint32_t const n_faults = is_slow ? ARRAY_N(faults) : (uint32_t)FAST_FAULTS;
    uint32_t const n_all = is_slow ? FINDINGS : FAST_FINDINGS;
    struct rig *r = calloc(1, sizeof *r);
    uint32_t n_families = 0;
    assert_non_null(r);
    arena_init(&r->own, (size_t)256 << 20);
    arena_init(&r->scratch, (size_t)512 << 20);
    for (uint32_t f = 0; f < n_faults; f++) {
        uint32_t const first = r->n;
        (void)run_fault(r, f, (n_all + n_faults - 1) / n_faults, 0);
        n_families += count_families(r, first);
    }
    print_message("%u signatures of %u faults, %u families: %.2f a fault\n", r->n, n_faults,
                  n_families, (double)n_families / n_faults);
    assert_true(2 * n_families <= 3 * n_faults);
    arena_free(&r->scratch);
    arena_free(&r->own);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bucket_mixes_two_faults),
        cmocka_unit_test(an_unbound_fault_is_one_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
