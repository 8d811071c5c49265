/* tests/gen/test_math.c -- mathematics: cases are sound and varied, decorations stand where they may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gen/emit/emit_module.h"
#include "gen/ir/test_rules.h"
#include "gen/piece/numbers.h"
#include "gen/plan/math.h"
#include "gen/stats/stats.h"
#include "gen/tape/tape_random.h"

enum {
    N_MODULES = 1000, /* per environment */
    N_STATS = 6000,
    N_OLD = 200,
    ARENA_BYTES = 64 << 20
};

static uint64_t seed_of_test(void)
{
    const char *const s = getenv("SEED");
    return s ? strtoull(s, NULL, 0) : 1;
}

struct fixture {
    struct arena a;
    struct rules rules;
    struct validator validator;
    struct testcase tc;
    struct gen_info info;
};

static struct fixture *fixture_new(void)
{
    struct fixture *const b = calloc(1, sizeof *b);
    assert_non_null(b);
    arena_init(&b->a, ARENA_BYTES);
    return b;
}

static void fixture_free(struct fixture *b)
{
    rules_close(&b->validator);
    arena_free(&b->a);
    free(b);
}

static void expect_sound(struct fixture *b, uint64_t number)
{
    if (!rules_check(&b->rules, &b->tc) || !rules_validate(&b->validator, &b->tc, &b->rules)) {
        fail_msg("SEED=%llu %s case %llu: %s", (unsigned long long)seed_of_test(),
                 env_names[b->tc.env], (unsigned long long)number, b->rules.text);
    }
}

static void make_case(struct fixture *b, enum profile profile, enum env env, const struct tape *t)
{
    struct err e;
    if (gen_case(profile, env, t, &b->a, &b->tc, &b->info, &e) != RES_OK) {
        fail_msg("gen_case: %s", e.text);
    }
}

static void make_random(struct fixture *b, enum profile profile, enum env env, struct rng *rng)
{
    struct tape t;
    arena_reset(&b->a);
    assert_int_equal(tape_random(&t, rng, &b->a, NULL), RES_OK);
    make_case(b, profile, env, &t);
}

static void modules_of_mathematics_are_valid(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct fixture *const b = fixture_new();
        struct rng rng = rng_seed(seed_of_test());
        uint64_t n_extended = 0;
        uint64_t n_decorated = 0;
        uint64_t n_illegal = 0;
        for (uint64_t i = 0; i < N_MODULES; i++) {
            make_random(b, PROFILE_MAXERROR, (enum env)env, &rng);
            expect_sound(b, i);
            n_extended += b->rules.n_math;
            n_illegal += b->tc.class == CLASS_ILLEGAL;
            n_decorated += b->rules.n_decorated;
            assert_true(b->info.n_math > 0);
            if (b->tc.class != CLASS_ILLEGAL) {
                assert_int_equal(b->rules.n_decorated, b->info.n_decorated);
                assert_int_equal(needs_has(&b->tc.needs, NEED_CL_MAX_ERROR),
                                 b->info.n_decorated > 0);
                assert_false(needs_has(&b->tc.needs, NEED_VK_MAX_ERROR));
            }
        }
        assert_true(n_extended > 4 * N_MODULES);
        assert_true(n_illegal * 100 >= 2 * N_MODULES && n_illegal * 100 <= 7 * N_MODULES);
        assert_true(env == ENV_CL ? n_decorated > 2 * N_MODULES : n_decorated == 0);
        fixture_free(b);
    }
}

/* Modules that break the rules are found by them: the check above is no empty one. */
static void broken_decorations_are_found(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 3);
    int n_broken[4] = {0};
    for (int i = 0; i < N_OLD; i++) {
        make_random(b, PROFILE_MAXERROR, ENV_CL, &rng);
        uint32_t *const w = arena_copy(&b->a, b->tc.module, b->tc.n_words * sizeof *w);
        uint32_t offset = SPV_HEADER_WORDS;
        uint32_t first_load = 0;
        struct spv_inst inst;
        struct spv_inst found = {.w = NULL};
        while (spv_next(w, b->tc.n_words, &offset, &inst)) {
            if (inst.op == SpvOpDecorate && inst.w[2] == SPV_DEC_FP_MAX_ERROR_INTEL && !found.w) {
                found = inst;
            }
            first_load = inst.op == SpvOpLoad && !first_load ? inst.w[2] : first_load;
        }
        if (!found.w || b->tc.class == CLASS_ILLEGAL) {
            continue;
        }
        b->tc.module = w;
        for (unsigned k = 0; k < 4; k++) {
            uint32_t const keep[2] = {w[found.offset + 1], w[found.offset + 3]};
            w[found.offset + 1] = k == 0 ? first_load : k == 1 ? b->tc.module[3] - 1 : keep[0];
            w[found.offset + 3] = k == 2 ? 0 : k == 3 ? 0xbf800000 : keep[1];
            n_broken[k] += w[found.offset + 1] != keep[0] || k >= 2;
            assert_true(!rules_check(&b->rules, &b->tc) ||
                        (k == 1 && keep[0] == b->tc.module[3] - 1));
            w[found.offset + 1] = keep[0];
            w[found.offset + 3] = keep[1];
        }
        expect_sound(b, (uint64_t)i);
    }
    for (unsigned k = 0; k < 4; k++) {
        assert_true(n_broken[k] > 20);
    }
    fixture_free(b);
}

static void bounds_are_positive_numbers(void **state)
{
    /* SHOWS(ME_FLOAT) */
    (void)state;
    for (int i = 0; i < MATH_BOUND_N; i++) {
        assert_true(math_bounds[i] > 0 && math_bounds[i] < 0x7f800000);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(math_bounds[i], math_bounds[k]);
        }
    }
    for (int i = 0; i < MATH_ILLEGAL_BOUND_N; i++) {
        assert_true(math_illegal_bounds[i] == 0 || math_illegal_bounds[i] >= 0x7f800000);
    }
}

/* Rows of math.def and number.def against those of ops.def: all of both sets, and the arguments of each. */
static void every_instruction_has_one_row(void **state)
{
    (void)state;
    int n_of[OP_N] = {0};
    for (int i = 0; i < MATH_N; i++) {
        n_of[math_rows[i].op]++;
        assert_true(math_rows[i].n_args <= 3);
    }
    for (int i = 0; i < NUMBER_N; i++) {
        n_of[number_rows[i].op]++;
        assert_true(number_rows[i].n_args <= 3);
    }
    int n_checked = 0;
    for (int op = 0; op < OP_N; op++) {
        uint32_t const set = op_rows[op].number >> 16;
        assert_true(n_of[op] <= 1);
        if (set == OP_SET_opencl_std || set == OP_SET_glsl450) {
            assert_int_equal(n_of[op], 1);
            n_checked++;
        }
    }
    assert_true(n_checked >= 110 + 50);
}

static void shares_of_mathematics(void **state)
{
    (void)state;
    struct arena keep;
    struct fixture *const b = fixture_new();
    arena_init(&keep, ARENA_BYTES);
    struct rng rng = rng_seed(seed_of_test());
    struct stats *const s = ARENA_NEW(&keep, struct stats, 1);
    assert_non_null(s);
    assert_int_equal(stats_init(s, N_STATS, &keep, NULL), RES_OK);
    for (int i = 0; i < N_STATS; i++) {
        make_random(b, PROFILE_MAXERROR, (enum env)(i % ENV_N), &rng);
        stats_add(s, &b->tc, &b->info);
    }
    for (int i = 0; i < MATH_SHAPE_N; i++) {
        if (!(stats_get_percent(s, &math_shape_rows[i], s->with_math_shape[i]) >= 2.0)) {
            fail_msg("shape %s in %.2f%% of the cases", math_shape_rows[i].id,
                     stats_get_percent(s, &math_shape_rows[i], s->with_math_shape[i]));
        }
    }
    double const decorated = stats_get_percent(s, &math_shape_rows[MATH_SHAPE_DECORATED],
                                               s->with_math_shape[MATH_SHAPE_DECORATED]);
    assert_true(decorated >= 66.0 && decorated <= 74.0);
    assert_int_equal(stats_count_missing_math(s), 0);
    assert_int_equal(stats_count_missing_bounds(s), 0);
    assert_true(s->n_distinct * 100 >= s->n_cases * 99);
    assert_true(s->n_math >= 5 * s->n_cases);
    fixture_free(b);
    arena_free(&keep);
}

/* One addition, in one invocation. */
static void the_empty_tape_has_one_addition(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    for (int env = 0; env < ENV_N; env++) {
        struct tape const none = {.data = NULL};
        make_case(b, PROFILE_MAXERROR, (enum env)env, &none);
        expect_sound(b, 0);
        assert_int_equal(b->info.n_math, 1);
        assert_int_equal(b->info.n_decorated, 0);
        assert_int_equal(b->rules.n_math, 0);
        assert_int_equal(b->rules.n_atomics, 0);
        assert_int_equal(testcase_get_items(&b->tc), 1);
        assert_int_equal(b->info.math_rows[OP_core_FAdd / 64], UINT64_C(1) << OP_core_FAdd % 64);
    }
    fixture_free(b);
}

/* Of the nodes below the root of a tape. What came after them is read by other profiles' programs too. */
enum {
    NODE_MATHEMATICS = 6,
    NODE_ACCURACY = 7
};

/* Records of a tape before the child number `at` of its root. */
static size_t count_before_child(const struct tape *t, int at)
{
    size_t n = TAPE_HEAD_RECORDS;
    for (int i = 0; i < at; i++) {
        n += 1 + (size_t)load_le(t->data + n * TAPE_RECORD_BYTES, TAPE_RECORD_BYTES);
    }
    return n;
}

/* A tape from before there was mathematics lacks its node, and has none of it; the other profiles
 * do not read the node. */
static void tapes_without_the_node_have_none(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 1);
    uint32_t n_with = 0;
    for (int i = 0; i < N_OLD; i++) {
        struct tape t;
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        t.n_records = count_before_child(&t, NODE_ACCURACY + 1);
        struct tape old = t;
        old.n_records = count_before_child(&t, NODE_MATHEMATICS);
        assert_true(old.n_records < t.n_records);
        enum profile const profile = (enum profile)(i / ENV_N % PROFILE_MAXERROR);
        make_case(b, profile, (enum env)(i % ENV_N), &t);
        uint32_t const n_words = b->tc.n_words;
        uint32_t const n_math = b->info.n_math;
        make_case(b, profile, (enum env)(i % ENV_N), &old);
        assert_int_equal(b->info.n_math, 0);
        assert_true(profile_has_math(profile) ? n_math > 0 : n_math == 0);
        assert_true(profile_has_math(profile) ? b->tc.n_words < n_words : b->tc.n_words == n_words);
        n_with += n_math;
    }
    assert_true(n_with > N_OLD / 2);
    fixture_free(b);
}

/* ---- programs made by hand ---- */

struct rig {
    struct fixture *b;
    struct ir_program p;
    uint32_t in, out;
    struct ir_inst *x;
};

static void rig_init(struct rig *r, enum env env)
{
    r->b = fixture_new();
    assert_true(ir_program_init(&r->p, env, &r->b->a));
    r->p.version = env == ENV_CL ? 0x10000 : 0x10300;
    for (int d = 0; d < 3; d++) {
        r->p.local[d] = 1;
        r->p.global[d] = d == 0 ? 4 : 1;
    }
    r->in = ir_add_var(&r->p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_F32});
    r->out = ir_add_var(&r->p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_I32});
    r->x = ir_load(&r->p, &r->p.main, r->in, r->p.gid);
}

static void put_result(struct rig *r, struct ir_inst *v)
{
    struct ir_inst *const bits =
        v->type == IR_I32 ? v : ir_plain(&r->p, &r->p.main, SpvOpBitcast, IR_I32, v, NULL);
    ir_store(&r->p, &r->p.main, r->out, r->p.gid, bits);
}

static void rig_check(struct rig *r)
{
    struct testcase *const tc = &r->b->tc;
    *tc = (struct testcase){.env = r->p.env, .needs = r->p.needs};
    tc->module = emit_module(&r->p, &tc->n_words, NULL);
    assert_non_null(tc->module);
    expect_sound(r->b, 0);
}

/* The first instruction op from *offset on, which moves behind it. */
static struct spv_inst find_op(const struct rig *r, uint32_t op, uint32_t *offset)
{
    struct spv_inst i;
    while (spv_next(r->b->tc.module, r->b->tc.n_words, offset, &i)) {
        if (i.op == op) {
            return i;
        }
    }
    fail_msg("no instruction %u", op);
    return i;
}

static struct ir_inst *put_exp(struct rig *r, uint32_t max_error, int function)
{
    struct ir_inst *const v =
        ir_plain(&r->p, &r->p.main, op_rows[OP_opencl_std_exp].number, IR_F32, r->x, NULL);
    v->math.is_decorated = max_error != 0;
    v->math.max_error = max_error;
    v->math.function = function;
    needs_add(&r->p.needs, NEED_CL_MAX_ERROR);
    put_result(r, v);
    return v;
}

/* The same exponential three times: 4 ulp, none in a function, and 0.5 with flags. */
static void decorations_stand_on_their_instruction(void **state)
{
    /* SHOWS(ME_ANY_INSTRUCTION) */
    (void)state;
    struct rig r;
    rig_init(&r, ENV_CL);
    struct ir_inst *const first = put_exp(&r, 0x40800000, 0);
    struct ir_inst *const second = put_exp(&r, 0, 1);
    struct ir_inst *const third = put_exp(&r, 0x3f000000, 0);
    third->math.fast_math = SpvFPFastMathModeNSZMask;
    rig_check(&r);
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst i = find_op(&r, SpvOpExtInstImport, &at);
    uint32_t const set = i.w[1];
    assert_memory_equal(i.w + 2, "OpenCL.std", 11);
    i = find_op(&r, SpvOpDecorate, &at);
    while (i.w[2] != SPV_DEC_FP_MAX_ERROR_INTEL) {
        i = find_op(&r, SpvOpDecorate, &at);
    }
    assert_int_equal(i.w[0], 4u << 16 | SpvOpDecorate);
    assert_int_equal(i.w[1], first->id);
    assert_int_equal(i.w[3], 0x40800000);
    i = find_op(&r, SpvOpDecorate, &at);
    assert_int_equal(i.w[1], third->id);
    assert_int_equal(i.w[2], SPV_DEC_FP_MAX_ERROR_INTEL);
    assert_int_equal(i.w[3], 0x3f000000);
    i = find_op(&r, SpvOpDecorate, &at);
    assert_int_equal(i.w[1], third->id);
    assert_int_equal(i.w[2], SpvDecorationFPFastMathMode);
    assert_int_equal(i.w[3], 4);
    i = find_op(&r, SpvOpExtInst, &at);
    assert_int_equal(i.n, 6);
    assert_int_equal(i.w[2], first->id);
    assert_int_equal(i.w[3], set);
    assert_int_equal(i.w[4], 19); /* exp */
    assert_int_equal(i.w[5], r.x->id);
    i = find_op(&r, SpvOpFunctionCall, &at);
    assert_int_equal(i.w[2], second->id);
    i = find_op(&r, SpvOpExtInst, &at);
    assert_int_equal(i.w[2], third->id);
    i = find_op(&r, SpvOpExtInst, &at); /* in the function */
    assert_int_equal(i.w[4], 19);
    assert_int_equal(r.b->rules.n_decorated, 2);
    fixture_free(r.b);
}

/* A vector of sixteen, and its last component. */
static void long_vectors_bring_their_capability(void **state)
{
    (void)state;
    struct rig r;
    rig_init(&r, ENV_CL);
    struct ir_inst *part[IR_MAX_VECTOR];
    for (int k = 0; k < IR_MAX_VECTOR; k++) {
        part[k] = k % 2 ? r.x : ir_const(&r.p, IR_F32, 0x3f800000);
    }
    struct ir_inst *const vector = ir_vector(&r.p, &r.p.main, IR_MAX_VECTOR, part);
    struct ir_inst *const v = ir_plain(&r.p, &r.p.main, SpvOpFAdd, IR_F32, vector, vector);
    v->n_results = IR_MAX_VECTOR;
    put_result(&r, ir_extract(&r.p, &r.p.main, v, 15));
    rig_check(&r);
    assert_true(rules_has_cap(&r.b->rules, SpvCapabilityVector16));
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst i = find_op(&r, SpvOpTypeVector, &at);
    while (i.w[3] != 16) {
        i = find_op(&r, SpvOpTypeVector, &at);
    }
    uint32_t const type = i.w[1];
    i = find_op(&r, SpvOpCompositeConstruct, &at);
    assert_int_equal(i.n, 3 + 16);
    assert_int_equal(i.w[1], type);
    assert_int_equal(i.w[4], r.x->id);
    i = find_op(&r, SpvOpFAdd, &at);
    assert_int_equal(i.w[1], type);
    i = find_op(&r, SpvOpCompositeExtract, &at);
    assert_int_equal(i.w[3], v->id);
    assert_int_equal(i.w[4], 15);
    fixture_free(r.b);
}

/* frexp through a pointer: the variable stands first in the function, the load behind the call. */
static void second_results_come_by_pointer_or_struct(void **state)
{
    (void)state;
    struct rig r;
    rig_init(&r, ENV_CL);
    struct ir_inst *v =
        ir_plain(&r.p, &r.p.main, op_rows[OP_opencl_std_frexp].number, IR_F32, r.x, NULL);
    v->math.result = RESULT_POINTER;
    v->math.second = IR_I32;
    put_result(&r, v);
    put_result(&r, ir_second(&r.p, &r.p.main, v));
    rig_check(&r);
    uint32_t at = SPV_HEADER_WORDS;
    (void)find_op(&r, SpvOpFunction, &at);
    struct spv_inst i = find_op(&r, SpvOpLabel, &at);
    assert_true(spv_next(r.b->tc.module, r.b->tc.n_words, &at, &i));
    assert_int_equal(i.op, SpvOpVariable);
    assert_int_equal(i.w[3], SpvStorageClassFunction);
    uint32_t const variable = i.w[2];
    i = find_op(&r, SpvOpExtInst, &at);
    assert_int_equal(i.n, 7);
    assert_int_equal(i.w[6], variable);
    i = find_op(&r, SpvOpLoad, &at);
    assert_int_equal(i.w[3], variable);
    fixture_free(r.b);

    rig_init(&r, ENV_VK);
    v = ir_plain(&r.p, &r.p.main, op_rows[OP_glsl450_FrexpStruct].number, IR_F32, r.x, NULL);
    v->math.result = RESULT_STRUCT;
    v->math.second = IR_I32;
    struct ir_inst *const exponent = ir_extract(&r.p, &r.p.main, v, 1);
    exponent->type = IR_I32;
    put_result(&r, exponent);
    rig_check(&r);
    at = SPV_HEADER_WORDS;
    i = find_op(&r, SpvOpExtInst, &at);
    uint32_t const type = i.w[1];
    at = SPV_HEADER_WORDS;
    i = find_op(&r, SpvOpTypeStruct, &at);
    while (i.w[1] != type) {
        i = find_op(&r, SpvOpTypeStruct, &at);
    }
    assert_int_equal(i.n, 4);
    fixture_free(r.b);
}

enum {
    OF_VECTOR = 400,          /* beside the opcode: its result is a vector */
    N_OPCODES = 2 * OF_VECTOR /* that are counted */
};

/* Counts by opcode the instructions of the module that are decorated with a max error, those of vectors once more. */
static void count_decorated(const struct testcase *tc, uint32_t count[N_OPCODES])
{
    static bool is_decorated[RULES_MAX_IDS];
    static bool is_vector[RULES_MAX_IDS];
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    memset(is_decorated, 0, sizeof is_decorated);
    memset(is_vector, 0, sizeof is_vector);
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpDecorate && i.w[2] == SPV_DEC_FP_MAX_ERROR_INTEL) {
            is_decorated[i.w[1]] = true;
        } else if (i.op == SpvOpTypeVector) {
            is_vector[i.w[1]] = true;
        } else if (i.op >= SpvOpExtInst && i.op < OF_VECTOR && i.n > 2 && i.w[2] < RULES_MAX_IDS &&
                   is_decorated[i.w[2]]) {
            count[i.op]++;
            count[OF_VECTOR + i.op] += is_vector[i.w[1]];
            is_decorated[i.w[2]] = false; /* what follows may have a number there */
        }
    }
}

/* "Any instruction of floating-point type": also those that are exact without it, and sums over a group. */
static void what_is_exact_is_decorated_too(void **state)
{
    /* SHOWS(ME_ANY_INSTRUCTION, ME_HANDED_ON) */
    (void)state;
    enum {
        N_ALL = 6000
    };
    static const struct {
        enum profile profile;
        uint32_t op;
    } rows[] = {
        {PROFILE_MAXERROR, SpvOpSelect                },
        {PROFILE_MAXERROR, SpvOpSelect + OF_VECTOR    },
        {PROFILE_MAXERROR, SpvOpPhi                   },
        {PROFILE_MAXERROR, SpvOpPhi + OF_VECTOR       },
        {PROFILE_MAXERROR, SpvOpLoad                  },
        {PROFILE_MAXERROR, SpvOpFunctionCall          },
        {PROFILE_MAXERROR, SpvOpFunctionParameter     },
        {PROFILE_MAXERROR, SpvOpVectorTimesScalar     },
        {PROFILE_MAXERROR, SpvOpFAdd                  },
        {PROFILE_MAXERROR, SpvOpFConvert              },
        {PROFILE_MAXERROR, SpvOpCompositeConstruct    },
        {PROFILE_MAXERROR, SpvOpCompositeExtract      },
        {PROFILE_MAXERROR, SpvOpBitcast               },
        {PROFILE_MAXERROR, SpvOpGroupBroadcast        },
        {PROFILE_ALL,      SpvOpSelect                },
        {PROFILE_ALL,      SpvOpSelect + OF_VECTOR    },
        {PROFILE_ALL,      SpvOpPhi                   },
        {PROFILE_ALL,      SpvOpPhi + OF_VECTOR       },
        {PROFILE_ALL,      SpvOpFunctionParameter     },
        {PROFILE_ALL,      SpvOpCompositeConstruct    },
        {PROFILE_ALL,      SpvOpCompositeExtract      },
        {PROFILE_ALL,      SpvOpBitcast               },
        {PROFILE_ALL,      SpvOpExtInst               },
        {PROFILE_ALL,      SpvOpGroupFAdd             },
        {PROFILE_ALL,      SpvOpGroupBroadcast        },
        {PROFILE_ALL,      SpvOpGroupNonUniformFAdd   },
        {PROFILE_ALL,      SpvOpGroupNonUniformShuffle},
    };
    struct fixture *const b = fixture_new();
    uint32_t count[PROFILE_N][N_OPCODES] = {{0}};
    uint32_t n_decorated = 0;
    for (int k = 0; k < 2; k++) {
        enum profile const profile = k ? PROFILE_ALL : PROFILE_MAXERROR;
        struct rng rng = rng_seed(seed_of_test() + 17);
        for (uint32_t n = 0; n < (k ? N_ALL : N_MODULES); n++) {
            make_random(b, profile, ENV_CL, &rng);
            if (b->tc.class != CLASS_ILLEGAL && b->info.n_decorated > 0) {
                expect_sound(b, n);
                count_decorated(&b->tc, count[profile]);
                n_decorated += (uint32_t)k;
            }
        }
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (count[rows[i].profile][rows[i].op] < 5) {
            fail_msg("%s: opcode %u is decorated %u times", profile_names[rows[i].profile],
                     rows[i].op, count[rows[i].profile][rows[i].op]);
        }
    }
    assert_true(n_decorated * 100 >= 5 * N_ALL && n_decorated * 100 <= 12 * N_ALL);
    fixture_free(b);
}

/* Decorations of profile `all` are drawn from the eighth node of a tape: without it, as in older tapes, there are
 * none, and a case that has none with it is the same without. */
static void older_tapes_of_all_mean_the_same(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 19);
    struct tape t;
    uint32_t n_other = 0;
    for (int i = 0; i < N_MODULES; i++) {
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        t.n_records = count_before_child(&t, NODE_ACCURACY + 1);
        make_case(b, PROFILE_ALL, ENV_CL, &t);
        struct testcase const with = b->tc;
        uint32_t const n_decorated = b->info.n_decorated;
        t.n_records = count_before_child(&t, NODE_ACCURACY);
        make_case(b, PROFILE_ALL, ENV_CL, &t);
        assert_int_equal(b->info.n_decorated, 0);
        assert_false(needs_has(&b->tc.needs, NEED_CL_MAX_ERROR));
        if (n_decorated > 0) {
            n_other++;
            continue;
        }
        assert_int_equal(b->tc.n_words, with.n_words);
        assert_memory_equal(b->tc.module, with.module, 4 * (size_t)with.n_words);
    }
    assert_true(n_other > 0 && n_other * 5 < N_MODULES);
    fixture_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_of_mathematics_are_valid),
        cmocka_unit_test(broken_decorations_are_found),
        cmocka_unit_test(bounds_are_positive_numbers),
        cmocka_unit_test(every_instruction_has_one_row),
        cmocka_unit_test(shares_of_mathematics),
        cmocka_unit_test(the_empty_tape_has_one_addition),
        cmocka_unit_test(tapes_without_the_node_have_none),
        cmocka_unit_test(decorations_stand_on_their_instruction),
        cmocka_unit_test(long_vectors_bring_their_capability),
        cmocka_unit_test(second_results_come_by_pointer_or_struct),
        cmocka_unit_test(what_is_exact_is_decorated_too),
        cmocka_unit_test(older_tapes_of_all_mean_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
