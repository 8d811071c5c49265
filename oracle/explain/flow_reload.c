/* oracle/explain/flow_reload.c -- the fault FLOW_LOADS_AGAIN: a value that is loaded before a barrier, or computed
 * from such a value, and used after the barrier, is loaded again after it, when others have stored to the location.
 *
 * After the first interpretation, each invocation of a work-group with a wrong value is interpreted by itself, with loads that
 * give values that were stored to these words, also in earlier such runs. In the second interpretation, the values across
 * barriers may be anything in an invocation that has stored other values in such a run, and in one whose first wrong value is
 * given by such a run; its later wrong values may be computed from the first one. */
#include "oracle/explain/explain_policy.h"

#include "base/base.h"
#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_extra.h"
#include "oracle/interp/module.h"
#include "oracle/judge_values/iteration.h"
#include "oracle/value/value.h"

enum {
    MAX_WRITTEN = 4096,  /* stored values that are kept */
    MAX_WRONG = 256,     /* wrong values that are kept */
    MAX_TRIED = 48,      /* combinations of stored values that an invocation loads again, */
    MAX_ALIKE = 16,      /* the first of them with the value of the same number of each word */
    MAX_STEPS = 1 << 22, /* of runs of single invocations, in all */
    MAX_PASSES = 8       /* over all invocations, each with what they stored in the pass before */
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
    struct hypothesis *s;
    bool is_known;    /* the first interpretation is over */
    bool is_full;     /* there are more than MAX_WRONG wrong values: nothing is explained */
    bool *must_widen; /* by invocation: its values across barriers may be anything */
    bool *
        stores_other; /* by invocation: it has stored other values to work-group memory in a run by itself */
    uint32_t *group, *local; /* work-group and local index */
    struct written *written;
    struct wrong *wrong;
    uint32_t n_written, n_wrong;
    uint64_t n_steps; /* of the runs of single invocations so far */
    /* In the run at hand: the number of the combination of stored values that loads give, from which the others are drawn; has a
     * load more than one such value; the invocation. */
    uint32_t nth;
    struct rng rng;
    bool has_choice;
    uint32_t runs_as;
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

/* Is it a value of the word? */
static bool is_of_word(const struct written *w, struct location at, uint32_t group)
{
    return location_is_same(w->location, at) && (at.space != SPACE_WORKGROUP || w->group == group);
}

/* Chooses one of the values that were stored to the word. false: there is none. */
static bool choose_written(struct reload *p, struct location at, uint32_t group, uint64_t *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_written; i++) {
        n += is_of_word(&p->written[i], at, group);
    }
    if (n == 0) {
        return false;
    }
    uint32_t const last = n - 1;
    uint32_t nth =
        p->nth < MAX_ALIKE ? (p->nth < last ? p->nth : last) : (uint32_t)rng_below(&p->rng, n);
    p->has_choice |= n > 1;
    for (uint32_t i = 0; i < p->n_written; i++) {
        if (is_of_word(&p->written[i], at, group) && nth-- == 0) {
            *out = p->written[i].bits;
        }
    }
    return true;
}

static int load_again(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val *out)
{
    *out = (struct val){0};
    bool const is_again =
        fault_flow_is_word(x->m, in) && choose_written(x->extra, p, inv->group_index, &out->bits);
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

/* Has an invocation of the work-group a wrong value? */
static bool has_wrong(const struct reload *p, uint32_t group)
{
    bool has_it = false;
    for (uint32_t i = 0; i < p->n_wrong && !has_it; i++) {
        has_it = p->group[p->wrong[i].invocation] == group;
    }
    return has_it;
}

/* Runs an invocation by itself with combinations of stored values of the words that it loads again. If it stores a new
 * value, its values across barriers may be anything. inv: room for the registers and variables of one invocation. */
static void run_again(struct reload *p, struct judge *j, uint32_t invocation,
                      struct invocation *inv)
{
    const uint32_t *const size = j->input.tc->local;
    uint32_t const local = p->local[invocation], n_written = p->n_written;
    uint32_t const id[3] = {local % size[0], local / size[0] % size[1], local / size[0] / size[1]};
    p->runs_as = invocation;
    p->has_choice = true;
    for (p->nth = 0; p->nth < MAX_TRIED && p->has_choice && p->n_steps < MAX_STEPS; p->nth++) {
        p->has_choice = false;
        j->x.n_steps = 0;
        exec_start_absent(&j->x, p->group[invocation], id, inv);
        (void)exec_run_alone(&j->x, &reload_hooks, p, inv, skip);
        p->n_steps += j->x.n_steps;
    }
    p->stores_other[invocation] |= p->n_written > n_written;
    p->must_widen[invocation] = p->stores_other[invocation];
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

static bool has_unexplained(const struct reload *p, uint32_t invocation)
{
    bool has_it = false;
    for (uint32_t i = 0; i < p->n_wrong && !has_it; i++) {
        has_it = p->wrong[i].invocation == invocation && !p->wrong[i].is_explained;
    }
    return has_it;
}

/* Runs the invocations of the work-groups with wrong values again, in passes, as one may load what another one stores wrongly:
 * all of them until no new value is stored, then those whose wrong values are not explained yet. */
static void run_all_again(struct reload *p, struct judge *j, struct invocation *inv)
{
    const struct testcase *const tc = j->input.tc;
    uint32_t const n = tc->global[0] * tc->global[1] * tc->global[2];
    uint64_t const n_steps = j->x.n_steps; /* the runs have a budget of their own */
    bool is_new = true;
    p->rng = rng_seed(n);
    for (uint32_t pass = 0; pass < MAX_PASSES && !p->is_full; pass++) {
        uint32_t const n_written = p->n_written;
        for (uint32_t i = 0; i < n; i++) {
            if (is_new ? has_wrong(p, p->group[i]) : has_unexplained(p, i)) {
                run_again(p, j, i, inv);
            }
        }
        is_new = p->n_written > n_written;
    }
    j->x.n_steps = n_steps;
}

/* After the first interpretation: runs invocations again. The values of an invocation are widened (p->must_widen) if it has stored
 * other values in such a run, or if each of its wrong values is given by such a run, or may be computed from one that is. If a
 * wrong value is given by a run, the case is interpreted once more. Where there are too many wrong values, none is run. */
static bool on_end(void *state, struct judge *j)
{
    struct reload *const p = state;
    bool is_any = false;
    if (p->is_known) { /* the second interpretation has ended */
        for (uint32_t i = 0; i < p->n_wrong; i++) {
            (void)(p->wrong[i].is_explained && flow_count(p->s));
        }
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
    run_all_again(p, j, &inv);
    for (uint32_t i = 0; i < p->n_wrong && !p->is_full; i++) {
        p->must_widen[p->wrong[i].invocation] = true;
        is_any |= p->wrong[i].is_explained;
    }
    for (uint32_t i = 0; i < p->n_wrong; i++) {
        const struct wrong *const w = &p->wrong[i];
        p->must_widen[w->invocation] &=
            w->is_explained || is_after_another(p, w) || p->stores_other[w->invocation];
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

/* A value that is loaded again may be another one the next time: no observed value holds for the later uses. */
static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    struct reload *const p = state;
    const struct abstract *const b = exec_get_abstract(&j->x, v);
    (void)is_agreed;
    if (!is_permitted && !p->is_known && (o->inv || o->e)) {
        keep_wrong(p, o);
    }
    return b && b->added && b->added->of == p->s ? POLICY_UNSEEN : 0;
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
    p->stores_other = ARENA_NEW(j->a, bool, n);
    p->group = ARENA_NEW(j->a, uint32_t, n);
    p->local = ARENA_NEW(j->a, uint32_t, n);
    p->written = ARENA_NEW(j->a, struct written, MAX_WRITTEN);
    p->wrong = ARENA_NEW(j->a, struct wrong, MAX_WRONG);
    *out = (struct judge_policy){.state = p, .end = on_end, .site = on_site, .value = on_value};
    return (p->must_widen && p->stores_other && p->group && p->local && p->written && p->wrong) ||
           exec_stop(&j->x, "arena full");
}
