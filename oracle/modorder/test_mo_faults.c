/* oracle/modorder/test_mo_faults.c -- each planted fault gets its name and its place. */
#include "oracle/modorder/test_mo_ref.h"

/* ---- one planted fault in a run of distinct values: the name and the place are known ---- */

enum plant {
    PLANT_NONE,
    PLANT_LOST,
    PLANT_TWICE,
    PLANT_ULP,
    PLANT_ORIGINAL,
    PLANT_FINAL,
    PLANT_SWAP
};

static uint64_t plain_next(const struct mo_problem *p, const struct mo_event *e, uint64_t v)
{
    struct vals next = {0};
    ref_next(p, e, (struct val){v, 0}, &next);
    return next.v[0].bits;
}

/* Additions of many-bit numbers, all seen, with one fault at event `at`. */
static void play(struct rng *rng, struct mo_problem *p, struct mo_event *ev, enum plant plant,
                 uint32_t at)
{
    memset(p, 0, sizeof *p);
    p->is_float = 1;
    p->fmt = FMT_F64;
    p->knows_initial = p->knows_final = 1;
    p->n_events = 60;
    p->events = ev;
    uint64_t v = p->initial = pick_value(rng, p, DOMAIN_BITS);
    for (uint32_t i = 0; i < p->n_events; i++) {
        ev[i] = (struct mo_event){.op = MO_FADD,
                                  .knows_original = 1,
                                  .knows_operand = 1,
                                  .invocation = i % 7,
                                  .group = i % 2,
                                  .original = v,
                                  .operand = pick_value(rng, p, DOMAIN_BITS)};
        uint64_t const next = plain_next(p, &ev[i], v);
        v = plant == PLANT_LOST && i == at    ? v
            : plant == PLANT_TWICE && i == at ? plain_next(p, &ev[i], next)
            : plant == PLANT_ULP && i == at   ? next + 1
                                              : next;
    }
    p->final = v ^ (plant == PLANT_FINAL);
    ev[at].original ^= plant == PLANT_ORIGINAL;
    if (plant == PLANT_SWAP) {
        struct mo_event const first = ev[at];
        ev[at] = ev[at + 7]; /* the next of the same invocation */
        ev[at + 7] = first;
    }
}

static void planted_faults_are_named(void **state)
{
    COVERS(FADD_CR);
    (void)state;
    static const enum verdict_kind expected[] = {VERDICT_OK,   VERDICT_ATOMICITY, VERDICT_ATOMICITY,
                                                 VERDICT_ULP,  VERDICT_ATOMICITY, VERDICT_ULP,
                                                 VERDICT_ORDER};
    struct arena a;
    arena_init(&a, arena_bytes);
    static struct mo_event ev[MAX_N];
    unsigned n_checked = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        for (int plant = PLANT_NONE; plant <= PLANT_SWAP; plant++) {
            struct rng rng = rng_seed(base_seed() * 31 + seed);
            struct mo_problem p;
            struct mo_answer ans;
            uint32_t const at = (uint32_t)rng_below(&rng, 50);
            play(&rng, &p, ev, (enum plant)plant, at);
            run(&p, &a, &ans);
            int const has_place = plant == PLANT_LOST || plant == PLANT_TWICE || plant == PLANT_ULP;
            /* When the sums from both values are the same, what was seen may have been left. */
            int const is_left = plant == PLANT_ORIGINAL && ans.kind == VERDICT_ULP;
            int const is_named =
                is_left || (ans.kind == expected[plant] && (!has_place || ans.suspect[0] == at));
            if (!is_named) {
                fail_msg("seed %llu plant %d at %u: %s, suspect %u: %s", (unsigned long long)seed,
                         plant, at, verdict_rows[ans.kind].name, ans.suspect[0], ans.text);
            }
            assert_true(plant != PLANT_NONE || (ans.has_order && ans.n_switches == 59));
            n_checked++;
        }
    }
    assert_true(n_checked > 1000);
    arena_free(&a);
}

struct small {
    const char *what;
    enum mo_op op;
    uint64_t initial, operand, left;
    enum verdict_kind kind;
    enum clause_id clause;
};

/* One operation, seen, on f32: the final value is what it left. */
static void small_cases_are_named(void **state)
{
    COVERS(FMIN_NAN);
    COVERS(FMIN_NUMBER);
    COVERS(INT_ATOMIC);
    (void)state;
    /* clang-format off */
    static const struct small cases[] = {
        {"min of number, qNaN", MO_FMIN, 0x3f800000, 0x7fc00000, 0x3f800000,
         VERDICT_OK, CLAUSE_RMW_CHAIN},
        {"NaN wins min", MO_FMIN, 0x3f800000, 0x7fc00000, 0x7fc00000,
         VERDICT_NAN_RULE, CLAUSE_FMIN_NAN},
        {"NaN stays in max", MO_FMAX, 0x7fc00000, 0x3f800000, 0x7fc00000,
         VERDICT_NAN_RULE, CLAUSE_FMIN_NAN},
        {"sNaN may win", MO_FMIN, 0x3f800000, 0x7f800001, 0x7fc00001,
         VERDICT_OK, CLAUSE_RMW_CHAIN},
        {"either zero", MO_FMAX, 0x80000000, 0x00000000, 0x80000000,
         VERDICT_OK, CLAUSE_RMW_CHAIN},
        {"wrong zero", MO_FADD, 0x80000000, 0x80000000, 0x00000000,
         VERDICT_ZERO_SIGN, CLAUSE_FADD_CR},
        {"wrong choice", MO_FMIN, 0xbf800000, 0xc0000000, 0xbf900000,
         VERDICT_ULP, CLAUSE_FMIN_NUMBER},
        {"saturated", MO_FADD, 0x7f7fffff, 0x7f7fffff, 0x7f7ffffe,
         VERDICT_ULP, CLAUSE_FADD_CR},
        {"flushed", MO_FADD, 0x00000001, 0x00000001, 0x00000000,
         VERDICT_ULP, CLAUSE_FADD_CR},
        {"exchange lost", MO_EXCHANGE, 1, 2, 1, VERDICT_ATOMICITY, CLAUSE_RMW_CHAIN}};
    /* clang-format on */
    struct arena a;
    arena_init(&a, arena_bytes);
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        const struct small *c = &cases[i];
        struct mo_event const ev = {.op = c->op,
                                    .knows_original = 1,
                                    .knows_operand = 1,
                                    .original = c->initial,
                                    .operand = c->operand};
        struct mo_problem const p = {.is_float = 1,
                                     .fmt = FMT_F32,
                                     .knows_initial = 1,
                                     .knows_final = 1,
                                     .initial = c->initial,
                                     .final = c->left,
                                     .events = &ev,
                                     .n_events = 1};
        struct mo_answer ans;
        run(&p, &a, &ans);
        if (ans.kind != c->kind || ans.clause != c->clause) {
            fail_msg("%s: %s %s: %s", c->what, verdict_rows[ans.kind].name,
                     clause_rows[ans.clause].id, ans.text);
        }
    }
    arena_free(&a);
}

/* Event 1 made a mistake, and its own values fit each other: event 2 left a value that nothing saw, and event 0 saw one
 * that nothing left. */
static void a_hidden_mistake_is_suspected(void **state)
{
    COVERS(RMW_CHAIN);
    (void)state;
    static const struct mo_event hidden[] = {
        {.op = MO_EXCHANGE, .original = 40, .operand = 40  }, /* it found 5 */
        { .op = MO_CMPXCHG,    .original = 5,  .operand = 40, .comparator = 7}, /* it stored 40 */
    };
    enum {
        EACH = 3,
        STEP = 100 /* between the values of a break and those of the next */
    };
    struct arena a;
    arena_init(&a, arena_bytes);
    for (size_t k = 0; k < ARRAY_N(hidden); k++) {
        for (uint32_t n_breaks = 1; n_breaks <= 2; n_breaks++) {
            struct mo_event ev[2 * EACH];
            for (uint32_t b = 0; b < n_breaks; b++) {
                struct mo_event *const of = &ev[EACH * b];
                of[0] = (struct mo_event){.op = MO_EXCHANGE, .original = 40, .operand = 1 + STEP};
                of[1] = hidden[k];
                of[2] = (struct mo_event){.op = MO_IADD, .original = 1, .operand = 4};
                for (uint32_t i = 0; i < EACH; i++) {
                    of[i].knows_original = of[i].knows_operand = 1;
                    of[i].invocation = of[i].group = EACH * b + i;
                    of[i].original += (uint64_t)STEP * b;
                    of[i].operand += of[i].op == MO_IADD ? 0 : (uint64_t)STEP * b;
                    of[i].comparator += (uint64_t)STEP * b;
                }
            }
            struct mo_problem const p = {.n_bits = 32,
                                         .knows_initial = 1,
                                         .knows_final = 1,
                                         .initial = 1,
                                         .final = 1 + (uint64_t)STEP * n_breaks,
                                         .events = ev,
                                         .n_events = EACH * n_breaks};
            struct mo_answer ans;
            run(&p, &a, &ans);
            assert_int_equal(ans.kind, VERDICT_ATOMICITY);
            assert_true(ans.n_suspects >= 2 && (ans.suspect[0] == 1 || ans.suspect[1] == 1));
        }
    }
    arena_free(&a);
}

/* Unused additions: exact sums have one value, others a bound. */
static void unused_additions_keep_their_bound(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, arena_bytes);
    static struct mo_event ev[MAX_N];
    unsigned n_sharp = 0, n_caught = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct rng rng = rng_seed(base_seed() * 77 + seed);
        struct mo_problem p = {
            .is_float = 1, .fmt = FMT_F32, .knows_initial = 1, .knows_final = 1, .events = ev};
        struct mo_answer ans;
        int const is_exact = seed % 2 == 0;
        p.n_events = 2 + (uint32_t)rng_below(&rng, is_exact ? 22 : 200);
        uint64_t v = p.initial = 0;
        for (uint32_t i = 0; i < p.n_events; i++) {
            uint64_t const power = (uint64_t)(127 + i) << 23;
            ev[i] =
                (struct mo_event){.op = MO_FADD,
                                  .knows_operand = 1,
                                  .invocation = i,
                                  .operand = is_exact ? power : pick_value(&rng, &p, DOMAIN_BITS)};
            v = plain_next(&p, &ev[i], v);
        }
        p.final = v;
        run(&p, &a, &ans);
        assert_true(ans.kind == VERDICT_OK || (!is_exact && ans.kind == VERDICT_BOUNDED));
        n_sharp += ans.kind == VERDICT_OK;
        /* Without one of the exact additions, or off by more than any order can be. */
        uint32_t const at = (uint32_t)rng_below(&rng, p.n_events);
        p.final = is_exact ? enc_of_f32(f32_of(v) - f32_of(ev[at].operand))
                           : enc_of_f32(f32_of(v) + 256.0f);
        run(&p, &a, &ans);
        if (ans.kind != (is_exact ? VERDICT_ATOMICITY : VERDICT_ULP)) {
            fail_msg("seed %llu: %s: %s", (unsigned long long)seed, verdict_rows[ans.kind].name,
                     ans.text);
        }
        n_caught++;
    }
    print_message("unused additions: %u of 300 sharp, %u caught\n", n_sharp, n_caught);
    assert_true(n_sharp >= 150 && n_caught == 300);
    arena_free(&a);
}

/* A NaN that an addition or a minimum brings is decided wrongly: the clause is that of the operation. By hand: 1 + NaN is NaN;
 * the minimum of 1 and a quiet NaN is 1. */
static void a_nan_cites_the_rule_of_its_operation(void **state)
{
    COVERS(FADD_CR);
    COVERS(FMIN_NAN);
    (void)state;
    enum {
        ONE = 0x3f800000,
        NUMBER = 0x40000000, /* 2, and no NaN */
        QNAN = 0x7fc00000
    };
    static const struct {
        enum mo_op op;
        uint32_t right, wrong;
        enum clause_id clause;
    } rows[] = {
        {MO_FADD, QNAN, NUMBER, CLAUSE_FADD_CR },
        {MO_FMIN, ONE,  QNAN,   CLAUSE_FMIN_NAN},
    };
    struct arena a;
    arena_init(&a, arena_bytes);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct mo_event const e = {.op = rows[i].op,
                                   .knows_original = 1,
                                   .knows_operand = 1,
                                   .original = ONE,
                                   .operand = QNAN};
        struct mo_problem p = {.is_float = 1,
                               .fmt = FMT_F32,
                               .knows_initial = 1,
                               .knows_final = 1,
                               .initial = ONE,
                               .final = rows[i].right,
                               .events = &e,
                               .n_events = 1};
        struct mo_answer answer;
        run(&p, &a, &answer);
        assert_int_equal(answer.kind, VERDICT_OK);
        p.final = rows[i].wrong;
        run(&p, &a, &answer);
        assert_int_equal(answer.kind, VERDICT_NAN_RULE);
        assert_int_equal(answer.clause, rows[i].clause);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_faults_are_named),
        cmocka_unit_test(small_cases_are_named),
        cmocka_unit_test(a_hidden_mistake_is_suspected),
        cmocka_unit_test(unused_additions_keep_their_bound),
        cmocka_unit_test(a_nan_cites_the_rule_of_its_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
