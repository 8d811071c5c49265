/* fuzz/known/bug_states.c -- the states of bugs, as people write them down. */
#include "fuzz/known/bug_states.h"

#include <string.h>

#include "base/caps.h"
#include "base/file.h"
#include "base/version.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "fuzz/known/columns.h"
#include "fuzz/known/expected_failures.h"
#include "oracle/judgement/judgement.h"

enum {
    N_COLUMNS = 4,
    DRIVER_BYTES = 256
};
#define STATES_MAX_BYTES ((size_t)4 << 20)

/* The state that a column names, and what stands behind its words; false: it is none. */
static bool take_state(const char *text, struct bug_state *out)
{
    for (int i = 0; i < BUG_STATE_N; i++) {
        size_t const n = strlen(bug_state_names[i]);
        bool const has_detail = i == BUG_STATE_FIXED || i == BUG_STATE_DUPLICATE;
        if (strncmp(text, bug_state_names[i], n) != 0) {
            continue;
        }
        out->kind = (enum bug_state_kind)i;
        out->detail = has_detail && text[n] == ' ' ? text + n + 1 : "";
        return has_detail ? out->detail[0] != '\0' : text[n] == '\0';
    }
    return false;
}

/* Check one line of a file of bug states and add it as a row. Its columns are target, signature, state and note;
 * the state is read by take_state, and "fixed in" must be followed by a version. RES_FORMAT says what is wrong. */
static enum res take_line(struct bug_states *s, char *line, int number, struct err *e)
{
    struct bug_state row = {.line = number};
    const char *columns[N_COLUMNS] = {NULL};
    int const n_columns = columns_split(line, columns, N_COLUMNS);
    if (n_columns != N_COLUMNS) {
        return err_set(
            e, RES_FORMAT,
            "%s:%d: %d columns; target, signature, state and note are needed, with a tab "
            "between each",
            s->path, number, n_columns);
    }
    row.targets = columns[0];
    row.signature = columns[1];
    row.note = columns[3];
    if (!row.targets[0] || !row.signature[0]) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: no %s; the page has for each bug the command that writes such a "
                       "row, below \"Evidence\"",
                       s->path, number, row.targets[0] ? "signature" : "target");
    }
    if (!take_state(columns[2], &row)) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: state \"%.60s\": open, fixed in VERSION, duplicate of BUG, not seen "
                       "or invalid is needed",
                       s->path, number, columns[2]);
    }
    struct version const version = version_take(row.detail);
    bool const is_version = version.n > 0 && !version.at[version.n]; /* nothing follows it */
    if (row.kind == BUG_STATE_FIXED && !is_version) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: \"%.40s\" is not a version; numbers separated by dots are needed, "
                       "such as 25.0.7",
                       s->path, number, row.detail);
    }
    if (s->n == BUG_STATES_MAX_ROWS) {
        return err_set(e, RES_LIMIT, "%s:%d: more than %d rows", s->path, number,
                       BUG_STATES_MAX_ROWS);
    }
    s->rows[s->n++] = row;
    return RES_OK;
}

/* Read a file of bug states: one row a line, without empty lines and those that begin with '#'.
 * The rows point into copies of the lines in `a`. */
enum res bug_states_read(struct bug_states *out, const char *path, struct arena *a, struct err *e)
{
    const unsigned char *text = NULL;
    size_t n = 0;
    int number = 0;
    *out = (struct bug_states){.path = path};
    TRY(file_read(path, STATES_MAX_BYTES, a, &text, &n, e));
    out->rows = ARENA_NEW(a, struct bug_state, BUG_STATES_MAX_ROWS);
    if (!out->rows) {
        return err_set(e, RES_NOMEM, "%s: does not fit", path);
    }
    for (size_t at = 0; at < n;) {
        const char *const line = (const char *)text + at;
        const char *const newline = memchr(line, '\n', n - at);
        size_t const length = newline ? (size_t)(newline - line) : n - at;
        number++;
        at += length + 1;
        char *copy = NULL;
        TRY(columns_copy(path, number, line, length, &copy, a, e));
        if (copy[0] && copy[0] != '#') {
            TRY(take_line(out, copy, number, e));
        }
    }
    return RES_OK;
}

/* Is it there although the row says that it is gone? */
static int is_back(const struct bug_state *row, const char *facts)
{
    char driver[DRIVER_BYTES] = "";
    if (row->kind != BUG_STATE_FIXED) {
        return row->kind == BUG_STATE_NOT_SEEN;
    }
    (void)facts_get(facts, "driver", driver, sizeof driver);
    struct version const own = version_find(driver);
    return own.n == 0 || version_compare(own, version_take(row->detail)) >= 0;
}

static void mark(struct bug_states *s, struct campaign_finding *f, const struct campaign_target *t)
{
    for (uint32_t i = 0; i < s->n && !f->state; i++) {
        struct bug_state *const row = &s->rows[i];
        struct expected_failure const about = {.targets = row->targets, .versions = "*"};
        if (expected_failures_is_about(&about, t->name, NULL) &&
            signature_fits(f->signature, row->signature)) {
            row->n_seen++;
            f->state = row;
            f->is_back = is_back(row, t->facts);
        }
    }
}

void bug_states_mark(struct bug_states *s, struct campaign *c)
{
    for (uint32_t i = 0; i < s->n; i++) {
        s->rows[i].n_seen = 0;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct campaign_finding *const f = &c->findings[i];
        const struct campaign_target *const t = campaign_find_target(c, f->target_id);
        f->state = NULL;
        f->is_back = 0;
        if (t && f->bucket == i && campaign_is_violation(f)) {
            mark(s, f, t);
        }
    }
    c->states = s->path;
    c->n_states = s->n;
    c->state_rows = s->rows;
}
