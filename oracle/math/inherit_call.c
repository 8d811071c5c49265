/* oracle/math/inherit_call.c -- functions on sets: each member's permitted results, outward. */
#include "oracle/math/inherit_call.h"

#include <assert.h>
#include <math.h>

#include "base/format.h"
#include "oracle/func/func.h"
#include "oracle/func/func_number.h"
#include "oracle/func/func_special.h"
#include "oracle/math/accuracy.h"
#include "oracle/num/set.h"

enum {
    POINTS_MAX = 32, /* members that are worked out one by one */
    PIECES_MAX = SET_MAX_RANGES + 7
};

struct call_row {
    uint8_t func, n_args, op_known;
    enum op_id op[ENV_N];
};
/* clang-format off */
static const struct call_row calls[WORD_N] = {
#define CALL(id, spelling, n, func, cl, vk) \
    [WORD_##id] = {FUNC_##func, n, 1, {[ENV_CL] = OP_##cl, [ENV_VK] = OP_##vk}},
#define WORD(...)
#include "oracle/math/inherit_word.def"
};
/* clang-format on */

/* One function with its row. */
struct call {
    const struct inherit_work *w;
    const struct call_row *row;
    enum func_id func;
    enum fmt_id fmt;
    enum env env;
    struct accuracy a;
};

/* --- one member each --- */

/* Zeros and infinities on the way are what C99 F.9 says, in both environments: GLSL.std.450 leaves
 * them undefined where the formulas that use them are not. */
static bool is_pole(const struct call *call, uint64_t enc)
{
    uint64_t const m = func_magnitude(&float_formats[call->fmt], enc);
    bool const has_limits = call->func == FUNC_LOG || call->func == FUNC_LOG2 ||
                            call->func == FUNC_EXP || call->func == FUNC_EXP2 ||
                            call->func == FUNC_SQRT || call->func == FUNC_RSQRT;
    return has_limits && (m == 0 || m == float_formats[call->fmt].exp);
}

enum {
    ROOT = 3 /* of rootn, which formulas have as rootn3 alone */
};

/* Adds what the function may give for these arguments as a step of a formula. Returns 0 where a
 * budget of precision ran out. */
static int add_point(const struct call *call, const uint64_t *enc, struct set *out)
{
    struct func_args args = {
        .fmt = call->fmt, .enc = {enc[0], enc[1]},
             .n = ROOT
    };
    struct set one;
    if (is_pole(call, enc[0])) { /* a zero or infinity whose limit the function has */
        if (call->func == FUNC_SQRT) {
            args.enc[0] &= ~float_formats[call->fmt].sign; /* a root's zero counts as +0 */
        }
        (void)func_get_special(call->func, ENV_CL, &args, &one);
        set_add_set(out, &one);
        return 1;
    }
    struct fp_rules rules = *call->w->rules;
    enum env env = call->env;
    if (call->func == FUNC_ATAN2 &&
        env == ENV_VK) { /* asin, acos: the root is +0, x has its sign */
        env = ENV_CL;
        rules.zero_sign_free = 0;
    }
    bool const is_certain = call->w->permits(&call->a, env, &args, &rules, &one);
    set_add_set(out, &one);
    return is_certain;
}

static int add_points(const struct call *call, const struct set *args, struct set *out)
{
    uint64_t const n[2] = {set_count(&args[0]), call->row->n_args > 1 ? set_count(&args[1]) : 1};
    int is_certain = 1;
    for (uint64_t i = 0; i < n[0] * n[1]; i++) {
        uint64_t enc[2] = {set_nth(&args[0], i % n[0]), 0};
        if (call->row->n_args > 1) {
            enc[1] = set_nth(&args[1], i / n[0]);
        }
        is_certain = add_point(call, enc, out) && is_certain;
    }
    return is_certain;
}

/* --- ranges --- */

struct pieces {
    unsigned n;
    struct set_range r[PIECES_MAX];
};

/* Cut a set into pieces of one sign, each zero and infinity apart, within which the bound of a logarithm does
 * not change. */
static void cut(const struct call *call, const struct set *s, struct pieces *out)
{
    struct float_format const *f = &float_formats[call->fmt];
    int64_t const inf = (int64_t)f->exp;
    int64_t const last_of[] = {
        -1 - inf, -2, -1, 0, (int64_t)func_power(f, -1) - 1, (int64_t)func_power(f, 1),
        inf - 1,  inf};
    out->n = set_cut(s, last_of, ARRAY_N(last_of), out->r);
    assert(out->n <= PIECES_MAX);
}

/* Monotone on each piece? */
static bool is_monotone(enum func_id func)
{
    return func == FUNC_LOG || func == FUNC_LOG2 || func == FUNC_EXP || func == FUNC_EXP2 ||
           func == FUNC_SQRT || func == FUNC_RSQRT || func == FUNC_ATAN || func == FUNC_ATAN2 ||
           func == FUNC_TRUNC || func == FUNC_FLOOR || func == FUNC_SINH;
}

/* A bound in ulps that holds throughout a piece, from those at its n corners. x - n ulp(x) falls where x passes
 * a power of two: with 2n at the corners it lies below all that follows as long as n < 2^(p-1). 0: there is none. */
static int get_wide_bound(const struct call *call, const struct func_args *corner, unsigned n,
                          struct func_bound *out)
{
    *out = (struct func_bound){.ulp = 0};
    for (unsigned i = 0; i < n; i++) {
        struct func_bound const b = accuracy_bound(&call->a, &corner[i]);
        if (b.anything) {
            return 0;
        }
        out->ulp = b.ulp > out->ulp ? b.ulp : out->ulp;
        out->absolute = b.absolute > out->absolute ? b.absolute : out->absolute;
    }
    double const limit = ldexp(1, (int)float_formats[call->fmt].prec_bits - 1);
    out->ulp *= 2;
    return out->ulp < 2 * limit;
}

/* What an inherited function gives at the corners, farther out by their own widths: its error is of
 * the order of an ulp of the result, which at most doubles beyond a corner. */
static void widen_by_width(struct set *s)
{
    struct float_format const *f = &float_formats[s->fmt];
    int64_t const inf = (int64_t)f->exp;
    if (s->n == 0) {
        return;
    }
    int64_t const lo = s->r[0].lo, hi = s->r[s->n - 1].hi, width = hi - lo;
    set_add_range(s, lo - width < -1 - inf ? -1 - inf : lo - width,
                  hi + width > inf ? inf : hi + width);
}

/* What the function may give at one corner, wide enough for all beyond it. 0: not certain. */
static int permit_corner(const struct call *call, const struct func_args *corner,
                         const struct func_bound *bound, struct set *out)
{
    if (call->a.kind != ACCURACY_INHERITED) {
        return func_permitted(call->func, call->env, corner, bound, call->w->rules, out);
    }
    bool const is_certain = call->w->permits(&call->a, call->env, corner, call->w->rules, out);
    widen_by_width(out);
    return is_certain;
}

/* Adds what a monotonic function may give on one range of each argument: the hull of its results
 * at the corners (the combinations of the ranges' ends), each widened for all that lies between.
 * Bit k of a corner's number tells which end of range k it has. The set becomes anything if the
 * bound has a gap there or a corner may give a NaN. Returns 0 where the result is not certain. */
static int add_corners(const struct call *call, const struct set_range *piece, struct set *out)
{
    struct float_format const *f = &float_formats[call->fmt];
    unsigned const n = 1U << call->row->n_args;
    struct func_args corner[4];
    struct func_bound bound = {.ulp = 0};
    struct set hull, one;
    set_clear(&hull, call->fmt);
    for (unsigned i = 0; i < n; i++) {
        corner[i] = (struct func_args){.fmt = call->fmt};
        for (unsigned k = 0; k < call->row->n_args; k++) {
            corner[i].enc[k] = format_from_key(f, (i >> k & 1) != 0 ? piece[k].hi : piece[k].lo);
        }
    }
    bool const is_bounded =
        call->a.kind == ACCURACY_INHERITED || get_wide_bound(call, corner, n, &bound);
    for (unsigned i = 0; i < n && is_bounded; i++) {
        if (!permit_corner(call, &corner[i], &bound, &one)) {
            return 0;
        }
        set_add_set(&hull, &one);
    }
    /* a NaN, or a gap of the bound, where no corner was added */
    if (hull.flags != 0 || hull.n == 0) {
        set_any(out, call->fmt);
    } else {
        set_add_range(out, hull.r[0].lo, hull.r[hull.n - 1].hi);
    }
    return 1;
}

/* Adds what the function, which is monotone, may give for all members of its arguments. Each argument is
 * cut into pieces; every combination of a piece of one and a piece of the other is taken by its corners,
 * or as a point. A function of one argument has a single piece of 0 for the other. 0: not certain. */
static int add_ranges(const struct call *call, const struct set *args, struct set *out)
{
    struct pieces x, y = {.n = 1, .r = {{0, 0}}};
    int is_certain = 1;
    cut(call, &args[0], &x);
    if (call->row->n_args > 1) {
        cut(call, &args[1], &y);
    }
    for (unsigned i = 0; i < x.n * y.n; i++) {
        struct set_range const piece[] = {x.r[i % x.n], y.r[i / x.n]};
        bool const is_point = piece[0].lo == piece[0].hi && piece[1].lo == piece[1].hi;
        if (is_point) {
            uint64_t const enc[] = {format_from_key(&float_formats[call->fmt], piece[0].lo),
                                    format_from_key(&float_formats[call->fmt], piece[1].lo)};
            is_certain = add_point(call, enc, out) && is_certain;
        } else {
            is_certain = add_corners(call, piece, out) && is_certain;
        }
    }
    return is_certain;
}

/* Computes in *out what the function `word` of a formula may give for any members of its args: a
 * few combinations one by one, more of them by ranges if the function is monotonic, else anything.
 * Returns 0 where a budget of precision ran out. */
int inherit_call(const struct inherit_work *work, enum inherit_word word, const struct set *args,
                 struct set *out)
{
    struct call_row const *row = &calls[word];
    assert(row->op_known);
    struct call const call = {.w = work,
                              .row = row,
                              .func = (enum func_id)row->func,
                              .fmt = work->v->fmt,
                              .env = work->a->query.env,
                              .a = accuracy_get_step(work->a, row->op[work->a->query.env])};
    uint64_t n_points = 1;
    unsigned flags = 0;
    set_clear(out, call.fmt);
    for (unsigned i = 0; i < row->n_args; i++) {
        uint64_t const n = set_count(&args[i]);
        bool const is_many =
            n > POINTS_MAX || n_points > POINTS_MAX; /* the product may not overflow */
        n_points = is_many ? POINTS_MAX + 1 : n_points * n;
        flags |= args[i].flags;
    }
    if (flags == 0 && n_points <= POINTS_MAX) {
        return add_points(&call, args, out);
    }
    if (flags == 0 && is_monotone(call.func)) {
        return add_ranges(&call, args, out);
    }
    set_any(out, call.fmt); /* a NaN among the arguments, or a function that is not monotonic */
    return 1;
}
