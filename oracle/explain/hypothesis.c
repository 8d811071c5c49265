/* oracle/explain/hypothesis.c -- values that are widened by what a fault gives. */
#include "oracle/explain/hypothesis.h"

#include "base/format.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/interp/exec.h"
#include "oracle/judge_groups/judge_sums.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/set.h"

/* The range of keys up to `radius` encodings around a number, from one infinity to the other. */
static struct set_range get_range(const struct float_format *f, uint64_t bits, uint32_t radius)
{
    int64_t const key = format_to_key(f, bits), most = format_to_key(f, f->exp),
                  least = format_to_key(f, f->exp | f->sign);
    return (struct set_range){.lo = key - least > radius ? key - radius : least,
                              .hi = most - key > radius ? key + radius : most};
}

bool added_has(const struct added *added, uint64_t got)
{
    const struct float_format *const f = &float_formats[added->fmt];
    bool const is_number = added->radius > 0 && !format_is_nan(f, got);
    for (uint32_t i = 0; added->others && i < added->others->n; i++) {
        if (added->others->bits[i] == got) {
            return true;
        }
    }
    for (uint32_t i = 0; i < added->n; i++) {
        if (added->bits[i] == got) {
            return true;
        }
        if (is_number && !format_is_nan(f, added->bits[i])) {
            struct set_range const r = get_range(f, added->bits[i], added->radius);
            int64_t const key = format_to_key(f, got);
            if (r.lo <= key && key <= r.hi) {
                return true;
            }
        }
    }
    return false;
}

/* The set of the floats that v may be. false: v is no float, or may be anything. */
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

uint64_t hypothesis_pick(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    if (!b || b->is_observed || b->kind != ABSTRACT_SET || b->set->flags & SET_ANY) {
        return b ? b->bits : v.bits;
    }
    const struct float_format *f = &float_formats[b->set->fmt];
    return b->set->n > 0 ? set_nth(b->set, 0) : f->exp | f->quiet;
}

bool hypothesis_permits(const struct exec *x, struct val v, uint64_t bits)
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
        return judge_reduction_allows(x->user, b->reduction, bits) != 0;
    case ABSTRACT_CHOICE:
        return accuracy_int_has(b->choices, (int32_t)(uint32_t)bits);
    case ABSTRACT_ONE:
    case ABSTRACT_ANYTHING:
    case ABSTRACT_DEVICE:
        break;
    }
    return true;
}

struct val hypothesis_get_right(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    for (; b && b->added; b = exec_get_abstract(x, v)) {
        v = b->added->right;
    }
    return v;
}

void hypothesis_list_added(const struct hypothesis *s, const struct exec *x, struct val v,
                           const uint64_t *bits, uint32_t n, struct added *out)
{
    *out = (struct added){.of = s, .right = v};
    for (uint32_t i = 0; i < n && out->n < HYPOTHESIS_MAX_VALUES; i++) {
        if (!hypothesis_permits(x, v, bits[i])) {
            out->bits[out->n++] = bits[i];
        }
    }
}

struct val hypothesis_widen(const struct hypothesis *s, struct exec *x, struct val v, int fmt,
                            const uint64_t *bits, uint32_t n)
{
    return hypothesis_widen_around(s, x, v, fmt, FMT_F32, 0, bits, n);
}

/* Takes all values as centers, also those that are permitted without the fault: the values around them may not be. */
static void set_centers(const uint64_t *bits, uint32_t n, struct added *out)
{
    out->n = 0;
    for (uint32_t i = 0; i < n && i < HYPOTHESIS_MAX_VALUES; i++) {
        out->bits[out->n++] = bits[i];
    }
}

struct val hypothesis_widen_by_others(const struct hypothesis *s, struct exec *x, struct val v,
                                      int fmt, const struct hypothesis_others *others,
                                      const uint64_t *bits, uint32_t n)
{
    struct val const out = hypothesis_widen(s, x, v, fmt, bits, n);
    const struct abstract *const b = exec_get_abstract(x, out);
    if (out.abs == v.abs || b->kind != ABSTRACT_SET) {
        return out;
    }
    struct added *const added = arena_copy(x->a, b->added, sizeof *added);
    struct set *const wide = arena_copy(x->a, b->set, sizeof *wide);
    if (!added || !wide) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    added->others = others;
    for (uint32_t i = 0; i < others->n; i++) {
        set_add(wide, others->bits[i]);
    }
    x->pool[out.abs].added = added;
    x->pool[out.abs].set = wide;
    return out;
}

/* A new pool entry: a copy of the entry of v with what was added, and with the set `all` if has_set. wide: room for
 * that set. */
static struct val make_widened(struct exec *x, struct val v, const struct added *added,
                               bool has_set, const struct set *all, struct set *wide)
{
    struct val out = exec_new_abstract(x);
    struct abstract *to = &x->pool[out.abs];
    const struct abstract *from = exec_get_abstract(x, v);
    *to = from ? *from : (struct abstract){.kind = ABSTRACT_ONE, .bits = v.bits};
    to->is_observed = false;
    if (has_set) {
        *wide = *all;
        to->kind = ABSTRACT_SET;
        to->set = wide;
    }
    to->added = added;
    out.made_by = v.made_by;
    return out;
}

/* Values that are permitted already are not added, but those around them are (radius > 0). A float with a set gets a
 * wider set; a value without a set (fmt -1) keeps the additions beside it. Where nothing is added, or v is a float
 * that may be anything or has no set yet (a sum over a group), v is returned as it is. `of` is the format of `bits`,
 * fmt that of v. */
struct val hypothesis_widen_around(const struct hypothesis *s, struct exec *x, struct val v,
                                   int fmt, enum fmt_id of, uint32_t radius, const uint64_t *bits,
                                   uint32_t n)
{
    struct set all;
    struct added *added = ARENA_NEW(x->a, struct added, 1);
    struct set *wide = ARENA_NEW(x->a, struct set, 1);
    if (!added || !wide) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    hypothesis_list_added(s, x, v, bits, n, added);
    added->fmt = (uint8_t)of;
    added->radius = radius;
    if (radius > 0) {
        set_centers(bits, n, added);
    }
    bool const has_set = fmt >= 0 && get_floats(x, v, (enum fmt_id)fmt, &all);
    if (added->n == 0 || (fmt >= 0 && !has_set)) {
        return v;
    }
    for (uint32_t i = 0; has_set && i < added->n; i++) {
        struct set_range const r = get_range(&float_formats[of], added->bits[i], radius);
        if (radius > 0) {
            set_add_range(&all, r.lo, r.hi);
        } else {
            set_add(&all, added->bits[i]);
        }
    }
    return make_widened(x, v, added, has_set, &all, wide);
}

bool hypothesis_is_between(const struct exec *x, struct val v, uint64_t got)
{
    const struct abstract *b = exec_get_abstract(x, v);
    bool const is_nan =
        b && b->kind == ABSTRACT_SET && format_is_nan(&float_formats[b->set->fmt], got);
    bool is_added =
        is_nan || !b || !b->added || hypothesis_permits(x, hypothesis_get_right(x, v), got);
    for (; b && b->added && !is_added; b = exec_get_abstract(x, b->added->right)) {
        is_added = b->added->is_open || added_has(b->added, got);
    }
    return !is_added;
}

struct val hypothesis_free(const struct hypothesis *s, struct exec *x, struct val v)
{
    struct added *added = ARENA_NEW(x->a, struct added, 1);
    if (!added) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    added->of = s;
    added->is_open = true;
    added->right = v;
    struct val out = exec_new_abstract(x);
    struct abstract *to = &x->pool[out.abs];
    const struct abstract *from = exec_get_abstract(x, v);
    if (from) { /* keeps its instruction */
        *to = *from;
    }
    to->kind = ABSTRACT_ANYTHING;
    to->anything.is_uncertain = false;
    to->is_observed = false;
    to->added = added;
    return out;
}

/* The hypothesis of the chain that has made the addition. */
static struct hypothesis *find_owner(struct hypothesis *s, const struct added *added)
{
    while (s != added->of) {
        s = s->next;
    }
    return s;
}

bool hypothesis_count(struct hypothesis *s, const struct exec *x, struct val v, uint64_t got)
{
    const struct abstract *b = exec_get_abstract(x, v);
    bool is_taken = false;
    bool const is_right = b && b->added && hypothesis_permits(x, hypothesis_get_right(x, v), got);
    for (; b && b->added; b = exec_get_abstract(x, b->added->right)) {
        struct hypothesis *const owner = find_owner(s, b->added);
        bool const is_added = !is_right && (b->added->is_open || added_has(b->added, got));
        owner->n_sites++;
        owner->n_kept += is_right;
        owner->n_taken += is_added;
        owner->n_free += is_added && b->added->is_open ? HYPOTHESIS_OPEN_BITS : 0;
        owner->n_free += is_added ? hypothesis_count_bits(b->added->n) : 0;
        is_taken |= is_added;
    }
    return is_taken;
}

void hypothesis_clear(struct hypothesis *s)
{
    for (; s; s = s->next) {
        s->n_sites = s->n_taken = s->n_kept = s->n_free = 0;
        s->notes = NULL;
        s->groups = NULL;
        s->n_accesses = 0;
        s->is_hit = false;
    }
}

bool hypothesis_reset(struct hypothesis *s, uint32_t n_ids, struct arena *a)
{
    bool is_done = true;
    hypothesis_clear(s);
    for (; s; s = s->next) {
        s->notes = ARENA_NEW(a, struct explain_note *, (size_t)n_ids + 1);
        if (!s->others && fault_bug_takes_others(s->plan.id)) {
            s->others = ARENA_NEW(a, struct hypothesis_others, (size_t)n_ids + 1);
            is_done &= s->others != NULL;
        }
        is_done &= s->notes != NULL;
    }
    return is_done;
}
