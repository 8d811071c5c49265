/* oracle/suspect/suspect.c -- a value that a fault may have changed. */
#include "oracle/suspect/suspect.h"

#include "base/format.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/interp/exec.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/set.h"

/* The keys of what is up to `radius` encodings from a number, within the infinities. */
static struct set_range get_range(const struct float_format *f, uint64_t bits, uint32_t radius)
{
    int64_t const key = format_to_key(f, bits), most = format_to_key(f, f->exp),
                  least = format_to_key(f, f->exp | f->sign);
    return (struct set_range){.lo = key - least > radius ? key - radius : least,
                              .hi = most - key > radius ? key + radius : most};
}

bool further_has(const struct further *further, uint64_t got)
{
    const struct float_format *const f = &float_formats[further->fmt];
    bool const is_number = further->radius > 0 && !format_is_nan(f, got);
    for (uint32_t i = 0; further->others && i < further->others->n; i++) {
        if (further->others->bits[i] == got) {
            return true;
        }
    }
    for (uint32_t i = 0; i < further->n; i++) {
        if (further->bits[i] == got) {
            return true;
        }
        if (is_number && !format_is_nan(f, further->bits[i])) {
            struct set_range const r = get_range(f, further->bits[i], further->radius);
            int64_t const key = format_to_key(f, got);
            if (r.lo <= key && key <= r.hi) {
                return true;
            }
        }
    }
    return false;
}

/* The set of what v may be; false: it is none of floats, or anything. */
static bool get_floats(const struct exec *x, struct val v, enum fmt_id fmt, struct set *out)
{
    const struct abstract *b = exec_get_abstract(x, v);
    if (!b || b->is_observed || abstract_is_one(b)) {
        set_of(out, fmt, b ? b->bits : v.bits);
        return true;
    }
    if (b->kind != ABSTRACT_SET || b->set->flags & SET_ANY) {
        return false;
    }
    *out = *b->set;
    return true;
}

uint64_t suspect_pick(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    if (!b || b->is_observed || b->kind != ABSTRACT_SET || b->set->flags & SET_ANY) {
        return b ? b->bits : v.bits;
    }
    const struct float_format *f = &float_formats[b->set->fmt];
    return b->set->n > 0 ? set_nth(b->set, 0) : f->exp | f->quiet;
}

bool suspect_permits(const struct suspicion *s, const struct exec *x, struct val v, uint64_t bits)
{
    const struct abstract *b = exec_get_abstract(x, v);
    if (!b || abstract_is_one(b)) {
        return (b ? b->bits : v.bits) == bits;
    }
    switch (b->kind) {
    case ABSTRACT_SET:
        return set_has(b->set, bits) != 0;
    case ABSTRACT_MASK:
        return (b->mask.must & ~bits) == 0 && (bits & ~b->mask.may) == 0;
    case ABSTRACT_SUM:
        return s->allows_sum(s->judge, b->reduction, bits) != 0;
    case ABSTRACT_CHOICE:
        return accuracy_int_has(b->choices, (int32_t)(uint32_t)bits);
    case ABSTRACT_ONE:
    case ABSTRACT_ANYTHING:
    case ABSTRACT_DEVICE:
        break;
    }
    return true;
}

struct val suspect_get_right(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    for (; b && b->further; b = exec_get_abstract(x, v)) {
        v = b->further->right;
    }
    return v;
}

void suspect_take_further(const struct suspicion *s, const struct exec *x, struct val v,
                          const uint64_t *bits, uint32_t n, struct further *out)
{
    *out = (struct further){.of = s, .right = v};
    for (uint32_t i = 0; i < n && out->n < SUSPECT_MAX_VALUES; i++) {
        if (!suspect_permits(s, x, v, bits[i])) {
            out->bits[out->n++] = bits[i];
        }
    }
}

struct val suspect_widen(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                         const uint64_t *bits, uint32_t n)
{
    return suspect_widen_around(s, x, v, fmt, FMT_F32, 0, bits, n);
}

/* What is around each value is kept, also where the value itself is permitted anyway. */
static void take_around(const uint64_t *bits, uint32_t n, struct further *out)
{
    out->n = 0;
    for (uint32_t i = 0; i < n && i < SUSPECT_MAX_VALUES; i++) {
        out->bits[out->n++] = bits[i];
    }
}

struct val suspect_widen_by_others(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                                   const struct suspect_others *others, const uint64_t *bits,
                                   uint32_t n)
{
    struct val const out = suspect_widen(s, x, v, fmt, bits, n);
    const struct abstract *const b = exec_get_abstract(x, out);
    if (out.abs == v.abs || b->kind != ABSTRACT_SET) {
        return out;
    }
    struct further *const further = arena_copy(x->a, b->further, sizeof *further);
    struct set *const wide = arena_copy(x->a, b->set, sizeof *wide);
    if (!further || !wide) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    further->others = others;
    for (uint32_t i = 0; i < others->n; i++) {
        set_add(wide, others->bits[i]);
    }
    x->pool[out.abs].further = further;
    x->pool[out.abs].set = wide;
    return out;
}

struct val suspect_widen_around(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                                enum fmt_id of, uint32_t radius, const uint64_t *bits, uint32_t n)
{
    struct set all;
    struct further *further = ARENA_NEW(x->a, struct further, 1);
    struct set *wide = ARENA_NEW(x->a, struct set, 1);
    if (!further || !wide) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    suspect_take_further(s, x, v, bits, n, further);
    further->fmt = (uint8_t)of;
    further->radius = radius;
    if (radius > 0) {
        take_around(bits, n, further);
    }
    bool const has_set = fmt >= 0 && get_floats(x, v, (enum fmt_id)fmt, &all);
    if (further->n == 0 || (fmt >= 0 && !has_set)) {
        return v;
    }
    for (uint32_t i = 0; has_set && i < further->n; i++) {
        struct set_range const r = get_range(&float_formats[of], further->bits[i], radius);
        if (radius > 0) {
            set_add_range(&all, r.lo, r.hi);
        } else {
            set_add(&all, further->bits[i]);
        }
    }
    struct val out = exec_new_abstract(x);
    struct abstract *to = &x->pool[out.abs];
    const struct abstract *from = exec_get_abstract(x, v);
    *to = from ? *from : (struct abstract){.kind = ABSTRACT_ONE, .bits = v.bits};
    to->is_observed = false;
    if (has_set) {
        *wide = all;
        to->kind = ABSTRACT_SET;
        to->set = wide;
    }
    to->further = further;
    out.made_by = v.made_by;
    return out;
}

bool suspect_is_between(const struct suspicion *s, const struct exec *x, struct val v, uint64_t got)
{
    const struct abstract *b = exec_get_abstract(x, v);
    bool const is_nan =
        b && b->kind == ABSTRACT_SET && format_is_nan(&float_formats[b->set->fmt], got);
    bool is_its =
        is_nan || !b || !b->further || suspect_permits(s, x, suspect_get_right(x, v), got);
    for (; b && b->further && !is_its; b = exec_get_abstract(x, b->further->right)) {
        is_its = b->further->is_open || further_has(b->further, got);
    }
    return !is_its;
}

struct val suspect_open(const struct suspicion *s, struct exec *x, struct val v)
{
    struct further *further = ARENA_NEW(x->a, struct further, 1);
    if (!further) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    further->of = s;
    further->is_open = true;
    further->right = v;
    struct val out = exec_new_abstract(x);
    struct abstract *to = &x->pool[out.abs];
    const struct abstract *from = exec_get_abstract(x, v);
    if (from) { /* the instruction that it is of */
        *to = *from;
    }
    to->kind = ABSTRACT_ANYTHING;
    to->anything.is_uncertain = false;
    to->is_observed = false;
    to->further = further;
    return out;
}

/* The suspicion of the chain that widened something. */
static struct suspicion *find(struct suspicion *s, const struct further *further)
{
    while (s != further->of) {
        s = s->next;
    }
    return s;
}

bool suspect_count(struct suspicion *s, const struct exec *x, struct val v, uint64_t got)
{
    const struct abstract *b = exec_get_abstract(x, v);
    bool is_taken = false;
    bool const is_right = b && b->further && suspect_permits(s, x, suspect_get_right(x, v), got);
    for (; b && b->further; b = exec_get_abstract(x, b->further->right)) {
        struct suspicion *const one = find(s, b->further);
        bool const is_its = !is_right && (b->further->is_open || further_has(b->further, got));
        one->n_sites++;
        one->n_kept += is_right;
        one->n_taken += is_its;
        /* what is left open may be any of all */
        one->n_free += is_its && b->further->is_open ? SUSPECT_OPEN_BITS : 0;
        one->n_free += is_its ? suspect_count_bits(b->further->n) : 0;
        is_taken |= is_its;
    }
    return is_taken;
}

bool suspect_reset(struct suspicion *s, uint32_t n_ids, struct arena *a)
{
    bool is_done = true;
    for (; s; s = s->next) {
        s->n_sites = s->n_taken = s->n_kept = s->n_free = 0;
        s->groups = NULL;
        s->n_accesses = 0;
        s->is_hit = false;
        s->notes = ARENA_NEW(a, struct suspect_note *, (size_t)n_ids + 1);
        if (!s->others && fault_bug_takes_others(s->plan.id)) {
            s->others = ARENA_NEW(a, struct suspect_others, (size_t)n_ids + 1);
            is_done &= s->others != NULL;
        }
        is_done &= s->notes != NULL;
    }
    return is_done;
}
