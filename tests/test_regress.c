/* tests/test_regress.c -- observations of real drivers that were looked into by hand, and the alarms
 * that turned out to be ours: each folder of corpora/regress gets the verdict its expect.txt names. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/bundle.h"
#include "oracle/judge.h"

enum {
    MAX_PATH = 512
};
static const char folder[] = "corpora/regress";

/* "verdict clause [n]": the worst verdict, the clause of the first finding of that kind, and how many
 * findings there are in all; -1 where that is not said. */
static void read_expected(const char *path, char *verdict, char *clause, int *n_findings)
{
    FILE *f = fopen(path, "r");
    *n_findings = -1;
    if (!f || fscanf(f, "%31s %31s %d", verdict, clause, n_findings) < 2) {
        fail_msg("%s: no verdict and clause", path);
    }
    (void)fclose(f);
}

static void check_bundle(const char *name, struct arena *a)
{
    char path[MAX_PATH], expect[MAX_PATH + 16], verdict[32], clause[32];
    struct bundle b;
    struct judgement j;
    struct err e = {0};
    int n_findings;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)snprintf(expect, sizeof expect, "%s/expect.txt", path);
    read_expected(expect, verdict, clause, &n_findings);
    if (bundle_read(path, a, &b, &e) != RES_OK || judge_run(&b.tc, &b.ob, a, &j, &e) != RES_OK) {
        fail_msg("%s: %s", path, e.text);
    }
    if (strcmp(verdict_rows[j.kind].name, verdict) != 0) {
        fail_msg("%s: %s, want %s", path, verdict_rows[j.kind].name, verdict);
    }
    if (n_findings >= 0 && j.n_findings != (uint32_t)n_findings) {
        fail_msg("%s: %u findings, want %d", path, j.n_findings, n_findings);
    }
    for (uint32_t i = 0; i < j.n_findings; i++) {
        if (j.findings[i].kind == j.kind) {
            assert_string_equal(clause_rows[j.findings[i].clause].id, clause);
            return;
        }
    }
    assert_string_equal(clause, "NONE");
}

static void each_bundle_gets_its_verdict(void **state)
{
    (void)state;
    struct arena a;
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    arena_init(&a, (size_t)256 << 20);
    for (struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
        if (entry->d_name[0] != '.') {
            check_bundle(entry->d_name, &a);
            arena_reset(&a);
            n++;
        }
    }
    (void)closedir(d);
    arena_free(&a);
    assert_true(n > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_bundle_gets_its_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
