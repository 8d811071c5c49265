/* oracle/sweep/sweep.c -- results of whole blocks against the reference; what MPFR alone would say. */
#include "oracle/sweep/evaluator_two.h"
#include "oracle/sweep/sweep_reference.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BINS_PER_OCTAVE = 4,
    FIRST_BIN_EXPONENT = -5 /* bin 1 starts at 2^-5 */
};

uint64_t sweep_load(enum fmt_id fmt, const void *p, uint32_t i)
{
    switch (fmt) {
    case FMT_F16:
        return ((const uint16_t *)p)[i];
    case FMT_F32:
        return ((const uint32_t *)p)[i];
    case FMT_F64:
        return ((const uint64_t *)p)[i];
    }
    assert(0 && "fmt_id out of range");
    return 0;
}

double sweep_bin_edge(uint32_t i)
{
    if (i == 0) {
        return 0;
    }
    int const step = (int)i - 1;
    return ldexp(1 + (double)(step % BINS_PER_OCTAVE) / BINS_PER_OCTAVE,
                 FIRST_BIN_EXPONENT + step / BINS_PER_OCTAVE);
}

uint32_t sweep_get_bin(double magnitude_ulp)
{
    uint64_t enc;
    memcpy(&enc, &magnitude_ulp, sizeof enc);
    int64_t const bin = (int64_t)(enc - SWEEP_FIRST_BIN) >> SWEEP_BIN_SHIFT;
    return bin < 0 ? 0 : (bin >= SWEEP_BINS ? SWEEP_BINS - 1 : (uint32_t)bin);
}

/* The upper nine bits: of f32 one binade. */
uint32_t sweep_get_slice(enum fmt_id fmt, uint64_t x)
{
    return (uint32_t)(x >> (float_formats[fmt].n_bits - 9)) % SWEEP_PLOT;
}

static int is_larger(const struct sweep_worst *w, const struct sweep_worst *than)
{
    return fabs(w->error) > fabs(than->error);
}

void sweep_put_largest(struct sweep *s, uint32_t form, const struct sweep_worst *w)
{
    struct sweep_result *const r = &s->result[form];
    struct sweep_worst *const side = w->error > 0 ? &r->above : &r->below;
    struct sweep_worst *const point = &r->plot[sweep_get_slice(s->fmt, w->arg[0])];
    if (is_larger(w, side)) {
        *side = *w;
    }
    if (is_larger(w, point)) {
        *point = *w;
    }
}

/* Largest first; of equal ones those that came first. */
static void insert_worst(struct sweep_worst *list, const struct sweep_worst *w)
{
    uint32_t i = SWEEP_WORST;
    while (i > 0 && is_larger(w, &list[i - 1])) {
        if (i < SWEEP_WORST) {
            list[i] = list[i - 1];
        }
        i--;
    }
    if (i < SWEEP_WORST) {
        list[i] = *w;
    }
}

void sweep_put_broken(struct sweep_result *r, const struct sweep_worst *w)
{
    r->n_broken++;
    insert_worst(r->broken, w);
}

/* --- one result by MPFR --- */

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

/* --- blocks --- */

void sweep_block_slow(struct sweep *s, const void *x, const void *y, const void *const *got,
                      uint32_t n)
{
    struct sweep_block const b = {x, y, got, n, NULL};
    for (uint32_t form = 0; form < s->n_forms; form++) {
        for (uint32_t i = 0; i < n; i++) {
            struct one o = load_one(s, form, &b, i);
            judge(s, form, &o);
        }
    }
    sweep_count_breaks(s, &b, EVALUATOR_BASE);
}

void sweep_block_once(struct sweep *s, const struct sweep_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        sweep_judge_input(s, b, i);
    }
    sweep_count_breaks(s, b, EVALUATOR_BASE);
}

/* What the filter has to allow for, or -1: MPFR alone. */
static double find_slack(enum func_id func, enum fmt_id fmt, enum evaluator_isa isa)
{
    if (fmt == FMT_F64 || func_rows[func].has_int || func_rows[func].n_args > 2) {
        return -1;
    }
    if (func_rows[func].n_args == 2) {
        return evaluator_two_get_slack(func, isa);
    }
    const struct evaluator_certificate *c = evaluator_find_certificate(func, isa);
    return c ? c->slack : -1;
}

/* Asked once: a certificate is known by what its evaluator gives. */
static double keep_slack(struct sweep *s, enum evaluator_isa isa)
{
    if (s->slack_of != (uint32_t)isa + 1) {
        s->slack = find_slack(s->func, s->fmt, isa);
        s->slack_of = (uint32_t)isa + 1;
    }
    return s->slack;
}

void sweep_block_on(struct sweep *s, const struct sweep_block *b, enum evaluator_isa isa)
{
    if (s->fmt == FMT_F64 && sweep_double_has(s->func)) {
        sweep_block_double(s, b);
        return;
    }
    double const slack = keep_slack(s, isa);
    if (slack < 0) {
        sweep_block_once(s, b);
        return;
    }
    sweep_filter(s, b, isa, slack);
}

void sweep_block(struct sweep *s, const void *x, const void *y, const void *const *got, uint32_t n)
{
    struct sweep_block const b = {x, y, got, n, NULL};
    sweep_block_on(s, &b, evaluator_find_isa());
}

static void count_inputs(enum fmt_id fmt, uint32_t base, void *x, uint32_t n)
{
    for (uint32_t i = 0; i < n && fmt == FMT_F16; i++) {
        ((uint16_t *)x)[i] = (uint16_t)(base + i);
    }
    for (uint32_t i = 0; i < n && fmt == FMT_F32; i++) {
        ((uint32_t *)x)[i] = base + i;
    }
}

/* Bounds that depend on the argument are wider here than what holds for all, which goes to kept. */
static void widen_bounds(struct sweep *s, uint32_t first, uint32_t last,
                         struct func_bound kept[SWEEP_MAX_FORMS])
{
    for (uint32_t i = 0; i < s->n_forms; i++) {
        struct sweep_form *const m = &s->form[i];
        struct func_bound here;
        kept[i] = m->bound;
        if (m->has_rule && accuracy_find_least(&m->rule, s->fmt, first, last, &here)) {
            m->bound = here;
        }
    }
}

static void restore_bounds(struct sweep *s, const struct func_bound kept[SWEEP_MAX_FORMS])
{
    for (uint32_t i = 0; i < s->n_forms; i++) {
        s->form[i].bound = kept[i];
    }
}

void sweep_run_on(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n,
                  enum evaluator_isa isa)
{
    struct sweep_block const b = {x, NULL, got, n, NULL};
    double const slack = keep_slack(s, isa);
    struct func_bound kept[SWEEP_MAX_FORMS];
    assert(s->fmt != FMT_F64 && func_rows[s->func].n_args == 1 && n > 0);
    widen_bounds(s, base, base + (n - 1), kept);
    if (slack < 0 || !sweep_filter_flat(s, &b, base, isa, slack)) {
        count_inputs(s->fmt, base, x, n);
        sweep_block_on(s, &b, isa);
    }
    restore_bounds(s, kept);
}

void sweep_run(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n)
{
    sweep_run_on(s, base, x, got, n, evaluator_find_isa());
}

void sweep_block_many(struct sweep *s, const void *const *args, const void *const *got, uint32_t n)
{
    const struct func_row *const f = &func_rows[s->func];
    unsigned const n_args = f->n_args + (f->has_int ? 1 : 0);
    struct sweep_block const b = {args[0], n_args > 1 ? args[1] : NULL, got, n,
                                  n_args > 2 ? args[2] : NULL};
    sweep_block_on(s, &b, evaluator_find_isa());
}

const char *sweep_get_evaluator(enum func_id func, enum fmt_id fmt, int *is_certified)
{
    static const char *const names[EVALUATOR_ISA_N] = {"sse2 double", "avx2 double",
                                                       "avx512 double"};
    enum evaluator_isa const isa = evaluator_find_isa();
    if (fmt == FMT_F64 && sweep_double_has(func)) {
        *is_certified = 1;
        return "pair of doubles";
    }
    *is_certified = find_slack(func, fmt, isa) >= 0;
    return *is_certified ? names[isa] : "mpfr";
}

static void merge_list(uint64_t (*to_arg)[SWEEP_ARGS], uint64_t *to_got, uint64_t n_to,
                       const uint64_t (*arg)[SWEEP_ARGS], const uint64_t *got, uint64_t n)
{
    for (uint64_t i = 0; i < n && i < SWEEP_WORST && n_to + i < SWEEP_WORST; i++) {
        memcpy(to_arg[n_to + i], arg[i], sizeof arg[i]);
        to_got[n_to + i] = got[i];
    }
}

void sweep_merge(struct sweep_result *to, const struct sweep_result *from)
{
    merge_list(to->special_arg, to->special_got, to->n_special, from->special_arg,
               from->special_got, from->n_special);
    merge_list(to->zero_arg, to->zero_got, to->n_zero_sign, from->zero_arg, from->zero_got,
               from->n_zero_sign);
    to->n += from->n;
    to->n_numbers += from->n_numbers;
    to->n_rounded += from->n_rounded;
    to->n_broken += from->n_broken;
    to->n_special += from->n_special;
    to->n_zero_sign += from->n_zero_sign;
    to->n_flushed += from->n_flushed;
    to->n_breaks += from->n_breaks;
    to->n_slow += from->n_slow;
    to->n_undecided += from->n_undecided;
    to->sum_error += from->sum_error;
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        to->histogram[i] += from->histogram[i];
    }
    to->above = is_larger(&from->above, &to->above) ? from->above : to->above;
    to->below = is_larger(&from->below, &to->below) ? from->below : to->below;
    for (uint32_t i = 0; i < SWEEP_WORST && i < from->n_broken; i++) {
        insert_worst(to->broken, &from->broken[i]);
    }
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        to->plot[i] = is_larger(&from->plot[i], &to->plot[i]) ? from->plot[i] : to->plot[i];
    }
}
