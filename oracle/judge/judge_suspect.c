/* oracle/judge/judge_suspect.c -- what the judge tells a suspicion, and asks it. */
#include "oracle/judge/judge_suspect.h"

#include "oracle/fault/faults.h"
#include "oracle/fault/faults_access.h"
#include "oracle/fault/faults_group.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_place.h"
#include "oracle/judge/probe.h"
#include "oracle/judge/subgroup.h"
#include "oracle/suspect/suspect.h"
#include "oracle/suspect/suspect_group.h"
#include "oracle/suspect/suspect_note.h"
#include "oracle/suspect/suspect_order.h"

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
                                  .is_branched = fault_meets_in_branch(&j->m),
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
    IF_FALSE
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

/* The part of an OpCompositeConstruct that has scalar *component of it, which becomes that of the part; 0: none. */
static uint32_t find_part(const struct module *m, const struct mod_inst *in, uint32_t *component)
{
    for (uint32_t i = FIRST; i < in->n; i++) {
        uint32_t const part = module_get_operand(m, in, i), n = m->ids[part].n_slots;
        if (*component < n) {
            return part;
        }
        *component -= n;
    }
    return 0;
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
    bool const is_moved = in->op == SpvOpCompositeExtract || in->op == SpvOpCompositeConstruct ||
                          in->op == SpvOpBitcast || in->op == SpvOpCopyObject;
    if (is_moved && module_is_decorated_float(&j->m, in)) { /* it has a bound of its own */
        return false;
    }
    switch (in->op) {
    case SpvOpSelect:
        return see_selection(j, in, s, depth + 1);
    case SpvOpCompositeExtract:
        s.component = module_get_extracted(&j->m, in);
        break;
    case SpvOpCompositeConstruct:
        s.id = find_part(&j->m, in, &s.component);
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
    case SpvOpLoad:
        s.id = module_get_copied(&j->m, in);
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

/* ---- atomics ---- */

enum {
    ASTRAY_BITS = 16 /* what it is worth that a value is left to what another location holds */
};

/* The next suspicion of the chain that is of a fault of atomics; NULL: none is. */
static struct suspicion *of_atomics(struct suspicion *s)
{
    while (s && (fault_is_of_groups(s->plan.id) || fault_is_of_math(s->plan.id) ||
                 fault_is_of_places(s->plan.id) || fault_is_of_memory(s->plan.id))) {
        s = s->next;
    }
    return s;
}

void judge_suspect_codes(struct judge *j)
{
    struct suspicion *s = of_atomics(j->input.suspicion);
    for (; s; s = of_atomics(s->next)) {
        for (uint32_t i = 0; i < j->m.n_code; i++) {
            const struct mod_inst *in = &j->m.code[i];
            j->memory.contended[i] |=
                in->part == PART_ATOMIC &&
                (fault_goes_astray(s->plan.id) || fault_is_planned(&s->plan, &j->m, in));
        }
    }
}

/* The same for one suspicion. */
static void take_access(struct judge *j, struct suspicion *s, const struct invocation *inv,
                        const struct mod_inst *in, struct place p, uint32_t c)
{
    struct suspect_access *all =
        arena_grow(j->a, s->accesses, s->n_accesses, &s->cap_accesses, sizeof *all);
    if (!all) {
        (void)exec_stop(&j->x, "arena full");
        return;
    }
    s->accesses = all;
    uint32_t const type = static_value_type(&j->m, in);
    int const fmt = module_get_format(&j->m, type);
    struct suspect_access *access = &all[s->n_accesses++];
    *access = (struct suspect_access){
        .event = j->memory.n_events - 1,
        .place = p,
        .site = {.is_float = fmt >= 0,
                 .fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt),
                 .n_bits = j->m.ids[type].t.bits,
                 .component = c,
                 .n_components = j->m.ids[type].t.n}
    };
    fault_describe_access(&j->x, &j->rules, inv, in, p, &access->site);
}

void judge_suspect_access(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                          struct place p, uint32_t c)
{
    struct suspicion *s = of_atomics(j->input.suspicion);
    for (; s; s = of_atomics(s->next)) {
        if (fault_is_planned(&s->plan, &j->m, in)) {
            take_access(j, s, inv, in, p, c);
        }
    }
}

/* That of an event, by its number; NULL: the fault is not about it. */
static struct suspect_access *find_access(const struct suspicion *s, uint32_t event)
{
    uint32_t low = 0, high = s->n_accesses;
    while (low < high) {
        uint32_t const at = low + (high - low) / 2;
        if (s->accesses[at].event < event) {
            low = at + 1;
        } else {
            high = at;
        }
    }
    return low < s->n_accesses && s->accesses[low].event == event ? &s->accesses[low] : NULL;
}

/* Does nothing access the element after it? */
static bool is_next_free(const struct judge *j, const struct suspect_access *access)
{
    uint32_t const n_bytes = access->site.n_bits / 8;
    bool is_free = access->site.has_neighbour && access->place.space == SPACE_BUFFER;
    for (uint32_t i = 0; is_free && i < n_bytes; i++) {
        is_free = j->memory.touch[access->place.object][access->place.offset + n_bytes + i] == 0;
    }
    return is_free;
}

/* The site of an event as the fault sees it; NULL: it is not about it, or an operand is not known. */
static struct fault_site *complete(const struct judge *j, const struct suspicion *s,
                                   const struct mo_event *e)
{
    struct suspect_access *access = find_access(s, e->tag);
    if (!access || (!e->knows_operand && e->op != MO_LOAD)) {
        return NULL;
    }
    struct fault_site *site = &access->site;
    uint32_t const next = site->component + 1 < site->n_components ? site->component + 1 : 0;
    const struct event *sibling = &j->memory.events[e->tag - site->component + next];
    site->operand = e->operand;
    site->other_operand = get_bits(j, sibling->operand);
    site->free_neighbour = is_next_free(j, access);
    return site;
}

/* Bytes from an access to where the fault's write goes astray. */
static int64_t find_offset(enum fault_id id, const struct fault_site *site)
{
    return id == FAULT_LAYER_IGNORED ? -(int64_t)site->back_bytes : (int64_t)site->n_bits / 8;
}

/* Does a write that goes astray come to n bytes at p, of this work-group's memory if it is of one? */
static bool is_hit(const struct judge *j, const struct suspicion *s, struct place p, uint32_t group,
                   uint32_t n)
{
    bool is_it = false;
    for (uint32_t i = 0; fault_goes_astray(s->plan.id) && i < s->n_accesses && !is_it; i++) {
        struct suspect_access *const a = &s->accesses[i];
        a->site.free_neighbour = is_next_free(j, a);
        if (!fault_fits(s->plan.id, &a->site)) {
            continue;
        }
        int64_t const to = (int64_t)a->place.offset + find_offset(s->plan.id, &a->site);
        bool const is_of_group =
            p.space != SPACE_WORKGROUP || j->memory.events[a->event].group == group;
        is_it = is_of_group && a->place.space == p.space && a->place.object == p.object &&
                to < (int64_t)p.offset + n && (int64_t)p.offset < to + (int64_t)a->site.n_bits / 8;
    }
    return is_it;
}

/* The same for one suspicion. */
static enum res suspect_cell(struct judge *j, struct suspicion *s, const struct cell *c,
                             const struct mo_problem *p, bool is_broken, bool *is_explained,
                             struct err *e)
{
    struct suspect_order order;
    struct fault_site **site = ARENA_NEW(j->a, struct fault_site *, p->n_events + 1);
    if (!site) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        site[i] = complete(j, s, &p->events[i]);
    }
    if (!is_broken) {
        uint32_t n;
        if (s->plan.id == FAULT_NEIGHBOUR_OVERWRITTEN) { /* the location itself does not show it */
            return RES_OK;
        }
        TRY(suspect_order_count(s->plan.id, p, site, j->a, &n, e));
        s->n_sites += n;
        s->n_kept += n;
        return RES_OK;
    }
    TRY(suspect_order_find(s->plan.id, p, site, j->a, &order, e));
    s->n_sites += order.n_taken + order.n_kept;
    s->n_taken += order.n_taken;
    s->n_kept += order.n_kept;
    /* where a write went astray is not looked up */
    s->n_free += order.n_free + (order.is_found && fault_goes_astray(s->plan.id));
    *is_explained = order.is_found;
    if (!order.is_found && is_hit(j, s, c->place, c->group, c->n_bits / 8)) {
        *is_explained = true;
        s->is_hit = true;
        s->n_sites++;
        s->n_taken++;
        s->n_free += ASTRAY_BITS;
    }
    return RES_OK;
}

enum res judge_suspect_cell(struct judge *j, const struct cell *c, const struct mo_problem *p,
                            bool is_broken, bool *is_explained, struct err *e)
{
    struct suspicion *s = of_atomics(j->input.suspicion);
    *is_explained = false;
    for (; s && !*is_explained; s = of_atomics(s->next)) {
        TRY(suspect_cell(j, s, c, p, is_broken, is_explained, e));
    }
    return RES_OK;
}

/* The same for one suspicion. */
static bool may_have_written(struct judge *j, struct suspicion *s, uint32_t b, uint32_t i)
{
    struct place const p = {.space = SPACE_BUFFER, .object = b, .offset = i};
    if (!is_hit(j, s, p, 0, 1)) {
        return false;
    }
    uint8_t const was = j->input.tc->bufs[b].data[i], got = j->input.ob->out[b][i];
    bool const is_inverted = s->plan.id == FAULT_NEIGHBOUR_OVERWRITTEN;
    s->is_hit = true;
    s->n_sites++;
    s->n_taken++;
    s->n_free += is_inverted ? 0 : ASTRAY_BITS;
    return !is_inverted || (was ^ got) == UINT8_MAX;
}

bool judge_suspect_byte(struct judge *j, uint32_t b, uint32_t i)
{
    struct suspicion *s = of_atomics(j->input.suspicion);
    while (s && !may_have_written(j, s, b, i)) {
        s = of_atomics(s->next);
    }
    return s != NULL;
}
