/* tests/oracle/test_triggers.c -- programs of the shape that public bugs need: each folder of corpora/triggers has its
 * row in triggers.tsv, its text assembles to its module, which is valid and harmless, and what an honest device gives
 * is judged. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "fuzz/io/spirv.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/vouch/vouch.h"

enum {
    N_COLUMNS = 7,
    MAX_ROWS = 200,
    MAX_LINE = 1024,
    MAX_PATH = 512,
    MAX_TEXT = 1 << 16,
    MIN_ROWS = 25,    /* that there must be, and that must be judged today */
    AFTER_VERSION = 3 /* words of a module's head that depend on who assembled it */
};
enum column {
    NAME,
    LINK,
    FEATURES,
    DRIVER,
    FOUND,
    GENERATOR,
    JUDGED /* "yes", or what it waits for */
};
static const char folder[] = "corpora/triggers";

struct row {
    char line[MAX_LINE];
    const char *column[N_COLUMNS];
};
struct table {
    struct row rows[MAX_ROWS];
    uint32_t n;
};

/* Cuts a line at its tabs. */
static void cut_row(struct row *row)
{
    uint32_t n = 0;
    for (char *s = row->line; s; n++) {
        char *const tab = strpbrk(s, "\t\n");
        bool const is_more = tab && *tab == '\t';
        if (n < N_COLUMNS) {
            row->column[n] = s;
        }
        if (tab) {
            *tab = '\0';
        }
        s = is_more ? tab + 1 : NULL;
    }
    if (n != N_COLUMNS) {
        fail_msg("triggers.tsv: %u columns, want %d: %s", n, N_COLUMNS, row->line);
    }
}

static void read_table(struct table *t)
{
    char path[MAX_PATH], head[MAX_LINE];
    (void)snprintf(path, sizeof path, "%s/triggers.tsv", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(head, sizeof head, f));
    t->n = 0;
    while (t->n < MAX_ROWS && fgets(t->rows[t->n].line, MAX_LINE, f)) {
        cut_row(&t->rows[t->n++]);
    }
    (void)fclose(f);
    assert_true(t->n >= MIN_ROWS && t->n < MAX_ROWS);
}

/* A file of the folder as text, ended by a zero. */
static char *read_text(const char *name, const char *file, struct arena *a)
{
    char path[MAX_PATH];
    char *const text = arena_take(a, MAX_TEXT);
    (void)snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    FILE *f = fopen(path, "r");
    if (!f || !text) {
        fail_msg("%s: not there", path);
        return NULL;
    }
    size_t const n = fread(text, 1, MAX_TEXT - 1, f);
    (void)fclose(f);
    text[n] = '\0';
    return text;
}

/* The text is the module's. The head's version and generator depend on the assembler. */
static void check_text(const char *name, const struct testcase *tc, struct arena *a)
{
    const char *const text = read_text(name, "module.spvasm", a);
    const uint32_t *words;
    uint32_t n_words;
    struct err e = {0};
    if (spirv_assemble(name, text, strlen(text), a, &words, &n_words, &e) != RES_OK) {
        fail_msg("%s", e.text);
        return;
    }
    if (n_words != tc->n_words || n_words < AFTER_VERSION ||
        memcmp(words + AFTER_VERSION, tc->module + AFTER_VERSION,
               sizeof *words * (n_words - AFTER_VERSION)) != 0) {
        fail_msg("%s: module.spv is not what module.spvasm says", name);
    }
}

static void check_valid(const char *name, const struct testcase *tc, struct arena *a)
{
    const char *text = "";
    if (spirv_validate(tc, a, &text) != SPIRV_VALID) {
        fail_msg("%s: %s", name, text);
    }
}

/* What a device that does plain arithmetic gives is right; 0: the interpreter does not follow it. */
static bool judge_honest(const char *name, const struct testcase *tc, struct judgement *j,
                         struct arena *a)
{
    struct observation ob;
    struct err e = {0};
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    enum fault_outcome outcome;
    uint32_t site;
    enum res const r =
        sim_run(tc, SIM_IEEE, 1, &none, sim_facts_for(tc, 1, a), a, &ob, &outcome, &site, &e);
    if (r == RES_LIMIT) {
        return false;
    }
    if (r != RES_OK || judge_run(tc, &ob, a, j, &e) != RES_OK) {
        fail_msg("%s: %s", name, e.text);
    }
    if (j->n_found != 0) {
        fail_msg("%s: %s of an honest device", name, verdict_rows[j->kind].name);
    }
    return j->kind != VERDICT_INCONCLUSIVE && j->n_judged > j->n_anything;
}

/* Is it judged? One that waits for a part of the interpreter need not be. */
static bool check_row(const struct row *row, struct arena *a)
{
    const char *const name = row->column[NAME];
    char path[MAX_PATH];
    struct bundle b;
    struct judgement j = {.note = "the interpreter does not follow it"};
    struct err e = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (bundle_read(path, a, &b, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    if (!strstr(read_text(name, "README.md", a), row->column[LINK])) {
        fail_msg("%s: README.md lacks the link %s", name, row->column[LINK]);
    }
    check_text(name, &b.tc, a);
    check_valid(name, &b.tc, a);
    bool const must_be = strcmp(row->column[JUDGED], "yes") == 0;
    bool const is_harmless = vouch_case(&b.tc, &e) == RES_OK;
    bool const is_judged = is_harmless && judge_honest(name, &b.tc, &j, a);
    if (must_be && !is_judged) {
        fail_msg("%s: not judged: %s", name, is_harmless ? j.note : e.text);
    }
    if (!must_be && is_judged) {
        print_message("%s is judged now: write yes for %s\n", name, row->column[JUDGED]);
    }
    return is_judged;
}

static void each_trigger_is_judged(void **state)
{
    struct arena a;
    uint32_t n_judged = 0;
    (void)state;
    arena_init(&a, (size_t)256 << 20);
    struct table *const t = ARENA_NEW(&a, struct table, 1);
    assert_non_null(t);
    read_table(t);
    struct arena rest;
    arena_init(&rest, (size_t)256 << 20);
    for (uint32_t i = 0; i < t->n; i++) {
        n_judged += check_row(&t->rows[i], &rest);
        arena_reset(&rest);
    }
    print_message("%u triggers, %u of them judged\n", t->n, n_judged);
    assert_true(n_judged >= MIN_ROWS);
    arena_free(&rest);
    arena_free(&a);
}

static bool has_row(const struct table *t, const char *name)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (strcmp(t->rows[i].column[NAME], name) == 0) {
            return true;
        }
    }
    return false;
}

static void each_folder_has_a_row(void **state)
{
    struct arena a;
    uint32_t n = 0;
    (void)state;
    arena_init(&a, (size_t)1 << 20);
    struct table *const t = ARENA_NEW(&a, struct table, 1);
    assert_non_null(t);
    read_table(t);
    DIR *const d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
        char path[MAX_PATH];
        struct stat st;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
            continue;
        }
        if (!has_row(t, entry->d_name)) {
            fail_msg("%s: no row in triggers.tsv", entry->d_name);
        }
        n++;
    }
    (void)closedir(d);
    assert_int_equal(n, t->n);
    arena_free(&a);
}

/* A value that is wrong in one word is found, wherever the program's words are judged. */
static void a_wrong_word_is_found(void **state)
{
    static const char *const names[] = {"igc-many-live-words-in-a-loop",
                                        "spirv-opt-negated-quotient", "llvmpipe-sum-below-zero"};
    struct arena a;
    (void)state;
    arena_init(&a, (size_t)256 << 20);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        char path[MAX_PATH];
        struct bundle b;
        struct observation ob;
        struct judgement j;
        struct err e = {0};
        struct fault_plan const none = fault_plan_of(FAULT_NONE);
        enum fault_outcome outcome;
        uint32_t site;
        arena_reset(&a);
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(bundle_read(path, &a, &b, &e), RES_OK);
        assert_int_equal(sim_run(&b.tc, SIM_IEEE, 1, &none, sim_facts_for(&b.tc, 1, &a), &a, &ob,
                                 &outcome, &site, &e),
                         RES_OK);
        uint32_t const last = b.tc.n_bufs - 1;
        unsigned char *const wrong = arena_copy(&a, ob.out[last], b.tc.bufs[last].n_bytes);
        assert_non_null(wrong);
        wrong[0] ^= 1;
        ob.out[last] = wrong;
        assert_int_equal(judge_run(&b.tc, &ob, &a, &j, &e), RES_OK);
        assert_true(j.n_found > 0);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_trigger_is_judged),
                                       cmocka_unit_test(each_folder_has_a_row),
                                       cmocka_unit_test(a_wrong_word_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
