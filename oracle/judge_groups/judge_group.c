/* oracle/judge_groups/judge_group.c -- the permitted results of a group instruction, into the registers of its participants.
 *
 * Read from the end of the file: judge_group_site finds the participants, sub-group by sub-group; put_results reads their
 * operands; put_gathered chooses by the kind of the instruction how its results are computed. */
#include "oracle/judge_groups/judge_group.h"

#include <string.h>

#include "oracle/feature/feature_group.h"
#include "oracle/group/group.h"
#include "oracle/group/group_any.h"
#include "oracle/group/group_move.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/judge_groups/group_site.h"
#include "oracle/judge_groups/judge_sums.h"
#include "oracle/judge_groups/subgroup.h"
#include "oracle/judge_state/group_record.h"
#include "oracle/judge_state/policy.h"
#include "oracle/math/rules.h"
#include "oracle/tables/tables.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

enum {
    BALLOT_WORDS = 4 /* a vector of 32-bit words */
};

/* Gives participant i a result that only the device can tell. */
static void put_unknown(const struct group_site *s, uint32_t i, enum unconfined_kind why)
{
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        judge_group_result(s, i)[c] = judge_unknown(s->j, why);
    }
}

/* ---- exchanges ---- */

/* Component c of the result of an exchange whose source has the value v. A float is copied by the rules of its type,
 * and within the bound of the instruction's own decoration. */
static struct val copy_value(const struct group_site *s, struct val v, uint32_t c)
{
    struct judge *j = s->j;
    if (s->c.fmt < 0) {
        return v;
    }
    enum fmt_id const fmt = (enum fmt_id)s->c.fmt;
    struct rules const r = ruleset_get(&j->rules, RULE_MOVE_GROUP, fmt, &j->m.ids[s->in->result]);
    struct val const moved = value_copy(&j->x, fmt, &r, v, value_get_clause(s->c.op));
    return module_is_decorated_float(&j->m, s->in) ? value_within(&j->x, &j->rules, s->in, c, moved)
                                                   : moved;
}

/* Puts the result of an exchange for participant i: the value in the registers of its source, with all that it may be. */
static void put_move(const struct group_site *s, uint32_t i, enum group_answer answer,
                     const uint64_t *bits)
{
    struct judge *j = s->j;
    int const source = group_source(&s->c, i);
    uint32_t const word = source == GROUP_FROM_OTHER ? s->w.other : s->w.value;
    uint32_t const lane = s->p.lane[source >= 0 ? (uint32_t)source : i];
    struct val out[4] = {{0}};
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        if (source >= 0 || source == GROUP_FROM_OTHER) {
            out[c] = copy_value(s, exec_reg(&j->x, &s->inv[lane], s->in->w[word])[c], c);
        } else if (answer == GROUP_IS) {
            out[c] = copy_value(s, (struct val){.bits = bits[c]}, c);
        } else {
            out[c] = answer == GROUP_ANYTHING ? exec_new_abstract(&j->x)
                                              : judge_unknown(j, UNCONFINED_NONE);
        }
    }
    memcpy(judge_group_result(s, i), out, sizeof *out * s->c.n_results);
}

/* ---- everything else ---- */

/* Gives participant i the words of a mask: the bits of `must` are set, those of `may` may be set. `picked` is the
 * member that stands for the mask where one value is needed. */
static void put_mask(const struct group_site *s, uint32_t i, const uint64_t *must,
                     const uint64_t *may, const uint64_t *picked, enum clause_id clause)
{
    struct judge *j = s->j;
    struct val *out = judge_group_result(s, i);
    for (uint32_t c = 0; c < BALLOT_WORDS; c++) {
        out[c] = exec_new_abstract(&j->x);
        j->x.pool[out[c].abs] = (struct abstract){
            .kind = ABSTRACT_MASK,
            .bits = picked[c],
            .mask = {must[c], may[c]},
            .clause = (uint8_t)clause
        };
    }
}

/* Puts the result of a ballot for participant i, as two masks: the bits that must be set, and the bits that may be
 * set. A bit must be set if its invocation votes true and is known to take part with i (is_known: all are). An unknown
 * vote may be either. A ballot in which all vote true is kept for i, with the block that i is in (1 + its number): the
 * bits that the device gives then say who takes part in the later group instructions of that block (subgroup.c:
 * get_ballot). */
static void put_ballot(const struct group_site *s, uint32_t i, int is_known)
{
    const struct invocation *v = &s->inv[s->p.lane[i]];
    uint64_t must[BALLOT_WORDS] = {0}, may[BALLOT_WORDS] = {0};
    bool all_true = true;
    for (uint32_t k = 0; k < s->c.n; k++) {
        uint32_t const at = s->p.index[k];
        uint64_t const bit = UINT64_C(1) << (at % 32);
        bool const may_vote = !s->known[k] || s->value[k];
        bool const votes = s->known[k] && s->value[k];
        all_true &= votes;
        if (may_vote) {
            may[at / 32] |= bit;
        }
        if (votes && (is_known || tangle_must(v, &s->inv[s->p.lane[k]]))) {
            must[at / 32] |= bit;
        }
    }
    put_mask(s, i, must, may, may, CLAUSE_GROUP_BALLOT); /* all that may take part stand for it */
    if (all_true) {
        struct judge_lane *lane = &s->j->groups.lanes[s->p.lane[i]];
        memcpy(lane->ballot, judge_group_result(s, i), sizeof lane->ballot);
        lane->ballot_block = v->n_blocks + 1;
    }
}

/* Puts the result of a partition for participant i, as two masks: who must and who may be in its subset. */
static void put_partition(const struct group_site *s, uint32_t i)
{
    struct judge *j = s->j;
    bool const is_float = s->c.fmt >= 0;
    uint64_t must[BALLOT_WORDS], may[BALLOT_WORDS];
    struct rules r;
    if (is_float) {
        r = ruleset_get(&j->rules, RULE_GROUP_SUM, (enum fmt_id)s->c.fmt, &j->m.ids[s->in->result]);
    }
    group_partition(&s->c, i, is_float ? &r : NULL, must, may);
    put_mask(s, i, must, may, must, CLAUSE_GROUP_PARTITION);
}

/* Puts the result of participant i that follows from the known operands (group_answer). r: the rules of a float, else
 * NULL. 0 and x->stop: the use has no defined behaviour, or the arena is full. */
static int put_one(const struct group_site *s, uint32_t i, const struct rules *r)
{
    struct judge *j = s->j;
    uint64_t bits[4] = {0, 0, 0, 0};
    enum group_answer const answer = group_answer(&s->c, i, r, bits);
    if (answer == GROUP_MISUSE) {
        return exec_stop_undefined(&j->x, UNDEFINED_GROUP);
    }
    if (group_kind_of(s->c.op) == GROUP_MOVE) { /* gives the source's value, not only its bits */
        put_move(s, i, answer, bits);
        return j->x.stop == NULL;
    }
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        struct val *const out = &judge_group_result(s, i)[c];
        switch (answer) {
        case GROUP_IS: /* these bits alone are permitted */
            *out = (struct val){.bits = bits[c]};
            break;
        case GROUP_UNKNOWN: /* one value, which only the device can tell: the observed one is taken */
            *out = judge_unknown(j, UNCONFINED_NONE);
            break;
        case GROUP_ANYTHING: /* undefined: any bits are permitted */
        case GROUP_EITHER:   /* a bool that may be true or false */
            *out = exec_new_abstract(&j->x);
            break;
        case GROUP_MISUSE: /* has stopped the run */
            break;
        }
    }
    return j->x.stop == NULL;
}

/* Keeps the participants and their operands at the head of the list of the instruction's records, where findings and
 * features look them up later. 0 and x->stop: the arena is full. */
static int keep_record(const struct group_site *s)
{
    struct judge *j = s->j;
    struct group_record *r = ARENA_NEW(j->a, struct group_record, 1);
    uint32_t *lane = ARENA_NEW(j->a, uint32_t, s->p.n);
    if (!r || !lane) {
        return exec_stop(&j->x, "arena full");
    }
    memcpy(lane, s->p.lane, sizeof *lane * s->p.n);
    struct group_record **const first = &j->groups.records[s->in - j->m.code];
    *r = (struct group_record){.call = s->c,
                               .lane = lane,
                               .group = s->inv[0].group_index,
                               .is_partial = s->p.is_partial,
                               .next = *first};
    *first = r;
    if (j->covered.map) {
        feature_describe_group(&r->call, r->is_partial, &r->mask, &r->worst);
    }
    return 1;
}

/* Puts results that follow from the operands alone, one participant after the other. */
static int put_by_operands(const struct group_site *s, enum group_kind kind)
{
    enum rule_class const class = kind == GROUP_ALL_EQUAL ? RULE_GROUP_EQUAL : RULE_MOVE_GROUP;
    bool const is_float = s->c.fmt >= 0;
    struct rules r;
    if (is_float) {
        r = ruleset_get(&s->j->rules, class, (enum fmt_id)s->c.fmt, &s->j->m.ids[s->in->result]);
    }
    for (uint32_t i = 0; i < s->c.n; i++) {
        if (!put_one(s, i, is_float ? &r : NULL)) {
            return 0;
        }
    }
    return 1;
}

/* Puts the results of all participants (s->p) of a group instruction into their registers. If the participants are not
 * known, a ballot is still bounded by masks; any other result is then a value that only the device can tell. Sums,
 * products, minima and maxima of floats have sets of permitted results. 0 and x->stop: the interpretation cannot go
 * on. */
static int put_gathered(struct group_site *s)
{
    enum group_kind const kind = group_kind_of(s->c.op);
    bool const is_float_arith = kind == GROUP_ARITH && s->c.fmt >= 0;
    s->j->out->n_partial += (uint32_t)s->p.is_partial;
    if (kind == GROUP_BALLOT || !s->p.is_known) {
        for (uint32_t i = 0; i < s->c.n; i++) {
            if (kind == GROUP_BALLOT) {
                put_ballot(s, i, s->p.is_known);
            } else {
                put_unknown(s, i, UNCONFINED_NO_PARTICIPANTS);
            }
        }
        return s->j->x.stop == NULL;
    }
    if (kind == GROUP_PARTITION) {
        for (uint32_t i = 0; i < s->c.n; i++) {
            put_partition(s, i);
        }
        return s->j->x.stop == NULL;
    }
    if (!is_float_arith) {
        return put_by_operands(s, kind);
    }
    return group_is_extreme(s->c.op) ? judge_group_minmax(s) : judge_group_sums(s);
}

/* Reads the operands of the participants and puts their results. */
static int put_results(struct group_site *s)
{
    policy_tell(s->j->policy, s->j,
                &(struct policy_site){.kind = SITE_GROUP_START, .in = s->in, .group = s});
    if (!group_site_gather(s) || !keep_record(s) || !put_gathered(s)) {
        return 0;
    }
    policy_tell(s->j->policy, s->j,
                &(struct policy_site){.kind = SITE_GROUP, .in = s->in, .group = s});
    return s->j->x.stop == NULL;
}

/* Is the bit of the sub-group id `index` set in a ballot? Ids are below CASE_MAX_SUBGROUP, the bits of a ballot; % bounds the
 * access all the same. */
static bool is_in_ballot(const uint64_t *ballot, uint32_t index)
{
    return (ballot[index / 32 % BALLOT_WORDS] >> index % 32 & 1) != 0;
}

/* Reads the ballots that describe the participants' partition, [n * BALLOT_WORDS], one per participant, and removes
 * the bits of non-participants (`here` has those of the participants). false: a ballot is not known, or the ballots
 * describe no partition: a participant is not in its own subset, or two participants of one subset have different
 * ballots. */
static bool read_partition(const struct group_site *s, uint64_t *ballot)
{
    const struct judge *j = s->j;
    uint32_t const id = module_get_operand(&j->m, s->in, s->w.ballot);
    uint64_t here[BALLOT_WORDS] = {0};
    bool is_valid = j->m.ids[id].n_slots == BALLOT_WORDS;
    for (uint32_t i = 0; i < s->p.n; i++) {
        here[s->p.index[i] / 32 % BALLOT_WORDS] |= UINT64_C(1) << s->p.index[i] % 32;
    }
    for (uint32_t i = 0; is_valid && i < s->p.n; i++) {
        uint64_t *const own = &ballot[(size_t)i * BALLOT_WORDS];
        for (uint32_t c = 0; c < BALLOT_WORDS; c++) {
            is_valid &= exec_known(&j->x, exec_reg(&j->x, &s->inv[s->p.lane[i]], id)[c], &own[c]);
            own[c] &= here[c];
        }
        is_valid &= is_in_ballot(own, s->p.index[i]);
    }
    for (uint32_t i = 0; is_valid && i < s->p.n; i++) {
        const uint64_t *const own = &ballot[(size_t)i * BALLOT_WORDS];
        for (uint32_t k = 0; k < s->p.n; k++) {
            const uint64_t *const other = &ballot[(size_t)k * BALLOT_WORDS];
            is_valid &= !is_in_ballot(own, s->p.index[k]) ||
                        memcmp(own, other, sizeof *own * BALLOT_WORDS) == 0;
        }
    }
    return is_valid;
}

/* Takes into sub, as its participants, the subset of participant `first`: all with the same ballot. false: `first` is
 * not the lowest of its subset, which was thus done before. */
static bool take_subset(const struct group_site *s, const uint64_t *ballot, uint32_t first,
                        struct group_site *sub)
{
    const uint64_t *const own = &ballot[(size_t)first * BALLOT_WORDS];
    bool is_lowest = true;
    sub->p.n = 0;
    for (uint32_t k = 0; k < s->p.n; k++) {
        if (memcmp(own, &ballot[(size_t)k * BALLOT_WORDS], sizeof *own * BALLOT_WORDS) == 0) {
            is_lowest &= k >= first;
            sub->p.lane[sub->p.n] = s->p.lane[k];
            sub->p.index[sub->p.n++] = s->p.index[k];
        }
    }
    return is_lowest;
}

/* Puts the results of an operation on the subsets of a partition (X:SPV_EXT_shader_subgroup_partitioned): the
 * participants of each subset execute it as if there were no others. Where the ballots are not known, or describe no
 * partition, each result is a value that only the device can tell. */
static int put_subsets(struct group_site *s)
{
    struct judge *j = s->j;
    uint32_t const n = s->p.n;
    uint64_t *ballot = ARENA_NEW(j->a, uint64_t, (size_t)n * BALLOT_WORDS);
    if (!ballot) {
        return exec_stop(&j->x, "arena full");
    }
    bool const is_known = s->p.is_known && read_partition(s, ballot);
    for (uint32_t first = 0; first < n; first++) {
        struct group_site sub = *s;
        if (!is_known) {
            put_unknown(s, first, s->p.is_known ? UNCONFINED_NONE : UNCONFINED_NO_PARTICIPANTS);
            continue;
        }
        sub.c.operation = group_operation_within(s->c.operation);
        sub.c.is_partitioned = true;
        if (!group_site_allocate(&sub, n) ||
            (take_subset(s, ballot, first, &sub) && !put_results(&sub))) {
            return 0;
        }
    }
    return j->x.stop == NULL;
}

/* Must every invocation of the scope execute the instruction (S 3.3.21: all OpGroup* instructions)? */
static int needs_all(uint32_t op)
{
    return (op >= SpvOpGroupAll && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupIMulKHR && op <= SpvOpGroupLogicalXorKHR);
}

/* Takes all invocations that wait at the site as participants, with their linear local ids. Are they all on one path? */
static bool take_all_waiting(struct group_site *s, const struct tangle_site *t)
{
    bool is_one_path = true;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct invocation *const v = &s->inv[t->lane[i]];
        is_one_path &= tangle_must(v, &s->inv[t->lane[0]]) != 0;
        s->p.lane[i] = t->lane[i];
        s->p.index[i] = v->local_index;
    }
    s->p.n = t->n;
    s->p.size = s->n_items;
    s->p.is_partial = t->n < s->n_items;
    return is_one_path;
}

/* Executes an instruction of scope Workgroup for all invocations that wait at the site t: all n of the work-group,
 * or, for AMD's instructions in divergent control flow, those on one path. */
static int run_workgroup(struct group_site *s, uint32_t n, const struct tangle_site *t)
{
    bool const is_one_path = take_all_waiting(s, t);
    if (needs_all(s->c.op) && (t->n != n || !is_one_path)) {
        return exec_stop(&s->j->x, "a group instruction that not every invocation comes to");
    }
    s->p.is_known = is_one_path;
    return put_results(s);
}

/* Executes the instruction for the sub-group of invocation `first`, or for those of its invocations that are on one
 * path with `first`. Marks each participant in `done`. */
static int run_subgroup(struct group_site *s, const struct tangle_site *t, uint32_t first,
                        unsigned char *done)
{
    subgroup_participants(s->j, s->inv, s->n_items, t, first, &s->p);
    if (needs_all(s->c.op) && s->p.is_partial) {
        return exec_stop(&s->j->x, "a group instruction that not every invocation comes to");
    }
    bool const is_partitioned = group_is_partitioned(s->c.operation);
    if (!(is_partitioned ? put_subsets(s) : put_results(s))) {
        return 0;
    }
    for (uint32_t k = 0; k < s->p.n; k++) {
        done[s->p.lane[k]] = 1;
    }
    return 1;
}

/* Executes the instruction for one sub-group at the site after the other. `done`: zeros, one per invocation of the
 * work-group. */
static int run_subgroups(struct group_site *s, const struct tangle_site *t, unsigned char *done)
{
    uint32_t n_left = t->n;
    for (uint32_t i = 0; i < t->n; i++) {
        if (done[t->lane[i]]) {
            continue;
        }
        if (!run_subgroup(s, t, t->lane[i], done)) {
            return 0;
        }
        n_left -= s->p.n;
        /* the record keeps the arrays, so that the next sub-group needs new ones */
        if (n_left > 0 && !group_site_allocate(s, t->n)) {
            return 0;
        }
    }
    return s->j->x.stop == NULL;
}

/* Puts the result of invocation i if it is the same whatever the sub-groups are: it follows from the operands of all
 * that may take part (s->p), or, of an exchange with itself, from its own. has_all: the whole work-group waits at the
 * site, on one path. false: the result depends on the sub-groups. */
static bool put_without_ids(const struct group_site *s, uint32_t i, bool has_all)
{
    uint64_t bits[4];
    enum group_answer const answer = group_answer_without_ids(&s->c, i, has_all, bits);
    if (answer != GROUP_IS) {
        return false;
    }
    bool const is_move = group_kind_of(s->c.op) == GROUP_MOVE;
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        /* an exchange gives the source's value, with all that it may be, not only its bits */
        judge_group_result(s, i)[c] =
            is_move ? copy_value(
                          s, exec_reg(&s->j->x, &s->inv[s->p.lane[i]], s->in->w[s->w.value])[c], c)
                    : (struct val){.bits = bits[c]};
    }
    return true;
}

/* Executes the instruction where the composition of the sub-groups is not known: the module does not store the ids,
 * or the stored ids contradict each other. Results that do not depend on the composition are put; each other result
 * is a value that only the device can tell. */
static int run_without_ids(struct group_site *s, const struct tangle_site *t)
{
    bool const is_one_path = take_all_waiting(s, t);
    s->p.is_known = 1;
    bool const has_all = is_one_path && t->n == s->n_items;
    bool const may_follow = s->j->groups.composition == COMPOSITION_UNTOLD &&
                            !group_is_partitioned(s->c.operation) &&
                            (has_all || !needs_all(s->c.op));
    if (may_follow && is_one_path && subgroup_is_one(s->j, s->n_items) &&
        group_is_order_free(&s->c)) {
        return put_results(
            s); /* the work-group is one sub-group, and no id has a part in the result */
    }
    if (may_follow && !group_site_gather(s)) {
        return 0;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        if (!may_follow || !put_without_ids(s, i, has_all)) {
            put_unknown(s, i, s->j->groups.lacks_ids ? UNCONFINED_NO_IDS : UNCONFINED_NONE);
        }
    }
    return s->j->x.stop == NULL;
}

int judge_group_site(struct judge *j, struct invocation *inv, uint32_t n,
                     const struct tangle_site *t)
{
    struct group_site s = {.j = j, .inv = inv, .n_items = n, .in = t->in};
    if (!group_site_describe(&s) || !group_site_allocate(&s, t->n)) {
        return 0;
    }
    if (s.c.is_workgroup) {
        return run_workgroup(&s, n, t);
    }
    bool const is_composed = subgroup_compose(j, inv, n);
    unsigned char *done = ARENA_NEW(j->a, unsigned char, n);
    if (!done) {
        return exec_stop(&j->x, "arena full");
    }
    return is_composed ? run_subgroups(&s, t, done) : run_without_ids(&s, t);
}
