/* fuzz/audit/test_audit_faults.c -- rare faults in results of all f32 inputs of a range: the audit's judges
 * report each, with its input, and nothing without it. Honest results come of the C library in double.
 * HALFULP_SLOW=1: the fault of one input in 2^20 among all 2^32. */
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/audit/audit_judge.h"
#include "fuzz/audit/audit_memory.h"
#include "fuzz/pool/handle.h"
#include "oracle/tables/tables.h"

enum {
    ROW_BLOCK = 1 << 12,
    ROW_JUDGES = 2,
    FULL = 0,  /* the form that has the environment's bound, */
    TIGHT = 1, /* and the one that is decorated with a little over half an ulp */
    N_FORMS = 2,
    RARE = 1 << 20,   /* inputs among which one is off */
    REDUCED = 1 << 14 /* inputs beyond 2^16 */
};
#define TIGHT_ULP 0.5001
/* Errors nearer to a bound than this are not told apart by a double. */
#define BOUND_MARGIN_ULP 0.001

typedef double host_function(double x);
/* The result of the faulty function; where it is honest, `right`. */
typedef uint32_t planted_function(uint32_t x, uint32_t right);
struct row {
    enum func_id func;
    double bound_ulp; /* OpenCL's, of f32 */
    host_function *host;
    planted_function *plant; /* NULL: honest */
    uint32_t first;
    uint64_t n;
};
/* What the judges found, and what there was to find by plain arithmetic. */
struct found {
    struct sweep_result form[N_FORMS];
    uint64_t n_planted, n_past_least, n_past_most; /* results changed; of these, past the bound */
};

static uint32_t encode(double v)
{
    float const x = (float)v;
    uint32_t enc;
    memcpy(&enc, &x, sizeof enc);
    return enc;
}

static double decode(uint32_t enc)
{
    float x;
    memcpy(&x, &enc, sizeof x);
    return (double)x;
}

/* Error of a finite result, in ulps of the exact value. */
static double measure(double exact, uint32_t got)
{
    int e;
    (void)frexp(exact, &e);
    return fabs(decode(got) - exact) / ldexp(1, (e < -125 ? -125 : e) - 24);
}

/* --- a row as the audit runs it: blocks in shared memory, orders to judges --- */

static void fill(const struct row *row, const struct stream *s, unsigned char *ring, uint32_t base,
                 struct found *out)
{
    for (uint32_t i = 0; i < ROW_BLOCK; i++) {
        uint32_t const x = base + i;
        double const exact = row->host(decode(x));
        uint32_t const right = encode(exact);
        uint32_t const got = row->plant ? row->plant(x, right) : right;
        if (got != right) {
            double const error = measure(exact, got);
            out->n_planted++;
            out->n_past_least += error > row->bound_ulp + BOUND_MARGIN_ULP;
            out->n_past_most += !(error < row->bound_ulp - BOUND_MARGIN_ULP);
        }
        for (uint32_t form = 0; form < N_FORMS; form++) {
            store_le(ring + stream_get_place(s, 0, form) + (size_t)i * 4, got, 4);
        }
    }
}

static void wait_for(struct audit_judge *j)
{
    struct audit_answer answer;
    int got = 0;
    while (got == 0) {
        struct pollfd p = {.fd = j->from, .events = POLLIN};
        (void)poll(&p, 1, -1);
        got = audit_judge_receive(j, &answer);
    }
    assert_int_equal(got, 1);
    assert_int_equal(answer.n, ROW_BLOCK);
}

static struct sweep make_sweep(const struct row *row)
{
    struct sweep s;
    memset(&s, 0, sizeof s);
    s.func = row->func;
    s.env = ENV_CL;
    s.fmt = FMT_F32;
    s.rules = (struct fp_rules){.rounding = ROUND_RNE};
    s.n_forms = N_FORMS;
    s.form[FULL] = (struct sweep_form){.bound = {.ulp = row->bound_ulp}, .has_bound = 1};
    s.form[TIGHT] = (struct sweep_form){.bound = {.ulp = TIGHT_ULP}, .has_bound = 1};
    return s;
}

/* Have real judges judge the results of a row block by block, as an audit does, with `fill` in place of a
 * device. `before` hands each block the last results of the one before, for the order of neighbours. */
static void run(const struct row *row, struct found *out)
{
    static struct worker_handle none; /* no process */
    static struct audit_judges judges;
    static struct sweep start;
    struct stream const stream = {
        .n_outputs = N_FORMS, .item_bytes = 4, .n_slots = 1, .max_items = ROW_BLOCK, .local = 1};
    size_t const n_bytes = (size_t)stream_get_bytes(&stream);
    unsigned char *const ring = audit_take_memory(n_bytes);
    struct audit_shared const shared = {&stream, ring, NULL, &none};
    struct audit_order order = {.n = ROW_BLOCK};
    struct err e;
    assert_non_null(ring);
    memset(out, 0, sizeof *out);
    start = make_sweep(row);
    assert_int_equal(audit_judges_start(&judges, ROW_JUDGES, &start, &shared, &e), RES_OK);
    for (uint64_t at = 0; at < row->n; at += ROW_BLOCK) {
        struct audit_judge *const j = &judges.judge[at / ROW_BLOCK % ROW_JUDGES];
        order.base = row->first + (uint32_t)at;
        fill(row, &stream, ring, order.base, out);
        assert_int_equal(audit_judge_send(j, &order, &e), RES_OK);
        wait_for(j);
        order.has_before = 1;
        order.before_x = (uint64_t)order.base + ROW_BLOCK - 1;
        for (uint32_t form = 0; form < N_FORMS; form++) {
            order.before[form] =
                load_le(ring + stream_get_place(&stream, 0, form) + (size_t)4 * (ROW_BLOCK - 1), 4);
        }
    }
    for (uint32_t form = 0; form < N_FORMS; form++) {
        audit_judges_merge(&judges, form, &out->form[form]);
        assert_int_equal(out->form[form].n, row->n);
        assert_int_equal(out->form[form].n_undecided, 0);
    }
    audit_judges_stop(&judges);
    audit_unmap_memory(ring, n_bytes);
}

static uint64_t count_wrong(const struct sweep_result *r)
{
    return r->n_broken + r->n_special + r->n_zero_sign;
}

/* The same range without the fault: nothing is reported. Then with it. */
static void run_both(const struct row *row, struct found *out)
{
    struct row honest = *row;
    honest.plant = NULL;
    run(&honest, out);
    for (uint32_t form = 0; form < N_FORMS; form++) {
        assert_int_equal(count_wrong(&out->form[form]), 0);
        assert_int_equal(out->form[form].n_breaks, 0);
    }
    run(row, out);
    assert_true(out->n_planted > 0);
}

/* Each broken result that is kept was planted. */
static void expect_planted(const struct row *row, const struct sweep_result *r)
{
    for (uint64_t i = 0; i < r->n_broken && i < SWEEP_WORST; i++) {
        uint32_t const x = (uint32_t)r->broken[i].arg[0];
        uint32_t const right = encode(row->host(decode(x)));
        assert_int_not_equal(row->plant(x, right), right);
        assert_int_equal(r->broken[i].got, row->plant(x, right));
    }
}

/* --- the faults --- */

static uint32_t be_off_rarely(uint32_t x, uint32_t right)
{
    int const is_number = right > 0 && right < 0x7f7fffff;
    return is_number && x % RARE == 0x54321 ? right + 1 : right;
}

/* One ulp at one input in 2^20 breaks the decorated bound and keeps the plain one. */
static void one_input_in_a_million_is_found(void **state)
{
    (void)state;
    static struct found f;
    int const is_slow = getenv("HALFULP_SLOW") != NULL;
    uint64_t const n = is_slow ? UINT64_C(1) << 32 : UINT64_C(2) * RARE;
    struct row const row = {FUNC_EXP, 3, exp, be_off_rarely, is_slow ? 0 : 0x3f000000, n};
    run_both(&row, &f);
    assert_true(is_slow || f.n_planted == 2);
    assert_int_equal(f.form[TIGHT].n_broken, f.n_planted);
    assert_int_equal(count_wrong(&f.form[TIGHT]), f.n_planted);
    assert_int_equal(count_wrong(&f.form[FULL]), 0);
    expect_planted(&row, &f.form[TIGHT]);
}

static uint32_t be_off_at_one(uint32_t x, uint32_t right)
{
    return x == 0x3f800000 ? right + 4 : right;
}

static void one_power_of_two_is_found(void **state)
{
    (void)state;
    static struct found f;
    struct row const row = {FUNC_EXP, 3, exp, be_off_at_one, 0x3f800000 - RARE / 2, RARE};
    run_both(&row, &f);
    for (uint32_t form = 0; form < N_FORMS; form++) {
        assert_int_equal(count_wrong(&f.form[form]), 1);
        assert_int_equal(f.form[form].broken[0].arg[0], 0x3f800000);
        assert_int_equal(f.form[form].n_breaks, 1); /* the next result is smaller */
    }
}

/* Entry 22 of 64, by the first bits of the fraction. */
static uint32_t use_table(uint32_t x, uint32_t right)
{
    return (x & 0x7fffff) >> 17 == 22 ? right + 8 : right;
}

static void one_entry_of_a_table_is_found(void **state)
{
    (void)state;
    static struct found f;
    struct row const row = {FUNC_LOG, 3, log, use_table, 0x40000000 + (21 << 17), 4 << 17};
    run_both(&row, &f);
    assert_int_equal(f.n_planted, 1 << 17);
    for (uint32_t form = 0; form < N_FORMS; form++) {
        assert_int_equal(count_wrong(&f.form[form]), f.n_planted);
        expect_planted(&row, &f.form[form]);
    }
}

/* By reflection, the sine taken of a product in single precision. */
static uint32_t reflect(uint32_t x, uint32_t right)
{
    double const pi = 3.14159265358979323846;
    double const v = decode(x);
    int const is_near = v < -0.5 && fabs(v - rint(v)) > 0;
    double const product = (double)(float)(pi * v);
    return is_near ? encode(pi / (sin(product) * tgamma(1 - v))) : right;
}

static void tgamma_near_an_integer_is_found(void **state)
{
    (void)state;
    static struct found f;
    struct row const row = {
        FUNC_TGAMMA, 16, tgamma, reflect, 0xc0400000 - ROW_BLOCK, UINT64_C(2) * ROW_BLOCK};
    run_both(&row, &f);
    assert_true(f.n_past_least > 0);
    assert_in_range(count_wrong(&f.form[FULL]), f.n_past_least, f.n_past_most);
    expect_planted(&row, &f.form[FULL]);
}

/* Arguments beyond 2^16 by a period of ten digits. */
static uint32_t reduce_badly(uint32_t x, uint32_t right)
{
    double const v = decode(x);
    return v > 65536.0 ? encode(sin(fmod(v, 6.283185307))) : right;
}

static uint32_t give_up(uint32_t x, uint32_t right)
{
    return decode(x) > 65536.0 ? 0x7fc00000 : right;
}

static void a_reduction_that_is_cut_is_found(void **state)
{
    (void)state;
    static struct found f;
    struct row row = {FUNC_SIN, 4, sin, reduce_badly, 0x47800000 - REDUCED, 2 * REDUCED};
    run_both(&row, &f);
    assert_true(f.n_past_least > 0);
    assert_in_range(count_wrong(&f.form[FULL]), f.n_past_least, f.n_past_most);
    expect_planted(&row, &f.form[FULL]);
    row.plant = give_up;
    run_both(&row, &f);
    assert_int_equal(f.form[FULL].n_special, REDUCED - 1);
    assert_int_equal(count_wrong(&f.form[FULL]), f.n_planted);
}

static uint32_t lose_sign(uint32_t x, uint32_t right)
{
    return x == 0x80000000 ? 0 : right;
}

static uint32_t flush(uint32_t x, uint32_t right)
{
    (void)x;
    return (right & 0x7f800000) == 0 ? right & 0x80000000 : right;
}

static uint32_t saturate(uint32_t x, uint32_t right)
{
    return x < 0x7f800000 && right == 0x7f800000 ? 0x7f7fffff : right;
}

/* The range's lower half are NaNs, the upper one -0 and subnormal numbers. */
static void zeros_and_subnormals_are_found(void **state)
{
    (void)state;
    static struct found f;
    struct row row = {FUNC_SIN, 4, sin, lose_sign, 0x80000000 - ROW_BLOCK, 2 * ROW_BLOCK};
    run_both(&row, &f);
    assert_int_equal(f.form[FULL].n_zero_sign, 1);
    assert_int_equal(f.form[FULL].zero_arg[0][0], 0x80000000);
    assert_int_equal(count_wrong(&f.form[FULL]), 1);
    row.plant = flush;
    run_both(&row, &f);
    assert_int_equal(f.n_planted, ROW_BLOCK - 1);
    /* up to four times the smallest number away from zero is within the bound */
    assert_int_equal(count_wrong(&f.form[TIGHT]), f.n_planted);
    assert_int_equal(count_wrong(&f.form[FULL]), f.n_planted - 4);
}

static void an_overflow_that_saturates_is_found(void **state)
{
    (void)state;
    static struct found f;
    struct row const row = {
        FUNC_EXP, 3, exp, saturate, 0x42b17218 - ROW_BLOCK, UINT64_C(2) * ROW_BLOCK};
    run_both(&row, &f);
    /* the first that overflow may be within the bound of the largest number */
    assert_true(count_wrong(&f.form[FULL]) <= f.n_planted);
    assert_true(count_wrong(&f.form[FULL]) >= f.n_planted - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_input_in_a_million_is_found),
        cmocka_unit_test(one_power_of_two_is_found),
        cmocka_unit_test(one_entry_of_a_table_is_found),
        cmocka_unit_test(tgamma_near_an_integer_is_found),
        cmocka_unit_test(a_reduction_that_is_cut_is_found),
        cmocka_unit_test(zeros_and_subnormals_are_found),
        cmocka_unit_test(an_overflow_that_saturates_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
