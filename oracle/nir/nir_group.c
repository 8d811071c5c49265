/* oracle/nir/nir_group.c -- ballots, votes, moves, reductions and scans of a sub-group. */
#include "oracle/nir/nir_group.h"

#include <string.h>

#include "base/format.h"
#include "oracle/nir_driver/nir_rules.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_float.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_word.h"

/* A bit for each invocation of a sub-group. */
enum {
    MASK_WORDS = CASE_MAX_SUBGROUP / 64
};
struct mask {
    uint64_t w[MASK_WORDS];
};
static bool mask_has(const struct mask *m, uint32_t lane)
{
    return (m->w[lane / 64] >> lane % 64 & 1) != 0;
}
static void mask_add(struct mask *m, uint32_t lane)
{
    m->w[lane / 64] |= UINT64_C(1) << lane % 64;
}
/* How many bits below `lane` are set. */
static uint32_t mask_count_below(const struct mask *m, uint32_t lane)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MASK_WORDS && i * 64 < lane; i++) {
        uint64_t const n_bits = lane - i * 64;
        n += (uint32_t)__builtin_popcountll(m->w[i] & nir_mask(n_bits));
    }
    return n;
}
/* The mask that source k is for an invocation: components one behind the other. */
static struct mask mask_read(const struct nir_step *s, uint32_t k, uint32_t lane)
{
    struct mask out = {{0}};
    unsigned const n_bits = nir_step_bits(s, k);
    for (uint32_t c = 0; c < nir_step_components(s, k); c++) {
        uint32_t const at = c * n_bits;
        if (at / 64 < MASK_WORDS) {
            out.w[at / 64] |= nir_step_source(s, k, c)[lane] << at % 64;
        }
    }
    return out;
}

static void put(const struct nir_step *s, uint32_t c, uint32_t lane, uint64_t value)
{
    nir_step_out(s, c)[lane] = value & nir_mask(nir_step_result(s)->n_bits);
}

/* A truth value: each bit is set, or none. */
static void put_truth(const struct nir_step *s, uint32_t lane, bool is_true)
{
    put(s, 0, lane, is_true ? UINT64_MAX : 0);
}

/* The bits of a mask as the result of each active invocation, in components. */
static void put_mask(const struct nir_step *s, const struct mask *m)
{
    unsigned const n_bits = nir_step_result(s)->n_bits;
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        uint32_t const at = c * n_bits;
        uint64_t const word = at / 64 < MASK_WORDS ? m->w[at / 64] >> at % 64 : 0;
        for (uint32_t i = 0; i < s->g->n_active; i++) {
            put(s, c, s->g->active[i], word);
        }
    }
}

/* Of which invocation each one gets the value; the own one where there is no such invocation. */
static uint32_t find_origin(const struct nir_step *s, uint32_t lane)
{
    uint32_t const size = s->m->size;
    bool const has_operand = s->row->n_sources > 1;
    uint64_t const k = has_operand ? nir_step_source(s, 1, 0)[lane] : 0;
    uint64_t const swizzle = (uint64_t)s->in->index[NIR_INDEX_swizzle_mask];
    uint64_t origin = lane;
    switch (s->row->form) {
    case NIR_GROUP_SHUFFLE:
        return (uint32_t)(k % size);
    case NIR_GROUP_SHUFFLE_XOR:
        origin = lane ^ k;
        break;
    case NIR_GROUP_SHUFFLE_UP:
        origin = lane - k; /* wraps where there is none */
        break;
    case NIR_GROUP_SHUFFLE_DOWN:
        origin = lane + k;
        break;
    case NIR_GROUP_ROTATE: {
        uint64_t const cluster = (uint64_t)s->in->index[NIR_INDEX_cluster_size];
        uint64_t const n = cluster ? cluster : size;
        origin = lane - lane % n + (lane + k) % n;
        break;
    }
    case NIR_GROUP_QUAD_BROADCAST:
        origin = (lane & ~3U) | (k & 3);
        break;
    case NIR_GROUP_QUAD_HORIZONTAL:
        origin = lane ^ 1;
        break;
    case NIR_GROUP_QUAD_VERTICAL:
        origin = lane ^ 2;
        break;
    case NIR_GROUP_QUAD_DIAGONAL:
        origin = lane ^ 3;
        break;
    case NIR_GROUP_MASKED_SWIZZLE:
        origin = (lane & ~31U) |
                 ((((lane & 31) & (swizzle & 31)) | (swizzle >> 8 & 31)) ^ (swizzle >> 16 & 31));
        break;
    case NIR_GROUP_QUAD_SWIZZLE:
        origin = (lane & ~3U) | (swizzle >> 2 * (lane & 3) & 3);
        break;
    default:
        break;
    }
    return origin < size ? (uint32_t)origin : lane;
}

/* The values of other invocations. Of one that is not active it is what it was before; AMD's swizzles that do not fetch it
 * give 0 instead. */
static void move(const struct nir_step *s)
{
    bool const is_swizzle =
        s->row->form == NIR_GROUP_MASKED_SWIZZLE || s->row->form == NIR_GROUP_QUAD_SWIZZLE;
    bool const is_limited = is_swizzle && s->in->index[NIR_INDEX_fetch_inactive] == 0;
    struct mask active = {{0}};
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        mask_add(&active, s->g->active[i]);
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        s->m->answer->n_inactive += !mask_has(&active, find_origin(s, s->g->active[i]));
    }
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        uint64_t const *const from = nir_step_source(s, 0, c);
        for (uint32_t i = 0; i < s->g->n_active; i++) {
            uint32_t const lane = s->g->active[i];
            uint32_t const origin = find_origin(s, lane);
            put(s, c, lane, is_limited && !mask_has(&active, origin) ? 0 : from[origin]);
        }
    }
}

/* The value of one invocation for all; of none 0. */
static void broadcast(const struct nir_step *s)
{
    uint32_t origin = s->g->active[0];
    bool is_there = true;
    if (s->row->form == NIR_GROUP_FIRST_WHERE) {
        is_there = false;
        for (uint32_t i = 0; i < s->g->n_active && !is_there; i++) {
            origin = s->g->active[i];
            is_there = nir_step_source(s, 1, 0)[origin] != 0;
        }
    }
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        uint64_t const value = is_there ? nir_step_source(s, 0, c)[origin] : 0;
        for (uint32_t i = 0; i < s->g->n_active; i++) {
            put(s, c, s->g->active[i], value);
        }
    }
}

/* Is the value of one invocation that of another one, in each component? */
static bool is_equal(const struct nir_step *s, uint32_t lane, uint32_t other)
{
    unsigned const n_bits = nir_step_bits(s, 0);
    bool const is_float = s->row->form == NIR_GROUP_VOTE_FLOAT_EQUAL && nir_is_float_width(n_bits);
    for (uint32_t c = 0; c < nir_step_components(s, 0); c++) {
        uint64_t const a = nir_step_source(s, 0, c)[lane], b = nir_step_source(s, 0, c)[other];
        if (is_float ? nir_float_compare(&s->m->modes, n_bits, a, b) != NIR_EQUAL : a != b) {
            return false;
        }
    }
    return true;
}

/* A vote of the active invocations, or of those in the same quad. */
static void vote(const struct nir_step *s)
{
    enum nir_group_form const form = (enum nir_group_form)s->row->form;
    bool const is_quad = form == NIR_GROUP_QUAD_ANY || form == NIR_GROUP_QUAD_ALL;
    bool const is_any = form == NIR_GROUP_QUAD_ANY || form == NIR_GROUP_VOTE_ANY;
    bool const is_comparison = form == NIR_GROUP_VOTE_EQUAL || form == NIR_GROUP_VOTE_FLOAT_EQUAL;
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        bool result = !is_any;
        for (uint32_t k = 0; k < s->g->n_active; k++) {
            uint32_t const other = s->g->active[k];
            if (is_quad && other / 4 != lane / 4) {
                continue;
            }
            bool const is_true = is_comparison ? is_equal(s, other, s->g->active[0])
                                               : nir_step_source(s, 0, 0)[other] != 0;
            result = is_any ? result || is_true : result && is_true;
        }
        put_truth(s, lane, result);
    }
}

/* What a scan begins with: combined with it, a value stays what it is. */
static uint64_t get_identity(int64_t word, unsigned n_bits)
{
    const struct float_format *const f = &float_formats[format_of_bits(n_bits)];
    switch (word) {
    case NIR_WORD_imul:
        return 1;
    case NIR_WORD_imin:
        return nir_mask(n_bits - 1);
    case NIR_WORD_imax:
        return UINT64_C(1) << (n_bits - 1);
    case NIR_WORD_umin:
    case NIR_WORD_iand:
        return nir_mask(n_bits);
    case NIR_WORD_fadd:
        return f->sign; /* -0: also -0 + -0 is -0 */
    case NIR_WORD_fmul:
        return format_one(f);
    case NIR_WORD_fmin:
        return f->exp;
    case NIR_WORD_fmax:
        return f->sign | f->exp;
    default:
        return 0;
    }
}

/* What some drivers begin with: a sum is +0, and a reduction to the smallest or largest value NaN, which gives way. */
static uint64_t get_begin(const struct nir_step *s, int64_t word, unsigned n_bits)
{
    bool const is_limit = word == NIR_WORD_fmin || word == NIR_WORD_fmax;
    if (s->row->form == NIR_GROUP_REDUCE && is_limit) {
        return nir_mask(n_bits - 1);
    }
    return word == NIR_WORD_fadd ? 0 : get_identity(word, n_bits);
}

/* One component of a reduction or a scan of the active invocations of one cluster, in ascending order. */
static bool reduce_cluster(const struct nir_step *s, uint32_t c, uint32_t begin, uint32_t end)
{
    unsigned const n_bits = nir_step_result(s)->n_bits;
    int64_t const word = s->in->index[NIR_INDEX_reduction_op];
    uint64_t const *const from = nir_step_source(s, 0, c);
    bool const has_begin = s->m->abi->rules->begins_with_identity;
    uint64_t so_far = has_begin ? get_begin(s, word, n_bits) : get_identity(word, n_bits);
    bool is_first = !has_begin; /* others begin with the first value */
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        if (lane < begin || lane >= end) {
            continue;
        }
        if (s->row->form == NIR_GROUP_EXCLUSIVE) {
            put(s, c, lane, so_far);
        }
        uint64_t next = from[lane];
        if (!is_first &&
            !nir_combine(&s->m->modes, (unsigned)word, n_bits, so_far, from[lane], &next)) {
            return false;
        }
        so_far = next;
        is_first = false;
        if (s->row->form == NIR_GROUP_INCLUSIVE) {
            put(s, c, lane, so_far);
        }
    }
    for (uint32_t i = 0; s->row->form == NIR_GROUP_REDUCE && i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        if (lane >= begin && lane < end) {
            put(s, c, lane, so_far);
        }
    }
    return true;
}

static bool reduce(const struct nir_step *s)
{
    uint64_t const cluster = (uint64_t)s->in->index[NIR_INDEX_cluster_size];
    uint32_t const n = cluster && cluster < s->m->size ? (uint32_t)cluster : s->m->size;
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        for (uint32_t begin = 0; begin < s->m->size; begin += n) {
            if (!reduce_cluster(s, c, begin, begin + n)) {
                return nir_stop_unknown(s->m->answer, s->in->line, "reduction of", s->row->name,
                                        strlen(s->row->name));
            }
        }
    }
    return true;
}

/* What an operand that is a mask says, a truth with all bits set; bits beyond the sub-group do not count. */
static uint64_t read_ballot(const struct nir_step *s, uint32_t lane)
{
    struct mask const m = mask_read(s, 0, lane);
    uint32_t const n = mask_count_below(&m, s->m->size);
    uint32_t found = UINT32_MAX;
    switch (s->row->form) {
    case NIR_GROUP_INVERSE_BALLOT:
        return mask_has(&m, lane) ? UINT64_MAX : 0;
    case NIR_GROUP_COUNT_BELOW:
        return mask_count_below(&m, lane) + nir_step_source(s, 1, 0)[lane];
    case NIR_GROUP_BALLOT_COUNT:
        return n;
    case NIR_GROUP_BALLOT_COUNT_INCLUSIVE:
        return mask_count_below(&m, lane + 1);
    case NIR_GROUP_BALLOT_COUNT_EXCLUSIVE:
        return mask_count_below(&m, lane);
    case NIR_GROUP_BALLOT_BIT: {
        uint64_t const bit = nir_step_source(s, 1, 0)[lane];
        return bit < CASE_MAX_SUBGROUP && mask_has(&m, (uint32_t)bit) ? UINT64_MAX : 0;
    }
    default: /* lowest, highest */
        for (uint32_t i = 0; i < s->m->size; i++) {
            bool const is_highest = s->row->form == NIR_GROUP_BALLOT_HIGHEST;
            if (mask_has(&m, i) && (is_highest || found == UINT32_MAX)) {
                found = i;
            }
        }
        return found;
    }
}

/* Values that each active invocation computes of its own mask or of which invocations are active. */
static void each(const struct nir_step *s)
{
    uint32_t const n = s->g->n_active;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const lane = s->g->active[i];
        uint64_t value = 0;
        if (s->row->form == NIR_GROUP_ELECT) {
            value = i == 0 ? UINT64_MAX : 0;
        } else if (s->row->form == NIR_GROUP_ACTIVE_BELOW) {
            value = i;
        } else if (s->row->form == NIR_GROUP_ACTIVE_COUNT) {
            value = n;
        } else if (s->row->form == NIR_GROUP_QUAD_BALLOT) {
            for (uint32_t k = 0; k < n; k++) {
                uint32_t const other = s->g->active[k];
                bool const is_set = other / 4 == lane / 4 && nir_step_source(s, 0, 0)[other];
                value |= (uint64_t)is_set << other % 4;
            }
        } else if (s->row->form == NIR_GROUP_LAST) {
            value = s->g->active[n - 1];
        } else {
            value = read_ballot(s, lane);
        }
        put(s, 0, lane, value);
    }
}

/* The second operand in the invocation that the third one names, the first one in all others. */
static void write(const struct nir_step *s)
{
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        for (uint32_t i = 0; i < s->g->n_active; i++) {
            uint32_t const lane = s->g->active[i];
            bool const is_written = nir_step_source(s, 2, 0)[lane] == lane;
            put(s, c, lane, nir_step_source(s, is_written ? 1 : 0, c)[lane]);
        }
    }
}

static void ballot(const struct nir_step *s)
{
    struct mask m = {{0}};
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        if (nir_step_source(s, 0, 0)[s->g->active[i]]) {
            mask_add(&m, s->g->active[i]);
        }
    }
    put_mask(s, &m);
}

/* Has the result the type of the first operand? */
static bool keeps_type(const struct nir_step *s)
{
    const struct nir_value *const out = nir_step_result(s);
    return nir_step_bits(s, 0) == out->n_bits && nir_step_components(s, 0) == out->n_components;
}

bool nir_run_group(const struct nir_step *s)
{
    enum nir_group_form const form = (enum nir_group_form)s->row->form;
    if (form >= NIR_GROUP_FIRST && form <= NIR_GROUP_QUAD_SWIZZLE && !keeps_type(s)) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                        "the result has another type than the operand");
    }
    switch (form) {
    case NIR_GROUP_BALLOT:
        ballot(s);
        return true;
    case NIR_GROUP_FIRST:
    case NIR_GROUP_FIRST_WHERE:
        broadcast(s);
        return true;
    case NIR_GROUP_SHUFFLE:
    case NIR_GROUP_SHUFFLE_XOR:
    case NIR_GROUP_SHUFFLE_UP:
    case NIR_GROUP_SHUFFLE_DOWN:
    case NIR_GROUP_ROTATE:
    case NIR_GROUP_QUAD_BROADCAST:
    case NIR_GROUP_QUAD_HORIZONTAL:
    case NIR_GROUP_QUAD_VERTICAL:
    case NIR_GROUP_QUAD_DIAGONAL:
    case NIR_GROUP_MASKED_SWIZZLE:
    case NIR_GROUP_QUAD_SWIZZLE:
        move(s);
        return true;
    case NIR_GROUP_VOTE_ANY:
    case NIR_GROUP_VOTE_ALL:
    case NIR_GROUP_VOTE_EQUAL:
    case NIR_GROUP_VOTE_FLOAT_EQUAL:
    case NIR_GROUP_QUAD_ANY:
    case NIR_GROUP_QUAD_ALL:
        vote(s);
        return true;
    case NIR_GROUP_REDUCE:
    case NIR_GROUP_INCLUSIVE:
    case NIR_GROUP_EXCLUSIVE:
        if (!keeps_type(s)) {
            return nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                            "the result has another type than the operand");
        }
        return reduce(s);
    case NIR_GROUP_WRITE:
        if (!keeps_type(s) || nir_step_components(s, 1) < nir_step_result(s)->n_components) {
            return nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                            "the result has another type than the operand");
        }
        write(s);
        return true;
    case NIR_GROUP_QUAD_BALLOT:
    case NIR_GROUP_ACTIVE_BELOW:
    case NIR_GROUP_ACTIVE_COUNT:
    case NIR_GROUP_INVERSE_BALLOT:
    case NIR_GROUP_ELECT:
    case NIR_GROUP_LAST:
    case NIR_GROUP_COUNT_BELOW:
    case NIR_GROUP_BALLOT_COUNT:
    case NIR_GROUP_BALLOT_COUNT_INCLUSIVE:
    case NIR_GROUP_BALLOT_COUNT_EXCLUSIVE:
    case NIR_GROUP_BALLOT_LOWEST:
    case NIR_GROUP_BALLOT_HIGHEST:
    case NIR_GROUP_BALLOT_BIT:
        each(s);
        return true;
    }
    return true;
}
