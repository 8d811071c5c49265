/* oracle/fault/faults_group_bug.c -- bugs of real drivers in group instructions: where each arises and what it gives. */
#include "oracle/fault/faults_group_bug.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/fault/faults_site.h"
#include "oracle/group/group.h"
#include "oracle/interp/group_kind.h"

enum {
    HALF = 16, /* invocations of a vector that has two such, or four */
    EIGHT = 8, /* doubles of a register */
    MAX_LANES = 128
};

/* One component of one participant's result. */
struct element {
    const struct fault_group_site *s;
    uint32_t i, k;
};

static double decode(const struct group_call *c, uint64_t v)
{
    return fault_decode((enum fmt_id)c->fmt, v);
}

static bool is_scan(const struct group_call *c)
{
    return c->operation == SpvGroupOperationInclusiveScan ||
           c->operation == SpvGroupOperationExclusiveScan;
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

/* --- by the lanes of a sub-group, as a vector has them --- */

/* The value of each lane; the identity for a lane that does not take part. */
struct lanes {
    uint32_t n;
    uint64_t v[MAX_LANES];
};

/* Which lanes contribute: to a reduction all, also those without an invocation. */
static void get_lanes(const struct group_call *c, uint32_t i, uint32_t *first, uint32_t *n)
{
    *first = c->cluster ? c->index[i] / c->cluster * c->cluster : 0;
    switch (c->operation) {
    case SpvGroupOperationInclusiveScan:
        *n = c->index[i] + 1;
        break;
    case SpvGroupOperationExclusiveScan:
        *n = c->index[i];
        break;
    default:
        *n = c->cluster ? c->cluster : c->is_kernel ? c->max_size : c->size;
        break;
    }
}

static bool has_lanes(const struct element *e)
{
    uint32_t first, n;
    get_lanes(e->s->call, e->i, &first, &n);
    return n <= MAX_LANES;
}

/* To a power of two. */
static uint32_t round_up(uint32_t n)
{
    while (!group_is_power(n)) {
        n++;
    }
    return n;
}

static void fill_lanes(const struct element *e, struct lanes *p)
{
    const struct group_call *const c = e->s->call;
    uint32_t first;
    get_lanes(c, e->i, &first, &p->n);
    if (!is_scan(c)) { /* of a smaller last sub-group whose SubgroupMaxSize is not known */
        p->n = round_up(p->n);
    }
    for (uint32_t k = 0; k < p->n; k++) {
        p->v[k] = group_identity(c->op, c->fmt, c->n_bits);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->index[i] - first < p->n) { /* modulo 2^32: one below is not */
            p->v[c->index[i] - first] = group_value(c, i, e->k);
        }
    }
}

static uint64_t takes_earlier(const struct group_call *c, uint64_t a, uint64_t b)
{
    return is_beyond(c, b, a) ? b : a;
}

static uint64_t later_of_lanes(const struct element *e)
{
    const struct group_call *const c = e->s->call;
    struct lanes p;
    fill_lanes(e, &p);
    uint64_t v = group_identity(c->op, c->fmt, c->n_bits);
    for (uint32_t k = 0; k < p.n; k++) {
        v = takes_later(c, v, p.v[k]);
    }
    return v;
}

/* Of n > 0. */
static uint64_t fold_earlier(const struct group_call *c, const uint64_t *v, uint32_t n)
{
    uint64_t all = v[0];
    for (uint32_t k = 1; k < n; k++) {
        all = takes_earlier(c, all, v[k]);
    }
    return all;
}

static uint64_t earlier_of_lanes(const struct element *e)
{
    const struct group_call *const c = e->s->call;
    struct lanes p;
    fill_lanes(e, &p);
    return p.n ? fold_earlier(c, p.v, p.n) : group_identity(c->op, c->fmt, c->n_bits);
}

/* Lanes of the sub-group as the compiler chose it. */
static uint32_t get_width(const struct group_call *c)
{
    return round_up(c->is_kernel ? c->max_size : c->size);
}

/* From the last lane down, then with the identity, except for the last lane of a vector, as compiled for AVX2. */
static uint64_t down_to_identity(const struct element *e)
{
    const struct group_call *const c = e->s->call;
    uint64_t const identity = group_identity(c->op, c->fmt, c->n_bits);
    struct lanes p;
    fill_lanes(e, &p);
    uint64_t v = p.n ? p.v[p.n - 1] : identity;
    for (uint32_t k = p.n; k-- > 1;) {
        v = takes_later(c, v, p.v[k - 1]);
    }
    return c->index[e->i] + 1 == get_width(c) ? v : takes_later(c, v, identity);
}

/* Combines the lower half of v with the upper half until one value is left; n is a power of two. The upper half comes first if a half has
 * `crossed` values; 0: never. Overwrites v. */
static uint64_t fold_halves(const struct group_call *c, uint64_t *v, uint32_t n, uint32_t crossed)
{
    for (uint32_t half = n / 2; half > 0; half /= 2) {
        for (uint32_t k = 0; k < half; k++) {
            v[k] = half == crossed ? takes_later(c, v[k + half], v[k])
                                   : takes_later(c, v[k], v[k + half]);
        }
    }
    return v[0];
}

/* A reduction of one vector, where four doubles are two registers that are exchanged. */
static uint64_t in_crossed_halves(const struct element *e)
{
    struct lanes p;
    fill_lanes(e, &p);
    return fold_halves(e->s->call, p.v, p.n, 2);
}

/* A reduction of vectors of at most `width`, one after the other. */
static uint64_t in_vectors_of(const struct element *e, uint32_t width)
{
    const struct group_call *const c = e->s->call;
    struct lanes p;
    fill_lanes(e, &p);
    uint32_t const each = p.n < width ? p.n : width;
    uint64_t v = fold_halves(c, p.v, each, 0);
    for (uint32_t k = each; k < p.n; k += each) {
        v = takes_later(c, v, fold_halves(c, p.v + k, each, 0));
    }
    return v;
}

static uint64_t scan_in_eights(const struct element *e)
{
    const struct group_call *const c = e->s->call;
    struct lanes p;
    fill_lanes(e, &p);
    uint64_t v = fold_earlier(c, p.v, p.n < EIGHT ? p.n : EIGHT);
    for (uint32_t k = EIGHT; k < p.n; k += EIGHT) {
        uint32_t const rest = p.n - k;
        v = takes_later(c, v, fold_earlier(c, p.v + k, rest < EIGHT ? rest : EIGHT));
    }
    return v;
}

/* --- integers and bools --- */

/* For a scan of bools: the exclusive or of the last two lanes that contribute, or true where an earlier lane is true. */
static bool xors_two_then_any(const struct element *e)
{
    struct lanes p;
    bool is_before = false;
    fill_lanes(e, &p);
    for (uint32_t k = 0; k + 2 < p.n; k++) {
        is_before |= p.v[k] != 0;
    }
    bool const last = p.n > 0 && p.v[p.n - 1] != 0;
    bool const next = p.n > 1 && p.v[p.n - 2] != 0;
    return is_before || last != next;
}

static bool is_any(const struct group_call *c)
{
    bool is_it = false;
    for (uint32_t p = 0; p < c->n; p++) {
        is_it |= group_value(c, p, 0) != 0;
    }
    return is_it;
}

/* --- which of the values that go in --- */

static uint32_t count_terms(const struct element *e)
{
    uint32_t first, end;
    group_get_span(e->s->call, e->i, &first, &end);
    return end - first;
}

/* Do all invocations of the scope have to come to the instruction? The functions of OpenCL C are such ones. */
static bool is_of_all(const struct group_call *c)
{
    return c->op >= SpvOpGroupAll && c->op <= SpvOpGroupSMax;
}

/* Where each has stored its value, and nobody combines them. */
static uint64_t unfolded(const struct element *e)
{
    uint32_t first, end;
    group_get_span(e->s->call, e->i, &first, &end);
    return group_value(e->s->call, is_scan(e->s->call) ? end - 1 : first, e->k);
}

#define NOWHERE UINT64_MAX
/* Returns, for a broadcast, the position that corresponds to the selected position in the participant's own part of a vector: `part` has the
 * bits of a position that number the parts. NOWHERE if the participant and the selected position are in the same part. */
static uint64_t in_own_part(const struct element *e, uint64_t part)
{
    const struct group_call *const c = e->s->call;
    if (!c->second || !((c->index[e->i] ^ c->second[e->i]) & part)) {
        return NOWHERE;
    }
    return (c->second[e->i] & ~part) | (c->index[e->i] & part);
}

static uint64_t value_from(const struct element *e, uint64_t place)
{
    return group_value(e->s->call, (uint32_t)place, e->k);
}

/* A shuffle up or down has a second value, which the first or the last invocations get. Returns that of the participant. */
static uint64_t other_from(const struct element *e)
{
    const struct group_call *const c = e->s->call;
    return c->other[(size_t)e->i * c->n_components + e->k];
}

static bool has_nan(const struct group_call *c, uint32_t first, uint32_t end, uint32_t k)
{
    bool is_it = false;
    for (uint32_t p = first; p < end; p++) {
        is_it |= format_is_nan(&float_formats[c->fmt], group_value(c, p, k)) != 0;
    }
    return is_it;
}

/* Returns the result if the first value is u instead. For a sum of floats, next to a NaN, or if u is a NaN, any
 * result is possible, because the order of the operations is unknown; then u itself is returned. */
static uint64_t with_first(const struct element *e, uint64_t u)
{
    const struct group_call *const c = e->s->call;
    uint32_t first, end;
    group_get_span(c, e->i, &first, &end);
    if (c->fmt >= 0 && (!group_is_extreme(c->op) || has_nan(c, first + 1, end, e->k) ||
                        format_is_nan(&float_formats[c->fmt], u))) {
        return u;
    }
    for (uint32_t p = first + 1; p < end; p++) {
        uint64_t const two[2] = {u, group_value(c, p, e->k)};
        u = c->fmt >= 0 ? takes_later(c, two[0], two[1])
                        : group_reduce_integer(c->op, c->n_bits, two, 2);
    }
    return u;
}

/* Combines two values; where the result tells nothing of the first one, as that of a sum or of a NaN, the second. */
static uint64_t combine(const struct group_call *c, uint64_t a, uint64_t b)
{
    enum group_step const step = group_step_of(c->op);
    uint64_t const two[2] = {a, b};
    bool const is_lost = step == STEP_ADD || step == STEP_MUL || step == STEP_XOR;
    if (c->fmt >= 0) {
        const struct float_format *const f = &float_formats[c->fmt];
        bool const is_number = !format_is_nan(f, a) && !format_is_nan(f, b);
        return group_is_extreme(c->op) && is_number ? takes_later(c, a, b) : b;
    }
    return is_lost ? b : group_reduce_integer(c->op, c->n_bits, two, 2);
}

/* Returns the result if the values after the first one are u. */
static uint64_t with_others(const struct element *e, uint64_t u)
{
    uint32_t first, end;
    group_get_span(e->s->call, e->i, &first, &end);
    return combine(e->s->call, group_value(e->s->call, first, e->k), u);
}

/* Another number. */
static uint64_t get_other(const struct group_call *c, uint64_t v)
{
    return c->fmt >= 0 ? v ^ (float_formats[c->fmt].exp / 2 + 1)
                       : fault_cut(c->n_bits > 1 ? v ^ 5 : !v, c->n_bits);
}

/* The words of bugs_group.def. */
#define CALL           e->s->call
#define I              e->i
#define U              u
#define IS(op_name)    (CALL->op == op_rows[OP_##op_name].number)
#define FOLD(step)     fold(e, step)
#define HAS_TERMS      (count_terms(e) > 0)
#define IS_OF_ALL      is_of_all(CALL)
#define IS_OF_EIGHT    (get_width(CALL) <= EIGHT)
#define HAS_LANES      has_lanes(e)
#define IN_OWN_HALF    in_own_part(e, HALF)
#define IN_OWN_QUARTER in_own_part(e, 3 * HALF)
/* The second half has at least two invocations, so that their values can be compared. */
#define HAS_SECOND_HALF (CALL->n > HALF + 1)
#define IS_XOR          (group_step_of(CALL->op) == STEP_XOR)

/* A function for each row. */
#define BUG_GROUP(id, ops, types, where, expect, clause, when, gives, text)                        \
    static bool change_##id(const struct element *e, uint64_t u, uint64_t *out)                    \
    {                                                                                              \
        (void)e;                                                                                   \
        (void)u;                                                                                   \
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
    bool (*change)(const struct element *e, uint64_t u, uint64_t *out);
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

bool fault_leaves_open(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k)
{
    struct element const e = {s, i, k};
    uint64_t ignored;
    return fault_is_group_open(id) && find_bug(id)->change(&e, 0, &ignored);
}

bool fault_may_leave(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k,
                     uint64_t got)
{
    const struct group_bug *const bug = find_bug(id);
    struct element const e = {s, i, k};
    uint64_t of_got, of_zero, of_rest;
    if (!bug || !bug->is_open || !bug->change(&e, got, &of_got)) {
        return false;
    }
    (void)bug->change(&e, 0, &of_zero);
    (void)bug->change(&e, fault_cut(got - of_zero, s->call->n_bits), &of_rest);
    return of_got == got ||
           of_rest == got; /* one or the other, if U is a term of a minimum or sum */
}

/* --- what one U gives to two participants --- */

/* Of a minimum or maximum: NaNs may be passed over, and zeros are equal. */
static bool agrees_by_extreme(const struct element *later, const uint64_t got[2])
{
    const struct group_call *const c = later->s->call;
    const struct float_format *const f = &float_formats[c->fmt];
    uint32_t first, end;
    group_get_span(c, later->i, &first, &end);
    uint64_t const with = with_first(later, got[0]);
    return has_nan(c, first, end, later->k) || format_is_nan(f, got[0]) ||
           format_is_nan(f, got[1]) || with == got[1] ||
           (format_is_zero(f, with) && format_is_zero(f, got[1]));
}

/* The sum or product of floats that begins with v: the values of the participants from `from` on are combined one by one, as the
 * first work-item does it. */
static uint64_t combine_steps(const struct element *e, uint64_t v, uint32_t from)
{
    const struct group_call *const c = e->s->call;
    uint32_t first, end;
    group_get_span(c, e->i, &first, &end);
    for (uint32_t p = from; p < end; p++) {
        double const term = decode(c, group_value(c, p, e->k)), all = decode(c, v);
        v = fault_encode((enum fmt_id)c->fmt, fault_is_product(c->op) ? all * term : all + term);
    }
    return v;
}

/* May a scan of sums or products give got[1] to `later` where it gives got[0] to `earlier`? */
static bool agrees_by_steps(const struct element *earlier, const struct element *later,
                            const uint64_t got[2])
{
    const struct float_format *const f = &float_formats[later->s->call->fmt];
    uint32_t first, from;
    group_get_span(earlier->s->call, earlier->i, &first, &from);
    uint64_t const v = combine_steps(later, got[0], from);
    return v == got[1] || (format_is_nan(f, v) && format_is_nan(f, got[1]));
}

/* Is there one integer U of the first participant, among those that fault_may_leave
 * considers, that explains both results? */
static bool agrees_by_value(const struct element *earlier, const struct element *later,
                            const uint64_t got[2])
{
    uint64_t const candidates[2] = {
        got[0], fault_cut(got[0] - with_first(earlier, 0), later->s->call->n_bits)};
    bool agrees = false, is_any = false;
    for (size_t n = 0; n < ARRAY_N(candidates); n++) {
        bool const is_its = with_first(earlier, candidates[n]) == got[0];
        is_any |= is_its;
        agrees |= is_its && with_first(later, candidates[n]) == got[1];
    }
    return agrees || !is_any;
}

/* Of the first value lost. */
static bool agrees_with_first(const struct element *earlier, const struct element *later,
                              const uint64_t got[2])
{
    const struct group_call *const c = later->s->call;
    if (!is_scan(c)) {
        return got[0] == got[1];
    }
    return c->fmt < 0                ? agrees_by_value(earlier, later, got)
           : group_is_extreme(c->op) ? agrees_by_extreme(later, got)
                                     : agrees_by_steps(earlier, later, got);
}

bool fault_agrees(enum fault_id id, const struct fault_group_site *s, const uint32_t i[2],
                  uint32_t k, const uint64_t got[2])
{
    struct element const earlier = {s, i[0], k}, later = {s, i[1], k};
    if (id == FAULT_FIRST_LOST_OPEN) {
        return agrees_with_first(&earlier, &later, got);
    }
    if (id == FAULT_OTHERS_LOST_OPEN && is_scan(s->call)) { /* others go in by and by */
        return combine(s->call, got[0], got[1]) == got[1];
    }
    if (id == FAULT_SECOND_OF_SCAN_OPEN) { /* each but the second has a value that is known */
        return i[1] == 1 || unfolded(&later) == got[1];
    }
    return got[0] == got[1];
}

bool fault_needs_many_doubles(enum fault_id id)
{
    return id == FAULT_FOLD_IN_EIGHTS || id == FAULT_SCAN_IN_EIGHTS;
}

bool fault_shows_twice(enum fault_id id)
{
    return id == FAULT_SECOND_OF_SCAN_OPEN || id == FAULT_FIRST_LOST_OPEN ||
           id == FAULT_OTHERS_LOST_OPEN;
}

bool fault_shows_alone(enum fault_id id, const struct fault_group_site *s, uint32_t i, uint32_t k,
                       uint64_t got)
{
    uint32_t first, end;
    group_get_span(s->call, i, &first, &end);
    return !fault_shows_twice(id) ||
           (id == FAULT_OTHERS_LOST_OPEN && got == group_value(s->call, first, k));
}

bool fault_agrees_elsewhere(enum fault_id id, const struct fault_group_site *s, uint32_t i,
                            uint64_t got, uint64_t elsewhere, bool is_right)
{
    switch ((int)id) {
    case FAULT_SECOND_OF_SCAN_OPEN: /* one register in all work-groups */
        return i != 1 || is_right || got == elsewhere;
    case FAULT_CUT_REDUCE_OPEN: /* with others there are more values to agree */
        return s->call->n > 1 || !is_right;
    default:
        return true;
    }
}

/* Puts what a device with the bug gives to one participant into *out. false: the device gives the honest result. For a sum or product
 * of floats whose first value is lost, `change` gives U itself, because any result may follow from U; the device gives the result
 * that fault_agrees expects. */
static bool plant(const struct group_bug *bug, const struct element *e, uint64_t u, uint64_t *out)
{
    const struct group_call *const c = e->s->call;
    uint32_t first, end;
    if (!bug->change(e, u, out)) {
        return false;
    }
    if (bug->id == FAULT_FIRST_LOST_OPEN && is_scan(c) && c->fmt >= 0 && !group_is_extreme(c->op)) {
        group_get_span(c, e->i, &first, &end);
        *out = combine_steps(e, u, first + 1);
    }
    return true;
}

bool fault_change_by_group_bug(enum fault_id id, const struct fault_group_site *s, uint64_t *result)
{
    const struct group_bug *const bug = find_bug(id);
    bool is_changed = false;
    for (uint32_t k = 0; k < s->call->n_results; k++) {
        uint64_t const u = get_other(s->call, result[k]);
        for (uint32_t i = 0; i < s->call->n; i++) {
            struct element const e = {s, i, k};
            is_changed |= plant(bug, &e, u, &result[(size_t)i * s->call->n_results + k]);
        }
    }
    return is_changed;
}
