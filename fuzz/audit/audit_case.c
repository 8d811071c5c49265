/* fuzz/audit/audit_case.c -- the result that tells most of a form: its worst wrong one, or its largest error. */
#include "fuzz/audit/audit_case.h"

#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "fuzz/audit/audit_plan.h"
#include "oracle/func/func.h"
#include "oracle/func/func_decimal.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_permitted.h"

/* Significant digits of an exact value: what tells an error of 1/1000 ulp. */
static const unsigned n_digits[FMT_N] = {[FMT_F16] = 9, [FMT_F32] = 13, [FMT_F64] = 21};

/* A form, and what its results are measured by. */
struct subject {
    const struct audit_row *row;
    enum env env;
    struct sweep_form form;
    struct fp_rules rules;
};

static double get_size(double error)
{
    return error < 0 ? -error : error;
}

static struct func_args make_args(const struct audit_row *row, const uint64_t *arg)
{
    const struct func_row *const f = &func_rows[row->func];
    struct func_args args = {.fmt = row->fmt};
    for (unsigned i = 0; i < f->n_args; i++) {
        args.enc[i] = arg[i];
    }
    args.n = f->has_int ? (int32_t)(uint32_t)arg[f->n_args] : 0;
    return args;
}

/* How far the permitted result goes that is farthest on the side of the error, in ulps: where a bound is inherited. */
static double measure_permitted(const struct subject *s, const struct func_args *args, double error)
{
    const struct float_format *const f = &float_formats[args->fmt];
    struct set allowed;
    double edge = 0;
    if (!accuracy_permitted(&s->form.rule, s->env, args, &s->rules, &allowed) ||
        (allowed.flags & SET_ANY) || allowed.n == 0) {
        return 0;
    }
    int64_t const key = error > 0 ? allowed.r[allowed.n - 1].hi : allowed.r[0].lo;
    enum func_error const kind =
        func_get_error(s->row->func, s->env, args, format_from_key(f, key), &edge);
    return kind == FUNC_ERROR_MEASURED && (edge > 0) == (error > 0) ? get_size(edge) : 0;
}

/* The bound at the arguments of w, in ulps of the exact value; 0: none, or none that is a number. */
static double get_bound(const struct subject *s, const struct sweep_worst *w)
{
    static const double half = 0.5; /* of a correctly rounded result */
    static const double largest = 0x1.fffffffffffffp+1023;
    struct func_args const args = make_args(s->row, w->arg);
    if (!s->form.has_bound) {
        return 0;
    }
    if (s->form.has_rule && s->form.rule.kind == ACCURACY_INHERITED) {
        return measure_permitted(s, &args, w->error);
    }
    struct func_bound const b =
        s->form.has_rule ? accuracy_bound(&s->form.rule, &args) : s->form.bound;
    if (b.anything) {
        return 0;
    }
    double bound = b.ulp > 0 || b.absolute > 0 ? b.ulp : half;
    if (b.absolute > 0) {
        double const distance = func_get_distance(s->row->func, s->env, &args, w->got);
        double const absolute = distance > 0 ? b.absolute / distance * get_size(w->error) : 0;
        bound = absolute > bound ? absolute : bound;
    }
    return bound <= largest ? bound : 0;
}

/* Take w if its error is the larger one: by its bound, or, where there are no bounds, by itself. */
static void consider(const struct subject *s, const struct sweep_worst *w, struct audit_case *best)
{
    double const bound = get_bound(s, w);
    double const ratio = bound > 0 ? get_size(w->error) / bound : 0;
    bool const is_first = best->kind == AUDIT_CASE_NONE;
    bool const is_more = ratio > best->ratio || (!(ratio < best->ratio) &&
                                                 get_size(w->error) > get_size(best->worst.error));
    if (is_first || is_more) {
        *best = (struct audit_case){
            .kind = AUDIT_CASE_LARGEST, .worst = *w, .bound_ulp = bound, .ratio = ratio};
    }
}

/* consider() of a kept result. One that is kept though its error is past the bound is so by another right, as its operand
 * was read as zero, and says nothing of how near the function is to its bound: then false. */
static bool consider_kept(const struct subject *s, const struct sweep_worst *w,
                          struct audit_case *best)
{
    static const double slack = 1e-6; /* of errors that are the bound */
    double const bound = get_bound(s, w);
    bool const is_within = !(bound > 0) || get_size(w->error) <= bound * (1 + slack);
    if (is_within) {
        consider(s, w, best);
    }
    return is_within;
}

/* Those of the kept results that may be the worst by their bounds: where bounds differ, or the largest errors are kept
 * by another right, of each slice of the inputs the largest error. */
static void find_largest(const struct subject *s, const struct sweep_result *r,
                         struct audit_case *best)
{
    bool is_enough = !s->form.has_rule && !(s->form.bound.absolute > 0);
    is_enough &= consider_kept(s, &r->above, best);
    is_enough &= consider_kept(s, &r->below, best);
    for (uint32_t i = 0; i < SWEEP_PLOT && s->form.has_bound && !is_enough; i++) {
        if (r->plot[i].error > 0 || r->plot[i].error < 0) {
            (void)consider_kept(s, &r->plot[i], best);
        }
    }
}

static struct audit_case find(const struct subject *s, const struct sweep_result *r)
{
    struct audit_case best = {.kind = AUDIT_CASE_NONE};
    for (uint64_t i = 0; i < r->n_broken && i < SWEEP_WORST; i++) {
        consider(s, &r->broken[i], &best);
        best.kind = AUDIT_CASE_BOUND;
    }
    if (r->n_broken > 0) {
        return best;
    }
    if (r->n_special > 0 || r->n_zero_sign > 0) {
        bool const is_special = r->n_special > 0;
        best.kind = is_special ? AUDIT_CASE_SPECIAL : AUDIT_CASE_ZERO;
        memcpy(best.worst.arg, is_special ? r->special_arg[0] : r->zero_arg[0],
               sizeof best.worst.arg);
        best.worst.got = is_special ? r->special_got[0] : r->zero_got[0];
    } else if (r->n_numbers > 0) {
        find_largest(s, r, &best);
    }
    return best;
}

/* Keep w in *largest if it is farther on its side. */
static void keep_larger(const struct sweep_worst *w, struct sweep_worst *largest)
{
    if (get_size(w->error) > get_size(largest->error)) {
        *largest = *w;
    }
}

/* Where the bound applies to a part of the arguments only, leave in r->above and r->below the largest known errors in
 * that part. Returns the largest |error| outside; 0: there is none. */
static double take_outside(const struct subject *s, struct sweep_result *r)
{
    struct sweep_worst above = {.error = 0}, below = {.error = 0};
    double outside = 0;
    for (uint32_t i = 0; i < SWEEP_PLOT + 2 && s->form.has_bound && s->form.has_rule; i++) {
        const struct sweep_worst *const w = i < SWEEP_PLOT    ? &r->plot[i]
                                            : i == SWEEP_PLOT ? &r->above
                                                              : &r->below;
        if (!(get_size(w->error) > 0)) {
            continue;
        }
        if (get_bound(s, w) > 0) {
            keep_larger(w, w->error > 0 ? &above : &below);
        } else if (get_size(w->error) > outside) {
            outside = get_size(w->error);
        }
    }
    if (outside > 0 && (get_size(above.error) > 0 || get_size(below.error) > 0)) {
        r->above = above;
        r->below = below;
        return outside;
    }
    return 0;
}

const char *audit_case_show_exact(const struct audit_row *row, enum env env,
                                  const struct sweep_worst *w, struct arena *a)
{
    struct func_args const args = make_args(row, w->arg);
    return func_show_exact(row->func, env, &args, n_digits[row->fmt], a);
}

void audit_case_find(struct audit_row *row, enum env env, const char *facts, struct arena *a)
{
    for (uint32_t i = 0; i < row->n_forms; i++) {
        struct subject const s = {.row = row,
                                  .env = env,
                                  .form = audit_get_form(row, i, env),
                                  .rules = audit_get_rules(env, row->fmt, facts)};
        struct audit_case c = find(&s, &row->result[i]);
        if (c.kind != AUDIT_CASE_NONE) {
            c.exact = audit_case_show_exact(row, env, &c.worst, a);
        }
        c.outside = take_outside(&s, &row->result[i]);
        row->found[i] = c;
    }
}
