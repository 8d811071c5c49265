/* oracle/modorder/test_mo_ref.h -- what an atomic leaves, by the host's arithmetic: for tests only. */
#pragma once

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/modorder/mo.h"

#define COVERS(id) (void)CLAUSE_##id

enum {
    MAX_N = 512,
    MAX_NEXT = 24
};
static const size_t arena_bytes = (size_t)256 << 20;

static inline uint64_t base_seed(void)
{
    const char *s = getenv("SEED");
    return s ? strtoull(s, NULL, 0) : 1;
}

/* ---- the reference: what an operation leaves, by the host's own arithmetic ---- */

/* A value of the location; some_nan: a NaN of which only its being one is known: 1 a quiet one, 2
 * it may be a signalling one. */
struct val {
    uint64_t bits;
    int some_nan;
};
struct vals {
    int n;
    struct val v[MAX_NEXT];
};

static inline float f32_of(uint64_t enc)
{
    uint32_t const u = (uint32_t)enc;
    float x;
    memcpy(&x, &u, 4);
    return x;
}
static inline uint64_t enc_of_f32(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return u;
}
static inline double f64_of(uint64_t enc)
{
    double x;
    memcpy(&x, &enc, 8);
    return x;
}
static inline uint64_t enc_of_f64(double x)
{
    uint64_t u;
    memcpy(&u, &x, 8);
    return u;
}

static inline int ref_is_nan(enum fmt_id fmt, uint64_t x)
{
    return fmt == FMT_F64 ? (x << 1) > UINT64_C(0xffe0000000000000)
                          : ((uint32_t)x << 1) > UINT32_C(0xff000000);
}
static inline int ref_is_quiet(enum fmt_id fmt, uint64_t x)
{
    return (int)(fmt == FMT_F64 ? x >> 51 & 1 : x >> 22 & 1);
}
static inline int ref_is_zero(enum fmt_id fmt, uint64_t x)
{
    return fmt == FMT_F64 ? x << 1 == 0 : (uint32_t)x << 1 == 0;
}
static inline int ref_is_tiny(enum fmt_id fmt, uint64_t x)
{
    return !ref_is_zero(fmt, x) && (fmt == FMT_F64 ? (x >> 52 & 0x7ff) : (x >> 23 & 0xff)) == 0;
}

static inline void vals_add(struct vals *s, uint64_t bits, int some_nan)
{
    for (int i = 0; i < s->n; i++) {
        if (s->v[i].bits == bits && s->v[i].some_nan == some_nan) {
            return;
        }
    }
    assert_true(s->n < MAX_NEXT);
    s->v[s->n++] = (struct val){bits, some_nan};
}

static inline uint64_t ref_sum(enum fmt_id fmt, uint64_t x, uint64_t y, int direction)
{
    (void)fesetround(direction);
    uint64_t r;
    if (fmt == FMT_F64) {
        volatile double const a = f64_of(x), b = f64_of(y);
        volatile double const c = a + b;
        r = enc_of_f64(c);
    } else {
        volatile float const a = f32_of(x), b = f32_of(y);
        volatile float const c = a + b;
        r = enc_of_f32(c);
    }
    (void)fesetround(FE_TONEAREST);
    return r;
}

static inline int ref_less(enum fmt_id fmt, uint64_t x, uint64_t y)
{
    return fmt == FMT_F64 ? f64_of(x) < f64_of(y) : f32_of(x) < f32_of(y);
}

static inline void ref_minmax(enum fmt_id fmt, int is_max, uint64_t x, uint64_t y, struct vals *out)
{
    int const nan_x = ref_is_nan(fmt, x), nan_y = ref_is_nan(fmt, y);
    if (nan_x && nan_y) {
        vals_add(out, 0, 2);
    } else if (nan_x || nan_y) {
        vals_add(out, nan_x ? y : x, 0);
        if (!ref_is_quiet(fmt, nan_x ? x : y)) {
            vals_add(out, 0, 2);
        }
    } else if (ref_is_zero(fmt, x) && ref_is_zero(fmt, y)) {
        vals_add(out, x, 0);
        vals_add(out, y, 0);
    } else {
        vals_add(out, ref_less(fmt, x, y) == !is_max ? x : y, 0);
    }
}

/* One float operation without flushing of operands. */
static inline void ref_float_op(const struct mo_problem *p, enum mo_op op, uint64_t x, uint64_t y,
                                struct vals *out)
{
    static const int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    if (op != MO_FADD) {
        ref_minmax(p->fmt, op == MO_FMAX, x, y, out);
        return;
    }
    for (int d = 0; d < 4; d++) {
        if (p->rules.rounding == ROUND_EITHER || d == (int)(p->rules.rounding == ROUND_RTZ)) {
            uint64_t const r = ref_sum(p->fmt, x, y, directions[d]);
            int const is_nan = ref_is_nan(p->fmt, r);
            int const is_any = (ref_is_nan(p->fmt, x) && !ref_is_quiet(p->fmt, x)) ||
                               (ref_is_nan(p->fmt, y) && !ref_is_quiet(p->fmt, y));
            vals_add(out, is_nan ? 0 : r, is_nan ? 1 + is_any : 0);
        }
    }
}

static inline uint64_t sign_of(enum fmt_id fmt)
{
    return fmt == FMT_F64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
}

static inline void ref_flushing_op(const struct mo_problem *p, enum mo_op op, uint64_t x,
                                   uint64_t y, struct vals *out)
{
    uint64_t const sign = sign_of(p->fmt);
    uint64_t const xs[3] = {x, 0, sign}, ys[3] = {y, 0, sign};
    int const n_x = p->rules.flush_in == FLUSH_MAY && ref_is_tiny(p->fmt, x) ? 3 : 1;
    int const n_y = p->rules.flush_in == FLUSH_MAY && ref_is_tiny(p->fmt, y) ? 3 : 1;
    struct vals all = {0};
    for (int i = 0; i < n_x * n_y; i++) {
        ref_float_op(p, op, xs[i % n_x], ys[i / n_x], &all);
    }
    for (int i = 0; i < all.n; i++) {
        int const is_tiny = !all.v[i].some_nan && ref_is_tiny(p->fmt, all.v[i].bits);
        if (!is_tiny || p->rules.flush_out != FLUSH_MUST) {
            vals_add(out, all.v[i].bits, all.v[i].some_nan);
        }
        if (is_tiny && p->rules.flush_out != FLUSH_NEVER) {
            vals_add(out, 0, 0);
            vals_add(out, sign, 0);
        }
    }
}

static inline uint64_t ref_int_op(const struct mo_problem *p, const struct mo_event *e, uint64_t x)
{
    uint64_t const y = e->operand;
    int64_t const sx = p->n_bits == 32 ? (int32_t)(uint32_t)x : (int64_t)x;
    int64_t const sy = p->n_bits == 32 ? (int32_t)(uint32_t)y : (int64_t)y;
    uint64_t r = x;
    if (e->op == MO_IADD) {
        r = x + y;
    } else if (e->op == MO_ISUB) {
        r = x - y;
    } else if (e->op == MO_SMIN) {
        r = sx < sy ? x : y;
    } else if (e->op == MO_SMAX) {
        r = sx > sy ? x : y;
    } else if (e->op == MO_UMIN) {
        r = x < y ? x : y;
    } else if (e->op == MO_UMAX) {
        r = x > y ? x : y;
    } else if (e->op == MO_AND) {
        r = x & y;
    } else if (e->op == MO_OR) {
        r = x | y;
    } else if (e->op == MO_XOR) {
        r = x ^ y;
    } else if (e->op == MO_CMPXCHG) {
        r = x == e->comparator ? y : x;
    }
    return p->n_bits == 32 ? r & UINT32_MAX : r;
}

/* All values that e may leave where x was; x is resolved. */
static inline void ref_next(const struct mo_problem *p, const struct mo_event *e, struct val x,
                            struct vals *out)
{
    if (e->op == MO_LOAD) {
        vals_add(out, x.bits, x.some_nan);
    } else if (e->op == MO_STORE || e->op == MO_EXCHANGE) {
        vals_add(out, e->operand, 0);
    } else if (e->op == MO_FADD || e->op == MO_FMIN || e->op == MO_FMAX) {
        uint64_t const quiet =
            p->fmt == FMT_F64 ? UINT64_C(0x7ff8000000000000) : UINT64_C(0x7fc00000);
        uint64_t const signalling =
            p->fmt == FMT_F64 ? UINT64_C(0x7ff0000000000001) : UINT64_C(0x7f800001);
        uint64_t const some = x.some_nan == 2 ? signalling : quiet;
        ref_flushing_op(p, e->op, x.some_nan ? some : x.bits, e->operand, out);
    } else {
        vals_add(out, ref_int_op(p, e, x.bits), 0);
    }
}

static inline int ref_sees(const struct mo_problem *p, const struct mo_event *e, struct val *v)
{
    uint64_t const o = e->original;
    if (!e->knows_original || (!v->some_nan && v->bits == o)) {
        return 1;
    }
    if (!p->is_float) {
        return 0;
    }
    uint64_t const quiet = p->fmt == FMT_F64 ? UINT64_C(1) << 51 : UINT64_C(1) << 22;
    if (v->some_nan) {
        int const may_be_signalling = v->some_nan == 2 && ref_is_nan(p->fmt, o & ~quiet);
        *v = (struct val){may_be_signalling ? o & ~quiet : o, 0};
        return ref_is_nan(p->fmt, o);
    }
    if (ref_is_nan(p->fmt, v->bits) && o == (v->bits | quiet)) {
        return 1;
    }
    int const may_flush = p->rules.flush_in == FLUSH_MAY || p->rules.flush_out != FLUSH_NEVER;
    int const is_op = e->op == MO_FADD || e->op == MO_FMIN || e->op == MO_FMAX;
    return may_flush && is_op && ref_is_zero(p->fmt, o) && ref_is_tiny(p->fmt, v->bits);
}

enum domain {
    DOMAIN_SMALL,
    DOMAIN_SPECIAL,
    DOMAIN_BITS
};

static inline uint64_t pick_value(struct rng *rng, const struct mo_problem *p, enum domain domain)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7fc00000,
                                       0x7fc00001, 0x7f800001, 0x7f800000, 0xff800000, 1,
                                       0x80000003, 0x007fffff, 0x7f7fffff, 0x40000000};
    if (!p->is_float) {
        uint64_t const mask = p->n_bits == 32 ? UINT32_MAX : UINT64_MAX;
        return (domain == DOMAIN_BITS ? rng_next(rng) : rng_below(rng, 5) - 1) & mask;
    }
    uint32_t const small = (uint32_t)rng_below(rng, 5);
    float x = (float)small - 2.0f;
    if (domain == DOMAIN_SPECIAL) {
        x = f32_of(special[rng_below(rng, ARRAY_N(special))]);
    } else if (domain == DOMAIN_BITS) {
        /* Moderate numbers with full significands: sums round. */
        uint32_t const exp = 120 + (uint32_t)rng_below(rng, 12);
        uint32_t const u = (uint32_t)rng_next(rng);
        x = f32_of((u & 0x807fffff) | exp << 23);
    }
    if (p->fmt != FMT_F64) {
        return enc_of_f32(x);
    }
    uint64_t const low = domain == DOMAIN_BITS ? rng_below(rng, 1 << 29) : 0;
    return enc_of_f64((double)x) | low;
}

static inline void run(const struct mo_problem *p, struct arena *a, struct mo_answer *out)
{
    struct err e = {0};
    arena_reset(a);
    if (mo_check(p, a, out, &e) != RES_OK) {
        fail_msg("chain_check: %s", e.text);
    }
    assert_non_null(out->text);
    assert_true(out->text[0] != 0);
    int const is_violation = verdict_rows[out->kind].part == PART_VIOLATION;
    assert_true(!is_violation || p->n_events == 0 || out->n_suspects > 0);
    for (uint32_t i = 0; i < out->n_suspects; i++) {
        assert_true(out->suspect[i] < p->n_events);
    }
}
