/* oracle/judge_groups/judge_group.c -- the judge's side of group instructions: results from observed operands. */
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
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

enum {
    BALLOT_WORDS = 4 /* a vector of 32-bit words */
};

static void put_unknown(const struct group_site *s, uint32_t i, enum unconfined_kind why)
{
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        judge_group_result(s, i)[c] = judge_unknown(s->j, why);
    }
}

/* ---- exchanges ---- */

/* Component c of what one participant gets of v. */
static struct val move_one(const struct group_site *s, struct val v, uint32_t c)
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

/* Component values of participant i's result, from the registers of its source. */
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
            out[c] = move_one(s, exec_reg(&j->x, &s->inv[lane], s->in->w[word])[c], c);
        } else if (answer == GROUP_IS) {
            out[c] = move_one(s, (struct val){.bits = bits[c]}, c);
        } else {
            out[c] = answer == GROUP_ANYTHING ? exec_new_abstract(&j->x)
                                              : judge_unknown(j, UNCONFINED_NONE);
        }
    }
    memcpy(judge_group_result(s, i), out, sizeof *out * s->c.n_results);
}

/* ---- everything else ---- */

/* The result of a ballot for participant i, as masks: the bits that are set for sure, and the bits that may
 * be set. A bit is sure if its invocation votes yes and takes part for certain (is_known: all do). A ballot
 * in which all vote yes is kept, since the device's own answer then tells who takes part in the group
 * instructions behind it in its block (subgroup.c). */
static void put_ballot(const struct group_site *s, uint32_t i, int is_known)
{
    struct judge *j = s->j;
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
    struct val *out = judge_group_result(s, i);
    struct judge_lane *lane = &j->groups.lanes[s->p.lane[i]];
    for (uint32_t c = 0; c < BALLOT_WORDS; c++) {
        out[c] = exec_new_abstract(&j->x);
        j->x.pool[out[c].abs] = (struct abstract){
            .kind = ABSTRACT_MASK,
            .bits = may[c],
            .mask = {must[c], may[c]},
            .clause = CLAUSE_GROUP_BALLOT
        };
    }
    if (all_true) {
        memcpy(lane->ballot, out, sizeof lane->ballot);
        lane->ballot_block = v->n_blocks + 1;
    }
}

/* The result of a partition for participant i, as masks: who must and who may be of its subset. */
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
    struct val *out = judge_group_result(s, i);
    for (uint32_t c = 0; c < BALLOT_WORDS; c++) {
        out[c] = exec_new_abstract(&j->x);
        j->x.pool[out[c].abs] = (struct abstract){
            .kind = ABSTRACT_MASK,
            .bits = must[c],
            .mask = {must[c], may[c]},
            .clause = CLAUSE_GROUP_PARTITION
        };
    }
}

/* Puts the result of participant i into its registers, by the answer of the rules (enum group_answer). r:
 * rules of a float, else NULL. 0 and x->stop where the run cannot go on: the use is undefined, or the arena
 * is full. */
static int put_one(const struct group_site *s, uint32_t i, const struct rules *r)
{
    struct judge *j = s->j;
    uint64_t bits[4] = {0, 0, 0, 0};
    enum group_answer const answer = group_answer(&s->c, i, r, bits);
    if (answer == GROUP_MISUSE) {
        return exec_stop(&j->x,
                         "a group instruction whose operands are not uniform where they must be");
    }
    if (group_kind_of(s->c.op) == GROUP_MOVE) { /* has rules of its own for each answer */
        put_move(s, i, answer, bits);
        return j->x.stop == NULL;
    }
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        struct val *const out = &judge_group_result(s, i)[c];
        switch (answer) {
        case GROUP_IS: /* these bits alone are right */
            *out = (struct val){.bits = bits[c]};
            break;
        case GROUP_UNKNOWN: /* one value that only the device can tell: what is seen of it is taken */
            *out = judge_unknown(j, UNCONFINED_NONE);
            break;
        case GROUP_ANYTHING: /* undefined: any bits are right */
        case GROUP_EITHER:   /* a bool, which may be both */
            *out = exec_new_abstract(&j->x);
            break;
        case GROUP_MISUSE: /* has stopped the run */
            break;
        }
    }
    return j->x.stop == NULL;
}

/* Keeps who executed the instruction together and with which operands, first in the list of the instruction's
 * records: findings and features look it up later. 0 and x->stop: the arena is full. */
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

/* Results that follow from the operands alone, one participant after the other. */
static int put_each(const struct group_site *s, enum group_kind kind)
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

/* Puts the results of all participants (s->p) of a group instruction into their registers. A ballot can be
 * bounded also where it is not known who takes part; all else is then a value that only the device can tell.
 * Sums, products, minima and maxima of floats have sets of permitted results. 0 and x->stop: the run cannot
 * go on. */
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
        return put_each(s, kind);
    }
    return group_is_extreme(s->c.op) ? judge_group_minmax(s) : judge_group_sums(s);
}

/* Takes the operands and puts the results. */
static int put_results(struct group_site *s)
{
    policy_tell(s->j, (struct policy_site){.kind = SITE_GROUP_START, .in = s->in, .group = s});
    if (!group_site_gather(s) || !keep_record(s) || !put_gathered(s)) {
        return 0;
    }
    policy_tell(s->j, (struct policy_site){.kind = SITE_GROUP, .in = s->in, .group = s});
    return s->j->x.stop == NULL;
}

/* Takes the participants' partition, [n * BALLOT_WORDS] into `ballot`: bits of those who take part alone. false: it is
 * not known, or is none: a participant is not of its own subset, or two of one subset have others. */
static bool take_partition(const struct group_site *s, uint64_t *ballot)
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
        is_valid &= own[s->p.index[i] / 32 % BALLOT_WORDS] >> s->p.index[i] % 32 & 1;
    }
    for (uint32_t i = 0; is_valid && i < s->p.n; i++) {
        const uint64_t *const own = &ballot[(size_t)i * BALLOT_WORDS];
        for (uint32_t k = 0; k < s->p.n; k++) {
            bool const is_mine = own[s->p.index[k] / 32 % BALLOT_WORDS] >> s->p.index[k] % 32 & 1;
            const uint64_t *const other = &ballot[(size_t)k * BALLOT_WORDS];
            is_valid &= !is_mine || memcmp(own, other, sizeof *own * BALLOT_WORDS) == 0;
        }
    }
    return is_valid;
}

/* An operation on the subsets of a partition: those of each execute it as if nobody else were there. Where it is no
 * partition, or not known to be one, each result may be anything. */
static int put_subsets(struct group_site *s)
{
    struct judge *j = s->j;
    uint32_t const n = s->p.n;
    uint64_t *ballot = ARENA_NEW(j->a, uint64_t, (size_t)n * BALLOT_WORDS);
    if (!ballot) {
        return exec_stop(&j->x, "arena full");
    }
    bool const is_known = s->p.is_known && take_partition(s, ballot);
    for (uint32_t first = 0; first < n; first++) {
        const uint64_t *const own = &ballot[(size_t)first * BALLOT_WORDS];
        struct group_site sub = *s;
        if (!is_known) {
            put_unknown(s, first, s->p.is_known ? UNCONFINED_NONE : UNCONFINED_NO_PARTICIPANTS);
            continue;
        }
        sub.c.operation = group_operation_within(s->c.operation);
        sub.c.is_partitioned = true;
        sub.p.n = 0;
        if (!group_site_allocate(&sub, n)) {
            return 0;
        }
        bool is_lowest = true;
        for (uint32_t k = 0; k < n; k++) {
            if (memcmp(own, &ballot[(size_t)k * BALLOT_WORDS], sizeof *own * BALLOT_WORDS) == 0) {
                is_lowest &= k >= first;
                sub.p.lane[sub.p.n] = s->p.lane[k];
                sub.p.index[sub.p.n++] = s->p.index[k];
            }
        }
        if (is_lowest && !put_results(&sub)) {
            return 0;
        }
    }
    return j->x.stop == NULL;
}

/* Must every invocation of the sub-group come here? */
static int is_for_all(uint32_t op)
{
    return (op >= SpvOpGroupAll && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupIMulKHR && op <= SpvOpGroupLogicalXorKHR);
}

/* Of the work-group all, or for AMD's instructions in divergent control flow those on one path. */
static int run_workgroup(struct group_site *s, uint32_t n, const struct tangle_site *t)
{
    int is_one = 1;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t const lane = t->lane[i];
        is_one &= tangle_must(&s->inv[lane], &s->inv[t->lane[0]]);
        s->p.lane[i] = lane;
        s->p.index[i] = s->inv[lane].local_index;
    }
    if (is_for_all(s->c.op) && (t->n != n || !is_one)) {
        return exec_stop(&s->j->x, "a group instruction that not every invocation comes to");
    }
    s->p.n = t->n;
    s->p.size = n;
    s->p.is_known = is_one;
    s->p.is_partial = t->n < n;
    return put_results(s);
}

/* The sub-group of lane `first`, or those of it who are on one path; each is then marked in `done`. */
static int run_subgroup(struct group_site *s, const struct tangle_site *t, uint32_t first,
                        unsigned char *done)
{
    subgroup_participants(s->j, s->inv, s->n_items, t, first, &s->p);
    if (is_for_all(s->c.op) && s->p.is_partial) {
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

/* One sub-group of the site after the other. `done`: zeros, per invocation of the work-group. */
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
        /* The arrays stay with the record. New ones have room for all until a ballot leaves some out. */
        if (n_left > 0 && !group_site_allocate(s, t->n)) {
            return 0;
        }
    }
    return s->j->x.stop == NULL;
}

/* Puts what i's result is whoever else takes part, of all that may (s->p): what follows of the operands of all of them, or,
 * of an exchange with itself, of its own. has_all: the whole work-group is there, on one path. false: it does not follow. */
static bool put_confined(const struct group_site *s, uint32_t i, bool has_all)
{
    uint64_t bits[4];
    enum group_answer const answer = group_answer_without_ids(&s->c, i, has_all, bits);
    if (answer != GROUP_IS) {
        return false;
    }
    bool const is_move = group_kind_of(s->c.op) == GROUP_MOVE;
    for (uint32_t c = 0; c < s->c.n_results; c++) {
        /* an exchange gives the very value, with what is doubtful about it */
        judge_group_result(s, i)[c] =
            is_move
                ? move_one(s, exec_reg(&s->j->x, &s->inv[s->p.lane[i]], s->in->w[s->w.value])[c], c)
                : (struct val){.bits = bits[c]};
    }
    return true;
}

/* Nobody knows who forms a sub-group with whom, as the module does not store the ids, or stored some that contradict each
 * other. Results that follow all the same are put; each other is a value that only the device can tell. */
static int run_uncomposed(struct group_site *s, const struct tangle_site *t)
{
    bool is_one = true; /* are all on one path? */
    for (uint32_t i = 0; i < t->n; i++) {
        is_one &= tangle_must(&s->inv[t->lane[i]], &s->inv[t->lane[0]]) != 0;
        s->p.lane[i] = t->lane[i];
        s->p.index[i] = s->inv[t->lane[i]].local_index;
    }
    s->p.n = t->n;
    s->p.size = s->n_items;
    s->p.is_known = 1;
    s->p.is_partial = t->n < s->n_items;
    bool const has_all = is_one && t->n == s->n_items;
    bool const is_told = s->j->groups.composition == COMPOSITION_UNTOLD &&
                         !group_is_partitioned(s->c.operation) && (has_all || !is_for_all(s->c.op));
    if (is_told && is_one && subgroup_is_one(s->j, s->n_items) && group_is_order_free(&s->c)) {
        return put_results(s);
    }
    if (is_told && !group_site_gather(s)) {
        return 0;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        if (!is_told || !put_confined(s, i, has_all)) {
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
    return is_composed ? run_subgroups(&s, t, done) : run_uncomposed(&s, t);
}
