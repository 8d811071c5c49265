/* tests/program/test_build_only.c -- a campaign on a compiler without a device: built, and what can go wrong then. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/journal_remark.h"
#include "fuzz/process/last_words.h"
#include "gen/shape/shape.h"
#include "oracle/judge/judge.h"
#include "tests/rig/fake_worker.h"

enum {
    N_CASES = 24,
    SEED = 7
};

static char self_path[4096];
static char folder[256];
static char log_path[300];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/test-build-only-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        return -1;
    }
    (void)snprintf(log_path, sizeof(log_path), "%s.log", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"journal.sqlite", "journal.sqlite-wal",
                                        "journal.sqlite-shm", "lock"};
    char path[400];
    for (size_t i = 0; i < ARRAY_N(files); i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
        (void)unlink(path);
    }
    (void)unlink(log_path);
    return rmdir(folder);
}

static void run_campaign(const char *mode, bool is_build_only, struct arena *a,
                         struct campaign *out)
{
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    assert_non_null(list);
    list->n = 1;
    list->t[0] = (struct target){
        .name = "compiler",
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(a, "FAKE=%s", mode), arena_printf(a, "FAKE_LOG=%s", log_path)},
        .values = is_build_only ? VALUES_NONE : VALUES_DEVICE,
        .hello_ns = UINT64_C(60000000000),
        .case_ns = UINT64_C(60000000000),
        .origin = "test"
    };
    struct campaign_plan const plan = {.profile = "atomics",
                                       .seed = SEED,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = N_CASES,
                                       .max_ns = 0,
                                       .targets = "compiler",
                                       .shard = SHARD_NONE};
    struct sched_options const o = {.targets = list,
                                    .profile = PROFILE_ATOMICS,
                                    .seed = SEED,
                                    .max_cases = N_CASES,
                                    .n_workers = 1};
    struct sched_summary summary;
    if (journal_open(&j, folder, &plan, &e) != RES_OK || sched_run(&o, j, &summary, &e) != RES_OK ||
        journal_load(j, a, out, &e) != RES_OK) {
        fail_msg("seed %d: %s", SEED, e.text);
    }
    journal_close(j);
    assert_int_equal(out->n_targets, 1);
    assert_int_equal(out->targets[0].n_runs, N_CASES);
}

/* Lines of the fake worker's log that begin so. */
static unsigned count_lines(const char *word, struct arena *a)
{
    struct err e;
    const unsigned char *text = NULL;
    size_t n = 0;
    unsigned n_lines = 0;
    assert_int_equal(file_read(log_path, 1 << 20, a, &text, &n, &e), RES_OK);
    for (size_t i = 0; i < n;) {
        n_lines += strncmp((const char *)text + i, word, strlen(word)) == 0;
        const unsigned char *const newline = memchr(text + i, '\n', n - i);
        i = newline ? (size_t)(newline - text) + 1 : n;
    }
    return n_lines;
}

/* Cases of the campaign's beginning in which work-groups wait for each other. */
static unsigned count_meetings(struct arena *a, unsigned n_cases)
{
    unsigned n = 0;
    for (uint64_t i = 0; i < n_cases; i++) {
        struct tape tape;
        struct testcase tc;
        struct gen_info info;
        struct err e;
        assert_int_equal(sched_make_case(PROFILE_ATOMICS, SEED, i, ENV_CL, a, &tc, &tape, &e),
                         RES_OK);
        assert_int_equal(gen_case(PROFILE_ATOMICS, ENV_CL, &tape, a, &tc, &info, &e), RES_OK);
        n += shape_set_has(&info.shapes, SHAPE_MEETING);
    }
    return n;
}

static void everything_is_built_and_nothing_run(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    arena_init(&a, (size_t)1 << 30);
    run_campaign("honest", true, &a, &c);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_BUILT], N_CASES);
    assert_int_equal(c.n_findings, 0);
    assert_int_equal(c.targets[0].n_judged, 0); /* never a value */
    assert_int_equal(count_lines("case", &a), 0);
    assert_true(count_lines("build", &a) >= N_CASES);
    assert_true(c.n_coverage > 0);
    unsigned n_built = 0;
    for (uint32_t i = 0; i < c.n_coverage; i++) {
        assert_string_not_equal(c.coverage[i].outcome, "run");
        n_built += strcmp(c.coverage[i].outcome, "built") == 0;
    }
    assert_true(n_built > 0);
    unsigned const n_meetings = count_meetings(&a, N_CASES);
    assert_true(n_meetings > 0);
    assert_int_equal(c.targets[0].n_skipped, 0); /* of a target that runs nothing none is drawn */
    arena_free(&a);
}

/* The control: the same target with a device runs its cases. */
static void with_a_device_they_are_run(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    arena_init(&a, (size_t)1 << 30);
    run_campaign("honest", false, &a, &c);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_BUILT], 0);
    assert_true(c.targets[0].n_judged > 0);
    assert_int_equal(count_lines("build", &a), 0);
    arena_free(&a);
}

/* All violations of a campaign in that mode are of this kind and have the text in their signature. */
static void expect_findings(const char *mode, enum verdict_kind kind, const char *text)
{
    struct arena a;
    struct campaign c;
    arena_init(&a, (size_t)1 << 30);
    run_campaign(mode, true, &a, &c);
    assert_true(c.n_findings > 0);
    assert_int_equal(c.targets[0].n_verdict[kind] + c.targets[0].n_verdict[VERDICT_BUILT], N_CASES);
    for (uint32_t i = 0; i < c.n_findings; i++) {
        if (!strstr(c.findings[i].signature, text)) {
            fail_msg("%s: signature \"%s\" without \"%s\"", mode, c.findings[i].signature, text);
        }
    }
    arena_free(&a);
}

static void a_crash_is_that_of_a_build(void **state)
{
    (void)state;
    expect_findings("crash", VERDICT_CRASH, "crash MUST_RUN build 11");
}

/* A case with a finding is kept with its tape and what its buffers hold; of one that was only built neither is made. */
static void a_finding_has_the_whole_case(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    struct journal *j = NULL;
    struct err e = {RES_OK, ""};
    unsigned n_kept = 0, n_bytes = 0;
    arena_init(&a, (size_t)1 << 30);
    run_campaign("crash", true, &a, &c);
    assert_int_equal(journal_open(&j, folder, NULL, &e), RES_OK);
    for (uint64_t i = 0; i < N_CASES; i++) {
        const unsigned char *kept = NULL;
        struct tape tape;
        struct testcase tc;
        size_t n = 0;
        assert_int_equal(sched_make_case(PROFILE_ATOMICS, SEED, i, ENV_CL, &a, &tc, &tape, &e),
                         RES_OK);
        if (journal_get_tape(j, i, &a, &kept, &n, &e) == RES_OK) {
            assert_int_equal(n, tape.n_records * TAPE_RECORD_BYTES);
            /* but for the needs that it allows, which are those of the target */
            size_t const n_head = (size_t)TAPE_HEAD_RECORDS * TAPE_RECORD_BYTES;
            assert_memory_equal(kept + n_head, tape.data + n_head, n - n_head);
            n_kept++;
        }
    }
    assert_in_range(n_kept, 1, N_CASES - 1);
    for (uint32_t i = 0; i < c.n_findings; i++) {
        struct testcase kept, made;
        struct observation ob;
        const unsigned char *records = NULL;
        size_t n = 0;
        assert_int_equal(journal_get_case(j, c.findings[i].id, &a, &kept, &ob, &e), RES_OK);
        assert_int_equal(journal_get_tape(j, c.findings[i].case_index, &a, &records, &n, &e),
                         RES_OK);
        struct tape tape = {.data = records, .n_records = n / TAPE_RECORD_BYTES};
        assert_int_equal(gen_case(PROFILE_ATOMICS, ENV_CL, &tape, &a, &made, NULL, &e), RES_OK);
        assert_int_equal(kept.n_bufs, made.n_bufs);
        for (uint32_t k = 0; k < made.n_bufs; k++) {
            assert_int_equal(kept.bufs[k].n_bytes, made.bufs[k].n_bytes);
            assert_memory_equal(kept.bufs[k].data, made.bufs[k].data, made.bufs[k].n_bytes);
            n_bytes += made.bufs[k].n_bytes;
        }
    }
    assert_true(n_bytes > 0);
    journal_close(j);
    arena_free(&a);
}

static void an_abort_tells_its_reason(void **state)
{
    (void)state;
    expect_findings("abort", VERDICT_CRASH, "\"panicked at src/select.rs:12:3:\"");
}

/* No clause bounds how long a build takes: the verdict does not depend on it, and the slow are told apart. */
static void a_slow_build_is_built(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    struct judgement g;
    static const uint32_t words[1000];
    struct testcase tc = {
        .module = words,
        .n_words = ARRAY_N(words),
        .build_options = "",
        .entry = "",
        .local = {1, 1, 1},
        .global = {1, 1, 1}
    };
    struct observation ob = {
        .status = RUN_BUILT, .phase = PHASE_BUILD, .log = "", .signature = "", .facts = ""};
    static const struct {
        double seconds;
        enum case_class class;
        enum verdict_kind kind;
        bool is_slow;
    } rows[] = {
        {0.01, CLASS_LEGAL,        VERDICT_BUILT,           false},
        {3.99, CLASS_LEGAL,        VERDICT_BUILT,           false},
        {4.01, CLASS_LEGAL,        VERDICT_BUILT,           true },
        {3000, CLASS_LEGAL,        VERDICT_BUILT,           true },
        {3.99, CLASS_UNADVERTISED, VERDICT_BUILT,           false},
        {4.01, CLASS_UNADVERTISED, VERDICT_BUILT,           true },
        {9,    CLASS_ILLEGAL,      VERDICT_ACCEPTS_INVALID, false},
    };
    arena_init(&a, (size_t)1 << 26);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        tc.class = rows[i].class;
        ob.build_ns = (uint64_t)(rows[i].seconds * 1e9);
        assert_int_equal(judge_run(&tc, &ob, &a, &g, &e), RES_OK);
        assert_int_equal(g.kind, rows[i].kind);
        assert_int_equal(g.n_findings, 0);
        assert_int_equal(remark_is_slow_build(&tc, &ob), rows[i].is_slow);
    }
    ob.status = RUN_HANG; /* no answer before the deadline stays a hang */
    tc.class = CLASS_LEGAL;
    assert_int_equal(judge_run(&tc, &ob, &a, &g, &e), RES_OK);
    assert_int_equal(g.kind, VERDICT_HANG);
    ob.status = RUN_DONE; /* of a target that runs cases nobody measures it */
    assert_false(remark_is_slow_build(&tc, &ob));
    arena_free(&a);
}

/* What varies from run to run is left out; of several reasons the last one is told. */
static void last_words(void **state)
{
    (void)state;
    static const struct {
        const char *log, *words;
    } rows[] = {
        {"",                                                                                   ""                                },
        {"MESA: warning: cannot be cached\n",                                                  ""                                },
        {"thread '<unnamed>' (29840) panicked at src/nak/from_nir.rs:1863:18:\nUnsupported\n",
         "panicked at src/nak/from_nir.rs:1863:18:"                                                                              },
        {"thread 'a' panicked at src/x.rs:7:2:\nthread 'a' panicked at "
         "/usr/src/rustc-1.97.1/core/p.rs:5:\n",                                      "panicked at src/x.rs:7:2:"       },
        {"%16 = u2u1 %15 Unhandled ALU op: u2u1\nUnhandled ALU op: \x89\xf6\n",
         "Unhandled ALU op: u2u1"                                                                                                },
        {"LLVM ERROR: Cannot select: 0x55d0: f16\n",                                           "LLVM ERROR: Cannot select:"      },
        {"a.c:12: f: Assertion `x' failed.\nfree(): invalid pointer\n",                        "free(): invalid pointer"         },
        {"LLVM ERROR: Cannot select: t23: f16 = bitcast t5\n",                                 "LLVM ERROR: Cannot select:"      },
        {"dlopen(\"k.so\") failed with 'k.so: undefined symbol: t1_alloca'.\n",
         "undefined symbol: t1_alloca"                                                                                           },
        {"halfulp-worker: ../src/util/a.c:12: int f(int): Assertion `x && \"m\"' failed.\n",
         "a.c:12: int f(int): Assertion `x && \"m\"' failed."                                                                    },
        {"a.c:12: f: Assertion `x' failed.",                                                   "a.c:12: f: Assertion `x' failed."},
        {"w: Assertion `x' failed.",                                                           "w: Assertion `x' failed."        },
        {"Assertion `x' failed.",                                                              "Assertion `x' failed."           },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_string_equal(last_words_find(rows[i].log, &a), rows[i].words);
        assert_string_equal(last_words_find_of(rows[i].log, SIGABRT, &a), rows[i].words);
        assert_string_equal(last_words_find_of(rows[i].log, 0, &a), "");
        bool const goes_on = strstr(rows[i].words, "Unhandled ALU op") != NULL;
        assert_string_equal(last_words_find_of(rows[i].log, SIGSEGV, &a),
                            goes_on ? rows[i].words : "");
    }
    arena_free(&a);
}

/* The innermost of the passes that LLVM lists, by the words of either pass manager. */
static void the_pass(void **state)
{
    (void)state;
    static const struct {
        const char *log, *pass;
    } rows[] = {
        {"",                                                                         ""   },
        {"Running pass",                                                             ""   },
        {"Running pass now",                                                         ""   },
        {"0.\tRunning pass \"function(a,b)\" on module \"m\"\n1.\tRunning pass \"b\" on function "
         "\"f\"\n",                                                         "b"  },
        {"1.\tRunning pass 'X86 DAG->DAG Instruction Selection' on function '@f'\n",
         "X86 DAG->DAG Instruction Selection"                                             },
        {"0.\tRunning pass 'cut",                                                    "cut"},
        {"0.\tRunning pass 'a",                                                      "a"  },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_string_equal(last_words_find_pass(rows[i].log, &a), rows[i].pass);
    }
    arena_free(&a);
}

/* A compiler that panics and returns an error all the same: two panics are two bugs. */
static void a_refusal_tells_why(void **state)
{
    (void)state;
    static const struct {
        const char *log, *said;
    } rows[] = {
        {"vkCreateComputePipelines: VK_ERROR_UNKNOWN (-13)\n",                                      ""},
        {"thread 'a' (2) panicked at src/x.rs:7:2:\nassertion failed: b\nnote: c\n",
         "assertion failed: b"                                                                        },
        {"thread 'a' (2) panicked at src/x.rs:7:2:",                                                ""},
        {"thread 'a' (2) panicked at src/x.rs:7:2:\nUnsupported data type\n",
         "Unsupported data type"                                                                      },
        {"error: /tmp/own/pocl/uncached/tempfile_SB7VRt.cl:25:160: use of 'x'\n",
         "error: use of 'x'"                                                                          },
        {"(file=input,line=0,column=0,index=92): Invalid linkage type operand: 7\n(file=input): x",
         "invalid linkage type"                                                                       },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    struct finding const f = {.kind = VERDICT_REJECT, .clause = CLAUSE_MUST_ACCEPT};
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct observation const ob = {
            .status = RUN_REJECT, .phase = PHASE_BUILD, .driver_code = -13, .log = rows[i].log};
        assert_string_equal(signature_of(&f, &ob, &a).text,
                            arena_printf(&a, "reject MUST_ACCEPT build -13%s%s",
                                         rows[i].said[0] ? " " : "", rows[i].said));
    }
    arena_free(&a);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);
    if (n <= 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(everything_is_built_and_nothing_run),
        WITH_FOLDER(with_a_device_they_are_run),
        WITH_FOLDER(a_crash_is_that_of_a_build),
        WITH_FOLDER(a_finding_has_the_whole_case),
        WITH_FOLDER(an_abort_tells_its_reason),
        cmocka_unit_test(a_slow_build_is_built),
        cmocka_unit_test(last_words),
        cmocka_unit_test(the_pass),
        cmocka_unit_test(a_refusal_tells_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
