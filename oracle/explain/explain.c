/* oracle/explain/explain.c -- a run judged as one of a device that is taken to have faults: the policy of all parts
 * together. Each function of the policy asks the parts in the order of `makers`. */
#include "oracle/explain/explain.h"

#include "oracle/explain/explain_note.h"
#include "oracle/explain/explain_policy.h"
#include "oracle/judge/judge.h"

/* The parts, in the order in which they widen and explain values. */
static explain_make *const makers[] = {
    explain_values_make, explain_groups_make,  explain_atomics_make, flow_unrolled_make,
    flow_skipped_make,   flow_additional_make, flow_other_side_make, flow_after_last_make,
    flow_stops_make,     flow_reload_make,
};

struct explanation {
    struct hypothesis *all; /* the chain of hypotheses */
    bool is_made;           /* the parts are made, before the first interpretation */
    uint32_t n;
    struct judge_policy part[ARRAY_N(makers)];
};

static bool on_begin(void *state, struct judge *j)
{
    struct explanation *const x = state;
    for (size_t i = 0; !x->is_made && i < ARRAY_N(makers); i++) {
        x->n += makers[i](j, x->all, &x->part[x->n]);
    }
    x->is_made = true;
    bool is_done = hypothesis_reset(x->all, j->m.n_ids, j->a) && !j->x.stop;
    for (uint32_t i = 0; i < x->n && is_done; i++) {
        is_done = !x->part[i].begin || x->part[i].begin(x->part[i].state, j);
    }
    return is_done;
}

static bool on_end(void *state, struct judge *j)
{
    const struct explanation *const x = state;
    bool is_again = false;
    for (uint32_t i = 0; i < x->n; i++) {
        is_again |= x->part[i].end && x->part[i].end(x->part[i].state, j);
    }
    return is_again;
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    const struct explanation *const x = state;
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->part[i].site) {
            x->part[i].site(x->part[i].state, j, site);
        }
    }
}

static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    const struct explanation *const x = state;
    unsigned answer = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        bool const is_right = is_permitted && !(answer & POLICY_FORBIDS);
        answer |=
            x->part[i].value ? x->part[i].value(x->part[i].state, j, o, v, is_right, is_agreed) : 0;
    }
    return answer;
}

static enum policy_lost on_lost(void *state, struct judge *j, const struct invocation *inv)
{
    const struct explanation *const x = state;
    enum policy_lost lost = LOST_UNEXPLAINED;
    for (uint32_t i = 0; i < x->n && lost == LOST_UNEXPLAINED; i++) {
        lost = x->part[i].lost ? x->part[i].lost(x->part[i].state, j, inv) : lost;
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
        if (x->part[i].order) {
            TRY(x->part[i].order(x->part[i].state, j, c, p, is_broken, is_explained, e));
        }
    }
    return RES_OK;
}

static bool on_byte(void *state, struct judge *j, uint32_t buf, uint32_t at)
{
    const struct explanation *const x = state;
    bool is_permitted = false;
    for (uint32_t i = 0; i < x->n && !is_permitted; i++) {
        is_permitted = x->part[i].byte && x->part[i].byte(x->part[i].state, j, buf, at);
    }
    return is_permitted;
}

static bool on_guards(void *state, struct judge *j)
{
    const struct explanation *const x = state;
    bool is_permitted = false;
    for (uint32_t i = 0; i < x->n && !is_permitted; i++) {
        is_permitted = x->part[i].guards && x->part[i].guards(x->part[i].state, j);
    }
    return is_permitted;
}

enum res explain_run(const struct testcase *tc, const struct observation *ob,
                     struct hypothesis *all, struct arena *a, struct judgement *out, struct err *e)
{
    struct explanation x = {.all = all};
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
