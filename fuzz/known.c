/* fuzz/known.c -- findings that are expected: corpora/known.tsv. */
#include "fuzz/known.h"

#include <string.h>

enum {
    KNOWN_COLUMNS = 5
};
#define KNOWN_MAX_BYTES ((size_t)4 << 20)

static enum res take_line(struct known *k, const char *line, size_t n, int number, struct arena *a,
                          struct err *e)
{
    const char *columns[KNOWN_COLUMNS] = {NULL};
    size_t start = 0;
    int n_columns = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && line[i] != '\t') {
            continue;
        }
        if (n_columns < KNOWN_COLUMNS) {
            columns[n_columns] = arena_printf(a, "%.*s", (int)(i - start), line + start);
        }
        n_columns++;
        start = i + 1;
    }
    if (n_columns != KNOWN_COLUMNS) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: %d columns, target version signature clause note are"
                       " needed",
                       k->path, number, n_columns);
    }
    if (clause_find(columns[3]) < 0) {
        return err_set(e, RES_FORMAT, "%s:%d: clause \"%.60s\" is unknown", k->path, number,
                       columns[3]);
    }
    if (k->n == KNOWN_MAX_ROWS) {
        return err_set(e, RES_LIMIT, "%s:%d: more than %d rows", k->path, number, KNOWN_MAX_ROWS);
    }
    k->rows[k->n++] =
        (struct known_row){columns[0], columns[1], columns[2], columns[3], columns[4], number, 0};
    return RES_OK;
}

enum res known_read(struct known *out, const char *path, struct arena *a, struct err *e)
{
    const unsigned char *text = NULL;
    size_t n = 0;
    *out = (struct known){.path = path};
    enum res r = file_read(path, KNOWN_MAX_BYTES, a, &text, &n, e);
    if (r != RES_OK) {
        return r;
    }
    out->rows = ARENA_NEW(a, struct known_row, KNOWN_MAX_ROWS);
    if (!out->rows) {
        return err_set(e, RES_NOMEM, "%s: does not fit", path);
    }
    int number = 0;
    for (size_t at = 0; at < n && r == RES_OK;) {
        const char *line = (const char *)text + at;
        const char *newline = memchr(line, '\n', n - at);
        size_t const length = newline ? (size_t)(newline - line) : n - at;
        number++;
        at += length + 1;
        if (memchr(line, '\0', length)) {
            r = err_set(e, RES_FORMAT, "%s:%d: holds a zero byte", path, number);
        } else if (length > 0 && line[0] != '#') {
            r = take_line(out, line, length, number, a, e);
        }
    }
    return r;
}

/* The whole signature, or its beginning when the row's ends in "*". */
static int fits(const char *pattern, const char *signature)
{
    size_t const n = strlen(pattern);
    if (n > 0 && pattern[n - 1] == '*') {
        return strncmp(pattern, signature, n - 1) == 0;
    }
    return strcmp(pattern, signature) == 0;
}

const struct known_row *known_find(struct known *k, const char *target, const char *facts,
                                   const char *signature, const char *clause)
{
    for (uint32_t i = 0; i < k->n; i++) {
        struct known_row *row = &k->rows[i];
        if (strcmp(row->target, target) == 0 && fits(row->signature, signature) &&
            strcmp(row->clause, clause) == 0 &&
            (strcmp(row->version, "*") == 0 || strstr(facts, row->version))) {
            row->is_seen = 1;
            return row;
        }
    }
    return NULL;
}
