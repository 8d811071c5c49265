/* oracle/group/test_reduction_trees.c -- sets of sums and products against all trees, written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "oracle/group/reduction_bound.h"
#include "oracle/group/reduction_tree.h"
#include "oracle/group/test_reduction_ref.h"
#include "oracle/num/exact.h"
#include "oracle/num/test_ref16.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

enum {
    MAX_BRUTE = 5
};

/* --- all results of all trees over f16, as bits; every NaN is 0x7e00 --- */

struct results {
    uint32_t n;
    uint16_t enc[1 << 12];
    unsigned char has[1 << 13];
};

static void results_add(struct results *l, uint64_t enc)
{
    enc = ref16_is_nan(enc) ? 0x7e00 : enc;
    if ((l->has[enc >> 3] >> (enc & 7) & 1) == 0) {
        assert_true(l->n < ARRAY_N(l->enc));
        l->has[enc >> 3] = (unsigned char)(l->has[enc >> 3] | 1U << (enc & 7));
        l->enc[l->n++] = (uint16_t)enc;
    }
}

static int results_have(const struct results *l, uint64_t enc)
{
    return l->has[enc >> 3] >> (enc & 7) & 1;
}

static unsigned list_readings(const struct fp_rules *r, uint64_t enc, uint64_t *out)
{
    unsigned const magnitude = (unsigned)enc & 0x7fff;
    out[0] = enc;
    if ((r->flush_in == FLUSH_MAY && magnitude > 0 && magnitude < 0x400) ||
        (r->zero_sign_free && magnitude == 0)) {
        out[1] = 0;
        out[2] = 0x8000;
        return 3;
    }
    return 1;
}

/* Adds the results that one step may give: the union over readings of the operands, roundings and flushes. */
static void results_step(struct results *l, const struct reduction *r, uint64_t x, uint64_t y)
{
    static const enum real_mode modes[3][2] = {
        [ROUND_RNE] = {REAL_NEAREST, REAL_NEAREST},
        [ROUND_RTZ] = {REAL_ZERO,    REAL_ZERO   },
        [ROUND_EITHER] = {REAL_DOWN,    REAL_UP     },
    };
    const struct fp_rules *rules = &r->rules;
    uint64_t a[3], b[3];
    if (ref16_is_nan(x) || ref16_is_nan(y)) {
        results_add(l, 0x7e00);
        return;
    }
    unsigned const n = list_readings(rules, x, a) * 8 + list_readings(rules, y, b);
    for (unsigned i = 0; i < (n >> 3) * (n & 7) * 2; i++) {
        int tiny;
        uint64_t const got = ref16_apply(r->is_product ? ARITH_MUL : ARITH_ADD, a[i / 2 % (n >> 3)],
                                         b[i / 2 / (n >> 3)], modes[rules->rounding][i % 2], &tiny);
        if (!(tiny && rules->flush_out == FLUSH_MUST)) {
            results_add(l, got);
        }
        if ((tiny && rules->flush_out != FLUSH_NEVER) ||
            (rules->zero_sign_free && ref16_is_zero(got))) {
            results_add(l, 0);
            results_add(l, 0x8000);
        }
    }
}

/* A step with an identity: changes nothing but what is flushed. */
static void results_identity(struct results *l, const struct reduction *r)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (!ref16_is_zero(l->enc[i])) {
            results_step(l, r, l->enc[i], r->is_product ? 0x3c00 : 0);
        } else if (r->rules.zero_sign_free) {
            results_add(l, 0);
            results_add(l, 0x8000);
        }
    }
}

/* Of each subset of the terms, by all splits into two subsets. */
static void brute(struct results *table, const struct reduction *r)
{
    for (uint32_t set = 1; set < 1U << r->n; set++) {
        struct results *const l = &table[set];
        memset(l, 0, sizeof(*l));
        for (uint32_t part = (set - 1) & set; part != 0; part = (part - 1) & set) {
            struct results const *const a = &table[part], *const b = &table[set ^ part];
            for (uint32_t i = 0; i < a->n * b->n; i++) {
                results_step(l, r, a->enc[i % a->n], b->enc[i / a->n]);
            }
        }
        if ((set & (set - 1)) == 0) {
            results_add(l, r->term[__builtin_ctz(set)]);
        }
        results_identity(l, r);
    }
}

/* Few bits around one binade, or anything: many results, or few. */
static uint64_t draw16(struct rng *rng, unsigned kind)
{
    uint64_t const sign = rng_below(rng, 2) << 15;
    switch (kind) {
    case 0: /* full fractions over four binades */
        return sign | (0x3800 + rng_below(rng, 0x1000));
    case 1: /* few bits around one */
        return sign | (0x3400 + (rng_below(rng, 16) << 8));
    case 2: /* near the largest */
        return sign | (0x7bff - rng_below(rng, 0x600));
    case 3: /* subnormals and the smallest normals */
        return sign | rng_below(rng, 0x900);
    case 4: /* positive, over all exponents */
        return rng_below(rng, 0x7c00);
    default:
        return ref16_draw(rng);
    }
}

struct tally {
    uint64_t n_in, n_exact, n_ends, n_refused, n_nan, n_bound;
};

/* Both ends of the set are results of some tree, and the encodings next to them are not in the set. */
static void expect_ends(const struct reduction *r, const struct results *all, const struct set *s,
                        struct tally *t)
{
    char buf[256];
    struct float_format const *f = &float_formats[FMT_F16];
    if (s->n == 0) {
        return;
    }
    uint64_t const ends[] = {format_from_key(f, s->r[0].lo), format_from_key(f, s->r[s->n - 1].hi)};
    for (unsigned i = 0; i < 2; i++) {
        int const zero = ref16_is_zero(ends[i]);
        if (!results_have(all, ends[i]) && !(zero && results_have(all, ends[i] ^ 0x8000))) {
            fail_msg("%s: 0x%llx is an end of the set but no tree gives it",
                     name_of(r, buf, sizeof(buf)), (unsigned long long)ends[i]);
        }
        t->n_ends++;
        uint64_t const beyond = format_from_key(f, format_to_key(f, ends[i]) + (i == 0 ? -1 : 1));
        if (!ref16_is_nan(beyond) && !ref16_is_zero(beyond)) {
            assert_false(set_has(s, beyond));
            t->n_refused++;
        }
    }
    if (set_has(s, 0x7e00) != results_have(all, 0x7e00)) {
        fail_msg("%s: a NaN is wrong", name_of(r, buf, sizeof(buf)));
    }
    t->n_nan += (uint64_t)results_have(all, 0x7e00);
}

static void expect_all_in(const struct reduction *r, const struct results *all, const struct set *s,
                          const char *what, struct tally *t)
{
    char buf[256];
    for (uint32_t i = 0; i < all->n; i++) {
        if (!set_has(s, all->enc[i])) {
            fail_msg("%s: %s leaves out 0x%x", name_of(r, buf, sizeof(buf)), what, all->enc[i]);
        }
        t->n_in++;
    }
}

/* The proven bound, taken where the search could decide too, holds all results of the search. */
static void expect_bound(const struct reduction *r, const struct results *all, struct tally *t)
{
    struct reduction_view v;
    struct reduction_hull h;
    struct float_format const *f = &float_formats[FMT_F16];
    char buf[256];
    reduction_look(r, &v);
    if (v.nan_flags != 0 || v.n_live != r->n || v.n_live < 2) {
        return;
    }
    reduction_bound(r, &v, &h);
    for (uint32_t i = 0; i < all->n; i++) {
        uint64_t const enc = r->is_product ? all->enc[i] & 0x7fffU : all->enc[i];
        int64_t const key = format_to_key(f, enc);
        int is_in = ref16_is_zero(enc)
                        ? format_to_key(f, h.lo) <= 0 && format_to_key(f, h.hi) >= -1
                        : key >= format_to_key(f, h.lo) && key <= format_to_key(f, h.hi);
        is_in = ref16_is_nan(enc) ? h.has_nan : is_in;
        is_in = is_in || (enc == 0x7c00 && h.has_plus_inf) || (enc == 0xfc00 && h.has_minus_inf);
        if (!is_in) {
            fail_msg("%s: the bound leaves out 0x%x", name_of(r, buf, sizeof(buf)), all->enc[i]);
        }
        t->n_bound++;
    }
}

/* Compares the permitted set, the exact set, the bound and the usual orders with the results of all trees by brute
 * force. */
static void check_against_brute(const struct reduction *r, struct results *table, struct arena *a,
                                struct tally *t)
{
    struct results const *const all = &table[(1U << r->n) - 1];
    struct reduction_usual u;
    struct set s, exact;
    char buf[256];
    arena_reset(a);
    brute(table, r);
    enum reduction_proof const proof = reduction_permitted(r, 1, a, &s);
    assert_int_not_equal(proof, REDUCTION_BOUND);
    expect_all_in(r, all, &s, "the set", t);
    int const is_exact = reduction_is_exact(r, &exact);
    if (is_exact || proof == REDUCTION_EXACT) {
        expect_all_in(r, all, is_exact ? &exact : &s, "the exact set", t);
        if (set_count(&s) > 2 || (set_count(&s) == 2 && !set_has(&s, 0))) {
            fail_msg("%s: exact, but more than one", name_of(r, buf, sizeof(buf)));
        }
        t->n_exact++;
    }
    expect_ends(r, all, &s, t);
    expect_bound(r, all, t);
    reduction_get_usual(r, &u);
    assert_true(u.n > 0);
    for (uint32_t i = 0; i < u.n; i++) {
        if (!results_have(all, u.value[i]) && !ref16_is_zero(u.value[i])) {
            fail_msg("%s: no tree gives the usual 0x%llx", name_of(r, buf, sizeof(buf)),
                     (unsigned long long)u.value[i]);
        }
        assert_true(set_has(&s, u.value[i]));
    }
}

/* Random terms of f16 under all rules, against brute force over all trees. */
static void the_set_holds_all_trees_and_ends_where_they_do(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    struct results *table = malloc(sizeof(*table) << MAX_BRUTE);
    struct rng rng = rng_seed(20);
    struct tally t = {0};
    struct arena a;
    arena_init(&a, arena_limit_bytes);
    assert_non_null(table);
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned i = 0; i < N_RULES * 2; i++) {
            uint64_t term[MAX_BRUTE];
            unsigned const kind = (unsigned)rng_below(&rng, 6);
            uint32_t const n = 1 + (uint32_t)rng_below(&rng, i % 3 == 2 ? 4 : MAX_BRUTE);
            for (uint32_t k = 0; k < n; k++) {
                term[k] = draw16(&rng, rng_below(&rng, 8) == 0 ? 5 : kind);
            }
            struct reduction const r = make(FMT_F16, i >= N_RULES, term, n, rules_at(i % N_RULES));
            check_against_brute(&r, table, &a, &t);
        }
    }
    assert_true(t.n_in > 0 && t.n_exact > 0 && t.n_ends > 0 && t.n_refused > 0 && t.n_nan > 0);
    assert_true(t.n_bound > 0);
    print_message("in %llu, exact %llu, ends %llu, refused %llu, NaN %llu, bound %llu\n",
                  (unsigned long long)t.n_in, (unsigned long long)t.n_exact,
                  (unsigned long long)t.n_ends, (unsigned long long)t.n_refused,
                  (unsigned long long)t.n_nan, (unsigned long long)t.n_bound);
    arena_free(&a);
    free(table);
}

/* --- all formats, by one correctly rounded operation at a time --- */

/* Exponents within `spread` of 1, fractions of `n_bits` bits. */
static uint64_t draw(struct rng *rng, const struct float_format *f, unsigned spread,
                     unsigned n_bits)
{
    uint64_t const one = (f->exp >> 1) & f->exp;
    uint64_t const exp = (one >> (f->prec_bits - 1)) + rng_below(rng, 2 * spread) - spread;
    uint64_t const frac = rng_next(rng) & f->frac & ~(f->frac >> n_bits);
    return (rng_next(rng) & f->sign) | exp << (f->prec_bits - 1) | frac;
}

static int64_t key_of(const struct float_format *f, uint64_t enc)
{
    return format_is_zero(f, enc) ? 0 : format_to_key(f, enc);
}

/* The greatest (is_up) or least result of all trees over encodings, by keys. */
static int64_t extreme(const struct reduction *r, int is_up)
{
    struct float_format const *f = &float_formats[r->fmt];
    enum real_mode const mode = r->rules.rounding == ROUND_RNE   ? REAL_NEAREST
                                : r->rules.rounding == ROUND_RTZ ? REAL_ZERO
                                : is_up                          ? REAL_UP
                                                                 : REAL_DOWN;
    int64_t best[64] = {0};
    for (uint32_t set = 1; set < 1U << r->n; set++) {
        best[set] = is_up ? INT64_MIN : INT64_MAX;
        if ((set & (set - 1)) == 0) {
            best[set] = key_of(f, r->term[__builtin_ctz(set)] & ~(r->is_product ? f->sign : 0));
        }
        for (uint32_t part = (set - 1) & set; part != 0; part = (part - 1) & set) {
            uint64_t const args[] = {format_from_key(f, best[part]),
                                     format_from_key(f, best[set ^ part])};
            uint64_t const got =
                arith_round(r->is_product ? ARITH_MUL : ARITH_ADD, r->fmt, args, mode);
            int64_t const key = key_of(f, got);
            if (!format_is_nan(f, got) && (is_up ? key > best[set] : key < best[set])) {
                best[set] = key;
            }
        }
    }
    return best[(1U << r->n) - 1];
}

/* In all formats the ends of the set equal the extremes that a search over subsets finds with correctly rounded
 * steps. */
static void extremes_are_those_of_single_steps(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    struct rng rng = rng_seed(22);
    uint64_t n_checked = 0, n_wide = 0;
    struct arena a;
    arena_init(&a, arena_limit_bytes);
    for (unsigned i = 0; i < 6000; i++) {
        enum fmt_id const fmt = (enum fmt_id)rng_below(&rng, FMT_N);
        struct float_format const *f = &float_formats[fmt];
        static const unsigned spreads[FMT_N] = {14, 120, 1000};
        unsigned const spread = rng_below(&rng, 3) == 0   ? spreads[fmt]
                                : rng_below(&rng, 2) == 0 ? f->prec_bits / 2
                                                          : f->prec_bits + 2;
        unsigned const n_bits =
            1 + (unsigned)rng_below(&rng, rng_below(&rng, 2) == 0 ? 3 : f->prec_bits - 1);
        uint64_t term[6];
        uint32_t const n = 3 + (uint32_t)rng_below(&rng, 4);
        for (uint32_t k = 0; k < n; k++) {
            term[k] = draw(&rng, f, fmt == FMT_F16 && spread > 14 ? 14 : spread, n_bits);
        }
        struct fp_rules const rules = {.rounding = (enum rounding)(i % 3)};
        struct reduction const r = make(fmt, i % 2 == 0, term, n, rules);
        struct set s;
        char buf[256];
        enum reduction_proof const proof = reduction_permitted(&r, 1, &a, &s);
        assert_int_not_equal(proof, REDUCTION_BOUND);
        int64_t lo = extreme(&r, 0), hi = extreme(&r, 1);
        int negative = 0;
        for (uint32_t k = 0; k < n; k++) {
            negative ^= r.is_product && (term[k] & f->sign) != 0;
        }
        int64_t const got_lo = key_of(f, format_from_key(f, s.r[0].lo));
        int64_t const got_hi = key_of(f, format_from_key(f, s.r[s.n - 1].hi));
        int64_t const want_lo = negative ? key_of(f, format_from_key(f, -1 - hi)) : lo;
        int64_t const want_hi = negative ? key_of(f, format_from_key(f, -1 - lo)) : hi;
        if (got_lo != want_lo || got_hi != want_hi) {
            fail_msg("%s: %lld..%lld, not %lld..%lld", name_of(&r, buf, sizeof(buf)),
                     (long long)got_lo, (long long)got_hi, (long long)want_lo, (long long)want_hi);
        }
        n_checked++;
        n_wide += got_lo != got_hi;
    }
    assert_true(n_checked > 0 && n_wide > n_checked / 4);
    arena_free(&a);
}

/* --- random trees of many terms --- */

/* One step by the rules of a single operation; which: 0 the least, 1 the greatest, else any. */
static uint64_t random_step(const struct reduction *r, uint64_t x, uint64_t y, unsigned which,
                            struct rng *rng)
{
    struct set a, b, got;
    struct set const *const args[] = {&a, &b};
    set_of(&a, r->fmt, x);
    set_of(&b, r->fmt, y);
    set_clear(&got, r->fmt);
    arith_apply(r->is_product ? ARITH_MUL : ARITH_ADD, args, &r->rules, 0, &got);
    uint64_t const n = set_count(&got) - (got.n > 0 && got.flags != 0);
    return set_nth(&got, which == 0 ? 0 : which == 1 ? n - 1 : rng_below(rng, n));
}

/* A random tree, or one that adds up in the order of the terms. */
static uint64_t random_tree(const struct reduction *r, struct rng *rng)
{
    uint64_t v[MAX_TERMS];
    unsigned const which = (unsigned)rng_below(rng, 3), shape = (unsigned)rng_below(rng, 3);
    memcpy(v, r->term, r->n * sizeof(v[0]));
    for (uint32_t n = r->n; n > 1; n--) {
        uint32_t const i = shape == 0 ? 0 : (uint32_t)rng_below(rng, n);
        uint64_t const x = v[i];
        v[i] = v[n - 1];
        uint32_t const k = shape == 1 ? (uint32_t)rng_below(rng, n - 1) : (n - 2) % (n - 1);
        v[k] = random_step(r, x, v[k], which, rng);
    }
    return v[0];
}

/* The bound for many terms holds the results of random trees, and refuses a sum that lacks one term. */
static void the_bound_holds_random_trees_and_refuses_a_lost_term(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    struct rng rng = rng_seed(23);
    uint64_t n_in = 0, n_lost = 0, n_kept = 0, n_bound = 0;
    struct arena a;
    arena_init(&a, arena_limit_bytes);
    for (unsigned i = 0; i < 3600; i++) {
        enum fmt_id const fmt = (enum fmt_id)(i % FMT_N);
        struct float_format const *f = &float_formats[fmt];
        static const unsigned spreads[FMT_N] = {14, 120, 1000};
        unsigned const narrow = 1 + (unsigned)rng_below(&rng, 4);
        unsigned const spread = rng_below(&rng, 4) == 0 ? spreads[fmt] : narrow;
        uint64_t term[MAX_TERMS];
        uint32_t const n = 9 + (uint32_t)rng_below(&rng, MAX_TERMS - 8);
        uint64_t const sign = rng_below(&rng, 2) == 0 ? 0 : f->sign;
        for (uint32_t k = 0; k < n; k++) {
            term[k] =
                draw(&rng, f, spread, 1 + (unsigned)rng_below(&rng, f->prec_bits - 1)) & ~sign;
        }
        struct reduction r = make(fmt, i / 3 % 3 == 0, term, n, rules_at(i / 9 % N_RULES));
        struct set s;
        char buf[256];
        n_bound += reduction_permitted(&r, 0, &a, &s) == REDUCTION_BOUND;
        for (unsigned k = 0; k < 4; k++) {
            uint64_t const got = random_tree(&r, &rng);
            if (!set_has(&s, got)) {
                fail_msg("%s: 0x%llx of a tree is left out", name_of(&r, buf, sizeof(buf)),
                         (unsigned long long)got);
            }
            n_in++;
        }
        r.n--;
        if (!r.is_product && sign != 0 && spread == 1 && fmt != FMT_F16) {
            int const is_in = set_has(&s, random_tree(&r, &rng));
            n_kept += (uint64_t)is_in;
            n_lost++;
        }
    }
    assert_true(n_in > 0 && n_bound > 0 && n_lost > 0);
    assert_int_equal(n_kept, 0);
    arena_free(&a);
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(the_set_holds_all_trees_and_ends_where_they_do),
        cmocka_unit_test(extremes_are_those_of_single_steps),
        cmocka_unit_test(the_bound_holds_random_trees_and_refuses_a_lost_term),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
