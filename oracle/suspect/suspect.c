/* oracle/suspect/suspect.c -- a value that a fault may have changed. */
#include "oracle/suspect/suspect.h"

#include "oracle/interp/exec.h"
#include "oracle/num/set.h"

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

/* Is `got` among what is permitted of v? */
static bool is_permitted(const struct exec *x, struct val v, uint64_t got)
{
    const struct abstract *b = exec_get_abstract(x, v);
    if (!b) {
        return v.bits == got;
    }
    if (abstract_is_one(b)) {
        return b->bits == got;
    }
    return b->kind != ABSTRACT_SET || set_has(b->set, got);
}

struct val suspect_get_right(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    for (; b && b->further; b = exec_get_abstract(x, v)) {
        v = b->further->right;
    }
    return v;
}

struct val suspect_widen(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                         const uint64_t *bits, uint32_t n)
{
    struct set all;
    struct further *further = ARENA_NEW(x->a, struct further, 1);
    struct set *wide = ARENA_NEW(x->a, struct set, 1);
    if (!further || !wide) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    further->of = s;
    further->right = v;
    for (uint32_t i = 0; i < n && further->n < SUSPECT_MAX_VALUES; i++) {
        if (!is_permitted(x, v, bits[i])) {
            further->bits[further->n++] = bits[i];
        }
    }
    bool const is_float = fmt >= 0;
    if (further->n == 0 || (is_float && !get_floats(x, v, (enum fmt_id)fmt, &all))) {
        return v;
    }
    for (uint32_t i = 0; is_float && i < further->n; i++) {
        set_add(&all, further->bits[i]);
    }
    *wide = is_float ? all : (struct set){0};
    struct val out = exec_new_abstract(x);
    struct abstract *to = &x->pool[out.abs];
    const struct abstract *from = exec_get_abstract(x, v);
    if (from) {
        *to = *from;
    }
    to->is_observed = false;
    if (is_float) {
        to->kind = ABSTRACT_SET;
        to->set = wide;
    } else { /* a truth value: either */
        to->kind = ABSTRACT_MASK;
        to->mask.must = 0;
        to->mask.may = v.bits | bits[0];
    }
    to->further = further;
    out.made_by = v.made_by;
    return out;
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

void suspect_count(struct suspicion *s, const struct exec *x, struct val v, uint64_t got)
{
    const struct abstract *b = exec_get_abstract(x, v);
    bool const is_right = b && b->further && is_permitted(x, suspect_get_right(x, v), got);
    for (; b && b->further; b = exec_get_abstract(x, b->further->right)) {
        struct suspicion *const one = find(s, b->further);
        one->n_sites++;
        one->n_kept += is_right;
        one->n_taken += !is_right && b->further->is_open;
        for (uint32_t i = 0; !is_right && i < b->further->n; i++) {
            one->n_taken += b->further->bits[i] == got;
        }
    }
}
