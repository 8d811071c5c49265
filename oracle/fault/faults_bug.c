/* oracle/fault/faults_bug.c -- bugs of real drivers: where each arises and what it gives. */
#include "oracle/fault/faults_bug.h"

#include <math.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/fault/faults_origin.h"
#include "oracle/func/func.h"
#include "oracle/math/accuracy.h"

static bool is_in_class(const struct fault_math_site *s, uint64_t enc, enum fp_class class)
{
    return format_classify(fault_format(s), enc) == class;
}

/* The bound that holds here, in whole ulps. */
static double get_bound(const struct fault_math_site *s)
{
    struct func_bound const b = accuracy_bound(&s->call.accuracy, &s->call.args);
    return floor(b.ulp);
}

/* The exact result rounded; of what has none the honest one. */
static uint64_t get_exact(const struct fault_math_site *s)
{
    uint64_t exact;
    return fault_get_exact(s, &exact) ? exact : s->honest;
}

/* --- lost operands: PoCL's library reads a vector that is longer than a register from the stack, and a kernel of SPIR-V
 * passes it in registers. Where the function is inlined the compiler knows that nothing was written there: it takes a value
 * that suits it, or stores none. Else the function reads what the stack holds, zeros and counts. --- */

enum {
    N_OF_LOST = 10,
    /* each byte of a buffer of results before the program runs (gen/case/gen.c) */
    OF_UNWRITTEN = 0xa5
};

static bool is_op(const struct fault_math_site *s, int op)
{
    return s->in->op == op_rows[op].number;
}

/* Returns the function's value with the same operand for each argument, or 0 if the function is unknown. */
static uint64_t apply_to(const struct fault_math_site *s, uint64_t operand)
{
    struct func_args const args = {
        .fmt = s->fmt, .enc = {operand, operand, operand}
    };
    enum func_id const func = s->call.accuracy.func;
    return func == FUNC_NONE || !s->call.has_args ? 0 : func_round(func, s->env, &args);
}

/* Returns the values that log2 and fract were observed to give for a lost operand, which are not
 * their values at zero: the least exponent and the largest number below 1. */
static uint64_t apply_badly(const struct fault_math_site *s)
{
    const struct float_format *const f = fault_format(s);
    return is_op(s, OP_opencl_std_log2)    ? fault_encode(s->fmt, f->emin - 1)
           : is_op(s, OP_opencl_std_fract) ? fault_one(f) - 1
                                           : 0;
}

/* Returns what PoCL gives in place of a result whose operands were lost. The value is one of
 * N_OF_LOST that were observed, in no particular order; s->pick chooses it. */
static uint64_t get_of_lost(const struct fault_math_site *s)
{
    const struct float_format *const f = fault_format(s);
    uint64_t const unwritten =
        UINT64_C(0x0101010101010101) * OF_UNWRITTEN & (f->sign | (f->sign - 1));
    switch (s->pick % N_OF_LOST) {
    case 0:
        return fault_one(f);
    case 1:
        return 0;
    case 2:
        return f->sign;
    case 3: /* a NaN, and last a negative one */
        return f->exp | f->quiet;
    case 4:
        return unwritten;
    case 5: /* what was not stored was to be negated */
        return unwritten ^ f->sign;
    case 6:
        return apply_to(s, 0);
    case 7: /* the stack holds a 1 */
        return apply_to(s, 1);
    case 8:
        return apply_badly(s);
    default:
        return f->sign | f->exp | f->quiet;
    }
}

/* Returns what PoCL stores through the pointer of a function whose operands were lost: for exponents, signs and
 * quotients an integer, else a float such as the cosine of zero or a part of a NaN. */
static uint64_t get_second_of_lost(const struct fault_math_site *s)
{
    bool const is_exponent = is_op(s, OP_opencl_std_frexp);
    if (!is_exponent && !is_op(s, OP_opencl_std_lgamma_r) && !is_op(s, OP_opencl_std_remquo)) {
        return s->pick % N_OF_LOST < 4 ? get_of_lost(s) : fault_one(fault_format(s));
    }
    return s->pick & 1 ? 0 : is_exponent ? (uint32_t)fault_format(s)->emin : 1;
}

/* The words of bugs.def. */
#define X                s->call.args.enc[0]
#define Y                s->call.args.enc[1]
#define Z                s->call.args.enc[2]
#define RIGHT            s->honest
#define EXACT            get_exact(s)
#define OF_LOST_OPERANDS get_of_lost(s)
#define SECOND_OF_LOST   get_second_of_lost(s)
#define SIGN             fault_format(s)->sign
#define EXPONENT         fault_format(s)->exp
#define FRACTION         fault_format(s)->frac
#define QUIET            fault_format(s)->quiet
#define EMIN             fault_format(s)->emin
#define BITS             fault_format(s)->n_bits
#define ONE              fault_one(fault_format(s))
#define HALF             (ONE - FRACTION - 1)
#define QUIET_NAN        (EXPONENT | QUIET)
#define IS_ZERO(v)       format_is_zero(fault_format(s), v)
#define IS_NAN(v)        format_is_nan(fault_format(s), v)
#define IS_INF(v)        is_in_class(s, v, FP_CLASS_INF)
#define IS_SUBNORMAL(v)  format_is_subnormal(fault_format(s), v)
#define IS_FINITE(v)     fault_is_finite(fault_format(s), v)
#define TINY(v)          (((v)&EXPONENT) == 0)
#define OPERAND(i)       module_get_operand(s->m, s->in, MOD_OPERAND + (i))
#define ELEMENT          s->term[0][s->component]
/* Is the reciprocal of the larger one of two finite operands subnormal? */
#define HAS_LARGE                                                                                  \
    (IS_FINITE(X) && IS_FINITE(Y) &&                                                               \
     fmax(fabs(DECODE(X)), fabs(DECODE(Y))) * DECODE(FRACTION + 1) > 1)
#define HALF_PI 0x1.921fb54442d18p0
/* A number below 2^-7 of several, with the exponent of that in place of its own. */
#define IS_LIFTED   (s->n_components > 1 && fabs(DECODE(X)) < 0x1p-7)
#define LIFTED      DECODE((X & ~EXPONENT) | ENCODE(0x1p-7))
#define IS(op_name) (s->in->op == op_rows[OP_##op_name].number)
#define BOUND       get_bound(s)
#define DECODE(v)   fault_decode(s->fmt, v)
#define ENCODE(v)   fault_encode(s->fmt, (double)(v))

/* A function for each row. */
#define BUG(id, ops, types, expect, clause, second, when, gives, text)                             \
    static bool change_##id(const struct fault_math_site *s, uint64_t *out)                        \
    {                                                                                              \
        if (!(when)) {                                                                             \
            return false;                                                                          \
        }                                                                                          \
        *out = (uint64_t)(gives);                                                                  \
        return true;                                                                               \
    }
#define BUG_OPEN   BUG
#define BUG_OTHERS BUG
/* And what the numbers that it may give are around. */
#define BUG_NEAR(id, ops, types, expect, clause, second, when, gives, around, radius, text)        \
    BUG(id, ops, types, expect, clause, second, when, gives, text)                                 \
    static uint64_t center_##id(const struct fault_math_site *s)                                   \
    {                                                                                              \
        return (uint64_t)(around);                                                                 \
    }
#define BUG_AMONG(id, ops, types, expect, clause, second, when, gives, n, text)                    \
    BUG(id, ops, types, expect, clause, second, when, gives, text)
#include "oracle/fault/bugs.def"

#define OPS(a, b) OPS_3(a, b, b)
#define OPS_3(a, b, c)                                                                             \
    {                                                                                              \
        OP_##a, OP_##b, OP_##c                                                                     \
    }
#define ANY_FUNCTION                                                                               \
    {                                                                                              \
        -1, -1, -1                                                                                 \
    }
enum {
    N_CHOICES = 4 /* of a row that says nothing else */
};
static const struct bug {
    enum fault_id id;
    int op[3];
    bool is_second, is_open, takes_others;
    uint32_t radius, n_choices;
    bool (*change)(const struct fault_math_site *s, uint64_t *out);
    uint64_t (*center)(const struct fault_math_site *s); /* NULL: radius is 0 */
} bugs[] = {
#define BUG(id, ops, types, expect, clause, second, when, gives, text)                             \
    {FAULT_##id, ops, second, false, false, 0, N_CHOICES, change_##id, NULL},
#define BUG_OPEN(id, ops, types, expect, clause, second, when, gives, text)                        \
    {FAULT_##id, ops, second, true, false, 0, N_CHOICES, change_##id, NULL},
#define BUG_OTHERS(id, ops, types, expect, clause, second, when, gives, text)                      \
    {FAULT_##id, ops, second, false, true, 0, N_CHOICES, change_##id, NULL},
#define BUG_NEAR(id, ops, types, expect, clause, second, when, gives, around, radius, text)        \
    {FAULT_##id, ops, second, false, false, radius, N_CHOICES, change_##id, center_##id},
#define BUG_AMONG(id, ops, types, expect, clause, second, when, gives, n, text)                    \
    {FAULT_##id, ops, second, false, false, 0, n, change_##id, NULL},
#include "oracle/fault/bugs.def"
};

static const struct bug *find_bug(enum fault_id id)
{
    for (size_t i = 0; i < ARRAY_N(bugs); i++) {
        if (bugs[i].id == id) {
            return &bugs[i];
        }
    }
    return NULL;
}

bool fault_is_bug(enum fault_id id)
{
    return find_bug(id) != NULL;
}

bool fault_bug_is_second(enum fault_id id)
{
    const struct bug *const bug = find_bug(id);
    return bug && bug->is_second;
}

bool fault_is_open(enum fault_id id)
{
    const struct bug *const bug = find_bug(id);
    return bug && bug->is_open;
}

bool fault_bug_is_about(enum fault_id id, int op)
{
    const struct bug *const bug = find_bug(id);
    return bug && (bug->op[0] < 0 || bug->op[0] == op || bug->op[1] == op || bug->op[2] == op);
}

bool fault_change_bug(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    return fault_bug_is_about(id, op_find_number(s->in->op)) && find_bug(id)->change(s, out);
}

bool fault_bug_takes_others(enum fault_id id)
{
    const struct bug *const bug = find_bug(id);
    return bug && bug->takes_others;
}

uint32_t fault_count_choices(enum fault_id id)
{
    const struct bug *const bug = find_bug(id);
    return bug ? bug->n_choices : N_CHOICES;
}

uint32_t fault_bug_get_radius(enum fault_id id)
{
    const struct bug *const bug = find_bug(id);
    return bug ? bug->radius : 0;
}

bool fault_center_bug(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    if (!fault_change_bug(id, s, out)) {
        return false;
    }
    *out = find_bug(id)->center(s);
    return true;
}
