/* tests/program/test_guided.c -- single executions of a guided campaign: what the map shows, what is new, what
 * becomes of drivers that misbehave, and what the journal holds afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sys/stat.h>

#include "base/file.h"
#include "tests/rig/guided_rig.h"

static void the_same_tape_gives_the_same_map(void **state)
{
    (void)state;
    static const char *const names[] = {"sim-ieee", "sim-any", "sim-ieee:SUM_OFF_ULP"};
    for (size_t k = 0; k < ARRAY_N(names); k++) {
        struct rig r;
        set_up_sim(&r, names[k]);
        unsigned char *before = ARENA_NEW(&r.a, unsigned char, GUIDED_CELLS);
        unsigned char *signatures = before + FEATURE_CELLS + FEATURE_CASE_CELLS;
        uint64_t n_features = 0;
        for (uint64_t i = 0; i < N_MORE; i++) {
            execute_tape(&r, i);
            memcpy(before, r.map, GUIDED_CELLS);
            execute_tape(&r, N_MORE + i);
            execute_tape(&r, i);
            assert_memory_equal(before, r.map, GUIDED_CELLS);
            assert_true(has_state(&r, GUIDED_JUDGED));
            for (size_t c = 0; c < FEATURE_CELLS + FEATURE_CASE_CELLS; c++) {
                assert_true(before[c] <= 1);
                n_features += before[c];
            }
            for (size_t c = 0; c < GUIDED_SIGNATURES && k < 2; c++) {
                assert_int_equal(signatures[c], 0);
            }
        }
        assert_true(n_features > N_MORE);
        assert_int_equal(figures(&r).n_executions, 3 * N_MORE);
        assert_int_equal(figures(&r).n_cases, 3 * N_MORE);
        tear_down(&r);
    }
}

/* A run that was good is not made again for the same input; one that was not is. */
static void what_comes_again_is_not_run_again(void **state)
{
    (void)state;
    struct rig r;
    set_up_sim(&r, "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global");
    unsigned char *before = ARENA_NEW(&r.a, unsigned char, GUIDED_CELLS);
    execute_tape(&r, 0);
    assert_int_equal(figures(&r).n_violations, 0);
    memcpy(before, r.map, GUIDED_CELLS);
    execute_tape(&r, 0);
    assert_memory_equal(before, r.map, GUIDED_CELLS);
    assert_int_equal(figures(&r).n_executions, 1);
    assert_int_equal(figures(&r).n_cases, 1);
    execute_tape(&r, 1);
    execute_tape(&r, 0);
    assert_int_equal(figures(&r).n_executions, 3);
    uint64_t const i = find_new(&r, 2);
    struct tally_figures const f = figures(&r);
    execute_tape(&r, i);
    assert_int_equal(figures(&r).n_executions, f.n_executions + 1);
    assert_int_equal(figures(&r).n_violations, 2 * f.n_violations);
    tear_down(&r);
}

static void what_is_no_tape_is_one_cell(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    size_t n = 0;
    set_up_sim(&r, "sim-ieee");
    const unsigned char *good = make_input(&r, 0, &n);
    unsigned char *bad = arena_copy(&r.a, good, n);
    bad[8]++; /* another version of the generator */
    assert_int_equal(execute(&r, bad, n, &e), RES_OK);
    for (size_t i = 0; i < GUIDED_CELLS; i++) {
        assert_int_equal(r.map[i], i == GUIDED_CELLS - (size_t)GUIDED_BAD);
    }
    assert_int_equal(execute(&r, "", 0, &e), RES_OK);
    assert_int_equal(execute(&r, good, n - 3, &e), RES_OK);
    assert_int_equal(figures(&r).n_bad, 3);
    assert_int_equal(figures(&r).n_cases, 0);
    tear_down(&r);
}

static void a_signature_is_new_once(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up_sim(&r, "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global");
    uint64_t const i = find_new(&r, 0);
    uint64_t n_signatures = 0;
    for (size_t k = 0; k < GUIDED_SIGNATURES; k++) {
        n_signatures += r.map[FEATURE_CELLS + FEATURE_CASE_CELLS + k];
    }
    assert_true(n_signatures > 0);
    struct tally_figures const first = figures(&r);
    assert_true(first.n_new > 0 && first.n_new <= first.n_violations);
    for (int k = 0; k < JOURNAL_KEEP_VIOLATIONS + N_MORE; k++) {
        execute_tape(&r, i);
        assert_false(r.is_new);
        assert_true(has_state(&r, GUIDED_JUDGED));
    }
    struct tally_figures const last = figures(&r);
    assert_int_equal(last.n_new, first.n_new);
    assert_true(last.n_violations >= JOURNAL_KEEP_VIOLATIONS + N_MORE);
    load(&r, &c);
    uint64_t n_found = 0;
    uint64_t n_runs = 0;
    for (uint32_t k = 0; k < c.n_findings; k++) {
        n_found += campaign_is_violation(&c.findings[k]) ? c.findings[k].n_in_bucket : 0;
    }
    for (int v = 0; v < VERDICT_N; v++) {
        n_runs += count_verdict(&c, (enum verdict_kind)v);
    }
    assert_int_equal(n_found, last.n_violations); /* also those that only count */
    assert_int_equal(n_runs, last.n_cases);
    assert_int_equal(c.targets[0].n_runs, last.n_cases);
    assert_int_equal(c.n_cases, last.n_cases + last.n_skipped);
    assert_true(c.findings[0].case_index >= JOURNAL_OWN_CASES * 4);
    tear_down(&r);
}

static void a_seed_is_never_new(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct campaign c;
    size_t n = 0;
    set_up_sim(&r, "sim-ieee:SUM_OFF_ULP");
    uint64_t const i = find_new(&r, 0);
    tear_down(&r);
    set_up_sim(&r, "sim-ieee:SUM_OFF_ULP");
    const unsigned char *input = make_input(&r, i, &n);
    const char *corpus = arena_printf(&r.a, "%s/corpus", r.folder);
    struct seeds_options const o = {
        .folder = r.folder, .corpus = corpus, .profile = PROFILE_ATOMICS};
    struct seeds_figures taken;
    assert_int_equal(mkdir(corpus, 0777), 0);
    assert_int_equal(file_write(arena_printf(&r.a, "%s/x.tape", corpus), input, n, &e), RES_OK);
    assert_false(seeds_have(r.folder, input, n));
    assert_int_equal(seeds_make(&o, &taken, &e), RES_OK);
    assert_int_equal(taken.n_taken, 1);
    assert_true(seeds_have(r.folder, input, n));
    assert_false(seeds_have(r.folder, input, n - 1));
    assert_int_equal(execute(&r, input, n, &e), RES_OK);
    assert_false(r.is_new);
    load(&r, &c);
    assert_true(c.n_findings > 0);
    tear_down(&r);
}

static void a_crash_is_a_finding_and_no_end(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up_worker(&r, "crash");
    uint64_t i = find_new(&r, 0);
    execute_tape(&r, i);
    assert_false(r.is_new); /* known by now */
    for (uint64_t k = 0; k < N_MORE; k++) {
        execute_tape(&r, ++i);
        assert_true(has_state(&r, GUIDED_JUDGED));
        assert_false(r.is_new);
    }
    struct tally_figures const f = figures(&r);
    assert_true(f.n_workers >= 3);
    assert_int_equal(f.n_trouble, 0);
    assert_int_equal(f.is_given_up, 0);
    load(&r, &c);
    assert_true(count_verdict(&c, VERDICT_CRASH) >= 2);
    assert_true(count_verdict(&c, VERDICT_OK) >= 1);
    tear_down(&r);
}

static void a_hang_ends_at_the_deadline_of_the_target(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up_worker(&r, "hang");
    (void)find_new(&r, 0);
    load(&r, &c);
    assert_int_equal(count_verdict(&c, VERDICT_HANG), 1);
    tear_down(&r);
}

static void trouble_of_the_harness_is_no_finding(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up_worker(&r, "error");
    for (uint64_t i = 0; i < 2 * N_MORE; i++) {
        execute_tape(&r, i);
        assert_false(r.is_new);
    }
    assert_true(figures(&r).n_trouble > 0);
    assert_int_equal(figures(&r).n_violations, 0);
    load(&r, &c);
    assert_int_equal(c.n_findings, 0);
    tear_down(&r);
}

static void a_worker_that_does_not_start_ends_it(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    size_t n = 0;
    set_up_worker(&r, "mute");
    const unsigned char *input = make_input(&r, 0, &n);
    assert_int_equal(execute(&r, input, n, &e), RES_IO);
    assert_non_null(strstr(e.text, "does not start"));
    assert_false(r.is_new);
    assert_true(figures(&r).n_trouble > 0);
    assert_int_equal(figures(&r).is_given_up, 1);
    assert_non_null(strstr(figures(&r).message, "no device of that name"));
    tear_down(&r);
}

static void numbers_go_on(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up_sim(&r, "sim-ieee:SUM_OFF_ULP");
    uint64_t const i = find_new(&r, 0);
    guided_close(r.g);
    open_rig(&r);
    uint64_t const n = figures(&r).n_executions;
    assert_int_equal(n, i + 1);
    assert_int_equal(unlink(guided_tally_path(r.folder, 3, &r.a)), 0);
    guided_close(r.g);
    open_rig(&r); /* the journal has number i */
    assert_int_equal(figures(&r).n_executions, i + 1);
    (void)find_new(&r, i + 1);
    load(&r, &c);
    for (uint32_t k = 1; k < c.n_findings; k++) {
        /* divergences may have come before */
        assert_true(c.findings[k].case_index >= JOURNAL_OWN_CASES * 4 + i ||
                    !campaign_is_violation(&c.findings[k]));
    }
    tear_down(&r);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_tape_gives_the_same_map),
        cmocka_unit_test(what_comes_again_is_not_run_again),
        cmocka_unit_test(what_is_no_tape_is_one_cell),
        cmocka_unit_test(a_signature_is_new_once),
        cmocka_unit_test(a_seed_is_never_new),
        cmocka_unit_test(a_crash_is_a_finding_and_no_end),
        cmocka_unit_test(a_hang_ends_at_the_deadline_of_the_target),
        cmocka_unit_test(trouble_of_the_harness_is_no_finding),
        cmocka_unit_test(a_worker_that_does_not_start_ends_it),
        cmocka_unit_test(numbers_go_on),
    };
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    self_path[n > 0 ? n : 0] = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
