/* oracle/sweep/sweep_judge.c -- results by MPFR: one by itself, and runs of those that the filter leaves. */
#include "oracle/sweep/sweep_judge.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/audit_result.h"
#include "base/format.h"
#include "base/func_row.h"
#include "oracle/func/func.h"
#include "oracle/func/func_mp.h"
#include "oracle/func/func_span.h"
#include "oracle/func/func_special.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/num/set.h"
#include "oracle/sweep/sweep_bound.h"
#include "oracle/sweep/sweep_order.h"

/* --- an input's exact value --- */

/*
 * One evaluation by MPFR for all forms of an input: what func_permitted, func_get_error and func_round would
 * each compute anew. Must not be copied or moved. is_known 0: special, or ruled by more than a span can say;
 * nothing else may then be asked.
 */
struct reference {
    int is_known;
    uint64_t rounded; /* as func_round: never a zero that the value is not near */
    struct func_span span;
};

/* Does an operand have one reading alone, and the function one rounding and no rule of its own about
 * zeros, the largest results or flushed ones? func_permitted knows the others. */
static bool is_plain(const struct sweep *s, const struct func_args *args)
{
    struct float_format const *const f = &float_formats[s->fmt];
    if (s->rules.zero_sign_free || s->rules.flush_out == FLUSH_MUST || s->func == FUNC_FRACT ||
        s->func == FUNC_NEXTAFTER) {
        return false;
    }
    for (uint32_t i = 0; i < func_rows[s->func].n_args; i++) {
        if ((format_is_subnormal(f, args->enc[i]) && s->rules.flush_in != FLUSH_NEVER) ||
            (format_is_zero(f, args->enc[i]) && s->env == ENV_VK)) {
            return false;
        }
    }
    return true;
}

static void reference_make(const struct sweep *s, const struct func_args *args,
                           struct reference *out)
{
    struct float_format const *const f = &float_formats[s->fmt];
    struct set special;
    out->is_known = 0;
    if (!is_plain(s, args) || func_get_special(s->func, s->env, args, &special)) {
        return;
    }
    func_enclose(s->func, args, func_get_precision(f, 0), &out->span);
    out->is_known = !func_is_zero(&out->span) && !func_is_beyond(&out->span, f) &&
                    func_round_span(&out->span, s->fmt, REAL_NEAREST, &out->rounded);
}

/* Is got within the bound, as func_permitted has it: 1, 0, or -1: not certain at this precision. */
static int reference_permits(const struct reference *ref, const struct sweep *s,
                             const struct func_bound *bound, uint64_t got)
{
    struct set allowed;
    assert(ref->is_known);
    set_clear(&allowed, s->fmt);
    if (!func_add_span(&ref->span, bound, &s->rules, &allowed)) {
        return -1;
    }
    return set_has(&allowed, got) != 0;
}

/* Answers as func_get_error does; NOT_CERTAIN: at this precision. */
enum {
    NOT_CERTAIN = 1
};
static int reference_measure(const struct reference *ref, const struct sweep *s, uint64_t got,
                             double *error)
{
    struct float_format const *const f = &float_formats[s->fmt];
    assert(ref->is_known);
    *error = 0;
    if (format_is_nan(f, got)) {
        return FUNC_ERROR_WRONG;
    }
    if ((got & ~f->sign) == f->exp) {
        return ref->rounded == got ? FUNC_ERROR_RIGHT : FUNC_ERROR_WRONG;
    }
    return func_measure(&ref->span, s->fmt, got, error) ? FUNC_ERROR_MEASURED : NOT_CERTAIN;
}

/* --- one result --- */

struct one {
    struct func_args args;
    uint64_t arg[SWEEP_ARGS];    /* as they are reported */
    const struct reference *ref; /* or NULL: every question is asked anew */
    uint64_t got;
    int permitted; /* 1, 0, or -1: not decided */
};

static void put_special(struct sweep_result *r, const struct one *one)
{
    sweep_put_input(r->special_arg, r->special_got, r->n_special++, one->arg, one->got);
}

static void put_zero(struct sweep_result *r, const struct one *one)
{
    sweep_put_input(r->zero_arg, r->zero_got, r->n_zero_sign++, one->arg, one->got);
}

/* Records a result that is judged as a number: its error in ulps, whether it is correctly rounded
 * (`rounded`), and whether it violated the bound. A subnormal number that was flushed with
 * permission is only counted and does not enter the statistics of errors. */
static void put_number(struct sweep *s, uint32_t form, const struct one *one, double error,
                       uint64_t rounded)
{
    struct float_format const *f = &float_formats[s->fmt];
    struct sweep_result *const r = &s->result[form];
    struct sweep_worst const worst = {
        error, {one->arg[0], one->arg[1], one->arg[2]},
         one->got
    };
    bool const is_zero = format_is_zero(f, one->got) != 0;
    bool const is_permitted = one->permitted == 1;
    /* a zero in place of a subnormal number, and not one of the neighbours of the exact value */
    bool const is_flushed =
        is_zero && fabs(error) >= 1 && !(rounded & f->exp) && !format_is_zero(f, rounded);
    r->n_flushed += is_flushed;
    if (is_flushed && is_permitted) {
        return;
    }
    r->n_numbers++;
    /* where the sign of a zero is unconstrained both zeros are correct */
    r->n_rounded += one->got == rounded || (is_zero && format_is_zero(f, rounded) && is_permitted);
    sweep_add_error(r, fabs(error), 1);
    r->histogram[sweep_get_bin(fabs(error))]++;
    sweep_put_largest(s, form, &worst);
    if (is_zero && ((one->got ^ rounded) & f->sign) && !is_permitted) {
        put_zero(r, one);
    } else if (one->permitted == 0) {
        sweep_put_broken(r, &worst);
    }
}

/* Is `got` permitted: 1, 0, or -1 where MPFR's precision leaves it uncertain? A form without a bound permits
 * everything here; wrong special values are found elsewhere. The evaluation that all forms of an input share
 * (one->ref) is asked before a new one is made. */
static int is_permitted(const struct sweep *s, uint32_t form, const struct one *one)
{
    struct sweep_form const *const m = &s->form[form];
    struct set allowed;
    if (!m->has_bound || m->bound.anything) {
        return 1;
    }
    if (one->ref && !m->has_rule && m->bound.ulp <= DBL_MAX && m->bound.absolute <= DBL_MAX) {
        int const permits = reference_permits(one->ref, s, &m->bound, one->got);
        if (permits >= 0) {
            return permits;
        }
    }
    bool const is_certain =
        m->has_rule ? accuracy_permitted(&m->rule, s->env, &one->args, &s->rules, &allowed)
                    : func_permitted(s->func, s->env, &one->args, &m->bound, &s->rules, &allowed);
    if (!is_certain) {
        return -1;
    }
    return set_has(&allowed, one->got) != 0;
}

/* Vulkan without SignedZeroInfNanPreserve, which is what free signs of zero stand for: where an operand or the exact result is an
 * infinity or a NaN, nothing is prescribed (NOT_NAN_INF). */
static bool is_free(const struct sweep *s, const struct one *one, uint64_t rounded)
{
    struct float_format const *f = &float_formats[s->fmt];
    bool is_finite = (rounded & f->exp) != f->exp;
    for (unsigned k = 0; k < func_rows[s->func].n_args; k++) {
        is_finite = is_finite && (one->args.enc[k] & f->exp) != f->exp;
    }
    return s->env == ENV_VK && s->rules.zero_sign_free && !is_finite;
}

/* Special values and zeros are prescribed for a form without a bound as well. */
static void judge_special(struct sweep *s, uint32_t form, const struct one *one, uint64_t rounded)
{
    struct float_format const *f = &float_formats[s->fmt];
    struct sweep_form const *const m = &s->form[form];
    if ((one->permitted == 1 && m->has_bound) || is_free(s, one, rounded)) {
        return;
    }
    if (format_is_zero(f, one->got) && format_is_zero(f, rounded)) {
        put_zero(&s->result[form], one);
    } else {
        put_special(&s->result[form], one);
    }
}

/* The integer after the float arguments, from its low bits. */
static int32_t to_integer(enum fmt_id fmt, uint64_t bits)
{
    return fmt == FMT_F16 ? (int16_t)(uint16_t)bits : (int32_t)(uint32_t)bits;
}

/* Filled in place: a copy would wait for each of its stores. */
static void load_one(const struct sweep *s, uint32_t form, const struct sweep_block *block,
                     uint32_t i, struct one *one)
{
    const void *const buffers[SWEEP_ARGS] = {block->x, block->y, block->z};
    const struct func_row *const f = &func_rows[s->func];
    *one = (struct one){.args = {.fmt = s->fmt}, .got = sweep_load(s->fmt, block->got[form], i)};
    for (unsigned k = 0; k < SWEEP_ARGS && buffers[k]; k++) {
        one->arg[k] = sweep_load(s->fmt, buffers[k], i);
        if (k < f->n_args) {
            one->args.enc[k] = one->arg[k];
        } else {
            one->args.n = to_integer(s->fmt, one->arg[k]);
            one->arg[k] = (uint32_t)one->args.n;
        }
    }
}

static int get_error(const struct sweep *s, const struct one *one, double *error)
{
    if (one->ref) {
        int const kind = reference_measure(one->ref, s, one->got, error);
        if (kind != NOT_CERTAIN) {
            return kind;
        }
    }
    return func_get_error(s->func, s->env, &one->args, one->got, error);
}

/* Of what is prescribed, numbers count as such; infinities, NaN and undefined results do not. */
static bool is_right_number(const struct sweep *s, const struct one *one)
{
    struct float_format const *f = &float_formats[s->fmt];
    struct set prescribed;
    if (format_is_nan(f, one->got) || (one->got & ~f->sign) == f->exp) {
        return false;
    }
    bool const is_special = func_get_special(s->func, s->env, &one->args, &prescribed) != 0;
    return !is_special || (prescribed.flags & SET_ANY) == 0;
}

/* Judges and books one result, *o, by MPFR: as a number with its error, as a right or wrong special value, or
 * as undecided. FUNC_ERROR_WRONG: a number in place of a special value or the reverse; FUNC_ERROR_RIGHT: as
 * prescribed, and if a number, then without error. */
static void judge(struct sweep *s, uint32_t form, struct one *one)
{
    struct sweep_result *const r = &s->result[form];
    double error = 0;
    r->n++;
    r->n_slow++;
    one->permitted = is_permitted(s, form, one);
    if (one->permitted < 0) {
        r->n_undecided++;
        return;
    }
    int const kind = get_error(s, one, &error);
    uint64_t const rounded = one->ref ? one->ref->rounded : func_round(s->func, s->env, &one->args);
    if (kind == FUNC_ERROR_WRONG) {
        judge_special(s, form, one, rounded);
    } else if (kind != FUNC_ERROR_RIGHT) {
        put_number(s, form, one, error, rounded);
    } else if (is_right_number(s, one)) {
        put_number(s, form, one, 0, one->got);
    }
}

void sweep_judge_one(struct sweep *s, uint32_t form, const struct sweep_block *block, uint32_t i)
{
    struct reference ref;
    struct one one;
    load_one(s, form, block, i, &one);
    reference_make(s, &one.args, &ref);
    one.ref = ref.is_known ? &ref : NULL;
    judge(s, form, &one);
}

void sweep_judge_slowly(struct sweep *s, uint32_t form, const struct sweep_block *block, uint32_t i)
{
    struct one one;
    load_one(s, form, block, i, &one);
    judge(s, form, &one);
}

void sweep_judge_input(struct sweep *s, const struct sweep_block *block, uint32_t i)
{
    struct reference ref;
    struct one one;
    load_one(s, 0, block, i, &one);
    reference_make(s, &one.args, &ref);
    one.ref = ref.is_known ? &ref : NULL;
    for (uint32_t form = 0; form < s->n_forms; form++) {
        one.got = sweep_load(s->fmt, block->got[form], i);
        judge(s, form, &one);
    }
}

/* --- what the filter leaves: where a function is next to flat, as exp is near 0, both ends of a run of
 * neighbouring inputs tell what is between them --- */

/* What one verdict adds to a result: these counts, then the bins of the histogram. */
enum {
    TALLY_N,
    TALLY_NUMBERS,
    TALLY_ROUNDED,
    TALLY_BROKEN,
    TALLY_SPECIAL,
    TALLY_ZERO_SIGN,
    TALLY_FLUSHED,
    TALLY_UNDECIDED,
    TALLY_BINS,
    TALLY_SIZE = TALLY_BINS + SWEEP_BINS
};
struct tally {
    uint64_t count[TALLY_SIZE];
};

static struct tally get_tally(const struct sweep_result *r)
{
    struct tally t = {
        {r->n, r->n_numbers, r->n_rounded, r->n_broken, r->n_special, r->n_zero_sign, r->n_flushed,
         r->n_undecided}
    };
    memcpy(&t.count[TALLY_BINS], r->histogram, sizeof r->histogram);
    return t;
}

static struct tally judge_and_tally(struct sweep *s, uint32_t form, const struct sweep_block *block,
                                    uint32_t i)
{
    struct tally const before = get_tally(&s->result[form]);
    sweep_judge_one(s, form, block, i);
    struct tally added = get_tally(&s->result[form]);
    for (uint32_t k = 0; k < TALLY_SIZE; k++) {
        added.count[k] -= before.count[k];
    }
    return added;
}

/* Book the same verdict on that many more inputs: numbers only, whose inputs are kept nowhere. */
static void repeat(struct sweep_result *r, const struct tally *t, const struct sweep_sum *error,
                   uint64_t times)
{
    r->n += times * t->count[TALLY_N];
    r->n_numbers += times * t->count[TALLY_NUMBERS];
    r->n_rounded += times * t->count[TALLY_ROUNDED];
    r->n_broken += times * t->count[TALLY_BROKEN];
    r->n_flushed += times * t->count[TALLY_FLUSHED];
    r->n_undecided += times * t->count[TALLY_UNDECIDED];
    sweep_add_sum(r, error, times);
    for (uint32_t k = 0; k < SWEEP_BINS; k++) {
        r->histogram[k] += times * t->count[TALLY_BINS + k];
    }
}

/* Judges `first` to `last`, a run of one and the same result over which the function, and so the error, is
 * monotone: if the verdicts at both ends are the same they hold between, and are booked without being worked
 * out. While inputs may enter a list of the worst ones they are judged each by itself. */
static void judge_run(struct sweep *s, uint32_t form, const struct sweep_block *block,
                      uint32_t first, uint32_t last)
{
    struct sweep_result *const r = &s->result[form];
    struct tally const at_first = judge_and_tally(s, form, block, first);
    if (first == last) {
        return;
    }
    struct sweep_sum const before = r->sum;
    struct tally const at_last = judge_and_tally(s, form, block, last);
    struct sweep_sum const error = sweep_get_added(r, &before);
    /* of wrong special values and zeros the inputs themselves are kept */
    bool const may_repeat = memcmp(&at_first, &at_last, sizeof at_first) == 0 &&
                            at_first.count[TALLY_SPECIAL] == 0 &&
                            at_first.count[TALLY_ZERO_SIGN] == 0;
    /* so many at least as the list of the broken ones has room for */
    uint32_t const n_apart = at_first.count[TALLY_BROKEN] > 0 ? SWEEP_WORST : 0;
    uint32_t i = first + 1;
    for (; i < last && (!may_repeat || i <= first + n_apart); i++) {
        sweep_judge_one(s, form, block, i);
    }
    repeat(r, &at_first, &error, last - i);
}

/* The last index of a run from i on: undecided results that are all the same, of inputs that ascend one by one
 * where the function goes one way. */
static uint32_t find_end_of_run(const struct sweep *s, uint32_t form,
                                const struct sweep_block *block, uint32_t first, uint32_t n,
                                const int64_t *code, uint32_t i)
{
    const void *const got = block->got[form];
    uint64_t const x = sweep_load(s->fmt, block->x, first + i);
    uint64_t const y = sweep_load(s->fmt, got, first + i);
    /* a rule may permit one end of a run and not the middle */
    int const direction = s->form[form].has_rule ? 0 : sweep_get_direction(s->func, s->fmt, x);
    uint32_t last = i;
    while (direction != 0 && last + 1 < n && code[last + 1] == SWEEP_UNDECIDED &&
           sweep_load(s->fmt, block->x, first + last + 1) == x + (last + 1 - i) &&
           sweep_load(s->fmt, got, first + last + 1) == y) {
        last++;
    }
    uint64_t const x_last = sweep_load(s->fmt, block->x, first + last);
    return sweep_get_direction(s->func, s->fmt, x_last) == direction ? last : i;
}

void sweep_judge_undecided(struct sweep *s, uint32_t form, const struct sweep_block *block,
                           uint32_t first, uint32_t n, const int64_t *code)
{
    for (uint32_t i = 0; i < n; i++) {
        if (code[i] == SWEEP_UNDECIDED) {
            uint32_t const last = find_end_of_run(s, form, block, first, n, code, i);
            judge_run(s, form, block, first + i, first + last);
            i = last;
        }
    }
}
