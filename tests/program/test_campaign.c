/* tests/program/test_campaign.c -- campaigns of the real program on drivers made to misbehave: each kind of
 * misbehaviour has a verdict of its own, and the campaign goes on.
 *
 * Each API's tests are skipped, with the reason, where its driver is not installed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "tests/rig/program_rig.h"

enum {
    N_CASES = 6,
    N_GOOD_BUILDS = 2, /* of each process: the known-good case and one more */
    HANG_DEADLINE_MS = 8000,
    DEADLINE_MS = 60000
};

/* Everything below one folder, which goes with the test. */
struct rig {
    struct arena a;
    char build[PATH_MAX], folder[PATH_MAX];
    const char *drivers;
    const char *env_text; /* lines of targets.ini that lead to the misbehaving driver */
    const char *api;
};

/* A mode of bad_mode.h and how its cases must be judged. */
struct mode {
    const char *name;
    int verdict; /* enum verdict_kind; -1: any violation found in a value */
    const char *crash_has;
    int ends_process; /* then later cases of a new process go well */
};
static const struct mode modes[] = {
    {"none",              VERDICT_OK,          "",                             0},
    {"segfault-build",    VERDICT_CRASH,       "bad_segfault",                 1},
    {"segfault-run",      VERDICT_CRASH,       "bad_segfault",                 1},
    {"segfault-pass",     VERDICT_CRASH,       "pass 'Bad Inner Pass' libbad", 1},
    {"segfault-llvm",     VERDICT_CRASH,       "pass 'Bad Inner Pass' libbad", 1},
    {"segfault-stuck",    VERDICT_CRASH,       "bad_segfault",                 1},
    {"segfault-goes-on",  VERDICT_CRASH,       "bad_segfault",                 1},
    {"segfault-lost",     VERDICT_CRASH,       "bad_lose_stack",               1},
    {"abort",             VERDICT_CRASH,       "libbad",                       1},
    {"exit0",             VERDICT_EXIT,        "",                             1},
    {"hang-build",        VERDICT_HANG,        "",                             1},
    {"hang-run",          VERDICT_HANG,        "",                             1},
    {"error-build",       VERDICT_REJECT,      "",                             0},
    {"error-run",         VERDICT_REJECT,      "",                             0},
    {"lost",              VERDICT_DEVICE_LOST, "",                             1},
    {"oob",               VERDICT_CORRUPT,     "",                             1},
    {"answer-then-crash", VERDICT_CRASH,       "bad_segfault",                 1},
    {"flip",              -1,                  "",                             0},
};
static const char *const debian_modes[] = {"none", "abort", "error-build", "flip", NULL};

static void remove_below(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        char name[PATH_MAX + 300];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
            if (unlink(name) != 0) {
                remove_below(name);
            }
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)rmdir(path);
}

static const char *in_folder(struct rig *r, const char *name)
{
    return arena_printf(&r->a, "%s/%s", r->folder, name);
}

static void write_text(const char *path, const char *text)
{
    struct err e;
    if (file_write(path, text, strlen(text), &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* The first path of a pattern, or NULL. */
static const char *find_file(struct rig *r, const char *pattern)
{
    glob_t found;
    const char *path = NULL;
    if (glob(pattern, 0, NULL, &found) == 0) {
        path = arena_printf(&r->a, "%s", found.gl_pathv[0]);
        globfree(&found);
    }
    return path;
}

static void set_up(struct rig *r)
{
    const char *const tmp = getenv("TMPDIR");
    const char *const drivers = getenv("HALFULP_DRIVERS");
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)512 << 20);
    (void)snprintf(r->folder, sizeof r->folder, "%s/test-campaign-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(r->folder));
    ssize_t const n = readlink("/proc/self/exe", r->build, sizeof r->build - 1);
    assert_true(n > 0);
    r->build[n] = 0;
    for (int i = 0; i < 2; i++) { /* BUILD/tests/test_campaign */
        *strrchr(r->build, '/') = 0;
    }
    char here[PATH_MAX] = "";
    assert_non_null(getcwd(here, sizeof here));
    r->drivers = !drivers            ? arena_printf(&r->a, "%s/drivers", here)
                 : drivers[0] == '/' ? drivers
                                     : arena_printf(&r->a, "%s/%s", here, drivers);
}

static void tear_down(struct rig *r)
{
    remove_below(r->folder);
    arena_free(&r->a);
}

static void skip_because(struct rig *r, const char *why)
{
    print_message("skipped: %s\n", why);
    tear_down(r);
    skip();
}

/* Lines of targets.ini for OpenCL through this loader. */
static void lead_to_opencl(struct rig *r, const char *loader)
{
    const char *const real = arena_printf(&r->a, "%s/intel-cpu/lib/libintelocl.so", r->drivers);
    if (access(real, R_OK) != 0) {
        skip_because(r, "no intel-cpu in the folder of drivers");
    }
    const char *const path = find_file(r, loader);
    if (!path) {
        skip_because(r, arena_printf(&r->a, "no loader %s", loader));
    }
    write_text(in_folder(r, "bad.icd"), arena_printf(&r->a, "%s/libbadocl.so\n", r->build));
    r->api = "opencl";
    r->env_text =
        arena_printf(&r->a,
                     "loader = %s\nenv.OCL_ICD_VENDORS = %s\n"
                     "env.LD_LIBRARY_PATH = %s/intel-cpu/lib\nenv.HALFULP_BAD_REAL = %s\n",
                     path, r->folder, r->drivers, real);
}

static void lead_to_vulkan(struct rig *r)
{
    const char *const icd = find_file(r, "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json");
    if (!icd) {
        skip_because(r, "no lavapipe in /usr/share/vulkan/icd.d");
    }
    write_text(in_folder(r, "bad.json"),
               arena_printf(&r->a,
                            "{\"file_format_version\": \"1.1.2\", \"layer\": {\"name\": "
                            "\"VK_LAYER_HALFULP_bad\", \"type\": \"GLOBAL\", \"library_path\": "
                            "\"%s/libbadvk.so\", \"api_version\": \"1.3.0\", "
                            "\"implementation_version\": \"1\", \"description\": \"bad\"}}\n",
                            r->build));
    r->api = "vulkan";
    r->env_text = arena_printf(&r->a,
                               "env.VK_LAYER_PATH = %s\n"
                               "env.VK_INSTANCE_LAYERS = VK_LAYER_HALFULP_bad\n"
                               "env.VK_ICD_FILENAMES = %s\n",
                               r->folder, icd);
}

/* targets.ini with a section per mode, and "now", which flips a bit from the first build on. */
static const char *write_targets(struct rig *r, const char *const *names)
{
    const char *text = "";
    const char *list = "";
    for (size_t i = 0; names[i]; i++) {
        int const hangs = strncmp(names[i], "hang", 4) == 0;
        text = arena_printf(&r->a,
                            "%s[%s]\napi = %s\n%sdeadline_ms = %d\nenv.HALFULP_BAD = %s\n"
                            "env.HALFULP_BAD_SKIP = %d\n",
                            text, names[i], r->api, r->env_text,
                            hangs ? HANG_DEADLINE_MS : DEADLINE_MS, names[i], N_GOOD_BUILDS);
        list = arena_printf(&r->a, "%s%s%s", list, i ? "," : "", names[i]);
    }
    text = arena_printf(&r->a, "%s[now]\napi = %s\n%senv.HALFULP_BAD = flip\n", text, r->api,
                        r->env_text);
    write_text(in_folder(r, "targets.ini"), text);
    return list;
}

static void expect_status(struct rig *r, const char *const *words, int want)
{
    const char *const program = arena_printf(&r->a, "%s/halfulp", r->build);
    int const status = program_wait(program_start(program, words, in_folder(r, "log")));
    if (status != want) {
        const unsigned char *said = NULL;
        size_t n = 0;
        struct err e;
        (void)!file_read(in_folder(r, "log"), 1 << 20, &r->a, &said, &n, &e);
        fail_msg("halfulp %s: status %d, wanted %d: %.*s", words[0], status, want, (int)n,
                 said ? (const char *)said : "");
    }
}

static const struct campaign_target *get_target(const struct campaign *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        if (strcmp(c->targets[i].name, name) == 0) {
            return &c->targets[i];
        }
    }
    fail_msg("the campaign has no target %s", name);
    return NULL;
}

static int is_found_on(const struct campaign *c, int64_t target_id, const char *signature)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (c->findings[i].target_id == target_id &&
            strcmp(c->findings[i].signature, signature) == 0) {
            return 1;
        }
    }
    return 0;
}

/* The first finding of this verdict (-1: any violation with a value) that the honest driver does not
 * show. */
static const struct campaign_finding *get_finding(const struct campaign *c, const char *name,
                                                  int verdict)
{
    int64_t const honest = get_target(c, "none")->id;
    int64_t const id = get_target(c, name)->id;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *f = &c->findings[i];
        int const kind = verdict_find(f->verdict);
        if (f->target_id == id && kind >= 0 && !is_found_on(c, honest, f->signature) &&
            (verdict >= 0 ? kind == verdict
                          : verdict_rows[kind].part == PART_VIOLATION && f->got[0])) {
            return f;
        }
    }
    return NULL;
}

/* Runs with the verdict of the mode. Of a refusal without a reason that is a divergence where a module holds a float atomic
 * that no clause permits. */
static uint64_t count_own(const struct campaign_target *t, const struct mode *m)
{
    return t->n_verdict[m->verdict] +
           (m->verdict == VERDICT_REJECT ? t->n_verdict[VERDICT_DIVERGENCE] : 0);
}

static void check_mode(const struct campaign *c, const struct mode *m)
{
    const struct campaign_target *t = get_target(c, m->name);
    const struct campaign_target *honest = get_target(c, "none");
    assert_int_equal(t->n_runs, N_CASES); /* the campaign went on */
    if (m->verdict == VERDICT_OK) {
        assert_true(t->n_verdict[VERDICT_OK] > 0 && t->n_judged > 0);
        return;
    }
    const struct campaign_finding *f = get_finding(c, m->name, m->verdict);
    if (!f || !strstr(f->crash_signature, m->crash_has)) {
        fail_msg("%s %s: no finding of its own verdict; frames \"%s\"", c->folder, m->name,
                 f ? f->crash_signature : "");
    }
    /* a process runs one case well: with a second one a later process did so too */
    uint64_t const n_own = m->verdict >= 0 ? t->n_verdict[m->verdict] : 0;
    assert_true(t->n_judged > 0);
    assert_true(!m->ends_process || t->n_runs - n_own > 1);
    assert_true(m->verdict < 0 || count_own(t, m) > count_own(honest, m));
}

/* The bundle of a flipped bit: found again where bits flip, not on the honest driver. */
static void check_flip(struct rig *r, const struct campaign *c, const char *out)
{
    const struct campaign_finding *f = get_finding(c, "flip", -1);
    assert_non_null(f);
    const char *const id = arena_printf(&r->a, "%" PRId64, f->id);
    const char *const bundle = in_folder(r, "bundle");
    const char *const ini = in_folder(r, "targets.ini");
    const char *const report[] = {"report", "--bundle", id, "-o", bundle, out, NULL};
    const char *const again[] = {"check", "--targets-file", ini, "--targets", "now", "--runs",
                                 "2",     bundle,           NULL};
    const char *const honest[] = {"check", "--targets-file", ini, "--targets", "none", "--runs",
                                  "2",     bundle,           NULL};
    print_message("flip: %s\n", f->signature);
    expect_status(r, report, 0);
    expect_status(r, again, 1);
    expect_status(r, honest, 0);
}

static void check_campaign(struct rig *r, const char *const *names)
{
    const char *const list = write_targets(r, names);
    const char *const ini = in_folder(r, "targets.ini");
    const char *const out = in_folder(r, "campaign");
    const char *const cases = arena_printf(&r->a, "%d", N_CASES);
    const char *const words[] = {
        "run", "--targets-file", ini,       "--targets", list, "--cases", cases, "--seed",
        "6",   "--profile",      "atomics", "-o",        out,  NULL};
    struct err e;
    struct journal *j = NULL;
    struct campaign c;
    unsigned n_checked = 0;
    expect_status(r, words, 1);
    if (journal_open(&j, out, NULL, &e) != RES_OK || journal_load(j, &r->a, &c, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    journal_close(j);
    for (size_t i = 0; names[i]; i++) {
        for (size_t k = 0; k < ARRAY_N(modes); k++) {
            if (strcmp(names[i], modes[k].name) == 0) {
                check_mode(&c, &modes[k]);
                n_checked++;
            }
        }
    }
    assert_true(n_checked > 3 && n_checked == c.n_targets);
    check_flip(r, &c, out);
}

static void check_all_modes(struct rig *r)
{
    const char *names[ARRAY_N(modes) + 1] = {NULL};
    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        names[i] = modes[i].name;
    }
    check_campaign(r, names);
    tear_down(r);
}

static void opencl(void **state)
{
    struct rig r;
    (void)state;
    set_up(&r);
    lead_to_opencl(&r, arena_printf(&r.a, "%s/intel-cpu/lib/libOpenCL.so.1", r.drivers));
    check_all_modes(&r);
}

/* Through the other loader some of them: it is the loader that is new, not the driver. */
static void opencl_debian_loader(void **state)
{
    struct rig r;
    (void)state;
    set_up(&r);
    lead_to_opencl(&r, "/usr/lib/*/libOpenCL.so.1");
    check_campaign(&r, debian_modes);
    tear_down(&r);
}

static void vulkan(void **state)
{
    struct rig r;
    (void)state;
    set_up(&r);
    lead_to_vulkan(&r);
    check_all_modes(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl),
        cmocka_unit_test(opencl_debian_loader),
        cmocka_unit_test(vulkan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
