/* fuzz/gtest/gtest_lists.c -- lists of expected results, as deqp-runner reads them. */
#include "fuzz/gtest/gtest_lists.h"

#include <inttypes.h>
#include <regex.h>
#include <string.h>

#include "base/file.h"

enum {
    LIST_MAX_BYTES = 8 << 20,
    LIST_MAX_LINES = 65536
};

const char *const gtest_result_names[GTEST_RESULT_N] = {"Pass", "Fail", "Crash", "Skip"};

struct expected {
    const char *name;
    enum gtest_result result;
};
struct patterns {
    uint32_t n;
    regex_t *regex;
};
struct gtest_lists {
    uint32_t n_expected;
    struct expected *expected;
    struct patterns flakes, skips;
};

/* The lines of a file that say something, in the arena; none of NULL. */
static enum res read_lines(const char *path, const char ***out, uint32_t *n, struct arena *a,
                           struct err *e)
{
    const unsigned char *text = (const unsigned char *)"";
    size_t n_bytes = 0;
    *n = 0;
    *out = ARENA_NEW(a, const char *, LIST_MAX_LINES);
    if (!*out) {
        return err_set(e, RES_NOMEM, "no memory for a list");
    }
    enum res const r = path ? file_read(path, LIST_MAX_BYTES, a, &text, &n_bytes, e) : RES_OK;
    if (r != RES_OK) {
        return r == RES_IO ? e->code = RES_USAGE : r; /* the user named it */
    }
    for (size_t at = 0; at < n_bytes;) {
        const unsigned char *const end = memchr(text + at, '\n', n_bytes - at);
        size_t const n_line = end ? (size_t)(end - text) - at : n_bytes - at;
        size_t const n_text = n_line - (n_line > 0 && text[at + n_line - 1] == '\r');
        const char *const line = arena_printf(a, "%.*s", (int)n_text, (const char *)text + at);
        at += n_line + 1;
        if (*n == LIST_MAX_LINES) {
            return err_set(e, RES_LIMIT, "%s: more than %d lines", path, LIST_MAX_LINES);
        }
        if (line[strspn(line, " \t")] && line[0] != '#') {
            (*out)[(*n)++] = line;
        }
    }
    return RES_OK;
}

const char *gtest_make_pattern(const char *name, struct arena *a)
{
    const char *out = "^";
    while (*name) {
        size_t const n = strcspn(name, ".");
        out = arena_printf(a, "%s%.*s%s", out, (int)n, name, name[n] ? "\\." : "");
        name += n + (name[n] != '\0');
    }
    return arena_printf(a, "%s$", out);
}

enum gtest_result gtest_get_result(enum verdict_kind kind)
{
    if (verdict_rows[kind].part != PART_VIOLATION) {
        return GTEST_PASS;
    }
    bool const is_death =
        kind == VERDICT_CRASH || kind == VERDICT_EXIT || kind == VERDICT_DEVICE_LOST;
    return is_death ? GTEST_CRASH : GTEST_FAIL;
}

static enum res read_fails(struct gtest_lists *l, const char *path, struct arena *a, struct err *e)
{
    const char **lines;
    uint32_t n = 0;
    TRY(read_lines(path, &lines, &n, a, e));
    l->expected = ARENA_NEW(a, struct expected, n + 1);
    if (!l->expected) {
        return err_set(e, RES_NOMEM, "%s: no memory", path);
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t const n_name = strcspn(lines[i], ",");
        const char *const word = lines[i] + n_name + (lines[i][n_name] == ',');
        int result = GTEST_CRASH;
        while (result > GTEST_PASS && strcmp(word, gtest_result_names[result]) != 0) {
            result--;
        }
        if (result == GTEST_PASS) {
            return err_set(e, RES_FORMAT, "%s: \"%.80s\": NAME,Fail or NAME,Crash is needed", path,
                           lines[i]);
        }
        l->expected[l->n_expected++] = (struct expected){
            arena_printf(a, "%.*s", (int)n_name, lines[i]), (enum gtest_result)result};
    }
    return RES_OK;
}

static enum res read_patterns(struct patterns *p, const char *path, struct arena *a, struct err *e)
{
    const char **lines;
    uint32_t n = 0;
    TRY(read_lines(path, &lines, &n, a, e));
    p->regex = ARENA_NEW(a, regex_t, n + 1);
    if (!p->regex) {
        return err_set(e, RES_NOMEM, "%s: no memory", path);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (regcomp(&p->regex[p->n], lines[i], REG_EXTENDED | REG_NOSUB) != 0) {
            return err_set(e, RES_FORMAT, "%s: \"%.80s\" is no regular expression", path, lines[i]);
        }
        p->n++;
    }
    return RES_OK;
}

static enum res read_all(struct gtest_lists *l, const struct gtest_list_files *files,
                         struct arena *a, struct err *e)
{
    TRY(read_fails(l, files->fails, a, e));
    TRY(read_patterns(&l->flakes, files->flakes, a, e));
    return read_patterns(&l->skips, files->skips, a, e);
}

enum res gtest_lists_read(struct gtest_lists **out, const struct gtest_list_files *files,
                          struct arena *a, struct err *e)
{
    struct gtest_lists *const l = ARENA_NEW(a, struct gtest_lists, 1);
    *out = NULL;
    if (!l) {
        return err_set(e, RES_NOMEM, "no memory for the lists");
    }
    *l = (struct gtest_lists){.n_expected = 0};
    enum res const r = read_all(l, files, a, e);
    if (r != RES_OK) {
        gtest_lists_free(l);
        return r;
    }
    *out = l;
    return RES_OK;
}

static void free_patterns(struct patterns *p)
{
    while (p->n > 0) {
        regfree(&p->regex[--p->n]);
    }
}

void gtest_lists_free(struct gtest_lists *l)
{
    if (l) {
        free_patterns(&l->flakes);
        free_patterns(&l->skips);
    }
}

enum gtest_result gtest_lists_get_expected(const struct gtest_lists *l, const char *name)
{
    for (uint32_t i = 0; i < l->n_expected; i++) {
        if (strcmp(l->expected[i].name, name) == 0) {
            return l->expected[i].result;
        }
    }
    return GTEST_PASS;
}

static bool is_in(const struct patterns *p, const char *name)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (regexec(&p->regex[i], name, 0, NULL, 0) == 0) {
            return true;
        }
    }
    return false;
}

bool gtest_lists_is_flake(const struct gtest_lists *l, const char *name)
{
    return is_in(&l->flakes, name);
}

bool gtest_lists_is_skip(const struct gtest_lists *l, const char *name)
{
    return is_in(&l->skips, name);
}
