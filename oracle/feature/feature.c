/* oracle/feature/feature.c -- what a judged run showed, as cells of a map: tuples by hash, ratios by step. */
#include "oracle/feature/feature.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Rows of ops.def that have cells for ratios: the first ones; later rows are of integers. */
enum {
    RATIO_ROWS = FEATURE_RATIO_CELLS / (FMT_N * FEATURE_RATIO_STEPS)
};

/* What a cell stands for; part of its hash. */
enum tuple {
    TUPLE_ALL,
    TUPLE_SPECIALS, /* from here on: an instruction and this */
    TUPLE_OPERAND,
    TUPLE_RESULT = TUPLE_OPERAND + FEATURE_OPERANDS,
    TUPLE_SCOPE,
    TUPLE_WIDTH,
    TUPLE_COMPONENT,
    TUPLE_SIZE,
    TUPLE_FLOW,
    TUPLE_PLACE,
    TUPLE_DECORATION,
    TUPLE_FLOW_MASK, /* from here on: without the instruction */
    TUPLE_CLASS_MASK,
    TUPLE_CLASS_FLOW,
    TUPLE_PAIR
};

enum {
    BITS_PER_FIELD = 5 /* of a field but the instruction: fewer than 32 values each */
};
static_assert(OP_N < 1 << 16 && VT_N <= 32 && STORAGE_N <= 32, "a field is too narrow");

/* A key under construction. */
static inline uint64_t join(uint64_t key, unsigned field)
{
    return key << BITS_PER_FIELD | field;
}

static void set_cell(struct feature_map *m, unsigned tuple, uint64_t key)
{
    m->cells[hash_bytes(tuple, &key, sizeof key) & (FEATURE_TUPLE_CELLS - 1)] = 1;
}

/* Of an integer of n_bits: 0, all ones, the ends of the signed range, or any other. */
static enum feature_class classify_integer(unsigned n_bits, uint64_t value)
{
    if (n_bits == 0) {
        return FEATURE_INT_ZERO;
    }
    uint64_t const least = UINT64_C(1) << (n_bits - 1), most = least - 1, ones = least | most;
    uint64_t const bits = value & ones;
    if (bits == 0) {
        return FEATURE_INT_ZERO;
    }
    if (n_bits > 1 && bits == ones) {
        return FEATURE_INT_ONES;
    }
    return bits == least || bits == most ? FEATURE_INT_TOP : FEATURE_INT;
}

/* Of a normal number: of the smallest exponent, of the largest, negative, or any other. */
static enum feature_class classify_normal(const struct float_format *f, uint64_t enc)
{
    uint64_t const exponent = enc & f->exp, one_exponent = f->frac + 1;
    if (exponent == one_exponent) {
        return FEATURE_TINY;
    }
    if (exponent + one_exponent == f->exp) {
        return FEATURE_HUGE;
    }
    return enc & f->sign ? FEATURE_NEGATIVE : FEATURE_NORMAL;
}

/* What sort of value an encoding is, as finely as there are classes: of a float (fmt: enum fmt_id) by
 * sign, kind and extreme exponents, of an integer or a bool (fmt: -1) by its n_bits. */
enum feature_class feature_classify(int fmt, unsigned n_bits, uint64_t enc)
{
    if (fmt < 0) {
        return classify_integer(n_bits, enc);
    }
    const struct float_format *f = &float_formats[fmt];
    int const is_negative = (enc & f->sign) != 0;
    switch (format_classify(f, enc)) {
    case FP_CLASS_ZERO:
        return is_negative ? FEATURE_MINUS_ZERO : FEATURE_ZERO;
    case FP_CLASS_SUBNORMAL:
        return FEATURE_SUBNORMAL;
    case FP_CLASS_NORMAL:
        return classify_normal(f, enc);
    case FP_CLASS_INF:
        return is_negative ? FEATURE_MINUS_INF : FEATURE_INF;
    case FP_CLASS_QNAN:
        return FEATURE_QNAN;
    case FP_CLASS_SNAN:
        return FEATURE_SNAN;
    }
    return FEATURE_NOTHING;
}

enum feature_class feature_coarse(enum feature_class c)
{
    static const uint8_t whole[] = {
        [FEATURE_MINUS_ZERO] = FEATURE_ZERO, [FEATURE_NEGATIVE] = FEATURE_NORMAL,
        [FEATURE_TINY] = FEATURE_NORMAL,     [FEATURE_HUGE] = FEATURE_NORMAL,
        [FEATURE_MINUS_INF] = FEATURE_INF,   [FEATURE_INT_TOP] = FEATURE_INT};
    return whole[c] ? (enum feature_class)whole[c] : c;
}

void feature_clear(struct feature_map *m)
{
    memset(m->cells, 0, FEATURE_CELLS);
    memset(m->recent, 0xff, sizeof m->recent);
    if (m->pairs) {
        memset(m->pairs, 0, FEATURE_PAIR_BYTES);
    }
}

/* Is it one of the recent ones? From now on it is. */
static int is_recent(struct feature_map *m, const struct feature *f)
{
    unsigned const at = f->op * 5U + f->operand[0] * 3U + f->operand[1] * 17U + f->result * 41U +
                        f->mask * 7U + f->component * 11U + f->rounding * 101U + f->place * 61U;
    struct feature *const last = &m->recent[at % FEATURE_RECENT];
    if (memcmp(last, f, sizeof *f) == 0) {
        return 1;
    }
    *last = *f;
    return 0;
}

/* The first few components, the last, and what lies between. */
static unsigned position_of(const struct feature *f)
{
    enum {
        BETWEEN = 4,
        LAST
    };
    return f->component + 1 == f->width ? LAST : f->component < BETWEEN ? f->component : BETWEEN;
}

/* Two operands, neither of which is an ordinary number. */
static int are_special(const struct feature *f)
{
    static const uint8_t is_ordinary[] = {
        [FEATURE_NOTHING] = 1, [FEATURE_NORMAL] = 1, [FEATURE_INT] = 1, [FEATURE_INT_TOP] = 0};
    return !is_ordinary[feature_coarse((enum feature_class)f->operand[0])] &&
           !is_ordinary[feature_coarse((enum feature_class)f->operand[1])];
}

/* Sets in m->pairs a cell for the instruction, its type and each pair of known properties of the
 * value. A property of 0 is unknown and sets no cell; a position, which begins at 0, counts from 1. */
static void put_pairs(struct feature_map *m, const struct feature *f)
{
    uint8_t const known[] = {f->operand[0],
                             f->operand[1],
                             f->operand[2],
                             f->result,
                             f->rounding,
                             f->storage,
                             f->scope,
                             f->mask,
                             f->size,
                             f->width,
                             (uint8_t)(f->width ? 1 + position_of(f) : 0),
                             f->flow,
                             f->place,
                             f->decoration};
    for (unsigned i = 0; i < ARRAY_N(known); i++) {
        for (unsigned k = i + 1; known[i] && k < ARRAY_N(known); k++) {
            uint64_t const which = join(join(join(f->op, f->type), i), k);
            uint64_t const key = join(join(which, known[i]), known[k]);
            uint64_t const at = hash_bytes(TUPLE_PAIR, &key, sizeof key) & (FEATURE_PAIR_CELLS - 1);
            m->pairs[at / 8] |= (unsigned char)((known[k] != 0) << at % 8);
        }
    }
}

/* Sets one cell for each tuple of the value's properties (enum tuple lists the combinations). A
 * feature that was recorded recently is skipped, because its cells are set already. */
void feature_put(struct feature_map *m, const struct feature *f)
{
    if (is_recent(m, f)) {
        return;
    }
    if (m->pairs) {
        put_pairs(m, f);
    }
    uint64_t const typed = join(f->op, f->type);
    unsigned const result = feature_coarse((enum feature_class)f->result);
    unsigned greatest_class =
        FEATURE_NOTHING;  /* enum feature_class: a NaN is after all other floats */
    uint64_t classes = 0; /* of the first two operands, which any instruction has room for */
    for (unsigned i = 0; i < FEATURE_OPERANDS; i++) {
        unsigned const class = feature_coarse((enum feature_class)f->operand[i]);
        greatest_class = class > greatest_class ? class : greatest_class;
        classes = i < 2 ? join(classes, class) : classes;
        if (f->operand[i]) {
            set_cell(m, TUPLE_OPERAND + i, join(f->op, f->operand[i]));
        }
    }
    set_cell(m, TUPLE_ALL,
             join(join(join(join(typed, f->storage), f->mask), greatest_class), f->outcome));
    set_cell(m, TUPLE_RESULT, join(join(typed, f->rounding), result));
    set_cell(m, TUPLE_FLOW, join(f->op, f->flow));
    set_cell(m, TUPLE_PLACE, join(f->op, f->place));
    set_cell(m, TUPLE_FLOW_MASK, join(join(f->storage, f->mask), f->flow));
    set_cell(m, TUPLE_CLASS_MASK, join(classes, f->mask));
    set_cell(m, TUPLE_CLASS_FLOW, join(classes, f->flow));
    if (are_special(f)) {
        set_cell(m, TUPLE_SPECIALS, join(join(f->op, f->operand[0]), f->operand[1]));
    }
    if (f->scope) {
        set_cell(m, TUPLE_SCOPE, join(join(f->op, f->storage), f->scope));
    }
    if (f->width) {
        set_cell(m, TUPLE_WIDTH, join(f->op, f->width));
        set_cell(m, TUPLE_COMPONENT, join(f->op, position_of(f)));
    }
    if (f->size) {
        set_cell(m, TUPLE_SIZE, join(f->op, f->size));
    }
    if (f->decoration) {
        set_cell(m, TUPLE_DECORATION, join(f->op, f->decoration));
    }
}

unsigned feature_ratio_step(double ratio)
{
    enum {
        STEP_ONE = 12 /* the bound itself */
    };
    if (ratio > 1) {
        return STEP_ONE + (ratio > 1024 ? 3 : ratio > 16 ? 2 : 1);
    }
    double const step = ratio > 0 ? floor(STEP_ONE + 2 * log2(ratio)) : 0;
    return step > 0 ? (unsigned)step : 0;
}

void feature_put_ratio(struct feature_map *m, unsigned op, enum fmt_id fmt, double ratio)
{
    if (!(ratio >= 0) || fmt == FMT_BF16 || op >= RATIO_ROWS) { /* it has no cells */
        return;
    }
    unsigned char *const first =
        m->cells + FEATURE_TUPLE_CELLS + (op * FMT_N + (unsigned)fmt) * FEATURE_RATIO_STEPS;
    for (unsigned i = 0; i <= feature_ratio_step(ratio); i++) {
        first[i] = 1;
    }
}
