/* oracle/group/reduction_tree.c -- the least and the greatest result of all orders, subset by subset. */
#include "oracle/group/reduction_tree.h"

#include "oracle/group/reduction_step.h"

/*
 * A step is monotone in both operands, rounding and flushing included if each flush is taken where
 * it helps, so that the greatest result of a set of terms is that of one split into two sets with
 * the greatest result of each. Rounding being monotone too, the greatest exact result is rounded
 * once for each set. Lane 0 of a cell holds the greatest result; lane 1 the least of a product, and
 * of a sum the greatest of the negated terms.
 */
enum {
    LANES = 2,
    QUICK_TERMS = 9 /* their cells fit on the stack */
};
typedef double lanes[LANES];

/* The greatest exact result so far: the nearest double and, in careful loops, how far that is
 * off. */
struct best {
    lanes s, error;
};

static inline int is_above(double s, double error, double than, double than_error)
{
    return s > than || (!(s < than) && error > than_error);
}

/* Keep s + error, the exact result of x and y whose nearest double is s, if it is better than the best
 * of the lane: greater, or less if is_least. */
static inline void take_exact(struct best *best, unsigned lane, double x, double y, double s,
                              int is_product, int is_least)
{
    double const error = is_product ? step_product_error(x, y, s) : step_sum_error(x, y, s);
    int const is_better = is_least ? is_above(-s, -error, -best->s[lane], -best->error[lane])
                                   : is_above(s, error, best->s[lane], best->error[lane]);
    if (is_better) {
        best->s[lane] = s;
        best->error[lane] = error;
    }
}

/* Takes into `best` what the split of a set into sets a and b gives, lane by lane. Results that are no
 * numbers (of opposite infinities, 0 * inf) lose every comparison. careful: of results whose nearest
 * double is the same, the exact errors decide. */
static inline void take_split(struct best *best, const double *a, const double *b, int is_product,
                              int careful)
{
    double const s0 = is_product ? a[0] * b[0] : a[0] + b[0];
    double const s1 = is_product ? a[1] * b[1] : a[1] + b[1];
    if (!careful) {
        best->s[0] = s0 > best->s[0] ? s0 : best->s[0];
        if (is_product) {
            best->s[1] = s1 < best->s[1] ? s1 : best->s[1];
        } else {
            best->s[1] = s1 > best->s[1] ? s1 : best->s[1];
        }
        return;
    }
    if (s0 >= best->s[0]) {
        take_exact(best, 0, a[0], b[0], s0, is_product, 0);
    }
    if (is_product ? s1 <= best->s[1] : s1 >= best->s[1]) {
        take_exact(best, 1, a[1], b[1], s1, is_product, is_product);
    }
}

/* Takes all splits of a set of terms, a bit mask, into two sets. */
static inline void take_all(struct best *best, lanes *cell, uint32_t set, int is_product,
                            int careful)
{
    uint32_t const low = set & (0 - set), rest = set ^ low;
    uint32_t part = rest; /* the terms that are combined with the lowest one */
    do {
        part = (part - 1) & rest;
        take_split(best, cell[part | low], cell[part ^ rest], is_product, careful);
    } while (part != 0);
}

struct tables {
    const struct reduction_search *q;
    lanes *cell; /* [2^n] */
    struct step step[LANES];
    double least; /* the smallest normal number */
};

/* What a flush makes of lane `lane` of a value; s is the nearest double of its exact value. */
static double flush_lane(const struct tables *tables, unsigned lane, double s, double value)
{
    const struct reduction_search *search = tables->q;
    if (!search->may_flush) {
        return value;
    }
    if (!search->is_product) {
        int const is_tiny = value < tables->least && value > -tables->least;
        return is_tiny && (value < 0 || search->must_flush) ? 0.0 : value;
    }
    if (lane == 0) {
        return search->must_flush && s < tables->least ? 0.0 : value;
    }
    /* The exact product of two f64 may lie below the smallest normal that is nearest to it. */
    int const is_tiny = tables->step[1].is_double ? s <= tables->least : s < tables->least;
    return is_tiny ? 0.0 : value;
}

/* Fills the cells of all sets of two terms and more. A set comes after its subsets, because its
 * number is larger. `careful`: doubles alone do not decide which exact result is greatest
 * (is_careful). The flags are constants at each call, so that the compiler specializes each case. */
static inline void fill_with(const struct tables *tables, int is_product, int careful)
{
    const struct reduction_search *search = tables->q;
    uint32_t const end = (uint32_t)1 << search->n;
    for (uint32_t set = 3; set < end; set++) {
        if ((set & (set - 1)) == 0) { /* a single term */
            continue;
        }
        struct best best = {
            .s = {is_product ? 0.0 : -(double)INFINITY,
                  is_product ? (double)INFINITY : -(double)INFINITY}
        };
        if (careful) {
            best.error[0] = -(double)INFINITY;
            best.error[1] = is_product ? (double)INFINITY : -(double)INFINITY;
        }
        take_all(&best, tables->cell, set, is_product, careful);
        for (unsigned k = 0; k < LANES; k++) {
            double const value = step_finish(&tables->step[k], best.s[k], best.error[k]);
            tables->cell[set][k] = flush_lane(tables, k, best.s[k], value);
        }
    }
}

/* Is every sum of two values exact in a double? They are multiples of the last place of the terms,
 * and rounding up at most doubles what they add up to. */
static int is_exact_in_doubles(const struct reduction_search *search)
{
    double least = (double)INFINITY, sum = 0;
    for (unsigned i = 0; i < search->n; i++) {
        double const size = fabs(search->term[i]);
        least = size < least ? size : least;
        sum += size;
    }
    int const lowest = ilogb(least) - (int)float_formats[search->fmt].prec_bits + 1;
    return search->fmt == FMT_F16 || ilogb(sum) + 2 - lowest <= 53;
}

/* May a double be the nearest of two exact results that round to different values? */
static int is_careful(const struct reduction_search *search)
{
    if (search->rounding == ROUND_RNE) {
        return 0;
    }
    return search->fmt == FMT_F64 || (!search->is_product && !is_exact_in_doubles(search));
}

static void fill(const struct tables *tables)
{
    int const careful = is_careful(tables->q);
    if (tables->q->is_product && careful) {
        fill_with(tables, 1, 1);
    } else if (tables->q->is_product) {
        fill_with(tables, 1, 0);
    } else if (careful) {
        fill_with(tables, 0, 1);
    } else {
        fill_with(tables, 0, 0);
    }
}

/* May one set of terms give an infinity and a disjoint one the opposite infinity or, in a product, a zero? By
 * monotonicity the set of all terms above zero (in a product: one) and the set of those below decide it. */
static int may_be_nan(const struct tables *tables)
{
    const struct reduction_search *search = tables->q;
    uint32_t above = 0, below = 0;
    for (unsigned i = 0; i < search->n; i++) {
        uint32_t *const side = search->term[i] > (search->is_product ? 1.0 : 0.0) ? &above : &below;
        *side |= (uint32_t)1 << i;
    }
    if (above == 0 || below == 0 || !(tables->cell[above][0] >= (double)INFINITY)) {
        return 0;
    }
    double const low = tables->cell[below][1];
    return search->is_product ? low <= 0 : low >= (double)INFINITY;
}

/* How a step is rounded that is to give the greatest result. */
static enum real_mode mode_of(enum rounding rounding)
{
    if (rounding == ROUND_RNE) {
        return REAL_NEAREST;
    }
    return rounding == ROUND_RTZ ? REAL_ZERO : REAL_UP;
}

/* The cells of single terms: the term itself, or the zero that it may be flushed to where that is
 * better. */
static void fill_terms(const struct tables *tables)
{
    const struct reduction_search *search = tables->q;
    for (unsigned i = 0; i < search->n; i++) {
        double const x = search->term[i];
        int const may_vanish = search->may_flush && fabs(x) < tables->least;
        double *const cell = tables->cell[(uint32_t)1 << i];
        cell[0] = may_vanish && x < 0 ? 0.0 : x;
        cell[1] = search->is_product ? x : -x;
        if (may_vanish && (search->is_product || x > 0)) {
            cell[1] = 0.0;
        }
    }
}

/* Finds the least and the greatest result of adding or multiplying the terms in any order. Each
 * set of terms has a cell with the extremes of that set (see the top of the file), so that the
 * cell of all terms holds the answer. Returns 0 where the arena is full. */
int reduction_find_extremes(const struct reduction_search *s, struct arena *a,
                            struct reduction_extremes *out)
{
    lanes quick[1 << QUICK_TERMS];
    struct tables tables = {.q = s, .cell = quick};
    enum real_mode const greatest = mode_of(s->rounding);
    /* the least product is rounded down, the least sum as the greatest of negated terms */
    enum real_mode const least = s->is_product && greatest == REAL_UP ? REAL_ZERO : greatest;
    tables.step[0] = step_make(s->fmt, s->is_product, greatest);
    tables.step[1] = step_make(s->fmt, s->is_product, least);
    tables.least = step_of_bits(tables.step[0].least);
    if (s->n > QUICK_TERMS) {
        tables.cell = arena_take(a, sizeof(lanes) << s->n);
        if (!tables.cell) {
            return 0;
        }
    }
    fill_terms(&tables);
    fill(&tables);
    uint32_t const all = ((uint32_t)1 << s->n) - 1;
    out->hi = tables.cell[all][0];
    out->lo = s->is_product ? tables.cell[all][1] : -tables.cell[all][1];
    out->may_be_nan = may_be_nan(&tables);
    return 1;
}
