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

#include "base/file.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/spirv.h"
#include "fuzz/known/columns.h"
#include "fuzz/known/pattern.h"
#include "gen/case/gen.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/vouch/vouch.h"

enum {
    N_COLUMNS = 8,
    MAX_ROWS = 200,
    MAX_PATH = 512,
    MAX_TEXT = 1 << 16,
    MIN_ROWS = 25,    /* that there must be, and that must be judged today */
    AFTER_VERSION = 3 /* words of a module's head that depend on who assembled it */
};
enum column {
    NAME,
    LINK,
    FEATURES,
    SHAPE,
    DRIVER,
    FOUND,
    GENERATOR,
    JUDGED /* "yes", or what it waits for */
};
static const char folder[] = "corpora/triggers";

struct table {
    const char *row[MAX_ROWS][N_COLUMNS];
    uint32_t n;
};

/* A file below the folder as text, ended by a zero. */
static char *read_text(const char *name, struct arena *a)
{
    char path[MAX_PATH];
    const unsigned char *text = NULL;
    size_t n = 0;
    struct err e = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (file_read(path, MAX_TEXT, a, &text, &n, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    return arena_copy(a, text, n);
}

/* The rows of triggers.tsv behind its head. */
static const struct table *read_table(struct arena *a)
{
    struct table *const t = ARENA_NEW(a, struct table, 1);
    char *rest = read_text("triggers.tsv", a);
    assert_non_null(t);
    assert_non_null(strtok_r(rest, "\n", &rest));
    for (char *line; t->n < MAX_ROWS && (line = strtok_r(NULL, "\n", &rest)) != NULL; t->n++) {
        if (columns_split(line, t->row[t->n], N_COLUMNS) != N_COLUMNS) {
            fail_msg("triggers.tsv: not %d columns: %s", N_COLUMNS, line);
        }
    }
    assert_true(t->n >= MIN_ROWS && t->n < MAX_ROWS);
    return t;
}

/* The text is the module's. The head's version and generator depend on the assembler. */
static void check_text(const char *name, const struct testcase *tc, struct arena *a)
{
    const char *const text = read_text(arena_printf(a, "%s/module.spvasm", name), a);
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

/* A run on a device that does plain arithmetic. */
static enum res run_honest(const struct testcase *tc, struct observation *ob, struct arena *a,
                           struct err *e)
{
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    return sim_run(tc, &(struct sim_device){SIM_IEEE, 1, &none, sim_facts_for(tc, 1, a)}, a, ob,
                   NULL, e);
}

/* What a device that does plain arithmetic gives is right; 0: the interpreter does not follow it. */
static bool judge_honest(const char *name, const struct testcase *tc, struct judgement *j,
                         struct arena *a)
{
    struct observation ob;
    struct err e = {0};
    enum res const r = run_honest(tc, &ob, a, &e);
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

static void check_shape(const char *name, const struct pattern *shape, const struct testcase *tc,
                        const char *what, struct arena *a)
{
    const struct pattern_module *const m = pattern_read(tc->module, tc->n_words, a);
    assert_non_null(m);
    unsigned const n = pattern_find(shape, m);
    if (n < shape->n) {
        fail_msg("%s: its %s lacks link %u of its shape", name, what, n + 1);
    }
}

/* The trigger has the shape that its row says; with "yes" so has the case of its tape. */
static void check_shapes(const char *const *row, const struct testcase *tc, struct arena *a)
{
    struct pattern shape;
    struct tape tape;
    struct testcase drawn;
    const char *profile = "";
    struct err e = {0};
    if (pattern_parse(&shape, row[SHAPE], a, &e) != RES_OK) {
        fail_msg("%s: %s", row[NAME], e.text);
    }
    check_shape(row[NAME], &shape, tc, "module", a);
    if (strcmp(row[GENERATOR], "yes") != 0) {
        return;
    }
    const char *const path = arena_printf(a, "%s/%s/tape.bin", folder, row[NAME]);
    if (tape_load_file(&tape, path, &profile, a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    int const at = profile_find(profile);
    assert_true(at >= 0);
    assert_int_equal(gen_case((enum profile)at, tc->env, &tape, a, &drawn, NULL, &e), RES_OK);
    check_shape(row[NAME], &shape, &drawn, "tape's case", a);
}

/* Is it judged? One that waits for a part of the interpreter need not be. */
static bool check_row(const char *const *row, struct arena *a)
{
    const char *const name = row[NAME];
    char path[MAX_PATH];
    struct bundle b;
    struct judgement j = {.note = "the interpreter does not follow it"};
    struct err e = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (bundle_read(path, a, &b, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    if (!strstr(read_text(arena_printf(a, "%s/README.md", name), a), row[LINK])) {
        fail_msg("%s: README.md lacks the link %s", name, row[LINK]);
    }
    check_text(name, &b.tc, a);
    check_valid(name, &b.tc, a);
    check_shapes(row, &b.tc, a);
    bool const must_be = strcmp(row[JUDGED], "yes") == 0;
    bool const is_harmless = vouch_case(&b.tc, &e) == RES_OK;
    bool const is_judged = is_harmless && judge_honest(name, &b.tc, &j, a);
    if (must_be && !is_judged) {
        fail_msg("%s: not judged: %s", name, is_harmless ? j.note : e.text);
    }
    if (!must_be && is_judged) {
        print_message("%s is judged now: write yes for %s\n", name, row[JUDGED]);
    }
    return is_judged;
}

static void each_trigger_is_judged(void **state)
{
    struct arena a;
    uint32_t n_judged = 0;
    (void)state;
    arena_init(&a, (size_t)256 << 20);
    const struct table *const t = read_table(&a);
    struct arena rest;
    arena_init(&rest, (size_t)256 << 20);
    for (uint32_t i = 0; i < t->n; i++) {
        n_judged += check_row(t->row[i], &rest);
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
        if (strcmp(t->row[i][NAME], name) == 0) {
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
    const struct table *const t = read_table(&a);
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
        arena_reset(&a);
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(bundle_read(path, &a, &b, &e), RES_OK);
        assert_int_equal(run_honest(&b.tc, &ob, &a, &e), RES_OK);
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
