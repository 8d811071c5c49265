/* tests/program/test_schemas.c -- SARIF and JUnit reports are valid by their schemas, whatever is in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/model/test_sample.h"
#include "reports/write/report.h"
#include "reports/write/test_formats.h"

#define SARIF_SCHEMA "tests/schema/sarif-2.1.0.json"
#define JUNIT_SCHEMA "tests/schema/junit-10.xsd"

static const char validate[] = "import json, sys\n"
                               "import jsonschema\n"
                               "schema, text = [json.load(open(p)) for p in sys.argv[1:]]\n"
                               "kind = jsonschema.validators.validator_for(schema)\n"
                               "kind.check_schema(schema)\n"
                               "bad = list(kind(schema).iter_errors(text))\n"
                               "for e in bad[:5]: print(list(e.absolute_path), e.message[:300])\n"
                               "sys.exit(bool(bad))\n";

static const char *const texts[] = {
    "honest",
    "</failure> ]]> <![CDATA[ & \" ' --> \x1b[2J\x07 \xc0\xbc \xef\xbf\xbf \xed\xa0\x80",
    "",
    "a\r\nb\tc\v | \xe2\x80\xae # %s",
    "Gerät 装置 \xf0\x9f\x92\xa5",
};

static char path[256];
static const char *python; /* NULL: none with jsonschema */

/* Exit status of a command whose output is ours; 127: it is not there. */
static int run(const char *const *argv, int is_quiet)
{
    union {
        const char *const *in;
        char *const *out;
    } words = {.in = argv};
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int const nothing = is_quiet ? open("/dev/null", O_WRONLY) : -1;
        if (nothing >= 0) {
            (void)dup2(nothing, STDOUT_FILENO);
            (void)dup2(nothing, STDERR_FILENO);
        }
        (void)execvp(argv[0], words.out);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The python that has jsonschema: the first in the path, or the system's own. */
static const char *find_python(void)
{
    static const char *const names[] = {"python3", "/usr/bin/python3"};
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        const char *const argv[] = {names[i], "-c", "import jsonschema", NULL};
        if (run(argv, 1) == 0) {
            return names[i];
        }
    }
    return NULL;
}

/* Skips the test, or fails it where it must run. */
static void miss(const char *what)
{
    print_message("skip: %s; scripts/setup.sh installs it\n", what);
    if (getenv("CI")) {
        fail_msg("%s: run scripts/setup.sh, or apt-get install libxml2-utils python3-jsonschema",
                 what);
    }
    skip();
}

static int check_sarif(void)
{
    const char *const argv[] = {python, "-c", validate, SARIF_SCHEMA, path, NULL};
    return run(argv, 0) == 0;
}

static int check_junit(void)
{
    const char *const argv[] = {"xmllint", "--noout", "--schema", JUNIT_SCHEMA, path, NULL};
    return run(argv, 1) == 0;
}

static void write_text(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void write_campaign(enum report_format format, const struct campaign *c)
{
    char *const text = write_report(format, c);
    write_text(text);
    free(text);
}

/* Each state of a bucket, each kind of foreign text, and nothing at all. */
static int check_all(enum report_format format, int (*check)(void))
{
    int n = 0;
    struct campaign const nothing = {.n_targets = 0};
    write_campaign(format, &nothing);
    n += check();
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        struct formats_sample s;
        struct sample other;
        make_formats_sample(&s, texts[i]);
        write_campaign(format, &s.c);
        n += check();
        make_sample(&other, texts[i]);
        write_campaign(format, &other.c);
        n += check();
    }
    return n;
}

static void sarif_is_valid(void **state)
{
    (void)state;
    python = find_python();
    if (!python) {
        miss("python3 with jsonschema");
        return;
    }
    assert_int_equal(check_all(REPORT_SARIF, check_sarif), 1 + 2 * (int)ARRAY_N(texts));
    write_text("{\"version\": \"2.1.0\", \"runs\": [{\"results\": []}]}"); /* no tool */
    assert_false(check_sarif());
}

static void junit_is_valid(void **state)
{
    (void)state;
    const char *const there[] = {"xmllint", "--version", NULL};
    if (run(there, 1) != 0) {
        miss("xmllint");
        return;
    }
    assert_int_equal(check_all(REPORT_JUNIT, check_junit), 1 + 2 * (int)ARRAY_N(texts));
    write_text("<testsuites><testsuite tests=\"1\"/></testsuites>"); /* no name */
    assert_false(check_junit());
}

static int set_up(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/test-schemas-XXXXXX", base ? base : "/tmp");
    int const file = mkstemp(path);
    return file < 0 || access(SARIF_SCHEMA, R_OK) != 0 ? -1 : close(file);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sarif_is_valid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(junit_is_valid, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
