/* tests/bench/bench_merge.c -- how long many journals take to become one, and how much memory.
 *
 * bench_merge [CAMPAIGN JOURNALS RUNS [FOLDER]]: rows of that campaign, again and again with other case indices, make
 * so many shards of so many runs each, in FOLDER, and stay there. Without words: a few journals of a small campaign on a
 * simulated target with a fault. Tapes are only there where something was found, as beyond --disk-cap. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/merge/merge.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_sim.h"

enum {
    BENCH_SEED = 5,
    BENCH_CASES = 40,
    BENCH_JOURNALS = 10,
    BENCH_RUNS = 5000
};

struct bench {
    struct arena a;
    const char *from, *folder; /* the campaign, and where the journals are */
    uint32_t n_journals;
    uint64_t n_runs;
};

static double now_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static enum res make_campaign(struct bench *b, struct err *e)
{
    static struct target_list list; /* large */
    struct journal *j = NULL;
    struct sched_summary summary;
    struct campaign_plan const plan = {.profile = "atomics",
                                       .seed = BENCH_SEED,
                                       .gen_version = GEN_VERSION,
                                       .targets = "sim-ieee:LOST_UPDATE"};
    struct sched_options const o = {.targets = &list,
                                    .profile = PROFILE_ATOMICS,
                                    .seed = BENCH_SEED,
                                    .max_cases = BENCH_CASES,
                                    .n_workers = 1};
    list.n = 1;
    TRY(targets_make_sim(plan.targets, &list.t[0], &b->a, e));
    TRY(journal_open(&j, b->from, &plan, e));
    enum res const r = sched_run(&o, j, &summary, e);
    journal_close(j);
    return r;
}

/* Tables whose rows are taken as they are, and those of cases, whose index is ?1 * shards + (?2 + ?1 / 2) % shards:
 * ?1 counts the shard's cases, in round ?3 of the campaign's ?4 cases below ?5. */
#define INDEX "((case_index + ?3 * ?4) * ?1 + (?2 + (case_index + ?3 * ?4) / 2) % ?1)"
#define BELOW " WHERE case_index + ?3 * ?4 < ?5"
static const struct {
    const char *select, *insert;
    bool is_once;
} tables[] = {
    {"SELECT * FROM targets",                                                              "INSERT INTO targets VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
     true                                                                                                                                                        },
    {"SELECT * FROM verdicts",                                                             "INSERT INTO verdicts VALUES(?,?,?,?,?)",                        true },
    {"SELECT * FROM features",                                                             "INSERT INTO features VALUES(?,?,?,?)",                          true },
    {"SELECT * FROM coverage",                                                             "INSERT INTO coverage VALUES(?,?,?,?,?,?,?,?,?,?)",              true },
    {"SELECT * FROM times",                                                                "INSERT INTO times VALUES(?,?,?)",                               true },
    {"SELECT * FROM cells",                                                                "INSERT INTO cells VALUES(?,?)",                                 true },
    {"SELECT target_id, class, signature, verdict, n FROM buckets",
     "INSERT INTO buckets VALUES(?,?,?,?,?,NULL)",                                                                                                          true },
    {"SELECT id, " INDEX
     ", profile, n_records, hash, tape FROM corpus WHERE dead_at IS NULL AND ?5 > 0", "INSERT INTO corpus VALUES(?,?,?,?,?,?,NULL)",                   true },
    {"SELECT target_id, " INDEX
     ", is_done, profile, verdict, case_hash, cross_values FROM runs" BELOW,
     "INSERT INTO runs VALUES(NULL,?,?,?,?,?,?,?)",                                                                                                         false},
    {"SELECT target_id, " INDEX ", ordinal, class, verdict, clause, signature, op, type, storage,"
     " permitted, got, operands, text, instruction FROM findings" BELOW,
     "INSERT INTO findings VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",                                                                                     false},
    {"SELECT target_id, " INDEX ", testcase, observation, disassembly, log, crash_signature FROM"
     " kept" BELOW " AND ?3 = 0",
     "INSERT INTO kept VALUES(?,?,?,?,?,?,?)",                                                                                                              false},
    {"SELECT " INDEX ", tape, profile FROM tapes JOIN (SELECT DISTINCT case_index FROM findings)"
     " USING(case_index)" BELOW,
     "INSERT INTO tapes VALUES(?,?,?)",                                                                                                                     false},
};

/* Where the campaign's rows are repeated: its cases, and how many are taken in all. */
struct repeat {
    uint64_t n_cases, n_wanted;
};

static enum res copy_table(struct db *from, struct db *to, size_t table, struct shard s,
                           uint64_t round, const struct repeat *x, struct err *e)
{
    const char *const types = strstr(tables[table].select, "?1") ? "uuuuu" : "";
    struct stmt *const rows = db_start(from, tables[table].select, types, (uint64_t)s.n,
                                       (uint64_t)s.index, round, x->n_cases, x->n_wanted);
    struct stmt *const put = db_start(to, tables[table].insert, "");
    int step = 0;
    while ((step = stmt_step(rows)) > 0) {
        if (stmt_put_row(rows, put) < 0) {
            return db_fail(to, e);
        }
    }
    return db_end_rows(from, rows, step, e);
}

static enum res fill(struct db *from, struct db *to, struct shard s, const struct repeat *x,
                     struct err *e)
{
    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        for (uint64_t round = 0; round * x->n_cases < x->n_wanted; round++) {
            TRY(!tables[i].is_once || round == 0 ? copy_table(from, to, i, s, round, x, e)
                                                 : RES_OK);
        }
    }
    return db_exec(to,
                   "UPDATE buckets SET first_finding = (SELECT min(id) FROM findings f WHERE"
                   " f.target_id = buckets.target_id AND f.class = buckets.class AND"
                   " f.signature = buckets.signature)",
                   e);
}

static enum res make_shard(struct bench *b, struct db *from, const struct campaign_plan *like,
                           uint32_t index, const struct repeat *x, struct err *e)
{
    struct journal *j = NULL;
    struct campaign_plan plan = *like;
    plan.shard = (struct shard){index, b->n_journals};
    TRY(journal_open(&j, arena_printf(&b->a, "%s/s%06" PRIu32, b->folder, index + 1), &plan, e));
    struct db *const d = journal_get_db(j);
    enum res r = db_exec(d, "BEGIN", e);
    r = r == RES_OK ? fill(from, d, plan.shard, x, e) : r;
    r = r == RES_OK ? db_exec(d, "COMMIT", e) : r;
    journal_close(j);
    return r;
}

static enum res make_shards(struct bench *b, struct err *e)
{
    struct journal *j = NULL;
    struct campaign_plan plan;
    int64_t n_runs = 0, n_cases = 0;
    TRY(journal_open(&j, b->from, NULL, e));
    struct db *const d = journal_get_db(j);
    enum res r = journal_get_plan(j, &b->a, &plan, e);
    r = r == RES_OK ? db_ask(d, e, 0, &n_runs, "SELECT count(*) FROM runs", "") : r;
    r = r == RES_OK ? db_ask(d, e, 0, &n_cases, "SELECT max(case_index) + 1 FROM runs", "") : r;
    if (r == RES_OK && (n_runs == 0 || n_cases == 0)) {
        r = err_set(e, RES_USAGE, "%s: nothing was run", b->from);
    }
    /* of a campaign whose targets went on at different speeds the early cases have more runs */
    int64_t n_wanted = n_runs ? (int64_t)b->n_runs * n_cases / n_runs + 1 : 0;
    if (r == RES_OK && (int64_t)b->n_runs < n_runs) {
        r = db_ask(d, e, 0, &n_wanted, "SELECT case_index FROM runs ORDER BY 1 LIMIT 1 OFFSET ?",
                   "u", b->n_runs);
    }
    struct repeat const x = {(uint64_t)n_cases, (uint64_t)n_wanted};
    for (uint32_t i = 0; i < b->n_journals && r == RES_OK; i++) {
        r = make_shard(b, d, &plan, i, &x, e);
    }
    journal_close(j);
    return r;
}

static enum res merge(struct bench *b, struct err *e)
{
    struct merge_summary sum;
    const char **const in = ARENA_NEW(&b->a, const char *, b->n_journals);
    for (uint32_t i = 0; in && i < b->n_journals; i++) {
        in[i] = arena_printf(&b->a, "%s/s%06" PRIu32, b->folder, i + 1);
    }
    struct merge_words const w = {arena_printf(&b->a, "%s/merged", b->folder), in, b->n_journals};
    return in ? merge_folders(&w, &b->a, &sum, e) : RES_NOMEM;
}

/* In a process of its own, whose memory is then known. */
static enum res time_merge(struct bench *b, struct err *e)
{
    struct rusage u;
    int status = 0;
    double const start = now_seconds();
    pid_t const pid = fork();
    if (pid == 0) {
        enum res const r = merge(b, e);
        (void)fprintf(stderr, "%s", r == RES_OK ? "" : e->text);
        _exit(r == RES_OK ? 0 : 3);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0 ||
        getrusage(RUSAGE_CHILDREN, &u) != 0) {
        return err_set(e, RES_IO, "the merge failed");
    }
    double const cpu_s = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                         (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
    (void)printf("merge_wall\t%.2f\ts, %" PRIu32 " journals of %" PRIu64 " runs\n",
                 now_seconds() - start, b->n_journals, b->n_runs);
    (void)printf("merge_cpu\t%.2f\ts\n", cpu_s);
    (void)printf("merge_memory\t%ld\tMiB\n", u.ru_maxrss / 1024);
    return RES_OK;
}

static enum res run(struct bench *b, bool is_own, struct err *e)
{
    TRY(file_make_path(b->folder, e));
    TRY(is_own ? make_campaign(b, e) : RES_OK);
    TRY(make_shards(b, e));
    return time_merge(b, e);
}

/* Exit status 3: trouble. */
int main(int argc, char **argv)
{
    struct bench b = {.n_journals = BENCH_JOURNALS, .n_runs = BENCH_RUNS};
    struct err e = {RES_OK, ""};
    char own[] = "/tmp/bench-merge-XXXXXX";
    bool const is_own = argc < 5;
    arena_init(&b.a, (size_t)256 << 20);
    b.folder = is_own ? mkdtemp(own) : argv[4];
    b.from = is_own ? own : argv[1];
    if (!is_own) {
        b.n_journals = (uint32_t)strtoul(argv[2], NULL, 10);
        b.n_runs = strtoull(argv[3], NULL, 10);
    }
    enum res const r = b.folder ? run(&b, is_own, &e) : RES_IO;
    if (r != RES_OK) {
        (void)fprintf(stderr, "bench_merge: %s\n", e.text);
    }
    struct err ignored;
    if (is_own && b.folder) {
        (void)!file_remove(own, &ignored);
    }
    arena_free(&b.a);
    return r == RES_OK ? 0 : 3;
}
