/* oracle/group/reduction_usual.c -- sums and products in the orders that implementations use. */
#include "oracle/group/reduction_usual.h"

#include <math.h>

#include "base/format.h"
#include "oracle/group/reduction.h"
#include "oracle/group/reduction_bound.h"
#include "oracle/group/reduction_step.h"

enum {
    SLOTS = 1024 /* a power of two: positions of a group that trees are laid out over */
};

/* Which values are flushed. */
enum flushed {
    FLUSHED_NONE,
    FLUSHED_OPERANDS,
    FLUSHED_RESULTS
};

struct work {
    struct step step;
    enum flushed flushed;
    double least;
    double identity; /* changes nothing where it is added: -0 */
    int has_both_zeros;
    const struct reduction *r;
    struct reduction_usual *out;
};

/* An array of terms in some layout. */
struct row {
    const double *x;
    uint32_t n;
};

static inline double flush(const struct work *work, double x)
{
    return fabs(x) < work->least ? 0.0 * x : x;
}

static inline double apply(const struct work *work, double a, double b)
{
    if (work->flushed == FLUSHED_NONE) {
        return step_apply(&work->step, a, b);
    }
    if (work->flushed == FLUSHED_OPERANDS) {
        return step_apply(&work->step, flush(work, a), flush(work, b));
    }
    /* By the exact value, which a double holds but for a product of two f64. */
    double const exact = work->step.is_product ? a * b : a + b;
    return fabs(exact) < work->least ? 0.0 * exact : step_apply(&work->step, a, b);
}

static void put_enc(struct reduction_usual *out, uint64_t enc)
{
    for (uint32_t i = 0; i < out->n; i++) {
        if (out->value[i] == enc) {
            return;
        }
    }
    if (out->n < REDUCTION_MAX_USUAL) {
        out->value[out->n++] = enc;
    }
}

static void put(const struct work *work, double x)
{
    uint64_t const enc = step_store(&work->step, x);
    put_enc(work->out, enc);
    if (work->has_both_zeros && format_is_zero(work->step.f, enc)) {
        put_enc(work->out, enc ^ work->step.f->sign);
    }
}

/* --- one order each --- */

static double forward(const struct work *work, const double *x, uint32_t n, uint32_t stride)
{
    double sum = x[0];
    for (uint32_t i = 1; i < n; i++) {
        sum = apply(work, sum, x[i * stride]);
    }
    return sum;
}

static double backward(const struct work *work, const double *x, uint32_t n)
{
    double sum = x[n - 1];
    for (uint32_t i = n - 1; i-- > 0;) {
        sum = apply(work, x[i], sum);
    }
    return sum;
}

static uint32_t power_above(uint32_t n)
{
    uint32_t power = 1;
    while (power < n) {
        power *= 2;
    }
    return power;
}

/* Pairs, then pairs of those: t holds n. */
static double neighbours(const struct work *work, const double *x, uint32_t n, double *t)
{
    uint32_t left = n;
    for (; left > 1; left = (left + 1) / 2, x = t) {
        for (uint32_t i = 0; 2 * i + 1 < left; i++) {
            t[i] = apply(work, x[2 * i], x[2 * i + 1]);
        }
        if (left % 2 != 0) {
            t[left / 2] = x[left - 1];
        }
    }
    return x[0];
}

/* The first half with the second; the halves are of a power of two, or of what is left. */
static double halves(const struct work *work, const double *x, uint32_t n, int is_power, double *t)
{
    uint32_t left = n;
    while (left > 1) {
        uint32_t const half = is_power ? power_above(left) / 2 : (left + 1) / 2;
        for (uint32_t i = 0; i < half; i++) {
            t[i] = i + half < left ? apply(work, x[i], x[i + half]) : x[i];
        }
        left = half;
        x = t;
    }
    return x[0];
}

/* Blocks of powers of two that end at the last term, as doubling steps of a scan leave them. */
static double from_the_end(const struct work *work, const double *x, uint32_t n, double *t)
{
    uint32_t const pad = n % 2;
    uint32_t left = (n + 1) / 2;
    if (n == 1) {
        return x[0];
    }
    for (uint32_t i = 0; i < left; i++) {
        t[i] = pad && i == 0 ? x[0] : apply(work, x[2 * i - pad], x[2 * i + 1 - pad]);
    }
    while (left > 1) {
        uint32_t const odd = left % 2, next = (left + 1) / 2;
        for (uint32_t i = 0; i < next; i++) {
            t[i] = odd && i == 0 ? t[0] : apply(work, t[2 * i - odd], t[2 * i + 1 - odd]);
        }
        left = next;
    }
    return t[0];
}

/* Aligned blocks of powers of two, largest first, added from the left or from the right. */
static void blocks(const struct work *work, struct row row, double *t)
{
    double block[32];
    uint32_t n_blocks = 0, start = 0;
    for (uint32_t size = SLOTS; size != 0; size /= 2) {
        if ((row.n & size) != 0) {
            block[n_blocks++] = neighbours(work, row.x + start, size, t);
            start += size;
        }
    }
    put(work, forward(work, block, n_blocks, 1));
    put(work, backward(work, block, n_blocks));
}

enum order {
    ORDER_FORWARD,
    ORDER_NEIGHBOURS,
    ORDER_HALVES
};
enum {
    ORDER_N = ORDER_HALVES + 1,
    MIN_WIDTH = 4, /* of vectors */
    MAX_WIDTH = 16
};

static double reduce(const struct work *work, enum order order, const double *x, uint32_t n,
                     double *t)
{
    switch (order) {
    case ORDER_FORWARD:
        return forward(work, x, n, 1);
    case ORDER_NEIGHBOURS:
        return neighbours(work, x, n, t);
    case ORDER_HALVES:
        return halves(work, x, n, 1, t);
    }
    return x[0];
}

/* Puts the results of orders by vectors of `width` components: those of one place are added up first, and
 * then what they give; or the components of each vector first. The last vector may have fewer. t: scratch. */
static void vectors(const struct work *work, struct row row, uint32_t width, double *t)
{
    double component[MAX_WIDTH] = {0}, across[SLOTS / MIN_WIDTH + 1];
    for (uint32_t i = 0; i < width; i++) {
        uint32_t const n_there = (row.n - i + width - 1) / width;
        component[i] = forward(work, row.x + i, n_there, width);
    }
    put(work, forward(work, component, width, 1));
    put(work, neighbours(work, component, width, t));
    put(work, halves(work, component, width, 1, t));
    uint32_t const n_across = (row.n + width - 1) / width;
    across[0] = work->identity;
    for (int order = 0; order < ORDER_N; order++) {
        for (uint32_t i = 0; i < n_across; i++) {
            uint32_t const left = row.n - i * width;
            across[i] =
                reduce(work, (enum order)order, row.x + i * width, left < width ? left : width, t);
        }
        put(work, forward(work, across, n_across, 1));
    }
}

/* --- all orders --- */

static void put_trees(const struct work *work, struct row row)
{
    double t[SLOTS];
    put(work, neighbours(work, row.x, row.n, t));
    put(work, halves(work, row.x, row.n, 1, t));
    if ((row.n & (row.n - 1)) != 0) {
        put(work, halves(work, row.x, row.n, 0, t));
        put(work, from_the_end(work, row.x, row.n, t));
        blocks(work, row, t);
    }
    for (uint32_t width = MIN_WIDTH; width <= MAX_WIDTH && width < row.n; width *= 2) {
        vectors(work, row, width, t);
    }
}

/* Lays the terms out in slot at their positions in the group or cluster, with identities, which change
 * nothing, where nobody takes part, up to the last position. 0: they do not fit, or have no gaps, so that
 * the layout is nothing new. */
static int lay_out(const struct work *work, const double *x, double *slot, uint32_t *n_slots)
{
    const struct reduction *r = work->r;
    uint32_t const base = r->size != 0 ? r->index[0] / r->size * r->size : 0;
    uint32_t const last = r->index[r->n - 1] - base;
    if (r->index[r->n - 1] < base || last >= SLOTS || last + 1 == r->n) {
        return 0;
    }
    for (uint32_t i = 0; i <= last; i++) {
        slot[i] = work->identity;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->index[i] < base || r->index[i] - base > last) {
            return 0;
        }
        slot[r->index[i] - base] = x[i];
    }
    *n_slots = last + 1;
    return 1;
}

static void put_orders(const struct work *work, const double *x)
{
    double slot[SLOTS];
    uint32_t const n = work->r->n;
    uint32_t n_slots;
    put(work, forward(work, x, n, 1));
    put(work, backward(work, x, n));
    put_trees(work, (struct row){x, n});
    if (lay_out(work, x, slot, &n_slots)) {
        put_trees(work, (struct row){slot, n_slots});
    }
}

/* More terms than fit: from either end. */
static void put_long(const struct work *work)
{
    const struct reduction *r = work->r;
    struct float_format const *f = work->step.f;
    double up = step_load(f, r->term[0]), down = step_load(f, r->term[r->n - 1]);
    for (uint32_t i = 1; i < r->n; i++) {
        up = apply(work, up, step_load(f, r->term[i]));
        down = apply(work, step_load(f, r->term[r->n - 1 - i]), down);
    }
    put(work, up);
    put(work, down);
}

/* What is the same in all orders. */
static void put_set(const struct set *s, struct reduction_usual *out)
{
    if (s->flags != 0) {
        put_enc(out, float_formats[s->fmt].exp | float_formats[s->fmt].quiet);
    }
    for (unsigned i = 0; i < s->n; i++) {
        for (int64_t key = s->r[i].lo; key <= s->r[i].hi && out->n < REDUCTION_MAX_USUAL; key++) {
            put_enc(out, format_from_key(&float_formats[s->fmt], key));
        }
    }
}

/* Do the rules let values be flushed in this way? may_flush: one of them is subnormal. */
static bool is_permitted(const struct fp_rules *rules, bool may_flush, enum flushed how)
{
    switch (how) {
    case FLUSHED_NONE:
        return !may_flush || rules->flush_out != FLUSH_MUST;
    case FLUSHED_OPERANDS:
        return may_flush && rules->flush_in != FLUSH_NEVER && rules->flush_out != FLUSH_MUST;
    case FLUSHED_RESULTS:
        return may_flush && rules->flush_out != FLUSH_NEVER;
    }
    return false;
}

/* Adds the results of all usual orders to *out, with every step rounded in one mode, once for each permitted way
 * of flushing. view: the terms counted by kind. With more than SLOTS terms only the two linear orders are computed. */
static void put_mode(const struct reduction *r, const struct reduction_view *view,
                     enum real_mode mode, struct reduction_usual *out)
{
    double x[SLOTS];
    bool const is_either_sum = r->rules.rounding == ROUND_EITHER && !r->is_product;
    bool const fits = r->n <= SLOTS;
    struct work work = {.step = step_make(r->fmt, r->is_product, mode), .r = r, .out = out};
    work.least = step_of_bits(work.step.least);
    work.identity = r->is_product ? 1.0 : -0.0;
    /* a flush, or a sum that cancels under another rounding mode, may give a zero of either sign */
    work.has_both_zeros = view->may_flush || r->rules.zero_sign_free || is_either_sum;
    x[0] = work.identity; /* the result without terms */
    for (uint32_t i = 0; i < r->n && fits; i++) {
        x[i] = step_load(work.step.f, r->term[i]);
    }
    for (int how = FLUSHED_NONE; how <= FLUSHED_RESULTS; how++) {
        work.flushed = (enum flushed)how;
        if (!is_permitted(&r->rules, view->may_flush != 0, work.flushed)) {
            continue;
        }
        if (fits) {
            put_orders(&work, x);
        } else {
            put_long(&work);
        }
    }
}

void reduction_get_usual(const struct reduction *r, struct reduction_usual *out)
{
    struct reduction_view view;
    struct set s;
    out->n = 0;
    if (reduction_is_exact(r, &s)) {
        put_set(&s, out);
        return;
    }
    reduction_look(r, &view);
    if (r->rules.rounding != ROUND_RTZ) {
        put_mode(r, &view, REAL_NEAREST, out);
    }
    if (r->rules.rounding != ROUND_RNE) {
        put_mode(r, &view, REAL_ZERO, out);
    }
}

int reduction_is_usual(const struct reduction_usual *u, enum fmt_id fmt, uint64_t got)
{
    struct float_format const *f = &float_formats[fmt];
    bool const is_nan = format_is_nan(f, got);
    for (uint32_t i = 0; i < u->n; i++) {
        if (u->value[i] == got || (is_nan && format_is_nan(f, u->value[i]))) {
            return 1;
        }
    }
    return 0;
}
