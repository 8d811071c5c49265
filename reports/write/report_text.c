/* reports/write/report_text.c -- a report as plain text, at most 120 columns. */
#include "reports/write/report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "reports/write/report_put.h"

/* Three keys and one more column always fit: 34 + 2 + 2 * (24 + 2) + 30 <= TEXT_COLUMNS. The first
 * key, an instruction, is the longest. */
enum {
    TEXT_COLUMNS = 120,
    KEY_MAX = 34,
    OTHER_KEY_MAX = 24,
    CELL_MAX = 30,
    GAP = 2,
    LABEL_MAX = 22
};

static void put_text(const char *text, FILE *f)
{
    report_put_text(REPORT_TEXT, text, f);
}

static void put_spaces(uint32_t n, FILE *f)
{
    for (uint32_t i = 0; i < n; i++) {
        (void)fputc(' ', f);
    }
}

static void put_title(const char *title, char line, FILE *f)
{
    (void)fputc('\n', f);
    put_text(title, f);
    (void)fputc('\n', f);
    for (uint32_t i = printable_columns(title); i > 0; i--) {
        (void)fputc(line, f);
    }
    (void)fputc('\n', f);
}

/* Bytes of the longest prefix of a printed text that takes at most n_columns columns. */
static size_t prefix_of(const char *printed, uint32_t n_columns)
{
    const char *p = printed;
    for (uint32_t n = 0; *p && n < n_columns; n++) {
        do {
            p++;
        } while (((unsigned char)*p & 0xc0) == 0x80);
    }
    return (size_t)(p - printed);
}

/* Put a text in lines of at most TEXT_COLUMNS: the cursor stands at `indent` now, and so do additional lines
 * begin. A line ends at the last space that fits, or in the midst of a word that is longer than a line. */
static void put_wrapped(const char *text, uint32_t indent, struct arena *a, FILE *f)
{
    const char *rest = printable_copy_line(a, text);
    uint32_t const room = TEXT_COLUMNS - indent;
    size_t n = 0;
    while (n = prefix_of(rest, room), rest[n] != '\0') { /* as long as a text may be, look once */
        size_t const n_that_fit = n;
        while (n > 0 && rest[n] != ' ') {
            n--;
        }
        n = n > 0 ? n : n_that_fit;
        put_text(arena_printf(a, "%.*s", (int)n, rest), f);
        (void)fputc('\n', f);
        put_spaces(indent, f);
        rest += n;
        rest += strspn(rest, " ");
    }
    put_text(rest, f);
    (void)fputc('\n', f);
}

static void put_block(const char *text, uint32_t indent, struct arena *a, FILE *f)
{
    for (const char *line = NULL; (line = printable_take_line(a, &text)) != NULL;) {
        put_spaces(indent, f);
        put_wrapped(line, indent, a, f);
    }
}

static void put_facts(const struct report_facts *facts, uint32_t indent, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < facts->n; i++) {
        const struct report_fact *const fact = &facts->fact[i];
        uint32_t const n = printable_columns(fact->label);
        put_spaces(indent, f);
        put_text(fact->label, f);
        if (fact->look == LOOK_BLOCK) {
            (void)fputs(":\n", f);
            put_block(fact->text, indent + 4, a, f);
            continue;
        }
        put_spaces(n < LABEL_MAX ? LABEL_MAX - n : 1, f);
        put_wrapped(fact->text, indent + (n < LABEL_MAX ? LABEL_MAX : n + 1), a, f);
    }
}

static uint32_t max_of(uint32_t x, uint32_t y)
{
    return x > y ? x : y;
}

static const char *cell_text(const struct report_table *t, uint32_t row, uint32_t column)
{
    return t->cells[(size_t)row * t->n_columns + column].text;
}

/* Widths of the columns, title and longest cell, cut at what always fits; a last column of text may
 * take what the others leave. */
static uint32_t *make_widths(const struct report_table *t, struct arena *a)
{
    uint32_t n_others = 0;
    uint32_t *const width = ARENA_NEW(a, uint32_t, t->n_columns);
    for (uint32_t i = 0; width && i < t->n_columns; i++) {
        uint32_t limit = i == 0 ? KEY_MAX : i < t->n_keys ? OTHER_KEY_MAX : CELL_MAX;
        uint32_t n = printable_columns(t->columns[i].title);
        for (uint32_t row = 0; row < t->n_rows; row++) {
            n = max_of(n, printable_columns(cell_text(t, row, i)));
        }
        if (i + 1 == t->n_columns && t->columns[i].align == ALIGN_TEXT &&
            n_others + limit < TEXT_COLUMNS) {
            limit = TEXT_COLUMNS - n_others;
        }
        width[i] = n < limit ? n : limit;
        n_others += width[i] + GAP;
    }
    return width;
}

/* One cell; what is cut ends in "...". Returns the spaces that a cell after it must put first. */
static uint32_t put_cell(const char *text, uint32_t width, enum report_align align, struct arena *a,
                         FILE *f)
{
    uint32_t const n = printable_columns(text);
    if (n > width) {
        const char *const printed = printable_copy(a, text);
        put_text(arena_printf(a, "%.*s...", (int)prefix_of(printed, width - 3), printed), f);
        return GAP;
    }
    put_spaces(align == ALIGN_NUMBER ? width - n : 0, f);
    put_text(text, f);
    return GAP + (align == ALIGN_NUMBER ? 0 : width - n);
}

/* The keys and the columns first..last-1; row -1 is the titles. */
static void put_row(const struct report_table *t, const uint32_t *width, int64_t row,
                    const uint32_t range[2], struct arena *a, FILE *f)
{
    uint32_t n_owed = 0;
    for (uint32_t i = 0; i < range[1]; i++) {
        if (i >= t->n_keys && i < range[0]) {
            continue;
        }
        put_spaces(n_owed, f);
        n_owed = put_cell(row < 0 ? t->columns[i].title : cell_text(t, (uint32_t)row, i), width[i],
                          t->columns[i].align, a, f);
    }
    (void)fputc('\n', f);
}

/* Put a table as text: as many columns as fit stand side by side, the rest follows below, with the key
 * columns again. Row -1 is that of the titles. 0: the arena is full. */
static int put_table(const struct report_table *t, char line, struct arena *a, FILE *f)
{
    put_title(t->title, line, f);
    put_wrapped(t->n_rows ? t->note : t->empty, 0, a, f);
    uint32_t const *const width = make_widths(t, a);
    uint32_t n_key_columns = 0;
    for (uint32_t i = 0; width && i < t->n_keys; i++) {
        n_key_columns += width[i] + GAP;
    }
    for (uint32_t first = t->n_keys; width && t->n_rows && first < t->n_columns;) {
        uint32_t last = first + 1;
        uint32_t n = n_key_columns + width[first];
        while (last < t->n_columns && n + GAP + width[last] <= TEXT_COLUMNS) {
            n += GAP + width[last++];
        }
        uint32_t const range[2] = {first, last};
        (void)fputc('\n', f);
        for (int64_t row = -1; row < t->n_rows; row++) {
            put_row(t, width, row, range, a, f);
        }
        first = last;
    }
    return width != NULL;
}

static void put_findings(const struct report_view *v, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct report_finding *const x = &v->findings[i];
        const struct report_group_row *const group = &report_groups[x->group];
        if (i == 0 || v->findings[i - 1].group != x->group) {
            put_title(group->title, '-', f);
            put_wrapped(group->note, 0, a, f);
        }
        (void)fprintf(f, "\n#%" PRId64 " [%s] ", x->raw->id, group->badge);
        put_wrapped(x->raw->signature, 4, a, f);
        put_facts(&x->facts, 4, a, f);
    }
}

static void put_list(const char *title, const struct report_facts *facts, struct arena *a, FILE *f)
{
    if (facts->n > 0) {
        put_title(title, '-', f);
        (void)fputc('\n', f);
        put_facts(facts, 2, a, f);
    }
}

/* Each command once: several instructions may share a first case. */
static void put_replays(const struct campaign *c, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < c->n_cross; i++) {
        const char *const replay = c->cross[i].replay ? c->cross[i].replay : "";
        uint32_t k = 0;
        while (k < i && strcmp(c->cross[k].replay ? c->cross[k].replay : "", replay) != 0) {
            k++;
        }
        if (k == i) {
            put_wrapped(replay, 0, a, f);
        }
    }
}

/* Put what follows below some tables and has no table of its own, such as the facts of each target. 0: the
 * arena is full. */
static int put_extras(const struct report_view *v, enum report_table_id id, struct arena *a,
                      FILE *f)
{
    enum {
        INDENT = 2 /* columns before a fact */
    };
    int ok = 1;
    if (id == TABLE_VERDICTS) {
        (void)fputs("\nWhat each verdict means:\n", f);
        put_facts(&v->verdicts, INDENT, a, f);
    } else if (id == TABLE_INDEX) {
        put_findings(v, a, f);
        put_list("Only the earlier campaign has", &v->gone, a, f);
        put_list("List of known bugs", &v->rows, a, f);
    } else if (id == TABLE_GROUPS) {
        for (uint32_t i = 0; v->groups && ok && i < v->c->n_targets; i++) {
            ok = put_table(&v->groups[i].table, '-', a, f);
        }
    } else if (id == TABLE_TARGETS) {
        for (uint32_t i = 0; i < v->c->n_targets; i++) {
            (void)fputc('\n', f);
            put_wrapped(v->c->targets[i].name, 0, a, f);
            put_facts(&v->details[i], INDENT, a, f);
        }
    }
    if (id == TABLE_UNEXECUTED && v->c->n_unexecuted > 0) {
        (void)fputs("\nThe reasons, in the order of the table:\n", f);
        for (uint32_t i = 0; i < v->c->n_unexecuted; i++) {
            put_wrapped(v->c->unexecuted[i].reason, INDENT, a, f);
        }
    }
    if (id == TABLE_CROSS && v->c->n_cross > 0) {
        (void)fputs("\nThe first cases again:\n", f);
        put_replays(v->c, a, f);
    }
    return ok;
}

/* ---- the bugs, a few lines each ---- */

static void put_lead(const struct report_view *v, struct arena *a, FILE *f)
{
    put_wrapped(v->headline, 0, a, f);
    for (uint32_t i = 0; i < v->summary.n; i++) {
        bool const is_code = v->summary.fact[i].look == LOOK_CODE;
        put_spaces(is_code ? 4 : 0, f);
        put_wrapped(v->summary.fact[i].text, is_code ? 4 : 0, a, f);
    }
}

/* A bug by its number: title, then what is known of it, what is "" left out. */
static void put_bug(const struct report_bug *b, struct arena *a, FILE *f)
{
    const char *const parts[] = {
        b->harm,  b->targets, b->state, b->since[0] ? arena_printf(a, "since %s", b->since) : "",
        b->cases, b->shown,   b->size,  b->folder ? b->folder : "",
        b->remark};
    const char *text = "";
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i][0]) {
            text = arena_printf(a, "%s%s%s", text, text[0] ? "; " : "", parts[i]);
        }
    }
    (void)fprintf(f, "%s ", b->number);
    put_wrapped(b->title, 4, a, f);
    put_spaces(4, f);
    put_wrapped(text, 4, a, f);
}

static void put_shelves(const struct report_view *v, struct arena *a, FILE *f)
{
    for (uint32_t i = 0; i < v->n_bugs; i++) {
        if (i == 0 || v->bugs[i - 1].shelf != v->bugs[i].shelf) {
            put_title(report_shelves[v->bugs[i].shelf].title, '=', f);
        }
        put_bug(&v->bugs[i], a, f);
    }
}

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;
    for (; *text; text++) {
        n += *text == '\n';
    }
    return n;
}

/* The lines of one bug, as text of malloc; NULL: no memory. */
static char *print_bug(const struct report_bug *b, struct arena *a)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    if (!f) {
        return NULL;
    }
    put_bug(b, a, f);
    return fclose(f) == 0 ? text : NULL;
}

enum {
    LEAD_LINES = 14, /* that the sentences take */
    REST_LINES = 2   /* that tell what had no room */
};

/* The bugs of the first two shelves that have room in n_room lines. Returns how many were put. */
static uint32_t put_some(const struct report_view *v, uint32_t n_room, struct arena *a, FILE *f)
{
    uint32_t n = 0;
    while (n < v->n_bugs && v->bugs[n].shelf != SHELF_ASIDE) {
        char *const text = print_bug(&v->bugs[n], a);
        uint32_t const n_lines = text ? count_lines(text) : n_room + 1;
        bool const has_room = n_lines <= n_room;
        (void)fputs(has_room ? text : "", f);
        free(text);
        if (!has_room) {
            break;
        }
        n_room -= n_lines;
        n++;
    }
    return n;
}

enum res report_put_summary(const struct report_view *v, uint32_t max_lines, struct arena *a,
                            FILE *f, struct err *e)
{
    uint32_t const n_listed = v->n_shelf[SHELF_NEW] + v->n_shelf[SHELF_OPEN];
    put_lead(v, a, f);
    (void)fputs(n_listed ? "\n" : "", f);
    uint32_t const n = put_some(v, max_lines - LEAD_LINES - REST_LINES, a, f);
    if (n < n_listed) {
        (void)fprintf(f, "and %" PRIu32 " more, in the report\n", n_listed - n);
    }
    return ferror(f) ? err_set(e, RES_IO, "report: writing the summary stopped") : RES_OK;
}

enum res report_write_text(const struct report_view *v, struct arena *a, FILE *f, struct err *e)
{
    (void)fputs("halfulp report\n\n", f);
    put_lead(v, a, f);
    put_shelves(v, a, f);
    put_list("Night after night", &v->nights, a, f);
    put_list("Rows of the list of states that match no bug", &v->states, a, f);
    put_title("How far to trust this", '=', f);
    (void)fputc('\n', f);
    put_facts(&v->numbers, 2, a, f);
    for (int i = 0; i < REPORT_TABLE_N; i++) {
        if (!put_table(&v->tables[i], '=', a, f) || !put_extras(v, (enum report_table_id)i, a, f)) {
            return err_set(e, RES_LIMIT, "report: no room for table %s", v->tables[i].id);
        }
    }
    put_title("Campaign", '=', f);
    put_facts(&v->campaign, 2, a, f);
    return ferror(f) ? err_set(e, RES_IO, "report: writing the text stopped") : RES_OK;
}
