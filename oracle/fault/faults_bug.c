/* oracle/fault/faults_bug.c -- bugs of real drivers: where each arises and what it gives. */
#include "oracle/fault/faults_bug.h"

#include <math.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_origin.h"
#include "oracle/fault/faults_place.h"
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

/* The words of bugs.def. */
#define X               s->call.args.enc[0]
#define Y               s->call.args.enc[1]
#define Z               s->call.args.enc[2]
#define RIGHT           s->honest
#define SIGN            fault_format(s)->sign
#define EXPONENT        fault_format(s)->exp
#define FRACTION        fault_format(s)->frac
#define QUIET           fault_format(s)->quiet
#define EMIN            fault_format(s)->emin
#define BITS            fault_format(s)->n_bits
#define ONE             fault_one(fault_format(s))
#define HALF            (ONE - FRACTION - 1)
#define QUIET_NAN       (EXPONENT | QUIET)
#define IS_ZERO(v)      format_is_zero(fault_format(s), v)
#define IS_NAN(v)       format_is_nan(fault_format(s), v)
#define IS_INF(v)       is_in_class(s, v, FP_CLASS_INF)
#define IS_SUBNORMAL(v) format_is_subnormal(fault_format(s), v)
#define IS_FINITE(v)    fault_is_finite(fault_format(s), v)
#define TINY(v)         (((v)&EXPONENT) == 0)
#define OPERAND(i)      module_get_operand(s->m, s->in, MOD_OPERAND + (i))
#define ELEMENT         s->term[0][s->component]
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
static const struct bug {
    enum fault_id id;
    int op[3];
    bool is_second, is_open, takes_others;
    uint32_t radius;
    bool (*change)(const struct fault_math_site *s, uint64_t *out);
    uint64_t (*center)(const struct fault_math_site *s); /* NULL: radius is 0 */
} bugs[] = {
#define BUG(id, ops, types, expect, clause, second, when, gives, text)                             \
    {FAULT_##id, ops, second, false, false, 0, change_##id, NULL},
#define BUG_OPEN(id, ops, types, expect, clause, second, when, gives, text)                        \
    {FAULT_##id, ops, second, true, false, 0, change_##id, NULL},
#define BUG_OTHERS(id, ops, types, expect, clause, second, when, gives, text)                      \
    {FAULT_##id, ops, second, false, true, 0, change_##id, NULL},
#define BUG_NEAR(id, ops, types, expect, clause, second, when, gives, around, radius, text)        \
    {FAULT_##id, ops, second, false, false, radius, change_##id, center_##id},
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
