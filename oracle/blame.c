/* oracle/blame.c -- which of two operations on a location left the wrong value. */
#include "oracle/blame.h"

/* The event of e's cell whose version is e's and `step` more; NULL: there is none. */
static const struct event *find_near(const struct judge *j, const struct event *e, uint32_t step)
{
    for (uint32_t i = j->cells[e->cell].first; i; i = j->events[i - 1].next) {
        if (j->events[i - 1].version == e->version + step) {
            return &j->events[i - 1];
        }
    }
    return NULL;
}

const struct event *blame_find_before(const struct judge *j, const struct event *e)
{
    return find_near(j, e, UINT32_MAX);
}

int blame_before_load(const struct judge *j, const struct observed *o, int fmt, uint64_t expected,
                      struct observed *out)
{
    if (!o->e || o->e->op != CHAIN_LOAD) {
        return 0;
    }
    const struct event *before = blame_find_before(j, o->e);
    while (before && before->op == CHAIN_LOAD && !before->knows_original) {
        before = blame_find_before(j, before); /* nobody saw it */
    }
    const struct event *after = find_near(j, o->e, 1);
    int const is_fine_after = after && after->knows_original && after->original == expected;
    int const is_by_load = o->in->op == SpvOpAtomicLoad && fmt >= 0 &&
                           format_is_zero(&float_formats[fmt], o->got) &&
                           (expected & float_formats[fmt].exp) == 0;
    if (!before || before->op == CHAIN_LOAD || is_fine_after || is_by_load) {
        return 0;
    }
    *out = *o;
    out->in = &j->m.code[before->code];
    out->e = before;
    out->inv = NULL;
    return 1;
}
