/* oracle/group/test_group_float.c -- float min, max and AllEqual: rows by hand, and every order of every
 * choice of flushes. */
#include <stdlib.h>

#include "oracle/group/test_group_world.h"

enum {
    MAX_VALUES = 4,
    ANY_NAN = SET_QNAN | SET_SNAN,
    NU_MIN = SpvOpGroupNonUniformFMin,
    NU_MAX = SpvOpGroupNonUniformFMax,
    CL_MIN = SpvOpGroupFMin,
    CL_MAX = SpvOpGroupFMax
};
#define END UINT64_MAX /* of a list of encodings */

/* f32 encodings */
enum {
    P0 = 0,
    P1 = 0x3f800000,
    P2 = 0x40000000,
    PINF = 0x7f800000,
    QN = 0x7fc00000,
    SN = 0x7f800001,
    SUB3 = 3,
    SUB5 = 5
};
static const uint64_t N0 = 0x80000000, N1 = 0xbf800000, N2 = 0xc0000000, NINF = 0xff800000,
                      NSUB3 = 0x80000003, NSUB5 = 0x80000005;

static const struct rules keep = {.special_clause = CLAUSE_NOT_NAN_INF};
static const struct rules may_flush = {
    .fp = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY}
};
static const struct rules must_flush = {
    .fp = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MUST}
};
static const struct rules free_sign = {.fp = {.zero_sign_free = 1}};
static const struct rules no_special = {.special = GRADE_UNDEFINED,
                                        .special_clause = CLAUSE_NOT_NAN_INF};
static const struct rules atomic_like = {.special = GRADE_DIVERGENCE,
                                         .special_clause = CLAUSE_SZINP_ATOMICS};

/* Grade and clause of a value outside the set. */
enum outside {
    BOUND, /* of GroupNonUniform */
    PLAIN, /* of OpGroup* and AMD's */
    NAN_OPEN,
    FIRST,
    SNAN_OPEN,
    UNBOUND,
    SZINP
};
static const struct {
    enum grade grade;
    enum clause_id clause;
} outsides[] = {
    [BOUND] = {GRADE_VIOLATION,  CLAUSE_GROUP_MINMAX_NAN      },
    [PLAIN] = {GRADE_VIOLATION,  CLAUSE_GROUP_MINMAX          },
    [NAN_OPEN] = {GRADE_DIVERGENCE, CLAUSE_GROUP_MINMAX_UNDEFINED},
    [FIRST] = {GRADE_VIOLATION,  CLAUSE_GROUP_IDENTITY        },
    [SNAN_OPEN] = {GRADE_DIVERGENCE, CLAUSE_GROUP_MINMAX_NAN      },
    [UNBOUND] = {GRADE_UNDEFINED,  CLAUSE_NOT_NAN_INF           },
    [SZINP] = {GRADE_DIVERGENCE, CLAUSE_SZINP_ATOMICS         },
};

/* Encodings up to the first that is END. */
struct list {
    uint64_t enc[MAX_VALUES + 1];
};
#define LIST(...)                                                                                  \
    (struct list)                                                                                  \
    {                                                                                              \
        .enc = { __VA_ARGS__, END }                                                                \
    }
static const struct list none = {.enc = {END}};

static unsigned length(const struct list *l)
{
    unsigned n = 0;
    while (l->enc[n] != END) {
        n++;
    }
    return n;
}

static void expect(uint32_t op, const struct rules *r, struct list values, struct list want,
                   unsigned flags, enum outside outside)
{
    struct set s;
    enum clause_id clause;
    unsigned const n = length(&values), n_want = length(&want);
    enum grade const grade = group_minmax(op, FMT_F32, values.enc, n, r, &s, &clause);
    int same = grade == outsides[outside].grade && clause == outsides[outside].clause &&
               (s.flags & flags) == flags && !(s.flags & ~flags & SET_ANY);
    same = same && ((flags & SET_ANY) || (s.flags == flags && set_count(&s) == n_want + !!flags));
    for (unsigned i = 0; i < n_want; i++) {
        same = same && set_has(&s, want.enc[i]);
    }
    if (!same) {
        struct arena a;
        arena_init(&a, 1 << 20);
        fail_msg("%s of 0x%llx ...: grade %d clause %s, %s", op_name(op),
                 (unsigned long long)values.enc[0], (int)grade, clause_rows[clause].id,
                 set_to_text(&s, &a));
    }
}

static void numbers_and_zeros(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX);
    COVERS(GROUP_IDENTITY);
    expect(NU_MIN, &keep, LIST(P2, P1, PINF), LIST(P1), 0, BOUND);
    expect(NU_MAX, &keep, LIST(P2, P1, N1), LIST(P2), 0, BOUND);
    expect(CL_MIN, &keep, LIST(N1, P1, N2), LIST(N2), 0, PLAIN);
    expect(CL_MAX, &keep, LIST(N1, NINF, N2), LIST(N1), 0, PLAIN);
    expect(CL_MAX, &keep, LIST(N0), LIST(N0), 0, PLAIN);
    expect(SpvOpGroupFMinNonUniformAMD, &keep, LIST(P2, N1), LIST(N1), 0, PLAIN);
    expect(SpvOpGroupFMaxNonUniformAMD, &keep, LIST(P2, N1), LIST(P2), 0, PLAIN);
    /* either zero where both are there */
    expect(NU_MIN, &keep, LIST(P0, N0, P1), LIST(P0, N0), 0, BOUND);
    expect(NU_MAX, &keep, LIST(P0, N0, N1), LIST(P0, N0), 0, BOUND);
    expect(NU_MIN, &keep, LIST(N0, P1), LIST(N0), 0, BOUND);
    expect(NU_MIN, &keep, LIST(P0, N0, N1), LIST(N1), 0, BOUND);
    expect(NU_MIN, &free_sign, LIST(N0, P1), LIST(P0, N0), 0, BOUND);
    /* nobody: the identity */
    expect(NU_MIN, &keep, none, LIST(PINF), 0, FIRST);
    expect(CL_MAX, &keep, none, LIST(NINF), 0, FIRST);
}

static void nans_and_infinities(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX_NAN);
    COVERS(GROUP_MINMAX_UNDEFINED);
    expect(NU_MIN, &keep, LIST(QN, P2, P1), LIST(P1), 0, BOUND);
    expect(NU_MAX, &keep, LIST(QN, P2, P1), LIST(P2), 0, BOUND);
    expect(NU_MIN, &keep, LIST(QN, QN), none, SET_ANY, BOUND);
    expect(NU_MIN, &keep, LIST(SN, P1), LIST(P1), ANY_NAN, SNAN_OPEN);
    expect(CL_MIN, &keep, LIST(QN, P1), LIST(P1), ANY_NAN, NAN_OPEN);
    expect(CL_MIN, &keep, LIST(QN), none, SET_ANY, NAN_OPEN);
    /* where no clause binds them */
    expect(NU_MIN, &no_special, LIST(QN, P1), none, SET_ANY, UNBOUND);
    expect(NU_MIN, &no_special, LIST(PINF, P1), none, SET_ANY, UNBOUND);
    expect(NU_MIN, &no_special, none, none, SET_ANY, UNBOUND);
    expect(NU_MIN, &no_special, LIST(P2, P1), LIST(P1), 0, BOUND);
    expect(NU_MIN, &atomic_like, LIST(QN, P1), LIST(P1), 0, SZINP);
}

static void subnormals(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX);
    expect(NU_MIN, &keep, LIST(SUB3, SUB5), LIST(SUB3), 0, BOUND);
    expect(NU_MIN, &may_flush, LIST(SUB3, SUB5), LIST(SUB3, P0, N0), 0, BOUND);
    expect(NU_MIN, &may_flush, LIST(NSUB3, NSUB5), LIST(NSUB3, NSUB5, P0, N0), 0, BOUND);
    expect(NU_MAX, &may_flush, LIST(SUB3, SUB5), LIST(SUB3, SUB5, P0, N0), 0, BOUND);
    expect(NU_MIN, &may_flush, LIST(SUB3, N1), LIST(N1), 0, BOUND);
    expect(NU_MIN, &may_flush, LIST(SUB3, P0), LIST(P0, N0), 0, BOUND);
    expect(NU_MAX, &may_flush, LIST(SUB3, P0), LIST(SUB3, P0, N0), 0, BOUND);
    expect(NU_MIN, &may_flush, LIST(QN, SUB3, P1), LIST(SUB3, P0, N0), 0, BOUND);
    expect(NU_MIN, &must_flush, LIST(SUB3, SUB5), LIST(P0, N0), 0, BOUND);
    expect(NU_MIN, &must_flush, LIST(SUB3), LIST(SUB3, P0, N0), 0, BOUND);
    expect(NU_MIN, &must_flush, LIST(0x00800000, P1), LIST(0x00800000), 0, BOUND);
}

/* ---- every order, every flush ---- */

/* Small floats for a search: sign and magnitude of f16. */
static int is_less(unsigned a, unsigned b)
{
    int const x = a & 0x8000 ? -(int)(a & 0x7fff) : (int)a;
    int const y = b & 0x8000 ? -(int)(b & 0x7fff) : (int)b;
    return x < y;
}
static int is_subnormal(unsigned a)
{
    return (a & 0x7fff) != 0 && (a & 0x7fff) < 0x400;
}

/* What a step may read or leave: the encoding and, if it may flush, both zeros. */
static unsigned readings(unsigned enc, int flushes, unsigned *out)
{
    out[0] = enc;
    out[1] = 0;
    out[2] = 0x8000;
    return flushes && is_subnormal(enc) ? 3 : 1;
}

struct reach {
    unsigned char can[65536];
    int flushes_in, flushes_out, is_max;
};

/* All a sequential reduction may come to: each term in turn, read and left in any way. */
static void walk(struct reach *reach, unsigned accu, const unsigned *term, unsigned n)
{
    unsigned a[3], b[3], left[3];
    if (n == 0) {
        reach->can[accu] = 1;
        return;
    }
    unsigned const n_a = readings(accu, reach->flushes_in, a);
    unsigned const n_b = readings(term[0], reach->flushes_in, b);
    for (unsigned i = 0; i < n_a * n_b; i++) {
        unsigned const x = a[i / n_b], y = b[i % n_b];
        for (unsigned tie = 0; tie < 2; tie++) { /* equal values: either, which matters for zeros */
            int const is_tie = !is_less(x, y) && !is_less(y, x);
            int const takes_x = is_tie ? tie != 0 : is_less(x, y) != reach->is_max;
            unsigned const v = takes_x ? x : y;
            unsigned const n_left = readings(v, reach->flushes_out, left);
            for (unsigned k = 0; k < n_left; k++) {
                walk(reach, left[k], term + 1, n - 1);
            }
        }
    }
}

static void permute(struct reach *reach, unsigned *term, unsigned at, unsigned n)
{
    if (at + 1 >= n) {
        walk(reach, term[0], term + 1, n - 1);
        return;
    }
    for (unsigned k = at; k < n; k++) {
        unsigned const held = term[at];
        term[at] = term[k];
        term[k] = held;
        permute(reach, term, at + 1, n);
        term[k] = term[at];
        term[at] = held;
    }
}

/* The set holds all that some order may come to, and nothing more. */
static void sets_hold_what_orders_reach(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX);
    COVERS(GROUP_MINMAX_NAN);
    static const unsigned pool[] = {0,      0x8000, 1,      3,      0x8001, 0x8005, 0x3ff,
                                    0x83ff, 0x400,  0x8400, 0x3c00, 0xbc00, 0x7c00, 0xfc00};
    static struct reach reach;
    struct rng rng = rng_seed(1);
    size_t n_wide = 0, n_members = 0;
    for (unsigned round = 0; round < 1500; round++) {
        unsigned term[3];
        uint64_t value[3];
        unsigned const n = (unsigned)rng_below(&rng, 2) + 2, mode = (unsigned)rng_below(&rng, 3);
        struct rules const *r = mode ? &may_flush : &keep;
        struct rules operands = may_flush;
        operands.fp.flush_out = FLUSH_NEVER;
        r = mode == 2 ? &operands : r;
        for (unsigned i = 0; i < n; i++) {
            value[i] = term[i] = pool[rng_below(&rng, ARRAY_N(pool))];
        }
        memset(&reach, 0, sizeof reach);
        reach.flushes_in = mode != 0;
        reach.flushes_out = mode == 1;
        reach.is_max = round % 2 != 0;
        permute(&reach, term, 0, n);
        struct set s;
        enum clause_id clause;
        enum grade const grade =
            group_minmax(reach.is_max ? NU_MAX : NU_MIN, FMT_F16, value, n, r, &s, &clause);
        assert_int_equal(grade, GRADE_VIOLATION);
        for (unsigned enc = 0; enc < 65536; enc++) {
            if ((enc & 0x7fff) <= 0x7c00 && set_has(&s, enc) != (reach.can[enc] != 0)) {
                fail_msg("round %u mode %u %s of %04x %04x %04x: %04x is %s", round, mode,
                         reach.is_max ? "max" : "min", term[0], term[1], n > 2 ? term[2] : 0, enc,
                         reach.can[enc] ? "missing" : "too many");
            }
            n_members += reach.can[enc];
        }
        n_wide += set_count(&s) > 1;
    }
    assert_true(n_wide > 100 && n_members > 1500);
}

/* NaNs among the values do not change the minimum of NonUniform instructions, for any number of values and in any
 * format. */
static void nans_give_way_at_any_size(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX_NAN);
    struct rng rng = rng_seed(2);
    size_t n_nans = 0, n_all = 0;
    for (unsigned round = 0; round < 3000; round++) {
        enum fmt_id const fmt = (enum fmt_id)(round % FMT_N);
        const struct float_format *f = &float_formats[fmt];
        uint64_t value[LANES], number[LANES];
        uint32_t n = (uint32_t)rng_below(&rng, LANES) + 1, n_numbers = 0;
        for (uint32_t i = 0; i < n; i++) {
            value[i] = rng_next(&rng) & format_mask(f);
            if (rng_below(&rng, 3) == 0) {
                value[i] |= f->exp | f->quiet;
            }
            if (format_is_nan(f, value[i])) {
                value[i] |= f->quiet;
                n_nans++;
            } else {
                number[n_numbers++] = value[i];
            }
        }
        struct set with, without;
        enum clause_id clause;
        assert_int_equal(group_minmax(NU_MIN, fmt, value, n, &keep, &with, &clause),
                         GRADE_VIOLATION);
        if (n_numbers == 0) {
            assert_true(with.flags & SET_ANY);
            n_all++;
            continue;
        }
        (void)group_minmax(NU_MIN, fmt, number, n_numbers, &keep, &without, &clause);
        assert_true(set_count(&with) == set_count(&without) && with.flags == without.flags);
        assert_true(set_has(&with, set_nth(&without, 0)));
        uint64_t least = number[0];
        for (uint32_t i = 0; i < n_numbers; i++) {
            least = format_to_key(f, number[i]) < format_to_key(f, least) ? number[i] : least;
        }
        assert_true(set_has(&with, least) && set_count(&with) <= 2);
    }
    assert_true(n_nans > 1000 && n_all > 0);
}

/* ---- signalling NaNs ---- */

enum {
    MOST_READ = 4
};

/* Lists what pairs of the values can give in any order. A pair gives its smaller number, or the number next to a
 * NaN, or a quiet NaN where one of the two is signalling. */
static void reach_readings(const uint64_t *value, uint32_t n, uint64_t *found, uint32_t *n_found)
{
    const struct float_format *f = &float_formats[FMT_F32];
    if (n == 1) {
        found[(*n_found)++] = value[0];
        return;
    }
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            uint64_t rest[MOST_READ] = {0};
            uint32_t n_rest = 1;
            for (uint32_t i = 0; i < n; i++) {
                if (i != a && i != b) {
                    rest[n_rest++] = value[i];
                }
            }
            if (a == b) {
                continue;
            }
            bool const takes_b = format_is_nan(f, value[a]) ||
                                 (!format_is_nan(f, value[b]) &&
                                  format_to_key(f, value[b]) < format_to_key(f, value[a]));
            rest[0] = takes_b ? value[b] : value[a];
            reach_readings(rest, n_rest, found, n_found);
            if (format_is_snan(f, value[a]) || format_is_snan(f, value[b])) {
                rest[0] = QN;
                reach_readings(rest, n_rest, found, n_found);
            }
        }
    }
}

/* Tries all orders of a minimum of the values, with every reading of each step, and compares the results with the
 * set. */
static void expect_readings(struct list values)
{
    enum {
        MOST_FOUND = 20000 /* of four: 12 * 6 * 2 pairs, each of two readings */
    };
    static const uint64_t tried[] = {P0, N0, P1, P2, N1, PINF, NINF, SUB3, SUB5, QN, SN, NSUB5};
    uint64_t *const found = malloc(sizeof *found * MOST_FOUND);
    uint32_t n_found = 0;
    struct set s;
    uint32_t const n = length(&values);
    assert_non_null(found);
    assert_true(n <= MOST_READ);
    reach_readings(values.enc, n, found, &n_found);
    assert_true(n_found <= MOST_FOUND);
    assert_true(group_minmax_readings(NU_MIN, FMT_F32, values.enc, n, &keep.fp, &s));
    for (size_t i = 0; i < ARRAY_N(tried); i++) {
        bool is_found = false;
        for (uint32_t k = 0; k < n_found; k++) {
            is_found |= found[k] == tried[i] || (format_is_nan(&float_formats[FMT_F32], found[k]) &&
                                                 format_is_nan(&float_formats[FMT_F32], tried[i]));
        }
        assert_int_equal(is_found, set_has(&s, tried[i]) != 0);
    }
    free(found);
}

static void signalling_nans_leave_numbers_or_nan(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX_NAN);
    expect_readings(LIST(SN, P1));
    expect_readings(LIST(SN, P2, P1));
    expect_readings(LIST(SN, P2, P1, N1));
    expect_readings(LIST(P0, SN, SN, PINF));
    expect_readings(LIST(SN, QN, P1));
    expect_readings(LIST(NINF, SUB3, SN));
    struct set s;
    struct list const flushed = LIST(SN, P1, SUB3);
    assert_true(group_minmax_readings(NU_MAX, FMT_F32, flushed.enc, 3, &may_flush.fp, &s));
    assert_true(set_has(&s, P0) && set_has(&s, N0) && set_has(&s, SUB3) && !set_has(&s, SUB5));
    /* one reading alone, or none: no signalling NaN, no number, OpGroupFMin */
    struct list const quiet = LIST(QN, P1), nans = LIST(SN, QN), other = LIST(SN, P1);
    assert_false(group_minmax_readings(NU_MIN, FMT_F32, quiet.enc, 2, &keep.fp, &s));
    assert_false(group_minmax_readings(NU_MIN, FMT_F32, nans.enc, 2, &keep.fp, &s));
    assert_false(group_minmax_readings(CL_MIN, FMT_F32, other.enc, 2, &keep.fp, &s));
    assert_true(group_minmax_readings(NU_MIN, FMT_F32, other.enc, 2, &keep.fp, &s));
}

/* ---- AllEqual ---- */

/* Lanes 3, 6, 9 have these in component 1, and 1 in component 0; a NaN is in lane 4, not active. */
static void expect_equal(const struct rules *r, struct list values, enum group_answer answer,
                         uint64_t truth)
{
    struct world w = {.size = 32, .n_components = 2};
    struct packed p;
    for (unsigned k = 0; k < length(&values); k++) {
        w.active[3 * k + 3] = w.known[3 * k + 3] = 1;
        w.in[3 * k + 3][0] = P1;
        w.in[3 * k + 3][1] = values.enc[k];
    }
    w.in[4][1] = QN;
    pack(&p, &w, SpvOpGroupNonUniformAllEqual, 32);
    p.c.fmt = FMT_F32;
    p.c.n_results = 1;
    for (uint32_t k = 0; k < p.c.n; k++) {
        expect_answer(&p, k, r, answer, &truth, 1);
    }
}

/* AllEqual of floats by hand: zeros are equal, NaNs are not, and subnormals may equal zero where they may be
 * flushed. */
static void all_equal_is_an_ordered_comparison(void **state)
{
    (void)state;
    COVERS(GROUP_ALL_EQUAL);
    expect_equal(&keep, LIST(P1, P1, P1), GROUP_IS, 1);
    expect_equal(&keep, LIST(P1, P1, P2), GROUP_IS, 0);
    expect_equal(&keep, LIST(P1), GROUP_IS, 1);
    expect_equal(&keep, LIST(P0, N0), GROUP_IS, 1);
    expect_equal(&keep, LIST(PINF, PINF), GROUP_IS, 1);
    expect_equal(&keep, LIST(PINF, NINF), GROUP_IS, 0);
    expect_equal(&keep, LIST(QN, QN), GROUP_IS, 0); /* the same bits, but unordered */
    expect_equal(&keep, LIST(P1, QN), GROUP_IS, 0);
    expect_equal(&keep, LIST(SN, P1), GROUP_IS, 0);
    expect_equal(&keep, LIST(QN), GROUP_EITHER, 0);
    expect_equal(&keep, LIST(SUB3, P0), GROUP_IS, 0);
    expect_equal(&keep, LIST(SUB3, SUB3), GROUP_IS, 1);
    expect_equal(&may_flush, LIST(SUB3, P0), GROUP_EITHER, 0);
    expect_equal(&may_flush, LIST(SUB3, NSUB5), GROUP_EITHER, 0);
    expect_equal(&may_flush, LIST(SUB3, SUB3), GROUP_IS, 1);
    expect_equal(&may_flush, LIST(SUB3, P1), GROUP_IS, 0);
    expect_equal(&may_flush, LIST(SUB3, SUB5, P1), GROUP_IS, 0);
    expect_equal(&no_special, LIST(QN, P1), GROUP_ANYTHING, 0);
    expect_equal(&no_special, LIST(PINF, P1), GROUP_ANYTHING, 0);
    expect_equal(&no_special, LIST(P2, P1), GROUP_IS, 0);
    expect_equal(NULL, LIST(QN, P1), GROUP_IS, 0);
}

/* The zeros are equal in every format. */
static void all_equal_in_every_format(void **state)
{
    (void)state;
    COVERS(GROUP_ALL_EQUAL);
    for (int fmt = 0; fmt < FMT_N; fmt++) {
        struct world w = {
            .size = 2, .n_components = 1, .active = {1, 1},
                    .known = {1, 1}
        };
        struct packed p;
        uint64_t const yes = 1, no = 0;
        w.in[1][0] = float_formats[fmt].sign;
        pack(&p, &w, SpvOpGroupNonUniformAllEqual, float_formats[fmt].n_bits);
        p.c.fmt = fmt;
        expect_answer(&p, 0, &keep, GROUP_IS, &yes, 1);
        p.value[1] = 1;
        expect_answer(&p, 0, &keep, GROUP_IS, &no, 1);
        expect_answer(&p, 0, &may_flush, GROUP_EITHER, &no, 1);
    }
}

static void all_equal_with_what_is_not_known(void **state)
{
    (void)state;
    COVERS(GROUP_ALL_EQUAL);
    struct world w = {
        .size = 4, .n_components = 1, .active = {1, 1, 1},
                .known = {1, 1, 0}
    };
    struct packed p;
    uint64_t const no = 0;
    w.in[0][0] = P1;
    w.in[1][0] = P1;
    pack(&p, &w, SpvOpGroupNonUniformAllEqual, 32);
    p.c.fmt = FMT_F32;
    expect_answer(&p, 0, &keep, GROUP_UNKNOWN, &no, 1);
    p.value[1] = P2; /* two that differ decide, if no third can make it undefined */
    expect_answer(&p, 0, &keep, GROUP_IS, &no, 1);
    expect_answer(&p, 0, &no_special, GROUP_UNKNOWN, &no, 1);
    p.value[0] = p.value[1] = QN;
    expect_answer(&p, 0, &keep, GROUP_IS, &no, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_zeros),
        cmocka_unit_test(nans_and_infinities),
        cmocka_unit_test(subnormals),
        cmocka_unit_test(sets_hold_what_orders_reach),
        cmocka_unit_test(nans_give_way_at_any_size),
        cmocka_unit_test(signalling_nans_leave_numbers_or_nan),
        cmocka_unit_test(all_equal_is_an_ordered_comparison),
        cmocka_unit_test(all_equal_in_every_format),
        cmocka_unit_test(all_equal_with_what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
