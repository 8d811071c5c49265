/* oracle/explain/flow_additional.c -- the fault FLOW_ADDITIONAL: an invocation also does the iterations of a loop
 * that others of its work-group do and that it should not do. The loop's carried values go through these iterations,
 * and what the iterations store, or change by an atomic, is in memory. Each additional iteration is interpreted on a
 * copy of the invocation. */
#include "oracle/explain/explain_policy.h"

#include <string.h>

#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_extra.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_values/iteration.h"
#include "oracle/modorder/mo.h"
#include "oracle/modorder/mo_atomic.h"

enum {
    MAX_ITERATIONS = 4, /* additional iterations of one invocation in one loop, */
    MAX_IN_ALL = 4096   /* and of all invocations */
};

/* What an additional iteration stores to a buffer. */
struct stored {
    struct location location;
    uint32_t n_bytes;
    struct val v;
};
/* What an atomic of an additional iteration does to a location. */
struct updated {
    struct location location;
    uint32_t group; /* of work-group memory; else 0 */
    struct mo_event event;
};

struct additional {
    struct hypothesis *s;
    const struct flow_run *run;
    uint32_t n_iterations; /* that were interpreted so far */
    struct stored *stored;
    uint32_t n_stored, cap_stored;
    struct updated *updated;
    uint32_t n_updated, cap_updated;
};

/* ---- an additional iteration ---- */

/* Hook: keeps what an additional iteration stores to a buffer. */
static int keep_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val v)
{
    struct additional *const kept = x->extra;
    (void)inv;
    (void)in;
    if (p.space != SPACE_BUFFER) {
        return 1;
    }
    struct stored *const all =
        arena_grow(x->a, kept->stored, kept->n_stored, &kept->cap_stored, sizeof *all);
    if (!all) {
        return exec_stop(x, "arena full");
    }
    kept->stored = all;
    struct stored *const one = &all[kept->n_stored++];
    *one = (struct stored){.location = p, .n_bytes = x->m->ids[type].t.bits / 8, .v = v};
    return 1;
}

/* Lets the private cells at p hold anything from then on. */
static void unconstrain_cells(struct hypothesis *s, struct judge *j, struct location p,
                              uint32_t group)
{
    for (uint32_t i = 0; i < j->memory.n_cells; i++) {
        struct cell *const c = &j->memory.cells[i];
        if (cell_is_of(c, p, group) && !c->contended) {
            c->cur = hypothesis_free(s, &j->x, c->cur);
        }
    }
}

/* Hook: keeps the atomic of an additional iteration as an additional access to each of its locations. */
static int keep_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct location p)
{
    struct additional *const kept = x->extra;
    const struct mod_type *t = &x->m->ids[static_value_type(x->m, in)].t;
    const struct mo_atomic *row = mo_find_atomic(in->op);
    uint32_t const group = p.space == SPACE_WORKGROUP ? inv->group_index : 0;
    struct location at = p;
    for (uint32_t c = 0; row && c < t->n; c++, at.offset += t->bits / 8) {
        struct updated *const all =
            arena_grow(x->a, kept->updated, kept->n_updated, &kept->cap_updated, sizeof *all);
        if (!all) {
            return exec_stop(x, "arena full");
        }
        kept->updated = all;
        all[kept->n_updated++] =
            (struct updated){at, group, flow_describe_atomic(x, inv, in, row, c)};
        if (row->operation != MO_LOAD) {
            unconstrain_cells(kept->s, x->user, at, group);
        }
    }
    return exec_extra_atomic(x, inv, in, p);
}

static const struct exec_hooks iteration_hooks = {.load = exec_extra_load,
                                                  .store = keep_store,
                                                  .atomic = keep_atomic,
                                                  .arith = iteration_arith,
                                                  .builtin = exec_extra_builtin};

/* The invocation has left a loop in which others do n more iterations: interprets these, and widens the phis of the
 * loop by their values. */
static void iterate(struct additional *p, struct judge *j, const struct invocation *inv,
                    const struct merge_loop *loop, uint32_t n)
{
    struct invocation copy;
    if (loop->body == 0 || p->n_iterations >= MAX_IN_ALL ||
        !exec_copy_invocation(&j->x, inv, &copy)) {
        return;
    }
    for (uint32_t i = 0; i < n && i < MAX_ITERATIONS; i++, p->n_iterations++) {
        if (!exec_run_iteration(&j->x, &iteration_hooks, p, &copy, loop->body, loop->header)) {
            return;
        }
        for (uint32_t k = loop->first + 1; j->m.code[k].op == SpvOpPhi; k++) {
            const struct mod_inst *phi = &j->m.code[k];
            flow_widen_phi(p->s, j, inv, phi, *exec_reg(&j->x, &copy, phi->result));
        }
    }
}

/* ---- the policy ---- */

static bool on_begin(void *state, struct judge *j)
{
    struct additional *const p = state;
    (void)j;
    p->n_iterations = p->n_stored = p->n_updated = 0;
    return true;
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct additional *const p = state;
    uint32_t n;
    if (site->kind != SITE_BLOCK) {
        return;
    }
    const struct merge_loop *const left =
        p->run->is_known ? fault_flow_left(&p->run->flow, &j->m, site->inv, &n) : NULL;
    if (left) {
        iterate(p, j, site->inv, left, n);
    }
}

/* Adds the atomics of additional iterations on the cell to the order problem, without program order and phases, as it
 * is not known when the device does them. true: all their operands are known. */
static bool add_updates(const struct additional *p, const struct cell *c, struct mo_problem *longer,
                        struct mo_event *events)
{
    bool knows_all = true;
    for (uint32_t i = 0; i < p->n_updated; i++) {
        const struct updated *const one = &p->updated[i];
        if (cell_is_of(c, one->location, one->group) && one->event.op != MO_LOAD) {
            struct mo_event *const e = &events[longer->n_events];
            *e = one->event;
            e->tag = events[0].tag;
            e->invocation = p->run->flow.n_items + longer->n_events++;
            knows_all = knows_all && e->knows_operand;
        }
    }
    longer->events = events;
    longer->has_phases = 0;
    return knows_all;
}

/* Is there an order that includes the atomics of additional iterations on the cell? If their operands are not all
 * known, an order is assumed, at the price of undetermined bits. Without such atomics the problem is as before, and
 * nothing is explained. */
static enum res on_order(void *state, struct judge *j, const struct cell *c,
                         const struct mo_problem *problem, bool is_broken, bool *is_explained,
                         struct err *e)
{
    const struct additional *const p = state;
    struct mo_problem longer = *problem;
    struct mo_answer answer;
    *is_explained = false;
    if (!is_broken || p->n_updated == 0) {
        return RES_OK;
    }
    struct arena_mark const mark = arena_get_mark(j->a);
    size_t const n = (size_t)problem->n_events + p->n_updated + 1;
    struct mo_event *const events = ARENA_NEW(j->a, struct mo_event, n);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %zu events of a location", n);
    }
    memcpy(events, problem->events, sizeof *events * problem->n_events);
    bool const knows_all = add_updates(p, c, &longer, events);
    bool const is_longer = longer.n_events > problem->n_events;
    if (is_longer && knows_all) {
        TRY(mo_check(&longer, j->a, &answer, e));
        *is_explained = answer.kind == VERDICT_OK || answer.kind == VERDICT_BOUNDED;
    } else if (is_longer) {
        *is_explained = true;
        p->s->n_free += HYPOTHESIS_OPEN_BITS;
    }
    arena_release(j->a, mark);
    if (*is_explained) {
        (void)flow_count(p->s);
    }
    return RES_OK;
}

/* May an additional iteration have written the byte? */
static bool on_byte(void *state, struct judge *j, uint32_t buf, uint32_t at)
{
    const struct additional *const p = state;
    const unsigned char *const out = j->input.ob->out[buf];
    for (uint32_t i = 0; i < p->n_stored; i++) {
        const struct stored *const s = &p->stored[i];
        bool const is_there = s->location.object == buf && s->location.offset <= at &&
                              at - s->location.offset < s->n_bytes;
        if (!is_there) {
            continue;
        }
        uint64_t const got = load_le(out + s->location.offset, s->n_bytes);
        if (flow_may_be(j, s->v, s->location, s->n_bytes, got)) {
            return flow_count(p->s);
        }
    }
    return false;
}

bool flow_additional_make(struct judge *j, struct explain_context *context,
                          struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(context->all, FLOW_ADDITIONAL);
    const struct flow_run *const run = s ? flow_run_share(&context->run, j) : NULL;
    struct additional *const p = run ? ARENA_NEW(j->a, struct additional, 1) : NULL;
    if (!p) {
        return false;
    }
    p->run = run;
    p->s = s;
    *out = (struct judge_policy){
        .state = p, .begin = on_begin, .site = on_site, .order = on_order, .byte = on_byte};
    return true;
}
