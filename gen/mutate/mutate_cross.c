/* gen/mutate/mutate_cross.c -- one tape out of many: what is rare in each of them comes together. */
#include "gen/mutate/mutate_parts.h"

enum {
    CROSS_LEAST = 2, /* changes; doubled up to three times */
    CROSS_DOUBLINGS = 4,
    CROSS_OTHERS = 6 /* of them are taken from at a time: each has to be parsed */
};

static int is_item(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    return mutate_is_listed(x);
}

/* A whole statement of another tape into a list of this one, where it still may be mutated. */
static int adopt(struct mutant *m)
{
    const struct tree *const from = mutate_pick(m, m->other, is_item, NULL);
    return from && mutate_adopt(m, from);
}

static int cross_once(struct mutant *m)
{
    uint64_t const at = rng_below(m->rng, 100);
    return at < 50   ? adopt(m)
           : at < 60 ? mutate_splice(m)
           : at < 70 ? mutate_duplicate(m)
           : at < 78 ? mutate_nest(m)
                     : mutate_any(m);
}

enum res mutate_cross(const struct parent *in, const struct parent *const *others, size_t n_others,
                      size_t max_records, struct rng *r, struct arena *a, struct tape *out,
                      struct err *e)
{
    struct mutant m = {.profile = in->profile, .max_records = max_records, .rng = r, .a = a};
    struct tree *from[CROSS_OTHERS];
    m.root = mutate_parse(in, max_records, a);
    m.is_full = !m.root;
    for (size_t i = 0; i < CROSS_OTHERS; i++) {
        from[i] = mutate_parse(others[rng_below(r, n_others)], TAPE_MAX_RECORDS, a);
        m.is_full |= !from[i];
    }
    unsigned const n = (unsigned)CROSS_LEAST << (unsigned)rng_below(r, CROSS_DOUBLINGS);
    for (unsigned i = 0; i < n && !m.is_full; i++) {
        m.other = from[rng_below(r, CROSS_OTHERS)];
        (void)cross_once(&m);
    }
    return !m.is_full && tree_write(m.root, a, out) ? RES_OK : mutate_complain(e, a);
}
