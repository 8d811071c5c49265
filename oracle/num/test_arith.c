/* oracle/num/test_arith.c -- permitted results against the text's unions written out over f16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/test_ref16.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

enum {
    N_OPS = 4,
    N_RULES = 3 * 2 * 3 * 2
};
static const enum arith_op ops[N_OPS] = {ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_DIV};
static const struct fp_rules plain = {.rounding = ROUND_RNE};

/* All rules there are: three roundings, two flushes of operands, three of results, two of signs. */
static struct fp_rules rules_at(unsigned i)
{
    static const enum flush in[] = {FLUSH_NEVER, FLUSH_MAY};
    static const enum flush out[] = {FLUSH_NEVER, FLUSH_MAY, FLUSH_MUST};
    static const enum rounding roundings[] = {ROUND_RNE, ROUND_RTZ, ROUND_EITHER};
    return (struct fp_rules){.rounding = roundings[i % 3],
                             .flush_in = in[i / 3 % 2],
                             .flush_out = out[i / 6 % 3],
                             .zero_sign_free = i / 18 % 2 != 0};
}

/* A plain list of encodings without doubles; every NaN counts as 0x7e00. */
struct list {
    unsigned n;
    uint64_t enc[64];
};

static void list_add(struct list *l, uint64_t enc)
{
    for (unsigned i = 0; i < l->n; i++) {
        if (l->enc[i] == enc) {
            return;
        }
    }
    assert_true(l->n < ARRAY_N(l->enc));
    l->enc[l->n++] = enc;
}

static void list_readings(struct list *l, const struct fp_rules *r, uint64_t enc)
{
    unsigned const magnitude = (unsigned)enc & 0x7fff;
    l->n = 0;
    list_add(l, enc);
    if ((r->flush_in == FLUSH_MAY && magnitude > 0 && magnitude < 0x400) ||
        (r->zero_sign_free && magnitude == 0)) {
        list_add(l, 0);
        list_add(l, 0x8000);
    }
}

static void list_result(struct list *l, const struct fp_rules *r, uint64_t enc, int tiny)
{
    if (!(tiny && r->flush_out == FLUSH_MUST)) {
        list_add(l, enc);
    }
    if ((tiny && r->flush_out != FLUSH_NEVER) || (r->zero_sign_free && ref16_is_zero(enc))) {
        list_add(l, 0);
        list_add(l, 0x8000);
    }
}

static const enum real_mode modes_of_rounding[3][2] = {
    [ROUND_RNE] = {REAL_NEAREST, REAL_NEAREST},
    [ROUND_RTZ] = {REAL_ZERO,    REAL_ZERO   },
    [ROUND_EITHER] = {REAL_DOWN,    REAL_UP     },
};

/* The union over readings of the operands, roundings, and flushes of the result. */
static void list_permitted(struct list *l, enum arith_op op, const struct fp_rules *r, uint64_t x,
                           uint64_t y)
{
    struct list xs, ys;
    l->n = 0;
    list_readings(&xs, r, x);
    list_readings(&ys, r, y);
    for (unsigned i = 0; i < xs.n * ys.n * 2; i++) {
        int tiny;
        uint64_t const enc = ref16_apply(op, xs.enc[i / 2 % xs.n], ys.enc[i / 2 / xs.n],
                                         modes_of_rounding[r->rounding][i % 2], &tiny);
        list_result(l, r, enc, tiny);
    }
}

static void expect_set(const struct set *s, const struct list *l, const char *what, uint64_t x,
                       uint64_t y)
{
    int same = set_count(s) == l->n && (s->flags & (SET_ANY | SET_SNAN)) == 0;
    for (unsigned i = 0; i < l->n; i++) {
        same = same && set_has(s, l->enc[i]);
    }
    if (!same) {
        struct arena a;
        arena_init(&a, 1 << 20);
        fail_msg("%s 0x%04x 0x%04x: %s, by the text %u results, one of them 0x%04x", what,
                 (unsigned)x, (unsigned)y, set_to_text(s, &a), l->n, (unsigned)l->enc[0]);
    }
}

/* Random f16 operands under all rules: the set is what a list by the specification's text holds. */
static void single_operands_give_the_text_s_union(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    COVERS(DENORM_DEFAULT);
    COVERS(DENORM_FLUSH);
    COVERS(DENORM_PRESERVE);
    struct rng rng = rng_seed(7);
    size_t n_several = 0;
    for (unsigned i = 0; i < 400000; i++) {
        struct fp_rules const r = rules_at(i % N_RULES);
        enum arith_op const op = ops[i / N_RULES % N_OPS];
        uint64_t const x = ref16_draw(&rng), y = ref16_draw(&rng);
        struct set sx, sy, got;
        struct list want;
        set_of(&sx, FMT_F16, x);
        set_of(&sy, FMT_F16, y);
        set_clear(&got, FMT_F16);
        arith_apply(op, (const struct set *const[]){&sx, &sy}, &r, 0, &got);
        list_permitted(&want, op, &r, x, y);
        expect_set(&got, &want, "op", x, y);
        n_several += want.n > 2;
    }
    assert_true(n_several > 20000);
}

/* A set of two operands gives the union of what each of them gives. */
static void several_operands_give_the_union_of_each(void **state)
{
    (void)state;
    struct rng rng = rng_seed(8);
    for (unsigned i = 0; i < 100000; i++) {
        struct fp_rules const r = rules_at(i % N_RULES);
        enum arith_op const op = ops[i / N_RULES % N_OPS];
        uint64_t const x = ref16_draw(&rng), y = ref16_draw(&rng);
        uint64_t const x2 = ref16_draw(&rng);
        struct set sx, sy, got;
        struct list want, other;
        set_of(&sx, FMT_F16, x);
        set_add(&sx, x2);
        if (sx.n < 2 && !(r.rounding == ROUND_RNE && x == x2)) {
            continue; /* neighbours are a range: another test */
        }
        set_of(&sy, FMT_F16, y);
        set_clear(&got, FMT_F16);
        arith_apply(op, (const struct set *const[]){&sx, &sy}, &r, 0, &got);
        list_permitted(&want, op, &r, x, y);
        list_permitted(&other, op, &r, x2, y);
        for (unsigned k = 0; k < other.n; k++) {
            list_add(&want, other.enc[k]);
        }
        if (sx.n + got.n < SET_MAX_RANGES) {
            expect_set(&got, &want, "two", x, y);
        }
    }
}

/* Ranges of up to 24 keys that may pass zero or end in an infinity. */
static struct set_range draw_range(struct rng *rng)
{
    struct set point;
    set_of(&point, FMT_F16, ref16_draw(rng));
    struct set_range r = {point.r[0].lo, point.r[0].lo + (int64_t)rng_below(rng, 24)};
    r.hi = r.hi > 0x7c00 ? 0x7c00 : r.hi;
    return r;
}

struct hull {
    int64_t lo, hi;
    int any_nan;
};

/* Each result of a member must be in `got`; *hull becomes the range of these results. */
static void expect_members(enum arith_op op, const struct fp_rules *r, const struct set_range *x,
                           const struct set *got, struct hull *hull)
{
    struct float_format const *f = &float_formats[FMT_F16];
    for (int64_t i = x[0].lo; i <= x[0].hi; i++) {
        for (int64_t k = x[1].lo; k <= x[1].hi; k++) {
            uint64_t const a = format_from_key(f, i), b = format_from_key(f, k);
            struct list each;
            list_permitted(&each, op, r, a, b);
            for (unsigned m = 0; m < each.n; m++) {
                if (!set_has(got, each.enc[m])) {
                    fail_msg("op %d: 0x%04x 0x%04x gives 0x%04x, not in the range's set", (int)op,
                             (unsigned)a, (unsigned)b, (unsigned)each.enc[m]);
                }
                if (ref16_is_nan(each.enc[m])) {
                    hull->any_nan = 1;
                    continue;
                }
                int64_t const key = format_to_key(f, each.enc[m]);
                hull->lo = key < hull->lo ? key : hull->lo;
                hull->hi = key > hull->hi ? key : hull->hi;
            }
        }
    }
}

/* Ranges of operands give a range from the least to the greatest result of their members. */
static void ranges_hold_every_member_s_results(void **state)
{
    (void)state;
    struct rng rng = rng_seed(9);
    size_t n_wide = 0;
    for (unsigned i = 0; i < 8000; i++) {
        struct fp_rules const r = rules_at(i % N_RULES);
        enum arith_op const op = ops[i / N_RULES % N_OPS];
        struct set_range const x[] = {draw_range(&rng), draw_range(&rng)};
        struct set sx, sy, got;
        struct hull hull = {INT64_MAX, INT64_MIN, 0};
        set_clear(&sx, FMT_F16);
        set_add_range(&sx, x[0].lo, x[0].hi);
        set_clear(&sy, FMT_F16);
        set_add_range(&sy, x[1].lo, x[1].hi);
        set_clear(&got, FMT_F16);
        arith_apply(op, (const struct set *const[]){&sx, &sy}, &r, 0, &got);
        expect_members(op, &r, x, &got, &hull);
        /* and nothing beyond the ends of what members give */
        assert_int_equal(got.flags, hull.any_nan ? SET_QNAN : 0);
        if (hull.lo <= hull.hi) {
            assert_true(got.r[0].lo == hull.lo && got.r[got.n - 1].hi == hull.hi);
            n_wide += hull.hi - hull.lo > 10;
        }
    }
    assert_true(n_wide > 3000);
}

/* Random f16 operands of a fused multiply-add: the set is what a list by the specification's text holds. */
static void fused_operands_give_the_text_s_union(void **state)
{
    (void)state;
    COVERS(ARITH_CONTRACT);
    struct rng rng = rng_seed(24);
    size_t n_several = 0;
    for (unsigned i = 0; i < 200000; i++) {
        struct fp_rules const r = rules_at(i % N_RULES);
        enum real_mode const *const by = modes_of_rounding[r.rounding];
        struct set s[3], got;
        struct list x[3], want = {.n = 0};
        for (unsigned k = 0; k < 3; k++) {
            uint64_t const enc = i % 3 && k == 2 ? ref16_draw(&rng) & 0x83ff : ref16_draw(&rng);
            set_of(&s[k], FMT_F16, enc);
            list_readings(&x[k], &r, enc);
        }
        set_clear(&got, FMT_F16);
        arith_apply(ARITH_FMA, (const struct set *const[]){&s[0], &s[1], &s[2]}, &r, 0, &got);
        for (unsigned k = 0; k < x[0].n * x[1].n * x[2].n * 2; k++) {
            uint64_t const args[] = {x[0].enc[k / 2 % x[0].n], x[1].enc[k / 2 / x[0].n % x[1].n],
                                     x[2].enc[k / 2 / x[0].n / x[1].n]};
            int tiny;
            uint64_t const enc = ref16_fused(args, by[k % 2], &tiny);
            list_result(&want, &r, enc, tiny);
        }
        expect_set(&got, &want, "fused", x[0].enc[0], x[1].enc[0]);
        n_several += want.n > 2;
    }
    assert_true(n_several > 10000);
}

/* Ranges of operands of a fused multiply-add hold the results of random members. */
static void fused_ranges_hold_every_member(void **state)
{
    (void)state;
    struct rng rng = rng_seed(10);
    size_t n = 0;
    for (unsigned i = 0; i < 2000; i++) {
        struct fp_rules const r = rules_at(i % N_RULES);
        struct set arg[3], got, point[3], each;
        for (unsigned k = 0; k < 3; k++) {
            struct set_range const range = draw_range(&rng);
            set_clear(&arg[k], FMT_F16);
            set_add_range(&arg[k], range.lo, range.hi);
        }
        set_clear(&got, FMT_F16);
        arith_apply(ARITH_FMA, (const struct set *const[]){&arg[0], &arg[1], &arg[2]}, &r, 0, &got);
        for (unsigned m = 0; m < 30; m++, n++) {
            for (unsigned k = 0; k < 3; k++) {
                uint64_t const at = rng_below(&rng, set_count(&arg[k]));
                set_of(&point[k], FMT_F16, set_nth(&arg[k], at));
            }
            set_clear(&each, FMT_F16);
            arith_apply(ARITH_FMA, (const struct set *const[]){&point[0], &point[1], &point[2]}, &r,
                        0, &each);
            for (uint64_t k = 0; k < set_count(&each); k++) {
                assert_true(set_has(&got, set_nth(&each, k)));
            }
        }
    }
    assert_int_equal(n, 2000 * 30);
}

/* A NaN operand gives NaNs, "anything" gives anything, and an empty set nothing, for each operation. */
static void nan_and_anything_pass_through(void **state)
{
    (void)state;
    COVERS(ARITH_CR);
    struct set quiet, signalling, any, one, none, both, out;
    set_of(&quiet, FMT_F32, 0x7fc00000);
    set_of(&signalling, FMT_F32, 0x7f800001);
    set_of(&one, FMT_F32, 0x3f800000);
    set_any(&any, FMT_F32);
    set_clear(&none, FMT_F32);
    both = one;
    set_add_set(&both, &quiet);
    set_clear(&out, FMT_F32);
    for (unsigned i = 0; i < N_OPS; i++) {
        arith_apply(ops[i], (const struct set *const[]){&quiet, &one}, &plain, 0, &out);
        assert_true(out.n == 0 && out.flags == SET_QNAN);
        arith_apply(ops[i], (const struct set *const[]){&one, &signalling}, &plain, 0, &out);
        assert_true(out.n == 0 && out.flags == (SET_QNAN | SET_SNAN));
        arith_apply(ops[i], (const struct set *const[]){&one, &any}, &plain, 0, &out);
        assert_true((out.flags & SET_ANY) != 0);
        arith_apply(ops[i], (const struct set *const[]){&one, &none}, &plain, 0, &out);
        assert_true(set_is_empty(&out));
        arith_apply(ops[i], (const struct set *const[]){&one, &both}, &plain, 0, &out);
        assert_true(out.n == 1 && out.flags == SET_QNAN && set_count(&out) == 2);
    }
    arith_apply(ARITH_FMA, (const struct set *const[]){&one, &quiet, &both}, &plain, 0, &out);
    assert_true(out.n == 0 && out.flags == SET_QNAN);
    arith_negate(&signalling, &plain, &out);
    assert_true(out.n == 0 && out.flags == (SET_QNAN | SET_SNAN));
    arith_negate(&any, &plain, &out);
    assert_true((out.flags & SET_ANY) != 0);
    arith_convert(&any, &plain, FMT_F16, &plain, &out);
    assert_true((out.flags & SET_ANY) != 0 && out.fmt == FMT_F16);
    arith_convert(&both, &plain, FMT_F64, &plain, &out);
    assert_true(set_has(&out, 0x3ff0000000000000) && out.flags == SET_QNAN);
}

static void negation_changes_the_sign_alone(void **state)
{
    (void)state;
    COVERS(NEG_EXACT);
    struct rng rng = rng_seed(11);
    for (unsigned i = 0; i < 50000; i++) {
        struct fp_rules const r = rules_at(i % N_RULES);
        uint64_t const x = ref16_draw(&rng);
        struct list readings, want = {.n = 0};
        struct set s, got;
        set_of(&s, FMT_F16, x);
        arith_negate(&s, &r, &got);
        list_readings(&readings, &r, x);
        for (unsigned k = 0; k < readings.n; k++) {
            uint64_t const enc = readings.enc[k] ^ 0x8000;
            list_result(&want, &r, enc, (enc & 0x7fff) > 0 && (enc & 0x7fff) < 0x400);
        }
        expect_set(&got, &want, "negate", x, 0);
    }
}

/* {2^24, 2^24 + 2} - 2^24 is {0, 2} and nothing between. For a set with many members the result is the whole range
 * between its ends. */
static void few_members_stay_apart(void **state)
{
    (void)state;
    static const struct {
        uint32_t n; /* members, 2 apart, from 2^24 on */
        bool has_one;
    } rows[] = {
        {2,  false},
        {16, false},
        {17, true },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct set a, b, out;
        int64_t const first = format_to_key(&float_formats[FMT_F32], 0x4b800000);
        const struct set *const args[] = {&a, &b};
        set_clear(&a, FMT_F32);
        set_clear(&out, FMT_F32);
        set_add_range(&a, first, first + rows[i].n - 1);
        set_of(&b, FMT_F32, 0x4b800000);
        arith_apply(ARITH_SUB, args, &plain, 0.0, &out);
        assert_true(set_has(&out, 0) && set_has(&out, 0x40000000));
        assert_int_equal(set_has(&out, 0x3f800000), rows[i].has_one);
        assert_false(set_has(&out, 0xc0000000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_operands_give_the_text_s_union),
        cmocka_unit_test(several_operands_give_the_union_of_each),
        cmocka_unit_test(ranges_hold_every_member_s_results),
        cmocka_unit_test(fused_operands_give_the_text_s_union),
        cmocka_unit_test(fused_ranges_hold_every_member),
        cmocka_unit_test(nan_and_anything_pass_through),
        cmocka_unit_test(negation_changes_the_sign_alone),
        cmocka_unit_test(few_members_stay_apart),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return failed;
}
