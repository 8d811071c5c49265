/* oracle/judge_groups/subgroup.c -- which invocations form a sub-group, and which of them take part. */
#include "oracle/judge_groups/subgroup.h"

#include <string.h>

#include "base/caps.h"
#include "oracle/interp/exec.h"
#include "oracle/judge_state/judge_report.h"

enum {
    ID_GROUP, /* columns of struct judge_lane's id */
    ID_LOCAL,
    ID_SIZE,
    ID_MAX_SIZE, /* may be missing */
    ID_COLUMNS
};

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

void subgroup_note_probe(struct judge *j, const struct invocation *inv, struct val v, struct location p)
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

/* The ids of a work-group for those who have no oracle. NULL: one is not in a buffer as it is, or the arena is
 * full. */
static const struct expect_ids *tell_ids(const struct judge *j, const struct invocation *inv,
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

/* The size that the text requires, 0 where it leaves it open. */
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

/* Has the sub-group of inv[i], which has n_members, a size that it may have? Those of the work-group are
 * no larger than `largest`.
 *   OpenCL: of one size but for the last, which may be smaller, and at most the required one: CA 3.2.1; the
 *   built-in is the number of members.
 *   Vulkan: the built-in is the device's size. */
static bool is_right_size(const struct judge *j, uint32_t i, uint32_t n_members, uint32_t largest,
                          bool is_last)
{
    uint32_t const size = j->groups.lanes[i].size, required = required_size(j);
    if (j->input.tc->env != ENV_CL) {
        return !required || size == required;
    }
    return (!required || size <= required) && n_members == size && (is_last || size == largest);
}

/* What is wrong with the ids of a work-item, whose sub-group's first one told `size`. */
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

/* Does the sub-group with inv[i] look as one may: ids in range, none twice, all of one size, and a size
 * that is permitted? false after a report: its composition cannot be relied on. A size that is not
 * permitted is reported once, and true, since who its members are is known all the same. n: invocations of
 * the work-group. */
static bool check_one(struct judge *j, const struct invocation *inv, uint32_t n, uint32_t i)
{
    const struct judge_lane *a = &j->groups.lanes[i];
    uint64_t seen[2] = {0, 0};
    uint32_t n_members = 0, largest = 0;
    bool is_last = true; /* has it the greatest id of all? */
    for (uint32_t k = 0; k < n; k++) {
        const struct judge_lane *b = &j->groups.lanes[k];
        is_last &= inv[k].subgroup <= inv[i].subgroup;
        largest = b->size > largest ? b->size : largest;
        if (inv[k].subgroup != inv[i].subgroup) {
            continue;
        }
        bool const is_in_range = b->local < b->size && b->size <= CASE_MAX_SUBGROUP;
        if (b->size != a->size || !is_in_range || has_bit(seen, b->local)) {
            struct finding *const f = report(j, &inv[k], CLAUSE_SUBGROUP_IDS,
                                             describe_ids(j, &inv[k], b, a->size, is_in_range));
            if (f) {
                f->ids = tell_ids(j, inv, n);
            }
            return false;
        }
        seen[b->local / 64] |= UINT64_C(1) << (b->local % 64);
        n_members++;
    }
    if (!is_right_size(j, i, n_members, largest, is_last) && !j->groups.wrong_size) {
        uint32_t const required = required_size(j);
        j->groups.wrong_size = 1; /* one report is enough */
        struct finding *const f =
            report(j, &inv[i], CLAUSE_SUBGROUP_SIZE,
                   arena_printf(j->a, "sub-group %u of %u invocations has size %u%s",
                                inv[i].subgroup, n_members, a->size,
                                required ? arena_printf(j->a, ", required is %u", required) : ""));
        const struct expect_ids *const ids = f ? tell_ids(j, inv, n) : NULL;
        if (ids &&
            (ids->is_cl || ids->required)) { /* what a device says of itself binds no other */
            f->ids = ids;
        }
    }
    return true;
}

/* The ids of one invocation, from what was loaded. false: one that is needed was not observed. */
static bool take_ids(const struct judge *j, struct invocation *inv, struct judge_lane *lane)
{
    uint64_t v[ID_COLUMNS] = {0};
    for (int c = 0; c < ID_COLUMNS; c++) {
        struct val const id = lane->id[c];
        bool const is_known = id.abs != 0 && exec_known(&j->x, id, &v[c]);
        if (!is_known && c != ID_MAX_SIZE) {
            return false;
        }
    }
    lane->max_size = (uint32_t)v[ID_MAX_SIZE];
    lane->local = (uint32_t)v[ID_LOCAL];
    lane->size = (uint32_t)v[ID_SIZE];
    inv->subgroup = (uint32_t)v[ID_GROUP];
    return true;
}

static enum composition compose(struct judge *j, struct invocation *inv, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!take_ids(j, &inv[i], &j->groups.lanes[i])) {
            j->groups.lacks_ids = true;
            return COMPOSITION_UNTOLD;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = 0;
        while (inv[first].subgroup != inv[i].subgroup) {
            first++;
        }
        if (first == i && !check_one(j, inv, n, i)) {
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

/* The ballot that stands before this instruction in its block, if it was observed. */
static int get_ballot(const struct judge *j, const struct invocation *inv, uint64_t mask[2])
{
    const struct judge_lane *lane = &j->groups.lanes[inv->local_index];
    uint64_t w[4];
    if (lane->ballot_block != inv->n_blocks + 1) {
        return 0;
    }
    for (int c = 0; c < 4; c++) {
        const struct abstract *b = &j->x.pool[lane->ballot[c].abs];
        if (!b->is_observed &&
            !(abstract_is_one(b) && c > 0)) { /* words that hold nobody need not be stored */
            return 0;
        }
        w[c] = b->bits;
    }
    mask[0] = w[0] | w[1] << 32;
    mask[1] = w[2] | w[3] << 32;
    return 1;
}

/* Members of the sub-group of lane `first` at the site, in the order of their ids; how many. */
static uint32_t take_members(const struct judge *j, const struct invocation *inv,
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

/* Shrinks `out`, those who may take part with lane `first`, to those whose bits are set in `mask`, a ballot
 * of true that this lane saw just before. It fits if it holds this lane, of invocations on one path all or
 * none, nobody but members, and if all in it saw the same mask; else it contradicts. Unknown: the ballot of
 * one of them was not observed. */
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
    for (uint32_t i = 0; i < n && !most; i++) { /* that all are smaller does not tell */
        most = j->groups.lanes[i].max_size;
    }
    return most;
}

/* Who executes the group instruction at s together with lane `first`, into out. Members of its sub-group on
 * one path are together for sure (is_known). Of others a ballot of true before the instruction tells, if it
 * was observed; the ballot itself needs none. is_partial: the sub-group has members that do not take part. */
void subgroup_participants(struct judge *j, const struct invocation *inv, uint32_t n,
                           const struct tangle_site *s, uint32_t first, struct participants *out)
{
    uint64_t mask[2];
    uint32_t n_all = 0;
    bool is_one = true; /* are all members that wait here on one path? */
    out->n = take_members(j, inv, s, first, out->lane);
    out->size = j->groups.lanes[first].size;
    for (uint32_t i = 0; i < n; i++) {
        n_all += inv[i].subgroup == inv[first].subgroup;
    }
    for (uint32_t i = 0; i < out->n; i++) {
        is_one &= tangle_must(&inv[out->lane[i]], &inv[first]);
    }
    out->is_known = is_one;
    if (s->in->op != SpvOpGroupNonUniformBallot && get_ballot(j, &inv[first], mask)) {
        enum ballot_fit const fit = apply_ballot(j, inv, first, out, mask);
        out->is_known = fit == BALLOT_FITS;
        if (fit == BALLOT_CONTRADICTS &&
            j->out->n_found == 0) { /* a wrong bit was reported by itself */
            report(j, &inv[first], CLAUSE_GROUP_PARTICIPANTS,
                   arena_printf(j->a,
                                "invocation %u: ballots of one sub-group in one block "
                                "contradict each other, or split invocations on one path",
                                inv[first].global_index));
        }
    }
    out->is_partial = out->n < n_all;
    for (uint32_t i = 0; i < out->n; i++) {
        out->index[i] = j->groups.lanes[out->lane[i]].local;
    }
}
