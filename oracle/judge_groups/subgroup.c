/* oracle/judge_groups/subgroup.c -- which invocations form a sub-group, and which of them execute an instruction together. */
#include "oracle/judge_groups/subgroup.h"

#include <string.h>

#include "base/caps.h"
#include "oracle/interp/exec.h"
#include "oracle/judge_state/judge_report.h"

enum {
    ID_GROUP, /* columns of struct judge_lane's id */
    ID_LOCAL,
    ID_SIZE,
    ID_MAX_SIZE,   /* may be missing */
    ID_NUM_GROUPS, /* may be missing */
    ID_COLUMNS = JUDGE_LANE_IDS
};

/* The column of struct judge_lane's id for a built-in; -1: it is not interpreted. */
static int column_of(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInSubgroupId:
        return ID_GROUP;
    case SpvBuiltInSubgroupLocalInvocationId:
        return ID_LOCAL;
    case SpvBuiltInSubgroupSize:
        return ID_SIZE;
    case SpvBuiltInSubgroupMaxSize:
        return ID_MAX_SIZE;
    case SpvBuiltInNumSubgroups:
        return ID_NUM_GROUPS;
    default:
        return -1;
    }
}

struct val judge_unknown(struct judge *j, enum unconfined_kind why)
{
    struct val const v = exec_new_abstract(&j->x);
    if (v.abs) {
        j->x.pool[v.abs].kind = ABSTRACT_DEVICE;
        j->x.pool[v.abs].grade = GRADE_VIOLATION;
        j->x.pool[v.abs].unconfined = (uint8_t)why;
    }
    return v;
}

static struct val new_id(struct judge *j)
{
    struct val const v = judge_unknown(j, UNCONFINED_NONE);
    if (v.abs) {
        j->x.pool[v.abs].clause = CLAUSE_SUBGROUP_IDS;
    }
    return v;
}

int subgroup_load(struct judge *j, const struct invocation *inv, uint32_t builtin, struct val *out)
{
    int const column = column_of(builtin);
    bool const is_kept = column >= 0 && j->groups.lanes;
    struct val *id = is_kept ? &j->groups.lanes[inv->local_index].id[column] : NULL;
    *out = id && id->abs ? *id : new_id(j);
    if (id) {
        *id = *out;
    }
    return j->x.stop == NULL;
}

void subgroup_note_probe(struct judge *j, const struct invocation *inv, struct val v,
                         struct location p)
{
    struct judge_lane *const lane = j->groups.lanes ? &j->groups.lanes[inv->local_index] : NULL;
    for (int c = 0; lane && v.abs && c < EXPECT_ID_COLUMNS; c++) {
        if (lane->id[c].abs == v.abs) {
            lane->probe_buf[c] = p.object;
            lane->probe_byte[c] = p.offset;
        }
    }
}

void subgroup_reset(struct judge *j, uint32_t n)
{
    memset(j->groups.lanes, 0, sizeof *j->groups.lanes * n);
    for (uint32_t i = 0; i < n; i++) {
        for (int c = 0; c < EXPECT_ID_COLUMNS; c++) {
            j->groups.lanes[i].probe_buf[c] = NO_PROBE;
        }
    }
    j->groups.composition = COMPOSITION_NEW;
    j->groups.lacks_ids = false;
}

static struct finding *report(struct judge *j, const struct invocation *inv, enum clause_id clause,
                              const char *text)
{
    struct finding *f = judge_finding(j, VERDICT_MASK, clause, GRADE_VIOLATION);
    if (f) {
        f->invocation = inv->global_index;
        f->text = text;
    }
    return f;
}

/* Where the run has stored the ids of a work-group, for a bundle that is checked without the oracle. NULL: an id is
 * not stored as it is, or the arena is full. */
static const struct expect_ids *make_expect_ids(const struct judge *j, const struct invocation *inv,
                                                uint32_t n)
{
    struct expect_ids *const out = ARENA_NEW(j->a, struct expect_ids, 1);
    struct expect_id *const id = ARENA_NEW(j->a, struct expect_id, n);
    for (uint32_t i = 0; out && id && i < n; i++) {
        const struct judge_lane *const lane = &j->groups.lanes[i];
        id[i].invocation = inv[i].global_index;
        for (int c = 0; c < EXPECT_ID_COLUMNS; c++) {
            if (lane->probe_buf[c] == NO_PROBE) {
                return NULL;
            }
            id[i].buf[c] = lane->probe_buf[c];
            id[i].byte[c] = lane->probe_byte[c];
        }
    }
    if (!out || !id) {
        return NULL;
    }
    uint32_t const by_case = j->input.tc->subgroup_size;
    *out = (struct expect_ids){.required = by_case ? by_case : j->m.modes.subgroup_size,
                               .is_cl = j->input.tc->env == ENV_CL,
                               .n = n,
                               .id = id};
    return out;
}

static bool has_bit(const uint64_t mask[2], uint32_t i)
{
    return (mask[i / 64] >> (i % 64) & 1) != 0;
}

/* The sub-group size that the case, the module or (in Vulkan) the device's property requires; 0: none does. */
static uint32_t required_size(const struct judge *j)
{
    if (j->input.tc->subgroup_size) {
        return j->input.tc->subgroup_size;
    }
    if (j->m.modes.subgroup_size) {
        return j->m.modes.subgroup_size;
    }
    return j->input.tc->env == ENV_VK
               ? (uint32_t)facts_number(j->input.ob->facts, "vk.p.subgroupSize")
               : 0;
}

/* Has the sub-group of inv[i], which has n_members, a permitted size? `largest` is the largest size in the work-group.
 *   OpenCL (CA 3.2.1): all sub-groups have the same size, except the last, which may be smaller; no size is above the
 *   required
 *   one; SubgroupSize is the number of members.
 *   Vulkan: SubgroupSize is the device's size. */
static bool is_right_size(const struct judge *j, uint32_t i, uint32_t n_members, uint32_t largest,
                          bool is_last)
{
    uint32_t const size = j->groups.lanes[i].size, required = required_size(j);
    if (j->input.tc->env != ENV_CL) {
        return !required || size == required;
    }
    return (!required || size <= required) && n_members == size && (is_last || size == largest);
}

/* The sentence that says what is wrong with the ids of an invocation. size: SubgroupSize of the first invocation of
 * its sub-group. */
static const char *describe_ids(struct judge *j, const struct invocation *inv,
                                const struct judge_lane *lane, uint32_t size, bool is_in_range)
{
    if (lane->size != size) {
        return arena_printf(
            j->a, "invocation %u: SubgroupSize is %u, and %u for others of its sub-group %u",
            inv->global_index, lane->size, size, inv->subgroup);
    }
    return arena_printf(j->a, "invocation %u: SubgroupLocalInvocationId %u of sub-group %u %s %u",
                        inv->global_index, lane->local, inv->subgroup,
                        is_in_range ? "is that of another invocation too, SubgroupSize"
                                    : "is not below its SubgroupSize",
                        lane->size);
}

/* Reports that the sub-group of inv[i] has a size that is not permitted (CLAUSE_SUBGROUP_SIZE). One report a case is enough. */
static void report_size(struct judge *j, const struct invocation *inv, uint32_t n, uint32_t i,
                        uint32_t n_members)
{
    uint32_t const required = required_size(j);
    j->groups.wrong_size = 1;
    struct finding *const f =
        report(j, &inv[i], CLAUSE_SUBGROUP_SIZE,
               arena_printf(j->a, "sub-group %u of %u invocations has size %u%s", inv[i].subgroup,
                            n_members, j->groups.lanes[i].size,
                            required ? arena_printf(j->a, ", required is %u", required) : ""));
    const struct expect_ids *const ids = f ? make_expect_ids(j, inv, n) : NULL;
    /* a size that comes of this device's own properties says nothing of other devices */
    if (ids && (ids->is_cl || ids->required)) {
        f->ids = ids;
    }
}

/* Checks the sub-group of inv[i], one of the n invocations of the work-group (CLAUSE_SUBGROUP_IDS): all ids are in
 * range, no two members have the same id, all have the same SubgroupSize. false after a report: its composition is
 * not known. A size that is not permitted is only reported, since the members are known all the same. */
static bool check_subgroup(struct judge *j, const struct invocation *inv, uint32_t n, uint32_t i)
{
    uint32_t const size = j->groups.lanes[i].size;
    uint64_t taken[2] = {0, 0}; /* local ids of the members so far, as bits */
    uint32_t n_members = 0, largest = 0;
    bool is_last = true; /* has the sub-group the greatest id in the work-group? */
    for (uint32_t k = 0; k < n; k++) {
        const struct judge_lane *lane = &j->groups.lanes[k];
        is_last &= inv[k].subgroup <= inv[i].subgroup;
        largest = lane->size > largest ? lane->size : largest;
        if (inv[k].subgroup != inv[i].subgroup) {
            continue;
        }
        bool const is_in_range = lane->local < lane->size && lane->size <= CASE_MAX_SUBGROUP;
        if (lane->size != size || !is_in_range || has_bit(taken, lane->local)) {
            struct finding *const f = report(j, &inv[k], CLAUSE_SUBGROUP_IDS,
                                             describe_ids(j, &inv[k], lane, size, is_in_range));
            if (f) {
                f->ids = make_expect_ids(j, inv, n);
            }
            return false;
        }
        taken[lane->local / 64] |= UINT64_C(1) << (lane->local % 64);
        n_members++;
    }
    if (!is_right_size(j, i, n_members, largest, is_last) && !j->groups.wrong_size) {
        report_size(j, inv, n, i, n_members);
    }
    return true;
}

/* Reads the ids of one invocation, as the device has stored them. false: an id that is needed was not observed. */
static bool read_ids(const struct judge *j, struct invocation *inv, struct judge_lane *lane)
{
    uint64_t v[ID_COLUMNS] = {0};
    for (int c = 0; c < ID_COLUMNS; c++) {
        struct val const id = lane->id[c];
        bool const is_known = id.abs != 0 && exec_known(&j->x, id, &v[c]);
        if (!is_known && c < ID_MAX_SIZE) {
            return false;
        }
    }
    lane->max_size = (uint32_t)v[ID_MAX_SIZE];
    lane->local = (uint32_t)v[ID_LOCAL];
    lane->size = (uint32_t)v[ID_SIZE];
    inv->subgroup = (uint32_t)v[ID_GROUP];
    return true;
}

/* Forms the sub-groups of the n invocations of the work-group from their observed ids, and checks each sub-group once. */
static enum composition compose(struct judge *j, struct invocation *inv, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!read_ids(j, &inv[i], &j->groups.lanes[i])) {
            j->groups.lacks_ids = true;
            return COMPOSITION_UNTOLD;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = 0;
        while (inv[first].subgroup != inv[i].subgroup) {
            first++;
        }
        if (first == i && !check_subgroup(j, inv, n, i)) {
            return COMPOSITION_UNKNOWN;
        }
    }
    return COMPOSITION_KNOWN;
}

bool subgroup_is_one(const struct judge *j, uint32_t n)
{
    const struct testcase *const tc = j->input.tc;
    uint32_t const required = tc->subgroup_size ? tc->subgroup_size : j->m.modes.subgroup_size;
    if (tc->env == ENV_CL) {
        return n == 1 || n <= required;
    }
    return n == 1 || (tc->full_subgroups && n == required_size(j));
}

int subgroup_compose(struct judge *j, struct invocation *inv, uint32_t n)
{
    if (j->groups.composition == COMPOSITION_NEW) {
        j->groups.composition = compose(j, inv, n);
        bool const is_known = j->groups.composition == COMPOSITION_KNOWN;
        for (uint32_t i = 0; i < n && !is_known; i++) {
            inv[i].subgroup = EXEC_NO_SUBGROUP;
        }
    }
    return j->groups.composition == COMPOSITION_KNOWN;
}

/* The observed bits of the last ballot of true that the invocation executed in its current block. 0: there is none. */
static int get_ballot(const struct judge *j, const struct invocation *inv, uint64_t mask[2])
{
    const struct judge_lane *lane = &j->groups.lanes[inv->local_index];
    uint64_t w[4];
    if (lane->ballot_block != inv->n_blocks + 1) {
        return 0;
    }
    for (int c = 0; c < 4; c++) {
        const struct abstract *b = &j->x.pool[lane->ballot[c].abs];
        bool const may_be_missing = c > 0 && abstract_is_one(b); /* a word without members */
        if (!b->is_observed && !may_be_missing) {
            return 0;
        }
        w[c] = b->bits;
    }
    mask[0] = w[0] | w[1] << 32;
    mask[1] = w[2] | w[3] << 32;
    return 1;
}

/* Lists the members of the sub-group of invocation `first` that wait at the site, in the order of their ids; returns
 * their number. */
static uint32_t list_members(const struct judge *j, const struct invocation *inv,
                             const struct tangle_site *s, uint32_t first, uint32_t *lane)
{
    uint32_t at[CASE_MAX_SUBGROUP] = {0}; /* 1 + lane, by id */
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (inv[s->lane[i]].subgroup == inv[first].subgroup) {
            at[j->groups.lanes[s->lane[i]].local] = s->lane[i] + 1;
        }
    }
    for (uint32_t i = 0; i < j->groups.lanes[first].size; i++) {
        if (at[i]) {
            lane[n++] = at[i] - 1;
        }
    }
    return n;
}

enum ballot_fit {
    BALLOT_CONTRADICTS,
    BALLOT_UNKNOWN, /* not every member's ballot is known */
    BALLOT_FITS
};

/* Reduces `out`, those that may take part with invocation `first`, to those whose bits are set in `mask`: the ballot of true
 * that `first` executed before in the same block, as the device answered it. The mask fits if it holds `first`; if it holds
 * all or none of the invocations that are on one path (CLAUSE_GROUP_PARTICIPANTS); if it holds members only; and if all
 * invocations in it got the same mask. BALLOT_UNKNOWN: the ballot of one of them was not observed. */
static enum ballot_fit apply_ballot(const struct judge *j, const struct invocation *inv,
                                    uint32_t first, struct participants *out,
                                    const uint64_t mask[2])
{
    const struct judge_lane *lanes = j->groups.lanes;
    uint64_t strangers[2] = {mask[0], mask[1]}; /* bits of the mask that no member has */
    if (!has_bit(mask, lanes[first].local)) {
        return BALLOT_CONTRADICTS;
    }
    for (uint32_t i = 0; i < out->n; i++) {
        const struct invocation *v = &inv[out->lane[i]];
        uint32_t const local = lanes[out->lane[i]].local;
        bool const is_in = has_bit(mask, local);
        uint64_t other[2];
        strangers[local / 64] &= ~(UINT64_C(1) << (local % 64));
        for (uint32_t k = 0; k < i; k++) {
            bool const other_is_in = has_bit(mask, lanes[out->lane[k]].local);
            if (other_is_in != is_in && tangle_must(v, &inv[out->lane[k]])) {
                return BALLOT_CONTRADICTS;
            }
        }
        if (is_in && !get_ballot(j, v, other)) {
            return BALLOT_UNKNOWN;
        }
        if (is_in && memcmp(other, mask, sizeof other) != 0) {
            return BALLOT_CONTRADICTS;
        }
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        if (has_bit(mask, lanes[out->lane[i]].local)) {
            out->lane[n++] = out->lane[i];
        }
    }
    out->n = n;
    return strangers[0] == 0 && strangers[1] == 0 ? BALLOT_FITS : BALLOT_CONTRADICTS;
}

uint32_t subgroup_max_size(const struct judge *j, uint32_t n)
{
    uint32_t most = j->m.modes.subgroup_size;
    for (uint32_t i = 0; i < n && !most; i++) {
        most = j->groups.lanes[i].max_size;
    }
    return most;
}

/* Lists into out who executes the group instruction at s together with invocation `first`. Members of its sub-group
 * on one path execute it together for certain (is_known), unless a ballot says otherwise. Members on different paths may
 * have reconverged: a ballot of true before the instruction, in the same block, says who did. The ballot instruction itself
 * needs no other: its own result is confined by masks (put_ballot). is_partial: members of the sub-group do not take part. */
void subgroup_participants(struct judge *j, const struct invocation *inv, uint32_t n,
                           const struct tangle_site *s, uint32_t first, struct participants *out)
{
    uint64_t mask[2];
    uint32_t n_members = 0;  /* of the sub-group, at this site or not */
    bool is_one_path = true; /* are all members that wait here on one path? */
    out->n = list_members(j, inv, s, first, out->lane);
    out->size = j->groups.lanes[first].size;
    for (uint32_t i = 0; i < n; i++) {
        n_members += inv[i].subgroup == inv[first].subgroup;
    }
    for (uint32_t i = 0; i < out->n; i++) {
        is_one_path &= tangle_must(&inv[out->lane[i]], &inv[first]);
    }
    out->is_known = is_one_path;
    if (s->in->op != SpvOpGroupNonUniformBallot && get_ballot(j, &inv[first], mask)) {
        /* a ballot that nobody observed leaves the participants unknown, also where the paths agree: the device may have
         * split them, which the ballot would have shown */
        enum ballot_fit const fit = apply_ballot(j, inv, first, out, mask);
        out->is_known = fit == BALLOT_FITS;
        if (fit == BALLOT_CONTRADICTS && j->out->n_found == 0) { /* else its cause was reported */
            report(j, &inv[first], CLAUSE_GROUP_PARTICIPANTS,
                   arena_printf(j->a,
                                "invocation %u: ballots of one sub-group in one block "
                                "contradict each other, or split invocations on one path",
                                inv[first].global_index));
        }
    }
    out->is_partial = out->n < n_members;
    for (uint32_t i = 0; i < out->n; i++) {
        out->index[i] = j->groups.lanes[out->lane[i]].local;
    }
}
