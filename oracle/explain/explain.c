/* oracle/explain/explain.c -- a run judged as one of a device that is taken to have faults: the policy of all parts
 * together. Each function of the policy asks the parts in the order of `makers`. */
#include "oracle/explain/explain.h"

#include "oracle/explain/explain_note.h"
#include "oracle/explain/explain_policy.h"
#include "oracle/explain/flow_run.h"
#include "oracle/judge/judge.h"

/* The parts, in the order in which they widen and explain values. */
static explain_make *const makers[] = {
    explain_values_make, explain_groups_make,  explain_atomics_make, flow_unrolled_make,
    flow_skipped_make,   flow_additional_make, flow_other_side_make, flow_after_last_make,
    flow_stops_make,     flow_reload_make,
};

struct explanation {
    struct explain_context context;
    bool is_made; /* the parts are made, before the first interpretation */
    uint32_t n;
    struct judge_policy part[ARRAY_N(makers)];
};

static bool on_begin(void *state, struct judge *j)
{
    struct explanation *const x = state;
    for (size_t i = 0; !x->is_made && i < ARRAY_N(makers); i++) {
        x->n += makers[i](j, &x->context, &x->part[x->n]);
    }
    x->is_made = true;
    bool is_done = hypothesis_reset(x->context.all, j->m.n_ids, j->a) && !j->x.stop;
    if (x->context.run) {
        flow_run_begin(x->context.run);
    }
    for (uint32_t i = 0; i < x->n && is_done; i++) {
        is_done = policy_begin(&x->part[i], j);
    }
    return is_done;
}

static bool on_end(void *state, struct judge *j)
{
    const struct explanation *const x = state;
    bool is_again = x->context.run && flow_run_end(x->context.run);
    for (uint32_t i = 0; i < x->n; i++) {
        is_again |= policy_end(&x->part[i], j);
    }
    return is_again;
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    const struct explanation *const x = state;
    if (site->kind == SITE_BLOCK && x->context.run) {
        flow_run_enter(x->context.run, site->inv);
    }
    for (uint32_t i = 0; i < x->n; i++) {
        policy_tell(&x->part[i], j, site);
    }
}

static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    const struct explanation *const x = state;
    unsigned answer = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        bool const is_right = is_permitted && !(answer & POLICY_FORBIDS);
        answer |= policy_value(&x->part[i], j, o, v, is_right, is_agreed);
    }
    return answer;
}

static enum policy_lost on_lost(void *state, struct judge *j, const struct invocation *inv)
{
    const struct explanation *const x = state;
    enum policy_lost lost = LOST_UNEXPLAINED;
    for (uint32_t i = 0; i < x->n && lost == LOST_UNEXPLAINED; i++) {
        lost = policy_lost(&x->part[i], j, inv);
    }
    return lost;
}

static enum res on_order(void *state, struct judge *j, const struct cell *c,
                         const struct mo_problem *p, bool is_broken, bool *is_explained,
                         struct err *e)
{
    const struct explanation *const x = state;
    *is_explained = false;
    for (uint32_t i = 0; i < x->n && !*is_explained; i++) {
        TRY(policy_order(&x->part[i], j, c, p, is_broken, is_explained, e));
    }
    return RES_OK;
}

static bool on_byte(void *state, struct judge *j, uint32_t buf, uint32_t at)
{
    const struct explanation *const x = state;
    bool is_permitted = false;
    for (uint32_t i = 0; i < x->n && !is_permitted; i++) {
        is_permitted = policy_byte(&x->part[i], j, buf, at);
    }
    return is_permitted;
}

static bool on_guards(void *state, struct judge *j)
{
    const struct explanation *const x = state;
    bool is_permitted = false;
    for (uint32_t i = 0; i < x->n && !is_permitted; i++) {
        is_permitted = policy_guards(&x->part[i], j);
    }
    return is_permitted;
}

enum res explain_run(const struct testcase *tc, const struct observation *ob,
                     struct hypothesis *all, struct arena *a, struct judgement *out, struct err *e)
{
    struct explanation x = {.context = {.all = all}};
    struct judge_policy const policy = {.state = &x,
                                        .begin = on_begin,
                                        .end = on_end,
                                        .site = on_site,
                                        .value = on_value,
                                        .lost = on_lost,
                                        .order = on_order,
                                        .byte = on_byte,
                                        .guards = on_guards};
    hypothesis_clear(all);
    TRY(judge_run_under(tc, ob, &policy, a, out, e));
    explain_finish(all);
    return RES_OK;
}
