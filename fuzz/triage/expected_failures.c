/* fuzz/triage/expected_failures.c -- findings that are expected: corpora/known.tsv. */
#include "fuzz/triage/expected_failures.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "oracle/judge/judgement.h"
#include "oracle/tables/tables.h"

enum {
    EXPECTED_MIN_COLUMNS = 5,
    EXPECTED_COLUMNS = 6
};
#define EXPECTED_MAX_BYTES ((size_t)4 << 20)

/* A day of the calendar, as YYYY-MM-DD. */
static bool is_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int part[3] = {0, 0, 0};
    if (strlen(text) != EXPECTED_DATE_BYTES - 1) {
        return false;
    }
    for (int i = 0, k = 0; text[i]; i++) {
        if (i == 4 || i == 7) {
            if (text[i] != '-') {
                return false;
            }
            k++;
        } else if (!isdigit((unsigned char)text[i])) {
            return false;
        } else {
            part[k] = part[k] * 10 + (text[i] - '0');
        }
    }
    bool const is_leap = part[0] % 4 == 0 && (part[0] % 100 != 0 || part[0] % 400 == 0);
    return part[1] >= 1 && part[1] <= 12 && part[2] >= 1 &&
           part[2] <= days[part[1] - 1] + (part[1] == 2 && is_leap);
}

static enum res take_line(struct expected_failures *k, const char *line, size_t n, int number,
                          const char *today, struct arena *a, struct err *e)
{
    const char *columns[EXPECTED_COLUMNS] = {NULL};
    size_t start = 0;
    int n_columns = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && line[i] != '\t') {
            continue;
        }
        if (n_columns < EXPECTED_COLUMNS) {
            columns[n_columns] = arena_printf(a, "%.*s", (int)(i - start), line + start);
        }
        n_columns++;
        start = i + 1;
    }
    if (n_columns != EXPECTED_COLUMNS && n_columns != EXPECTED_MIN_COLUMNS) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: %d columns, target version signature clause note are"
                       " needed, and the last day if there is one",
                       k->path, number, n_columns);
    }
    if (a->is_full) { /* a row without its text would expect another finding */
        return err_set(e, RES_NOMEM, "%s:%d: does not fit", k->path, number);
    }
    const char *expires = n_columns == EXPECTED_COLUMNS ? columns[5] : "";
    if (expires[0] && !is_date(expires)) {
        return err_set(e, RES_FORMAT, "%s:%d: \"%.40s\" is no day, YYYY-MM-DD is needed", k->path,
                       number, expires);
    }
    if (clause_find(columns[3]) < 0) {
        return err_set(e, RES_FORMAT, "%s:%d: clause \"%.60s\" is unknown", k->path, number,
                       columns[3]);
    }
    if (k->n == EXPECTED_MAX_ROWS) {
        return err_set(e, RES_LIMIT, "%s:%d: more than %d rows", k->path, number,
                       EXPECTED_MAX_ROWS);
    }
    k->rows[k->n++] =
        (struct expected_failure){.target = columns[0],
                                  .version = columns[1],
                                  .signature = columns[2],
                                  .clause = columns[3],
                                  .note = columns[4],
                                  .expires = expires,
                                  .line = number,
                                  .is_expired = expires[0] && strcmp(expires, today) < 0};
    return RES_OK;
}

enum res expected_failures_read(struct expected_failures *out, const char *path, const char *today,
                                struct arena *a, struct err *e)
{
    const unsigned char *text = NULL;
    size_t n = 0;
    *out = (struct expected_failures){.path = path};
    enum res r = file_read(path, EXPECTED_MAX_BYTES, a, &text, &n, e);
    if (r != RES_OK) {
        return r;
    }
    out->rows = ARENA_NEW(a, struct expected_failure, EXPECTED_MAX_ROWS);
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
            r = take_line(out, line, length, number, today, a, e);
        }
    }
    return r;
}

static bool fits_row(const struct expected_failure *row, const char *target, const char *facts,
                     const char *signature, const char *clause)
{
    return strcmp(row->target, target) == 0 && signature_fits(signature, row->signature) &&
           strcmp(row->clause, clause) == 0 &&
           (strcmp(row->version, "*") == 0 || strstr(facts, row->version));
}

const struct expected_failure *expected_failures_find(struct expected_failures *k,
                                                      const char *target, const char *facts,
                                                      const char *signature, const char *clause)
{
    for (uint32_t i = 0; i < k->n; i++) {
        struct expected_failure *row = &k->rows[i];
        if (fits_row(row, target, facts, signature, clause)) {
            row->n_seen++;
            if (!row->is_expired) {
                return row;
            }
        }
    }
    return NULL;
}

void expected_failures_mark(struct expected_failures *k, struct campaign *c)
{
    for (uint32_t i = 0; i < k->n; i++) {
        k->rows[i].n_seen = 0;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct campaign_finding *f = &c->findings[i];
        const struct campaign_target *t = campaign_find_target(c, f->target_id);
        f->expected =
            t ? expected_failures_find(k, t->name, t->facts, f->signature, f->clause) : NULL;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct campaign_finding *f = &c->findings[i];
        f->expected = f->expected ? f->expected : c->findings[f->bucket].expected;
    }
    c->expected = k->path;
    c->n_rows = k->n;
    c->rows = k->rows;
}

void expected_failures_get_today(char out[EXPECTED_DATE_BYTES])
{
    time_t const now = time(NULL);
    struct tm tm;
    out[0] = '\0';
    if (gmtime_r(&now, &tm)) {
        (void)strftime(out, EXPECTED_DATE_BYTES, "%Y-%m-%d", &tm);
    }
}
