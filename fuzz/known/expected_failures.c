/* fuzz/known/expected_failures.c -- findings that are expected: corpora/known.tsv. */
#include "fuzz/known/expected_failures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_group.h"
#include "fuzz/known/known_shape.h"
#include "fuzz/known/version_range.h"
#include "fuzz/targets/targets_sim.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

enum {
    EXPECTED_MIN_COLUMNS = 5,
    EXPECTED_COLUMNS = 6,
    EXPECTED_NAME_BYTES = 128 /* of a target, and its NUL */
};
#define EXPECTED_MAX_BYTES ((size_t)4 << 20)

/* Is the text a day of the calendar, as YYYY-MM-DD? */
static bool is_date(const char *text)
{
    static const char shape[] = "dddd-dd-dd";
    static const int n_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (strlen(text) != EXPECTED_DATE_BYTES - 1) {
        return false;
    }
    for (int i = 0; shape[i]; i++) {
        if (shape[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i]) {
            return false;
        }
    }
    long const year = strtol(text, NULL, 10), month = strtol(text + 5, NULL, 10),
               day = strtol(text + 8, NULL, 10);
    if (month < 1 || month > 12) {
        return false;
    }
    bool const is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= n_days[month - 1] + (month == 2 && is_leap);
}

/* A signature that is a known bug, "known FAULT:instruction:type": then the words behind the first; else NULL. */
static const char *get_bug(const char *signature)
{
    static const char word[] = "known ";
    return strncmp(signature, word, sizeof word - 1) == 0 ? signature + sizeof word - 1 : NULL;
}

static const char *get_signature(const struct expected_failure *row, uint32_t i)
{
    return i == 0 ? row->signature : row->also[i - 1];
}

/* A model or a shape of a row, as its number among the row's signatures; NULL: that one is neither. */
static const char *get_model(const struct expected_failure *row, uint32_t i)
{
    const char *const signature = get_signature(row, i), *const bug = get_bug(signature);
    return bug ? bug : known_shape_is(signature) ? signature : NULL;
}

/* What the row's models and shapes are called in findings, all of them by the first; NULL: it has none. */
static const char *get_name(const struct expected_failure *row)
{
    const char *name = NULL;
    for (uint32_t i = 0; i <= row->n_also && !name; i++) {
        name = get_model(row, i);
    }
    return name;
}

/* Split a line at its tabs. Returns how many columns there are; those beyond EXPECTED_COLUMNS are not kept. */
static int split_line(const char *line, size_t n, const char *columns[EXPECTED_COLUMNS],
                      struct arena *a)
{
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
    return n_columns;
}

/* Is a model one that there is, is a condition understood? RES_FORMAT names the line. */
static enum res check_signature(const struct expected_failures *k, const char *signature,
                                int number, struct arena *a, struct err *e)
{
    struct fault_plan plan;
    struct known_shape shape;
    struct err inner;
    bool const is_bug = get_bug(signature) != NULL;
    if ((is_bug && targets_read_plan(get_bug(signature), &plan, a, &inner) != RES_OK) ||
        (!is_bug && known_shape_is(signature) &&
         known_shape_parse(signature, &shape, a, &inner) != RES_OK)) {
        return err_set(e, RES_FORMAT, "%s:%d: %s", k->path, number, inner.text);
    }
    return RES_OK;
}

/* A line that begins with a tab is an additional signature of the row before it. */
static enum res take_more_signatures(struct expected_failures *k, const char *line, size_t n,
                                     int number, struct arena *a, struct err *e)
{
    const char *const signature = arena_printf(a, "%.*s", (int)(n - 1), line + 1);
    if (k->n == 0 || !signature[0] || strchr(signature, '\t')) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: a line that begins with a tab adds a signature to the row before it "
                       "and has no other column",
                       k->path, number);
    }
    TRY(check_signature(k, signature, number, a, e));
    struct expected_failure *const row = &k->rows[k->n - 1];
    const char **const all = ARENA_NEW(a, const char *, (size_t)row->n_also + 1);
    if (!all || a->is_full) {
        return err_set(e, RES_NOMEM, "%s:%d: does not fit", k->path, number);
    }
    for (uint32_t i = 0; i < row->n_also; i++) {
        all[i] = row->also[i];
    }
    all[row->n_also++] = signature;
    row->also = all;
    return RES_OK;
}

/* Check one line of a list of expected failures and add it as a row. Its columns are separated
 * by tabs. The last column, the last day on which the failure is expected, may be missing; the row
 * is expired from the next day on. RES_FORMAT names the line. */
static enum res take_line(struct expected_failures *k, const char *line, size_t n, int number,
                          const char *today, struct arena *a, struct err *e)
{
    const char *columns[EXPECTED_COLUMNS] = {"", "", "", "", "", ""};
    int const n_columns = split_line(line, n, columns, a);
    struct expected_failure const row = {.targets = columns[0],
                                         .versions = columns[1],
                                         .signature = columns[2],
                                         .clause = columns[3],
                                         .note = columns[4],
                                         .expires = columns[5],
                                         .line = number,
                                         .is_expired =
                                             columns[5][0] && strcmp(columns[5], today) < 0};
    if (n_columns != EXPECTED_COLUMNS && n_columns != EXPECTED_MIN_COLUMNS) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: %d columns, target version signature clause note are"
                       " needed, and the last day if there is one",
                       k->path, number, n_columns);
    }
    if (a->is_full) { /* a row without its text would expect another finding */
        return err_set(e, RES_NOMEM, "%s:%d: does not fit", k->path, number);
    }
    if (row.expires[0] && !is_date(row.expires)) {
        return err_set(e, RES_FORMAT, "%s:%d: \"%.40s\" is not a date; YYYY-MM-DD is needed",
                       k->path, number, row.expires);
    }
    if (!version_range_is(row.versions)) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: \"%.40s\" is not a range of versions; *, 22.3.6 or 22.3.6..26.2 is"
                       " needed",
                       k->path, number, row.versions);
    }
    if (clause_find(row.clause) < 0) {
        return err_set(e, RES_FORMAT, "%s:%d: clause \"%.60s\" is unknown", k->path, number,
                       row.clause);
    }
    TRY(check_signature(k, row.signature, number, a, e));
    if (k->n == EXPECTED_MAX_ROWS) {
        return err_set(e, RES_LIMIT, "%s:%d: more than %d rows", k->path, number,
                       EXPECTED_MAX_ROWS);
    }
    k->rows[k->n++] = row;
    return RES_OK;
}

/* Read a list of expected failures, one row a line, without empty lines and those that begin
 * with '#'. A line that begins with a tab continues the row above it. `today`, as YYYY-MM-DD,
 * decides which rows are expired; dates of this form compare as text. */
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
        } else if (length > 0 && line[0] == '\t') {
            r = take_more_signatures(out, line, length, number, a, e);
        } else if (length > 0 && line[0] != '#') {
            r = take_line(out, line, length, number, today, a, e);
        }
    }
    return r;
}

/* What a driver does wrong it does in whatever language it is given the program: a row of NAME holds for
 * NAME-c, the same driver given source, too, and for NAME:REWRITE, the same with a planted fault besides. */
static bool is_of_driver(const char *target, const char *driver, size_t n)
{
    return strncmp(target, driver, n) == 0 &&
           (!target[n] || target[n] == ':' || strcmp(target + n, TARGET_SOURCE_SUFFIX) == 0);
}

bool expected_failures_is_about(const struct expected_failure *row, const char *target,
                                const char *facts)
{
    char like[EXPECTED_NAME_BYTES] = "";
    bool is_it = false;
    (void)facts_get(facts ? facts : "", "target.like", like, sizeof like);
    for (const char *at = row->targets; *at && !is_it; at += at[0] == ',') {
        size_t const n = strcspn(at, ",");
        is_it = is_of_driver(target, at, n) || is_of_driver(like, at, n);
        at += n;
    }
    return is_it && (!facts || version_range_has(row->versions, facts));
}

/* Does the row stand for the signature of a finding? */
static bool fits_finding(const struct expected_failure *row, const char *signature)
{
    const char *const at = strstr(signature, known_mark);
    bool is_it = false;
    for (uint32_t i = 0; i <= row->n_also && !is_it; i++) {
        const char *const model = get_model(row, i);
        is_it = at ? model && strcmp(at + strlen(known_mark), model) == 0
                   : !model && signature_fits(signature, get_signature(row, i));
    }
    return is_it;
}

const struct expected_failure *expected_failures_find(struct expected_failures *k,
                                                      const char *target, const char *facts,
                                                      const char *signature)
{
    for (uint32_t i = 0; i < k->n; i++) {
        struct expected_failure *row = &k->rows[i];
        if (expected_failures_is_about(row, target, facts) && fits_finding(row, signature)) {
            row->n_seen++;
            if (!row->is_expired) {
                return row;
            }
        }
    }
    return NULL;
}

/* A model or a shape of a row as a bug. */
static enum res put_bug(const char *name, const char *text, struct known_bug *out, struct arena *a,
                        struct err *e)
{
    *out = (struct known_bug){.name = name};
    if (!known_shape_is(text)) {
        return targets_read_plan(text, &out->plan, a, e);
    }
    struct known_shape *const shape = ARENA_NEW(a, struct known_shape, 1);
    if (!shape) {
        return err_set(e, RES_NOMEM, "\"%.80s\" does not fit", text);
    }
    out->shape = shape;
    return known_shape_parse(text, shape, a, e);
}

enum res expected_failures_list_bugs(const struct expected_failures *k, const char *target,
                                     const char *facts, struct known_bugs *out, struct arena *a,
                                     struct err *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        n += 1 + k->rows[i].n_also;
    }
    *out = (struct known_bugs){.bug = ARENA_NEW(a, struct known_bug, n + 1)};
    if (!out->bug) {
        return err_set(e, RES_NOMEM, "%s: does not fit", k->path);
    }
    for (uint32_t i = 0; i < k->n; i++) {
        const struct expected_failure *const row = &k->rows[i];
        bool const is_asked = !row->is_expired && expected_failures_is_about(row, target, facts);
        for (uint32_t m = 0; is_asked && m <= row->n_also; m++) {
            if (get_model(row, m)) {
                TRY(put_bug(get_name(row), get_model(row, m), &out->bug[out->n++], a, e));
            }
        }
    }
    return RES_OK;
}

enum res expected_failures_mark(struct expected_failures *k, struct campaign *c, struct arena *a,
                                struct err *e)
{
    for (uint32_t i = 0; i < k->n; i++) {
        k->rows[i].n_seen = 0;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct campaign_finding *f = &c->findings[i];
        const struct campaign_target *t = campaign_find_target(c, f->target_id);
        const char *const signature =
            f->known_as ? arena_printf(a, "%s%s%s", f->signature, known_mark, f->known_as)
                        : f->signature;
        f->expected = t ? expected_failures_find(k, t->name, t->facts, signature) : NULL;
    }
    c->expected = k->path;
    c->n_rows = k->n;
    c->rows = k->rows;
    return campaign_group(c, a, e);
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
