/* oracle/interp/tangle.c -- which invocations execute a group instruction together. */
#include "oracle/interp/tangle.h"

#include "oracle/interp/path.h"
#include "oracle/tables/tables.h"

enum {
    TAG_MERGED = UINT32_C(3)
}; /* second number of a path that became one again */

static int is_waiting(const struct invocation *v)
{
    return v->state == INV_GROUP || v->state == INV_MERGE || v->state == INV_BARRIER;
}

/* Which of the two comes first in the order of structured control flow: constructs outside in, by
 * code and iteration. Blocks stand in that order in a module whose merge blocks follow what they
 * merge. */
static int compare_places(const struct invocation *a, const struct invocation *b)
{
    for (uint32_t i = 0;; i++) {
        const struct construct *ca = i < a->n_constructs ? &a->construct[i] : NULL;
        const struct construct *cb = i < b->n_constructs ? &b->construct[i] : NULL;
        uint32_t const pa = ca ? ca->pc : a->pc, pb = cb ? cb->pc : b->pc;
        if (pa != pb) {
            return pa < pb ? -1 : 1;
        }
        if (!ca || !cb) { /* at one program point: a merge comes before what follows its label */
            return ca ? 1 : cb ? -1 : (b->state == INV_MERGE) - (a->state == INV_MERGE);
        }
        if (ca->iteration != cb->iteration) {
            return ca->iteration < cb->iteration ? -1 : 1;
        }
    }
}

static struct invocation *find_first(struct invocation *inv, uint32_t n)
{
    struct invocation *first = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (is_waiting(&inv[i]) && (!first || compare_places(&inv[i], first) < 0)) {
            first = &inv[i];
        }
    }
    return first;
}

/* Is v where `first` is? */
static int is_at(const struct invocation *v, const struct invocation *first)
{
    return v->state == first->state && v->pc == first->pc && v->context == first->context;
}

/* Did v enter the construct that it has just left together with `first`? */
static int left_together(const struct invocation *v, const struct invocation *first)
{
    return is_at(v, first) &&
           v->construct[v->n_constructs].path == first->construct[first->n_constructs].path;
}

/* Does the whole sub-group of `v` leave the construct that `v` leaves, having entered it as one? */
static int whole_subgroup_leaves(const struct invocation *inv, uint32_t n,
                                 const struct invocation *v)
{
    for (uint32_t i = 0; i < n; i++) {
        if (inv[i].subgroup == v->subgroup && !left_together(&inv[i], v)) {
            return 0;
        }
    }
    return v->subgroup != EXEC_NO_SUBGROUP;
}

/* Releases the invocations that wait at the same merge block as `first`. They converge (their paths become one)
 * where the environment guarantees it: if all n invocations of the work-group entered the construct together and
 * leave it, or under maximal reconvergence for those that leave, or sub-group by sub-group under uniform control
 * flow. States change last, because left_together reads them. */
static void release_merge(struct exec *x, struct invocation *inv, uint32_t n,
                          const struct invocation *first)
{
    struct invocation const at = *first; /* a copy, because the path of `first` itself changes */
    const struct mod_modes *modes = &x->m->modes;
    uint32_t n_together = 0;
    for (uint32_t i = 0; i < n; i++) {
        n_together += (uint32_t)left_together(&inv[i], &at);
    }
    int const all = n_together == n || modes->maximal_reconvergence;
    /* the construct just left is the one after the last: path_leave only lowers n_constructs */
    uint32_t const merged =
        path_step(x, at.construct[at.n_constructs].path, at.label, (uint32_t)TAG_MERGED);
    for (uint32_t i = 0; i < n; i++) {
        if (!left_together(&inv[i], &at)) {
            continue;
        }
        if (all || (modes->subgroup_uniform_flow && whole_subgroup_leaves(inv, n, &inv[i]))) {
            inv[i].path = merged;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (left_together(&inv[i], &at)) {
            inv[i].state = INV_READY;
        }
    }
}

static bool is_same_in(const struct module *m, uint32_t label, const struct invocation *a,
                       const struct invocation *b)
{
    for (uint32_t l = 0; l < MOD_MAX_LOOPS; l++) {
        if ((m->loops_of[label] >> l & 1) && a->iteration[l] != b->iteration[l]) {
            return false;
        }
    }
    return true;
}

/* Have two at one instruction come to the same dynamic instance of it: by the same calls, and in each loop around it in the
 * same iteration? Clause: SPIR-V specification, 2.2.5 Dynamic Instance; OpControlBarrier: behavior is undefined unless all of
 * the work-group execute the same one. */
static bool is_same_iteration(const struct module *m, const struct invocation *a,
                              const struct invocation *b)
{
    bool is_same = a->depth == b->depth && (!m->loops_of || is_same_in(m, a->label, a, b));
    for (uint32_t i = 0; is_same && i < a->depth; i++) {
        is_same = a->call[i].pc == b->call[i].pc &&
                  (!m->loops_of || is_same_in(m, a->call[i].label, a, b));
    }
    return is_same;
}

static enum tangle_step release_barrier(struct exec *x, struct invocation *inv, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (inv[i].state != INV_BARRIER) {
            (void)exec_stop_undefined(x, UNDEFINED_BARRIER_MISSED);
            return TANGLE_STOPPED;
        }
        if (inv[i].pc != inv[0].pc || !is_same_iteration(x->m, &inv[i], &inv[0])) {
            (void)exec_stop_undefined(x, UNDEFINED_BARRIER_OTHER);
            return TANGLE_STOPPED;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        inv[i].state = INV_READY;
    }
    return TANGLE_GO_ON;
}

/* Decides what happens when none of the n invocations is ready. The waiting invocation that comes first in control
 * flow order determines it (enum tangle_step): a barrier or merge block is passed here; for a group instruction
 * *out gets the instruction and the invocations that wait at it in the same context. */
enum tangle_step tangle_next(struct exec *x, struct invocation *inv, uint32_t n,
                             struct tangle_site *out)
{
    const struct invocation *first = find_first(inv, n);
    if (!first) {
        return TANGLE_DONE;
    }
    if (first->state == INV_BARRIER) {
        return release_barrier(x, inv, n);
    }
    if (first->state == INV_MERGE) {
        release_merge(x, inv, n, first);
        return x->stop ? TANGLE_STOPPED : TANGLE_GO_ON;
    }
    out->in = &x->m->code[first->pc];
    out->n = 0;
    out->lane = ARENA_NEW(x->a, uint32_t, n);
    if (!out->lane) {
        (void)exec_stop(x, "arena full");
        return TANGLE_STOPPED;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (is_at(&inv[i], first)) {
            out->lane[out->n++] = i;
        }
    }
    return TANGLE_GROUP;
}

void tangle_release(struct invocation *inv, const struct tangle_site *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        inv[s->lane[i]].pc++;
        inv[s->lane[i]].state = INV_READY;
    }
}
