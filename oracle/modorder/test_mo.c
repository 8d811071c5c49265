/* oracle/modorder/test_mo.c -- the modification-order check against honest runs and against all orders. */
#include "oracle/modorder/test_mo_ref.h"

#include <stdio.h>

enum {
    BRUTE_N = 7
};

/* Is there an order of the events not in `done` from v to the final value? All are tried. */
static int ref_exists(const struct mo_problem *p, unsigned done, struct val v, int keeps_order)
{
    if (done == (1u << p->n_events) - 1) {
        struct mo_event end = {.op = MO_LOAD, .knows_original = 1, .original = p->final};
        return !p->knows_final || ref_sees(p, &end, &v);
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        int may = !(done >> i & 1);
        for (uint32_t k = 0; may && keeps_order && k < p->n_events; k++) {
            int const is_before = (k < i && p->events[k].invocation == p->events[i].invocation) ||
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

struct shape {
    enum domain domain;
    unsigned used_percent; /* of events whose original was observed */
    unsigned n_ops;        /* kinds of operation */
    enum mo_op op[4];
    uint32_t n_invocations, n_phases;
};

static struct shape pick_shape(struct rng *rng, struct mo_problem *p, uint32_t max_n)
{
    static const enum mo_op float_ops[] = {MO_FADD,  MO_FMIN, MO_FMAX, MO_EXCHANGE,
                                           MO_STORE, MO_LOAD, MO_FADD};
    static const enum mo_op int_ops[] = {MO_IADD,  MO_ISUB,     MO_SMIN,   MO_UMIN, MO_SMAX,
                                         MO_UMAX,  MO_AND,      MO_OR,     MO_XOR,  MO_LOAD,
                                         MO_STORE, MO_EXCHANGE, MO_CMPXCHG};
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
static void pick_events(struct rng *rng, const struct mo_problem *p, const struct shape *s,
                        struct mo_event *ev)
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
        ev[i] =
            (struct mo_event){.op = s->op[k],
                              .knows_original = (uint8_t)(is_used[k] && s->op[k] != MO_STORE),
                              .knows_operand = 1,
                              .invocation = (uint32_t)rng_below(rng, s->n_invocations),
                              .phase = (uint32_t)((uint64_t)i * s->n_phases / p->n_events) * 2 + 1,
                              .operand = is_constant[k] ? constant[k] : operand,
                              .comparator = pick_value(rng, p, s->domain)};
        ev[i].group = ev[i].invocation / 4;
    }
}

/* Play the events in a random order that keeps program order and phases; the host adds. */
static void simulate(struct rng *rng, struct mo_problem *p, struct mo_event *ev, enum domain domain)
{
    uint8_t done[MAX_N] = {0};
    struct val v = {pick_value(rng, p, domain), 0};
    p->initial = v.bits;
    for (uint32_t n = 0; n < p->n_events; n++) {
        uint32_t ready[MAX_N] = {0}, n_ready = 0;
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
static void corrupt(struct rng *rng, struct mo_problem *p, struct mo_event *ev, enum domain domain)
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

static void print_problem(const struct mo_problem *p)
{
    print_message("float %d fmt %d bits %u rounding %d flush %d %d initial %d 0x%llx final %d "
                  "0x%llx phases %d\n",
                  p->is_float, (int)p->fmt, p->n_bits, (int)p->rules.rounding,
                  (int)p->rules.flush_in, (int)p->rules.flush_out, p->knows_initial,
                  (unsigned long long)p->initial, p->knows_final, (unsigned long long)p->final,
                  p->has_phases);
    for (uint32_t i = 0; i < p->n_events && i < 40; i++) {
        const struct mo_event *e = &p->events[i];
        print_message("  %u: op %d invocation %u phase %u original %d 0x%llx operand 0x%llx "
                      "comparator 0x%llx\n",
                      i, (int)e->op, e->invocation, e->phase, e->knows_original,
                      (unsigned long long)e->original, (unsigned long long)e->operand,
                      (unsigned long long)e->comparator);
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
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct rng rng = rng_seed(base_seed() * 1000003 + seed);
        struct mo_problem p;
        struct mo_event ev[BRUTE_N];
        struct mo_answer ans;
        struct shape const s = pick_shape(&rng, &p, BRUTE_N);
        pick_events(&rng, &p, &s, ev);
        simulate(&rng, &p, ev, s.domain);
        uint64_t const n_bent = rng_below(&rng, 3);
        for (uint64_t k = 0; k < n_bent; k++) {
            corrupt(&rng, &p, ev, s.domain);
        }
        p.events = ev;
        p.knows_initial = 1; /* an unknown start would have to be each value in turn */
        int const exists = ref_exists(&p, 0, (struct val){p.initial, 0}, 1);
        int const exists_loosely = exists || ref_exists(&p, 0, (struct val){p.initial, 0}, 0);
        run(&p, &a, &ans);
        n_kind[ans.kind]++;
        int const is_undecided = ans.kind == VERDICT_BOUNDED || ans.kind == VERDICT_INCONCLUSIVE;
        int const is_right = exists           ? ans.kind == VERDICT_OK
                             : exists_loosely ? ans.kind == VERDICT_ORDER
                                              : ans.kind != VERDICT_OK && ans.kind != VERDICT_ORDER;
        if (!is_right && !is_undecided) {
            print_problem(&p);
            fail_msg("seed %llu: order %d, without program order %d, but verdict %s: %s",
                     (unsigned long long)seed, exists, exists_loosely, verdict_rows[ans.kind].name,
                     ans.text);
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
    assert_true(n_ok > 4000 && n_not > 4000);
    assert_true(n_undecided < 20);
    assert_true(n_kind[VERDICT_ORDER] > 50);
    arena_free(&a);
}

static int is_all_seen(const struct mo_problem *p)
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
    static struct mo_event ev[MAX_N];
    for (uint64_t seed = 0; seed < 800; seed++) {
        struct rng rng = rng_seed(base_seed() * 7000001 + seed);
        struct mo_problem p;
        struct mo_answer ans;
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
    assert_true(n_kind[VERDICT_INCONCLUSIVE] * 50 < n_all);
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
