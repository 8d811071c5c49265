/* tests/hostile/test_kill_any.c -- kill -9 of any process of a campaign, a triage or an audit at random moments; begun
 * again, its tables are those of one that nobody disturbed. With HALFULP_SLOW=1 alone: it depends on time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/io/db.h"
#include "fuzz/process/child.h"
#include "fuzz/process/process.h"
#include "tests/rig/audit_rig.h"
#include "tests/rig/fake_worker.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/patience.h"
#include "tests/rig/program_rig.h"

enum {
    N_KILLS = 6,
    N_SLOW_KILLS = 30,
    MAX_TREE = 64,
    MAX_ROUNDS = 1000,
    TEXT_BYTES = 1 << 16
};
static char self_path[4096], program[4096];

struct world {
    struct arena a, scratch;
    struct rng rng;
    char folder[256];
    const char *said;
    char text[TEXT_BYTES];
};

/* What was killed so far. */
struct toll {
    int n, n_roots, n_others;
};

static int set_up(void **state)
{
    static struct world w;
    struct err e;
    memset(&w, 0, sizeof w);
    arena_init(&w.a, (size_t)64 << 20);
    arena_init(&w.scratch, (size_t)512 << 20);
    w.rng = rng_seed(20260501);
    folder_make(w.folder, sizeof w.folder, "kill-any");
    w.said = arena_printf(&w.a, "%s/said", w.folder);
    const char *const ini = arena_printf(
        &w.a,
        "[one]\napi = opencl\nworker = %s\nenv = FAKE=fault\n"
        "[two]\napi = vulkan\nworker = %s\nenv = FAKE=fault\n"
        "[sum]\napi = opencl\nworker = %s\nenv = FAKE=fault\nenv.FAKE_FAULT = SUM_OFF_ULP\n"
        "[swept]\napi = opencl\nworker = %s\nenv = FAKE=audit\n",
        self_path, self_path, self_path, self_path);
    *state = &w;
    if (setenv("HALFULP_DRIVERS", w.folder, 1) != 0) { /* none but ours */
        return -1;
    }
    return file_write(arena_printf(&w.a, "%s/t.ini", w.folder), ini, strlen(ini), &e) == RES_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    struct world *const w = *state;
    folder_remove(w->folder);
    arena_free(&w->a);
    arena_free(&w->scratch);
    return 0;
}

/* ---- processes ---- */

static int is_below(pid_t pid, pid_t root)
{
    struct process p;
    for (int depth = 0; pid > 1 && depth < 8; depth++) {
        if (pid == root) {
            return 1;
        }
        pid = process_read(pid, &p) ? p.parent : 0;
    }
    return 0;
}

/* The root and all processes below it. */
static int find_tree(pid_t root, pid_t tree[MAX_TREE])
{
    DIR *const dir = opendir("/proc");
    struct dirent *entry = NULL;
    int n = 0;
    while (dir && (entry = readdir(dir)) != NULL && n < MAX_TREE) {
        pid_t const pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && is_below(pid, root)) {
            tree[n++] = pid;
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}

/* The root, or any of those below it, if there is one yet. 1: it was the root. */
static int kill_one(struct world *w, pid_t root, int is_root, struct toll *t)
{
    pid_t tree[MAX_TREE];
    int const n = is_root ? 0 : find_tree(root, tree);
    pid_t victim = is_root ? root : 0;
    for (int i = 0; i < 8 * n && (victim == 0 || victim == root); i++) {
        victim = tree[rng_below(&w->rng, (uint64_t)n)];
    }
    if (victim == 0 || (victim == root) != is_root || kill(victim, SIGKILL) != 0) {
        return 0;
    }
    t->n++;
    t->n_roots += is_root;
    t->n_others += !is_root;
    return is_root;
}

static pid_t start(struct world *w, const char *words)
{
    return program_start_text(program, words, w->said);
}

static void expect_end(struct world *w, const char *words, int status)
{
    if (status != 0 && status != 1) {
        fail_msg("%s: status %d: %s", words, status,
                 program_read(w->said, w->text, sizeof w->text));
    }
}

/* An instant at which the program may be anywhere. 1: it has ended by itself, with *status. */
static int await(struct world *w, pid_t pid, uint64_t window_ms, int *status)
{
    int raw = 0;
    (void)poll(NULL, 0, (int)rng_below(&w->rng, window_ms));
    if (waitpid(pid, &raw, WNOHANG) != pid) {
        return 0;
    }
    *status = WIFSIGNALED(raw) ? -WTERMSIG(raw) : WEXITSTATUS(raw);
    return 1;
}

/*
 * A command that is killed up to n_max times and begun again, to its end. words[1] goes on with what words[0]
 * has begun, where the file `begun` is there. may_fail: it may end with 3 once one of its processes was killed.
 */
struct command {
    const char *words[2], *begun;
    uint64_t window_ms;
    int n_max, may_fail;
};

static struct toll disturb(struct world *w, const struct command *c)
{
    struct toll t = {0, 0, 0};
    int n_aimed = -1, is_root = 0; /* a third of all kills; the aim stands until it was hit */
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const char *const words = c->words[access(c->begun, F_OK) == 0];
        pid_t const pid = start(w, words);
        int status = 0, is_over = 0, is_killed = 0;
        int const n_before = t.n_others;
        while (t.n < c->n_max && !is_over && !is_killed) {
            is_root = n_aimed == t.n ? is_root : rng_below(&w->rng, 3) == 0;
            n_aimed = t.n;
            is_over = await(w, pid, c->window_ms, &status);
            is_killed = !is_over && kill_one(w, pid, is_root, &t);
        }
        status = is_over ? status : program_wait(pid);
        if (status == -SIGKILL || (status == 3 && c->may_fail && t.n_others > n_before)) {
            continue;
        }
        expect_end(w, words, status);
        return t;
    }
    fail_msg("%s: never ends", c->words[0]);
    return t;
}

/* ---- tables ---- */

/* All rows of a query of one column as one text. */
static const char *dump(struct world *w, const char *campaign, const char *sql)
{
    struct db *d = NULL;
    struct bytes b;
    struct err e = {RES_OK, ""};
    const char *path = arena_printf(&w->scratch, "%s/journal.sqlite", campaign);
    bytes_init(&b, &w->scratch);
    if (db_open(&d, path, DB_WRITE, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    struct stmt *s = db_start(d, sql, "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        const char *row = stmt_text(s, 0, &w->scratch);
        bytes_put(&b, row, strlen(row));
        bytes_put(&b, "\n", 1);
    }
    if (step < 0) {
        (void)!db_fail(d, &e);
        fail_msg("%s: %s", sql, e.text);
    }
    db_close(d);
    bytes_put(&b, "", 1);
    assert_true(b.ok);
    return (const char *)b.p;
}

static uint64_t ask(struct world *w, const char *campaign, const char *sql)
{
    return strtoull(dump(w, campaign, sql), NULL, 10);
}

#define Q(column)      "'|' || coalesce(quote(" column "), '-') || "
#define NAME_OF(table) "(SELECT name FROM targets WHERE id = " table ".target_id)"
/* What the driver's death may hide: of each case. The judge's text is one of the columns. */
static const char runs_sql[] =
    "SELECT " NAME_OF("r") " || ' ' || r.case_index || ' ' || " Q("r.is_done") Q("r.profile")
        Q("r.verdict") Q("r.case_hash") Q("r.cross_values") "'' FROM runs r ORDER BY 1";
static const char findings_sql[] =
    "SELECT " NAME_OF("f") " || ' ' || f.case_index || ' ' || " Q("f.ordinal") Q("f.class")
        Q("f.verdict") Q("f.clause") Q("f.signature") Q("f.op") Q("f.type") Q("f.storage")
            Q("f.permitted") Q("f.got") Q("f.operands") Q("f.text")
                Q("f.instruction") "''"
                                   " FROM findings f ORDER BY 1";
/* What counts over all of them. */
static const char *const sums_sql[] = {
    "SELECT name || " Q("facts") Q("low") Q("n_runs") Q("n_skipped") Q("n_judged") Q("n_sharp")
        Q("n_anything") Q("n_inconclusive") Q("n_bounded") Q("n_contended") Q("n_interleaved")
            Q("n_ordered") Q("n_reductions") Q("n_reductions_bounded")
                Q("n_partial") "'' FROM targets ORDER BY 1",
    "SELECT " NAME_OF("v") " || " Q("class") Q("profile") Q("verdict")
        Q("n") "'' FROM verdicts v ORDER BY 1",
    "SELECT case_index || " Q("tape") Q("profile") "'' FROM tapes ORDER BY 1",
    "SELECT " NAME_OF("k") " || " Q("case_index") Q("testcase") Q("disassembly")
        Q("crash_signature") "'' FROM kept k ORDER BY 1",
    "SELECT " NAME_OF("b") " || " Q("b.class") Q("b.signature") Q("b.verdict") Q("b.n")
        Q("(SELECT case_index || '/' || ordinal FROM findings WHERE id = "
          "b.first_finding)") "'' FROM buckets b ORDER BY 1",
    "SELECT " NAME_OF("c") " || " Q("op") Q("type") Q("storage") Q("outcome") Q("n") Q("n_sharp")
        Q("n_anything") Q("n_bounded") Q("n_divergent") "'' FROM coverage c ORDER BY 1",
    "SELECT " Q("key") Q("value") "'' FROM meta WHERE key <> 'started' ORDER BY 1",
};

static void expect_same(struct world *w, const char *broken, const char *whole, const char *sql)
{
    const char *const x = dump(w, broken, sql), *const y = dump(w, whole, sql);
    size_t at = 0;
    while (x[at] && x[at] == y[at]) {
        at++;
    }
    if (x[at] != y[at]) {
        at -= at > 200 ? 200 : at;
        fail_msg("%.60s...: differs: %.400s\nundisturbed: %.400s", sql, x + at, y + at);
    }
}

/* Lines of x that y lacks, both sorted; each begins with target and case. */
static int count_missing(const char *x, const char *y)
{
    int n = 0;
    for (const char *line = x; *line;) {
        size_t const length = strcspn(line, "\n") + 1;
        const char *other = y;
        while (*other && strncmp(line, other, length) > 0) {
            other += strcspn(other, "\n") + 1;
        }
        y = other;
        n += strncmp(line, other, length) != 0;
        line += length;
    }
    return n;
}

/* Nothing doubled, nothing lost: the sums of a journal are those of its rows. */
static void expect_consistent(struct world *w, const char *c)
{
    assert_int_equal(ask(w, c, "SELECT count(*) FROM runs WHERE is_done = 0"), 0);
    assert_int_equal(
        ask(w, c,
            "SELECT count(*) FROM targets t WHERE n_runs <> (SELECT coalesce(sum(n), 0)"
            " FROM verdicts WHERE target_id = t.id)"),
        0);
    assert_int_equal(
        ask(w, c,
            "SELECT count(*) FROM findings f WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE"
            " r.target_id = f.target_id AND r.case_index = f.case_index AND is_done = 1)"),
        0);
    assert_int_equal(ask(w, c,
                         "SELECT count(*) FROM buckets b WHERE n < (SELECT count(*) FROM findings f"
                         " WHERE f.target_id = b.target_id AND f.class = b.class AND"
                         " f.signature = b.signature)"),
                     0);
    assert_int_equal(ask(w, c,
                         "SELECT count(*) FROM buckets b WHERE NOT EXISTS (SELECT 1 FROM findings f"
                         " WHERE f.id = b.first_finding AND f.signature = b.signature)"),
                     0);
}

static void expect_ok(const char *c)
{
    struct db *d = NULL;
    struct err e = {RES_OK, ""};
    struct arena a;
    const char *answer = NULL;
    char path[600];
    (void)snprintf(path, sizeof path, "%s/journal.sqlite", c);
    arena_init(&a, 1 << 20);
    assert_int_equal(db_open(&d, path, DB_WRITE, &e), RES_OK);
    assert_int_equal(db_find_text(d, "PRAGMA integrity_check", &a, &answer, &e), RES_OK);
    assert_string_equal(answer, "ok");
    db_close(d);
    arena_free(&a);
}

static int count_kills(void)
{
    return getenv("HALFULP_SLOW") ? N_SLOW_KILLS : N_KILLS;
}

static void add_toll(struct toll *to, struct toll t)
{
    to->n += t.n;
    to->n_roots += t.n_roots;
    to->n_others += t.n_others;
}

/* ---- the commands ---- */

static void a_run_loses_nothing(void **state)
{
    only_in_check_slow();
    struct world *const w = *state;
    const char *const whole = arena_printf(&w->a, "%s/whole", w->folder);
    const char *const broken = arena_printf(&w->a, "%s/broken", w->folder);
    const char *const format =
        "run -q --targets-file %s/t.ini --targets one,two --cases 60 -o %s %s";
    struct command const c = {
        .words = {arena_printf(&w->a, format, w->folder, broken, "--seed 7 --profile atomics"),
                  arena_printf(&w->a, format, w->folder, broken, "--resume")},
        .begun = arena_printf(&w->a, "%s/journal.sqlite", broken),
        .window_ms = 300,
        .n_max = 10
    };
    const char *const undisturbed =
        arena_printf(&w->a, format, w->folder, whole, "--seed 7 --profile atomics");
    expect_end(w, undisturbed, program_wait(start(w, undisturbed)));
    static const char deaths_sql[] = "SELECT count(*) FROM runs WHERE verdict = 'crash'";
    assert_int_equal(ask(w, whole, deaths_sql), 0);
    struct toll all = {0, 0, 0};
    int n_hidden = 0, n_rounds = 0;
    for (; all.n < count_kills() && n_rounds < MAX_ROUNDS; n_rounds++) {
        folder_remove(broken);
        struct toll const t = disturb(w, &c);
        add_toll(&all, t);
        expect_ok(broken);
        expect_consistent(w, broken);
        /* A worker that somebody kills died of its case, as far as anyone can see. */
        int const n_deaths = count_missing(dump(w, whole, runs_sql), dump(w, broken, runs_sql));
        assert_true(n_deaths <= t.n_others);
        assert_int_equal(ask(w, broken, deaths_sql), n_deaths);
        assert_int_equal(ask(w, broken, "SELECT count(*) FROM runs"), 120);
        n_hidden += n_deaths;
        for (size_t i = 0; n_deaths == 0 && i < ARRAY_N(sums_sql); i++) {
            expect_same(w, broken, whole, sums_sql[i]);
        }
        if (n_deaths == 0) {
            expect_same(w, broken, whole, findings_sql);
        }
        arena_reset(&w->scratch);
    }
    print_message(
        "run: %d kills, %d of the program and %d of workers, in %d campaigns: %d cases died"
        " with their worker, all else is the same\n",
        all.n, all.n_roots, all.n_others, n_rounds, n_hidden);
    assert_true(all.n_roots > 0 && all.n_others > 0);
}

static void copy_journal(struct world *w, const char *from, const char *to)
{
    struct err e;
    const unsigned char *p = NULL;
    size_t n = 0;
    folder_remove(to);
    assert_int_equal(mkdir(to, 0777), 0);
    assert_int_equal(file_read(arena_printf(&w->scratch, "%s/journal.sqlite", from),
                               (size_t)64 << 20, &w->scratch, &p, &n, &e),
                     RES_OK);
    assert_int_equal(file_write(arena_printf(&w->scratch, "%s/journal.sqlite", to), p, n, &e),
                     RES_OK);
}

static void a_report_loses_nothing(void **state)
{
    only_in_check_slow();
    struct world *const w = *state;
    const char *const before = arena_printf(&w->a, "%s/before", w->folder);
    const char *const whole = arena_printf(&w->a, "%s/w", w->folder);
    const char *const broken = arena_printf(&w->a, "%s/b", w->folder);
    const char *const format =
        "report --targets-file %s/t.ini --triage-time 30m --reduce-time 1s %s";
    static const char looked_into[] = "SELECT finding_id || '' FROM triage ORDER BY finding_id";
    const char *const words = arena_printf(&w->a, format, w->folder, broken);
    struct command const c = {
        .words = {words, words},
          .begun = before, .window_ms = 1500, .n_max = 8
    };
    const char *const run = arena_printf(
        &w->a,
        "run -q --targets-file %s/t.ini --targets sum --cases 2 --seed 7 --profile atomics -o %s",
        w->folder, before);
    const char *const undisturbed = arena_printf(&w->a, format, w->folder, whole);
    expect_end(w, run, program_wait(start(w, run)));
    copy_journal(w, before, whole);
    expect_end(w, undisturbed, program_wait(start(w, undisturbed)));
    assert_true(ask(w, whole, "SELECT count(*) FROM triage") > 0);
    struct toll all = {0, 0, 0};
    int n_rounds = 0;
    for (; all.n < count_kills() && n_rounds < MAX_ROUNDS; n_rounds++) {
        copy_journal(w, before, broken);
        add_toll(&all, disturb(w, &c));
        expect_ok(broken);
        expect_same(w, broken, before, runs_sql);
        expect_same(w, broken, before, findings_sql);
        expect_same(w, broken, whole, looked_into);
        for (size_t i = 0; i + 1 < ARRAY_N(sums_sql); i++) {
            expect_same(w, broken, before, sums_sql[i]);
        }
        assert_int_equal(access(arena_printf(&w->scratch, "%s/report.html", broken), F_OK), 0);
        arena_reset(&w->scratch);
    }
    print_message("report: %d kills, %d of the program and %d of workers, in %d reports\n", all.n,
                  all.n_roots, all.n_others, n_rounds);
    assert_true(all.n_roots > 0 && all.n_others > 0);
}

/* What an audit found, without what is a matter of when it was made and what its workers died of. */
static const char *read_audit(struct world *w, const char *folder)
{
    static const char *const passing[] = {"seconds\"", "started\"", "problem\""};
    struct err e;
    const unsigned char *p = NULL;
    size_t n = 0;
    struct bytes b;
    bytes_init(&b, &w->scratch);
    assert_int_equal(file_read(arena_printf(&w->scratch, "%s/audit.json", folder), (size_t)64 << 20,
                               &w->scratch, &p, &n, &e),
                     RES_OK);
    for (const char *at = (const char *)p; *at;) {
        const char *const next = strstr(at + 1, ",\"");
        size_t const length = next ? (size_t)(next - at) : strlen(at);
        size_t const n_key = strcspn(at, ":");
        int is_passing = 0;
        for (size_t i = 0; i < ARRAY_N(passing); i++) {
            const char *const found = strstr(at, passing[i]);
            is_passing |= found && found < at + n_key;
        }
        if (!is_passing) {
            bytes_put(&b, at, length);
        }
        at += length;
    }
    bytes_put(&b, "", 1);
    assert_true(b.ok && b.n > 1000);
    return (const char *)b.p;
}

static void an_audit_loses_nothing(void **state)
{
    only_in_check_slow();
    struct world *const w = *state;
    const char *const whole = arena_printf(&w->a, "%s/whole", w->folder);
    const char *const broken = arena_printf(&w->a, "%s/broken", w->folder);
    const char *const format = "audit --targets-file %s/t.ini --target swept --judges 2 --ops"
                               " fabs,fnegate,copysign --types f16,f32,f64 --sampled --samples"
                               " 300000 -o %s";
    const char *const words = arena_printf(&w->a, format, w->folder, broken);
    struct command const c = {
        .words = {words, words},
          .begun = "/", .window_ms = 400, .n_max = 6, .may_fail = 1
    };
    const char *const undisturbed = arena_printf(&w->a, format, w->folder, whole);
    expect_end(w, undisturbed, program_wait(start(w, undisturbed)));
    struct toll all = {0, 0, 0};
    int n_rounds = 0;
    for (; all.n < count_kills() && n_rounds < MAX_ROUNDS; n_rounds++) {
        folder_remove(broken);
        add_toll(&all, disturb(w, &c));
        const char *const x = read_audit(w, broken), *const y = read_audit(w, whole);
        if (strcmp(x, y) != 0) {
            size_t at = 0;
            while (x[at] == y[at]) {
                at++;
            }
            at -= at > 200 ? 200 : at;
            fail_msg("differs: %.400s\nundisturbed: %.400s", x + at, y + at);
        }
        arena_reset(&w->scratch);
    }
    print_message("audit: %d kills, %d of the program and %d of judges and workers, in %d audits\n",
                  all.n, all.n_roots, all.n_others, n_rounds);
    assert_true(all.n_roots > 0 && all.n_others > 0);
}

static uint64_t count_cases(struct world *w, const char *campaign)
{
    struct err e;
    struct tally *t = NULL;
    const char *const path = arena_printf(&w->scratch, "%s/instances/00.tally", campaign);
    assert_int_equal(tally_open(&t, path, &e), RES_OK);
    uint64_t const n = tally_get(t)->n_cases;
    tally_close(t);
    return n;
}

static void a_guided_campaign_doubles_nothing(void **state)
{
    only_in_check_slow();
    struct world *const w = *state;
    const char *const c = arena_printf(&w->a, "%s/guided", w->folder);
    const char *const format = "fuzz -q --cases %d -o %s %s";
    const char *const target =
        "--seed 3 --profile atomics --targets sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32";
    struct toll all = {0, 0, 0};
    if (access("/usr/bin/afl-fuzz", X_OK) != 0 && access("/usr/local/bin/afl-fuzz", X_OK) != 0) {
        print_message("skipped: no afl-fuzz here (Debian's package afl++)\n");
        skip();
    }
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: afl-fuzz cannot load a library built with AddressSanitizer\n");
    skip();
#endif
    int n_cases = 0;
    for (int i = 0; i < MAX_ROUNDS && all.n < count_kills(); i++) {
        n_cases += 150; /* each session adds to the same campaign */
        struct command const one = {
            .words = {arena_printf(&w->a, format, n_cases, c, target),
                      arena_printf(&w->a, format, n_cases, c, "--resume")},
            .begun = arena_printf(&w->a, "%s/journal.sqlite", c),
            .window_ms = 1200,
            .n_max = 6,
            .may_fail =
                1  /* an instance whose AFL++ is killed before its first case, again and again */
        };
        add_toll(&all, disturb(w, &one));
        expect_ok(c);
        expect_consistent(w, c);
        /* The case that each killed process had may be lost, and nothing else. */
        uint64_t const n = count_cases(w, c);
        uint64_t const n_runs = ask(w, c, "SELECT n_runs FROM targets");
        (void)program_read(w->said, w->text, sizeof w->text);
        int const is_told =
            strstr(w->text, "failed too often") != NULL; /* killed again and again at its start */
        if (n_runs > n || n - n_runs > (uint64_t)all.n || (n < (uint64_t)n_cases && !is_told)) {
            fail_msg("%" PRIu64 " of %d cases, %" PRIu64 " in the journal, %d kills", n, n_cases,
                     n_runs, all.n);
        }
        arena_reset(&w->scratch);
    }
    print_message("fuzz: %d kills, %d of the program and %d of AFL++ and its targets; %" PRIu64
                  " cases run, %" PRIu64 " in the journal\n",
                  all.n, all.n_roots, all.n_others, count_cases(w, c),
                  ask(w, c, "SELECT n_runs FROM targets"));
    assert_true(all.n_roots > 0 && all.n_others > 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        const char *const mode = getenv("FAKE");
        return mode && strcmp(mode, "audit") == 0 ? audit_rig_main() : fake_worker_main(argc, argv);
    }
    if (!program_find(self_path, program, sizeof program)) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_loses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_report_loses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_audit_loses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_guided_campaign_doubles_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
