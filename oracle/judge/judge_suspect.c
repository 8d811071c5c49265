/* oracle/judge/judge_suspect.c -- what the judge tells a suspicion, and asks it. */
#include "oracle/judge/judge_suspect.h"

#include "oracle/fault/faults.h"
#include "oracle/fault/faults_group.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/judge/probe.h"
#include "oracle/judge/subgroup.h"
#include "oracle/suspect/suspect.h"
#include "oracle/suspect/suspect_group.h"
#include "oracle/suspect/suspect_note.h"

/* ---- group instructions ---- */

/* Is the suspicion one of a fault of group instructions that is about this one? */
static bool is_about(const struct suspicion *suspicion, const struct group_site *s)
{
    return fault_is_of_groups(suspicion->plan.id) &&
           fault_is_planned(&suspicion->plan, &s->j->m, s->in);
}

bool judge_suspects_group(const struct group_site *s)
{
    for (const struct suspicion *one = s->j->input.suspicion; one; one = one->next) {
        if (is_about(one, s)) {
            return true;
        }
    }
    return false;
}

/* The value if it is known, else 0, which a register holds that was never written. */
static uint64_t get_bits(const struct judge *j, struct val v)
{
    uint64_t bits;
    return exec_known(&j->x, v, &bits) ? bits : 0;
}

uint64_t *judge_take_stale(const struct group_site *s)
{
    uint32_t const n_results = s->j->m.ids[s->in->result].n_slots;
    uint64_t *out = ARENA_NEW(s->j->a, uint64_t, (size_t)s->p.n * n_results + 1);
    for (uint32_t i = 0; out && i < s->p.n; i++) {
        for (uint32_t k = 0; k < n_results; k++) {
            out[(size_t)i * n_results + k] = get_bits(s->j, judge_group_result(s, i)[k]);
        }
    }
    if (!out) {
        (void)exec_stop(&s->j->x, "arena full");
    }
    return out;
}

static bool is_all_known(const struct group_site *s)
{
    bool is_known = s->p.is_known && s->c.n > 0;
    for (uint32_t i = 0; i < s->c.n && is_known; i++) {
        is_known = s->known[i] && s->known_second[i];
    }
    return is_known;
}

/* Number of an invocation's sub-group, and its place in it. */
static uint32_t subgroup_of(const struct group_site *s, uint32_t lane)
{
    return s->inv[lane].subgroup;
}

/* Who of the work-group does not take part, with their operands: first those of the same sub-group. */
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
    for (int is_other = 0; is_other < 2; is_other++) {
        for (uint32_t i = 0; i < s->n_items; i++) {
            if (taken[i] || (subgroup_of(s, i) == mine) == is_other) {
                continue;
            }
            for (uint32_t k = 0; id && k < n_components; k++) {
                value[(size_t)site->n_others * n_components + k] =
                    get_bits(j, exec_reg(&j->x, &s->inv[i], id)[k]);
            }
            index[site->n_others++] = j->groups.lanes[i].local;
        }
        if (!is_other) {
            site->n_mates = site->n_others;
        }
    }
    site->other_index = index;
    site->other_value = value;
    return true;
}

/* The results have no notes: nothing is known of what the fault makes of them. */
static void forget(struct suspicion *suspicion, const struct group_site *s)
{
    struct judge *j = s->j;
    for (uint32_t i = 0; i < s->p.n; i++) {
        for (uint32_t k = 0; k < s->c.n_results; k++) {
            (void)suspect_note_values(suspicion, &j->x, s->in->result,
                                      s->inv[s->p.lane[i]].global_index, k, (struct val){0}, NULL,
                                      0);
        }
    }
}

/* What would the fault of one suspicion have given? */
static void suspect_one(struct suspicion *suspicion, const struct group_site *s,
                        const uint64_t *stale)
{
    struct judge *j = s->j;
    uint32_t const n = s->c.n, n_results = s->c.n_results;
    struct val *right = ARENA_NEW(j->a, struct val, (size_t)n * n_results + 1);
    uint32_t *subgroup = ARENA_NEW(j->a, uint32_t, n + 1);
    uint32_t *members = ARENA_NEW(j->a, uint32_t, n + 1);
    struct suspect_group g = {.in = s->in, .rs = &j->rules, .call = s->c, .right = right};
    forget(suspicion, s);
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
    g.call.known = g.call.known_second = NULL;
    g.site =
        (struct fault_group_site){.group = s->inv[0].group_index,
                                  .is_else = fault_is_else_block(&j->m, s->inv[s->p.lane[0]].label),
                                  .subgroup = subgroup,
                                  .stale = stale};
    if (describe_others(s, &g.site)) {
        suspect_group(suspicion, &j->x, &g);
    }
}

void judge_suspect_group(const struct group_site *s, const uint64_t *stale)
{
    for (struct suspicion *one = s->j->input.suspicion; one; one = one->next) {
        if (is_about(one, s)) {
            suspect_one(one, s, stale);
        }
    }
}

/* ---- what was seen ---- */

enum {
    MAX_DEPTH = 8, /* instructions behind a stored value */
    FIRST = MOD_OPERAND,
    IF_TRUE, /* words of OpSelect */
    IF_FALSE,
    INDEX = MOD_OPERAND + 1 /* of OpCompositeExtract */
};

/* A component of an id in one invocation, that has been seen to be `bits`. */
struct seen {
    struct suspicion *suspicion; /* the one that is asked */
    const struct invocation *inv;
    uint32_t id, component;
    uint64_t bits;
    bool is_permitted;
};

static bool see(struct judge *j, struct seen s, int depth);

static bool may_be(const struct judge *j, const struct seen *s, uint32_t id)
{
    return suspect_permits(s->suspicion, &j->x, exec_reg(&j->x, s->inv, id)[s->component], s->bits);
}

/* What a selection gave tells its condition, if one operand alone is it; or what it chose is another. */
static bool see_selection(struct judge *j, const struct mod_inst *in, struct seen s, int depth)
{
    uint32_t const condition = module_get_operand(&j->m, in, FIRST);
    uint32_t const yes = module_get_operand(&j->m, in, IF_TRUE);
    uint32_t const no = module_get_operand(&j->m, in, IF_FALSE);
    if (!condition || !yes || !no) {
        return false;
    }
    struct seen test = s;
    test.id = condition;
    test.component = j->m.ids[condition].n_slots == 1 ? 0 : s.component;
    bool const is_yes = may_be(j, &s, yes), is_no = may_be(j, &s, no);
    test.bits = is_yes;
    if (is_yes != is_no && see(j, test, depth)) {
        return true;
    }
    uint64_t const truth = get_bits(j, exec_reg(&j->x, s.inv, condition)[test.component]);
    s.id = truth ? yes : no;
    return see(j, s, depth);
}

static bool see(struct judge *j, struct seen s, int depth)
{
    const struct mod_inst *in = module_get_definition(&j->m, s.id);
    if (!in || depth >= MAX_DEPTH || s.component >= j->m.ids[s.id].n_slots) {
        return false;
    }
    struct suspect_note *note =
        suspect_find_note(s.suspicion, s.id, s.inv->global_index, s.component);
    if (note) {
        return suspect_see(s.suspicion, &j->x, note, s.bits, s.is_permitted);
    }
    uint32_t const from = module_get_operand(&j->m, in, FIRST);
    unsigned const n_bits = from ? j->m.ids[j->m.ids[from].type].t.bits : 0;
    switch (in->op) {
    case SpvOpSelect:
        return see_selection(j, in, s, depth + 1);
    case SpvOpCompositeExtract:
        s.component = in->n > INDEX ? in->w[INDEX] : 0;
        break;
    case SpvOpCompositeConstruct:
        s.id = in->n > FIRST + s.component ? in->w[FIRST + s.component] : 0;
        s.component = 0;
        return s.id != 0 && see(j, s, depth + 1);
    case SpvOpLogicalNot:
        s.bits = s.bits == 0;
        break;
    case SpvOpUConvert:
    case SpvOpSConvert:
        s.bits &= n_bits < 64 ? (UINT64_C(1) << n_bits) - 1 : UINT64_MAX;
        break;
    case SpvOpBitcast:
    case SpvOpCopyObject:
        break;
    case SpvOpFunctionCall:
        s.id = probe_find_returned(j, in);
        return s.id != 0 && see(j, s, depth + 1);
    default:
        return false;
    }
    s.id = from;
    return from != 0 && see(j, s, depth + 1);
}

bool judge_suspect_stored(struct judge *j, const struct invocation *inv, uint32_t object,
                          uint64_t got, bool is_permitted)
{
    bool is_explained = false;
    for (struct suspicion *one = j->input.suspicion; one; one = one->next) {
        is_explained |= see(j, (struct seen){one, inv, object, 0, got, is_permitted}, 0);
    }
    return is_explained;
}
