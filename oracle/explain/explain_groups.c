/* oracle/explain/explain_groups.c -- group instructions of a device that is taken to have a fault: describes each
 * dynamic instance for the fault, from what the judge has of it. What the fault gives is in explain_group.c. */
#include "oracle/explain/explain_policy.h"

#include "oracle/explain/explain_group.h"
#include "oracle/explain/explain_note.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_group.h"
#include "oracle/fault/faults_site.h"
#include "oracle/judge_groups/group_site.h"
#include "oracle/judge_groups/subgroup.h"

/* Is the hypothesis of a fault of group instructions that acts at this instruction? */
static bool is_about(const struct hypothesis *hypothesis, const struct group_site *s)
{
    return fault_is_of_groups(hypothesis->plan.id) &&
           fault_is_planned(&hypothesis->plan, &s->j->m, s->in);
}

/* What the registers of the results hold before the instruction: a fault may leave them unchanged. NULL and x->stop:
 * the arena is full. */
static uint64_t *read_stale(const struct group_site *s)
{
    uint32_t const n_results = s->j->m.ids[s->in->result].n_slots;
    uint64_t *out = ARENA_NEW(s->j->a, uint64_t, (size_t)s->p.n * n_results + 1);
    for (uint32_t i = 0; out && i < s->p.n; i++) {
        for (uint32_t k = 0; k < n_results; k++) {
            out[(size_t)i * n_results + k] =
                explain_known_bits(&s->j->x, judge_group_result(s, i)[k]);
        }
    }
    if (!out) {
        (void)exec_stop(&s->j->x, "arena full");
    }
    return out;
}

/* Are the participants and all their operands known? */
static bool is_all_known(const struct group_site *s)
{
    bool is_known = s->p.is_known && s->c.n > 0;
    for (uint32_t i = 0; i < s->c.n && is_known; i++) {
        is_known = s->known[i] && s->known_second[i];
    }
    return is_known;
}

/* The number of an invocation's sub-group. */
static uint32_t subgroup_of(const struct group_site *s, uint32_t lane)
{
    return s->inv[lane].subgroup;
}

/* Lists the invocations of the work-group that do not take part (site->n_others of them), with their operands: first
 * those of the sub-group of the participants (site->n_mates of them). An operand that is not known is 0
 * (explain_known_bits); an instruction without a value (id 0) has none. false and x->stop: the arena is full. */
static bool describe_others(const struct group_site *s, struct fault_group_site *site)
{
    struct judge *j = s->j;
    uint32_t const mine = subgroup_of(s, s->p.lane[0]), n_components = s->c.n_components;
    uint32_t const id = module_get_operand(&j->m, s->in, s->w.value);
    unsigned char *taken = ARENA_NEW(j->a, unsigned char, s->n_items);
    uint32_t *index = ARENA_NEW(j->a, uint32_t, s->n_items);
    uint64_t *value = ARENA_NEW(j->a, uint64_t, (size_t)s->n_items * (n_components + 1));
    if (!taken || !index || !value) {
        return exec_stop(&j->x, "arena full");
    }
    for (uint32_t i = 0; i < s->c.n; i++) {
        taken[s->p.lane[i]] = 1;
    }
    for (int wants_mates = 1; wants_mates >= 0; wants_mates--) {
        for (uint32_t i = 0; i < s->n_items; i++) {
            bool const is_mate = subgroup_of(s, i) == mine;
            if (taken[i] || is_mate != wants_mates) {
                continue;
            }
            for (uint32_t k = 0; id && k < n_components; k++) {
                value[(size_t)site->n_others * n_components + k] =
                    explain_known_bits(&j->x, exec_reg(&j->x, &s->inv[i], id)[k]);
            }
            index[site->n_others++] = j->groups.lanes[i].local;
        }
        if (wants_mates) {
            site->n_mates = site->n_others;
        }
    }
    site->other_index = index;
    site->other_value = value;
    return true;
}

/* Replaces the notes of the results by empty ones: notes of an earlier instance do not apply to this one. */
static void clear_notes(struct hypothesis *hypothesis, const struct group_site *s)
{
    struct judge *j = s->j;
    for (uint32_t i = 0; i < s->p.n; i++) {
        for (uint32_t k = 0; k < s->c.n_results; k++) {
            (void)explain_note_values(hypothesis, &j->x, s->in->result,
                                      s->inv[s->p.lane[i]].global_index, k, (struct val){0}, NULL,
                                      0);
        }
    }
}

/* Describes the instance for the fault of one hypothesis, and adds it to the instances of the hypothesis
 * (explain_group), if all operands are known. stale: what the registers of the results held before. */
static void explain_instance(struct hypothesis *hypothesis, const struct group_site *s,
                             const uint64_t *stale)
{
    struct judge *j = s->j;
    uint32_t const n = s->c.n, n_results = s->c.n_results;
    struct val *right = ARENA_NEW(j->a, struct val, (size_t)n * n_results + 1);
    uint32_t *subgroup = ARENA_NEW(j->a, uint32_t, n + 1);
    uint32_t *members = ARENA_NEW(j->a, uint32_t, n + 1);
    struct explain_group g = {.in = s->in, .rs = &j->rules, .call = s->c, .right = right};
    clear_notes(hypothesis, s);
    if (!right || !subgroup || !members) {
        (void)exec_stop(&j->x, "arena full");
        return;
    }
    if (!is_all_known(s)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        subgroup[i] = subgroup_of(s, s->p.lane[i]);
        members[i] = s->inv[s->p.lane[i]].global_index;
        g.is_uncomposed |= subgroup[i] == EXEC_NO_SUBGROUP;
        for (uint32_t k = 0; k < n_results; k++) {
            right[(size_t)i * n_results + k] = judge_group_result(s, i)[k];
        }
    }
    g.members = members;
    g.call.known = g.call.known_second = NULL; /* all are known, as is_all_known says */
    g.site =
        (struct fault_group_site){.group = s->inv[0].group_index,
                                  .is_else = fault_is_else_block(&j->m, s->inv[s->p.lane[0]].label),
                                  .is_branched = fault_has_barrier_in_branch(&j->m),
                                  .subgroup = subgroup,
                                  .stale = stale};
    if (describe_others(s, &g.site)) {
        explain_group(hypothesis, &j->x, &g);
    }
}

struct groups {
    struct hypothesis *all;
    const uint64_t *stale; /* of the instance that is being judged; NULL: no fault acts at it */
};

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct groups *const g = state;
    (void)j;
    if (site->kind == SITE_GROUP_START) {
        g->stale = NULL;
    }
    for (struct hypothesis *one = g->all; one; one = one->next) {
        if (site->kind == SITE_GROUP_START && !g->stale && is_about(one, site->group)) {
            g->stale = read_stale(site->group);
        } else if (site->kind == SITE_GROUP && g->stale && is_about(one, site->group)) {
            explain_instance(one, site->group, g->stale);
        }
    }
}

static bool on_end(void *state, struct judge *j)
{
    const struct groups *const g = state;
    return explain_group_settle(g->all, &j->x);
}

bool explain_groups_make(struct judge *j, struct explain_context *context, struct judge_policy *out)
{
    struct groups *const g = ARENA_NEW(j->a, struct groups, 1);
    if (!g) {
        return exec_stop(&j->x, "arena full");
    }
    g->all = context->all;
    *out = (struct judge_policy){.state = g, .end = on_end, .site = on_site};
    return true;
}
