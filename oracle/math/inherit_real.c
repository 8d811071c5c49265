/* oracle/math/inherit_real.c -- the exact value of a formula by interval arithmetic in MPFR. */
#include "oracle/math/inherit_real.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/num/mp.h"

/*
 * A point, or an interval whose ends are not reached: the first rounding on the way leaves the value
 * strictly between its ends, and sums, products, quotients and roots keep it there; a clamp may not.
 * Numbers of mp.h stay where they are, so that values move by mpfr_set.
 */
struct interval {
    struct mp_num lo, hi;
};
struct machine {
    const struct inherit_work *w;
    const struct float_format *f;
    unsigned prec_bits, n;
    int is_closed; /* after a clamp */
    struct interval stack[INHERIT_STACK], stored;
};

static struct interval *push(struct machine *machine)
{
    assert(machine->n < INHERIT_STACK);
    struct interval *i = &machine->stack[machine->n++];
    mp_init(&i->lo, machine->prec_bits);
    mp_init(&i->hi, machine->prec_bits);
    return i;
}

static void copy(struct interval *to, const struct interval *from)
{
    (void)mpfr_set(to->lo.v, from->lo.v, MPFR_RNDD);
    (void)mpfr_set(to->hi.v, from->hi.v, MPFR_RNDU);
}

static void set_enc(const struct machine *machine, struct interval *i, uint64_t enc)
{
    struct mp_num exact;
    mp_init(&exact, machine->f->prec_bits);
    mp_set_enc(&exact, machine->f, enc);
    (void)mpfr_set(i->lo.v, exact.v, MPFR_RNDD);
    (void)mpfr_set(i->hi.v, exact.v, MPFR_RNDU);
}

static void add(struct interval *x, const struct interval *y)
{
    (void)mpfr_add(x->lo.v, x->lo.v, y->lo.v, MPFR_RNDD);
    (void)mpfr_add(x->hi.v, x->hi.v, y->hi.v, MPFR_RNDU);
}

static void negate(struct interval *x)
{
    struct mp_num t;
    mp_init(&t, (unsigned)mpfr_get_prec(x->lo.v));
    (void)mpfr_neg(t.v, x->lo.v, MPFR_RNDN);
    (void)mpfr_neg(x->lo.v, x->hi.v, MPFR_RNDN);
    (void)mpfr_set(x->hi.v, t.v, MPFR_RNDN);
}

typedef int mpfr_two(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/* x = x op y, outward, where op is monotone in each operand, so that its extremes are at two of the four
 * corners; y does not hold zero where op divides. */
static void by_corners(unsigned prec_bits, struct interval *x, const struct interval *y,
                       mpfr_two *op)
{
    struct mp_num lo, hi, t;
    mp_init(&lo, prec_bits);
    mp_init(&hi, prec_bits);
    mp_init(&t, prec_bits);
    for (unsigned i = 0; i < 4; i++) {
        mpfr_srcptr const a = (i & 1) != 0 ? x->hi.v : x->lo.v;
        mpfr_srcptr const b = (i & 2) != 0 ? y->hi.v : y->lo.v;
        (void)op(t.v, a, b, MPFR_RNDD);
        if (i == 0 || mpfr_less_p(t.v, lo.v)) {
            (void)mpfr_set(lo.v, t.v, MPFR_RNDN);
        }
        (void)op(t.v, a, b, MPFR_RNDU);
        if (i == 0 || mpfr_greater_p(t.v, hi.v)) {
            (void)mpfr_set(hi.v, t.v, MPFR_RNDN);
        }
    }
    (void)mpfr_set(x->lo.v, lo.v, MPFR_RNDN);
    (void)mpfr_set(x->hi.v, hi.v, MPFR_RNDN);
}

static int divide(const struct machine *machine, struct interval *x, const struct interval *y)
{
    if (mpfr_sgn(y->lo.v) <= 0 && mpfr_sgn(y->hi.v) >= 0) {
        return 0;
    }
    by_corners(machine->prec_bits, x, y, mpfr_div);
    return 1;
}

static int root(struct interval *x)
{
    if (mpfr_sgn(x->lo.v) < 0) {
        return 0;
    }
    (void)mpfr_sqrt(x->lo.v, x->lo.v, MPFR_RNDD);
    (void)mpfr_sqrt(x->hi.v, x->hi.v, MPFR_RNDU);
    return 1;
}

/* At least `low`, at most `high` where it is not negative. */
static void clamp(struct machine *machine, struct interval *x, long low, long high)
{
    mpfr_ptr const ends[] = {x->lo.v, x->hi.v};
    for (unsigned i = 0; i < 2; i++) {
        if (mpfr_cmp_si(ends[i], low) < 0) {
            (void)mpfr_set_si(ends[i], low, MPFR_RNDN);
            machine->is_closed = 1;
        }
        if (high >= 0 && mpfr_cmp_si(ends[i], high) > 0) {
            (void)mpfr_set_si(ends[i], high, MPFR_RNDN);
            machine->is_closed = 1;
        }
    }
}

/* Pushes the sum over all components of a times b, which are numbers of operands, or for a distance of (a
 * - b) squared. Two places of the stack above it serve as scratch. */
static void sum_products(struct machine *machine, unsigned a, unsigned b, bool is_distance)
{
    struct interval *const sum = push(machine);
    struct interval *const x = push(machine);
    struct interval *const y = push(machine);
    (void)mpfr_set_ui(sum->lo.v, 0, MPFR_RNDN);
    (void)mpfr_set_ui(sum->hi.v, 0, MPFR_RNDN);
    for (uint32_t i = 0; i < machine->w->v->n_components; i++) {
        set_enc(machine, x, machine->w->v->enc[a][i]);
        set_enc(machine, y, machine->w->v->enc[b][i]);
        if (is_distance) {
            negate(y);
            add(x, y);
            copy(y, x); /* the square is that of a difference by itself */
        }
        by_corners(machine->prec_bits, x, y, mpfr_mul);
        add(sum, x);
    }
    machine->n -= 2;
}

/* a b c: a < 0 ? b : c. 0: the sign of a is not known. */
static int select_branch(struct machine *machine)
{
    const struct interval *c = &machine->stack[machine->n - 3];
    int const negative = mpfr_sgn(c->hi.v) < 0, positive = mpfr_sgn(c->lo.v) >= 0;
    if (!negative && !positive) {
        return 0;
    }
    copy(&machine->stack[machine->n - 3], &machine->stack[machine->n - (negative ? 2 : 1)]);
    machine->n -= 2;
    return 1;
}

/* a b c: a b + c, or a - b c. */
static void multiply_add(struct machine *machine, int is_negative)
{
    struct interval *const a = &machine->stack[machine->n - 3], *const b =
                                                                    &machine->stack[machine->n - 2];
    struct interval *const c = &machine->stack[machine->n - 1];
    if (is_negative) {
        by_corners(machine->prec_bits, b, c, mpfr_mul);
        negate(b);
        add(a, b);
    } else {
        by_corners(machine->prec_bits, a, b, mpfr_mul);
        add(a, c);
    }
    machine->n -= 2;
}

static int step_two(struct machine *machine, enum inherit_word word)
{
    struct interval *const x = &machine->stack[machine->n - 2], *const y =
                                                                    &machine->stack[machine->n - 1];
    machine->n--;
    if (word == WORD_DIV) {
        return divide(machine, x, y);
    }
    if (word == WORD_MUL) {
        by_corners(machine->prec_bits, x, y, mpfr_mul);
        return 1;
    }
    if (word == WORD_SUB) {
        negate(y);
    }
    add(x, y);
    return 1;
}

static void push_small(struct machine *machine, long value)
{
    struct interval *const i = push(machine);
    (void)mpfr_set_si(i->lo.v, value, MPFR_RNDN);
    (void)mpfr_set_si(i->hi.v, value, MPFR_RNDN);
}

/* Pushes the value that a word stands for: those of inherit_word.def, in its order, up to distance2. */
static void step_value(struct machine *machine, enum inherit_word word)
{
    static const uint8_t factors[][2] = {
        {0, 0}, /* x.x */
        {0, 1}, /* x.y */
        {2, 1}, /* z.y */
        {0, 1}  /* distance2 */
    };
    if (word <= WORD_Z0) {
        set_enc(machine, push(machine), inherit_get_operand(machine->w, word));
    } else if (word == WORD_ZERO) {
        push_small(machine, 0);
    } else if (word >= WORD_ONE && word <= WORD_THREE) {
        push_small(machine, 1 + (long)(word - WORD_ONE));
    } else {
        assert(word >= WORD_DOT_XX);
        const uint8_t *pair = factors[word - WORD_DOT_XX];
        sum_products(machine, pair[0], pair[1], word == WORD_DISTANCE2);
    }
}

/* Executes one word of the formula on intervals: takes the operands from the stack and pushes the
 * result. Returns 0 where the result is not known at this precision, for example a sign. */
static int step(struct machine *machine, enum inherit_word word)
{
    struct interval *const top = machine->n > 0 ? &machine->stack[machine->n - 1] : NULL;
    if (word <= WORD_DISTANCE2) { /* inherit_word.def has values, then operations */
        step_value(machine, word);
        return 1;
    }
    switch ((int)word) {
    case WORD_STORE:
        mp_init(&machine->stored.lo, machine->prec_bits);
        mp_init(&machine->stored.hi, machine->prec_bits);
        copy(&machine->stored, top);
        machine->n--;
        return 1;
    case WORD_LOAD:
        copy(push(machine), &machine->stored);
        return 1;
    case WORD_ADD:
    case WORD_SUB:
    case WORD_MUL:
    case WORD_DIV:
        return step_two(machine, word);
    case WORD_NEG:
        negate(top);
        return 1;
    case WORD_FMAD:
    case WORD_NMAD:
        multiply_add(machine, word == WORD_NMAD);
        return 1;
    case WORD_SAT:
        clamp(machine, top, 0, 1);
        return 1;
    case WORD_CLIP:
        clamp(machine, top, 0, -1); /* no upper limit */
        return 1;
    case WORD_SEL:
        return select_branch(machine);
    case WORD_SQRT:
        return root(top);
    }
    assert(0 && "no exact value of this word");
    return 0;
}

/* The magnitude of the one value left, between two ends that it does not reach, unless it is a point.
 * After a clamp it may reach them (is_closed), so they are moved outward by one. 0: it is no number, or
 * its sign is not known. */
static int to_span(const struct machine *machine, struct func_span *out)
{
    const struct interval *x = &machine->stack[0];
    bool const is_point = mpfr_equal_p(x->lo.v, x->hi.v) != 0;
    if (mpfr_nan_p(x->lo.v) || mpfr_inf_p(x->lo.v) || mpfr_inf_p(x->hi.v) ||
        (!is_point && mpfr_sgn(x->lo.v) <= 0 && mpfr_sgn(x->hi.v) >= 0)) {
        return 0;
    }
    out->negative = mpfr_sgn(x->lo.v) < 0;
    out->is_exact = is_point;
    out->is_cancelled = is_point && mpfr_zero_p(x->lo.v);
    out->low = 0;
    mp_init(&out->end[0], machine->prec_bits);
    mp_init(&out->end[1], machine->prec_bits);
    (void)mpfr_abs(out->end[0].v, out->negative ? x->hi.v : x->lo.v, MPFR_RNDN);
    (void)mpfr_abs(out->end[1].v, out->negative ? x->lo.v : x->hi.v, MPFR_RNDN);
    if (!is_point && machine->is_closed) {
        mpfr_nextbelow(out->end[0].v);
        mpfr_nextabove(out->end[1].v);
    }
    return 1;
}

int inherit_run_reals(const struct inherit_work *work, unsigned prec_bits, struct func_span *out)
{
    struct machine machine; /* its numbers are large: none is set before it is used */
    machine.w = work;
    machine.f = &float_formats[work->v->fmt];
    machine.prec_bits = prec_bits;
    machine.n = 0;
    machine.is_closed = 0;
    for (unsigned i = 0; i < work->n_words; i++) {
        if (!step(&machine, (enum inherit_word)work->words[i])) {
            return 0;
        }
    }
    assert(machine.n == 1);
    return to_span(&machine, out);
}
