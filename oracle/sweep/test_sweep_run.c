/* oracle/sweep/test_sweep_run.c -- runs of neighbouring inputs: what is said of them without looking at each is what
 * MPFR says of each. */
#include "oracle/sweep/test_sweep_ref.h"
#include "tests/rig/sweep_slow.h"

enum {
    N_RUN = 300, /* inputs of a run; each case has two */
    UNTOUCHED = 0x5a5a5a5a
};
static uint32_t x[2][N_RUN], room[N_RUN], got[2][N_FORMS][N_RUN];

struct flat {
    enum func_id func;
    uint32_t first, right; /* input, and the result of all from there on */
};
static const struct flat flats[] = {
    {FUNC_EXP,   0xa0000000, 0x3f800000},
    {FUNC_EXP,   0x20000000, 0x3f800000},
    {FUNC_EXP2,  0xa1012345, 0x3f800000},
    {FUNC_COS,   0x20000000, 0x3f800000},
    {FUNC_COS,   0xa0000000, 0x3f800000},
    {FUNC_COSH,  0xa0000000, 0x3f800000},
    {FUNC_TANH,  0xc2000000, 0xbf800000},
    {FUNC_ERFC,  0xc2000000, 0x40000000},
    {FUNC_EXPM1, 0xc2900000, 0xbf800000},
    {FUNC_EXP,   0xc4900000, 0x00000000},
    {FUNC_EXP,   0x44900000, 0x7f800000},
    {FUNC_LOG,   0xc4000000, 0x7fc00000},
};

static void fill(const struct flat *f, uint32_t off)
{
    uint32_t const step = f->right != 0 && f->right < 0x7f800000 ? off : 0;
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < N_RUN; i++) {
            x[k][i] = f->first + k * N_RUN + i;
            for (uint32_t form = 0; form < N_FORMS; form++) {
                got[k][form][i] = f->right + (f->right < 0xbf800000 ? step : 0);
            }
        }
    }
}

/* Both runs, one after the other; how many of them did not need their inputs. */
static uint32_t judge_runs(struct sweep *run, struct sweep *slow)
{
    uint32_t n_flat = 0;
    for (uint32_t k = 0; k < 2; k++) {
        const void *results[N_FORMS];
        for (uint32_t form = 0; form < N_FORMS; form++) {
            results[form] = got[k][form];
        }
        room[0] = UNTOUCHED;
        sweep_run_on(run, x[k][0], room, results, N_RUN, evaluator_find_isa());
        n_flat += room[0] == UNTOUCHED;
        assert_true(room[0] == UNTOUCHED || memcmp(room, x[k], sizeof room) == 0);
        sweep_block_slow(slow, x[k], NULL, results, N_RUN);
    }
    expect_same(run, slow);
    for (uint32_t form = 0; form < N_FORMS; form++) {
        assert_int_equal(run->result[form].n, (uint64_t)2 * N_RUN);
    }
    return n_flat;
}

static struct sweep run, slow;

static void begin(enum func_id func, double bound_ulp)
{
    run = make_sweep(func, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
    for (uint32_t form = 0; form < N_FORMS; form++) {
        run.form[form].bound = (struct func_bound){.ulp = bound_ulp};
    }
    slow = run;
}

/* Right results, and wrong ones within a wide bound, whose errors are the largest so far again and again. */
static void flat_runs_are_what_mpfr_says(void **state)
{
    static const int offsets[] = {0, -83, 83};
    (void)state;
    for (size_t k = 0; k < ARRAY_N(flats) * ARRAY_N(offsets); k++) {
        const struct flat *const f = &flats[k / ARRAY_N(offsets)];
        begin(f->func, 8192);
        fill(f, (uint32_t)offsets[k % ARRAY_N(offsets)]);
        uint32_t const n_flat = judge_runs(&run, &slow);
        if (n_flat < 1) { /* of the first run the lists have to be filled */
            fail_msg("%s(%08x) %+d: both runs were looked at", func_rows[f->func].name, f->first,
                     offsets[k % ARRAY_N(offsets)]);
        }
        assert_int_equal(run.result[1].n_broken, 0);
    }
}

/* One result that is another, anywhere, and results that are all wrong: found as ever. */
static void nothing_hides_in_a_flat_run(void **state)
{
    static const uint32_t places[] = {0, 1, N_RUN / 2, N_RUN - 2, N_RUN - 1};
    (void)state;
    for (size_t k = 0; k < ARRAY_N(places); k++) {
        begin(FUNC_EXP, 3);
        fill(&flats[0], 0);
        got[1][2][places[k]] -= 9;
        assert_true(judge_runs(&run, &slow) <= 1);
        assert_int_equal(run.result[2].n_broken, 1);
        assert_int_equal(run.result[2].broken[0].arg[0], x[1][places[k]]);
        assert_int_equal(run.result[1].n_broken, 0);
    }
    begin(FUNC_EXP, 3);
    fill(&flats[0], (uint32_t)-9);
    assert_int_equal(judge_runs(&run, &slow), 0);
    assert_int_equal(run.result[0].n_broken, 2 * N_RUN);
    begin(FUNC_EXP, 3);
    fill(&(struct flat){FUNC_EXP, 0x20000000, 0x7fc00000}, 0);
    assert_int_equal(judge_runs(&run, &slow), 0);
    assert_int_equal(run.result[0].n_special, 2 * N_RUN);
}

/* What is listed is the error of the input beside it. */
static void expect_own_error(const struct sweep_worst *worst, enum func_id func)
{
    struct func_args const args = {.fmt = FMT_F32, .enc = {worst->arg[0]}};
    double error = 0;
    if (fabs(worst->error) > 0) {
        assert_int_equal(func_get_error(func, ENV_CL, &args, worst->got, &error), 0);
        assert_memory_equal(&error, &worst->error, sizeof error);
    }
}

/* Errors of one result that grow, shrink and pass a power of two, where the value is not flat. */
static void growing_errors_are_what_mpfr_says(void **state)
{
    static const struct flat slopes[] = {
        {FUNC_EXP,  0x26000000, 0x3f800000},
        {FUNC_EXP,  0xa6000000, 0x3f800000},
        {FUNC_EXP,  0x2f000000, 0x3f800000},
        {FUNC_EXP,  0x327ffff0, 0x3f800000},
        {FUNC_COS,  0x387fff00, 0x3f800000},
        {FUNC_TANH, 0x40f00000, 0x3f800000},
        {FUNC_LOG,  0x7f000000, 0x42b00000},
        {FUNC_CBRT, 0x3f900000, 0x3f852000},
        {FUNC_ATAN, 0x4c000000, 0x3fc90fdb},
    };
    static const int offsets[] = {0, 1, -1, 83, -83};
    (void)state;
    for (size_t k = 0; k < ARRAY_N(slopes) * ARRAY_N(offsets); k++) {
        begin(slopes[k / ARRAY_N(offsets)].func, 0x1p40);
        fill(&slopes[k / ARRAY_N(offsets)], (uint32_t)offsets[k % ARRAY_N(offsets)]);
        (void)judge_runs(&run, &slow);
        expect_own_error(&run.result[0].above, run.func);
        expect_own_error(&run.result[0].below, run.func);
    }
}

/* Runs of f16, and of a function that no evaluator has: their inputs are counted. */
static void other_runs_are_counted(void **state)
{
    static uint16_t x16[N_RUN], got16[N_RUN];
    const void *const results[1] = {got16};
    (void)state;
    begin(FUNC_FABS, 0);
    run.fmt = FMT_F16;
    run.n_forms = 1;
    for (uint32_t i = 0; i < N_RUN; i++) {
        got16[i] = (uint16_t)(0x3c00 + i);
    }
    sweep_run(&run, 0xbc00, x16, results, N_RUN);
    assert_int_equal(x16[N_RUN - 1], 0xbc00 + N_RUN - 1);
    assert_int_equal(run.result[0].n_rounded, N_RUN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_runs_are_what_mpfr_says),
        cmocka_unit_test(nothing_hides_in_a_flat_run),
        cmocka_unit_test(growing_errors_are_what_mpfr_says),
        cmocka_unit_test(other_runs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
