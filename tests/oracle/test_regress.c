/* tests/oracle/test_regress.c -- observations of real drivers that were looked into by hand, and the alarms
 * that turned out to be ours: each folder of corpora/regress gets the verdict its expect.txt names. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "oracle/judge/judge.h"

enum {
    MAX_PATH = 512
};
static const char folder[] = "corpora/regress";

/* "verdict clause [n]": the worst verdict, the clause of the first finding of that kind, and how many
 * findings there are in all; -1 where that is not said. A second line "verdict clause" is of a finding that
 * there must be as well; empty where there is none. */
struct expected {
    char verdict[32], clause[32], other_verdict[32], other_clause[32];
    int n_findings;
};

static void read_expected(const char *path, struct expected *out)
{
    char first[128] = "", second[128] = "";
    FILE *f = fopen(path, "r");
    *out = (struct expected){.n_findings = -1};
    if (!f || !fgets(first, sizeof first, f) ||
        sscanf(first, "%31s %31s %d", out->verdict, out->clause, &out->n_findings) < 2) {
        fail_msg("%s: no verdict and clause", path);
    }
    if (fgets(second, sizeof second, f) &&
        sscanf(second, "%31s %31s", out->other_verdict, out->other_clause) != 2) {
        fail_msg("%s: the second line is not a verdict and clause", path);
    }
    (void)fclose(f);
}

static bool has_finding(const struct judgement *j, const char *verdict, const char *clause)
{
    for (uint32_t i = 0; i < j->n_findings; i++) {
        if (strcmp(verdict_rows[j->findings[i].kind].name, verdict) == 0 &&
            strcmp(clause_rows[j->findings[i].clause].id, clause) == 0) {
            return true;
        }
    }
    return false;
}

static void check_bundle(const char *name, struct arena *a)
{
    char path[MAX_PATH], expect[MAX_PATH + 16];
    struct expected want;
    struct bundle b;
    struct judgement j;
    struct err e = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)snprintf(expect, sizeof expect, "%s/expect.txt", path);
    read_expected(expect, &want);
    if (bundle_read(path, a, &b, &e) != RES_OK || judge_run(&b.tc, &b.ob, a, &j, &e) != RES_OK) {
        fail_msg("%s: %s", path, e.text);
    }
    if (strcmp(verdict_rows[j.kind].name, want.verdict) != 0) {
        fail_msg("%s: %s, want %s", path, verdict_rows[j.kind].name, want.verdict);
    }
    if (want.n_findings >= 0 && j.n_findings != (uint32_t)want.n_findings) {
        fail_msg("%s: %u findings, want %d", path, j.n_findings, want.n_findings);
    }
    if (want.other_verdict[0] && !has_finding(&j, want.other_verdict, want.other_clause)) {
        fail_msg("%s: no %s %s", path, want.other_verdict, want.other_clause);
    }
    for (uint32_t i = 0; i < j.n_findings; i++) {
        if (j.findings[i].kind == j.kind) {
            if (strcmp(clause_rows[j.findings[i].clause].id, want.clause) != 0) {
                fail_msg("%s: %s, want %s", path, clause_rows[j.findings[i].clause].id,
                         want.clause);
            }
            return;
        }
    }
    assert_string_equal(want.clause, "NONE");
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
