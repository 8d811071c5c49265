/* tests/program/test_merge.c -- shards of a campaign by the real program: united they are the campaign, in whatever way
 * and order they are united, whatever is killed meanwhile; and what does not belong together is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"
#include "tests/rig/program_rig.h"

enum {
    N_SHARDS = 4,
    N_CASES = 32,
    STATUS_STOPPED = 4,
    STATUS_BAD = 2,
    SAID_BYTES = 8192,
    PATIENCE = 3000, /* looks of POLL_MS: what a hang alone reaches */
    POLL_MS = 20
};
#define TARGETS "sim-ieee,sim-any-opencl:LOST_UPDATE,sim-ieee:SUB_FOR_ADD"

/* The program and a folder of this test's own; shards of one campaign are in it, s1 to s4, and it undivided, whole. */
static struct rig {
    char self[PATH_MAX], program[PATH_MAX], folder[PATH_MAX];
    char said[SAID_BYTES];
} rig;

/* Run the program, names of folders below ours: its exit status; what it said is in rig.said. */
static int run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *fmt, ...)
{
    char words[4096], said[PATH_MAX + 8];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    (void)snprintf(said, sizeof said, "%s/said", rig.folder);
    assert_int_equal(chdir(rig.folder), 0);
    int const status = program_wait(program_start_text(rig.program, words, said));
    (void)program_read(said, rig.said, sizeof rig.said);
    return status;
}

static void must(int status, int wanted)
{
    if (status != wanted) {
        fail_msg("status %d, not %d: %s", status, wanted, rig.said);
    }
}

/* ---- tables ---- */

/* Tables that say what was found, and those that say when and by whom besides. */
static const char *const found[] = {"targets", "verdicts", "tapes",    "runs",     "findings",
                                    "kept",    "buckets",  "features", "coverage", "corpus",
                                    "cells",   "origins",  "triage"};
static const char *const besides[] = {"meta",           "times",         "parts",
                                      "part_targets",   "part_verdicts", "part_features",
                                      "part_coverage",  "part_buckets",  "part_cross",
                                      "part_languages", "statistics",    "sqlite_sequence"};

static void must_db(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* A number for all that a table holds, in the order in which it lies there; *n: its rows. */
static uint64_t hash_table(struct db *d, const char *table, int64_t *n, struct arena *a)
{
    struct err e = {RES_OK, ""};
    const char *columns = NULL;
    uint64_t hash = 0;
    int step = 0;
    must_db(db_find_text(d,
                         arena_printf(a,
                                      "SELECT group_concat('quote(' || name || ')', ' || ')"
                                      " FROM pragma_table_info('%s')",
                                      table),
                         a, &columns, &e),
            &e);
    assert_non_null(columns);
    struct stmt *const s = db_start(d, arena_printf(a, "SELECT %s FROM %s", columns, table), "");
    *n = 0;
    while ((step = stmt_step(s)) > 0) {
        struct arena_mark const mark = arena_get_mark(a);
        const char *const row = stmt_text(s, 0, a);
        hash = hash_bytes(hash, row, strlen(row));
        arena_release(a, mark);
        ++*n;
    }
    must_db(db_end_rows(d, s, step, &e), &e);
    return hash;
}

struct dump {
    uint64_t hash[32];
    int64_t n_rows[32];
};

static struct dump dump(const char *folder)
{
    struct dump out = {{0}, {0}};
    struct err e = {RES_OK, ""};
    struct arena a;
    struct db *d = NULL;
    arena_init(&a, (size_t)64 << 20);
    must_db(db_open(&d, arena_printf(&a, "%s/%s/journal.sqlite", rig.folder, folder), DB_READ, &e),
            &e);
    for (size_t i = 0; i < ARRAY_N(found) + ARRAY_N(besides); i++) {
        const char *const name = i < ARRAY_N(found) ? found[i] : besides[i - ARRAY_N(found)];
        out.hash[i] = hash_table(d, name, &out.n_rows[i], &a);
    }
    db_close(d);
    arena_free(&a);
    return out;
}

static void same(const struct dump *x, const struct dump *y, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        if (x->hash[i] != y->hash[i] || x->n_rows[i] != y->n_rows[i]) {
            fail_msg("%s: table %s: %" PRId64 " and %" PRId64 " rows, or other ones", what,
                     i < ARRAY_N(found) ? found[i] : besides[i - ARRAY_N(found)], x->n_rows[i],
                     y->n_rows[i]);
        }
    }
}
#define ALL_TABLES (ARRAY_N(found) + ARRAY_N(besides))

/* Change a journal below our folder by SQL. */
static void edit(const char *folder, const char *sql)
{
    struct err e = {RES_OK, ""};
    struct db *d = NULL;
    char path[PATH_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/%s/journal.sqlite", rig.folder, folder);
    must_db(db_open(&d, path, DB_WRITE, &e), &e);
    must_db(db_exec(d, sql, &e), &e);
    db_close(d);
}

/* Cases in the journal of a folder; 0: there is none yet. */
static int64_t count_runs(const char *folder)
{
    struct err e = {RES_OK, ""};
    struct db *d = NULL;
    int64_t n = 0;
    char path[PATH_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/%s/journal.sqlite", rig.folder, folder);
    if (access(path, F_OK) == 0 && db_open(&d, path, DB_READ, &e) == RES_OK) {
        if (db_ask(d, &e, 0, &n, "SELECT count(*) FROM runs WHERE is_done", "") != RES_OK) {
            n = 0;
        }
        db_close(d);
    }
    return n;
}

/* ---- the campaign ---- */

static int make_campaign(void **state)
{
    (void)state;
    struct err e = {RES_OK, ""};
    (void)snprintf(rig.folder, sizeof rig.folder, "/tmp/halfulp-test-merge-XXXXXX");
    assert_true(program_find(rig.self, rig.program, sizeof rig.program));
    assert_non_null(mkdtemp(rig.folder));
    must_db(file_make_path(rig.folder, &e), &e);
    must(run("run -q --seed 11 --profile atomics --targets " TARGETS " --cases %d -o whole",
             N_CASES),
         1);
    for (int i = 1; i <= N_SHARDS; i++) {
        must(run("run -q --seed 11 --profile atomics --targets " TARGETS
                 " --cases %d --shard %d/%d -o s%d",
                 N_CASES, i, N_SHARDS, i),
             1);
    }
    must(run("merge all s1 s2 s3 s4"), 0);
    return 0;
}

static int remove_campaign(void **state)
{
    (void)state;
    struct err e = {RES_OK, ""};
    must_db(file_remove(rig.folder, &e), &e);
    return 0;
}

/* A shard is the campaign's cases that it owns, so all of them are the campaign. The same of one that was not divided. */
static void shards_are_the_campaign(void **state)
{
    (void)state;
    must(run("merge one whole"), 0);
    struct dump const one = dump("one"), all = dump("all");
    same(&one, &all, ARRAY_N(found), "united and undivided");
    assert_true(all.n_rows[4] > 0 && all.n_rows[5] > 0);  /* findings, kept cases */
    assert_true(all.n_rows[9] > 0 && all.n_rows[10] > 0); /* the corpus and its cells */
    must(run("check whole --finding 1"), 1);
    must(run("check all --finding 1"), 1);
}

static void order_and_grouping_change_nothing(void **state)
{
    (void)state;
    struct dump const all = dump("all");
    must(run("merge back s4 s3 s2 s1"), 0);
    struct dump const back = dump("back");
    same(&all, &back, ALL_TABLES, "in another order");
    must(run("merge left s2 s4"), 0);
    assert_non_null(strstr(rig.said, "Shards 1, 3 of 4 are missing."));
    must(run("merge right s3 s4"), 0);
    must(run("merge grouped right s1 left s3"), 0);
    struct dump const grouped = dump("grouped");
    same(&all, &grouped, ALL_TABLES, "in groups that overlap");
    must(run("merge left s1"), 0); /* late ones */
    must(run("merge left s3"), 0);
    struct dump const late = dump("left");
    same(&all, &late, ALL_TABLES, "one by one into the same");
    must(run("merge left s1 all left s3"), 0);
    struct dump const again = dump("left");
    same(&all, &again, ALL_TABLES, "once more");
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    must(run("merge few s3"), 0);
    assert_non_null(strstr(rig.said, "1 of 4 shards"));
    must(run("report few --no-triage --format text"), 1);
    assert_non_null(strstr(rig.said, "Shards 1, 2, 4 of 4 are missing."));
    must(run("report all --no-triage --format text"), 1);
    assert_null(strstr(rig.said, "missing."));
}

/* Triage is of a bucket: it is there when its first finding is another shard's. */
static void triage_is_of_the_bucket(void **state)
{
    (void)state;
    struct err e = {RES_OK, ""};
    struct db *d = NULL;
    int64_t n = 0, n_first = 0;
    char path[PATH_MAX + 64];
    must(run("merge looked s3"), 0);
    edit("looked",
         "INSERT INTO triage SELECT first_finding, 1, 1, 0, 0, 0, 5, 3, 'tape', '', '', 7,"
         " x'00', x'00', 'a cause', '', '', 0, 1 FROM buckets WHERE first_finding NOT NULL");
    must(run("merge seen s2 looked s1 s4"), 0);
    (void)snprintf(path, sizeof path, "%s/seen/journal.sqlite", rig.folder);
    must_db(db_open(&d, path, DB_READ, &e), &e);
    must_db(db_ask(d, &e, 0, &n, "SELECT count(*) FROM triage WHERE cause = 'a cause'", ""), &e);
    struct stmt *const s =
        db_start(d,
                 "SELECT case_index FROM triage JOIN findings ON id = finding_id JOIN buckets ON"
                 " first_finding = finding_id",
                 "");
    while (stmt_step(s) > 0) {
        n_first += shard_of(N_SHARDS, (uint64_t)stmt_int(s, 0)) != 2;
    }
    db_close(d);
    assert_true(n > 0);
    assert_true(n_first > 0); /* of a case that is another shard's */
}

/* With more shards than cases some have none, which is no trouble. */
static void a_shard_may_be_empty(void **state)
{
    (void)state;
    must(run("run -q --targets sim-ieee --profile atomics --seed 4 --cases 2 --shard 3/3 -o none"),
         0);
    must(
        run("run -q --targets sim-ieee --profile atomics --seed 4 --cases 2 --shard 2/3 -o single"),
        0);
    must(run("merge nearly none single"), 0);
    assert_non_null(strstr(rig.said, "2 of 3 shards"));
    assert_int_equal(count_runs("single"), 1);
}

/* ---- what is refused ---- */

static void refused(const char *words, const char *first, const char *second)
{
    must(run("%s", words), STATUS_BAD);
    if (!strstr(rig.said, first) || !strstr(rig.said, second)) {
        fail_msg("%s: neither \"%s\" nor \"%s\" in: %s", words, first, second, rig.said);
    }
}

#define OTHER "run -q --targets sim-ieee --cases 4 "
static void others_are_refused(void **state)
{
    (void)state;
    must(run(OTHER "--profile atomics --seed 8 --shard 1/4 -o seed"), 0);
    must(run(OTHER "--profile arith --seed 11 --shard 1/4 -o profile"), 0);
    must(run(OTHER "--profile atomics --seed 11 --shard 1/5 -o fifth"), 0);
    must(run(OTHER "--profile atomics --seed 11 --shard 1/4 --mutate 10 -o mutated"), 0);
    must(run(OTHER "--profile atomics --seed 11 --shard 1/4 -o facts"), 0);
    edit("facts", "UPDATE targets SET facts = replace(facts, 'device=', 'device=another ')");
    refused("merge x s2 seed", "s2 and seed are not of one campaign", "seed \"11\" and \"8\"");
    refused("merge x s2 profile", "s2 and profile are", "profile \"atomics\" and \"arith\"");
    refused("merge x s2 fifth", "s2 and fifth are", "number of shards \"4\" and \"5\"");
    refused("merge x s2 mutated", "s2 and mutated are", "0% of its cases mutated");
    refused("merge x s2 facts", "target sim-ieee is not the same in s2 and facts",
            "device=another");
    refused("merge x s1 nothing", "nothing: not a folder of a campaign", "");
    refused("merge s1 s2", "s1: holds a campaign that is not merged", "");
    refused("run -q --resume all", "all: is a merged campaign", "their own folders");
    refused("run -q --resume s1 --shard 2/4", "s1: is shard 1/4", "");
    refused("run -q --shard 1/4 --cases 1", "--shard needs --seed", "");
    assert_int_not_equal(access("x", F_OK), 0);
}

static void damaged_ones_are_refused(void **state)
{
    (void)state;
    struct err e = {RES_OK, ""};
    must(run("merge damaged s1 s2"), 0);
    struct dump const before = dump("all");
    edit("damaged", "UPDATE part_coverage SET n = 'much' WHERE shard = 1");
    refused("merge all damaged", "damaged", "none that this program writes");
    edit("damaged", "DROP TABLE part_cross");
    refused("merge all damaged", "damaged", "lacks the table part_cross");
    must_db(file_write("damaged/journal.sqlite", "SQLite format 3", 15, &e), &e);
    refused("merge all damaged", "damaged", "journal.sqlite");
    struct dump const after = dump("all");
    same(&before, &after, ALL_TABLES, "after refusals");
}

/* ---- what is killed ---- */

static void a_stopped_shard_goes_on(void **state)
{
    (void)state;
    char words[512], said[PATH_MAX + 16];
    int n_looks = 0;
    (void)snprintf(said, sizeof said, "%s/said-stopped", rig.folder);
    (void)snprintf(words, sizeof words,
                   "run -q --seed 11 --profile atomics --targets " TARGETS
                   " --cases %d --shard 2/4 -o stopped",
                   8 * N_CASES);
    must(run("%s", words), 1);
    must(run("merge stopped-whole stopped"), 0);
    struct err e = {RES_OK, ""};
    must_db(file_remove("stopped", &e), &e);
    pid_t const pid = program_start_text(rig.program, words, said);
    while (count_runs("stopped") == 0 && n_looks++ < PATIENCE) {
        (void)poll(NULL, 0, POLL_MS);
    }
    (void)kill(pid, SIGTERM);
    assert_int_equal(program_wait(pid), STATUS_STOPPED);
    assert_int_not_equal(access("stopped/report.html", F_OK), 0);
    must(run("merge stopped-early stopped"), 0);
    must(run("run -q --resume stopped"), 1);
    must(run("merge stopped-late stopped-early stopped"), 0); /* the one that is further counts */
    struct dump const whole = dump("stopped-whole"), late = dump("stopped-late");
    same(&whole, &late, ARRAY_N(found), "stopped and gone on with");
}

/* Is a folder being made? What is not finished is hidden; `removed`: take it away. */
static bool is_being_made(bool removed)
{
    DIR *const d = opendir(rig.folder);
    bool is_it = false;
    for (const struct dirent *x = d ? readdir(d) : NULL; x; x = readdir(d)) {
        struct err e = {RES_OK, ""};
        bool const is_fresh = strncmp(x->d_name, ".halfulp-", 9) == 0;
        if (is_fresh && removed) {
            must_db(file_remove(x->d_name, &e), &e);
        }
        is_it |= is_fresh;
    }
    if (d) {
        (void)closedir(d);
    }
    return is_it;
}

/* Merge two more shards into a folder that has two, and kill that as soon as anything is made of it: true where it was not
 * finished before. The folder is then as it was. */
static bool kill_a_merge(void)
{
    struct err e = {RES_OK, ""};
    char said[PATH_MAX + 16];
    (void)snprintf(said, sizeof said, "%s/said-killed", rig.folder);
    must_db(file_remove("target", &e), &e);
    must(run("merge target s1 s2"), 0);
    (void)is_being_made(true);
    struct dump const before = dump("target");
    pid_t const pid = program_start_text(rig.program, "merge target s3 s4", said);
    for (int i = 0; i < PATIENCE && !is_being_made(false); i++) {
        (void)poll(NULL, 0, 1);
    }
    (void)kill(pid, SIGKILL);
    if (program_wait(pid) != -SIGKILL) {
        return false;
    }
    struct dump const after = dump("target");
    same(&before, &after, ALL_TABLES, "after a kill");
    return true;
}

static void a_killed_merge_changes_nothing(void **state)
{
    (void)state;
    int n_rounds = 0;
    while (!kill_a_merge()) { /* it may be faster than we are, but not each time */
        assert_true(++n_rounds < 50);
    }
    must(run("merge target s3 s4"), 0);
    struct dump const all = dump("all"), after = dump("target");
    same(&all, &after, ALL_TABLES, "after a kill, merged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_are_the_campaign),
        cmocka_unit_test(order_and_grouping_change_nothing),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(triage_is_of_the_bucket),
        cmocka_unit_test(a_shard_may_be_empty),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(damaged_ones_are_refused),
        cmocka_unit_test(a_stopped_shard_goes_on),
        cmocka_unit_test(a_killed_merge_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make_campaign, remove_campaign);
}
