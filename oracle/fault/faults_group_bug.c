/* oracle/fault/faults_group_bug.c -- bugs of real drivers in group instructions: where each arises and what it gives. */
#include "oracle/fault/faults_group_bug.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/fault/faults_site.h"

/* One component of one participant's result. */
struct element {
    const struct fault_group_site *s;
    uint32_t i, k;
};

static double decode(const struct group_call *c, uint64_t v)
{
    return fault_decode((enum fmt_id)c->fmt, v);
}

/* --- comparisons --- */

static bool is_all_like_last(const struct group_call *c)
{
    bool is_it = true;
    for (uint32_t p = 0; p < c->n; p++) {
        for (uint32_t k = 0; k < c->n_components; k++) {
            double const a = decode(c, group_value(c, p, k));
            double const b = decode(c, group_value(c, c->n - 1, k));
            is_it &= !(a < b) && !(a > b); /* nor of a NaN */
        }
    }
    return is_it;
}

static bool has_all_one_first(const struct group_call *c)
{
    bool is_it = true;
    for (uint32_t p = 0; p < c->n; p++) {
        is_it &= group_value(c, p, 0) == group_value(c, 0, 0);
    }
    return is_it;
}

/* --- minimum and maximum --- */

static bool is_max(const struct group_call *c)
{
    return c->op == SpvOpGroupNonUniformFMax || c->op == SpvOpGroupFMax ||
           c->op == SpvOpGroupFMaxNonUniformAMD;
}

/* Is a beyond b, as a comparison has it that is false of a NaN? */
static bool is_beyond(const struct group_call *c, uint64_t a, uint64_t b)
{
    return is_max(c) ? decode(c, a) > decode(c, b) : decode(c, a) < decode(c, b);
}

static uint64_t takes_later(const struct group_call *c, uint64_t a, uint64_t b)
{
    return is_beyond(c, a, b) ? a : b;
}

/* From the identity on, one participant after the other. */
static uint64_t fold(const struct element *e,
                     uint64_t (*step)(const struct group_call *c, uint64_t a, uint64_t b))
{
    const struct group_call *const c = e->s->call;
    uint64_t v = group_identity(c->op, c->fmt, c->n_bits);
    uint32_t first, end;
    group_get_span(c, e->i, &first, &end);
    for (uint32_t p = first; p < end; p++) {
        v = step(c, v, group_value(c, p, e->k));
    }
    return v;
}

/* --- integers and bools --- */

/* In a scan of bools: by exclusive or of the last two that go in, and true where one before them is. */
static bool xors_two_then_any(const struct element *e)
{
    const struct group_call *const c = e->s->call;
    uint32_t first, end;
    bool is_any = false;
    group_get_span(c, e->i, &first, &end);
    for (uint32_t p = first; p + 2 < end; p++) {
        is_any |= group_value(c, p, e->k) != 0;
    }
    bool const last = end > first && group_value(c, end - 1, e->k) != 0;
    bool const before = end > first + 1 && group_value(c, end - 2, e->k) != 0;
    return is_any || last != before;
}

/* The words of bugs_group.def. */
#define CALL       e->s->call
#define I          e->i
#define K          e->k
#define RIGHT      honest
#define FOLD(step) fold(e, step)
#define IS_XOR     (group_step_of(CALL->op) == STEP_XOR)

/* A function for each row. */
#define BUG_GROUP(id, ops, types, where, expect, clause, when, gives, text)                        \
    static bool change_##id(const struct element *e, uint64_t honest, uint64_t *out)               \
    {                                                                                              \
        (void)honest;                                                                              \
        if (!(when)) {                                                                             \
            return false;                                                                          \
        }                                                                                          \
        *out = (uint64_t)(gives);                                                                  \
        return true;                                                                               \
    }
#define BUG_GROUP_OPEN BUG_GROUP
#include "oracle/fault/bugs_group.def"

static const struct group_bug {
    enum fault_id id;
    bool is_open;
    bool (*change)(const struct element *e, uint64_t honest, uint64_t *out);
} bugs[] = {
#define BUG_GROUP(id, ...)      {FAULT_##id, false, change_##id},
#define BUG_GROUP_OPEN(id, ...) {FAULT_##id, true, change_##id},
#include "oracle/fault/bugs_group.def"
};

static const struct group_bug *find_bug(enum fault_id id)
{
    for (size_t i = 0; i < ARRAY_N(bugs); i++) {
        if (bugs[i].id == id) {
            return &bugs[i];
        }
    }
    return NULL;
}

bool fault_is_group_bug(enum fault_id id)
{
    return find_bug(id) != NULL;
}

bool fault_is_group_open(enum fault_id id)
{
    const struct group_bug *const bug = find_bug(id);
    return bug && bug->is_open;
}

bool fault_change_by_group_bug(enum fault_id id, const struct fault_group_site *s,
                               uint64_t *result)
{
    const struct group_bug *const bug = find_bug(id);
    bool is_changed = false;
    for (uint32_t i = 0; i < s->call->n; i++) {
        for (uint32_t k = 0; k < s->call->n_results; k++) {
            uint64_t *const one = &result[(size_t)i * s->call->n_results + k];
            struct element const e = {s, i, k};
            is_changed |= bug->change(&e, *one, one);
        }
    }
    return is_changed;
}
