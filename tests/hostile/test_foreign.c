/* tests/hostile/test_foreign.c -- a case that somebody else made runs nothing: the real program is given a kernel
 * that calls system(), as a bundle, in a campaign, as a baseline and by --module; and a bug's folder is
 * made of fields that try to be more than text.
 *
 * The parts that need Intel's OpenCL for CPUs, which finds system() in the worker, are skipped where it
 * is not installed. What the kernel would run makes a file in the test's own folder, and no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_find.h"
#include "gen/case/gen.h"
#include "reports/folder/bug_folder.h"
#include "tests/rig/bug_rig.h"
#include "tests/rig/folder_rig.h"

enum {
    COMMAND_BYTES = 1024,
    FOREIGN_TEXT = 1 << 16
};

static const char kernel[] = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                             "OpCapability Int8\n"
                             "OpMemoryModel Physical64 OpenCL\n"
                             "OpEntryPoint Kernel %main \"main\"\n"
                             "OpDecorate %sys LinkageAttributes \"system\" Import\n"
                             "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%uchar = OpTypeInt 8 0\n"
                             "%p = OpTypePointer CrossWorkgroup %uchar\n"
                             "%ts = OpTypeFunction %uint %p\n%tm = OpTypeFunction %void %p\n"
                             "%sys = OpFunction %uint None %ts\n%x = OpFunctionParameter %p\n"
                             "OpFunctionEnd\n"
                             "%main = OpFunction %void None %tm\n%in = OpFunctionParameter %p\n"
                             "%l = OpLabel\n%r = OpFunctionCall %uint %sys %in\n"
                             "OpReturn\nOpFunctionEnd\n";

struct place {
    struct arena a;
    char build[PATH_MAX], folder[RIG_PATH];
    const char *sign; /* the file that the kernel makes */
    struct testcase tc;
    struct observation ob; /* of a crash */
};

static const char *in_folder(struct place *p, const char *name)
{
    const char *path = arena_printf(&p->a, "%s/%s", p->folder, name);
    assert_non_null(path);
    return path;
}

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    struct err e = {RES_OK, ""};
    assert_non_null(p);
    assert_true(readlink("/proc/self/exe", p->build, sizeof p->build - 1) > 0);
    *strrchr(p->build, '/') = '\0';
    *strrchr(p->build, '/') = '\0';
    arena_init(&p->a, (size_t)256 << 20);
    (void)setenv("HALFULP_DRIVERS", targets_get_root(&p->a), 0); /* it runs in another folder */
    folder_make(p->folder, sizeof p->folder, "foreign");
    p->sign = in_folder(p, "sign");
    unsigned char *data = arena_take(&p->a, COMMAND_BYTES);
    assert_non_null(data);
    (void)snprintf((char *)data, COMMAND_BYTES, "touch '%s'", p->sign);
    p->tc = (struct testcase){
        .env = ENV_CL,
        .profile = "atomics",
        .gen_version = GEN_VERSION,
        .entry = "main",
        .build_options = "",
        .local = {1, 1, 1},
        .global = {1, 1, 1},
        .n_bufs = 1
    };
    p->tc.bufs[0] = (struct buf){.n_bytes = COMMAND_BYTES, .data = data};
    p->ob = (struct observation){.status = RUN_CRASH,
                                 .phase = PHASE_RUN,
                                 .driver_code = 11,
                                 .log = "",
                                 .signature = "libx.so+f",
                                 .facts = "device=x\n"};
    *state = p;
    return spirv_assemble("kernel", kernel, strlen(kernel), &p->a, &p->tc.module, &p->tc.n_words,
                          &e) == RES_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    folder_remove(p->folder);
    arena_free(&p->a);
    free(p);
    return 0;
}

/* Exit status of the program with these words, quoted by the caller; what it says is in the file said. */
static int run_program(struct place *p, const char *words)
{
    return rig_do("cd '%s' && '%s/halfulp' %s >said 2>&1", p->folder, p->build, words);
}

static const char *read_said(struct place *p)
{
    const unsigned char *text = NULL;
    size_t n = 0;
    struct err e = {RES_OK, ""};
    assert_int_equal(file_read(in_folder(p, "said"), FOREIGN_TEXT, &p->a, &text, &n, &e), RES_OK);
    return arena_printf(&p->a, "%.*s", (int)n, (const char *)text);
}

static int has_sign(const struct place *p)
{
    struct stat s;
    return lstat(p->sign, &s) == 0;
}

/* The program refuses, says why and what would help, and nothing has run. */
static void must_refuse(struct place *p, const char *words, const char *reason)
{
    int const status = run_program(p, words);
    const char *said = read_said(p);
    if (status != 2 || !strstr(said, reason) || !strstr(said, "--trust") || has_sign(p)) {
        fail_msg("%s: status %d, %s\n%s", words, status, has_sign(p) ? "it ran" : "it did not run",
                 said);
    }
}

static int has_driver(struct place *p)
{
    struct target_list *list = ARENA_NEW(&p->a, struct target_list, 1);
    struct err e = {RES_OK, ""};
    assert_non_null(list);
    assert_int_equal(targets_find(list, NULL, &p->a, &e), RES_OK);
    if (targets_find_name(list, "intel-cpu")) {
        return 1;
    }
    print_message("intel-cpu is not here: on simulated targets alone\n");
    return 0;
}

static void put_bundle(struct place *p, const char *name, const struct testcase *tc)
{
    struct err e = {RES_OK, ""};
    struct bundle const b = {.tc = *tc, .ob = p->ob, .has_observation = 1};
    if (bundle_write(in_folder(p, name), &b, &p->a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* ---- a bundle ---- */

static void bundle(void **state)
{
    struct place *p = *state;
    put_bundle(p, "case", &p->tc);
    must_refuse(p, "check --targets sim-ieee case", "Linkage");
    must_refuse(p, "check --targets sim-any case/case.json", "Linkage");
    must_refuse(p, "check --targets sim-any case/case.bin", "Linkage");
    must_refuse(p, "reduce --target sim-ieee -o smaller case", "Linkage");
    assert_int_not_equal(access(in_folder(p, "smaller"), F_OK), 0);
    if (has_driver(p)) {
        must_refuse(p, "check --targets intel-cpu case", "Linkage");
        must_refuse(p, "check --unadvertised case", "Linkage");
        must_refuse(p, "reduce --target intel-cpu -o smaller case", "Linkage");
        int const status = run_program(p, "check --trust --targets intel-cpu case");
        print_message("with --trust: status %d, system() was %s\n", status,
                      has_sign(p) ? "called" : "not called");
        /* what it links is not interpreted: 4 is that nothing was decided */
        assert_true(status == 0 || status == 1 || status == 4);
        assert_non_null(strstr(read_said(p), "of 1 runs"));
    }
}

/* An honest bundle whose module, options or tape was exchanged. */
static void exchanged(void **state)
{
    struct place *p = *state;
    struct testcase tc;
    put_bundle(p, "evil", &p->tc);
    assert_int_equal(run_program(p, "gen --seed 3 -o case"), 0);
    assert_int_equal(run_program(p, "check --targets sim-ieee case"), 0);
    must_refuse(p, "check --targets sim-ieee --module evil/module.spv case", "module");
    assert_int_equal(rig_do("cp '%s/case/tape.bin' '%s/evil'", p->folder, p->folder), 0);
    must_refuse(p, "check --targets sim-ieee evil", "Linkage"); /* another case is of that tape */
    tc = p->tc;
    tc.build_options = "-I /tmp";
    put_bundle(p, "options", &tc);
    must_refuse(p, "check --targets sim-ieee options", "\"-I\"");
    tc.build_options = "";
    tc.entry = "\x1b[31mmain";
    put_bundle(p, "named", &tc);
    assert_int_equal(run_program(p, "check --targets sim-ieee named"), 2);
    assert_null(strchr(read_said(p), 0x1b));
}

/* ---- a campaign ---- */

/* A campaign whose finding is of this case, looked into already if there is a triage. */
static void put_campaign(struct place *p, const char *name, const char *target, int has_triage)
{
    static struct campaign_plan const plan = {.profile = "atomics",
                                              .seed = 11,
                                              .gen_version = GEN_VERSION,
                                              .max_cases = 100,
                                              .max_ns = 5000000000,
                                              .targets = "x",
                                              .shard = SHARD_NONE};
    struct journal *j = NULL;
    struct err e = {RES_OK, ""};
    struct judgement *g = ARENA_NEW(&p->a, struct judgement, 1);
    int64_t id = 0, run = 0;
    assert_non_null(g);
    int const ok = judge_run(&p->tc, &p->ob, &p->a, g, &e) == RES_OK && g->n_findings > 0 &&
                   journal_open(&j, in_folder(p, name), &plan, &e) == RES_OK &&
                   journal_put_target(j, target, "device=x\n", &id, &e) == RES_OK &&
                   journal_begin_run(j, id, 0, "tapetape", 8, &run, &e) == RES_OK;
    struct run_record const record = {&p->tc, &p->ob, g, "OpReturn\n"};
    struct campaign_triage const t = {.n_runs = 1, .n_shown = 1, .smallest = "tape", .variant = ""};
    if (!ok || journal_end_run(j, run, &record, &p->a, &e) != RES_OK ||
        (has_triage && journal_put_triage(j, 1, &t, &p->tc, &p->ob, &p->a, &e) != RES_OK)) {
        fail_msg("%s: %s", name, e.text);
    }
    journal_close(j);
}

static void attack_campaigns(struct place *p, const char *target)
{
    assert_int_equal(rig_do("cd '%s' && rm -rf sent triaged own", p->folder), 0);
    put_campaign(p, "sent", target, 0);
    put_campaign(p, "triaged", target, 1);
    must_refuse(p, "check sent#1", "Linkage");
    must_refuse(p, "check --finding 1 sent", "Linkage");
    must_refuse(p, "reduce --finding 1 -o smaller sent", "Linkage");
    must_refuse(p, "report sent", "Linkage");
    assert_int_equal(access(in_folder(p, "sent/report.html"), F_OK),
                     0); /* it is there all the same */
    must_refuse(p, "report triaged", "Linkage");
    must_refuse(p, "report --no-triage triaged", "Linkage");
    assert_int_equal(rig_do("ls '%s/triaged/bugs' '%s/sent/bugs' 2>/dev/null | grep -q host.c",
                            p->folder, p->folder),
                     1);
    assert_int_equal(run_program(p, "run --targets sim-ieee --cases 2 -o own"), 0);
    must_refuse(p, "report --baseline sent own", "Linkage");
    must_refuse(p, "report --baseline triaged own", "Linkage");
    assert_int_equal(run_program(p, "report own"), 0);
    assert_int_equal(run_program(p, "report --bundle 1 -o taken sent"), 0); /* which runs nothing */
    must_refuse(p, "check --targets sim-ieee taken", "Linkage");
}

static void campaigns(void **state)
{
    struct place *p = *state;
    attack_campaigns(p, "sim-ieee");
    assert_int_equal(run_program(p, "report --trust --no-triage triaged"), 1);
    assert_int_equal(rig_do("ls '%s/triaged/bugs/'*/host.c >/dev/null", p->folder), 0);
    if (has_driver(p)) {
        attack_campaigns(p, "intel-cpu");
        int const status = run_program(p, "check --trust sent#1");
        assert_true(status == 0 || status == 1 || status == 4);
        assert_non_null(strstr(read_said(p), "of 1 runs"));
    }
}

/* ---- what this program made ---- */

/* The fault acts at one place of a case, each time at another. */
#define CHECK_OWN "check --runs 20 --targets sim-any:SUM_TRUNCATED "

/* A campaign that finds something: its findings, its bundles, its smallest cases and a baseline of it
 * are run, and nobody has to be trusted. */
static void our_own(void **state)
{
    struct place *p = *state;
    assert_int_equal(run_program(p, "run --seed 5 --profile all --targets sim-any:SUM_TRUNCATED "
                                    "--cases 40 -o own"),
                     1);
    assert_int_equal(run_program(p, CHECK_OWN "own#1"), 1);
    assert_int_equal(run_program(p, "report --bundle 1 -o taken own"), 0);
    assert_int_equal(run_program(p, CHECK_OWN "taken"), 1);
    if (run_program(p, "report --triage-time 5s --reduce-time 1s own") != 1 ||
        run_program(p, CHECK_OWN "own/bugs/*") != 1) {
        fail_msg("%s", read_said(p));
    }
    assert_int_equal(run_program(p, "run --targets sim-ieee --cases 1 -o other"), 0);
    assert_int_equal(run_program(p, "report --baseline own other"), 0);
}

/* ---- a bug's folder ---- */

/* Fields of a foreign journal that end what they stand in, if anybody lets them. %s: the file to make. */
static const char *const endings[] = {
    "\"; int x = system(\"touch '%s'\"); char y[] = \"",
    "*/ int x1 = __builtin_printf(\"\"); static void __attribute__((constructor)) f(void) { "
    "system(\"touch '%s'\"); } /*",
    "\n#include \"/dev/null\"\nstatic void __attribute__((constructor)) g(void) { system(\"touch "
    "'%s'\"); }\n",
    "?\?/\n\"); system(\"touch '%s'\"); (\"?\?/",
    "\\\n*/ void __attribute__((constructor)) h(void) { system(\"touch '%s'\"); } /* \\",
    "$(touch '%s')`touch '%s'`\n\ttouch '%s'",
};

static void check_folder(struct rig *r, enum env env, const char *text, const char *sign)
{
    (void)snprintf(r->folder, sizeof r->folder, "%s.d", sign);
    r->bundle.tc.env = env;
    r->bundle.tc.entry = r->bundle.tc.build_options = text;
    r->bundle.ob.facts =
        arena_printf(&r->a, "device=%s\nplatform=%s\ndriver=%s\n", text, text, text);
    rig_fill(r, VERDICT_CRASH);
    r->finding.text = r->finding.op = r->finding.signature = r->finding.core = r->finding.log =
        r->finding.type = r->finding.storage = r->finding.family = r->finding.replay = text;
    r->target.name = r->bug.generator = text;
    struct err e = {RES_OK, ""};
    assert_int_equal(rig_do("mkdir '%s'", r->folder), 0);
    if (bug_write(r->folder, &r->bug, &r->a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(rig_do("test -e '%s/host.c'", r->folder), 0);
    static const char *const standards[] = {"-std=c99", "-std=gnu11 -trigraphs"};
    for (size_t i = 0; i < ARRAY_N(standards); i++) {
        const char *lib = env == ENV_VK ? "-lvulkan" : "-lOpenCL";
        if (rig_do("cd '%s' && cc %s -w -o host host.c %s >log 2>&1", r->folder, standards[i],
                   lib) != 0) {
            rig_print_log(r);
            fail_msg("host.c does not compile: %s", text);
        }
        assert_in_range(
            rig_do("cd '%s' && OCL_ICD_VENDORS=/nonexistent VK_ICD_FILENAMES=/nonexistent "
                   "VK_DRIVER_FILES=/nonexistent ./host >log 2>&1",
                   r->folder),
            0, 2);
        assert_int_equal(access(sign, F_OK), -1);
    }
    assert_int_equal(rig_do("cd '%s' && make -n >log 2>&1", r->folder), 0);
    assert_int_equal(access(sign, F_OK), -1);
    assert_int_equal(rig_do("rm -rf '%s'", r->folder), 0);
}

static void hostile_fields(void **state)
{
    struct place *p = *state;
    for (size_t i = 0; i < 2 * ARRAY_N(endings); i++) {
        struct rig r = {
            .bundle = {.tc = p->tc, .ob = p->ob}
        };
        const char *form = endings[i / 2];
        const char *at = strstr(form, "%s");
        char text[2048] = "";
        while (at) { /* the form is no literal, so that the compiler cannot check it */
            size_t const n = strlen(text);
            (void)snprintf(text + n, sizeof text - n, "%.*s%s", (int)(at - form), form, p->sign);
            form = at + 2;
            at = strstr(form, "%s");
        }
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s", form);
        arena_init(&r.a, (size_t)64 << 20);
        check_folder(&r, (enum env)(i % 2), text, p->sign);
        arena_free(&r.a);
    }
}

/* Places of END in the script that is made of a module with that string in it. */
static uint32_t count_ends(struct place *p, const char *string)
{
    char text[sizeof kernel + 256];
    struct rig r = {
        .bundle = {.tc = p->tc, .ob = p->ob}
    };
    struct err e = {RES_OK, ""};
    const unsigned char *script = NULL;
    size_t n = 0;
    uint32_t n_ends = 0;
    const char *at = strstr(kernel, "OpDecorate");
    (void)snprintf(text, sizeof text, "%.*s%%s = OpString \"%s\"\n%s", (int)(at - kernel), kernel,
                   string, at);
    arena_init(&r.a, (size_t)64 << 20);
    assert_int_equal(spirv_assemble("text", text, strlen(text), &r.a, &r.bundle.tc.module,
                                    &r.bundle.tc.n_words, &e),
                     RES_OK);
    r.bundle.tc.env = ENV_VK;
    rig_fill(&r, VERDICT_CRASH);
    (void)snprintf(r.folder, sizeof r.folder, "%s", p->folder);
    assert_int_equal(bug_write(r.folder, &r.bug, &r.a, &e), RES_OK);
    assert_int_equal(file_read(in_folder(p, "case.amber"), FOREIGN_TEXT, &r.a, &script, &n, &e),
                     RES_OK);
    const char *whole = arena_printf(&r.a, "%.*s", (int)n, (const char *)script);
    for (const char *s = strstr(whole, "END"); s; s = strstr(s + 1, "END")) {
        n_ends++;
    }
    assert_null(strstr(whole, "\nRUN other"));
    arena_free(&r.a);
    return n_ends;
}

static void strings_in_amber(void **state)
{
    struct place *p = *state;
    uint32_t const n = count_ends(p, "plain");
    assert_true(n > 1);
    assert_int_equal(count_ends(p, "a\nEND\nRUN other 1 1 1\n"), n);
    assert_int_equal(count_ends(p, "BLEND"), n);
    assert_int_equal(count_ends(p, "\\\"\nEND\nRUN other"), n);
    assert_int_equal(count_ends(p, "\\\\\\\"\nEND\nRUN other"), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bundle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exchanged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(campaigns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(our_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_in_amber, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
