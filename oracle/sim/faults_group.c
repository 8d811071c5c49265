/* oracle/sim/faults_group.c -- planted faults of group instructions: where they can act, and those that
 * take other participants or another instruction. */
#include "oracle/sim/faults_parts.h"

#include <string.h>

#include "base/ops.h"

static unsigned move_bit(uint32_t op)
{
    switch (op) {
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformBroadcastFirst:
        return FAULT_BROADCAST;
    case SpvOpGroupNonUniformShuffle:
        return FAULT_SHUFFLE;
    case SpvOpGroupNonUniformShuffleXor:
        return FAULT_XOR;
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
        return FAULT_RELATIVE;
    case SpvOpGroupNonUniformRotateKHR:
        return FAULT_ROTATE;
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
        return FAULT_QUAD;
    case OP_NUMBER(OP_SET_amd_ballot, 1):
        return FAULT_SWIZZLE;
    case OP_NUMBER(OP_SET_amd_ballot, 2):
        return FAULT_MASKED;
    case OP_NUMBER(OP_SET_amd_ballot, 3):
        return FAULT_WRITE;
    default:
        return 0;
    }
}

static unsigned ballot_bit(uint32_t op)
{
    switch (op) {
    case SpvOpGroupNonUniformBallotBitCount:
        return FAULT_COUNT;
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        return FAULT_FIND;
    case SpvOpGroupNonUniformBallotBitExtract:
        return FAULT_EXTRACT;
    default: /* InverseBallot */
        return 0;
    }
}

int fault_is_extreme(uint32_t op)
{
    switch (op) {
    case SpvOpGroupFMin:
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFMinNonUniformAMD:
    case SpvOpGroupFMaxNonUniformAMD:
        return 1;
    default:
        return 0;
    }
}

static unsigned op_bit(const struct group_call *c)
{
    switch (group_kind_of(c->op)) {
    case GROUP_ARITH:
        return c->fmt < 0 ? FAULT_WHOLES : fault_is_extreme(c->op) ? FAULT_EXTREMES : FAULT_SUMS;
    case GROUP_VOTE:
        return FAULT_VOTES;
    case GROUP_ALL_EQUAL:
        return FAULT_EQUAL;
    case GROUP_ELECT:
        return FAULT_ELECT;
    case GROUP_BALLOT:
        return FAULT_BALLOT;
    case GROUP_OF_BALLOT:
        return ballot_bit(c->op);
    case GROUP_MOVE:
        return move_bit(c->op);
    case GROUP_MBCNT:
        return FAULT_MBCNT;
    case GROUP_NONE:
        break;
    }
    return 0;
}

static int is_scan(const struct group_call *c)
{
    return c->operation == SpvGroupOperationInclusiveScan ||
           c->operation == SpvGroupOperationExclusiveScan;
}

/* Is the site where the column says? Columns of atomics are not asked. */
static int is_there(unsigned where, const struct fault_group_site *s)
{
    const struct group_call *c = s->call;
    int const is_reduce =
        c->operation == SpvGroupOperationReduce || c->operation == SpvGroupOperationClusteredReduce;
    uint32_t const n_places = c->is_kernel ? c->max_size : c->size;
    return !((where & FAULT_SECOND_GROUP) && s->group == 0) &&
           !((where & FAULT_REDUCE) && !is_reduce) && !((where & FAULT_SCAN) && !is_scan(c)) &&
           !((where & FAULT_INCLUSIVE) && c->operation != SpvGroupOperationInclusiveScan) &&
           !((where & FAULT_EXCLUSIVE) && c->operation != SpvGroupOperationExclusiveScan) &&
           !((where & FAULT_CLUSTERED) && c->cluster == 0) &&
           !((where & FAULT_PARTIAL) && s->n_mates == 0) &&
           !((where & FAULT_SUBGROUP) && c->is_workgroup) &&
           !((where & FAULT_WORKGROUP) && !c->is_workgroup) &&
           !((where & FAULT_ELSE) && !s->is_else) &&
           !((where & FAULT_CUT) && c->n + s->n_mates >= n_places);
}

int fault_is_of_groups(enum fault_id id)
{
    unsigned const ops = fault_details[id].ops;
    return ops >= (unsigned)FAULT_SUMS && ops < (unsigned)FAULT_FUNC;
}

int fault_fits_group(enum fault_id id, const struct fault_group_site *s)
{
    const struct fault_detail *d = &fault_details[id];
    const struct group_call *c = s->call;
    unsigned const op = op_bit(c);
    unsigned const type = c->fmt >= 0      ? 1U << c->fmt
                          : c->n_bits <= 1 ? (unsigned)FAULT_BOOL
                                           : (unsigned)FAULT_INTEGER;
    return (d->ops & op) && (d->types & type) && is_there(d->where, s);
}

/* One who takes part in the changed call. */
struct entry {
    uint32_t index, who; /* who: participant of the honest call, or UINT32_MAX */
    const uint64_t *value;
};
struct entries {
    struct entry *e;
    uint32_t n;
};

static void add_entry(struct entries *list, struct entry one)
{
    uint32_t at = list->n++;
    for (; at > 0 && list->e[at - 1].index > one.index; at--) {
        list->e[at] = list->e[at - 1];
    }
    list->e[at] = one;
}

static const uint64_t *value_of(const struct group_call *c, uint32_t i)
{
    return &c->value[(size_t)i * c->n_components];
}

static void add_participants(struct entries *list, const struct group_call *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        add_entry(list, (struct entry){c->index[i], i, value_of(c, i)});
    }
}

/* An operand that says something: a register that was never written holds 0. */
static const uint64_t *value_of_other(const struct fault_group_site *s, uint32_t i)
{
    const uint64_t *v = &s->other_value[(size_t)i * s->call->n_components];
    return *v ? v : value_of(s->call, 0);
}

/* Places of the sub-group that no invocation has, with random values (no NaN). */
static int add_places(struct entries *list, const struct fault_group_site *s, struct rng *r,
                      struct arena *a)
{
    const struct group_call *c = s->call;
    uint32_t const n_places = c->is_kernel ? c->max_size : c->size;
    for (uint32_t place = 0; place < n_places; place++) {
        int is_taken = 0;
        for (uint32_t i = 0; i < c->n; i++) {
            is_taken |= c->index[i] == place;
        }
        for (uint32_t i = 0; i < s->n_mates; i++) {
            is_taken |= s->other_index[i] == place;
        }
        if (is_taken) {
            continue;
        }
        uint64_t *v = ARENA_NEW(a, uint64_t, c->n_components);
        for (uint32_t k = 0; v && k < c->n_components; k++) {
            v[k] = rng_next(r) >> (64 - c->n_bits);
            v[k] &= c->fmt < 0 ? UINT64_MAX : ~(float_formats[c->fmt].exp / 2);
        }
        if (!v) {
            return 0;
        }
        add_entry(list, (struct entry){place, UINT32_MAX, v});
    }
    return 1;
}

/* All take part, but the value of `one` is another: its negation, or that of the next. */
static int add_changed(enum fault_id id, const struct fault_group_site *s, uint32_t one,
                       struct arena *a, struct entries *list)
{
    const struct group_call *c = s->call;
    uint64_t *v = arena_copy(a, value_of(c, id == FAULT_LANE_OF_OTHER ? (one + 1) % c->n : one),
                             sizeof *v * c->n_components);
    for (uint32_t k = 0; v && id == FAULT_LANE_NEGATED && k < c->n_components; k++) {
        v[k] ^= float_formats[c->fmt].sign;
    }
    for (uint32_t i = 0; v && i < c->n; i++) {
        add_entry(list, (struct entry){c->index[i], i, i == one ? v : value_of(c, i)});
    }
    return v != NULL;
}

/* Who takes part instead. 0: the fault is not one of these, or changes nothing here. */
static int list_entries(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                        struct arena *a, struct entries *list)
{
    const struct group_call *c = s->call;
    uint32_t const one = (uint32_t)rng_below(r, c->n);
    switch ((int)id) {
    case FAULT_LANE_OMITTED:
        add_participants(list, c, c->n - 1);
        return c->n > 1;
    case FAULT_LANE_DOUBLED:
        add_participants(list, c, c->n);
        add_entry(list, (struct entry){c->index[one], UINT32_MAX, value_of(c, one)});
        return 1;
    case FAULT_LANE_NEGATED:
    case FAULT_LANE_OF_OTHER:
        return add_changed(id, s, one, a, list);
    case FAULT_INACTIVE_COUNTED:
    case FAULT_BALLOT_INACTIVE:
        add_participants(list, c, c->n);
        for (uint32_t i = 0; i < s->n_mates; i++) {
            add_entry(list, (struct entry){s->other_index[i], UINT32_MAX, value_of_other(s, i)});
        }
        return 1;
    case FAULT_OVER_THE_WORKGROUP:
        add_participants(list, c, c->n);
        for (uint32_t i = s->n_mates; i < s->n_others; i++) {
            add_entry(list, (struct entry){c->size + i, UINT32_MAX, value_of_other(s, i)});
        }
        return s->n_others > s->n_mates;
    case FAULT_PAST_THE_END:
        add_participants(list, c, c->n);
        return add_places(list, s, r, a);
    case FAULT_OVER_THE_SUBGROUP:
        for (uint32_t i = 0; i < c->n; i++) {
            if (s->subgroup[i] == s->subgroup[one]) {
                add_entry(list, (struct entry){c->index[i], i, value_of(c, i)});
            }
        }
        return list->n < c->n;
    case FAULT_ELSE_USES_THEN:
        for (uint32_t i = 0; i < s->n_mates; i++) {
            add_entry(list, (struct entry){s->other_index[i], UINT32_MAX, value_of_other(s, i)});
        }
        return !is_scan(c) && c->cluster == 0;
    case FAULT_SCAN_REVERSED:
    case FAULT_SUM_OTHER_ORDER:
    case FAULT_SUMS_DIFFER:
        for (uint32_t i = 0; i < c->n; i++) {
            add_entry(list, (struct entry){c->index[i], c->n - 1 - i, value_of(c, c->n - 1 - i)});
        }
        return id == FAULT_SCAN_REVERSED || c->operation == SpvGroupOperationReduce;
    default:
        return 0;
    }
}

/* The changed call's operands, and whose result each gets. */
static enum group_change set_entries(enum fault_id id, const struct fault_group_site *s,
                                     const struct entries *list, struct rng *r, struct arena *a,
                                     struct group_effect *effect)
{
    struct group_call *c = &effect->call;
    uint32_t *index = ARENA_NEW(a, uint32_t, list->n);
    uint64_t *value = ARENA_NEW(a, uint64_t, (size_t)list->n * c->n_components);
    if (!index || !value) {
        return GROUP_CHANGES_NOTHING;
    }
    for (uint32_t i = 0; i < s->call->n; i++) {
        effect->from[i] = id == FAULT_ELSE_USES_THEN ? 0 : UINT32_MAX;
    }
    for (uint32_t i = 0; i < list->n; i++) {
        index[i] = list->e[i].index;
        memcpy(&value[(size_t)i * c->n_components], list->e[i].value,
               sizeof *value * c->n_components);
        if (list->e[i].who != UINT32_MAX) {
            effect->from[list->e[i].who] = i;
        }
    }
    uint32_t const lucky = (uint32_t)rng_below(r, s->call->n);
    for (uint32_t i = 0; id == FAULT_SUMS_DIFFER && i < s->call->n; i++) {
        effect->from[i] = i == lucky ? 0 : UINT32_MAX;
    }
    c->n = list->n;
    c->index = index;
    c->value = value;
    c->size = c->size > c->max_size ? c->size : c->max_size; /* places past the end count too */
    return GROUP_CHANGES_CALL;
}

static uint32_t other_op(enum fault_id id, uint32_t op)
{
    static const struct {
        enum fault_id id;
        uint32_t a, b;
    } pairs[] = {
        {FAULT_VOTES_SWAPPED,   SpvOpGroupAll,                     SpvOpGroupAny                  },
        {FAULT_VOTES_SWAPPED,   SpvOpGroupNonUniformAll,           SpvOpGroupNonUniformAny        },
        {FAULT_UP_DOWN_SWAPPED, SpvOpGroupNonUniformShuffleUp,     SpvOpGroupNonUniformShuffleDown},
        {FAULT_FIND_OTHER_END,  SpvOpGroupNonUniformBallotFindLSB,
         SpvOpGroupNonUniformBallotFindMSB                                                        },
        {FAULT_SIGN_IGNORED,    SpvOpGroupUMin,                    SpvOpGroupSMin                 },
        {FAULT_SIGN_IGNORED,    SpvOpGroupUMax,                    SpvOpGroupSMax                 },
        {FAULT_SIGN_IGNORED,    SpvOpGroupNonUniformUMin,          SpvOpGroupNonUniformSMin       },
        {FAULT_SIGN_IGNORED,    SpvOpGroupNonUniformUMax,          SpvOpGroupNonUniformSMax       },
        {FAULT_SIGN_IGNORED,    SpvOpGroupUMinNonUniformAMD,       SpvOpGroupSMinNonUniformAMD    },
        {FAULT_SIGN_IGNORED,    SpvOpGroupUMaxNonUniformAMD,       SpvOpGroupSMaxNonUniformAMD    },
    };
    for (size_t i = 0; i < ARRAY_N(pairs); i++) {
        if (pairs[i].id == id && (pairs[i].a == op || pairs[i].b == op)) {
            return pairs[i].a == op ? pairs[i].b : pairs[i].a;
        }
    }
    return op;
}

/* What a fault makes of an id, delta, mask, index or direction. */
static uint64_t other_second(enum fault_id id, const struct group_call *c, uint64_t second)
{
    switch ((int)id) {
    case FAULT_XOR_TRUNCATED:
        return second & 3;
    case FAULT_ROTATE_ONE_MORE:
    case FAULT_EXTRACT_NEXT:
        return second + 1;
    case FAULT_WRITE_NEXT_LANE:
        return (second + 1) % c->size;
    case FAULT_QUAD_AXES_SWAPPED:
        return c->op == SpvOpGroupNonUniformQuadBroadcast ? second ^ 1 : second == 0;
    default:
        return second;
    }
}

/* Another instruction, operation or second operand. */
static enum group_change change_call(enum fault_id id, const struct fault_group_site *s,
                                     struct arena *a, struct group_effect *effect)
{
    struct group_call *c = &effect->call;
    int is_changed = 0;
    c->op = other_op(id, c->op);
    is_changed = c->op != s->call->op;
    if (id == FAULT_EXCLUSIVE_IS_INCLUSIVE) {
        c->operation = SpvGroupOperationInclusiveScan;
    } else if (id == FAULT_INCLUSIVE_IS_EXCLUSIVE) {
        c->operation = SpvGroupOperationExclusiveScan;
    } else if (id == FAULT_COUNT_OF_ALL || id == FAULT_SCAN_IS_REDUCE) {
        c->operation = SpvGroupOperationReduce;
    } else if (id == FAULT_CLUSTER_IGNORED) {
        is_changed = 1;
        c->cluster = 0;
        c->operation = c->operation == SpvGroupOperationClusteredReduce ? SpvGroupOperationReduce
                                                                        : c->operation;
    }
    uint64_t *second = c->second ? ARENA_NEW(a, uint64_t, c->n) : NULL;
    for (uint32_t i = 0; second && i < c->n; i++) {
        second[i] = other_second(id, c, c->second[i]);
        is_changed |= second[i] != c->second[i];
    }
    c->second = second ? second : c->second;
    return is_changed || c->operation != s->call->operation ? GROUP_CHANGES_CALL
                                                            : GROUP_CHANGES_NOTHING;
}

enum group_change fault_change_group(enum fault_id id, const struct fault_group_site *s,
                                     struct rng *r, struct arena *a, struct group_effect *effect)
{
    uint32_t const n_most = s->call->n + s->n_others + CASE_MAX_SUBGROUP;
    struct entries list = {.e = ARENA_NEW(a, struct entry, n_most)};
    effect->call = *s->call;
    effect->from = ARENA_NEW(a, uint32_t, s->call->n);
    if (!list.e || !effect->from) {
        return GROUP_CHANGES_NOTHING;
    }
    for (uint32_t i = 0; i < s->call->n; i++) {
        effect->from[i] = i;
    }
    if (s->call->value && list_entries(id, s, r, a, &list)) {
        return set_entries(id, s, &list, r, a, effect);
    }
    enum group_change const change = change_call(id, s, a, effect);
    if (change != GROUP_CHANGES_NOTHING) {
        return change;
    }
    return fault_change_results(id, s, r, effect->result) ? GROUP_CHANGES_RESULTS
                                                          : GROUP_CHANGES_NOTHING;
}
