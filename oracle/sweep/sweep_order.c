/* oracle/sweep/sweep_order.c -- breaks of monotonicity between neighbouring inputs, and of symmetry between x and -x. */
#include "oracle/sweep/sweep_order.h"

#include <limits.h>
#include <math.h>

#include "base/format.h"
#include "oracle/math/accuracy.h"
#include "oracle/sweep/evaluator_kernel.h"

/* Where a function of one argument is monotone: from `from` to `to`, in direction 1 or -1. */
struct stretch {
    double from, to;
    int direction;
};
enum {
    N_STRETCHES = 2
};
/* pi/2 and pi are cut short of the true ones; the minimum of gamma is at 1.4616. */
/* clang-format off */
#define ALL(direction) {{-HUGE_VAL, HUGE_VAL, direction}}
static const struct stretch stretches[FUNC_N][N_STRETCHES] = {
    [FUNC_ACOS] = ALL(-1),       [FUNC_ACOSH] = ALL(1),       [FUNC_ACOSPI] = ALL(-1),
    [FUNC_ASIN] = ALL(1),        [FUNC_ASINH] = ALL(1),       [FUNC_ASINPI] = ALL(1),
    [FUNC_ATAN] = ALL(1),        [FUNC_ATANH] = ALL(1),       [FUNC_ATANPI] = ALL(1),
    [FUNC_CBRT] = ALL(1),        [FUNC_CEIL] = ALL(1),        [FUNC_ERFC] = ALL(-1),
    [FUNC_ERF] = ALL(1),         [FUNC_EXP] = ALL(1),         [FUNC_EXP2] = ALL(1),
    [FUNC_EXP10] = ALL(1),       [FUNC_EXPM1] = ALL(1),       [FUNC_FLOOR] = ALL(1),
    [FUNC_LOG] = ALL(1),         [FUNC_LOG2] = ALL(1),        [FUNC_LOG10] = ALL(1),
    [FUNC_LOG1P] = ALL(1),       [FUNC_RINT] = ALL(1),        [FUNC_ROUND] = ALL(1),
    [FUNC_RSQRT] = ALL(-1),      [FUNC_SINH] = ALL(1),        [FUNC_SQRT] = ALL(1),
    [FUNC_TANH] = ALL(1),        [FUNC_TRUNC] = ALL(1),       [FUNC_DEGREES] = ALL(1),
    [FUNC_RADIANS] = ALL(1),     [FUNC_SIGN] = ALL(1),        [FUNC_FNEGATE] = ALL(-1),
    [FUNC_COS] = {{-3.14, 0, 1}, {0, 3.14, -1}},
    [FUNC_COSH] = {{-HUGE_VAL, 0, -1}, {0, HUGE_VAL, 1}},
    [FUNC_COSPI] = {{-1, 0, 1}, {0, 1, -1}},
    [FUNC_FABS] = {{-HUGE_VAL, 0, -1}, {0, HUGE_VAL, 1}},
    [FUNC_FRACT] = {{-0.99, -0x1p-149, 1}, {0, 0.99, 1}},
    [FUNC_LGAMMA] = {{0, 1.46, -1}, {1.47, HUGE_VAL, 1}},
    [FUNC_LOGB] = {{-HUGE_VAL, 0, -1}, {0, HUGE_VAL, 1}},
    [FUNC_SIN] = {{-1.57, 1.57, 1}},
    [FUNC_SINPI] = {{-0.5, 0.5, 1}},
    [FUNC_TAN] = {{-1.57, 1.57, 1}},
    [FUNC_TANPI] = {{-0.5, 0.5, 1}},
    [FUNC_TGAMMA] = {{0, 1.46, -1}, {1.47, HUGE_VAL, 1}},
    [FUNC_RECIP] = {{-HUGE_VAL, 0, -1}, {0, HUGE_VAL, -1}},
};
/* clang-format on */

/* 1 if the function rises from x to its neighbour x + 1 (as encodings; the neighbour is farther from zero),
 * -1 if it falls, 0 if nothing is said: both have to be in one stretch over which it is monotone. */
int sweep_get_direction(enum func_id func, enum fmt_id fmt, uint64_t x)
{
    struct float_format const *f = &float_formats[fmt];
    int const is_negative = (x & f->sign) != 0;
    uint64_t const m = x & ~f->sign;
    if (m >= f->exp) {
        return 0;
    }
    double const a = accuracy_magnitude(fmt, m);
    double const from = is_negative ? -a : a;
    for (int i = 0; i < N_STRETCHES; i++) {
        struct stretch const *s = &stretches[func][i];
        /* more than a step of any format at a */
        double const room = a * 0x1p-9 + 0x1p-20;
        if (from >= s->from && from <= s->to && (is_negative || from + room <= s->to) &&
            (!is_negative || from - room >= s->from)) {
            return is_negative ? -s->direction : s->direction;
        }
    }
    return 0;
}

/* Between which binades (exponents) all values of the function lie for positive, or for negative, arguments:
 * *lowest and *highest, INT_MIN and INT_MAX for no limit. */
void sweep_get_binades(enum func_id func, int is_negative, int *lowest, int *highest)
{
    enum {
        BELOW_ONE = -1 /* and 1 itself: a power of two has the ulp of those below it */
    };
    *lowest = INT_MIN;
    *highest = INT_MAX;
    if (func == FUNC_EXP || func == FUNC_EXP2 || func == FUNC_EXP10) {
        *lowest = is_negative ? INT_MIN : 0;
        *highest = is_negative ? BELOW_ONE : INT_MAX;
    } else if (func == FUNC_COSH) { /* 1 or more; a function that is not listed has no limit */
        *lowest = 0;
    } else if (func == FUNC_ERFC) {
        *lowest = is_negative ? 0 : INT_MIN;
        *highest = is_negative ? 0 : BELOW_ONE;
    } else if (func == FUNC_COS || func == FUNC_SIN || func == FUNC_COSPI || func == FUNC_SINPI ||
               func == FUNC_TANH || func == FUNC_ERF || (func == FUNC_EXPM1 && is_negative)) {
        *highest = BELOW_ONE;
    }
}

/* Two results out of order: numbers or infinities, the zeros equal. */
EVALUATOR_INLINE int is_break(int32_t x, int32_t y, int direction)
{
    int32_t const sign = INT32_MIN;
    int32_t const mx = x & ~sign, my = y & ~sign;
    int32_t const kx = x < 0 ? -mx : mx, ky = y < 0 ? -my : my;
    int const is_out = direction > 0 ? ky < kx : ky > kx;
    return is_out & (mx <= 0x7f800000) & (my <= 0x7f800000);
}

EVALUATOR_INLINE uint32_t count_pairs(const uint32_t *x, const uint32_t *got, uint32_t n,
                                      int direction)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i + 1 < n; i++) {
        int const is_next = x[i] + 1 == x[i + 1];
        out += (uint32_t)(is_next & is_break((int32_t)got[i], (int32_t)got[i + 1], direction));
    }
    return out;
}

#define COUNT_LOOPS(isa)                                                                           \
    EVALUATOR_TARGET_##isa static uint32_t count_##isa(const uint32_t *x, const uint32_t *got,     \
                                                       uint32_t n, int direction)                  \
    {                                                                                              \
        return direction > 0 ? count_pairs(x, got, n, 1) : count_pairs(x, got, n, -1);             \
    }
/* clang-format off */
EVALUATOR_FOR_EACH(COUNT_LOOPS)
static uint32_t (*const count[EVALUATOR_ISA_N])(const uint32_t *, const uint32_t *, uint32_t,
                                                int) = EVALUATOR_TABLE(count);
/* clang-format on */

/* How many pairs of neighbours that begin at [first, last) go in the wrong direction, each judged by its own; *at is the first.
 * Pairs whose inputs do not follow one another, and those with a NaN, do not count. */
static uint32_t count_one_by_one(const struct sweep *s, const struct sweep_block *block,
                                 const void *got, uint32_t first, uint32_t last, uint64_t *at)
{
    struct float_format const *f = &float_formats[s->fmt];
    uint32_t out = 0;
    for (uint32_t i = first; i < last; i++) {
        uint64_t const x = sweep_load(s->fmt, block->x, i), y = sweep_load(s->fmt, got, i);
        uint64_t const next_y = sweep_load(s->fmt, got, i + 1);
        if (x + 1 != sweep_load(s->fmt, block->x, i + 1) || format_is_nan(f, y) ||
            format_is_nan(f, next_y)) {
            continue;
        }
        int const direction = sweep_get_direction(s->func, s->fmt, x);
        /* keys: -0 is -1, +0 is 0; here they are equal */
        int64_t const key = format_to_key(f, format_is_zero(f, y) ? 0 : y);
        int64_t const next_key = format_to_key(f, format_is_zero(f, next_y) ? 0 : next_y);
        bool const is_wrong =
            (direction > 0 && next_key < key) || (direction < 0 && next_key > key);
        *at = is_wrong && out == 0 ? x : *at;
        out += is_wrong;
    }
    return out;
}

/* Book n breaks among the pairs [first, last) of a form. Where the lowest of all so far may be among them, it is looked for. */
static void put_breaks(struct sweep *s, const struct sweep_block *block, uint32_t form,
                       uint32_t first, uint32_t last, uint32_t n)
{
    struct sweep_result *const r = &s->result[form];
    uint64_t at = 0;
    if (n > 0 && (r->n_breaks == 0 || sweep_load(s->fmt, block->x, first) < r->break_x)) {
        (void)count_one_by_one(s, block, block->got[form], first, last, &at);
        r->break_x = r->n_breaks == 0 || at < r->break_x ? at : r->break_x;
    }
    r->n_breaks += n;
}

enum {
    MIXED = 2
};
/* One direction (or none, 0) from pair `first` to pair `last`? Stretches begin and end farther apart
 * than a piece is long. */
static int find_direction(const struct sweep *s, const struct sweep_block *block, uint32_t first,
                          uint32_t last)
{
    uint64_t const x = sweep_load(s->fmt, block->x, first), y = sweep_load(s->fmt, block->x, last);
    int const direction = sweep_get_direction(s->func, s->fmt, x);
    int const is_run = s->fmt == FMT_F32 && y == x + (last - first);
    return is_run && direction == sweep_get_direction(s->func, s->fmt, y) ? direction : MIXED;
}

static int is_monotone(enum func_id func)
{
    return stretches[func][0].direction != 0;
}

/* Counts for each form the pairs of neighbouring inputs between which a monotone function goes the wrong way.
 * By pieces: where one direction holds for a whole piece, a loop without branches counts. */
void sweep_count_breaks(struct sweep *s, const struct sweep_block *block, enum evaluator_isa isa)
{
    if (block->y || block->n < 2 || !is_monotone(s->func)) {
        return;
    }
    for (uint32_t first = 0; first + 1 < block->n; first += SWEEP_PIECE) {
        uint32_t const last =
            block->n - 1 - first < SWEEP_PIECE ? block->n - 1 : first + SWEEP_PIECE;
        int const direction = find_direction(s, block, first, last);
        for (uint32_t form = 0; form < s->n_forms; form++) {
            const void *const got = block->got[form];
            if (direction == 0) {
                break;
            }
            uint64_t ignored = 0;
            uint32_t const n =
                direction == MIXED
                    ? count_one_by_one(s, block, got, first, last, &ignored)
                    : count[isa]((const uint32_t *)block->x + first, (const uint32_t *)got + first,
                                 last - first + 1, direction);
            put_breaks(s, block, form, first, last, n);
        }
    }
}

/* ---- symmetry ---- */

/* 1: f(-x) = f(x); -1: f(-x) = -f(x). */
static const signed char parities[FUNC_N] = {
    [FUNC_ASIN] = -1,  [FUNC_ASINH] = -1,   [FUNC_ASINPI] = -1,  [FUNC_ATAN] = -1,
    [FUNC_ATANH] = -1, [FUNC_ATANPI] = -1,  [FUNC_CBRT] = -1,    [FUNC_COS] = 1,
    [FUNC_COSH] = 1,   [FUNC_COSPI] = 1,    [FUNC_ERF] = -1,     [FUNC_FABS] = 1,
    [FUNC_LOGB] = 1,   [FUNC_RINT] = -1,    [FUNC_ROUND] = -1,   [FUNC_SIN] = -1,
    [FUNC_SINH] = -1,  [FUNC_SINPI] = -1,   [FUNC_TAN] = -1,     [FUNC_TANH] = -1,
    [FUNC_TANPI] = -1, [FUNC_TRUNC] = -1,   [FUNC_DEGREES] = -1, [FUNC_RADIANS] = -1,
    [FUNC_SIGN] = -1,  [FUNC_FNEGATE] = -1, [FUNC_RECIP] = -1,
};

int sweep_get_parity(enum func_id func)
{
    return parities[func];
}

/* Of a NaN one encoding, of other results that of the function at |x|: with `flip` the sign is changed. */
static uint64_t canonize(const struct float_format *f, uint64_t got, uint64_t flip)
{
    return format_is_nan(f, got) ? f->exp + 1 : got ^ flip;
}

bool sweep_is_mirrored(enum fmt_id fmt, int parity, uint64_t got, uint64_t got_of_negative)
{
    const struct float_format *const f = &float_formats[fmt];
    uint64_t const flip = parity < 0 ? f->sign : 0;
    return canonize(f, got, 0) == canonize(f, got_of_negative, flip);
}

/* A number that stands for the magnitude of an argument in a sum of results. */
EVALUATOR_INLINE uint64_t weigh(uint32_t magnitude)
{
    uint32_t const mixed = magnitude * 0x9e3779b1u;
    return mixed ^ mixed >> 15;
}

EVALUATOR_INLINE uint64_t add_results(uint32_t magnitude, const uint32_t *got, uint32_t n,
                                      uint32_t flip)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        int const is_nan = (got[i] & 0x7fffffffu) > 0x7f800000u;
        uint32_t const result = is_nan ? 0x7f800001u : got[i] ^ flip;
        sum += weigh(magnitude + i) * result;
    }
    return sum;
}

#define ADD_LOOPS(isa)                                                                             \
    EVALUATOR_TARGET_##isa static uint64_t add_##isa(uint32_t magnitude, const uint32_t *got,      \
                                                     uint32_t n, uint32_t flip)                    \
    {                                                                                              \
        return add_results(magnitude, got, n, flip);                                               \
    }
/* clang-format off */
EVALUATOR_FOR_EACH(ADD_LOOPS)
static uint64_t (*const add[EVALUATOR_ISA_N])(uint32_t, const uint32_t *, uint32_t,
                                              uint32_t) = EVALUATOR_TABLE(add);
/* clang-format on */

/* The sum of n results of the magnitudes from `magnitude` on, at item `first` of a form. */
static uint64_t sum_results(const struct sweep *s, const void *got, uint32_t first,
                            uint32_t magnitude, uint32_t n, uint64_t flip, enum evaluator_isa isa)
{
    if (s->fmt == FMT_F32) {
        return add[isa](magnitude, (const uint32_t *)got + first, n, (uint32_t)flip);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t const result = sweep_load(s->fmt, got, first + i);
        sum += weigh(magnitude + i) * canonize(&float_formats[s->fmt], result, flip);
    }
    return sum;
}

void sweep_add_halves(struct sweep *s, uint32_t base, const void *const *got, uint32_t n,
                      enum evaluator_isa isa)
{
    const struct float_format *const f = &float_formats[s->fmt];
    uint32_t const sign = (uint32_t)f->sign, binade_items = 1u << (f->prec_bits - 1);
    int const parity = sweep_get_parity(s->func);
    if (parity == 0 || s->fmt == FMT_F64) {
        return;
    }
    for (uint32_t first = 0; first < n;) {
        uint32_t const x = base + first, magnitude = x & ~sign;
        uint32_t const is_negative = (x & sign) != 0;
        uint32_t const rest = binade_items - magnitude % binade_items;
        uint32_t const n_here = n - first < rest ? n - first : rest;
        uint64_t const flip = parity < 0 && is_negative ? sign : 0;
        for (uint32_t form = 0; form < s->n_forms; form++) {
            s->result[form].half[is_negative][magnitude / binade_items] +=
                sum_results(s, got[form], first, magnitude, n_here, flip, isa);
        }
        first += n_here;
    }
}

void sweep_compare_halves(struct sweep_result *r, enum fmt_id fmt)
{
    r->n_asymmetric = r->asymmetric_x = 0;
    for (uint32_t i = SWEEP_BINADES; i-- > 0;) {
        if (r->half[0][i] != r->half[1][i]) {
            r->n_asymmetric++;
            r->asymmetric_x = (uint64_t)i << (float_formats[fmt].prec_bits - 1);
        }
    }
}
