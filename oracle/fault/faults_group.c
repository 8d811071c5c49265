/* oracle/fault/faults_group.c -- planted faults of group instructions: where they can act, those that take
 * other participants or another instruction, and those that return other results. */
#include "oracle/fault/faults_group.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/fault/faults_group_bug.h"
#include "oracle/group/group_move.h"
#include "oracle/interp/group_kind.h"

enum { /* of the extended set */
    AMD_SWIZZLE = OP_NUMBER(OP_SET_amd_ballot, 1),
    AMD_SWIZZLE_MASKED = OP_NUMBER(OP_SET_amd_ballot, 2),
    AMD_WRITE = OP_NUMBER(OP_SET_amd_ballot, 3)
};

bool fault_is_scan(const struct group_call *c)
{
    return c->operation == SpvGroupOperationInclusiveScan ||
           c->operation == SpvGroupOperationExclusiveScan;
}

static unsigned bit_of_reduction(const struct group_call *c)
{
    if (c->fmt < 0) {
        return ON_WHOLES;
    }
    return group_is_extreme(c->op) ? ON_EXTREMES : ON_SUMS;
}

/* Returns the bit of enum fault_ops for a group instruction that moves values between invocations
 * or works on a ballot; 0 for any other instruction. */
static unsigned bit_of_op(uint32_t op)
{
    static const struct {
        uint32_t op;
        unsigned bit;
    } rows[] = {
        {SpvOpGroupBroadcast,                  ON_BROADCAST},
        {SpvOpGroupNonUniformBroadcast,        ON_BROADCAST},
        {SpvOpGroupNonUniformBroadcastFirst,   ON_BROADCAST},
        {SpvOpGroupNonUniformShuffle,          ON_SHUFFLE  },
        {SpvOpGroupNonUniformShuffleXor,       ON_XOR      },
        {SpvOpGroupNonUniformShuffleUp,        ON_RELATIVE },
        {SpvOpGroupNonUniformShuffleDown,      ON_RELATIVE },
        {SpvOpSubgroupShuffleINTEL,            ON_SHUFFLE  },
        {SpvOpSubgroupShuffleXorINTEL,         ON_XOR      },
        {SpvOpSubgroupShuffleUpINTEL,          ON_RELATIVE },
        {SpvOpSubgroupShuffleDownINTEL,        ON_RELATIVE },
        {SpvOpGroupNonUniformRotateKHR,        ON_ROTATE   },
        {SpvOpGroupNonUniformQuadBroadcast,    ON_QUAD     },
        {SpvOpGroupNonUniformQuadSwap,         ON_QUAD     },
        {AMD_SWIZZLE,                          ON_SWIZZLE  },
        {AMD_SWIZZLE_MASKED,                   ON_MASKED   },
        {AMD_WRITE,                            ON_WRITE    },
        {SpvOpGroupNonUniformBallotBitCount,   ON_COUNT    },
        {SpvOpGroupNonUniformBallotFindLSB,    ON_FIND     },
        {SpvOpGroupNonUniformBallotFindMSB,    ON_FIND     },
        {SpvOpGroupNonUniformBallotBitExtract, ON_EXTRACT  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op) {
            return rows[i].bit;
        }
    }
    return 0;
}

/* The bit of enum fault_ops under which a group instruction stands in faults.def; 0: no fault is about it. */
static unsigned bit_of(const struct group_call *c)
{
    switch (group_kind_of(c->op)) {
    case GROUP_ARITH:
        return bit_of_reduction(c);
    case GROUP_VOTE:
        return ON_VOTES;
    case GROUP_ALL_EQUAL:
        return ON_EQUAL;
    case GROUP_ELECT:
        return ON_ELECT;
    case GROUP_BALLOT:
    case GROUP_PARTITION:
        return ON_BALLOT;
    case GROUP_OF_BALLOT:
    case GROUP_MOVE:
        return bit_of_op(c->op);
    case GROUP_MBCNT:
        return ON_MBCNT;
    case GROUP_NONE:
        break;
    }
    return 0;
}

/* Returns the flags of enum fault_where that the site does not satisfy. Flags that are about
 * atomics are never returned. */
static unsigned list_missing(const struct fault_group_site *s)
{
    const struct group_call *c = s->call;
    bool const is_reduce =
        c->operation == SpvGroupOperationReduce || c->operation == SpvGroupOperationClusteredReduce;
    uint32_t const n_places = c->is_kernel ? c->max_size : c->size;
    unsigned missing = 0;
    missing |= s->group == 0 ? AT_SECOND_GROUP : 0;
    missing |= !is_reduce ? AT_REDUCE : 0;
    missing |= !fault_is_scan(c) ? AT_SCAN : 0;
    missing |= c->operation != SpvGroupOperationInclusiveScan ? AT_INCLUSIVE : 0;
    missing |= c->operation != SpvGroupOperationExclusiveScan ? AT_EXCLUSIVE : 0;
    missing |= c->cluster == 0 ? AT_CLUSTERED : 0;
    missing |= !c->is_partitioned ? AT_PARTITIONED : 0;
    missing |= group_kind_of(c->op) != GROUP_PARTITION ? AT_PARTITION : 0;
    missing |= s->n_mates == 0 ? AT_PARTIAL : 0;
    missing |= c->is_workgroup ? AT_SUBGROUP : AT_WORKGROUP;
    missing |= !s->is_else ? AT_ELSE : 0;
    missing |= !s->is_branched ? AT_BRANCHED : 0;
    missing |= c->n + s->n_mates >= n_places ? AT_CUT : 0;
    return missing;
}

static unsigned type_of(const struct group_call *c)
{
    if (c->fmt >= 0) {
        return 1U << c->fmt;
    }
    return c->n_bits <= 1 ? OF_BOOL : OF_INTEGER;
}

bool fault_fits_group(enum fault_id id, const struct fault_group_site *s)
{
    const struct fault_row *row = &fault_rows[id];
    return (row->ops & bit_of(s->call)) && (row->types & type_of(s->call)) &&
           !(row->where & list_missing(s));
}

/* --- faults that take other participants --- */

#define NOBODY UINT32_MAX

bool fault_chooses_one(enum fault_id id)
{
    return id == FAULT_LANE_DOUBLED || id == FAULT_LANE_NEGATED || id == FAULT_LANE_OF_OTHER ||
           id == FAULT_OVER_THE_SUBGROUP || id == FAULT_ONE_LANE_DIFFERS || id == FAULT_ELECT_TWO ||
           id == FAULT_PARTITION_SPLIT || id == FAULT_SUMS_DIFFER;
}

bool fault_takes_chance(enum fault_id id)
{
    return id == FAULT_PAST_THE_END;
}

static uint32_t choose_one(const struct fault_group_site *s, struct rng *r)
{
    uint32_t const drawn = (uint32_t)rng_below(r, s->call->n);
    return s->is_chosen ? s->chosen % s->call->n : drawn;
}

/* One who takes part in the changed call. */
struct entry {
    uint32_t index, who; /* who: participant of the honest call, or NOBODY */
    const uint64_t *value;
};
struct entries {
    struct entry *e;
    uint32_t n;
};

/* Entries stay sorted by index. */
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

/* The first n of those who take part. */
static void add_participants(struct entries *list, const struct group_call *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        add_entry(list, (struct entry){c->index[i], i, value_of(c, i)});
    }
}

/* Returns the operand of a non-participant. A register that was never written holds 0, which would
 * hide the fault; then the operand of the first participant stands in. */
static const uint64_t *value_of_other(const struct fault_group_site *s, uint32_t i)
{
    const uint64_t *v = &s->other_value[(size_t)i * s->call->n_components];
    return *v ? v : value_of(s->call, 0);
}

/* Those of the sub-group who do not take part. */
static void add_mates(struct entries *list, const struct fault_group_site *s)
{
    for (uint32_t i = 0; i < s->n_mates; i++) {
        add_entry(list, (struct entry){s->other_index[i], NOBODY, value_of_other(s, i)});
    }
}

static bool is_place_taken(const struct fault_group_site *s, uint32_t place)
{
    for (uint32_t i = 0; i < s->call->n; i++) {
        if (s->call->index[i] == place) {
            return true;
        }
    }
    for (uint32_t i = 0; i < s->n_mates; i++) {
        if (s->other_index[i] == place) {
            return true;
        }
    }
    return false;
}

/* Adds the lanes of the sub-group that no invocation occupies, with random values, as if they took part. false: the
 * arena is full. In a kernel a sub-group may have more lanes (max_size) than its size tells. */
static bool add_places(struct entries *list, const struct fault_group_site *s, struct rng *r,
                       struct arena *a)
{
    const struct group_call *c = s->call;
    uint32_t const n_places = c->is_kernel ? c->max_size : c->size;
    for (uint32_t place = 0; place < n_places; place++) {
        if (is_place_taken(s, place)) {
            continue;
        }
        uint64_t *v = ARENA_NEW(a, uint64_t, c->n_components);
        if (!v) {
            return false;
        }
        for (uint32_t k = 0; k < c->n_components; k++) {
            v[k] = rng_next(r) >> (64 - c->n_bits);
            if (c->fmt >= 0) { /* all bits of the exponent but the first are cleared: no NaN */
                v[k] &= ~(float_formats[c->fmt].exp / 2);
            }
        }
        add_entry(list, (struct entry){place, NOBODY, v});
    }
    return true;
}

/* All take part, but the value of `one` is another: its negation, or that of the next. */
static bool add_changed(enum fault_id id, const struct fault_group_site *s, uint32_t one,
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

/* Lists the participants of the group instruction under the fault: the index and operand of each,
 * and in `who` the participant of the correct call that gets its result (NOBODY: no one). "Mates"
 * are the members of the sub-group that do not take part in the correct call. Returns false where
 * the fault does not change the participants, or makes no difference here. */
static bool list_entries(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                         struct arena *a, struct entries *list)
{
    const struct group_call *c = s->call;
    uint32_t const one = choose_one(s, r);
    switch ((int)id) {
    case FAULT_LANE_OMITTED:
        add_participants(list, c, c->n - 1);
        return c->n > 1;
    case FAULT_LANE_DOUBLED:
        add_participants(list, c, c->n);
        add_entry(list, (struct entry){c->index[one], NOBODY, value_of(c, one)});
        return true;
    case FAULT_LANE_NEGATED:
    case FAULT_LANE_OF_OTHER:
        return add_changed(id, s, one, a, list);
    case FAULT_INACTIVE_COUNTED:
    case FAULT_INACTIVE_IN_SUM:
    case FAULT_PARTITION_IGNORED:
    case FAULT_BALLOT_INACTIVE:
        add_participants(list, c, c->n);
        add_mates(list, s);
        return true;
    case FAULT_OVER_THE_WORKGROUP:
        add_participants(list, c, c->n);
        /* those of other sub-groups, as if they had the lanes after the last */
        for (uint32_t i = s->n_mates; i < s->n_others; i++) {
            add_entry(list, (struct entry){c->size + i, NOBODY, value_of_other(s, i)});
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
    case FAULT_ELSE_USES_THEN: /* one result for all, which a scan or a clustered reduction does not have */
        add_mates(list, s);
        return !fault_is_scan(c) && c->cluster == 0;
    case FAULT_SCAN_REVERSED:
    case FAULT_SUM_OTHER_ORDER:
    case FAULT_SUMS_DIFFER: /* from the last participant down */
        for (uint32_t i = 0; i < c->n; i++) {
            add_entry(list, (struct entry){c->index[i], c->n - 1 - i, value_of(c, c->n - 1 - i)});
        }
        /* the faults of order are about reductions, of which only the order of additions changes */
        return id == FAULT_SCAN_REVERSED || c->operation == SpvGroupOperationReduce;
    default:
        return false;
    }
}

/* Writes the listed participants into effect->call. effect->from[i] becomes the list index of the
 * result that participant i of the correct call gets; with NOBODY it keeps its correct result.
 * Under ELSE_USES_THEN all get the result of the first invocation on the "then" side. Under
 * SUMS_DIFFER only one participant, drawn at random, gets the other sum. */
static enum group_change set_entries(enum fault_id id, const struct fault_group_site *s,
                                     const struct entries *list, struct rng *r, struct arena *a,
                                     struct group_effect *effect)
{
    struct group_call *c = &effect->call;
    uint32_t const n_bytes_each = (uint32_t)sizeof *c->value * c->n_components;
    uint32_t *index = ARENA_NEW(a, uint32_t, list->n);
    uint64_t *value = ARENA_NEW(a, uint64_t, (size_t)list->n * c->n_components);
    if (!index || !value) {
        return GROUP_CHANGES_NOTHING;
    }
    for (uint32_t i = 0; i < s->call->n; i++) {
        effect->from[i] = id == FAULT_ELSE_USES_THEN ? 0 : NOBODY;
    }
    for (uint32_t i = 0; i < list->n; i++) {
        const struct entry *e = &list->e[i];
        index[i] = e->index;
        memcpy(&value[(size_t)i * c->n_components], e->value, n_bytes_each);
        if (e->who != NOBODY) {
            effect->from[e->who] = i;
        }
    }
    uint32_t const only = choose_one(s, r);
    for (uint32_t i = 0; id == FAULT_SUMS_DIFFER && i < s->call->n; i++) {
        effect->from[i] = i == only ? 0 : NOBODY;
    }
    c->n = list->n;
    c->index = index;
    c->value = value;
    c->size = c->size > c->max_size ? c->size : c->max_size; /* lanes past the end count too */
    return GROUP_CHANGES_CALL;
}

/* --- faults that execute another instruction --- */

/* Returns the instruction that a device with the fault executes in place of `op`, or `op` itself
 * if the fault does not confuse that instruction. */
static uint32_t other_op(enum fault_id id, uint32_t op)
{
    static const struct {
        enum fault_id id;
        uint32_t a, b; /* each taken for the other */
    } pairs[] = {
        {FAULT_VOTES_SWAPPED,   SpvOpGroupAll,                     SpvOpGroupAny                  },
        {FAULT_VOTES_SWAPPED,   SpvOpGroupNonUniformAll,           SpvOpGroupNonUniformAny        },
        {FAULT_VOTES_SWAPPED,   SPV_OP_QUAD_ALL_KHR,               SPV_OP_QUAD_ANY_KHR            },
        {FAULT_QUAD_VOTE_WIDE,  SPV_OP_QUAD_ALL_KHR,               SpvOpGroupNonUniformAll        },
        {FAULT_QUAD_VOTE_WIDE,  SPV_OP_QUAD_ANY_KHR,               SpvOpGroupNonUniformAny        },
        {FAULT_UP_DOWN_SWAPPED, SpvOpGroupNonUniformShuffleUp,     SpvOpGroupNonUniformShuffleDown},
        {FAULT_UP_DOWN_SWAPPED, SpvOpSubgroupShuffleUpINTEL,       SpvOpSubgroupShuffleDownINTEL  },
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
        if (pairs[i].id == id && pairs[i].a == op) {
            return pairs[i].b;
        }
        if (pairs[i].id == id && pairs[i].b == op) {
            return pairs[i].a;
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

static uint32_t other_operation(enum fault_id id, uint32_t operation)
{
    switch ((int)id) {
    case FAULT_EXCLUSIVE_IS_INCLUSIVE:
        return SpvGroupOperationInclusiveScan;
    case FAULT_INCLUSIVE_IS_EXCLUSIVE:
        return SpvGroupOperationExclusiveScan;
    case FAULT_COUNT_OF_ALL:
    case FAULT_SCAN_IS_REDUCE:
        return SpvGroupOperationReduce;
    case FAULT_CLUSTER_IGNORED:
        return operation == SpvGroupOperationClusteredReduce ? SpvGroupOperationReduce : operation;
    default:
        return operation;
    }
}

/* Replaces the instruction, its operation or its second operand. */
static enum group_change change_call(enum fault_id id, const struct fault_group_site *s,
                                     struct arena *a, struct group_effect *effect)
{
    struct group_call *c = &effect->call;
    c->op = other_op(id, c->op);
    c->operation = other_operation(id, c->operation);
    bool is_changed = c->op != s->call->op || c->operation != s->call->operation;
    if (id == FAULT_CLUSTER_IGNORED) {
        is_changed = true;
        c->cluster = 0;
    }
    uint64_t *second = c->second ? ARENA_NEW(a, uint64_t, c->n) : NULL;
    for (uint32_t i = 0; second && i < c->n; i++) {
        second[i] = other_second(id, c, c->second[i]);
        is_changed |= second[i] != c->second[i];
    }
    c->second = second ? second : c->second;
    return is_changed ? GROUP_CHANGES_CALL : GROUP_CHANGES_NOTHING;
}

/* --- faults that return other results --- */

/* The operand of the lane with this index; NULL: it does not take part. */
static const uint64_t *value_at(const struct group_call *c, uint64_t index)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->index[i] == index) {
            return value_of(c, i);
        }
    }
    return NULL;
}

/* What an exclusive scan's first participant gets: anything but the identity. */
static uint64_t wrong_identity(const struct group_call *c, uint64_t honest)
{
    if (c->fmt < 0) {
        return fault_cut(~honest, c->n_bits);
    }
    if (group_is_extreme(c->op)) {
        return honest - 1; /* the largest finite of that sign */
    }
    const struct float_format *f = &float_formats[c->fmt];
    return fault_is_product(c->op) ? 0 : (uint64_t)f->emax << (f->prec_bits - 1);
}

/* A quiet NaN among the operands is the result. */
static void let_nan_win(const struct group_call *c, uint64_t *result)
{
    const struct float_format *f = &float_formats[c->fmt];
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t first, end;
        group_get_span(c, i, &first, &end);
        for (uint32_t p = first; p < end; p++) {
            for (uint32_t k = 0; k < c->n_components; k++) {
                uint64_t const v = value_of(c, p)[k];
                if (format_is_nan(f, v) && !format_is_snan(f, v)) {
                    result[(size_t)i * c->n_results + k] = v;
                }
            }
        }
    }
}

/* AllEqual by bits: -0 is not +0, and a NaN is itself. */
static void compare_bits(const struct group_call *c, uint64_t *result)
{
    bool is_equal = true;
    for (uint32_t i = 1; i < c->n; i++) {
        is_equal &= memcmp(value_of(c, i), c->value, sizeof *c->value * c->n_components) == 0;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        result[i] = is_equal;
    }
}

/* AllEqual that is true wherever there is a NaN. */
static void compare_nans(const struct group_call *c, uint64_t *result)
{
    bool has_nan = false;
    for (size_t k = 0; k < (size_t)c->n * c->n_components; k++) {
        has_nan |= format_is_nan(&float_formats[c->fmt], c->value[k]);
    }
    for (uint32_t i = 0; has_nan && i < c->n; i++) {
        result[i] = 1;
    }
}

/* Bits beyond the size, or those who do not take part. */
static void change_ballot(enum fault_id id, const struct fault_group_site *s, uint64_t *result)
{
    const struct group_call *c = s->call;
    uint64_t then[4] = {0};
    for (uint32_t i = 0; i < s->n_mates; i++) {
        then[s->other_index[i] / 32 % 4] |= UINT64_C(1) << s->other_index[i] % 32;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t *words = &result[(size_t)i * 4];
        if (id == FAULT_BALLOT_OF_THEN) {
            memcpy(words, then, sizeof then);
        } else if (c->size < CASE_MAX_SUBGROUP) {
            words[c->size / 32] |= UINT64_C(1) << c->size % 32;
        }
    }
}

/* One is left alone, or all are put together. */
static void change_partition(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                             uint64_t *result)
{
    const struct group_call *c = s->call;
    uint64_t all[4] = {0};
    uint32_t const one = choose_one(s, r);
    for (uint32_t i = 0; i < c->n; i++) {
        bool const counts = id == FAULT_PARTITION_MERGED || i == one;
        all[c->index[i] / 32 % 4] |= counts ? UINT64_C(1) << c->index[i] % 32 : 0;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (id == FAULT_PARTITION_MERGED || i == one) {
            memcpy(&result[(size_t)i * 4], all, sizeof all);
        }
    }
}

/* Returns the components that participant i receives under a fault of a move (broadcast, shuffle,
 * swizzle), or NULL where it keeps its correct result. */
static const uint64_t *wrong_source(enum fault_id id, const struct fault_group_site *s, uint32_t i)
{
    const struct group_call *c = s->call;
    uint32_t const own = c->index[i];
    uint64_t const second = c->second ? c->second[i] : 0;
    static uint64_t const zeros[16] = {0}; /* more components than any value has */
    /* correct: the lane with index `second`; wrong: the participant of that rank */
    if (id == FAULT_SHUFFLE_BY_RANK) {
        return second < c->n ? value_of(c, (uint32_t)second) : NULL;
    }
    /* correct: the lane that is named, or the first participant; wrong: lane 0, even where that is a mate that
     * does not take part; without a lane 0 the lowest participant */
    if (id == FAULT_BROADCAST_OF_LANE_0) {
        for (uint32_t k = 0; k < s->n_mates; k++) {
            if (s->other_index[k] == 0) {
                return &s->other_value[(size_t)k * c->n_components];
            }
        }
        return value_of(c, 0);
    }
    /* correct: the invocation's own offset; wrong: that of the next of the four. An absent lane gives 0 */
    if (id == FAULT_SWIZZLE_NEXT) {
        const uint64_t *v = value_at(c, (own & ~UINT32_C(3)) | c->pattern[(own + 1) & 3]);
        return v ? v : zeros;
    }
    /* correct: ((own & and) | or) ^ xor; wrong: the xor before the or. A swizzle stays within the 32 lanes
     * that contain the invocation's own; an absent lane gives 0 */
    if (id == FAULT_SWIZZLE_ORDER && own < 64) {
        uint32_t const and_mask = c->pattern[0], or_mask = c->pattern[1], xor_mask = c->pattern[2];
        uint32_t const lane = ((own & 31 & and_mask) ^ xor_mask) | or_mask;
        const uint64_t *v = value_at(c, lane | (own & 32));
        return v ? v : zeros;
    }
    /* correct: 0 from an inactive lane; wrong: the invocation's own value */
    if (id == FAULT_SWIZZLE_KEEPS) {
        return group_source(c, i) == GROUP_FROM_ZERO ? value_of(c, i) : NULL;
    }
    return NULL;
}

static bool is_undefined(const struct group_call *c, uint32_t i)
{
    uint64_t ignored[16];
    return group_answer(c, i, NULL, ignored) == GROUP_ANYTHING;
}

/* Does a signalling NaN go into component k of participant i's result? */
static bool takes_snan(const struct group_call *c, uint32_t i, uint32_t k)
{
    uint32_t first, end;
    bool found = false;
    group_get_span(c, i, &first, &end);
    for (uint32_t p = first; p < end; p++) {
        found |= format_is_snan(&float_formats[c->fmt], value_of(c, p)[k]) != 0;
    }
    return found;
}

/* Returns component k of participant i's result under a fault that changes single values. The
 * return value is `correct`, the right result, where the fault does not act or is of another kind. */
static uint64_t wrong_element(enum fault_id id, const struct fault_group_site *s, uint32_t i,
                              uint32_t k, uint64_t correct, struct rng *r)
{
    const struct group_call *c = s->call;
    /* faults of integers read none */
    const struct float_format *f = &float_formats[c->fmt < 0 ? 0 : c->fmt];
    bool const is_number = (correct & f->exp) != f->exp;
    bool const is_value = c->n_results == c->n_components && group_kind_of(c->op) == GROUP_MOVE;
    switch ((int)id) {
    case FAULT_WRONG_IDENTITY: /* of an exclusive scan, whose first participant gets it */
        return i == 0 ? wrong_identity(c, correct) : correct;
    case FAULT_MINUS_ZERO_SEED:
        return i == 0 && correct == 0 ? f->sign : correct;
    case FAULT_F16_SUM_COARSE:
        return is_number ? correct & ~UINT64_C(7) : correct; /* 8 of 11 bits stay */
    case FAULT_SNAN_GIVES_OTHER:
        return is_number && takes_snan(c, i, k) ? correct + 1 : correct;
    case FAULT_MINUS_ZERO_LOST:
        return correct == f->sign ? 0 : correct;
    case FAULT_GROUP_OTHER_ZERO:
        return format_is_zero(f, correct) ? correct ^ f->sign : correct;
    case FAULT_MBCNT_WITH_SELF:
        return c->index[i] < c->n_bits ? correct + (c->value[i] >> c->index[i] & 1) : correct;
    case FAULT_UNDEFINED_BITS: /* what moves no value gives a bool of one bit */
        return is_undefined(c, i) ? fault_cut(~rng_next(r), is_value ? c->n_bits : 1) : correct;
    default:
        return correct;
    }
}

/* Changes `result`, the correct results of all participants, in place. This covers the faults that
 * change the result of one participant, drawn at random, and those that return stale data: what
 * the first work-group left in scratch memory, or what the result's registers held before. */
static void change_one(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                       uint64_t *result)
{
    const struct group_call *c = s->call;
    size_t const n_bytes = sizeof *result * c->n * c->n_results;
    uint32_t const lane = choose_one(s, r);
    uint64_t *one = &result[(size_t)lane * c->n_results];
    if (id == FAULT_ELECT_TWO && c->n > 1) {
        result[1 + lane % (c->n - 1)] = 1; /* any but the first, who is elected */
    } else if (id == FAULT_LEFTOVER_SCRATCH && s->leftover) {
        memcpy(result, s->leftover, n_bytes);
    } else if (id == FAULT_STALE_RESULT) {
        /* registers of zeros were most likely never written */
        bool is_written = false;
        for (size_t k = 0; k < n_bytes / sizeof *result; k++) {
            is_written |= s->stale[k] != 0;
        }
        if (is_written) {
            memcpy(result, s->stale, n_bytes);
        }
    } else if (id == FAULT_ONE_LANE_DIFFERS && c->fmt < 0) {
        *one = fault_cut(*one + 1, c->n_bits);
    } else if (id == FAULT_ONE_LANE_DIFFERS) {
        const struct float_format *f = &float_formats[c->fmt];
        /* the next number in magnitude */
        *one += (*one & f->exp) != f->exp && !format_is_zero(f, *one);
    }
}

/* Changes `result`, the correct results of all participants, in place, for the faults that return other results
 * without another call. Whether any result differs in the end is for the caller to check. */
static void change_results(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                           uint64_t *result)
{
    const struct group_call *c = s->call;
    if (id == FAULT_NAN_WINS_GROUP) {
        let_nan_win(c, result);
    } else if (id == FAULT_EQUAL_BY_BITS) {
        compare_bits(c, result);
    } else if (id == FAULT_EQUAL_FOR_NAN) {
        compare_nans(c, result);
    } else if (id == FAULT_BALLOT_BEYOND || id == FAULT_BALLOT_OF_THEN) {
        change_ballot(id, s, result);
    } else if (id == FAULT_PARTITION_SPLIT || id == FAULT_PARTITION_MERGED) {
        change_partition(id, s, r, result);
    } else {
        change_one(id, s, r, result);
    }
    /* for a fault of the families above, these two change nothing */
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t *to = &result[(size_t)i * c->n_results];
        const uint64_t *from = wrong_source(id, s, i);
        for (uint32_t k = 0; k < c->n_results; k++) {
            to[k] = from ? from[k] : wrong_element(id, s, i, k, to[k], r);
        }
    }
}

/* Applies the fault to a group instruction. Faults of three kinds are tried in order. Faults that
 * change the participants, and faults that change the instruction or its operands, change the
 * call, which the caller then executes (GROUP_CHANGES_CALL). All other faults change the correct
 * results in effect->result. The list has room for all invocations and all lanes of a sub-group. */
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
    if (fault_is_group_bug(id)) {
        return fault_change_by_group_bug(id, s, effect->result) ? GROUP_CHANGES_RESULTS
                                                                : GROUP_CHANGES_NOTHING;
    }
    if (s->call->value && list_entries(id, s, r, a, &list)) {
        return set_entries(id, s, &list, r, a, effect);
    }
    enum group_change const change = change_call(id, s, a, effect);
    if (change != GROUP_CHANGES_NOTHING) {
        return change;
    }
    change_results(id, s, r, effect->result);
    return GROUP_CHANGES_RESULTS;
}
