/* tests/oracle/test_math_rows.c -- each instruction of gen/plan/math.def is bounded, judged and computed by the host's
 * arithmetic: where one is not, everything passes in silence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/ops.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/host/host.h"
#include "oracle/judge/judge.h"
#include "oracle/math/accuracy.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

static const enum op_id drawn[] = {
#define MATH(set, name, ...) OP_##set##_##name,
#include "gen/plan/math.def"
};

struct exception {
    enum op_id op;
    const char *reason;
};

static const struct exception *find(const struct exception *list, size_t n, enum op_id op)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].op == op) {
            return &list[i];
        }
    }
    return NULL;
}

static struct accuracy get_accuracy(enum env env, enum op_id op, enum fmt_id fmt)
{
    struct accuracy_query const q = {
        .env = env, .op = op_rows[op].number, .fmt = fmt, .full_profile = 1, .n_components = 1};
    return accuracy_get(&q);
}

/* What is no function of func.def, and what says its exact value instead. */
static void each_has_a_function_or_a_reason(void **state)
{
    (void)state;
    static const char conversion[] = "a conversion: value_convert.c, value_to_int.c";
    static const char whole[] = "of whole vectors: accuracy_permitted_vector";
    static const char text[] = "a text of its own: permit_by_text of accuracy_permitted.c";
    static const char formula[] = "its exact value by a formula of inherit.def";
    static const char integer[] = "an integer: accuracy_int.c";
    static const struct exception exceptions[] = {
        {OP_core_FConvert,             conversion},
        {OP_core_ConvertSToF,          conversion},
        {OP_core_ConvertUToF,          conversion},
        {OP_core_ConvertFToS,          conversion},
        {OP_core_ConvertFToU,          conversion},
        {OP_core_Dot,                  whole     },
        {OP_opencl_std_cross,          whole     },
        {OP_opencl_std_distance,       whole     },
        {OP_opencl_std_length,         whole     },
        {OP_opencl_std_normalize,      whole     },
        {OP_opencl_std_fast_distance,  whole     },
        {OP_opencl_std_fast_length,    whole     },
        {OP_opencl_std_fast_normalize, whole     },
        {OP_glsl450_Length,            whole     },
        {OP_glsl450_Distance,          whole     },
        {OP_glsl450_Cross,             whole     },
        {OP_glsl450_Normalize,         whole     },
        {OP_glsl450_FaceForward,       whole     },
        {OP_glsl450_Reflect,           whole     },
        {OP_glsl450_Refract,           whole     },
        {OP_core_QuantizeToF16,        text      },
        {OP_opencl_std_nan,            text      },
        {OP_opencl_std_fclamp,         text      },
        {OP_glsl450_FClamp,            text      },
        {OP_glsl450_NClamp,            text      },
        {OP_opencl_std_frexp,          text      },
        {OP_glsl450_Frexp,             text      },
        {OP_glsl450_FrexpStruct,       text      },
        {OP_opencl_std_modf,           text      },
        {OP_glsl450_Modf,              text      },
        {OP_glsl450_ModfStruct,        text      },
        {OP_opencl_std_remquo,         text      },
        {OP_opencl_std_lgamma_r,       text      },
        {OP_opencl_std_mad,            formula   },
        {OP_opencl_std_mix,            formula   },
        {OP_glsl450_FMix,              formula   },
        {OP_opencl_std_smoothstep,     formula   },
        {OP_glsl450_SmoothStep,        formula   },
        {OP_opencl_std_ilogb,          integer   },
    };
    size_t n_excepted = 0;
    for (size_t i = 0; i < ARRAY_N(drawn); i++) {
        struct accuracy const a = get_accuracy(ENV_CL, drawn[i], FMT_F32);
        const struct exception *e = find(exceptions, ARRAY_N(exceptions), drawn[i]);
        if ((a.func == FUNC_NONE) != (e != NULL)) {
            fail_msg("%s: %s", op_rows[drawn[i]].name,
                     e ? "has a row FUNCTION in accuracy.def and is excepted all the same"
                       : "has no row FUNCTION in accuracy.def: anything may pass");
        }
        n_excepted += e != NULL;
    }
    assert_int_equal(n_excepted, ARRAY_N(exceptions));
}

static const char implementation[] = "implementation-defined";
static const char in_opencl[] = "no row of OpenCL's tables: held to its exact value, a divergence";
static const char by_clause[] = "a clause of its own: FTOI, CONVERT_CR, NEG_EXACT";
static const struct exception unbounded[] = {
    {OP_core_FRem,                in_opencl                               },
    {OP_core_FMod,                in_opencl                               },
    {OP_core_FNegate,             by_clause                               },
    {OP_core_FConvert,            by_clause                               },
    {OP_core_ConvertSToF,         by_clause                               },
    {OP_core_ConvertUToF,         by_clause                               },
    {OP_core_ConvertFToS,         by_clause                               },
    {OP_core_ConvertFToU,         by_clause                               },
    {OP_opencl_std_mix,           "implementation-defined but for 32 bits"},
    {OP_opencl_std_smoothstep,    "implementation-defined but for 32 bits"},
    {OP_opencl_std_lgamma,        implementation                          },
    {OP_opencl_std_lgamma_r,      implementation                          },
    {OP_opencl_std_native_cos,    implementation                          },
    {OP_opencl_std_native_divide, implementation                          },
    {OP_opencl_std_native_exp,    implementation                          },
    {OP_opencl_std_native_exp2,   implementation                          },
    {OP_opencl_std_native_exp10,  implementation                          },
    {OP_opencl_std_native_log,    implementation                          },
    {OP_opencl_std_native_log2,   implementation                          },
    {OP_opencl_std_native_log10,  implementation                          },
    {OP_opencl_std_native_powr,   implementation                          },
    {OP_opencl_std_native_recip,  implementation                          },
    {OP_opencl_std_native_rsqrt,  implementation                          },
    {OP_opencl_std_native_sin,    implementation                          },
    {OP_opencl_std_native_sqrt,   implementation                          },
    {OP_opencl_std_native_tan,    implementation                          },
};

/* Has the instruction a bound in each environment and type that it exists in? */
static bool has_bounds(enum op_id op)
{
    for (int k = 0; k < ENV_N * FMT_N; k++) {
        enum env const env = (enum env)(k % ENV_N);
        enum fmt_id const fmt = (enum fmt_id)(k / ENV_N);
        bool const exists = (op_rows[op].envs & (env == ENV_CL ? OP_CL : OP_VK)) &&
                            (op_rows[op].types & (unsigned)TYPE_F16 << fmt);
        enum accuracy_kind const kind = get_accuracy(env, op, fmt).kind;
        if (exists && (kind == ACCURACY_NONE || kind == ACCURACY_ANYTHING)) {
            return false;
        }
    }
    return true;
}

static void each_has_a_bound_or_a_reason(void **state)
{
    (void)state;
    size_t n_excepted = 0;
    for (size_t i = 0; i < ARRAY_N(drawn); i++) {
        const struct exception *e = find(unbounded, ARRAY_N(unbounded), drawn[i]);
        if (has_bounds(drawn[i]) != (e == NULL)) {
            fail_msg("%s: %s", op_rows[drawn[i]].name,
                     e ? "has rows ACCURACY in accuracy.def and is excepted all the same"
                       : "has no bound in accuracy.def");
        }
        n_excepted += e != NULL;
    }
    assert_int_equal(n_excepted, ARRAY_N(unbounded));
}

/* What was seen of an instruction. */
enum seen {
    BY_HOST = 1, /* the host knows a result */
    JUDGED = 2   /* one without a decoration was judged, and not all was permitted */
};

struct rig {
    struct arena a;
    struct testcase tc;
    struct gen_info info;
    uint8_t seen[OP_N]; /* enum seen */
};

static bool is_open(const struct rig *r, enum op_id op)
{
    const struct exception *e = find(unbounded, ARRAY_N(unbounded), op);
    int const want = e && e->reason == implementation ? BY_HOST : BY_HOST | JUDGED;
    return (r->seen[op] & want) != want;
}

/* The first instruction of which not all was seen; OP_N: there is none. */
static int find_open(const struct rig *r)
{
    for (size_t i = 0; i < ARRAY_N(drawn); i++) {
        if (is_open(r, drawn[i])) {
            return (int)drawn[i];
        }
    }
    return OP_N;
}

/* A case; is an instruction in it of which not all was seen? */
static bool make_case(struct rig *r, enum env env, uint64_t seed)
{
    struct err e = {0};
    struct tape t;
    struct rng rng = rng_seed(seed);
    arena_reset(&r->a);
    assert_int_equal(tape_random(&t, &rng, &r->a, &e), RES_OK);
    assert_int_equal(gen_case(PROFILE_MAXERROR, env, &t, &r->a, &r->tc, &r->info, &e), RES_OK);
    for (size_t i = 0; i < ARRAY_N(drawn); i++) {
        if ((r->info.math_rows[drawn[i] / 64] >> drawn[i] % 64 & 1) && is_open(r, drawn[i])) {
            return true;
        }
    }
    return false;
}

/* Results of all instructions for operands that are zero. */
static void ask_host(struct rig *r)
{
    static const struct host_modes modes = {
        .flush = {0, 0, 0}
    };
    struct err e = {0};
    struct module m;
    assert_int_equal(module_decode(&m, r->tc.module, r->tc.n_words, r->tc.entry, &r->a, &e),
                     RES_OK);
    struct exec x = {.m = &m};
    struct invocation const inv = {.regs = ARENA_NEW(&r->a, struct val, m.n_regs)};
    assert_non_null(inv.regs);
    for (uint32_t i = 0; i < m.n_code; i++) {
        int const op = op_find_number(m.code[i].op);
        struct val v, through;
        if (op >= 0 && m.code[i].part == PART_FLOAT &&
            host_apply(&x, &modes, &inv, &m.code[i], 0, &v, &through) == 1) {
            r->seen[op] |= BY_HOST;
        }
    }
}

static void judge_case(struct rig *r, uint64_t seed)
{
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    struct err e = {0};
    struct observation ob;
    struct judgement j;
    const char *facts = sim_facts_for(&r->tc, seed, &r->a);
    if (r->info.n_decorated > 0 ||
        sim_run(&r->tc, &(struct sim_device){SIM_IEEE, seed, &none, facts}, &r->a, &ob, NULL, &e) !=
            RES_OK) {
        return;
    }
    assert_int_equal(judge_run(&r->tc, &ob, &r->a, &j, &e), RES_OK);
    for (uint32_t i = 0; i < j.n_coverage; i++) {
        if (j.coverage[i].n > j.coverage[i].n_anything) {
            r->seen[j.coverage[i].op] |= JUDGED;
        }
    }
}

static void each_is_computed_by_the_host_and_judged(void **state)
{
    enum {
        MAX_CASES = 8000
    };
    (void)state;
    struct rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, (size_t)1 << 30);
    int open = find_open(r);
    assert_true(open < OP_N);
    for (uint64_t seed = 0; seed < MAX_CASES && open < OP_N; seed++) {
        if (make_case(r, (enum env)(seed % ENV_N), seed)) {
            ask_host(r);
            judge_case(r, seed);
            open = find_open(r);
        }
    }
    if (open < OP_N) {
        fail_msg("%s in %d cases: %s", op_rows[open].name, MAX_CASES,
                 r->seen[open] & BY_HOST ? "anything is permitted" : "the host does not know it");
    }
    arena_free(&r->a);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_a_function_or_a_reason),
        cmocka_unit_test(each_has_a_bound_or_a_reason),
        cmocka_unit_test(each_is_computed_by_the_host_and_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
