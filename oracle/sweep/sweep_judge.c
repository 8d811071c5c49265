/* oracle/sweep/sweep_judge.c -- one result by MPFR. */
#include "oracle/sweep/sweep_judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "oracle/func/func.h"
#include "oracle/func/func_row.h"
#include "oracle/func/func_special.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/num/set.h"
#include "oracle/sweep/sweep_reference.h"

struct one {
    struct func_args args;
    uint64_t arg[SWEEP_ARGS];          /* as they are reported */
    const struct sweep_reference *ref; /* or NULL: every question is asked anew */
    uint64_t got;
    int permitted; /* 1, 0, or -1: not decided */
};

static void put_special(struct sweep_result *r, const struct one *o)
{
    if (r->n_special < SWEEP_WORST) {
        memcpy(r->special_arg[r->n_special], o->arg, sizeof o->arg);
        r->special_got[r->n_special] = o->got;
    }
    r->n_special++;
}

static void put_zero(struct sweep_result *r, const struct one *o)
{
    if (r->n_zero_sign < SWEEP_WORST) {
        memcpy(r->zero_arg[r->n_zero_sign], o->arg, sizeof o->arg);
        r->zero_got[r->n_zero_sign] = o->got;
    }
    r->n_zero_sign++;
}

static void put_number(struct sweep *s, uint32_t form, const struct one *o, double error,
                       uint64_t rounded)
{
    struct float_format const *f = &float_formats[s->fmt];
    struct sweep_result *const r = &s->result[form];
    struct sweep_worst const w = {
        error, {o->arg[0], o->arg[1], o->arg[2]},
         o->got
    };
    /* A zero that a neighbour of the exact value would not explain. */
    int const is_lost = format_is_zero(f, o->got) && fabs(error) >= 1;
    if (is_lost && !(rounded & f->exp) && !format_is_zero(f, rounded)) {
        r->n_flushed++;
        if (o->permitted == 1) {
            return;
        }
    }
    r->n_numbers++;
    /* where the sign of a zero is left open either is right */
    r->n_rounded += o->got == rounded ||
                    (format_is_zero(f, o->got) && format_is_zero(f, rounded) && o->permitted == 1);
    r->sum_error += fabs(error);
    r->histogram[sweep_get_bin(fabs(error))]++;
    sweep_put_largest(s, form, &w);
    if (format_is_zero(f, o->got) && ((o->got ^ rounded) & f->sign) && o->permitted != 1) {
        put_zero(r, o);
    } else if (o->permitted == 0) {
        sweep_put_broken(r, &w);
    }
}

/* Is `got` permitted? A form without a bound permits whatever the bound could have a say in. */
static int is_permitted(const struct sweep *s, uint32_t form, const struct one *o)
{
    struct sweep_form const *const m = &s->form[form];
    struct set allowed;
    if (!m->has_bound || m->bound.anything) {
        return 1;
    }
    if (o->ref && !m->has_rule && m->bound.ulp <= DBL_MAX && m->bound.absolute <= DBL_MAX) {
        int const permits = sweep_reference_permits(o->ref, s, &m->bound, o->got);
        if (permits >= 0) {
            return permits;
        }
    }
    int const is_certain =
        m->has_rule ? accuracy_permitted(&m->rule, s->env, &o->args, &s->rules, &allowed)
                    : func_permitted(s->func, s->env, &o->args, &m->bound, &s->rules, &allowed);
    if (!is_certain) {
        return -1;
    }
    return set_has(&allowed, o->got) != 0;
}

/* Special values and zeros are prescribed for a form without a bound as well. */
static void judge_special(struct sweep *s, uint32_t form, const struct one *o, uint64_t rounded)
{
    struct float_format const *f = &float_formats[s->fmt];
    struct sweep_form const *const m = &s->form[form];
    if (o->permitted == 1 && m->has_bound) {
        return;
    }
    if (format_is_zero(f, o->got) && format_is_zero(f, rounded)) {
        put_zero(&s->result[form], o);
    } else {
        put_special(&s->result[form], o);
    }
}

/* The integer after the float arguments, from its low bits. */
static int32_t to_integer(enum fmt_id fmt, uint64_t bits)
{
    return fmt == FMT_F16 ? (int16_t)(uint16_t)bits : (int32_t)(uint32_t)bits;
}

static struct one load_one(const struct sweep *s, uint32_t form, const struct sweep_block *b,
                           uint32_t i)
{
    const void *const buffers[SWEEP_ARGS] = {b->x, b->y, b->z};
    const struct func_row *const f = &func_rows[s->func];
    struct one o = {.args = {.fmt = s->fmt}, .got = sweep_load(s->fmt, b->got[form], i)};
    for (unsigned k = 0; k < SWEEP_ARGS && buffers[k]; k++) {
        o.arg[k] = sweep_load(s->fmt, buffers[k], i);
        if (k < f->n_args) {
            o.args.enc[k] = o.arg[k];
        } else {
            o.args.n = to_integer(s->fmt, o.arg[k]);
            o.arg[k] = (uint32_t)o.args.n;
        }
    }
    return o;
}

static int get_error(const struct sweep *s, const struct one *o, double *error)
{
    if (o->ref) {
        int const kind = sweep_reference_measure(o->ref, s, o->got, error);
        if (kind <= 0) {
            return kind;
        }
    }
    return func_get_error(s->func, s->env, &o->args, o->got, error);
}

static void judge(struct sweep *s, uint32_t form, struct one *o)
{
    struct float_format const *f = &float_formats[s->fmt];
    struct sweep_result *const r = &s->result[form];
    double error = 0;
    r->n++;
    r->n_slow++;
    o->permitted = is_permitted(s, form, o);
    if (o->permitted < 0) {
        r->n_undecided++;
        return;
    }
    int const kind = get_error(s, o, &error);
    uint64_t const rounded = o->ref ? o->ref->rounded : func_round(s->func, s->env, &o->args);
    if (kind == -2) {
        judge_special(s, form, o, rounded);
        return;
    }
    if (kind == -1) {
        /* Of what is prescribed, numbers count as such; infinities, NaN and undefined results do
         * not. */
        struct set prescribed;
        if (format_is_nan(f, o->got) || (o->got & ~f->sign) == f->exp ||
            (func_get_special(s->func, s->env, &o->args, &prescribed) &&
             (prescribed.flags & SET_ANY))) {
            return;
        }
        put_number(s, form, o, 0, o->got);
        return;
    }
    put_number(s, form, o, error, rounded);
}

void sweep_judge_one(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t i)
{
    struct sweep_reference ref;
    struct one o = load_one(s, form, b, i);
    sweep_reference_make(s, &o.args, &ref);
    o.ref = ref.is_known ? &ref : NULL;
    judge(s, form, &o);
}

void sweep_judge_slowly(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t i)
{
    struct one o = load_one(s, form, b, i);
    judge(s, form, &o);
}

void sweep_judge_input(struct sweep *s, const struct sweep_block *b, uint32_t i)
{
    struct sweep_reference ref;
    struct one const first = load_one(s, 0, b, i);
    sweep_reference_make(s, &first.args, &ref);
    for (uint32_t form = 0; form < s->n_forms; form++) {
        struct one o = load_one(s, form, b, i);
        o.ref = ref.is_known ? &ref : NULL;
        judge(s, form, &o);
    }
}
