/* tests/program/test_audit.c -- the audit against workers that misbehave; its kernels and bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/cli/cmd_audit_rest.h"
#include "fuzz/io/spirv.h"
#include "gen/emit/audit_module.h"
#include "oracle/sweep/sweep.h"
#include "tests/rig/audit_rig.h"

#define TEST_ARENA_BYTES ((size_t)256 << 20)
#define TEST_DEADLINE_NS UINT64_C(5000000000) /* two of them pass in the test of a hang */
enum {
    TEST_F16_INPUTS = 1 << 16,
    TEST_F16_BLOCK = TEST_F16_INPUTS / 16, /* of the audit's rows this small */
    TEST_SAMPLES = 20000
};

struct world {
    struct arena a;
    char self[4096], folder[256];
    const char *once; /* file of FAKE_ONCE */
};

static int make_world(void **state)
{
    static struct world w;
    const char *const base = getenv("TMPDIR");
    memset(&w, 0, sizeof w);
    arena_init(&w.a, TEST_ARENA_BYTES);
    (void)snprintf(w.folder, sizeof w.folder, "%s/test-audit-XXXXXX", base ? base : "/tmp");
    if (readlink("/proc/self/exe", w.self, sizeof w.self - 1) <= 0 || !mkdtemp(w.folder)) {
        return -1;
    }
    w.once = arena_printf(&w.a, "%s/once", w.folder);
    *state = &w;
    return 0;
}

static int remove_world(void **state)
{
    struct world *const w = *state;
    DIR *const dir = opendir(w->folder);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir) {
        (void)closedir(dir);
    }
    arena_free(&w->a);
    return rmdir(w->folder);
}

static struct target make_target(struct world *w, const char *mode, int is_once)
{
    return (struct target){
        .name = "fake",
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = w->self,
        .env_vars = {arena_printf(&w->a, "FAKE=/%s", mode),
                     is_once ? arena_printf(&w->a, "FAKE_ONCE=%s", w->once) : NULL},
        .hello_ns = UINT64_C(60000000000),
        .case_ns = strcmp(mode, "hang") == 0 || strcmp(mode, "close") == 0 ? TEST_DEADLINE_NS
                                                                           : UINT64_C(60000000000),
        .origin = "test"
    };
}

static struct audit_request make_request(const char *functions, unsigned types)
{
    return (struct audit_request){.functions = functions,
                                  .types = types,
                                  .reach = AUDIT_REACH_SAMPLES,
                                  .n_samples = TEST_SAMPLES,
                                  .seed = 3,
                                  .folder = "",
                                  .n_judges = 2};
}

static struct audit run_audit(struct world *w, const char *mode, const struct audit_request *r)
{
    struct target const t = make_target(w, mode, 0);
    struct audit x;
    struct err e = {RES_OK, ""};
    if (audit_run(&t, r, &w->a, &x, &e) != RES_OK) {
        fail_msg("%s: %s", mode, e.text);
    }
    return x;
}

static void expect_clean(const struct audit_row *row, uint64_t n)
{
    assert_int_equal(row->n_done, row->n_inputs);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        assert_int_equal(r->n, n);
        assert_int_equal(r->n_broken + r->n_special + r->n_zero_sign + r->n_undecided, 0);
    }
}

/* --- honest workers, and single wrong results --- */

static void honest_results_are_all_kept(void **state)
{
    struct world *const w = *state;
    struct audit_request const all = make_request("fabs,fnegate,copysign", 7);
    struct audit const x = run_audit(w, "honest", &all);
    assert_int_equal(x.n_rows, 9);
    for (uint32_t i = 0; i < x.n_rows; i++) {
        const struct audit_row *const row = &x.rows[i];
        int const is_whole = row->fmt == FMT_F16 && row->func != FUNC_COPYSIGN;
        assert_int_equal(row->depth, is_whole ? AUDIT_EXHAUSTIVE : AUDIT_SEARCH);
        expect_clean(row, is_whole ? TEST_F16_INPUTS : TEST_SAMPLES);
        assert_string_equal(row->problem, "");
        assert_int_equal(row->n_skipped, 0);
    }
}

/* One result of 65536 is two units too small, below that of the input before it. Both lie in
 * different blocks: it is found with its input, and as one break of the order. */
static void one_wrong_result_is_found(void **state)
{
    struct world *const w = *state;
    struct audit_request const r = make_request("fabs", 1u << FMT_F16);
    struct audit const x = run_audit(w, "off", &r);
    const struct sweep_result *const found = &x.rows[0].result[0];
    assert_int_equal(x.n_rows, 1);
    assert_int_equal(RIG_BAD_BASE % TEST_F16_BLOCK, 0);
    assert_int_equal(found->n, TEST_F16_INPUTS);
    assert_int_equal(found->n_broken, 1);
    assert_int_equal(found->broken[0].arg[0], RIG_BAD_BASE);
    assert_int_equal(found->broken[0].got, RIG_BAD_BASE - 2);
    assert_int_equal(found->n_breaks, 1);
    struct audit const control = run_audit(w, "honest", &r);
    expect_clean(&control.rows[0], TEST_F16_INPUTS);
    assert_int_equal(control.rows[0].result[0].n_breaks, 0);
}

/* --- workers that misbehave --- */

static void trouble_costs_one_block(void **state)
{
    static const struct {
        const char *mode, *problem;
    } rows[] = {
        {"crash",   "crash"           },
        {"hang",    "hang"            },
        {"close",   "hang"            },
        {"exit",    "exit"            },
        {"lie",     "does not belong" },
        {"guard",   "outside"         },
        {"reject",  "out of resources"},
        {"garbage", "not the protocol"},
    };
    struct world *const w = *state;
    size_t n_checked = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct audit_request const r = make_request("fabs", 1u << FMT_F16);
        struct audit const x = run_audit(w, rows[i].mode, &r);
        const struct audit_row *const row = &x.rows[0];
        if (!strstr(row->problem, rows[i].problem)) {
            fail_msg("%s: problem is \"%s\"", rows[i].mode, row->problem);
        }
        assert_int_equal(row->n_skipped, TEST_F16_BLOCK);
        expect_clean(row, TEST_F16_INPUTS - TEST_F16_BLOCK);
        n_checked++;
    }
    assert_int_equal(n_checked, ARRAY_N(rows));
}

/* Memory of both that the worker cuts off would end the audit by SIGBUS. */
static void shared_memory_is_not_cut_off(void **state)
{
    struct world *const w = *state;
    struct audit_request const r = make_request("fabs", 1u << FMT_F16);
    struct audit const x = run_audit(w, "truncate", &r);
    expect_clean(&x.rows[0], TEST_F16_INPUTS);
    assert_int_equal(x.rows[0].n_skipped, 0);
}

/* A worker that dies once loses nothing: the block is run again. */
static void a_block_is_tried_twice(void **state)
{
    struct world *const w = *state;
    static const struct {
        const char *function;
        unsigned types;
        uint64_t n;
    } rows[] = {
        {"fabs",     1u << FMT_F16, TEST_F16_INPUTS},
        {"copysign", 1u << FMT_F64, TEST_SAMPLES   }
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct target const t = make_target(w, "crash", 1);
        struct audit_request const r = make_request(rows[i].function, rows[i].types);
        struct audit x;
        struct err e = {RES_OK, ""};
        (void)unlink(w->once);
        assert_int_equal(audit_run(&t, &r, &w->a, &x, &e), RES_OK);
        assert_int_equal(access(w->once, F_OK), 0); /* it did crash */
        expect_clean(&x.rows[0], rows[i].n);
        assert_int_equal(x.rows[0].n_skipped, 0);
        assert_non_null(strstr(x.rows[0].problem, "crash"));
    }
}

/* A form that the driver refuses, or dies of, does not lose the others. */
static void refused_forms_are_apart(void **state)
{
    static const char *const modes[] = {"refuse", "crash-build"};
    struct world *const w = *state;
    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        struct audit_request r = make_request("fabs", 1u << FMT_F16 | 1u << FMT_F32);
        r.n_bounds = 2;
        r.bounds[0] = 0.5F;
        r.bounds[1] = 4.0F;
        struct audit const x = run_audit(w, modes[i], &r);
        assert_int_equal(x.n_rows, 2);
        for (uint32_t k = 0; k < x.n_rows; k++) {
            const struct audit_row *const row = &x.rows[k];
            assert_int_equal(row->n_forms, 3);
            assert_int_equal(row->form[0].is_refused, 0);
            assert_int_equal(row->form[1].is_refused, 1);
            assert_int_equal(row->form[2].is_refused, 1);
            assert_int_not_equal(row->form[1].log[0], '\0');
            assert_int_equal(row->result[0].n, row->n_inputs);
            assert_int_equal(row->result[1].n, 0);
        }
    }
    struct audit_request r = make_request("fabs", 1u << FMT_F16);
    r.n_bounds = 1;
    r.bounds[0] = 4.0F;
    struct audit const control = run_audit(w, "honest", &r);
    assert_int_equal(control.rows[0].n_forms, 2);
    expect_clean(&control.rows[0], TEST_F16_INPUTS);
}

/* --- what is asked for --- */

static void unknown_functions_are_named(void **state)
{
    struct world *const w = *state;
    struct target const t = make_target(w, "honest", 0);
    struct audit_request const r = make_request("fabs,frobnicate", 1u << FMT_F16);
    struct audit x;
    struct err e = {RES_OK, ""};
    assert_int_equal(audit_run(&t, &r, &w->a, &x, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "frobnicate"));
    assert_non_null(strstr(e.text, "copysign"));
}

/* A folder with a list of hard inputs. */
static const char *put_list(struct world *w, const char *text)
{
    struct err e = {RES_OK, ""};
    const char *const folder = arena_printf(&w->a, "%s/lists", w->folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(file_write(arena_printf(&w->a, "%s/some.txt", folder), text, strlen(text), &e),
                     RES_OK);
    return folder;
}

static void remove_list(const char *folder, struct world *w)
{
    (void)unlink(arena_printf(&w->a, "%s/some.txt", folder));
    (void)rmdir(folder);
}

/* A second start takes what the first one left: on a worker that would now answer wrongly. */
static void a_folder_is_gone_on_with(void **state)
{
    struct world *const w = *state;
    struct audit_request r = make_request("fabs", 1u << FMT_F16 | 1u << FMT_F64);
    r.folder = w->folder;
    struct audit const first = run_audit(w, "honest", &r);
    struct audit const again = run_audit(w, "off", &r);
    assert_int_equal(first.n_rows, 2);
    for (uint32_t i = 0; i < again.n_rows; i++) {
        assert_memory_equal(&again.rows[i].result[0], &first.rows[i].result[0],
                            sizeof first.rows[i].result[0]);
    }
    /* Other samples are other work. */
    r.seed++;
    struct audit const other = run_audit(w, "off", &r);
    assert_int_equal(other.rows[0].result[0].n_broken, 0); /* f16: all inputs, kept */
    assert_int_equal(other.rows[1].result[0].n, TEST_SAMPLES);
    assert_int_equal(other.rows[1].result[0].n_broken, 1);
    /* So are other inputs that are known to be hard. */
    r.worst = put_list(w, "fabs f64 0x8000000000000001 edge beside zero\n");
    struct audit const listed = run_audit(w, "honest", &r);
    assert_int_equal(listed.rows[1].result[0].n, TEST_SAMPLES);
    assert_int_equal(listed.rows[1].result[0].n_broken, 0);

    const char *const path = arena_printf(&w->a, "%s/audit.state", w->folder);
    const unsigned char *p = NULL;
    size_t n = 0;
    struct err e = {RES_OK, ""};
    assert_int_equal(file_read(path, 1 << 24, &w->a, &p, &n, &e), RES_OK);
    unsigned char *const damaged = arena_copy(&w->a, p, n);
    size_t n_found = 0; /* the counts that its results begin with */
    for (size_t i = 0; i + 24 <= n; i++) {
        if (memcmp(p + i, &listed.rows[1].result[0], 24) == 0) {
            damaged[i] ^= 1;
            n_found++;
        }
    }
    assert_true(n_found > 0);
    assert_int_equal(file_write(path, damaged, n, &e), RES_OK);
    struct target const t = make_target(w, "honest", 0);
    struct audit x;
    assert_int_equal(audit_run(&t, &r, &w->a, &x, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "damaged"));
    /* A state of the format before this one. */
    assert_int_equal(file_write(path, "HLAK\2\0\0\0", 8, &e), RES_OK);
    assert_int_equal(audit_run(&t, &r, &w->a, &x, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "not an audit's state of this version"));
    /* A state of an audit that was killed before it kept anything. */
    assert_int_equal(file_write(path, "", 0, &e), RES_OK);
    struct audit const begun = run_audit(w, "honest", &r);
    assert_int_equal(begun.rows[1].result[0].n, TEST_SAMPLES);
    (void)unlink(path);
    remove_list(r.worst, w);
}

/* Without time nothing is done, which is said; the time of a second start is enough, and the results are those of an
 * audit that had all the time. */
static void an_audit_ends_with_its_time(void **state)
{
    struct world *const w = *state;
    struct audit_request r = make_request("fabs,fnegate", 1u << FMT_F16);
    struct audit const whole = run_audit(w, "honest", &r);
    r.folder = w->folder;
    r.budget_ns = 1;
    struct audit const none = run_audit(w, "honest", &r);
    assert_int_equal(none.was_spent, 1);
    assert_int_equal(none.was_stopped, 0);
    for (uint32_t i = 0; i < none.n_rows; i++) {
        assert_int_equal(none.rows[i].n_done, 0);
        assert_int_equal(none.rows[i].found[0].kind, AUDIT_CASE_NONE);
    }
    r.budget_ns = UINT64_C(3600) * 1000000000;
    struct audit const rest = run_audit(w, "honest", &r);
    assert_int_equal(rest.was_spent, 0);
    for (uint32_t i = 0; i < rest.n_rows; i++) {
        expect_clean(&rest.rows[i], TEST_F16_INPUTS);
        assert_memory_equal(&rest.rows[i].result[0], &whole.rows[i].result[0],
                            sizeof whole.rows[i].result[0]);
    }
    (void)unlink(arena_printf(&w->a, "%s/audit.state", w->folder));
}

/* What audit_rest_print says. */
static const char *print_rest(const struct audit_rest *rest, char **argv, int argc, struct arena *a)
{
    struct cli const c = {.argc = argc, .argv = argv};
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    cmd_audit_rest_print(rest, &c, a, f);
    (void)fclose(f);
    const char *const copy = arena_printf(a, "%s", text);
    free(text);
    return copy;
}

static struct audit_row make_rest(uint64_t n_done, double seconds, const char *evaluator)
{
    return (struct audit_row){.func = FUNC_EXP,
                              .fmt = FMT_F32,
                              .n_inputs = 1000,
                              .n_done = n_done,
                              .seconds = seconds,
                              .n_forms = 1,
                              .bound = {{.has_bound = 1, .bound = {.ulp = 3}}},
                              .result = {{.n = n_done}},
                              .evaluator = evaluator};
}

/* The share tried of each row that is not at its end and about how long the rest takes; the command with a time that is
 * enough, though the targets get even shares of it. */
static void what_is_left_is_told(void **state)
{
    struct world *const w = *state;
    static char word[][16] = {"audit", "--ops", "exp", "--for",   "90s",
                              "-o",    "a dir", "-q",  "--for=2m"};
    char *argv[ARRAY_N(word)];
    for (size_t i = 0; i < ARRAY_N(word); i++) {
        argv[i] = word[i];
    }
    struct audit_row first = make_rest(1000, 20, "a");
    struct audit_row second[] = {make_rest(260, 90, "a"), make_rest(0, 0, "b"),
                                 make_rest(1, 0.001, "c")};
    struct audit x[] = {
        {.target = "one", .n_rows = 1,    .rows = &first},
        { .target = "two",    .n_rows = 1, .rows = second, .was_spent = 1}
    };
    struct audit_rest rest = {
        .x = x, .n = 2, .n_targets = 2, .budget_ns = UINT64_C(90) * 1000000000};
    /* 256 s, and a quarter of them */
    assert_string_equal(print_rest(&rest, argv, 7, &w->a),
                        "time spent: 1 of 2 rows is incomplete\n"
                        "  exp f32 on two: 26 % tried, about 4 min more\n"
                        "to continue: halfulp audit --ops exp --for 6m -o 'a dir'\n");
    /* The first gets half of it. */
    first.n_done = 500;
    first.seconds = 256;
    assert_string_equal(cmd_audit_rest_time(&rest, &w->a), "11m");
    /* The last has the shortest time: all that the first leaves. */
    first.seconds = 16;
    assert_string_equal(cmd_audit_rest_time(&rest, &w->a), "6m");
    first.n_done = 1000;
    /* What is not known: at least twice the time that it had. */
    x[1].n_rows = 3;
    rest.budget_ns = UINT64_C(3600) * 1000000000;
    assert_string_equal(print_rest(&rest, argv, 7, &w->a),
                        "time spent: 3 of 4 rows are incomplete\n"
                        "  exp f32 on two: 26 % tried, about 4 min more\n"
                        "  exp f32 on two: nothing tried, remaining time unknown\n"
                        "  exp f32 on two: less than 1 % tried, about 1 s more\n"
                        "to continue: halfulp audit --ops exp --for 3h -o 'a dir'\n");
    /* Without --for, stopped: the command as it was. A value behind '=' is one too. */
    x[1].was_stopped = 1;
    rest.budget_ns = 0;
    const char *const text = print_rest(&rest, argv, 3, &w->a);
    assert_non_null(strstr(text, "stopped: 3 of 4 rows are incomplete\n"));
    assert_non_null(strstr(text, "\nto continue: halfulp audit --ops exp\n"));
    struct cli const c = {.argc = ARRAY_N(word), .argv = argv};
    assert_string_equal(cli_say_with(&c, "for", "7m", &w->a),
                        "halfulp audit --ops exp --for 7m -o 'a dir' -q --for 7m");
    /* Nothing is left: nothing is said; of what no start changes only what it is. */
    x[1].n_rows = 0;
    assert_string_equal(print_rest(&rest, argv, 7, &w->a), "");
    first.n_skipped = 12;
    assert_non_null(
        strstr(print_rest(&rest, argv, 7, &w->a),
               "  exp f32 on one: all tried, but 12 inputs were skipped and 0 results"));
    assert_null(strstr(print_rest(&rest, argv, 7, &w->a), "to continue"));
}

/* The result that is wrong comes with the exact value and its error in parts of the bound. */
static void a_wrong_result_is_told_whole(void **state)
{
    struct world *const w = *state;
    struct audit_request const r = make_request("fabs", 1u << FMT_F16);
    struct audit const x = run_audit(w, "off", &r);
    const struct audit_case *const c = &x.rows[0].found[0];
    assert_int_equal(c->kind, AUDIT_CASE_BOUND);
    assert_int_equal(c->worst.arg[0], RIG_BAD_BASE);
    assert_int_equal(c->worst.got, RIG_BAD_BASE - 2);
    assert_true(c->worst.error < -1.99 && c->worst.error > -2.01);
    assert_true(c->ratio > 3.9 && c->ratio < 4.1); /* correctly rounded: half an ulp */
    assert_int_equal(RIG_BAD_BASE, 0x4000);
    assert_string_equal(c->exact, "2");
}

/* --- kernels --- */

/* A case's kernel has buffers alone: one argument less, no push constant. */
static void modules_of_cases_are_valid(void **state)
{
    struct world *const w = *state;
    static const enum env envs[] = {ENV_CL, ENV_VK};
    static const uint32_t ops[] = {OP_NUMBER(OP_SET_opencl_std, 48), OP_NUMBER(OP_SET_core, 141)};
    for (size_t i = 0; i < ARRAY_N(envs) * FMT_N; i++) {
        size_t const at = i / FMT_N;
        struct audit_module_form const form = {.op = ops[at]};
        struct audit_module const m = {.env = envs[at],
                                       .fmt = (enum fmt_id)(i % FMT_N),
                                       .n_args = 2,
                                       .has_inputs = true,
                                       .is_case = true,
                                       .local = 1,
                                       .n_forms = 1,
                                       .forms = &form};
        const char *text = "";
        struct testcase tc = {.env = m.env, .entry = AUDIT_MODULE_ENTRY, .build_options = ""};
        tc.module = audit_module_build(&m, &w->a, &tc.n_words);
        assert_non_null(tc.module);
        if (spirv_validate(&tc, &w->a, &text) != SPIRV_VALID) {
            fail_msg("%zu: %s", i, text);
        }
    }
}

static void modules_are_valid(void **state)
{
    struct world *const w = *state;
    static const struct {
        enum env env;
        uint32_t n_args;
        int has_int;
        uint32_t op[2];
    } rows[] = {
        {ENV_CL, 1, 0, {OP_NUMBER(OP_SET_opencl_std, 19), OP_NUMBER(OP_SET_opencl_std, 30)}},
        {ENV_CL, 2, 0, {OP_NUMBER(OP_SET_opencl_std, 48), OP_NUMBER(OP_SET_core, 136)}     },
        {ENV_CL, 1, 1, {OP_NUMBER(OP_SET_opencl_std, 49), OP_NUMBER(OP_SET_opencl_std, 34)}},
        {ENV_VK, 1, 0, {OP_NUMBER(OP_SET_glsl450, 31), OP_NUMBER(OP_SET_core, 127)}        },
        {ENV_VK, 2, 0, {OP_NUMBER(OP_SET_glsl450, 48), OP_NUMBER(OP_SET_core, 141)}        },
    };
    size_t n_checked = 0;
    for (size_t i = 0; i < ARRAY_N(rows) * FMT_N * 2; i++) {
        size_t const at = i / (FMT_N * 2);
        struct audit_module_form const forms[2] = {{.op = rows[at].op[0]}, {.op = rows[at].op[1]}};
        struct audit_module const m = {.env = rows[at].env,
                                       .fmt = (enum fmt_id)(i / 2 % FMT_N),
                                       .n_args = rows[at].n_args,
                                       .has_int = rows[at].has_int,
                                       .has_inputs = (int)(i % 2),
                                       .n_forms = 2,
                                       .forms = forms};
        const char *text = "";
        struct testcase tc = {.env = m.env, .entry = AUDIT_MODULE_ENTRY, .build_options = ""};
        if (!m.has_inputs && (m.n_args > 1 || m.has_int)) {
            continue;
        }
        tc.module = audit_module_build(&m, &w->a, &tc.n_words);
        assert_non_null(tc.module);
        if (spirv_validate(&tc, &w->a, &text) != SPIRV_VALID) {
            fail_msg("row %zu, %s: %s", at, float_formats[m.fmt].name, text);
        }
        n_checked++;
    }
    assert_int_equal(n_checked, (3 * 1 + 2 * 2 + 0) * FMT_N);
}

static void decorations_carry_their_bits(void **state)
{
    struct world *const w = *state;
    struct audit_module_form const forms[2] = {
        {.op = OP_NUMBER(OP_SET_opencl_std, 19)     },
        { .op = OP_NUMBER(OP_SET_opencl_std, 19), .is_decorated = 1, .max_error = 0x40800000}
    };
    struct audit_module const m = {
        .env = ENV_CL, .fmt = FMT_F32, .n_args = 1, .n_forms = 2, .forms = forms};
    uint32_t n_words = 0, offset = SPV_HEADER_WORDS, n_found = 0, target = 0, last = 0;
    const uint32_t *const words = audit_module_build(&m, &w->a, &n_words);
    struct spv_inst i;
    while (spv_next(words, n_words, &offset, &i)) {
        if (i.op == SpvOpDecorate && i.w[2] == SPV_DEC_FP_MAX_ERROR_INTEL) {
            assert_int_equal(i.w[3], 0x40800000);
            target = i.w[1];
            n_found++;
        }
        last = i.op == SpvOpExtInst ? i.w[2] : last;
    }
    assert_int_equal(n_found, 1);
    assert_int_equal(target, last); /* the second of the two */
}

/* --- bytes --- */

static void stream_bytes_come_back(void **state)
{
    struct world *const w = *state;
    static const uint32_t module[3] = {1, 2, 0xffffffff};
    struct stream const s = {.env = ENV_VK,
                             .module = module,
                             .n_words = 3,
                             .entry = "main",
                             .build_options = "-x",
                             .source = "",
                             .n_inputs = 1,
                             .n_outputs = 2,
                             .item_bytes = 8,
                             .local = 128,
                             .n_slots = 3,
                             .max_items = 256,
                             .fd = 7};
    size_t n = 0;
    struct stream back;
    struct err e;
    const unsigned char *const p = stream_encode(&s, &w->a, &n);
    assert_int_equal(stream_decode(&back, &w->a, p, n, &e), RES_OK);
    assert_memory_equal(back.module, module, sizeof module);
    assert_int_equal(stream_get_bytes(&back), 3 * 3 * (4096 + 4096));
    assert_int_equal(stream_get_place(&back, 1, 2), 5 * (4096 + 4096));
    for (size_t cut = 0; cut < n; cut++) {
        assert_int_not_equal(stream_decode(&back, &w->a, p, cut, &e), RES_OK);
    }
    struct stream_block const b = {2, 0xfffffff0, 256};
    unsigned char bytes[STREAM_BLOCK_BYTES];
    struct stream_block same;
    stream_encode_block(&b, bytes);
    assert_int_equal(stream_decode_block(&same, &s, bytes, sizeof bytes, &e), RES_OK);
    assert_memory_equal(&b, &same, sizeof b);
    bytes[0] = 3; /* no such slot */
    assert_int_equal(stream_decode_block(&same, &s, bytes, sizeof bytes, &e), RES_FORMAT);
    struct stream_status const status = {1, RUN_REJECT, PHASE_BUILD, -11, 5, "log"};
    struct stream_status told;
    const unsigned char *const q = stream_encode_status(&status, &w->a, &n);
    assert_int_equal(stream_decode_status(&told, &w->a, q, n, &e), RES_OK);
    assert_int_equal(told.status, RUN_REJECT);
    assert_int_equal(told.driver_code, -11);
    assert_string_equal(told.log, "log");
    for (size_t cut = 0; cut < n; cut++) {
        assert_int_equal(stream_decode_status(&told, &w->a, q, cut, &e), RES_FORMAT);
    }
}

/* --- plans --- */

static const struct audit_row *find_row(const struct audit *x, enum func_id func)
{
    for (uint32_t i = 0; i < x->n_rows; i++) {
        if (x->rows[i].func == func) {
            return &x->rows[i];
        }
    }
    fail_msg("no row of %s", func_rows[func].name);
    return NULL;
}

static struct audit plan(struct world *w, enum env env, enum audit_reach reach)
{
    struct audit_request r = make_request("all", 1u << FMT_F32);
    struct audit x;
    struct err e = {RES_OK, ""};
    r.reach = reach;
    if (audit_plan(&r, env, "device=fake\ncl.fp32_config=0x3f\n", &w->a, &x, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    return x;
}

/* Names of a plan's forms of exp, with bounds 1 and 4 asked for. */
static const char *list_forms(struct world *w, unsigned forms)
{
    struct audit_request r = make_request("exp", 1u << FMT_F32);
    struct audit x;
    struct err e = {RES_OK, ""};
    const char *text = "";
    r.forms = forms;
    r.n_bounds = 2;
    r.bounds[0] = 1;
    r.bounds[1] = 4;
    if (audit_plan(&r, ENV_CL, "device=fake\n", &w->a, &x, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    for (uint32_t i = 0; i < x.rows[0].n_forms; i++) {
        text = arena_printf(&w->a, "%s%s%s", text, text[0] ? ", " : "", x.rows[0].form[i].name);
        int const is_decorated = strncmp(x.rows[0].form[i].name, "max-error", 9) == 0;
        assert_int_equal(x.rows[0].form[i].is_decorated, is_decorated);
        assert_int_equal(audit_get_form(&x.rows[0], i, ENV_CL).rule.is_decorated, is_decorated);
    }
    return text;
}

static void forms_can_be_chosen(void **state)
{
    struct world *const w = *state;
    assert_string_equal(list_forms(w, 0), "full, half, native, max-error 1, max-error 4");
    assert_string_equal(list_forms(w, 1u << AUDIT_FORM_FULL), "full");
    assert_string_equal(list_forms(w, 1u << AUDIT_FORM_HALF | 1u << AUDIT_FORM_NATIVE),
                        "half, native");
    assert_string_equal(list_forms(w, 1u << AUDIT_FORM_DECORATED), "max-error 1, max-error 4");
    /* a function that has no native form */
    struct audit_request r = make_request("cbrt", 1u << FMT_F32);
    struct audit x;
    struct err e = {RES_OK, ""};
    r.forms = 1u << AUDIT_FORM_NATIVE;
    assert_int_equal(audit_plan(&r, ENV_CL, "device=fake\n", &w->a, &x, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "forms"));
}

static void every_function_has_its_row(void **state)
{
    struct world *const w = *state;
    struct audit const x = plan(w, ENV_CL, AUDIT_REACH_CERTIFIED);
    static const enum func_id searched[] = {FUNC_FMA, FUNC_LDEXP, FUNC_POWN, FUNC_ROOTN, FUNC_POW};
    for (size_t i = 0; i < ARRAY_N(searched); i++) {
        assert_int_equal(find_row(&x, searched[i])->depth, AUDIT_SEARCH);
        assert_true(find_row(&x, searched[i])->bound[0].has_bound);
    }
    const struct audit_row *const fmax = find_row(&x, FUNC_FMAX);
    assert_int_equal(fmax->n_forms, 2);
    assert_string_equal(fmax->form[1].name, "fmax_common");
    assert_true(fmax->bound[1].rule && !fmax->bound[0].rule);
    const struct audit_row *const sin = find_row(&x, FUNC_SIN);
    for (uint32_t i = 0; i < sin->n_forms; i++) { /* within 2^16 of zero */
        int const is_half = strcmp(sin->form[i].name, "half") == 0;
        assert_int_equal(sin->bound[i].rule != NULL, is_half);
        assert_true(!is_half || (sin->bound[i].has_bound && sin->bound[i].bound.ulp > 8191));
    }
}

/* Every argument is tried where a certified evaluator judges, or MPFR is asked for. */
static void depth_follows_what_is_asked(void **state)
{
    struct world *const w = *state;
    static const enum audit_depth exp_depth[] = {AUDIT_EXHAUSTIVE, AUDIT_SEARCH, AUDIT_EXHAUSTIVE};
    static const enum audit_depth fract_depth[] = {AUDIT_SEARCH, AUDIT_SEARCH, AUDIT_EXHAUSTIVE};
    int is_certified = 0;
    (void)sweep_get_evaluator(FUNC_FRACT, FMT_F32, &is_certified);
    for (int reach = AUDIT_REACH_CERTIFIED; reach <= AUDIT_REACH_ALL; reach++) {
        struct audit const x = plan(w, ENV_CL, (enum audit_reach)reach);
        assert_int_equal(find_row(&x, FUNC_EXP)->depth, exp_depth[reach]);
        assert_int_equal(find_row(&x, FUNC_FRACT)->depth,
                         is_certified ? exp_depth[reach] : fract_depth[reach]);
    }
}

/* Vulkan's bounds by formula and by inheritance are judged, each by its own row. */
static void vulkan_rows_have_their_rules(void **state)
{
    struct world *const w = *state;
    struct audit const x = plan(w, ENV_VK, AUDIT_REACH_CERTIFIED);
    static const struct {
        enum func_id func;
        enum accuracy_kind kind;
    } rows[] = {
        {FUNC_EXP,  ACCURACY_FORMULA  },
        {FUNC_SIN,  ACCURACY_FORMULA  },
        {FUNC_SQRT, ACCURACY_INHERITED},
        {FUNC_ASIN, ACCURACY_INHERITED},
        {FUNC_FMA,  ACCURACY_INHERITED},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const struct audit_row *const row = find_row(&x, rows[i].func);
        assert_true(row->bound[0].has_bound && row->bound[0].rule);
        assert_int_equal(audit_get_form(row, 0, ENV_VK).rule.kind, rows[i].kind);
        assert_int_equal(row->depth,
                         rows[i].kind == ACCURACY_FORMULA ? AUDIT_EXHAUSTIVE : AUDIT_SEARCH);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return audit_rig_main();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_results_are_all_kept),
        cmocka_unit_test(one_wrong_result_is_found),
        cmocka_unit_test(trouble_costs_one_block),
        cmocka_unit_test(shared_memory_is_not_cut_off),
        cmocka_unit_test(a_block_is_tried_twice),
        cmocka_unit_test(refused_forms_are_apart),
        cmocka_unit_test(unknown_functions_are_named),
        cmocka_unit_test(a_folder_is_gone_on_with),
        cmocka_unit_test(an_audit_ends_with_its_time),
        cmocka_unit_test(what_is_left_is_told),
        cmocka_unit_test(a_wrong_result_is_told_whole),
        cmocka_unit_test(modules_of_cases_are_valid),
        cmocka_unit_test(modules_are_valid),
        cmocka_unit_test(decorations_carry_their_bits),
        cmocka_unit_test(stream_bytes_come_back),
        cmocka_unit_test(forms_can_be_chosen),
        cmocka_unit_test(every_function_has_its_row),
        cmocka_unit_test(depth_follows_what_is_asked),
        cmocka_unit_test(vulkan_rows_have_their_rules),
    };
    return cmocka_run_group_tests(tests, make_world, remove_world);
}
