/* fuzz/campaign/test_seeds.c -- the seeds of corpora/seeds are of this generator, few, small and worth having; and
 * what chooses them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/campaign/minimise.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/targets/targets_choose.h"

enum {
    SEED = 77, /* not the one that the seeds were made of */
    MAX_SEEDS = 250,
    MAX_BYTES = 1100000,
    N_RANDOM = 1000,
    LEAST_PERCENT = 75,
    LEAST_PERCENT_MAXERROR =
        60 /* the largest tapes: a hundred of them are all that MAX_BYTES has room for */
};
static const enum profile profiles[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_ARITH,
                                        PROFILE_MAXERROR, PROFILE_ALL};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

static const struct target *find_sim(struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct target_list *none = ARENA_NEW(a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    assert_true(none && list);
    must(targets_select(none, "sim-ieee", list, a, &e), &e);
    return &list->t[0];
}

/* Load the seeds of a profile into x; returns how many, and adds the sizes of their files to *n_bytes. */
static uint32_t load(enum profile profile, struct minimise_tape x[MAX_SEEDS], uint64_t *n_bytes,
                     struct arena *a)
{
    struct err e = {RES_OK, ""};
    const char *folder = arena_printf(a, "corpora/seeds/%s", profile_names[profile]);
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    uint32_t n = 0;
    if (!dir) {
        fail_msg("%s: not there; \"make seeds\" makes it", folder);
    }
    while ((entry = readdir(dir)) != NULL) {
        struct stat s;
        const char *name = "";
        const char *path = arena_printf(a, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.') {
            continue;
        }
        assert_in_range(n, 0, MAX_SEEDS - 1);
        assert_int_equal(stat(path, &s), 0);
        *n_bytes += (uint64_t)s.st_size;
        memset(&x[n], 0, sizeof(x[n]));
        must(tape_load_file(&x[n].tape, path, &name, a, &e), &e);
        x[n].profile = (enum profile)profile_find(name);
        n++;
    }
    (void)closedir(dir);
    return n;
}

/* Each profile has some seeds, which are small and make a case. */
static void seeds_are_few_small_and_decode(void **state)
{
    (void)state;
    for (size_t p = 0; p < ARRAY_N(profiles); p++) {
        struct arena a, of_case;
        struct minimise_tape x[MAX_SEEDS];
        struct err e = {RES_OK, ""};
        uint64_t n_bytes = 0;
        arena_init(&a, (size_t)64 << 20);
        arena_init(&of_case, (size_t)256 << 20);
        uint32_t const n = load(profiles[p], x, &n_bytes, &a);
        assert_in_range(n, 20, MAX_SEEDS);
        assert_in_range(n_bytes, 1, MAX_BYTES);
        for (uint32_t i = 0; i < n; i++) {
            struct testcase tc;
            struct tape reader = x[i].tape;
            /* a campaign of profile all has cases of its parts too */
            assert_true(x[i].profile == profiles[p] || profiles[p] == PROFILE_ALL);
            arena_reset(&of_case);
            must(gen_case(x[i].profile, (enum env)(i % ENV_N), &reader, &of_case, &tc, NULL, &e),
                 &e);
            assert_true(tc.n_words > 0);
        }
        arena_free(&of_case);
        arena_free(&a);
    }
}

/* Cells of n tapes together that are not in the set; they are put there. */
static uint32_t measure(struct minimise_tape *x, uint32_t n, unsigned char *set, struct arena *a)
{
    struct err e = {RES_OK, ""};
    uint32_t n_new = 0;
    for (uint32_t i = 0; i < n; i++) {
        must(minimise_measure(find_sim(a), &x[i], a, &e), &e);
        n_new += minimise_add(set, &x[i]);
    }
    return n_new;
}

/* How many cells the seeds of a profile have to set, in percent of the cells that N_RANDOM random cases set. */
static uint64_t get_least_percent(enum profile profile)
{
    return profile == PROFILE_MAXERROR ? LEAST_PERCENT_MAXERROR : LEAST_PERCENT;
}

static void seeds_set_most_of_what_random_cases_set(void **state)
{
    (void)state;
    if (!getenv("HALFULP_SLOW")) {
        skip(); /* a minute */
    }
    for (size_t p = 0; p < ARRAY_N(profiles); p++) {
        struct arena a;
        struct err e = {RES_OK, ""};
        struct minimise_tape x[MAX_SEEDS];
        uint64_t n_bytes = 0;
        static unsigned char seeds[MINIMISE_SET_BYTES], random[MINIMISE_SET_BYTES];
        memset(seeds, 0, sizeof(seeds));
        memset(random, 0, sizeof(random));
        arena_init(&a, (size_t)256 << 20);
        uint32_t const n_seeds = measure(x, load(profiles[p], x, &n_bytes, &a), seeds, &a);
        uint32_t n_random = 0, n_both = 0;
        for (uint64_t i = 0; i < N_RANDOM; i++) {
            arena_reset(&a);
            struct minimise_tape one = {.profile = sched_pick_profile(profiles[p], i)};
            must(sched_make_tape(SEED, i, &a, &one.tape, &e), &e);
            n_random += measure(&one, 1, random, &a);
        }
        for (uint32_t i = 0; i < MINIMISE_CELLS; i++) {
            n_both += (uint32_t)(seeds[i / 8] & random[i / 8]) >> i % 8 & 1;
        }
        print_message("%s: the seeds set %u cells; %u of the %u that %d random cases set\n",
                      profile_names[profiles[p]], n_seeds, n_both, n_random, N_RANDOM);
        assert_true(n_random > 1000);
        assert_true((uint64_t)n_seeds * 100 >= n_random * get_least_percent(profiles[p]));
        arena_free(&a);
    }
}

/* Few of some random tapes, made smaller: together they set all that they were chosen for. */
static void few_and_small_tapes_do_the_same(void **state)
{
    (void)state;
    enum {
        N = 12
    };
    struct arena a;
    struct err e = {RES_OK, ""};
    struct minimise_tape in[N] = {{.cell = NULL}}, out[N];
    static unsigned char all[MINIMISE_SET_BYTES], chosen[MINIMISE_SET_BYTES];
    size_t n_before = 0, n_after = 0;
    arena_init(&a, (size_t)256 << 20);
    for (uint64_t i = 0; i < N; i++) {
        in[i].profile = PROFILE_ATOMICS;
        must(sched_make_tape(SEED, i / 2, &a, &in[i].tape, &e), &e); /* each twice */
    }
    uint32_t const n_all = measure(in, N, all, &a);
    struct minimise_options o = {
        .target = find_sim(&a), .max_tapes = N / 2, .max_bytes = 1 << 20, .max_trials = 20};
    uint32_t n = 0;
    must(minimise_tapes(&o, in, N, &a, out, &n, &e), &e);
    assert_int_equal(n, N / 2); /* if fewer do, the rest is of a second round */
    for (uint32_t i = 0; i < n; i++) {
        n_after += out[i].tape.n_records;
    }
    for (uint32_t i = 0; i < N; i += 2) {
        n_before += in[i].tape.n_records;
    }
    assert_in_range(measure(out, n, chosen, &a), n_all,
                    MINIMISE_CELLS); /* a smaller one may show more */
    for (size_t i = 0; i < sizeof(all); i++) {
        assert_int_equal(all[i] & ~chosen[i], 0);
    }
    assert_true(n_after * 2 < n_before);
    o.max_tapes = 2;
    must(minimise_tapes(&o, in, N, &a, out, &n, &e), &e);
    assert_int_equal(n, 2);
    o.max_tapes = N; /* and each is taken once */
    must(minimise_tapes(&o, in, N, &a, out, &n, &e), &e);
    assert_int_equal(n, N);
    o.ignored = all;
    must(minimise_tapes(&o, in, N, &a, out, &n, &e), &e);
    assert_int_equal(n, 0);
    arena_free(&a);
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(few_and_small_tapes_do_the_same),
        cmocka_unit_test(seeds_are_few_small_and_decode),
        cmocka_unit_test(seeds_set_most_of_what_random_cases_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
