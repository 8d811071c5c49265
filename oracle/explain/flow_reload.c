/* oracle/explain/flow_reload.c -- the fault FLOW_LOADS_AGAIN: a value that is loaded before a barrier, or computed
 * from such a value, and used after the barrier, is loaded again after it, when others have stored to the location.
 *
 * After the first interpretation, each invocation with a wrong value is interpreted by itself, with loads that give
 * values that others have stored to these words, also in earlier such runs. If that gives the first wrong value of
 * the invocation, the second interpretation lets its values across barriers be anything; its later wrong values may
 * be computed from the first one. */
#include "oracle/explain/explain_policy.h"

#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_extra.h"
#include "oracle/interp/module.h"
#include "oracle/judge_values/iteration.h"
#include "oracle/value/value.h"

enum {
    MAX_WRITTEN = 4096, /* stored values that are kept */
    MAX_WRONG = 256,    /* wrong values that are kept */
    MAX_TRIED = 32,     /* stored values of a word that are tried */
    MAX_PASSES = 8      /* over all invocations, each with what they stored in the pass before */
};

/* A value that was stored to memory that several invocations access. */
struct written {
    struct location location;
    uint32_t group; /* of work-group memory; else 0 */
    uint64_t bits;
};
/* An observed value that is not permitted. */
struct wrong {
    uint32_t invocation;
    struct location location;
    uint32_t n_bytes;
    uint64_t got;
    uint32_t word; /* of the store that gives it, as an offset in the module; 0: not known */
    bool is_explained;
};
struct reload {
    const struct hypothesis *s;
    bool is_known;           /* the first interpretation is over */
    bool is_full;            /* there are more than MAX_WRONG wrong values: nothing is explained */
    bool *must_widen;        /* by invocation: its values across barriers may be anything */
    uint32_t *group, *local; /* work-group and local index */
    struct written *written;
    struct wrong *wrong;
    uint32_t n_written, n_wrong;
    uint32_t nth; /* in the run at hand: which stored value each word gives that is loaded again */
    uint32_t runs_as; /* in the run at hand: the invocation */
};

/* Keeps a value that was stored to a word; each value of a word is kept once. */
static void keep_written(struct reload *p, struct location at, uint32_t group, uint64_t bits)
{
    struct written const made = {
        .location = at, .group = at.space == SPACE_WORKGROUP ? group : 0, .bits = bits};
    bool is_there = p->n_written == MAX_WRITTEN;
    for (uint32_t i = 0; i < p->n_written && !is_there; i++) {
        const struct written *const w = &p->written[i];
        is_there = location_is_same(w->location, at) && w->group == made.group && w->bits == bits;
    }
    if (!is_there) {
        p->written[p->n_written++] = made;
    }
}

static void keep_store(struct reload *p, struct judge *j, const struct policy_site *site)
{
    const struct invocation *const inv = site->inv;
    enum space const space = site->location.space;
    uint64_t bits;
    p->group[inv->global_index] = inv->group_index;
    p->local[inv->global_index] = inv->local_index;
    if (!p->is_known && (space == SPACE_WORKGROUP || space == SPACE_BUFFER) && site->n_bits <= 64 &&
        exec_known(&j->x, site->value, &bits)) {
        keep_written(p, site->location, inv->group_index, bits);
    }
}

static void keep_wrong(struct reload *p, const struct observed *seen)
{
    uint32_t const by = seen->inv ? seen->inv->global_index : seen->e->invocation;
    p->is_full |= p->n_wrong == MAX_WRONG;
    if (!p->is_full) {
        p->wrong[p->n_wrong++] = (struct wrong){.invocation = by,
                                                .location = seen->location,
                                                .n_bytes = seen->n_bits / 8,
                                                .got = seen->got};
    }
}

/* The nth value that was stored to the word, or the last one if there are fewer. false: there is none. */
static bool find_written(const struct reload *p, struct location at, uint32_t group, uint64_t *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_written && n <= p->nth; i++) {
        const struct written *const w = &p->written[i];
        if (location_is_same(w->location, at) &&
            (at.space != SPACE_WORKGROUP || w->group == group)) {
            *out = w->bits;
            n++;
        }
    }
    return n > 0;
}

static int load_again(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val *out)
{
    *out = (struct val){0};
    bool const is_again =
        fault_flow_is_word(x->m, in) && find_written(x->extra, p, inv->group_index, &out->bits);
    return is_again || exec_extra_load(x, inv, in, p, type, out);
}

static int store_again(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct location p, uint32_t type, struct val v)
{
    struct reload *const again = x->extra;
    uint64_t bits;
    for (uint32_t i = 0; i < again->n_wrong; i++) {
        struct wrong *const w = &again->wrong[i];
        if (w->invocation == again->runs_as && location_is_same(w->location, p) &&
            w->n_bytes * 8 == x->m->ids[type].t.bits) {
            w->word = in->offset;
            w->is_explained |= flow_may_be(x->user, v, w->location, w->n_bytes, w->got);
        }
    }
    if (p.space == SPACE_WORKGROUP && exec_known(x, v, &bits)) { /* others load it */
        keep_written(again, p, inv->group_index, bits);
    }
    return 1;
}

static void skip(struct exec *x, const struct mod_inst *in)
{
    (void)x;
    (void)in;
}

static const struct exec_hooks reload_hooks = {.load = load_again,
                                               .store = store_again,
                                               .atomic = exec_extra_atomic,
                                               .arith = iteration_arith,
                                               .builtin = exec_extra_builtin};

/* Is the ith wrong value the first of its invocation? */
static bool is_first_wrong(const struct reload *p, uint32_t i)
{
    uint32_t k = 0;
    while (p->wrong[k].invocation != p->wrong[i].invocation) {
        k++;
    }
    return k == i;
}

static bool is_all_explained(const struct reload *p, uint32_t invocation)
{
    bool is_explained = true;
    for (uint32_t i = 0; i < p->n_wrong && is_explained; i++) {
        is_explained = p->wrong[i].invocation != invocation || p->wrong[i].is_explained;
    }
    return is_explained;
}

/* Runs an invocation with wrong values by itself, once for each stored value of the words that it loads again, until
 * all its wrong values are explained. inv: room for the registers and variables of one invocation. */
static void run_again(struct reload *p, struct judge *j, uint32_t invocation,
                      struct invocation *inv)
{
    const uint32_t *const size = j->input.tc->local;
    uint32_t const local = p->local[invocation];
    uint32_t const id[3] = {local % size[0], local / size[0] % size[1], local / size[0] / size[1]};
    p->runs_as = invocation;
    p->must_widen[invocation] = true;
    for (p->nth = 0; p->nth < MAX_TRIED && !is_all_explained(p, invocation); p->nth++) {
        exec_start_absent(&j->x, p->group[invocation], id, inv);
        (void)exec_run_alone(&j->x, &reload_hooks, p, inv, skip);
    }
}

/* Keeps the final values of private locations that are not permitted. */
static void keep_wrong_finals(struct reload *p, struct judge *j)
{
    for (uint32_t i = 0; i < j->memory.n_cells; i++) {
        const struct cell *const c = &j->memory.cells[i];
        uint64_t final;
        if (!c->contended && c->last > 0 && judge_get_final(j, c, &final) &&
            !hypothesis_permits(&j->x, c->cur, final)) {
            struct observed const o = {.e = &j->memory.events[c->last - 1],
                                       .got = final,
                                       .location = c->location,
                                       .n_bits = c->n_bits};
            keep_wrong(p, &o);
        }
    }
}

/* Does an explained wrong value of the same invocation come before it in the module, from which it may be computed? */
static bool is_after_another(const struct reload *p, const struct wrong *w)
{
    bool is_explained = false;
    for (uint32_t i = 0; i < p->n_wrong && !is_explained && w->word; i++) {
        const struct wrong *const o = &p->wrong[i];
        is_explained =
            o->invocation == w->invocation && o->is_explained && o->word && o->word < w->word;
    }
    return is_explained;
}

/* After the first interpretation: runs the invocations with wrong values again, in passes until no new value is
 * stored, as one invocation may load what another one stores wrongly. Then an invocation is explained if each of its
 * wrong values is given by such a run, or may be computed from one that is: its values are widened (p->must_widen,
 * which run_again has set), and the case is interpreted once more if there is such an invocation. Where there are too
 * many wrong values, none is run. */
static bool on_end(void *state, struct judge *j)
{
    struct reload *const p = state;
    bool is_any = false;
    if (p->is_known) { /* the second interpretation has ended */
        return false;
    }
    struct invocation inv = {
        .regs = ARENA_NEW(j->a, struct val, (size_t)j->m.n_regs + 1),
        .func = ARENA_NEW(j->a, struct val, (size_t)j->m.n_func_objects + 1),
    };
    if (!inv.regs || !inv.func) {
        return false;
    }
    keep_wrong_finals(p, j);
    p->is_known = true;
    bool is_new = true;
    for (uint32_t pass = 0; pass < MAX_PASSES && is_new; pass++) {
        uint32_t const n_written = p->n_written;
        for (uint32_t i = 0; i < p->n_wrong && !p->is_full; i++) {
            if (is_first_wrong(p, i)) {
                run_again(p, j, p->wrong[i].invocation, &inv);
            }
        }
        is_new = p->n_written > n_written;
    }
    for (uint32_t i = 0; i < p->n_wrong; i++) {
        const struct wrong *const w = &p->wrong[i];
        bool *const must_widen = &p->must_widen[w->invocation];
        *must_widen &= w->is_explained || is_after_another(p, w);
        is_any |= *must_widen; /* if a later wrong value takes it back, one run too many is made */
    }
    return is_any;
}

/* ---- the policy ---- */

/* Keeps stores; in the second interpretation lets the results of instructions be anything that are computed before a
 * barrier and used after it. */
static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct reload *const p = state;
    bool const is_result = site->kind == SITE_RESULT || site->kind == SITE_LOADED;
    if (site->kind == SITE_STORE) {
        keep_store(p, j, site);
    }
    if (!is_result || !p->must_widen[site->inv->global_index] ||
        !fault_flow_is_computed_across_barrier(&j->m, site->in)) {
        return;
    }
    struct val *const v = site->kind == SITE_RESULT ? site->result->v : site->out;
    uint32_t const n = site->kind == SITE_RESULT ? site->result->n : 1;
    for (uint32_t c = 0; c < n; c++) {
        v[c] = hypothesis_free(p->s, &j->x, v[c]);
    }
}

static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    struct reload *const p = state;
    (void)j;
    (void)v;
    (void)is_agreed;
    if (!is_permitted && !p->is_known && (o->inv || o->e)) {
        keep_wrong(p, o);
    }
    return 0;
}

static bool acts_anywhere(const struct module *m)
{
    bool is_explained = false;
    for (uint32_t i = 0; i < m->n_code && !is_explained; i++) {
        is_explained =
            m->code[i].result != 0 && fault_flow_is_computed_across_barrier(m, &m->code[i]);
    }
    return is_explained;
}

bool flow_reload_make(struct judge *j, struct explain_context *context, struct judge_policy *out)
{
    const struct testcase *const tc = j->input.tc;
    struct hypothesis *const s = flow_find(context->all, FLOW_LOADS_AGAIN);
    bool const acts = s && acts_anywhere(&j->m);
    struct reload *const p = acts ? ARENA_NEW(j->a, struct reload, 1) : NULL;
    size_t const n = (size_t)tc->global[0] * tc->global[1] * tc->global[2] + 1;
    if (!p) {
        return false;
    }
    p->s = s;
    p->must_widen = ARENA_NEW(j->a, bool, n);
    p->group = ARENA_NEW(j->a, uint32_t, n);
    p->local = ARENA_NEW(j->a, uint32_t, n);
    p->written = ARENA_NEW(j->a, struct written, MAX_WRITTEN);
    p->wrong = ARENA_NEW(j->a, struct wrong, MAX_WRONG);
    *out = (struct judge_policy){.state = p, .end = on_end, .site = on_site, .value = on_value};
    return (p->must_widen && p->group && p->local && p->written && p->wrong) ||
           exec_stop(&j->x, "arena full");
}
