/* oracle/test_chain.c -- the chain check against honest runs, planted faults and all orders. */
#include "oracle/chain.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COVERS(id) (void)CLAUSE_##id

enum { MAX_N = 512, BRUTE_N = 7, MAX_NEXT = 24 };
static const size_t arena_bytes = (size_t)256 << 20;

static uint64_t base_seed(void)
{
    const char *s = getenv("SEED");
    return s ? strtoull(s, NULL, 0) : 1;
}

/* ---- the reference: what an operation leaves, by the host's own arithmetic ---- */

/* A value of the location; some_nan: a NaN of which only its being one is known. */
struct val {
    uint64_t bits;
    int some_nan;
};
struct vals {
    int n;
    struct val v[MAX_NEXT];
};

static float f32_of(uint64_t enc)
{
    uint32_t const u = (uint32_t)enc;
    float x;
    memcpy(&x, &u, 4);
    return x;
}
static uint64_t enc_of_f32(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return u;
}
static double f64_of(uint64_t enc)
{
    double x;
    memcpy(&x, &enc, 8);
    return x;
}
static uint64_t enc_of_f64(double x)
{
    uint64_t u;
    memcpy(&u, &x, 8);
    return u;
}

static int ref_is_nan(enum fmt_id fmt, uint64_t x)
{
    return fmt == FMT_F64 ? (x << 1) > UINT64_C(0xffe0000000000000)
                          : ((uint32_t)x << 1) > UINT32_C(0xff000000);
}
static int ref_is_quiet(enum fmt_id fmt, uint64_t x)
{
    return (int)(fmt == FMT_F64 ? x >> 51 & 1 : x >> 22 & 1);
}
static int ref_is_zero(enum fmt_id fmt, uint64_t x)
{
    return fmt == FMT_F64 ? x << 1 == 0 : (uint32_t)x << 1 == 0;
}
static int ref_is_tiny(enum fmt_id fmt, uint64_t x)
{
    return !ref_is_zero(fmt, x) && (fmt == FMT_F64 ? (x >> 52 & 0x7ff) : (x >> 23 & 0xff)) == 0;
}

static void vals_add(struct vals *s, uint64_t bits, int some_nan)
{
    for (int i = 0; i < s->n; i++) {
        if (s->v[i].bits == bits && s->v[i].some_nan == some_nan) {
            return;
        }
    }
    assert_true(s->n < MAX_NEXT);
    s->v[s->n++] = (struct val){bits, some_nan};
}

static uint64_t ref_sum(enum fmt_id fmt, uint64_t x, uint64_t y, int direction)
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

static int ref_less(enum fmt_id fmt, uint64_t x, uint64_t y)
{
    return fmt == FMT_F64 ? f64_of(x) < f64_of(y) : f32_of(x) < f32_of(y);
}

static void ref_minmax(enum fmt_id fmt, int is_max, uint64_t x, uint64_t y, struct vals *out)
{
    int const nan_x = ref_is_nan(fmt, x), nan_y = ref_is_nan(fmt, y);
    if (nan_x && nan_y) {
        vals_add(out, 0, 1);
    } else if (nan_x || nan_y) {
        vals_add(out, nan_x ? y : x, 0);
        if (!ref_is_quiet(fmt, nan_x ? x : y)) {
            vals_add(out, 0, 1);
        }
    } else if (ref_is_zero(fmt, x) && ref_is_zero(fmt, y)) {
        vals_add(out, x, 0);
        vals_add(out, y, 0);
    } else {
        vals_add(out, ref_less(fmt, x, y) == !is_max ? x : y, 0);
    }
}

/* One float operation without flushing of operands. */
static void ref_float_op(const struct chain_problem *p, enum chain_op op, uint64_t x, uint64_t y,
                         struct vals *out)
{
    static const int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    if (op != CHAIN_FADD) {
        ref_minmax(p->fmt, op == CHAIN_FMAX, x, y, out);
        return;
    }
    for (int d = 0; d < 4; d++) {
        if (p->rules.rounding == ROUND_EITHER || d == (int)(p->rules.rounding == ROUND_RTZ)) {
            uint64_t const r = ref_sum(p->fmt, x, y, directions[d]);
            int const is_nan = ref_is_nan(p->fmt, r);
            vals_add(out, is_nan ? 0 : r, is_nan);
        }
    }
}

static uint64_t sign_of(enum fmt_id fmt)
{
    return fmt == FMT_F64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
}

static void ref_flushing_op(const struct chain_problem *p, enum chain_op op, uint64_t x,
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

static uint64_t ref_int_op(const struct chain_problem *p, const struct chain_event *e, uint64_t x)
{
    uint64_t const y = e->operand;
    int64_t const sx = p->n_bits == 32 ? (int32_t)(uint32_t)x : (int64_t)x;
    int64_t const sy = p->n_bits == 32 ? (int32_t)(uint32_t)y : (int64_t)y;
    uint64_t r = x;
    if (e->op == CHAIN_IADD) {
        r = x + y;
    } else if (e->op == CHAIN_ISUB) {
        r = x - y;
    } else if (e->op == CHAIN_SMIN) {
        r = sx < sy ? x : y;
    } else if (e->op == CHAIN_SMAX) {
        r = sx > sy ? x : y;
    } else if (e->op == CHAIN_UMIN) {
        r = x < y ? x : y;
    } else if (e->op == CHAIN_UMAX) {
        r = x > y ? x : y;
    } else if (e->op == CHAIN_AND) {
        r = x & y;
    } else if (e->op == CHAIN_OR) {
        r = x | y;
    } else if (e->op == CHAIN_XOR) {
        r = x ^ y;
    } else if (e->op == CHAIN_CMPXCHG) {
        r = x == e->comparator ? y : x;
    }
    return p->n_bits == 32 ? r & UINT32_MAX : r;
}

/* All values that e may leave where x was; x is resolved. */
static void ref_next(const struct chain_problem *p, const struct chain_event *e, struct val x,
                     struct vals *out)
{
    if (e->op == CHAIN_LOAD) {
        vals_add(out, x.bits, x.some_nan);
    } else if (e->op == CHAIN_STORE || e->op == CHAIN_EXCHANGE) {
        vals_add(out, e->operand, 0);
    } else if (e->op == CHAIN_FADD || e->op == CHAIN_FMIN || e->op == CHAIN_FMAX) {
        uint64_t const qnan =
            p->fmt == FMT_F64 ? UINT64_C(0x7ff8000000000000) : UINT64_C(0x7fc00000);
        ref_flushing_op(p, e->op, x.some_nan ? qnan : x.bits, e->operand, out);
    } else {
        vals_add(out, ref_int_op(p, e, x.bits), 0);
    }
}

static int ref_sees(const struct chain_problem *p, const struct chain_event *e, struct val *v)
{
    uint64_t const o = e->original;
    if (!e->knows_original || (!v->some_nan && v->bits == o)) {
        return 1;
    }
    if (!p->is_float) {
        return 0;
    }
    if (v->some_nan) {
        *v = (struct val){o, 0};
        return ref_is_nan(p->fmt, o);
    }
    uint64_t const quiet = p->fmt == FMT_F64 ? UINT64_C(1) << 51 : UINT64_C(1) << 22;
    if (ref_is_nan(p->fmt, v->bits) && o == (v->bits | quiet)) {
        return 1;
    }
    int const may_flush = p->rules.flush_in == FLUSH_MAY || p->rules.flush_out != FLUSH_NEVER;
    int const is_op = e->op == CHAIN_FADD || e->op == CHAIN_FMIN || e->op == CHAIN_FMAX;
    return may_flush && is_op && ref_is_zero(p->fmt, o) && ref_is_tiny(p->fmt, v->bits);
}

/* Is there an order of the events not in `done` from v to the final value? All are tried. */
static int ref_exists(const struct chain_problem *p, unsigned done, struct val v, int keeps_order)
{
    if (done == (1u << p->n_events) - 1) {
        struct chain_event end = {.op = CHAIN_LOAD, .knows_original = 1, .original = p->final};
        return !p->knows_final || ref_sees(p, &end, &v);
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        int may = !(done >> i & 1);
        for (uint32_t k = 0; may && keeps_order && k < p->n_events; k++) {
            int const is_before =
                (k < i && p->events[k].invocation == p->events[i].invocation) ||
                (p->has_phases && p->events[k].phase < p->events[i].phase);
            may = (done >> k & 1) || !is_before;
        }
        struct val seen = v;
        struct vals next = {0};
        if (!may || !ref_sees(p, &p->events[i], &seen)) {
            continue;
        }
        ref_next(p, &p->events[i], seen, &next);
        for (int k = 0; k < next.n; k++) {
            if (ref_exists(p, done | 1u << i, next.v[k], keeps_order)) {
                return 1;
            }
        }
    }
    return 0;
}

/* ---- random problems ---- */

enum domain { DOMAIN_SMALL, DOMAIN_SPECIAL, DOMAIN_BITS };
struct shape {
    enum domain domain;
    unsigned used_percent;  /* of events whose original was observed */
    unsigned n_ops;         /* kinds of operation */
    enum chain_op op[4];
    uint32_t n_invocations, n_phases;
};

static uint64_t pick_value(struct rng *rng, const struct chain_problem *p, enum domain domain)
{
    static const uint32_t special[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7fc00000,
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

static struct shape pick_shape(struct rng *rng, struct chain_problem *p, uint32_t max_n)
{
    static const enum chain_op float_ops[] = {CHAIN_FADD, CHAIN_FMIN, CHAIN_FMAX, CHAIN_EXCHANGE,
                                              CHAIN_STORE, CHAIN_LOAD, CHAIN_FADD};
    static const enum chain_op int_ops[] = {
        CHAIN_IADD, CHAIN_ISUB, CHAIN_SMIN, CHAIN_UMIN,  CHAIN_SMAX, CHAIN_UMAX, CHAIN_AND,
        CHAIN_OR,   CHAIN_XOR,  CHAIN_LOAD, CHAIN_STORE, CHAIN_EXCHANGE, CHAIN_CMPXCHG};
    static const unsigned used[] = {100, 100, 0, 50, 80};
    struct shape s;
    memset(p, 0, sizeof *p);
    p->is_float = rng_below(rng, 3) > 0;
    p->fmt = rng_below(rng, 2) ? FMT_F64 : FMT_F32;
    p->n_bits = rng_below(rng, 2) ? 64 : 32;
    p->rules.rounding = (enum rounding)rng_below(rng, 3);
    if (rng_below(rng, 3) == 0) {
        p->rules.flush_in = FLUSH_MAY;
        p->rules.flush_out = rng_below(rng, 2) ? FLUSH_MAY : FLUSH_MUST;
    }
    p->knows_initial = rng_below(rng, 8) != 0;
    p->knows_final = rng_below(rng, 8) != 0;
    p->has_phases = rng_below(rng, 4) == 0;
    p->n_events = 1 + (uint32_t)rng_below(rng, max_n);
    s.domain = (enum domain)rng_below(rng, 3);
    s.used_percent = used[rng_below(rng, ARRAY_N(used))];
    s.n_ops = 1 + (unsigned)rng_below(rng, 4);
    for (unsigned k = 0; k < 4; k++) {
        s.op[k] = p->is_float ? float_ops[rng_below(rng, ARRAY_N(float_ops))]
                              : int_ops[rng_below(rng, ARRAY_N(int_ops))];
    }
    s.n_invocations = 1 + (uint32_t)rng_below(rng, p->n_events);
    s.n_phases = p->has_phases ? 1 + (uint32_t)rng_below(rng, 3) : 1;
    return s;
}

/* Each operation of a kind is used or not, as an instruction's result is. */
static void pick_events(struct rng *rng, const struct chain_problem *p, const struct shape *s,
                        struct chain_event *ev)
{
    int is_used[4], is_constant[4];
    uint64_t constant[4];
    for (unsigned k = 0; k < 4; k++) {
        is_used[k] = rng_below(rng, 100) < s->used_percent;
        is_constant[k] = rng_below(rng, 4) == 0;
        constant[k] = pick_value(rng, p, s->domain);
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        unsigned const k = (unsigned)rng_below(rng, s->n_ops);
        uint64_t const operand = pick_value(rng, p, s->domain);
        ev[i] = (struct chain_event){
            .op = s->op[k],
            .knows_original = (uint8_t)(is_used[k] && s->op[k] != CHAIN_STORE),
            .knows_operand = 1,
            .invocation = (uint32_t)rng_below(rng, s->n_invocations),
            .phase = (uint32_t)((uint64_t)i * s->n_phases / p->n_events) * 2 + 1,
            .operand = is_constant[k] ? constant[k] : operand,
            .comparator = pick_value(rng, p, s->domain)};
        ev[i].group = ev[i].invocation / 4;
    }
}

/* Play the events in a random order that keeps program order and phases; the host adds. */
static void simulate(struct rng *rng, struct chain_problem *p, struct chain_event *ev,
                     enum domain domain)
{
    uint8_t done[MAX_N] = {0};
    struct val v = {pick_value(rng, p, domain), 0};
    p->initial = v.bits;
    for (uint32_t n = 0; n < p->n_events; n++) {
        uint32_t ready[MAX_N], n_ready = 0;
        for (uint32_t i = 0; i < p->n_events; i++) {
            int is_ready = !done[i];
            for (uint32_t k = 0; is_ready && k < p->n_events; k++) {
                is_ready = done[k] || !((k < i && ev[k].invocation == ev[i].invocation) ||
                                        (p->has_phases && ev[k].phase < ev[i].phase));
            }
            if (is_ready) {
                ready[n_ready++] = i;
            }
        }
        uint32_t const i = ready[rng_below(rng, n_ready)];
        struct vals next = {0};
        done[i] = 1;
        ev[i].original = ev[i].knows_original ? v.bits : 0;
        ref_next(p, &ev[i], v, &next);
        v = next.v[rng_below(rng, (uint64_t)next.n)];
        if (v.some_nan) {
            v.bits = p->fmt == FMT_F64 ? UINT64_C(0xfff8000000000000) : UINT64_C(0xffc00000);
            v.some_nan = 0;
        }
    }
    p->final = v.bits;
}

/* Bend one observed bit pattern. */
static void corrupt(struct rng *rng, struct chain_problem *p, struct chain_event *ev,
                    enum domain domain)
{
    uint32_t const i = (uint32_t)rng_below(rng, p->n_events);
    uint32_t const k = (uint32_t)rng_below(rng, p->n_events);
    uint64_t const kind = rng_below(rng, 4);
    if (kind == 0 && ev[i].knows_original) {
        ev[i].original ^= 1;
    } else if (kind == 1) {
        p->final = pick_value(rng, p, domain);
    } else if (kind == 2 && ev[i].knows_original && ev[k].knows_original) {
        uint64_t const o = ev[i].original;
        ev[i].original = ev[k].original;
        ev[k].original = o;
    } else if (ev[i].knows_original) {
        ev[i].original = pick_value(rng, p, domain);
    }
}

/* ---- tests ---- */

static void run(const struct chain_problem *p, struct arena *a, struct chain_answer *out)
{
    struct err e = {0};
    arena_reset(a);
    if (chain_check(p, a, out, &e) != RES_OK) {
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

static void print_problem(const struct chain_problem *p)
{
    print_message("float %d fmt %d bits %u rounding %d flush %d %d initial %d 0x%llx final %d "
                  "0x%llx phases %d\n", p->is_float, (int)p->fmt, p->n_bits,
                  (int)p->rules.rounding, (int)p->rules.flush_in, (int)p->rules.flush_out,
                  p->knows_initial, (unsigned long long)p->initial, p->knows_final,
                  (unsigned long long)p->final, p->has_phases);
    for (uint32_t i = 0; i < p->n_events && i < 40; i++) {
        const struct chain_event *e = &p->events[i];
        print_message("  %u: op %d invocation %u phase %u original %d 0x%llx operand 0x%llx "
                      "comparator 0x%llx\n", i, (int)e->op, e->invocation, e->phase,
                      e->knows_original, (unsigned long long)e->original,
                      (unsigned long long)e->operand, (unsigned long long)e->comparator);
    }
}

/* The judgement of all orders, tried one by one, is the reference in both directions. */
static void agrees_with_all_orders(void **state)
{
    COVERS(RMW_CHAIN);
    COVERS(PROGRAM_ORDER);
    COVERS(BARRIER_ORDER);
    (void)state;
    struct arena a;
    arena_init(&a, arena_bytes);
    unsigned n_kind[VERDICT_N] = {0};
    unsigned n_ok = 0, n_not = 0, n_undecided = 0;
    for (uint64_t seed = 0; seed < 30000; seed++) {
        struct rng rng = rng_seed(base_seed() * 1000003 + seed);
        struct chain_problem p;
        struct chain_event ev[BRUTE_N];
        struct chain_answer ans;
        struct shape const s = pick_shape(&rng, &p, BRUTE_N);
        pick_events(&rng, &p, &s, ev);
        simulate(&rng, &p, ev, s.domain);
        uint64_t const n_bent = rng_below(&rng, 3);
        for (uint64_t k = 0; k < n_bent; k++) {
            corrupt(&rng, &p, ev, s.domain);
        }
        p.events = ev;
        /* An unknown start is each value that was seen; one that nobody saw leaves all free. */
        if (!p.knows_initial) {
            p.knows_initial = 1;
        }
        int const exists = ref_exists(&p, 0, (struct val){p.initial, 0}, 1);
        int const exists_loosely =
            exists || ref_exists(&p, 0, (struct val){p.initial, 0}, 0);
        run(&p, &a, &ans);
        n_kind[ans.kind]++;
        int const is_undecided =
            ans.kind == VERDICT_BOUNDED || ans.kind == VERDICT_INCONCLUSIVE;
        int const is_right = exists ? ans.kind == VERDICT_OK
                             : exists_loosely
                                 ? ans.kind == VERDICT_ORDER
                                 : ans.kind != VERDICT_OK && ans.kind != VERDICT_ORDER;
        if (!is_right && !is_undecided) {
            print_problem(&p);
            fail_msg("seed %llu: order %d, without program order %d, but verdict %s: %s",
                     (unsigned long long)seed, exists, exists_loosely,
                     verdict_rows[ans.kind].name, ans.text);
        }
        n_undecided += (unsigned)is_undecided;
        n_ok += (unsigned)exists;
        n_not += (unsigned)!exists;
    }
    print_message("all orders: %u explained, %u not, %u undecided", n_ok, n_not, n_undecided);
    for (int k = 0; k < VERDICT_N; k++) {
        if (n_kind[k]) {
            print_message(", %s %u", verdict_rows[k].name, n_kind[k]);
        }
    }
    print_message("\n");
    assert_true(n_ok > 5000 && n_not > 5000);
    assert_true(n_undecided < 150);
    assert_true(n_kind[VERDICT_ORDER] > 50);
    arena_free(&a);
}

static int is_all_seen(const struct chain_problem *p)
{
    for (uint32_t i = 0; i < p->n_events; i++) {
        if (!p->events[i].knows_original) {
            return 0;
        }
    }
    return 1;
}

static void honest_runs_never_alarm(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, arena_bytes);
    unsigned n_kind[VERDICT_N] = {0}, n_used_bounded = 0, n_all = 0;
    static struct chain_event ev[MAX_N];
    for (uint64_t seed = 0; seed < 1500; seed++) {
        struct rng rng = rng_seed(base_seed() * 7000001 + seed);
        struct chain_problem p;
        struct chain_answer ans;
        struct shape const s = pick_shape(&rng, &p, seed % 4 == 0 ? MAX_N : 64);
        pick_events(&rng, &p, &s, ev);
        simulate(&rng, &p, ev, s.domain);
        p.events = ev;
        run(&p, &a, &ans);
        n_kind[ans.kind]++;
        n_all++;
        n_used_bounded += is_all_seen(&p) && ans.kind == VERDICT_BOUNDED;
        if (verdict_rows[ans.kind].part == PART_VIOLATION) {
            print_problem(&p);
            fail_msg("seed %llu: %s: %s", (unsigned long long)seed, verdict_rows[ans.kind].name,
                     ans.text);
        }
        if (getenv("VERBOSE") && ans.kind != VERDICT_OK) {
            print_message("seed %llu: n %u %s domain %d used %u\n", (unsigned long long)seed,
                          p.n_events, verdict_rows[ans.kind].name, (int)s.domain, s.used_percent);
        }
    }
    print_message("honest: %u, ok %u, bounded %u, inconclusive %u\n", n_all, n_kind[VERDICT_OK],
                  n_kind[VERDICT_BOUNDED], n_kind[VERDICT_INCONCLUSIVE]);
    assert_int_equal(n_used_bounded, 0);
    assert_true(n_kind[VERDICT_INCONCLUSIVE] * 100 < n_all);
    assert_true(n_kind[VERDICT_BOUNDED] * 10 < n_all);
    arena_free(&a);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_orders),
        cmocka_unit_test(honest_runs_never_alarm),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
