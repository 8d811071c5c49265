/* tests/test_guided.c -- single executions of a guided campaign: what the map shows, what is new, what
 * becomes of drivers that misbehave, and what the journal holds afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/bundle.h"
#include "fuzz/guided.h"
#include "fuzz/journal.h"
#include "fuzz/sched.h"
#include "fuzz/seeds.h"
#include "fuzz/tally.h"
#include "tests/fake_worker.h"
#include "tests/folder_rig.h"

enum {
    SEED = 11,
    MAX_TAPES = 400,
    N_MORE = 8,
    MANY = 120 /* tapes, of which some reach the same edge */
};

static char self_path[4096];

struct rig {
    struct arena a, input_arena;
    char folder[256];
    struct target target;
    struct guided_options options;
    struct guided *g;
    unsigned char *map;
    int is_new;
    const char *log;                  /* of the fake worker, NULL: it keeps none */
    long log_read;                    /* bytes of it that were looked at */
    unsigned char *edges;             /* FAKE_N_EDGES that it shares, or NULL */
    unsigned char seen[FAKE_N_EDGES]; /* in any execution so far */
};

static void open_rig(struct rig *r)
{
    struct err e;
    r->options = (struct guided_options){.target = &r->target,
                                         .folder = r->folder,
                                         .instance = 3,
                                         .edges = r->edges,
                                         .n_edges = r->edges ? FAKE_N_EDGES : 0};
    if (guided_open(&r->g, &r->options, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

static void set_up(struct rig *r)
{
    struct err e;
    struct journal *j = NULL;
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)64 << 20);
    arena_init(&r->input_arena, (size_t)16 << 20);
    folder_make(r->folder, sizeof r->folder, "guided");
    r->map = ARENA_NEW(&r->a, unsigned char, GUIDED_CELLS);
    struct campaign_plan const plan = {
        .profile = "atomics", .seed = SEED, .gen_version = GEN_VERSION, .targets = "x"};
    assert_int_equal(journal_open(&j, r->folder, &plan, &e), RES_OK);
    journal_close(j);
    assert_int_equal(bundle_make_folder(arena_printf(&r->a, "%s/instances", r->folder), &e),
                     RES_OK);
    assert_int_equal(bundle_make_folder(arena_printf(&r->a, "%s/seeds", r->folder), &e), RES_OK);
}

static void set_up_sim(struct rig *r, const char *name)
{
    struct err e;
    set_up(r);
    assert_int_equal(targets_make_sim(name, &r->target, &r->a, &e), RES_OK);
    open_rig(r);
}

/* This program is the worker. */
static void make_worker(struct rig *r, const char *mode)
{
    set_up(r);
    r->target = (struct target){
        .name = "fake",
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(&r->a, "FAKE=%s", mode), NULL},
        .hello_ns = UINT64_C(20000000000),
        .case_ns = UINT64_C(2000000000),
        .origin = "test"
    };
}

static void set_up_worker(struct rig *r, const char *mode)
{
    make_worker(r, mode);
    open_rig(r);
}

/* The same with instrumentation: its edges are shared, and it writes down what it is asked for. */
static void set_up_edges(struct rig *r, const char *mode)
{
    make_worker(r, mode);
    const char *path = arena_printf(&r->a, "%s/fake.edges", r->folder);
    r->log = arena_printf(&r->a, "%s/fake.log", r->folder);
    int const fd = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0 && ftruncate(fd, FAKE_N_EDGES) == 0);
    r->edges = mmap(NULL, FAKE_N_EDGES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(r->edges != MAP_FAILED);
    (void)close(fd);
    r->target.env_vars[1] = arena_printf(&r->a, "FAKE_EDGES=%s", path);
    r->target.env_vars[2] = arena_printf(&r->a, "FAKE_LOG=%s", r->log);
    open_rig(r);
}

static void tear_down(struct rig *r)
{
    guided_close(r->g);
    if (r->edges) {
        (void)munmap(r->edges, FAKE_N_EDGES);
    }
    arena_free(&r->a);
    arena_free(&r->input_arena);
    folder_remove(r->folder);
}

/* The bytes of an input: random tape `i` as a file. */
static const unsigned char *make_input(struct rig *r, uint64_t i, size_t *n)
{
    struct err e;
    struct tape tape;
    const unsigned char *p = NULL;
    arena_reset(&r->input_arena);
    const char *path = arena_printf(&r->input_arena, "%s/input", r->folder);
    assert_int_equal(sched_make_tape(SEED, i, &r->input_arena, &tape, &e), RES_OK);
    assert_int_equal(tape_save_file(&tape, path, "atomics", &e), RES_OK);
    assert_int_equal(file_read(path, 1 << 20, &r->input_arena, &p, n, &e), RES_OK);
    return p;
}

static enum res execute(struct rig *r, const void *input, size_t n, struct err *e)
{
    memset(r->map, 0, GUIDED_CELLS);
    return guided_execute(r->g, input, n, r->map, &r->is_new, e);
}

static void execute_tape(struct rig *r, uint64_t i)
{
    struct err e;
    size_t n = 0;
    const unsigned char *input = make_input(r, i, &n);
    if (execute(r, input, n, &e) != RES_OK) {
        fail_msg("tape %d: %s", (int)i, e.text);
    }
}

static int has_state(const struct rig *r, enum guided_state s)
{
    return r->map[GUIDED_CELLS - (size_t)s];
}

static struct tally_figures figures(struct rig *r)
{
    struct err e;
    struct tally *t = NULL;
    assert_int_equal(tally_open(&t, guided_tally_path(r->folder, 3, &r->a), &e), RES_OK);
    struct tally_figures const f = *tally_get(t);
    tally_close(t);
    return f;
}

/* What the journal holds when the instance is closed. */
static void load(struct rig *r, struct campaign *out)
{
    struct err e;
    struct journal *j = NULL;
    guided_close(r->g);
    r->g = NULL;
    assert_int_equal(journal_open(&j, r->folder, NULL, &e), RES_OK);
    assert_int_equal(journal_load(j, &r->a, out, &e), RES_OK);
    journal_close(j);
    assert_int_equal(out->n_targets, 1);
}

static uint64_t count_verdict(const struct campaign *c, enum verdict_kind kind)
{
    return c->targets[0].n_verdict[kind];
}

/* First tape from `from` on whose execution finds something new. */
static uint64_t find_new(struct rig *r, uint64_t from)
{
    for (uint64_t i = from; i < MAX_TAPES; i++) {
        execute_tape(r, i);
        if (r->is_new) {
            return i;
        }
    }
    fail_msg("no tape shows the fault");
    return 0;
}

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
    assert_int_equal(file_write(seeds_path(r.folder, input, n, &r.a), input, n, &e), RES_OK);
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

/* The reply was good, and then the driver died: seen only when the next case comes. */
static void check_crash_after_reply(void (*set_up_it)(struct rig *, const char *))
{
    struct rig r;
    struct campaign c;
    struct err e;
    struct journal *j = NULL;
    struct testcase tc;
    struct observation ob;
    set_up_it(&r, "reply-crash");
    for (uint64_t i = 0; i < 3 * N_MORE; i++) {
        execute_tape(&r, i);
        assert_false(r.is_new);
    }
    struct tally_figures const f = figures(&r);
    assert_true(f.n_new > 0);
    load(&r, &c);
    assert_int_equal(count_verdict(&c, VERDICT_CRASH), f.n_violations);
    assert_true(c.n_findings > 0);
    assert_int_equal(journal_open(&j, r.folder, NULL, &e), RES_OK);
    assert_int_equal(journal_get_case(j, c.findings[0].id, &r.a, &tc, &ob, &e), RES_OK);
    struct arena scratch;
    arena_init(&scratch, (size_t)64 << 20);
    assert_true(fake_is_chosen(&tc, fake_good_hash(ENV_CL, &scratch)));
    arena_free(&scratch);
    journal_close(j);
    tear_down(&r);
}

static void a_crash_after_the_reply_belongs_to_its_tape(void **state)
{
    (void)state;
    check_crash_after_reply(set_up_worker);
}

static void a_crash_after_a_build_belongs_to_its_tape(void **state)
{
    (void)state;
    check_crash_after_reply(set_up_edges);
}

/* What the worker was asked for since the last look, "b" a build and "c" a case, without the known-good
 * case. */
static const char *read_log(struct rig *r)
{
    char kind[8] = "";
    char hash[32] = "";
    const char *asked = "";
    struct arena scratch;
    arena_init(&scratch, (size_t)64 << 20);
    const char *good = arena_printf(&scratch, "%" PRIx64, fake_good_hash(ENV_CL, &scratch));
    FILE *f = fopen(r->log, "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, r->log_read, SEEK_SET), 0);
    while (fscanf(f, "%7s %31s", kind, hash) == 2) {
        if (strcmp(hash, good) != 0) {
            asked = arena_printf(&r->a, "%s%c", asked, kind[0]);
        } else {
            assert_string_equal(kind, "case");
        }
    }
    r->log_read = ftell(f);
    (void)fclose(f);
    arena_free(&scratch);
    return asked;
}

/* Execute tape i: what the worker was asked for, which must go with what the map says of it and with
 * what was new in it. */
static const char *check_asked(struct rig *r, uint64_t i)
{
    int is_new_edge = 0;
    execute_tape(r, i);
    const char *asked = read_log(r);
    for (uint32_t k = 0; k < FAKE_N_EDGES; k++) {
        is_new_edge |= r->edges[k] && !r->seen[k];
        r->seen[k] |= r->edges[k];
    }
    int const is_built = strcmp(asked, "b") == 0;
    assert_int_equal(has_state(r, GUIDED_BUILT), is_built);
    assert_int_equal(has_state(r, GUIDED_JUDGED), !is_built);
    if (strcmp(asked, "c") != 0) { /* it was picked by its tape */
        assert_string_equal(asked, is_new_edge ? "bc" : "b");
    }
    return asked;
}

static void only_what_is_new_is_dispatched(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    unsigned n_built = 0, n_whole = 0, n_both = 0;
    const char *first[MANY];
    set_up_edges(&r, "none");
    for (uint64_t i = 0; i < MANY; i++) {
        first[i] = check_asked(&r, i);
        n_built += strcmp(first[i], "b") == 0;
        n_whole += strcmp(first[i], "c") == 0;
        n_both += strcmp(first[i], "bc") == 0;
    }
    assert_true(n_built > 0 && n_whole > 0 && n_both > 0);
    assert_in_range(n_whole, MANY / GUIDED_DISPATCH_IN / 4, MANY / GUIDED_DISPATCH_IN * 3);
    for (uint64_t i = 0; i < MANY; i++) { /* nothing is new any more */
        assert_string_equal(check_asked(&r, i), strcmp(first[i], "c") == 0 ? "c" : "b");
    }
    struct tally_figures const f = figures(&r);
    assert_int_equal(f.n_executions, 2 * MANY);
    assert_int_equal(f.n_cases, 2 * n_whole + n_both);
    assert_int_equal(f.n_built, 2 * MANY - f.n_cases);
    assert_int_equal(f.n_trouble, 0);
    assert_int_equal(f.n_workers, 1);
    load(&r, &c);
    assert_int_equal(c.targets[0].n_runs, f.n_cases);
    assert_int_equal(c.n_findings, 0);
    /* The journal has forgotten them all: numbers begin anew without the tally. */
    assert_int_equal(unlink(guided_tally_path(r.folder, 3, &r.a)), 0);
    open_rig(&r);
    assert_int_equal(figures(&r).n_executions, 0);
    tear_down(&r);
}

/* A driver that does not live through a build: it is never asked for more. */
static void a_crash_in_a_build_is_a_finding(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    unsigned n_crashed = 0;
    set_up_edges(&r, "crash");
    for (uint64_t i = 0; i < MANY / 4; i++) {
        uint64_t const before = figures(&r).n_violations;
        execute_tape(&r, i);
        const char *asked = read_log(&r);
        int const has_crashed = figures(&r).n_violations > before;
        if (strcmp(asked, "b") == 0) {
            assert_int_equal(has_state(&r, GUIDED_JUDGED), has_crashed);
            assert_int_equal(has_state(&r, GUIDED_BUILT), !has_crashed);
            n_crashed += (unsigned)has_crashed;
        }
    }
    assert_true(n_crashed > 0);
    load(&r, &c);
    assert_true(count_verdict(&c, VERDICT_CRASH) >= n_crashed);
    assert_true(c.n_findings > 0);
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
        assert_true(c.findings[k].case_index >= JOURNAL_OWN_CASES * 4 + i);
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
        cmocka_unit_test(a_crash_after_the_reply_belongs_to_its_tape),
        cmocka_unit_test(a_crash_after_a_build_belongs_to_its_tape),
        cmocka_unit_test(only_what_is_new_is_dispatched),
        cmocka_unit_test(a_crash_in_a_build_is_a_finding),
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
