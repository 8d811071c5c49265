/* fuzz/known/history.c -- bugs over nights, as a file that each report goes on with. */
#include "fuzz/known/history.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "fuzz/known/columns.h"
#include "oracle/judgement/judgement.h"

enum {
    N_COLUMNS = 5,
    MAX_LINES = 1 << 20
};
#define HISTORY_MAX_BYTES ((size_t)256 << 20)

static const char night_state[] = "night", new_state[] = "new", open_state[] = "open",
                  aside_state[] = "aside", fixed_state[] = "fixed";

static bool is_state(const char *text)
{
    static const char *const states[] = {night_state, new_state, open_state, aside_state,
                                         fixed_state};
    for (size_t i = 0; i < ARRAY_N(states); i++) {
        if (strcmp(states[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static enum res take_line(struct history *h, char *line, int number, struct err *e)
{
    const char *columns[N_COLUMNS] = {NULL};
    int const n = columns_split(line, columns, N_COLUMNS);
    if (n != N_COLUMNS || !is_state(columns[1])) {
        return err_set(e, RES_FORMAT,
                       "%s:%d: not a line of a history; it needs night, state (night, new, open, "
                       "aside or fixed), target, signature and title, separated by tabs",
                       h->path, number);
    }
    if (h->n > 0 && strcmp(h->lines[h->n - 1].night, columns[0]) > 0) {
        return err_set(e, RES_FORMAT, "%s:%d: this night is earlier than that of the line above",
                       h->path, number);
    }
    h->lines[h->n++] =
        (struct history_line){columns[0], columns[1], columns[2], columns[3], columns[4]};
    return RES_OK;
}

/* Read a history file, one line a bug and night, without empty lines and those that begin with '#'. The lines are
 * counted first, to allocate their array. A missing file is a history without nights. */
enum res history_read(struct history *out, const char *path, struct arena *a, struct err *e)
{
    const unsigned char *text = NULL;
    size_t n = 0;
    int number = 0;
    uint32_t n_lines = 1; /* the last line may have no newline */
    *out = (struct history){.path = path};
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        return RES_OK;
    }
    TRY(file_read(path, HISTORY_MAX_BYTES, a, &text, &n, e));
    for (size_t i = 0; i < n; i++) {
        n_lines += text[i] == '\n';
    }
    out->lines = n_lines <= MAX_LINES ? ARENA_NEW(a, struct history_line, n_lines) : NULL;
    if (!out->lines) {
        return err_set(e, RES_LIMIT, "%s: more lines than a history may have", path);
    }
    for (size_t at = 0; at < n;) {
        const char *const line = (const char *)text + at;
        const char *const newline = memchr(line, '\n', n - at);
        size_t const length = newline ? (size_t)(newline - line) : n - at;
        number++;
        at += length + 1;
        if (length == 0 || line[0] == '#') {
            continue;
        }
        char *copy = NULL;
        TRY(columns_copy(path, number, line, length, &copy, a, e));
        TRY(take_line(out, copy, number, e));
    }
    return RES_OK;
}

/* ---- the campaign's own night ---- */

/* What is written in a column: one line without tabs. */
static const char *make_column(const char *text, struct arena *a)
{
    const char *const printed = printable_copy(a, text ? text : "");
    return printed[0] ? printed : "-";
}

static bool is_bug(const struct campaign *c, uint32_t i)
{
    return c->findings[i].bucket == i && campaign_is_violation(&c->findings[i]);
}

static const char *state_of(const struct campaign *c, const struct campaign_finding *f)
{
    return campaign_is_new(c, f)                  ? new_state
           : f->expected || campaign_is_closed(f) ? aside_state
                                                  : open_state;
}

/* The first night before the campaign's that met a bug of that target and core, after it was fixed if it was; its own:
 * none did. */
static const char *find_since(const struct history *h, const struct campaign *c,
                              const struct campaign_finding *f, struct arena *a)
{
    const struct campaign_target *const t = campaign_find_target(c, f->target_id);
    const char *const target = make_column(t ? t->name : "", a);
    const char *const core = make_column(f->core, a);
    const char *since = NULL;
    for (uint32_t i = 0; i < h->n && strcmp(h->lines[i].night, c->started) < 0; i++) {
        const struct history_line *const x = &h->lines[i];
        if (strcmp(x->target, target) == 0 && core_is_of(core, x->core)) {
            bool const is_fixed = strcmp(x->state, fixed_state) == 0;
            since = is_fixed ? NULL : since ? since : x->night;
        }
    }
    return since ? since : c->started;
}

static void count_line(struct campaign_night *n, const char *state)
{
    n->n_new += strcmp(state, new_state) == 0;
    n->n_open += strcmp(state, new_state) == 0 || strcmp(state, open_state) == 0;
    n->n_fixed += strcmp(state, fixed_state) == 0;
}

/* Compare a campaign with the nights before it. Each bug of the campaign gets `since`, the first night that met
 * it after its last fix. c->nights gets the counts of bugs of each earlier night, summed over its lines in the
 * history, and of the campaign's own night as the last one. */
enum res history_mark(const struct history *h, struct campaign *c, struct arena *a, struct err *e)
{
    struct campaign_night *const nights = ARENA_NEW(a, struct campaign_night, h->n + 1);
    uint32_t n_before = 0; /* nights before the campaign's */
    if (!nights) {
        return err_set(e, RES_NOMEM, "%s: does not fit", h->path);
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        c->findings[i].since = is_bug(c, i) ? find_since(h, c, &c->findings[i], a) : NULL;
    }
    /* Nights come in rising order (take_line), so the lines of one stand together. */
    for (uint32_t i = 0; i < h->n && strcmp(h->lines[i].night, c->started) < 0; i++) {
        if (n_before == 0 || strcmp(nights[n_before - 1].name, h->lines[i].night) != 0) {
            nights[n_before++].name = h->lines[i].night;
        }
        count_line(&nights[n_before - 1], h->lines[i].state);
    }
    struct campaign_night *const own = &nights[n_before];
    own->name = c->started;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (is_bug(c, i)) {
            count_line(own, state_of(c, &c->findings[i]));
        }
    }
    for (uint32_t i = 0; i < c->n_gone; i++) {
        own->n_fixed += c->gone[i].state == BASELINE_FIXED;
    }
    c->nights = nights;
    c->n_nights = n_before + 1;
    return a->is_full ? err_set(e, RES_NOMEM, "%s: does not fit", h->path) : RES_OK;
}

/* ---- the file ---- */

static void put_line(FILE *f, const struct history_line *x)
{
    (void)fprintf(f, "%s\t%s\t%s\t%s\t%s\n", x->night, x->state, x->target, x->core, x->title);
}

static void put_night(FILE *f, const struct campaign *c, struct arena *a)
{
    const char *const night = make_column(c->started, a);
    put_line(f, &(struct history_line){night, night_state, "-", "-", "-"});
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *const x = &c->findings[i];
        const struct campaign_target *const t = campaign_find_target(c, x->target_id);
        if (is_bug(c, i)) {
            put_line(f,
                     &(struct history_line){night, state_of(c, x), make_column(t ? t->name : "", a),
                                            make_column(x->core, a), make_column(x->title, a)});
        }
    }
    for (uint32_t i = 0; i < c->n_gone; i++) {
        const struct campaign_gone *const x = &c->gone[i];
        if (x->state == BASELINE_FIXED) {
            put_line(f, &(struct history_line){night, fixed_state, make_column(x->target, a),
                                               make_column(x->core, a), "-"});
        }
    }
}

enum res history_write(const struct history *h, const struct campaign *c, struct arena *a,
                       struct err *e)
{
    struct file_writer w;
    uint32_t i = 0;
    const char *const night = make_column(c->started, a);
    TRY(file_begin(&w, h->path, e));
    (void)fputs("# Bugs over nights, written by halfulp report --history: night, state, target, "
                "signature, title.\n",
                w.f);
    for (; i < h->n && strcmp(h->lines[i].night, night) < 0; i++) {
        put_line(w.f, &h->lines[i]);
    }
    put_night(w.f, c, a);
    for (; i < h->n; i++) {
        if (strcmp(h->lines[i].night, night) != 0) {
            put_line(w.f, &h->lines[i]);
        }
    }
    return file_end(&w, a->is_full ? err_set(e, RES_NOMEM, "%s: does not fit", h->path) : RES_OK,
                    e);
}
