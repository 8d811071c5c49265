/* oracle/modorder/mo_step.c -- one event: in which states of the location it may happen, and which states it may leave. */
#include "oracle/modorder/mo_step.h"

#include <assert.h>

#include "oracle/num/arith.h"
#include "oracle/num/exact.h"
#include "oracle/num/minmax.h"
#include "oracle/num/set.h"

bool mo_is_float_op(enum mo_op op)
{
    return op == MO_FADD || op == MO_FMIN || op == MO_FMAX;
}

uint32_t mo_list_readings(const struct mo_job *j, uint64_t bits, uint64_t *out)
{
    uint32_t n = 0;
    out[n++] = bits;
    if (j->p->is_float && format_is_snan(j->format, bits)) {
        out[n++] = bits | j->format->quiet;
    }
    if (j->sees_flush && format_is_subnormal(j->format, bits)) {
        out[n++] = 0;
        out[n++] = j->format->sign;
    }
    return n;
}

static bool is_quieted(const struct float_format *f, uint64_t was, uint64_t seen)
{
    return format_is_snan(f, was) && seen == (was | f->quiet);
}

/* The value in memory when a quiet NaN was read: the signalling NaN of the same payload, which permits all that the
 * quiet NaN permits. */
static uint64_t may_have_been(const struct float_format *f, uint64_t seen)
{
    uint64_t const was = seen & ~f->quiet;
    return format_is_nan(f, was) ? was : seen;
}

/* A state that is a value stays that value, even if it was read as another encoding (a quieted NaN, a flushed
 * subnormal). A state that is some NaN, or unknown, becomes e's original, or a value that may be read as that. Only a
 * float operation returns a subnormal flushed: a load, store or exchange does not compute. Integers are read as they
 * are. */
bool mo_see(const struct mo_job *j, const struct mo_event *e, struct mo_state v,
            struct mo_state *seen)
{
    *seen = v;
    bool const is_as_seen = v.kind == STATE_VALUE && v.bits == e->original;
    if (!e->knows_original || is_as_seen) {
        return true;
    }
    if (!j->p->is_float) {
        *seen = mo_value(e->original);
        return v.kind == STATE_ANY;
    }
    const struct float_format *f = j->format;
    bool const may_be_flushed =
        j->sees_flush && mo_is_float_op(e->op) && format_is_zero(f, e->original);
    switch (v.kind) {
    case STATE_VALUE:
        return is_quieted(f, v.bits, e->original) ||
               (may_be_flushed && format_is_subnormal(f, v.bits));
    case STATE_NAN:
        *seen = mo_value(v.bits ? may_have_been(f, e->original) : e->original);
        return format_is_nan(f, e->original);
    case STATE_ANY:
        if (!may_be_flushed) { /* else memory may hold any subnormal, and stays unknown */
            *seen = mo_value(e->original);
        }
        return true;
    }
    assert(0 && "mo_state_kind out of range");
    return false;
}

bool mo_ends_at(const struct mo_job *j, struct mo_state v, uint64_t bits)
{
    switch (v.kind) {
    case STATE_VALUE:
        return v.bits == bits || (j->p->is_float && is_quieted(j->format, v.bits, bits));
    case STATE_NAN:
        return format_is_nan(j->format, bits);
    case STATE_ANY:
        return true;
    }
    assert(0 && "mo_state_kind out of range");
    return false;
}

/* Add a state to those that may be left, unless it is there. */
static void add_head(const struct mo_job *j, struct mo_heads *out, struct mo_state s)
{
    if (s.kind == STATE_VALUE && j->zero_blind && format_is_zero(j->format, s.bits)) {
        s.bits = 0;
    }
    for (uint32_t i = 0; i < out->n; i++) {
        if (out->s[i].kind == s.kind && out->s[i].bits == s.bits) {
            return;
        }
    }
    if (out->n == MO_MAX_HEADS) {
        out->is_complete = false;
        return;
    }
    out->s[out->n++] = s;
}

/* Adds all members of a permitted set. */
static void add_set(const struct mo_job *j, struct mo_heads *out, const struct set *s)
{
    if (s->flags & SET_ANY) {
        add_head(j, out, (struct mo_state){0, STATE_ANY});
        return;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        for (int64_t key = s->r[i].lo; out->is_complete; key++) {
            add_head(j, out, mo_value(format_from_key(j->format, key)));
            if (key == s->r[i].hi) {
                break;
            }
        }
    }
    if (s->flags & (SET_QNAN | SET_SNAN)) {
        add_head(j, out, (struct mo_state){(s->flags & SET_SNAN) != 0, STATE_NAN});
    }
}

/* The rules under the job's policy: POLICY_FULL has the rules of the problem; any other policy picks one of the
 * results that they permit. */
static struct fp_rules get_policy_rules(const struct mo_job *j)
{
    struct fp_rules r = j->p->rules;
    if (j->policy != POLICY_FULL) {
        r.rounding = r.rounding == ROUND_RTZ ? ROUND_RTZ : ROUND_RNE;
        r.flush_in = FLUSH_NEVER;
        r.flush_out = FLUSH_NEVER;
        r.zero_sign_free = 0;
    }
    return r;
}

static bool has_one_result(const struct fp_rules *r)
{
    bool const is_one_rounding = r->rounding == ROUND_RNE || r->rounding == ROUND_RTZ;
    return is_one_rounding && r->flush_in == FLUSH_NEVER && r->flush_out == FLUSH_NEVER &&
           !r->zero_sign_free;
}

/* The sum under a policy with a single result for each addition. */
static uint64_t get_single_sum(const struct mo_job *j, int is_toward_zero, uint64_t x, uint64_t y)
{
    enum fmt_id const fmt = j->p->fmt;
    const struct float_format *f = j->format;
    uint64_t s = is_toward_zero || j->policy == POLICY_WRONG_TRUNCATE ? arith_add_rtz(fmt, x, y)
                                                                      : arith_add_rne(fmt, x, y);
    if (j->policy == POLICY_WRONG_FLUSH && format_is_subnormal(f, s)) {
        s &= f->sign;
    }
    if (j->policy == POLICY_WRONG_SATURATE && (s & ~f->sign) == f->exp) {
        s = (s & f->sign) | format_max_finite(f);
    }
    return s;
}

/* Adds to *out what an addition to x may leave: the single sum where the rules permit one result only, else all
 * members of the permitted set. takes_range: the addition is contracted with what computes its operand, so that its
 * operand is any number of a range that holds the rounded operand, and the sum is rounded either way. 0.0: an addition
 * has no bound in ulps. */
static void step_add(const struct mo_job *j, const struct mo_event *e, uint64_t x,
                     struct mo_heads *out)
{
    struct fp_rules r = get_policy_rules(j);
    bool const takes_range = j->p->is_contracted && e->has_range && j->policy == POLICY_FULL;
    uint64_t const y = e->operand;
    if (has_one_result(&r) && !takes_range) {
        uint64_t const sum = get_single_sum(j, r.rounding == ROUND_RTZ, x, y);
        bool const may_signal = format_is_snan(j->format, x) || format_is_snan(j->format, y);
        struct mo_state const some_nan = {may_signal, STATE_NAN};
        add_head(j, out, format_is_nan(j->format, sum) ? some_nan : mo_value(sum));
        return;
    }
    struct set a, b, sums;
    set_of(&a, j->p->fmt, x);
    set_of(&b, j->p->fmt, y);
    if (takes_range) {
        r.rounding = ROUND_EITHER;
        set_add_range(&b, format_to_key(j->format, e->low), format_to_key(j->format, e->high));
    }
    set_clear(&sums, j->p->fmt);
    const struct set *const args[2] = {&a, &b};
    arith_apply(ARITH_ADD, args, &r, 0.0, &sums);
    add_set(j, out, &sums);
}

/* Adds to *out what FMin or FMax of x may leave: one of the two operands where the rules permit one result only, else
 * all members of the permitted set. POLICY_WRONG_SWAP exchanges min and max; under POLICY_WRONG_NAN a NaN wins. */
static void step_minmax(const struct mo_job *j, const struct mo_event *e, uint64_t x,
                        struct mo_heads *out)
{
    const struct float_format *f = j->format;
    struct fp_rules const r = get_policy_rules(j);
    uint64_t const y = e->operand;
    bool const has_nan = format_is_nan(f, x) || format_is_nan(f, y);
    bool const has_zeros = format_is_zero(f, x) && format_is_zero(f, y);
    bool const is_max = (e->op == MO_FMAX) != (j->policy == POLICY_WRONG_SWAP);
    if (has_nan && j->policy == POLICY_WRONG_NAN) {
        add_head(j, out, (struct mo_state){0, STATE_NAN});
        return;
    }
    if (!has_nan && !has_zeros && has_one_result(&r)) {
        bool const is_above = format_to_key(f, x) > format_to_key(f, y);
        add_head(j, out, mo_value(is_above == is_max ? x : y));
        return;
    }
    struct set permitted;
    set_clear(&permitted, j->p->fmt);
    minmax_permitted(is_max, j->p->fmt, x, y, &r, &permitted);
    add_set(j, out, &permitted);
}

/* Results are reduced modulo 2^n_bits. */
uint64_t mo_step_integer(enum mo_op op, unsigned n_bits, uint64_t old, uint64_t operand,
                         uint64_t comparator)
{
    uint64_t const ones = ~UINT64_C(0) >> (64 - n_bits);
    uint64_t const x = old, y = operand & ones;
    /* Flipping the top bit turns signed order into unsigned order. */
    uint64_t const top = UINT64_C(1) << (n_bits - 1);
    switch (op) {
    case MO_IADD:
        return (x + y) & ones;
    case MO_ISUB:
        return (x - y) & ones;
    case MO_SMIN:
        return (x ^ top) < (y ^ top) ? x : y;
    case MO_SMAX:
        return (x ^ top) > (y ^ top) ? x : y;
    case MO_UMIN:
        return x < y ? x : y;
    case MO_UMAX:
        return x > y ? x : y;
    case MO_AND:
        return x & y;
    case MO_OR:
        return x | y;
    case MO_XOR:
        return x ^ y;
    case MO_CMPXCHG:
        return x == comparator ? y : x;
    case MO_LOAD:
        return x;
    case MO_STORE:
    case MO_EXCHANGE:
    case MO_FADD: /* of integers only in a module that is not valid */
    case MO_FMIN:
    case MO_FMAX:
        return y;
    }
    assert(0 && "mo_op out of range");
    return y;
}

/* Adds to *out what an addition, minimum or maximum leaves, in a state that is a value or some NaN. */
static void step_float(const struct mo_job *j, const struct mo_event *e, struct mo_state seen,
                       struct mo_heads *out)
{
    bool const may_be_signalling = seen.kind == STATE_NAN && seen.bits;
    uint64_t const some_nan = j->format->exp | (may_be_signalling ? 1 : j->format->quiet);
    uint64_t const x = seen.kind == STATE_NAN ? some_nan : seen.bits;
    if (e->op == MO_FADD) {
        step_add(j, e, x, out);
    } else {
        step_minmax(j, e, x, out);
    }
}

/* A result that depends on an unknown operand or state is unknown (STATE_ANY). */
void mo_step(const struct mo_job *j, const struct mo_event *e, struct mo_state seen,
             struct mo_heads *out)
{
    out->n = 0;
    out->is_complete = true;
    if (e->op == MO_LOAD) {
        add_head(j, out, seen);
    } else if (!e->knows_operand) {
        add_head(j, out, (struct mo_state){0, STATE_ANY});
    } else if (e->op == MO_STORE || e->op == MO_EXCHANGE) {
        add_head(j, out, mo_value(e->operand));
    } else if (seen.kind == STATE_ANY) {
        add_head(j, out, seen);
    } else if (mo_is_float_op(e->op)) {
        step_float(j, e, seen, out);
    } else if (seen.kind == STATE_VALUE) {
        add_head(
            j, out,
            mo_value(mo_step_integer(e->op, j->p->n_bits, seen.bits, e->operand, e->comparator)));
    } else { /* compare-exchange on the bits of a float: some NaN may equal the comparator or not */
        add_head(j, out, seen);
        add_head(j, out, mo_value(e->operand));
    }
}
