/* oracle/math/accuracy.c -- accuracy.def as a table, and bounds that depend on the arguments. */
#include "oracle/math/accuracy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "oracle/math/inherit_program.h"
#include "oracle/num/real.h"

/* Bounds that depend on the arguments; a and b are parameters of the row. */
enum accuracy_formula {
    FORM_EXP,       /* a + 2 |x| ulps */
    FORM_EXP_FLOOR, /* a + floor(2 |x|) ulps */
    FORM_LOGARITHM, /* b absolute for x in [0.5, 2], else a ulps */
    FORM_WITHIN_PI, /* a absolute for x in [-pi, pi], else nothing */
    FORM_WITHIN_1,  /* a absolute for x in [-1, 1], else nothing */
    FORM_DIVIDE,    /* a ulps for y = 0 or |y| in 2^-b to 2^b, else nothing */
    FORM_DIVIDE_62, /* a ulps for 1 / x in 2^-126 to 2^126, x / y in 2^-62 to 2^62, else nothing */
    FORM_HALF_TRIG, /* a ulps for x in -2^16 to 2^16, else nothing */
    FORM_DOT,       /* (2n - 1) a max^2 absolute */
    FORM_CROSS      /* 3 a max^2 absolute */
};

enum table_id {
    TABLE_CL_FULL,
    TABLE_CL_EMBEDDED,
    TABLE_CL_UNSAFE,
    TABLE_CL_UNSAFE_EMBEDDED,
    TABLE_VK_CORE,
    TABLE_VK_GLSL
};
enum {
    TABLE_N = TABLE_VK_GLSL + 1
};

enum cell_kind {
    CELL_EMPTY, /* no row here: the next table */
    CELL_BOUND,
    CELL_PER_COMPONENT,
    CELL_SINGLE,
    CELL_NO_TYPE
};
struct cell {
    uint8_t cell_kind, kind, formula;
    double a, b;
};
struct row {
    struct cell cell[FMT_N];
    const char *source, *note;
};

#define CE                        "OpenCL-Docs@1fb076b env/numerical_compliance.asciidoc"
#define VE                        "Vulkan-Docs@090f1b1 appendices/spirvenv.adoc, precision"
#define SOURCE_CL_FULL            CE ", full profile"
#define SOURCE_CL_EMBEDDED        CE ", embedded profile"
#define SOURCE_CL_UNSAFE          CE ", -cl-unsafe-math-optimizations"
#define SOURCE_CL_UNSAFE_EMBEDDED CE ", -cl-unsafe-math-optimizations, embedded profile"
#define SOURCE_VK_CORE            VE " of core SPIR-V instructions"
#define SOURCE_VK_GLSL            VE " of GLSL.std.450 instructions"

/* clang-format off */
#define ULP(n)          {CELL_BOUND, ACCURACY_ULP, 0, n, 0}
#define ULPS(n, m)      {CELL_PER_COMPONENT, ACCURACY_ULP, 0, n, m}
#define CR              {CELL_BOUND, ACCURACY_ROUNDED, 0, 0, 0}
#define EXACT           {CELL_BOUND, ACCURACY_EXACT, 0, 0, 0}
#define ANY             {CELL_BOUND, ACCURACY_ANYTHING, 0, 0, 0}
#define ABS(e)          {CELL_BOUND, ACCURACY_ABSOLUTE, 0, e, 0}
#define FORM(id, x)     {CELL_BOUND, ACCURACY_FORMULA, FORM_##id, x, 0}
#define FORM2(id, x, y) {CELL_BOUND, ACCURACY_FORMULA, FORM_##id, x, y}
#define INHERIT(id)     {CELL_BOUND, ACCURACY_INHERITED, INHERIT_VK_##id, 0, 0}
#define DERIVED(id, n)  {CELL_BOUND, ACCURACY_INHERITED, INHERIT_CL_##id, n, 0}
#define SINGLE          {CELL_SINGLE, 0, 0, 0, 0}
#define SAME            {CELL_EMPTY, 0, 0, 0, 0}
#define NA              {CELL_NO_TYPE, 0, 0, 0, 0}
static const struct row rows[TABLE_N][OP_N] = {
#define ACCURACY(table, set, name, f16, f32, f64, text) \
    [TABLE_##table][OP_##set##_##name] = {{f16, f32, f64}, SOURCE_##table, text},
#include "oracle/math/accuracy.def"
};
/* clang-format on */

/* FUNC_NONE is 0 here: one more than the id of func.def. */
static const uint8_t functions[OP_N] = {
#define FUNCTION(set, name, func) [OP_##set##_##name] = FUNC_##func + 1,
#include "oracle/math/accuracy.def"
};

/* The row of the tables for the instruction in the first table that has one; NULL: none has. In OpenCL
 * what is special, unsafe mathematics or the embedded profile, goes before the full profile. */
static const struct row *find_row(const struct accuracy_query *query, int op)
{
    static const enum table_id tables[ENV_N][4] = {
        [ENV_CL] = {TABLE_CL_UNSAFE_EMBEDDED, TABLE_CL_UNSAFE, TABLE_CL_EMBEDDED, TABLE_CL_FULL},
        [ENV_VK] = {TABLE_VK_CORE,            TABLE_VK_GLSL,   TABLE_VK_CORE,     TABLE_VK_GLSL},
    };
    for (unsigned i = 0; i < 4; i++) {
        enum table_id const t = tables[query->env][i];
        bool const is_unsafe = t == TABLE_CL_UNSAFE || t == TABLE_CL_UNSAFE_EMBEDDED;
        bool const is_embedded = t == TABLE_CL_EMBEDDED || t == TABLE_CL_UNSAFE_EMBEDDED;
        if ((is_unsafe && !query->relaxed) || (is_embedded && query->full_profile)) {
            continue;
        }
        if (rows[t][op].cell[query->fmt].cell_kind != CELL_EMPTY) {
            return &rows[t][op];
        }
    }
    return NULL;
}

/* CE numerics: -cl-fp32-correctly-rounded-divide-sqrt; a row for relaxed mathematics is looser. */
static bool is_rounded_by_option(const struct accuracy_query *query, int op, const struct row *row)
{
    return query->env == ENV_CL && query->rounded_divide && query->fmt == FMT_F32 &&
           (op == OP_core_FDiv || op == OP_opencl_std_sqrt) && row != &rows[TABLE_CL_UNSAFE][op] &&
           row != &rows[TABLE_CL_UNSAFE_EMBEDDED][op];
}

/* Sets kind and bound of `a` from cell c of accuracy.def. The cell's a and b are the arguments of its macro: a the
 * ulps or the absolute error, b the ulps for each component, or both the parameters of a formula. a->scale is the
 * size of one ulp of the bound in ulps of the format: 2^29 where f64 has only f32's accuracy, else 1. */
static void set_bound(struct accuracy *a, const struct cell *c)
{
    double const per_component =
        c->cell_kind == CELL_PER_COMPONENT ? c->b * (double)a->query.n_components : 0;
    a->kind = (enum accuracy_kind)c->kind;
    a->formula = c->formula;
    a->param[0] = c->a;
    a->param[1] = c->b;
    switch (a->kind) {
    case ACCURACY_ULP:
        a->bound.ulp = (c->a + per_component) * a->scale;
        break;
    case ACCURACY_ROUNDED:
        if (a->scale > 1) { /* held to f32: correctly rounded there is within one of its ulps */
            a->kind = ACCURACY_ULP;
            a->bound.ulp = a->scale;
        }
        break;
    case ACCURACY_INHERITED: /* permitted besides what the formula gives */
        a->bound.ulp = c->a;
        break;
    case ACCURACY_ABSOLUTE:
        a->bound.absolute = c->a;
        break;
    case ACCURACY_ANYTHING:
        a->bound.anything = 1;
        break;
    case ACCURACY_NONE:
    case ACCURACY_EXACT:
    case ACCURACY_FORMULA:
        break;
    }
}

/* Returns how inaccurate the result of the query's instruction may be: the row of the environment's table, changed
 * by options and profile. Without a row for the type the kind stays NONE. */
struct accuracy accuracy_get(const struct accuracy_query *query)
{
    static double const f32_ulp_in_f64 = 0x1p29; /* 53 - 24 bits */
    int const op = op_find_number(query->op);
    struct accuracy a = {.func = FUNC_NONE, .source = "", .note = "", .scale = 1, .query = *query};
    assert(op >= 0);
    if (functions[op] != 0) { /* 1 + the function; 0: the instruction is none */
        a.func = (enum func_id)(functions[op] - 1);
    }
    const struct row *row = find_row(query, op);
    const struct cell *cell = row ? &row->cell[query->fmt] : NULL;
    if (!cell || cell->cell_kind == CELL_NO_TYPE) {
        return a;
    }
    /* accuracy.def has rows of the embedded profile only where they differ from the full profile */
    bool const is_same_row =
        query->env == ENV_CL && !query->full_profile && row == &rows[TABLE_CL_FULL][op];
    a.source = is_same_row ? SOURCE_CL_EMBEDDED : row->source;
    a.note = row->note;
    if (is_rounded_by_option(query, op, row)) {
        a.kind = ACCURACY_ROUNDED;
        return a;
    }
    if (cell->cell_kind == CELL_SINGLE) { /* f64 as precise as f32: its ulps, unless strict */
        a.scale = query->strict_f64 ? 1 : f32_ulp_in_f64;
        cell = &row->cell[FMT_F32];
    }
    set_bound(&a, cell);
    return a;
}

struct accuracy accuracy_get_step(const struct accuracy *a, enum op_id op)
{
    struct accuracy_query query = a->query;
    query.op = op_rows[op].number;
    query.n_components = 1;
    return accuracy_get(&query);
}

/* The accuracy under a max-error decoration: the function and its operands as without it, but this bound
 * in ulps. */
struct accuracy accuracy_decorated(const struct accuracy_query *query, uint32_t literal_bits)
{
    struct accuracy a = accuracy_get(query);
    a.source = "SPV_INTEL_fp_max_error, FPMaxErrorDecorationINTEL";
    a.note = "";
    a.is_decorated = 1;
    a.scale = 1;
    a.bound = (struct func_bound){.ulp = 0};
    if (literal_bits == 0 ||
        literal_bits >= 0x7f800000) { /* no positive number: the sign is the top bit */
        a.kind = ACCURACY_ANYTHING;
        a.bound.anything = 1;
        a.is_illegal = 1;
        return a;
    }
    a.kind = ACCURACY_ULP;
    a.bound.ulp = accuracy_magnitude(FMT_F32, literal_bits);
    return a;
}

/* Returns the clause that a result outside of the bound violates, by where the bound comes from: a
 * decoration, f64 with f32's accuracy, or the kind of the row and, in OpenCL, whether the table
 * for unsafe mathematics was requested. */
enum clause_id accuracy_get_clause(const struct accuracy *a)
{
    if (a->is_illegal) {
        return CLAUSE_MAX_ERROR_VALUE;
    }
    if (a->is_decorated) {
        return CLAUSE_MAX_ERROR;
    }
    if (a->scale > 1) {
        return CLAUSE_MATH_F64;
    }
    switch (a->kind) {
    case ACCURACY_NONE:
        return CLAUSE_MATH_NO_ROW;
    case ACCURACY_ULP:
    case ACCURACY_ABSOLUTE:
    case ACCURACY_FORMULA:
        return a->query.env == ENV_CL && a->query.relaxed ? CLAUSE_MATH_RELAXED : CLAUSE_MATH_ULP;
    case ACCURACY_ROUNDED:
    case ACCURACY_EXACT:
        return CLAUSE_MATH_EXACT;
    case ACCURACY_ANYTHING:
        return CLAUSE_MATH_IMPL;
    case ACCURACY_INHERITED:
        if (a->query.env == ENV_VK) {
            return CLAUSE_MATH_INHERITED;
        }
        return a->query.relaxed ? CLAUSE_MATH_RELAXED : CLAUSE_MATH_EXACT;
    }
    assert(0 && "accuracy_kind out of range");
    return CLAUSE_NONE;
}

int accuracy_is_unsatisfiable(const struct accuracy *a)
{
    return a->kind == ACCURACY_ULP && a->bound.ulp < 0.5;
}

/* --- bounds that depend on the arguments --- */

double accuracy_magnitude(enum fmt_id fmt, uint64_t enc)
{
    struct float_format const *f = &float_formats[fmt];
    uint64_t const magnitude = enc & ~f->sign;
    if (magnitude >= f->exp) {
        return (double)INFINITY;
    }
    struct real const x = real_of(f, magnitude);
    return ldexp((double)x.sig, x.exp); /* exact: at most 53 bits of sig are set */
}

/* a + b, not below it; neither is negative. */
static double add_up(double a, double b)
{
    double const sum = a + b;
    return sum - a < b ? nextafter(sum, (double)INFINITY) : sum;
}

/* The largest number of each format that is not above pi. */
static const uint64_t below_pi[FMT_N] = {0x4248, 0x40490fda, UINT64_C(0x400921fb54442d18)};

/* Is x a number within 2^-e to 2^e? */
static bool is_within(double x, int e)
{
    return x >= ldexp(1, -e) && x <= ldexp(1, e);
}

static bool is_within_pi(const struct func_args *args)
{
    return (args->enc[0] & ~float_formats[args->fmt].sign) <= below_pi[args->fmt];
}

/* Returns the bound at these arguments, in ulps or absolute, or `anything` where the formula has
 * no bound there. Formulas are those of enum accuracy_formula: param[0] is their a, param[1] their
 * b; x and y are the magnitudes of the arguments, with infinity for a NaN. */
struct func_bound accuracy_bound(const struct accuracy *a, const struct func_args *args)
{
    if (a->kind != ACCURACY_FORMULA) {
        return a->bound;
    }
    static const struct func_bound anything = {.anything = 1};
    struct func_bound ulps = {.ulp = a->param[0] * a->scale};
    struct func_bound const absolute = {.absolute = a->param[0]};
    struct func_bound const near_one = {.absolute = a->param[1]}; /* of logarithms */
    double const x = accuracy_magnitude(args->fmt, args->enc[0]);
    double const y = accuracy_magnitude(args->fmt, args->enc[1]);
    bool const is_x_one = !(x < 1) && !(x > 1);
    switch ((enum accuracy_formula)a->formula) {
    case FORM_EXP: /* of an infinity or a NaN the result is prescribed, and needs no bound by x */
        ulps.ulp = isfinite(x) ? add_up(a->param[0], 2 * x) * a->scale : a->param[0];
        return ulps;
    case FORM_EXP_FLOOR:
        ulps.ulp = isfinite(x) ? a->param[0] + floor(2 * x) : a->param[0];
        return ulps;
    case FORM_LOGARITHM:
        return x >= 0.5 && x <= 2 ? near_one : ulps;
    case FORM_WITHIN_PI:
        return is_within_pi(args) ? absolute : anything;
    case FORM_WITHIN_1:
        return x <= 1 ? absolute : anything;
    case FORM_DIVIDE:
        return !(y > 0) || is_within(y, (int)a->param[1]) ? ulps : anything;
    case FORM_DIVIDE_62:
        if (is_x_one && is_within(y, 126)) {
            return ulps;
        }
        return is_within(x, 62) && is_within(y, 62) ? ulps : anything;
    case FORM_HALF_TRIG:
        return x <= 0x1p16 ? ulps : anything;
    case FORM_DOT:
    case FORM_CROSS:
        return anything; /* of vectors alone: accuracy_vector_bound */
    }
    assert(0 && "accuracy_formula out of range");
    return anything;
}

static bool is_same_bound(const struct func_bound *x, const struct func_bound *y)
{
    bool const has_same_ulp = !(x->ulp < y->ulp) && !(x->ulp > y->ulp);
    bool const has_same_absolute = !(x->absolute < y->absolute) && !(x->absolute > y->absolute);
    return x->anything == y->anything && has_same_ulp && has_same_absolute;
}

/* On an interval of one sign a bound that grows with |x| is smallest at its first point; one that changes
 * at the borders of regions is the same throughout where it is the same at both ends. 0 also of what is no
 * formula. */
int accuracy_find_least(const struct accuracy *a, enum fmt_id fmt, uint64_t first, uint64_t last,
                        struct func_bound *out)
{
    struct float_format const *const f = &float_formats[fmt];
    struct func_args const at_first = {.fmt = fmt, .enc = {first}};
    struct func_args const at_last = {.fmt = fmt, .enc = {last}};
    bool const is_of_one_sign = ((first ^ last) & f->sign) == 0;
    if (a->kind != ACCURACY_FORMULA || (last & ~f->sign) >= f->exp || !is_of_one_sign) {
        return 0;
    }
    if (a->formula == FORM_WITHIN_1) { /* sinpi and cospi have prescribed values outside as well */
        return 0;
    }
    *out = accuracy_bound(a, &at_first);
    struct func_bound const other = accuracy_bound(a, &at_last);
    bool const grows = a->formula == FORM_EXP || a->formula == FORM_EXP_FLOOR;
    return grows || is_same_bound(out, &other);
}

/* max: the largest magnitude of a component; the bound is absolute, rounded up. */
struct func_bound accuracy_vector_bound(const struct accuracy *a,
                                        const struct accuracy_operands *operands)
{
    double const n = (double)operands->n_components;
    double max = 0;
    if (a->kind != ACCURACY_FORMULA) {
        return a->bound;
    }
    for (unsigned i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < operands->n_components; k++) {
            max = fmax(max, accuracy_magnitude(operands->fmt, operands->enc[i][k]));
        }
    }
    double const factor = a->param[0] * (a->formula == FORM_DOT ? 2 * n - 1 : 3);
    double const bound = max * max * factor;
    struct func_bound const b = {.absolute = nextafter(bound, (double)INFINITY)};
    return isfinite(b.absolute) ? b : (struct func_bound){.anything = 1};
}
