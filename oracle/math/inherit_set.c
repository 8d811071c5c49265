/* oracle/math/inherit_set.c -- what a formula's steps may give, as sets, outward. */
#include "oracle/math/inherit_set.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/func/func_number.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/inherit_call.h"
#include "oracle/math/inherit_dot.h"
#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/set.h"

struct machine {
    const struct inherit_work *w;
    const struct float_format *f;
    enum fmt_id fmt;
    unsigned n;
    int is_uncertain;
    unsigned n_shared; /* steps so far whose results all components share */
    struct set stack[INHERIT_STACK], stored;
    bool is_own[INHERIT_STACK], is_stored_own; /* does the value depend on the component? */
};

static struct set *push(struct machine *machine)
{
    assert(machine->n < INHERIT_STACK);
    struct set *s = &machine->stack[machine->n++];
    set_clear(s, machine->fmt);
    return s;
}

/* The constant that a word from PI to DEGREE stands for, rounded to nearest; *other: the encoding on the
 * other side of its exact value. */
static uint64_t get_constant(const struct float_format *f, enum inherit_word word, uint64_t *other)
{
    struct mp_num c;
    mp_init(&c, MP_MAX_PREC_BITS);
    (void)mpfr_const_pi(c.v, MPFR_RNDN); /* at 512 bits: no format's middle is as near as that */
    if (word == WORD_BY_PI) {
        (void)mpfr_ui_div(c.v, 1, c.v, MPFR_RNDN);
    } else if (word == WORD_RADIAN) {
        (void)mpfr_div_ui(c.v, c.v, 180, MPFR_RNDN);
    } else if (word == WORD_DEGREE) {
        (void)mpfr_ui_div(c.v, 180, c.v, MPFR_RNDN);
    } else if (word == WORD_LOG2_10) {
        (void)mpfr_set_ui(c.v, 10, MPFR_RNDN);
        (void)mpfr_log2(c.v, c.v, MPFR_RNDN);
    }
    uint64_t const enc = mp_round(f, c.v, REAL_NEAREST);
    bool const is_above = enc == mp_round(f, c.v, REAL_UP);
    *other = is_above ? enc - 1 : enc + 1; /* positive and irrational */
    return enc;
}

static void push_enc(struct machine *machine, uint64_t enc)
{
    set_of(push(machine), machine->fmt, enc);
}

/* atan2(x, y) = atan(x / y) for y > 0, else plus or minus pi, by the sign of x. */
static void push_half_turn(struct machine *machine)
{
    uint64_t const x = machine->w->v->enc[0][machine->w->component],
                   y = machine->w->v->enc[1][machine->w->component];
    uint64_t other;
    uint64_t const pi = get_constant(machine->f, WORD_PI, &other);
    push_enc(machine, (y & machine->f->sign) == 0 ? 0 : pi | (x & machine->f->sign));
}

/* Vulkan: "a correctly rounded approximation", which is either neighbour. */
static void push_constant(struct machine *machine, enum inherit_word word)
{
    uint64_t other;
    push_enc(machine, get_constant(machine->f, word, &other));
    if (machine->w->a->query.env == ENV_VK) {
        set_add(&machine->stack[machine->n - 1], other);
    }
}

static void push_integer(struct machine *machine)
{
    arith_from_int((uint64_t)(int64_t)machine->w->v->n, 1, machine->fmt, machine->w->rules,
                   push(machine));
}

/* --- arithmetic --- */

/* The results of a step, where f64 is held to f32's accuracy. */
static void widen(const struct inherit_work *work, struct set *s)
{
    struct float_format const *f = &float_formats[s->fmt];
    /* n ulps are at most 2n encodings */
    int64_t const n = 2 * (int64_t)work->a->scale, inf = (int64_t)f->exp;
    if (!(work->a->scale > 1) || (s->flags & SET_ANY) != 0) {
        return;
    }
    struct set const old = *s;
    for (unsigned i = 0; i < old.n; i++) {
        int64_t const lo = old.r[i].lo - n, hi = old.r[i].hi + n;
        set_add_range(s, lo < -1 - inf ? -1 - inf : lo, hi > inf ? inf : hi);
    }
}

/* Is the quotient of these bounded? By an infinity it is a zero of IEEE 754. */
static bool is_divisible(const struct accuracy *a, const struct set *x, struct set_range y)
{
    struct float_format const *f = &float_formats[x->fmt];
    bool const is_infinite = y.lo == (int64_t)f->exp || y.hi == -1 - (int64_t)f->exp;
    bool const is_mixed = y.lo < -1 && y.hi > 0;
    struct func_args args = {.fmt = (enum fmt_id)x->fmt};
    if (is_infinite || is_mixed) {
        return is_infinite;
    }
    for (unsigned k = 0; k < 4U * x->n; k++) {
        struct set_range const r = x->r[k / 4];
        args.enc[0] = format_from_key(f, (k & 1) != 0 ? r.hi : r.lo);
        args.enc[1] = format_from_key(f, (k & 2) != 0 ? y.hi : y.lo);
        if (accuracy_bound(a, &args).anything) {
            return false;
        }
    }
    return true;
}

static bool is_divisor(const struct accuracy *a, const struct set *x, const struct set *y)
{
    int is_bounded = 1;
    for (unsigned i = 0; a->kind == ACCURACY_FORMULA && i < y->n; i++) {
        is_bounded = is_bounded && is_divisible(a, x, y->r[i]);
    }
    return is_bounded;
}

static void apply(const struct inherit_work *work, enum arith_op op, const struct set *x,
                  const struct set *y, struct set *out)
{
    const struct set *args[] = {x, y};
    double bound_ulp = 0;
    set_clear(out, (enum fmt_id)x->fmt);
    if (op == ARITH_DIV) {
        struct accuracy const a = accuracy_get_step(work->a, OP_core_FDiv);
        if (!is_divisor(&a, x, y)) {
            set_any(out, (enum fmt_id)x->fmt);
            return;
        }
        bound_ulp = a.kind == ACCURACY_FORMULA ? a.param[0] : a.bound.ulp / a.scale;
    }
    arith_apply(op, args, work->rules, bound_ulp, out);
    widen(work, out);
}

/* The results of x * y + z in one rounding. */
static void apply_fma(const struct inherit_work *work, const struct set *x, const struct set *y,
                      const struct set *z, struct set *out)
{
    const struct set *args[] = {x, y, z};
    set_clear(out, (enum fmt_id)x->fmt);
    arith_apply(ARITH_FMA, args, work->rules, 0, out);
    widen(work, out);
}

/* a * b + c or, if is_negative, a - b * c, of the sets a, b and c on top, which the result replaces. Its
 * product may be rounded or not, as in one instruction a * b + c or (-b) * c + a. */
static void multiply_add(struct machine *machine, bool is_negative)
{
    struct set *const a = &machine->stack[machine->n - 3];
    const struct set *const b = &machine->stack[machine->n - 2], *const c =
                                                                     &machine
                                                                          ->stack[machine->n - 1];
    struct set product, sum, fused, minus_b;
    if (is_negative) {
        apply(machine->w, ARITH_MUL, b, c, &product);
        apply(machine->w, ARITH_SUB, a, &product, &sum);
        arith_negate(b, machine->w->rules, &minus_b);
        apply_fma(machine->w, &minus_b, c, a, &fused);
    } else {
        apply(machine->w, ARITH_MUL, a, b, &product);
        apply(machine->w, ARITH_ADD, &product, c, &sum);
        apply_fma(machine->w, a, b, c, &fused);
    }
    set_add_set(&sum, &fused);
    *a = sum;
    machine->n -= 2;
}

/* Clamped to 0 and `high`, a key. */
static void clamp(struct machine *machine, int64_t high)
{
    struct set *const s = &machine->stack[machine->n - 1];
    struct set kept;
    if ((s->flags & SET_ANY) != 0) {
        return;
    }
    set_clear(&kept, machine->fmt);
    kept.flags = s->flags;
    for (unsigned i = 0; i < s->n; i++) {
        int64_t const lo = s->r[i].lo < 0 ? 0 : s->r[i].lo, hi = s->r[i].hi < 0 ? 0 : s->r[i].hi;
        set_add_range(&kept, lo > high ? high : lo, hi > high ? high : hi);
    }
    *s = kept;
}

/* The set on top as magnitudes. A key k below 0 is that of a negative number, whose magnitude has the key
 * -1 - k. */
static void take_magnitude(struct machine *machine)
{
    struct set *const s = &machine->stack[machine->n - 1];
    struct set out = *s;
    out.n = 0;
    for (unsigned i = 0; i < s->n; i++) {
        struct set_range const r = s->r[i];
        int64_t const a = r.lo < 0 ? -1 - r.lo : r.lo, b = r.hi < 0 ? -1 - r.hi : r.hi;
        set_add_range(&out, r.lo < 0 && r.hi >= 0 ? 0 : (a < b ? a : b), a > b ? a : b);
    }
    *s = out;
}

/* a b c: b where a is negative, else c; both where a may be either. A NaN compares as either. */
static void select_branch(struct machine *machine)
{
    const struct set *c = &machine->stack[machine->n - 3];
    struct set out;
    int is_negative = c->flags != 0, is_positive = c->flags != 0;
    for (unsigned i = 0; i < c->n; i++) {
        is_negative = is_negative || c->r[i].lo < -1;
        is_positive = is_positive || c->r[i].hi >= -1;
    }
    set_clear(&out, machine->fmt);
    if (is_negative) {
        set_add_set(&out, &machine->stack[machine->n - 2]);
    }
    if (is_positive) {
        set_add_set(&out, &machine->stack[machine->n - 1]);
    }
    machine->stack[machine->n - 3] = out;
    machine->n -= 2;
}

static void sum_products(struct machine *machine, enum inherit_word word)
{
    struct accuracy_operands const *operands = machine->w->v;
    struct set x[ACCURACY_MAX_COMPONENTS], y[ACCURACY_MAX_COMPONENTS];
    unsigned const a = word == WORD_DOT_ZY ? 2 : 0, b = word == WORD_DOT_XX ? 0 : 1;
    for (uint32_t i = 0; i < operands->n_components; i++) {
        set_of(&x[i], machine->fmt, operands->enc[a][i]);
        set_of(&y[i], machine->fmt, operands->enc[b][i]);
        if (word == WORD_DISTANCE2) {
            struct set difference;
            apply(machine->w, ARITH_SUB, &x[i], &y[i], &difference);
            x[i] = y[i] = difference;
        }
    }
    inherit_dot(machine->w, x, y, push(machine));
}

/* --- steps --- */

/* Pushes the value that a word stands for: those of inherit_word.def, in its order, up to DISTANCE2. */
static void step_value(struct machine *machine, enum inherit_word word)
{
    if (word <= WORD_Z0) {
        push_enc(machine, inherit_get_operand(machine->w, word));
    } else if (word == WORD_INTEGER) {
        push_integer(machine);
    } else if (word == WORD_ZERO) {
        push_enc(machine, 0);
    } else if (word == WORD_HALF) {
        push_enc(machine, func_power(machine->f, -1));
    } else if (word <= WORD_THREE) {
        arith_from_int(1 + (uint64_t)(word - WORD_ONE), 0, machine->fmt, machine->w->rules,
                       push(machine));
    } else if (word <= WORD_DEGREE) {
        push_constant(machine, word);
    } else if (word == WORD_HALF_TURN) {
        push_half_turn(machine);
    } else {
        sum_products(machine, word);
    }
}

static void step_two(struct machine *machine, enum inherit_word word)
{
    static const enum arith_op ops[] = {ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_DIV};
    struct set out;
    apply(machine->w, ops[word - WORD_ADD], &machine->stack[machine->n - 2],
          &machine->stack[machine->n - 1], &out);
    machine->n--;
    machine->stack[machine->n - 1] = out;
}

static void step_call(struct machine *machine, enum inherit_word word)
{
    unsigned const n_args = word == WORD_ATAN2 ? 2 : 1;
    struct set out;
    if (!inherit_call(machine->w, word, &machine->stack[machine->n - n_args], &out)) {
        machine->is_uncertain = 1;
    }
    machine->n -= n_args - 1;
    machine->stack[machine->n - 1] = out;
}

/* Executes one word of the formula on sets: takes the operands from the stack and pushes the set
 * of possible results. */
static void step(struct machine *machine, enum inherit_word word)
{
    struct set *const top = &machine->stack[machine->n > 0 ? machine->n - 1 : 0];
    if (word <= WORD_DISTANCE2) { /* inherit_word.def has values, then operations */
        step_value(machine, word);
        return;
    }
    switch ((int)word) {
    case WORD_STORE:
        machine->stored = *top;
        machine->n--;
        return;
    case WORD_LOAD:
        *push(machine) = machine->stored;
        return;
    case WORD_ADD:
    case WORD_SUB:
    case WORD_MUL:
    case WORD_DIV:
        step_two(machine, word);
        return;
    case WORD_NEG:
        arith_negate(top, machine->w->rules, top);
        return;
    case WORD_ABS:
        take_magnitude(machine);
        return;
    case WORD_FMAD:
    case WORD_NMAD:
        multiply_add(machine, word == WORD_NMAD);
        return;
    case WORD_SAT:
        clamp(machine, (int64_t)func_power(machine->f, 0)); /* to 1 */
        return;
    case WORD_CLIP:
        clamp(machine, (int64_t)machine->f->exp); /* to infinity: no upper limit */
        return;
    case WORD_SEL:
        select_branch(machine);
        return;
    default:
        step_call(machine, word);
    }
}

/* --- what components share --- */

/* Does the word name something of the component? */
static bool is_of_component(enum inherit_word word)
{
    return word < WORD_Z0 || word == WORD_HALF_TURN;
}

/* Does a step with a result that is the same for all components: once, then its result is taken. */
static void step_shared(struct machine *machine, enum inherit_word word)
{
    struct inherit_run *const run = machine->w->run;
    unsigned const at = machine->n_shared++;
    if (at < run->n) {
        machine->n -= inherit_count_taken(word);
        *push(machine) = run->given[at];
        machine->is_uncertain |= run->is_uncertain;
        return;
    }
    int const was_uncertain = machine->is_uncertain;
    machine->is_uncertain = 0;
    step(machine, word);
    if (at < INHERIT_MAX_SHARED) {
        run->given[at] = machine->stack[machine->n - 1];
        run->n = (uint8_t)(at + 1);
        run->is_uncertain |= machine->is_uncertain != 0;
    }
    machine->is_uncertain |= was_uncertain;
}

/* Does a step, and notes whether what it leaves depends on the component. */
static void step_noted(struct machine *machine, enum inherit_word word)
{
    unsigned const n_taken = inherit_count_taken(word);
    bool is_own = is_of_component(word) || (word == WORD_LOAD && machine->is_stored_own);
    for (unsigned i = 0; i < n_taken; i++) {
        is_own |= machine->is_own[machine->n - 1 - i];
    }
    bool const is_dot = word >= WORD_DOT_XX && word <= WORD_DISTANCE2;
    if (word == WORD_STORE) {
        step(machine, word);
        machine->is_stored_own = is_own;
        return;
    }
    if (!is_own && (n_taken > 0 || is_dot)) {
        step_shared(machine, word);
    } else {
        step(machine, word);
    }
    machine->is_own[machine->n - 1] = is_own;
}

int inherit_run_sets(const struct inherit_work *work, struct set *out)
{
    struct machine machine = {.w = work, .f = &float_formats[work->v->fmt], .fmt = work->v->fmt};
    for (unsigned i = 0; i < work->n_words; i++) {
        if (work->run) {
            step_noted(&machine, (enum inherit_word)work->words[i]);
        } else {
            step(&machine, (enum inherit_word)work->words[i]);
        }
    }
    assert(machine.n == 1);
    *out = machine.stack[0];
    return !machine.is_uncertain;
}
