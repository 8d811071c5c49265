/* oracle/judge/blame_hole.c -- wrong values that come of an instruction which no clause permits. */
#include "oracle/judge/blame.h"
#include "oracle/interp/static_place.h"

static bool is_hole(const struct judge *j, const struct event *e)
{
    return static_is_hole(&j->m, j->tc->env, &j->m.code[e->code]);
}

static bool follows_hole_load(const struct judge *j, const struct event *e)
{
    for (uint32_t i = j->cells[e->cell].first; i; i = j->events[i - 1].next) {
        const struct event *other = &j->events[i - 1];
        if (other->version < e->version && other->op == CHAIN_LOAD && is_hole(j, other)) {
            return true;
        }
    }
    return false;
}

bool blame_is_hole(const struct judge *j, const struct mod_inst *in, const struct event *before,
                   const struct event *seen, bool is_small)
{
    return static_is_hole(&j->m, j->tc->env, in) || (before && is_hole(j, before)) ||
           (is_small && seen && follows_hole_load(j, seen));
}
