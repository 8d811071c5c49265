/* fuzz/campaign/test_corpus.c -- what is kept, who is made of what, and that all targets get the same tape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal_corpus.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"

enum {
    SEED = 3,
    MAX_FILES = 1 << 16
};

struct rig {
    struct arena a;
    char folder[256], exports[300], import[300];
    struct journal *j;
    struct corpus *c;
    struct corpus_options o;
    uint64_t disk_cap;
};

static struct campaign_plan const plan = {.profile = "all",
                                          .seed = SEED,
                                          .gen_version = GEN_VERSION,
                                          .max_cases = 0,
                                          .max_ns = 0,
                                          .targets = "one two",
                                          .shard = SHARD_NONE};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("seed %d: %s", SEED, e->text);
    }
}

static void open_it(struct rig *r)
{
    struct err e = {RES_OK, ""};
    must(journal_open(&r->j, r->folder, &plan, &e), &e);
    journal_set_disk_cap(r->j, r->disk_cap);
    must(corpus_open(&r->c, &r->o, r->j, &e), &e);
}

static void close_it(struct rig *r)
{
    corpus_close(r->c);
    journal_close(r->j);
    r->c = NULL;
    r->j = NULL;
}

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof(*r));
    const char *base = getenv("TMPDIR");
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)512 << 20);
    (void)snprintf(r->folder, sizeof(r->folder), "%s/test-corpus-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(r->folder)) {
        return -1;
    }
    (void)snprintf(r->exports, sizeof(r->exports), "%s/corpus", r->folder);
    (void)snprintf(r->import, sizeof(r->import), "%s/queue", r->folder);
    r->disk_cap = UINT64_MAX;
    r->o = (struct corpus_options){.profile = PROFILE_ALL, .seed = SEED, .exports = r->exports};
    *state = r;
    return mkdir(r->import, 0777);
}

static void empty_folder(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir) {
        (void)closedir(dir);
    }
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    close_it(r);
    empty_folder(r->exports);
    empty_folder(r->import);
    (void)rmdir(r->exports);
    (void)rmdir(r->import);
    empty_folder(r->folder);
    int const bad = rmdir(r->folder);
    arena_free(&r->a);
    free(r);
    return bad;
}

static uint32_t count_files(const char *path)
{
    uint32_t n = 0;
    DIR *dir = opendir(path);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        n += entry->d_name[0] != '.';
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}

/* A run of a case of so many records that set these cells; ends with 0, cell 0 is none. */
static void put_run(struct rig *r, uint64_t index, uint32_t n_records, const uint32_t *cells)
{
    struct err e = {RES_OK, ""};
    unsigned char *data = arena_take(&r->a, (size_t)n_records * TAPE_RECORD_BYTES);
    assert_non_null(data);
    store_le(data, index, 8);
    struct tape const t = {.data = data, .n_records = n_records};
    unsigned char *map = corpus_get_map(r->c);
    for (size_t i = 0; cells[i]; i++) {
        map[cells[i]] = 1;
    }
    must(corpus_take_run(r->c, index, PROFILE_GROUPS, &t, &e), &e);
}

static void expect_figures(const struct rig *r, uint32_t n_tapes, uint32_t n_cells)
{
    struct corpus_figures const f = corpus_get_figures(r->c);
    assert_int_equal(f.n_tapes, n_tapes);
    assert_int_equal(f.n_cells, n_cells);
}

static void sync_all(struct rig *r)
{
    struct err e = {RES_OK, ""};
    must(corpus_sync(r->c, UINT32_MAX, &e), &e);
}

/* Of each cell the smallest tape is kept, in the corpus, as a file, and after a restart; a tape that is the
 * smallest of no cell goes. */
static void the_smallest_tape_of_each_cell_is_kept(void **state)
{
    struct rig *r = *state;
    open_it(r);
    put_run(r, 0, 10, (const uint32_t[]){1, 2, 0});
    put_run(r, 1, 20, (const uint32_t[]){1, 2, 0}); /* nothing new, nothing smaller */
    expect_figures(r, 1, 2);
    put_run(r, 2, 5, (const uint32_t[]){2, CORPUS_CELLS - 1, 0});
    expect_figures(r, 2, 3);
    sync_all(r);
    assert_int_equal(count_files(r->exports), 2);
    put_run(r, 3, 3, (const uint32_t[]){1, 0}); /* the first one is dominated */
    expect_figures(r, 2, 3);
    put_run(r, 4, 2, (const uint32_t[]){1, 2, CORPUS_CELLS - 1, 0}); /* both are */
    expect_figures(r, 1, 3);
    sync_all(r);
    assert_int_equal(count_files(r->exports), 1);
    /* another target runs case 4 and sees more: still one tape */
    put_run(r, 4, 2, (const uint32_t[]){7, 0});
    expect_figures(r, 1, 4);
    close_it(r);
    open_it(r);
    expect_figures(r, 1, 4);
    put_run(r, 9, 2, (const uint32_t[]){1, 2, 7, 0}); /* not smaller */
    expect_figures(r, 1, 4);
}

/* Against a plain model: of each cell the first of its smallest tapes. */
static void corpus_is_never_larger_than_its_cells(void **state)
{
    struct rig *r = *state;
    enum {
        N_CELLS = 40,
        N_RUNS = 3000
    };
    uint32_t smallest[N_CELLS] = {0};
    uint64_t holder[N_CELLS] = {0};
    struct rng rng = rng_seed(SEED);
    uint32_t n_seen = 0;
    open_it(r);
    for (uint64_t i = 0; i < N_RUNS; i++) {
        uint32_t cells[4] = {0};
        uint32_t const n_records = 1 + (uint32_t)rng_below(&rng, 500);
        for (int k = 0; k < 3; k++) {
            cells[k] = 1 + (uint32_t)rng_below(&rng, N_CELLS - 1);
        }
        put_run(r, i, n_records, cells);
        for (int k = 0; k < 3; k++) {
            n_seen += smallest[cells[k]] == 0;
            if (smallest[cells[k]] == 0 || n_records < smallest[cells[k]]) {
                smallest[cells[k]] = n_records;
                holder[cells[k]] = i;
            }
        }
        uint32_t n_tapes = 0;
        for (uint32_t k = 1; k < N_CELLS; k++) {
            uint32_t first = 1;
            while (!smallest[first] || holder[first] != holder[k]) {
                first++;
            }
            n_tapes += smallest[k] && first == k;
        }
        expect_figures(r, n_tapes, n_seen);
    }
    assert_int_equal(n_seen, N_CELLS - 1);
}

struct made {
    enum profile profile;
    struct tape tape;
};

static struct made get(struct rig *r, uint64_t index)
{
    struct err e = {RES_OK, ""};
    struct made m;
    struct corpus_tape got;
    must(corpus_get_tape(r->c, &(struct corpus_for){index, ENV_VK, NULL}, &r->a, &got, &e), &e);
    m.tape = got.tape;
    m.profile = got.profile;
    return m;
}

static int is_same(struct made x, struct made y)
{
    return x.profile == y.profile && x.tape.n_records == y.tape.n_records &&
           memcmp(x.tape.data, y.tape.data, x.tape.n_records * TAPE_RECORD_BYTES) == 0;
}

static int is_fresh(struct rig *r, uint64_t index, struct made x)
{
    struct err e = {RES_OK, ""};
    struct made fresh = {.profile = sched_pick_profile(PROFILE_ALL, index)};
    struct sched_case const of = {PROFILE_ALL, SEED, index, ENV_VK, NULL};
    must(sched_make_fresh(&of, &r->a, &fresh.tape, &e), &e);
    return is_same(x, fresh);
}

/* Fresh cases 0 to n - 1, each kept for a cell of its own. */
static void fill(struct rig *r, uint64_t n)
{
    struct err e = {RES_OK, ""};
    for (uint64_t i = 0; i < n; i++) {
        struct made const m = get(r, i);
        corpus_get_map(r->c)[1 + i] = 1;
        must(corpus_take_run(r->c, i, m.profile, &m.tape, &e), &e);
    }
}

/* As many cases are mutations as the option asks for, none with 0. */
static void share_of_mutated_cases_is_as_asked(void **state)
{
    struct rig *r = *state;
    enum {
        N = 400
    };
    open_it(r);
    fill(r, 3);
    for (uint64_t i = 3; i < N; i++) {
        assert_true(is_fresh(r, i, get(r, i)));
    }
    assert_int_equal(corpus_get_figures(r->c).n_mutated, 0);
    close_it(r);
    r->o.percent = 30;
    open_it(r);
    uint64_t n = 0;
    uint64_t first = 0;
    struct err e = {RES_OK, ""};
    must(journal_first_free(r->j, &first, &e), &e);
    for (uint64_t i = first; i < first + N; i++) {
        n += !is_fresh(r, i, get(r, i));
    }
    assert_int_equal(corpus_get_figures(r->c).n_mutated, n);
    assert_in_range(n, N / 5, N * 2 / 5);
}

/* A run of the case in the journal, for a target. */
static void run_it(struct rig *r, int64_t target, uint64_t index, struct made m)
{
    struct err e = {RES_OK, ""};
    int64_t id = 0;
    must(journal_begin_run(r->j, target, index, m.tape.data, m.tape.n_records * TAPE_RECORD_BYTES,
                           &id, &e),
         &e);
    struct testcase const tc = {.profile = profile_names[m.profile]};
    struct observation const ob = {
        .status = RUN_DONE, .log = "", .signature = "", .facts = "device=x\n"};
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    assert_non_null(g);
    struct run_record const record = {&tc, &ob, g, NULL};
    must(journal_end_run(r->j, id, &record, &r->a, &e), &e);
}

enum {
    N_FAST = 300,
    N_FIRST = 20
};

/* A fast target has run N_FAST cases, a slow one none. */
static void run_fast(struct rig *r, int64_t target[2], struct made seen[N_FAST])
{
    struct err e = {RES_OK, ""};
    open_it(r);
    fill(r, N_FIRST);
    must(journal_put_target(r->j, "one", "device=x\n", &target[0], &e), &e);
    must(journal_put_target(r->j, "two", "device=x\n", &target[1], &e), &e);
    r->o.percent = 60;
    for (uint64_t i = 0; i < N_FAST; i++) {
        seen[i] = get(r, i);
        run_it(r, target[0], i, seen[i]);
        if (i % 64 == 0) {
            must(journal_flush(r->j, &e), &e);
        }
    }
    must(journal_flush(r->j, &e), &e);
}

static void expect_same_tapes(struct rig *r, int64_t target, const struct made seen[N_FAST])
{
    uint64_t n_made = 0;
    for (uint64_t i = 0; i < N_FAST; i++) {
        struct made const m = get(r, i);
        if (!is_same(m, seen[i])) {
            fail_msg("seed %d: case %d is another for the second target", SEED, (int)i);
        }
        n_made += !is_fresh(r, i, m);
        run_it(r, target, i, m);
    }
    assert_true(n_made > N_FAST / 3);
}

static void a_slower_target_gets_the_same_tapes(void **state)
{
    struct rig *r = *state;
    struct made seen[N_FAST];
    int64_t target[2];
    r->o.percent = 60;
    run_fast(r, target, seen);
    expect_same_tapes(r, target[1], seen);
}

static int64_t count_rows(struct rig *r, const char *sql)
{
    struct db *d = NULL;
    struct err e = {RES_OK, ""};
    must(db_open(&d, arena_printf(&r->a, "%s/journal.sqlite", r->folder), DB_READ, &e), &e);
    struct stmt *s = db_start(d, sql, "");
    int64_t const n = stmt_step(s) > 0 ? stmt_int(s, 0) : -1;
    db_close(d);
    return n;
}

/* A slow target gets the same tapes as a fast one before it, though the parents of mutations have been
 * dropped and the journal, at its cap, has forgotten the fast one's; once both are behind them, nothing of
 * them stays. */
static void also_beyond_the_disk_cap_and_after_resume(void **state)
{
    struct rig *r = *state;
    struct made seen[N_FAST];
    int64_t target[2];
    struct err e = {RES_OK, ""};
    r->o.percent = 60;
    r->disk_cap = 1;
    run_fast(r, target, seen);
    /* parents die meanwhile, and the fast target's tapes are forgotten */
    put_run(r, N_FAST, 1, (const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0});
    run_it(r, target[0], N_FAST, (struct made){PROFILE_GROUPS, {.data = NULL}});
    must(journal_flush(r->j, &e), &e);
    run_it(r, target[0], N_FAST + 1, (struct made){PROFILE_GROUPS, {.data = NULL}});
    must(journal_flush(r->j, &e), &e);
    close_it(r);
    assert_true(count_rows(r, "SELECT count(*) FROM origins") > N_FAST / 3);
    int64_t const n_dead = count_rows(r, "SELECT count(*) FROM corpus WHERE dead_at IS NOT NULL");
    assert_true(n_dead >= 10);
    assert_true(count_rows(r, "SELECT count(*) FROM tapes") < N_FIRST);
    open_it(r);
    must(journal_put_target(r->j, "one", "", &target[0], &e), &e);
    must(journal_put_target(r->j, "two", "", &target[1], &e), &e);
    expect_same_tapes(r, target[1], seen);
    must(journal_flush(r->j, &e), &e);
    run_it(r, target[1], N_FAST, (struct made){PROFILE_GROUPS, {.data = NULL}});
    must(journal_flush(r->j, &e), &e);
    close_it(r);
    /* now nobody can ask for them any more */
    assert_int_equal(count_rows(r, "SELECT count(*) FROM origins"), 0);
    assert_true(count_rows(r, "SELECT count(*) FROM corpus WHERE dead_at IS NOT NULL") < n_dead);
}

/* kill -9 after a flush: all that was flushed is there, and the tapes are the same. */
static void a_killed_campaign_goes_on(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    r->o.percent = 50;
    open_it(r);
    close_it(r);
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        open_it(r);
        fill(r, 30);
        int const bad = journal_flush(r->j, &e) != RES_OK;
        fill(r, 60); /* not flushed: this is lost */
        _exit(bad);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    open_it(r);
    struct corpus_figures const f = corpus_get_figures(r->c);
    assert_int_equal(f.n_cells, 30);
    assert_int_equal(f.n_tapes, 30);
    uint64_t first = 0;
    must(journal_first_free(r->j, &first, &e), &e);
    assert_in_range(first, 2, 30);
    struct made const m = get(r, first - 1); /* the last that was made of another */
    assert_false(is_fresh(r, first - 1, m));
    close_it(r);
    open_it(r);
    assert_true(is_same(m, get(r, first - 1)));
}

static void save(struct rig *r, const char *name, uint64_t index, const char *profile)
{
    struct tape t;
    struct err e = {RES_OK, ""};
    must(sched_make_tape(99, index, &r->a, &t, &e), &e);
    must(tape_save_file(&t, arena_printf(&r->a, "%s/%s", r->import, name), profile, &e), &e);
}

/* Files of the import folder become the first cases, each tape once; hidden files are passed over and bad
 * ones counted; new files are seen at the next sync, and after a restart all is as it was. */
static void imported_tapes_come_first(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    save(r, "id:000000,a", 0, "groups");
    save(r, "id:000001,b", 1, "maxerror");
    save(r, "id:000002,same-as-a", 0, "groups");
    save(r, ".hidden", 5, "groups");
    must(file_write(arena_printf(&r->a, "%s/id:000003,c", r->import), "no tape", 7, &e), &e);
    r->o.import = r->import;
    open_it(r);
    static enum profile const expected[] = {PROFILE_GROUPS, PROFILE_MAXERROR};
    struct made m[3];
    for (uint64_t i = 0; i < ARRAY_N(expected); i++) {
        struct made file = {.profile = expected[i]};
        must(sched_make_tape(99, i, &r->a, &file.tape, &e), &e);
        m[i] = get(r, i);
        assert_true(is_same(m[i], file));
    }
    assert_true(is_fresh(r, 2, get(r, 2)));
    struct corpus_figures f = corpus_get_figures(r->c);
    assert_int_equal(f.n_imported, 2);
    assert_int_equal(f.n_bad_files, 1);
    /* its first run makes it one of the corpus */
    corpus_get_map(r->c)[5] = 1;
    must(corpus_take_run(r->c, 1, m[1].profile, &m[1].tape, &e), &e);
    expect_figures(r, 1, 1);
    save(r, "id:000004,d", 7, "all");
    sync_all(r);
    m[2] = get(r, 3);
    assert_false(is_fresh(r, 3, m[2]));
    assert_int_equal(m[2].profile, PROFILE_ALL);
    must(journal_flush(r->j, &e), &e);
    close_it(r);
    open_it(r); /* the same files again are no news */
    assert_true(is_fresh(r, 4, get(r, 4)));
    assert_true(is_same(get(r, 1), m[1]));
    assert_true(is_same(get(r, 3), m[2]));
}

static void no_folder_is_an_error(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    r->o.import = "/nonexistent/folder";
    must(journal_open(&r->j, r->folder, &plan, &e), &e);
    assert_int_equal(corpus_open(&r->c, &r->o, r->j, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "/nonexistent/folder"));
}

/* Cell 1 was set by many runs, cell 2 by one: the parents of most cases are of the second. */
static void rare_cells_are_preferred(void **state)
{
    struct rig *r = *state;
    enum {
        N = 200
    };
    r->o.percent = 100;
    r->o.profile = PROFILE_ATOMICS;
    open_it(r);
    struct err e = {RES_OK, ""};
    struct made m[2] = {
        {PROFILE_ATOMICS, {.data = NULL}},
        {PROFILE_GROUPS,  {.data = NULL}}
    };
    for (uint64_t i = 0; i < 2; i++) {
        must(sched_make_tape(SEED, i, &r->a, &m[i].tape, &e), &e);
    }
    for (int i = 0; i < 1000; i++) {
        corpus_get_map(r->c)[1] = 1;
        must(corpus_take_run(r->c, 0, m[0].profile, &m[0].tape, &e), &e);
    }
    corpus_get_map(r->c)[2] = 1;
    must(corpus_take_run(r->c, 1, m[1].profile, &m[1].tape, &e), &e);
    uint64_t n_rare = 0;
    for (uint64_t i = 2; i < 2 + N; i++) {
        n_rare += get(r, i).profile == PROFILE_GROUPS;
    }
    assert_in_range(n_rare, N * 3 / 4,
                    N - 1); /* of CORPUS_DRAWS draws one of 16 sees no rare cell */
}

/* A journal of an older version, without the tables of the corpus, is opened and goes on. */
static void journals_from_before_the_corpus_are_upgraded(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct db *d = NULL;
    must(journal_open(&r->j, r->folder, &plan, &e), &e);
    journal_close(r->j);
    r->j = NULL;
    must(db_open(&d, arena_printf(&r->a, "%s/journal.sqlite", r->folder), DB_WRITE, &e), &e);
    must(db_exec(d,
                 "DROP TABLE corpus; DROP TABLE cells; DROP TABLE origins; DROP TABLE parts;"
                 "DROP TABLE part_targets; DROP TABLE part_verdicts; DROP TABLE part_features;"
                 "DROP TABLE part_coverage; DROP TABLE part_buckets; DROP TABLE part_cross;"
                 "DROP TABLE part_languages; DROP TABLE judgements; DROP TABLE statistics;"
                 "DROP TABLE tapes; CREATE TABLE tapes(case_index INTEGER PRIMARY KEY, tape BLOB);"
                 "INSERT INTO tapes VALUES(0, x'0102');"
                 "ALTER TABLE triage DROP COLUMN cause; ALTER TABLE triage DROP COLUMN bug;"
                 "ALTER TABLE triage DROP COLUMN is_cut; ALTER TABLE triage DROP COLUMN n_alike;"
                 "ALTER TABLE triage DROP COLUMN first_wrong; PRAGMA user_version = 3",
                 &e),
         &e);
    db_close(d);
    open_it(r);
    expect_figures(r, 0, 0);
    put_run(r, 1, 2, (const uint32_t[]){3, 0});
    expect_figures(r, 1, 1);
    const unsigned char *tape = NULL;
    size_t n = 0;
    must(journal_get_tape(r->j, 0, &r->a, &tape, &n, &e), &e);
    assert_int_equal(n, 2);
}

/* Two simulated devices, one campaign: whatever both ran was the same case. */
static void two_targets_of_one_campaign_agree(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct target_list *found = ARENA_NEW(&r->a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(&r->a, struct target_list, 1);
    assert_true(found && list);
    must(targets_find(found, NULL, &r->a, &e), &e);
    must(targets_select(found, "sim-ieee,sim-any", list, &r->a, &e), &e);
    struct sched_options const o = {.targets = list,
                                    .profile = PROFILE_ATOMICS,
                                    .seed = SEED,
                                    .max_cases = 60,
                                    .n_workers = 1,
                                    .mutate_percent = 60,
                                    .exports = r->exports};
    struct sched_summary s;
    must(journal_open(&r->j, r->folder, &plan, &e), &e);
    must(sched_run(&o, r->j, &s, &e), &e);
    assert_int_equal(s.n_runs, 120);
    assert_int_equal(s.n_violations, 0);
    assert_in_range(s.corpus.n_mutated, 15, 55);
    assert_in_range(s.corpus.n_tapes, 2, 60);
    assert_int_equal(count_files(r->exports), s.corpus.n_tapes);
    close_it(r);
    assert_int_equal(count_rows(r, "SELECT count(*) FROM runs a JOIN runs b ON a.case_index ="
                                   " b.case_index AND a.target_id < b.target_id"
                                   " WHERE a.case_hash = b.case_hash"),
                     60);
    assert_int_equal(count_rows(r, "SELECT count(*) FROM tapes WHERE profile IS NOT NULL"),
                     s.corpus.n_mutated);
}

int main(void)
{
    struct CMUnitTest const tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
        TEST(the_smallest_tape_of_each_cell_is_kept),
        TEST(corpus_is_never_larger_than_its_cells),
        TEST(share_of_mutated_cases_is_as_asked),
        TEST(a_slower_target_gets_the_same_tapes),
        TEST(also_beyond_the_disk_cap_and_after_resume),
        TEST(a_killed_campaign_goes_on),
        TEST(imported_tapes_come_first),
        TEST(no_folder_is_an_error),
        TEST(rare_cells_are_preferred),
        TEST(journals_from_before_the_corpus_are_upgraded),
        TEST(two_targets_of_one_campaign_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
