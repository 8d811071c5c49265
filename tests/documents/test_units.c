/* tests/documents/test_units.c -- each unit of the five texts has a row of sentences.def, or a reason why it has none. The texts
 * are not here: SEEDS_TEXTS=FOLDER names a folder with NAME.txt for each document, which are then cut again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/documents/sentences.h"

/* ---- the table ---- */

static void each_unit_has_a_row_or_a_reason(void **state)
{
    (void)state;
    int next[DOC_N] = {1, 1, 1, 1, 1};
    for (size_t i = 0; i < ARRAY_N(units); i++) {
        const struct unit *u = &units[i];
        assert_int_equal(u->number, next[u->document]);
        next[u->document]++;
        assert_int_equal(u->rows[MAX_UNIT_ROWS], 0);
        assert_true((u->no_row >= 0) == (u->rows[0] == 0));
        for (int k = 0; u->rows[k]; k++) {
            assert_int_equal(sentences[u->rows[k] - 1].document, u->document);
        }
    }
    for (int d = 0; d < DOC_N; d++) {
        assert_true(next[d] > 1);
    }
}

/* A row without a unit says what no text says; those in parentheses are remarks. */
static void each_row_has_a_unit(void **state)
{
    (void)state;
    for (int r = 0; r < ROW_N; r++) {
        bool has_unit = sentences[r].says[0] == '(';
        for (size_t i = 0; i < ARRAY_N(units); i++) {
            for (int k = 0; units[i].rows[k]; k++) {
                has_unit = has_unit || units[i].rows[k] == r + 1;
            }
        }
        if (!has_unit) {
            fail_msg("%s: no unit has it", sentences[r].id);
        }
    }
}

/* ---- cutting the texts ---- */

/*
 * The rules, each of which sees one unit in the making and the next line:
 *  1. A line loses its white space at both ends. A text whose first line then ends in "| |" is a table: each line loses that end.
 *  2. Blank lines end a unit; in a table they are skipped.
 *  3. From a line that ends in "{" to the line "}" all is one unit.
 *  4. A line goes on with a unit: a comment after a comment; behind " and", or a "," of a line of four words, unless it begins
 *     with a mark of a list; of a text, a small letter behind a letter or a digit where no "(" is, and whatever is behind
 *     " following" or " the"; of a table, what is behind no end of a sentence, unless one of the two begins a line of its own.
 *  5. Units but comments, directives and blocks are cut behind ". " before a capital, "<" or "(", except of a number or an
 *     initial.
 *  6. Blanks are collapsed; the digest is of the bytes.
 */
struct cutter {
    struct arena a;
    enum document document;
    bool is_table, was_blank, is_in_block;
    const char *first, *last,
        *text; /* of the unit in the making: its first and last line, and all of it; NULL: none */
    int n;     /* units that are done */
    int n_wrong;
    bool is_told; /* units that are not in the table */
};

static const char *const marks[] = {"\xe2\x80\xa2 ", "* ", "- ", "1)", "2)", "3)"};
static const char *const alone[] = {
    "//",         "#",         "f16vec",   "+ ",           "- ",           "--",     "...",
    "Add ",       "Additions", "Contact",  "Contributors", "Dependencies", "Errors", "GLX",
    "Issues",     "Last ",     "Modif",    "NVIDIA ",      "Name",         "New ",   "Number",
    "OpenGL Ext", "OpenGL ES", "Overview", "Revision",     "Status",       "Version"};
static const char *const starts[] = {"(",     "ADD ",     "MIN ",          "MAX ",
                                     "EXCH ", "RESOLVED", "atomic storage"};

static bool begins(const char *line, const char *const *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strncmp(line, table[i], strlen(table[i]))) {
            return true;
        }
    }
    return false;
}

static bool ends(const char *line, const char *end)
{
    size_t const n = strlen(line), n_end = strlen(end);
    return n >= n_end && !strcmp(line + n - n_end, end);
}

static int count_blanks(const char *line)
{
    int n = 0;
    for (; *line; line++) {
        n += *line == ' ';
    }
    return n;
}

static bool goes_on(const struct cutter *c, const char *line)
{
    if (!c->text || (!c->is_table && c->was_blank)) {
        return false;
    }
    bool const is_comment = !strncmp(line, "//", 2);
    if (!c->is_table && (is_comment || !strncmp(c->first, "//", 2))) {
        return is_comment && !strncmp(c->first, "//", 2);
    }
    if (begins(line, marks, ARRAY_N(marks))) {
        return false;
    }
    if (ends(c->last, " and") || (ends(c->last, ",") && count_blanks(c->last) >= 3)) {
        return true;
    }
    char const end = c->last[strlen(c->last) - 1];
    if (!c->is_table) {
        return (islower((unsigned char)line[0]) && isalnum((unsigned char)end) &&
                !strchr(c->last, '(')) ||
               ends(c->last, " following") || ends(c->last, " the");
    }
    return !begins(c->first, alone, ARRAY_N(alone)) && !strchr(".:;?", end) &&
           !begins(line, alone, ARRAY_N(alone)) && !begins(line, starts, ARRAY_N(starts));
}

/* The unit is done: its bytes with blanks collapsed. */
static void put_unit(struct cutter *c, const char *text, size_t n)
{
    char *words = arena_take(&c->a, n + 1);
    size_t n_words = 0;
    assert_non_null(words);
    for (size_t i = 0; i < n; i++) {
        if (text[i] != ' ' || (n_words > 0 && words[n_words - 1] != ' ')) {
            words[n_words++] = text[i];
        }
    }
    n_words -= n_words > 0 && words[n_words - 1] == ' ';
    words[n_words] = '\0';
    if (n_words == 0) {
        return;
    }
    uint64_t const digest = hash_bytes(0, words, n_words);
    c->n++;
    for (size_t i = 0; i < ARRAY_N(units); i++) {
        if (units[i].document == c->document && units[i].number == c->n &&
            units[i].digest == digest) {
            return;
        }
    }
    c->n_wrong++;
    if (c->is_told) {
        printf("%s\t%d\t0x%016" PRIx64 "\t%s\n", documents[c->document], c->n, digest, words);
    }
}

static void end_unit(struct cutter *c)
{
    const char *t = c->text;
    size_t begin = 0, n = t ? strlen(t) : 0;
    bool const is_whole = t && (!strncmp(t, "//", 2) || t[0] == '#' || strchr(t, '{'));
    for (size_t i = 0; i + 2 < n && !is_whole; i++) {
        if (t[i] != '.' || t[i + 1] != ' ') {
            continue;
        }
        bool const is_initial = i >= 2 && isupper((unsigned char)t[i - 1]) && t[i - 2] == ' ';
        if (i >= begin + 8 && !is_initial &&
            (isupper((unsigned char)t[i + 2]) || t[i + 2] == '<' || t[i + 2] == '(')) {
            put_unit(c, t + begin, i + 1 - begin);
            begin = i + 2;
        }
    }
    if (t) {
        put_unit(c, t + begin, n - begin);
    }
    c->text = NULL;
}

static void put_line(struct cutter *c, const char *line)
{
    if (!line[0]) {
        c->was_blank = true;
        return;
    }
    if (c->text && (c->is_in_block || goes_on(c, line))) {
        c->text = arena_printf(&c->a, "%s %s", c->text, line);
    } else {
        end_unit(c);
        c->first = c->text = line;
    }
    c->last = line;
    c->is_in_block = ends(line, "{") || (c->is_in_block && strcmp(line, "}") != 0);
    c->was_blank = false;
}

static const char *strip(struct cutter *c, const char *line, size_t n)
{
    while (n > 0 && line[n - 1] == ' ') {
        n--;
    }
    for (; n > 0 && line[0] == ' '; n--) {
        line++;
    }
    const char *stripped = arena_printf(&c->a, "%.*s", (int)n, line);
    assert_non_null(stripped);
    return stripped;
}

static int cut(enum document document, const char *text, bool is_told, int *n)
{
    struct cutter c = {.document = document, .was_blank = true, .is_told = is_told};
    arena_init(&c.a, (size_t)64 << 20);
    for (bool is_first = true; *text; is_first = false) {
        const char *end = strchr(text, '\n');
        size_t const n_line = end ? (size_t)(end - text) : strlen(text);
        const char *line = strip(&c, text, n_line);
        c.is_table = is_first ? ends(line, "| |") : c.is_table;
        if (c.is_table && ends(line, "|")) {
            line = strip(&c, line, strlen(line) - (ends(line, "| |") ? 3 : 1));
        }
        put_line(&c, line);
        text += n_line + (end ? 1 : 0);
    }
    end_unit(&c);
    arena_free(&c.a);
    *n = c.n;
    return c.n_wrong;
}

static void the_texts_have_these_units(void **state)
{
    (void)state;
    const char *folder = getenv("SEEDS_TEXTS");
    int n_wrong = 0;
    if (!folder) {
        skip();
    }
    for (int d = 0; d < DOC_N; d++) {
        static char text[1 << 18];
        char path[4096];
        int n = 0, n_units = 0;
        (void)snprintf(path, sizeof path, "%s/%s.txt", folder, documents[d]);
        FILE *f = fopen(path, "rb");
        if (!f) {
            fail_msg("%s: not there", path);
            return;
        }
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        (void)fclose(f);
        n_wrong += cut((enum document)d, text, true, &n);
        for (size_t i = 0; i < ARRAY_N(units); i++) {
            n_units += (int)units[i].document == d;
        }
        n_wrong += n != n_units;
    }
    assert_int_equal(n_wrong, 0);
}

/* ---- the rules, on a text of our own ---- */

static void rules_cut_as_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n;
    } rows[] = {
        {"One sentence. Another one.\n",                       2},
        {"Table 5. List\n",                                    1},
        {"J. Doe writes this line. It ends\n",                 2},
        {"a line that goes\non here\n",                        1},
        {"a line that goes\nOn here\n",                        2},
        {"a call(x)\nb\n",                                     2},
        {"one, two, three, four,\nFive\n",                     1},
        {"one, two,\nFive\n",                                  2},
        {"// a comment. Its second sentence\n// more\ncode\n", 2},
        {"for (;;) {\n\nx. Y\n}\nbehind\n",                    2},
        {"first | |\n\nand more | |\n",                        1},
        {"first. | |\n\nand more | |\n",                       2},
        {"Overview | |\n\nand more | |\n",                     2},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        int n;
        assert_int_equal(cut(DOC_MIN_MAX, rows[i].text, false, &n), rows[i].n);
        assert_int_equal(n, rows[i].n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_has_a_row_or_a_reason),
        cmocka_unit_test(each_row_has_a_unit),
        cmocka_unit_test(rules_cut_as_they_say),
        cmocka_unit_test(the_texts_have_these_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
