/* tests/hostile/test_misbehaviour.c -- every way of a worker or its driver to go wrong, side by side in one
 * campaign: each has its own verdict, and an honest target beside them loses no case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "tests/rig/bad_worker.h"
#include "tests/rig/patience.h"

enum {
    N_CASES = 3, /* with what is chosen of them, each hang takes the whole deadline */
    SEED = 4
};
#define HANG_NS   UINT64_C(3000000000)
#define HELLO_NS  UINT64_C(300000000) /* three times, of what is lost anyway */
#define HONEST_NS UINT64_C(600000000000)

static char self_path[4096];
static char folder[256];

/* What the campaign says of it. */
enum expected {
    LOST,        /* the target is given up, before any case */
    EACH,        /* the verdict is that of each chosen case, and of no other */
    ANY,         /* of at least one case: it depends on when the end was seen */
    NONE_BUT_OK, /* nothing is found */
    LAST         /* of the last case of the process alone */
};
struct mode {
    const char *name;
    enum expected expected;
    enum verdict_kind kind;
};
static const struct mode modes[] = {
    {"start-exit0",      LOST,        VERDICT_OK          },
    {"start-exit3",      LOST,        VERDICT_OK          },
    {"start-segfault",   LOST,        VERDICT_OK          },
    {"start-hang",       LOST,        VERDICT_OK          },
    {"start-stop",       LOST,        VERDICT_OK          },
    {"start-close",      LOST,        VERDICT_OK          },
    {"start-garbage",    LOST,        VERDICT_OK          },
    {"start-long",       LOST,        VERDICT_OK          },
    {"start-flood",      LOST,        VERDICT_OK          },
    {"start-log-flood",  LOST,        VERDICT_OK          },
    {"start-error",      LOST,        VERDICT_OK          },
    {"start-fork-exit",  LOST,        VERDICT_OK          },
    {"hello-empty",      LOST,        VERDICT_OK          },
    {"hello-zero",       LOST,        VERDICT_OK          },
    {"hello-partial",    LOST,        VERDICT_OK          },
    {"hello-kind",       LOST,        VERDICT_OK          },
    {"hello-drip",       LOST,        VERDICT_OK          },
    {"hello-huge",       LOST,        VERDICT_OK          },
    {"case-exit0",       EACH,        VERDICT_EXIT        },
    {"case-exit3",       EACH,        VERDICT_EXIT        },
    {"case-exit86",      EACH,        VERDICT_EXIT        },
    {"case-close-exit",  EACH,        VERDICT_EXIT        },
    {"case-fork-exit",   EACH,        VERDICT_EXIT        },
    {"case-segfault",    EACH,        VERDICT_CRASH       },
    {"case-abort",       EACH,        VERDICT_CRASH       },
    {"case-killed",      EACH,        VERDICT_CRASH       },
    {"case-hang",        EACH,        VERDICT_HANG        },
    {"case-deaf",        EACH,        VERDICT_HANG        },
    {"case-stop",        EACH,        VERDICT_HANG        },
    {"case-close",       EACH,        VERDICT_HANG        },
    {"case-error-hang",  EACH,        VERDICT_HANG        },
    {"case-log-flood",   EACH,        VERDICT_HANG        },
    {"reply-part-hang",  EACH,        VERDICT_HANG        },
    {"reply-drip",       EACH,        VERDICT_HANG        },
    {"reply-part-exit",  EACH,        VERDICT_EXIT        },
    {"case-garbage",     EACH,        VERDICT_INCONCLUSIVE},
    {"case-long",        EACH,        VERDICT_INCONCLUSIVE},
    {"case-error",       EACH,        VERDICT_INCONCLUSIVE},
    {"case-error-twice", EACH,        VERDICT_INCONCLUSIVE},
    {"case-flood",       EACH,        VERDICT_INCONCLUSIVE},
    {"reply-kind",       EACH,        VERDICT_INCONCLUSIVE},
    {"reply-short",      EACH,        VERDICT_INCONCLUSIVE},
    {"reply-noise",      EACH,        VERDICT_INCONCLUSIVE},
    {"reply-twice",      EACH,        VERDICT_INCONCLUSIVE},
    {"log-then-answer",  NONE_BUT_OK, VERDICT_OK          },
    {"fork-answer",      NONE_BUT_OK, VERDICT_OK          },
};
/* Where the next case may be on its way already: with a deadline for that one, too. */
static const struct mode late_modes[] = {
    {"after-segfault", EACH,        VERDICT_CRASH       },
    {"after-exit3",    EACH,        VERDICT_EXIT        },
    {"after-close",    ANY,         VERDICT_HANG        },
    {"after-stop",     ANY,         VERDICT_HANG        },
    {"after-garbage",  ANY,         VERDICT_INCONCLUSIVE},
    {"after-flood",    ANY,         VERDICT_INCONCLUSIVE},
    {"early",          ANY,         VERDICT_INCONCLUSIVE},
    {"hello-twice",    ANY,         VERDICT_INCONCLUSIVE},
    {"end-segfault",   LAST,        VERDICT_CRASH       },
    {"end-exit3",      LAST,        VERDICT_EXIT        },
    {"end-hang",       NONE_BUT_OK, VERDICT_OK          },
    {"end-close",      NONE_BUT_OK, VERDICT_OK          },
    {"end-stop",       NONE_BUT_OK, VERDICT_OK          },
    {"end-log-flood",  NONE_BUT_OK, VERDICT_OK          },
    {"end-fork-exit",  LAST,        VERDICT_EXIT        },
};

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/test-misbehaviour-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir) {
        (void)closedir(dir);
    }
    return rmdir(folder);
}

static struct target make_target(const char *mode, uint64_t case_ns, uint64_t hello_ns,
                                 struct arena *a)
{
    return (struct target){
        .name = mode,
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(a, "BAD=%s", mode), NULL},
        .hello_ns = hello_ns,
        .case_ns = case_ns,
        .origin = "test"
    };
}

/* Of all verdicts that are neither ok nor of `kind`, how many there were. */
static uint64_t count_other(const struct campaign_target *t, enum verdict_kind kind)
{
    uint64_t n = 0;
    for (int v = 0; v < VERDICT_N; v++) {
        int const is_wrong = verdict_rows[v].part == PART_VIOLATION || v == VERDICT_INCONCLUSIVE;
        n += is_wrong && v != (int)kind ? t->n_verdict[v] : 0;
    }
    return n;
}

static int is_as_expected(const struct campaign_target *t, const struct mode *m, uint64_t n_chosen)
{
    uint64_t const n = t->n_verdict[m->kind];
    switch (m->expected) {
    case LOST:
        return t->n_runs == 0;
    case EACH:
        return t->n_runs == N_CASES && n == n_chosen && count_other(t, m->kind) == 0;
    case ANY:
        return n > 0 && count_other(t, m->kind) == 0;
    case LAST:
        return t->n_runs == N_CASES && n == 1 && count_other(t, m->kind) == 0;
    case NONE_BUT_OK:
        break;
    }
    return t->n_runs == N_CASES && count_other(t, VERDICT_OK) == 0;
}

static void tell(const struct campaign_target *t, const struct mode *m)
{
    print_message("%-16s %llu of %d run:", m->name, (unsigned long long)t->n_runs, N_CASES);
    for (int v = 0; v < VERDICT_N; v++) {
        if (t->n_verdict[v]) {
            print_message(" %llu %s", (unsigned long long)t->n_verdict[v], verdict_rows[v].name);
        }
    }
    print_message("%s\n", m->expected == LOST ? " given up" : "");
}

static void run_campaign(const struct target_list *list, struct arena *a, struct campaign *out,
                         struct sched_summary *summary)
{
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    struct campaign_plan const plan = {.profile = "atomics",
                                       .seed = SEED,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = N_CASES,
                                       .max_ns = 0,
                                       .targets = "bad",
                                       .shard = SHARD_NONE};
    struct sched_options const o = {.targets = list,
                                    .profile = PROFILE_ATOMICS,
                                    .seed = SEED,
                                    .max_cases = N_CASES,
                                    .n_workers = 1};
    if (journal_open(&j, folder, &plan, &e) != RES_OK || sched_run(&o, j, summary, &e) != RES_OK ||
        journal_load(j, a, out, &e) != RES_OK) {
        fail_msg("seed %d: %s", SEED, e.text);
    }
    journal_close(j);
}

static void check_modes(const struct mode *rows, uint32_t n)
{
    struct arena a;
    struct campaign c;
    struct sched_summary summary;
    uint32_t n_lost = 0;
    unsigned n_bad = 0;
    arena_init(&a, (size_t)1 << 30);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_non_null(list);
    assert_true(n < TARGETS_MAX);
    uint64_t const n_chosen = fake_count_chosen(ENV_CL, SEED, N_CASES, &a);
    assert_in_range(n_chosen, 1, N_CASES - 1); /* else this checks nothing */
    for (uint32_t i = 0; i < n; i++) {
        n_lost += rows[i].expected == LOST;
        uint64_t const hello_ns = rows[i].expected == LOST ? HELLO_NS : HONEST_NS;
        list->t[list->n++] = make_target(rows[i].name, HANG_NS, hello_ns, &a);
    }
    list->t[list->n++] = make_target("honest", HONEST_NS, HONEST_NS, &a);
    run_campaign(list, &a, &c, &summary);
    assert_int_equal(c.n_targets, list->n);
    for (uint32_t i = 0; i < n; i++) {
        assert_string_equal(c.targets[i].name, rows[i].name);
        tell(&c.targets[i], &rows[i]);
        if (!is_as_expected(&c.targets[i], &rows[i], n_chosen)) {
            print_message("    not as expected: %s of %llu\n", verdict_rows[rows[i].kind].name,
                          (unsigned long long)n_chosen);
            n_bad++;
        }
    }
    assert_int_equal(n_bad, 0);
    assert_int_equal(summary.n_dead, n_lost);
    const struct campaign_target *honest = &c.targets[n];
    assert_int_equal(honest->n_runs, N_CASES);
    assert_int_equal(count_other(honest, VERDICT_OK), 0);
    assert_true(honest->n_judged > 0);
    arena_free(&a);
}

static void each_mode_has_its_verdict(void **state)
{
    only_in_check_slow();
    (void)state;
    check_modes(modes, ARRAY_N(modes));
}

static void what_comes_after_the_answer_has_it_too(void **state)
{
    only_in_check_slow();
    (void)state;
    check_modes(late_modes, ARRAY_N(late_modes));
}

/* Neither their folders nor the processes that they left are there. */
static void nothing_is_left(void **state)
{
    only_in_check_slow();
    (void)state;
    const char *base = getenv("TMPDIR");
    char mine[64], path[300], text[4096];
    struct dirent *entry = NULL;
    unsigned n_seen = 0;
    (void)snprintf(mine, sizeof(mine), "halfulp-worker-%ld-", (long)getpid());
    DIR *dir = opendir(base ? base : "/tmp");
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, mine, strlen(mine)) == 0) {
            fail_msg("%s is left", entry->d_name);
        }
    }
    (void)closedir(dir);
    dir = opendir("/proc");
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        (void)snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
        FILE *f = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        size_t const n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
        text[n] = '\0';
        if (f) {
            (void)fclose(f);
        }
        n_seen += n > 0 && strcmp(text, self_path) == 0 &&
                  strtol(entry->d_name, NULL, 10) != (long)getpid();
    }
    (void)closedir(dir);
    assert_int_equal(n_seen, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return bad_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);
    if (n <= 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_mode_has_its_verdict, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_comes_after_the_answer_has_it_too, make_folder,
                                        remove_folder),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
