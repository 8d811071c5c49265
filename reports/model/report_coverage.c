/* reports/model/report_coverage.c -- the tables of what was covered, and how sharply. */
#include "reports/model/report_coverage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ops.h"
#include "reports/model/figures.h"
#include "reports/model/table.h"

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

void report_coverage_add(struct coverage_cell *cell, const struct campaign_coverage *row)
{
    const char *const outcome = or_empty(row->outcome);
    if (strcmp(outcome, "run") == 0) {
        cell->n_run = figures_sum(cell->n_run, row->n);
        cell->n_sharp = figures_sum(cell->n_sharp, row->n_sharp);
    } else if (strcmp(outcome, "rejected") == 0) {
        cell->n_rejected = figures_sum(cell->n_rejected, row->n);
    } else if (strcmp(outcome, "not supported") == 0) {
        cell->n_not_supported = figures_sum(cell->n_not_supported, row->n);
    } else if (strcmp(outcome, "unadvertised") == 0) {
        cell->n_unadvertised = figures_sum(cell->n_unadvertised, row->n);
    } else if (strcmp(outcome, "built") == 0) {
        cell->n_built = figures_sum(cell->n_built, row->n);
    } else if (strcmp(outcome, "refused") == 0) {
        cell->n_refused = figures_sum(cell->n_refused, row->n);
    }
}

/* A cell that no run filled. */
static struct report_cell blank_cell(enum support support)
{
    switch (support) {
    case SUPPORT_UNKNOWN:
    case SUPPORT_NEVER:
        return (struct report_cell){.text = "-", .tone = TONE_MUTED};
    case SUPPORT_NOT:
        return (struct report_cell){.text = "not supported", .tone = TONE_MUTED};
    case SUPPORT_YES:
        return (struct report_cell){.text = "not reached", .tone = TONE_INFO};
    }
    assert(0 && "support out of range");
    return (struct report_cell){.text = "", .tone = TONE_PLAIN};
}

/* A cell of the coverage table, such as "12 (98%), rejected 3": values judged, with the share judged sharply
 * if with_share, then what else was counted. Its tone is that of the first part, or bad where something was
 * rejected. Where nothing was counted the cell says why: not supported, or what `support` explains. */
struct report_cell report_coverage_show(const struct coverage_cell *cell, enum support support,
                                        int with_share, struct arena *a)
{
    const struct {
        const char *word;
        uint64_t n;
        enum report_tone tone;
    } parts[] = {
        {"built ",    cell->n_built,        TONE_INFO},
        {"unlisted ", cell->n_unadvertised, TONE_INFO},
        {"refused ",  cell->n_refused,      TONE_INFO},
        {"rejected ", cell->n_rejected,     TONE_BAD }
    };
    struct report_cell shown = {.text = "", .tone = TONE_PLAIN};
    if (cell->n_run > 0) {
        shown.text = figures_count(a, cell->n_run);
        if (with_share) {
            shown.text = arena_printf(a, "%s (%s)", shown.text,
                                      figures_share(a, cell->n_sharp, cell->n_run));
        }
    }
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i].n > 0) {
            int const is_first = !shown.text[0];
            shown.text = arena_printf(a, "%s%s%s%s", shown.text, is_first ? "" : ", ",
                                      parts[i].word, figures_count(a, parts[i].n));
            shown.tone = is_first || parts[i].tone == TONE_BAD ? parts[i].tone : shown.tone;
        }
    }
    if (shown.text[0]) {
        return shown;
    }
    return cell->n_not_supported > 0
               ? (struct report_cell){.text = "not supported", .tone = TONE_MUTED}
               : blank_cell(support);
}

/* An entry of the coverage with the index of its instruction in ops.def, worked out once for all comparisons. */
struct entry {
    int op; /* what ops.def lacks comes last */
    const struct campaign_coverage *c;
};

static struct entry make_entry(const struct campaign_coverage *c)
{
    int const op = op_find_name(or_empty(c->op));
    return (struct entry){op < 0 ? OP_N : op, c};
}

static int compare_ops(const struct entry *x, const struct entry *y)
{
    return x->op != y->op  ? (x->op > y->op) - (x->op < y->op)
           : x->op == OP_N ? strcmp(or_empty(x->c->op), or_empty(y->c->op))
                           : 0;
}

static int compare_rows(const struct entry *x, const struct entry *y)
{
    int d = compare_ops(x, y);
    d = d ? d : strcmp(or_empty(x->c->type), or_empty(y->c->type));
    return d ? d : strcmp(or_empty(x->c->storage), or_empty(y->c->storage));
}

static int compare_entries(const void *p, const void *q)
{
    const struct entry *const x = p, *const y = q;
    int const d = compare_rows(x, y);
    return d ? d : strcmp(or_empty(x->c->outcome), or_empty(y->c->outcome));
}

/* Coverage in order. What ought to be reached has an entry of no target, so that a gap shows. */
struct sorted_coverage {
    uint32_t n;
    struct entry *entry; /* NULL when the arena is full */
};

/* Sort the entries of coverage by instruction, type and storage, with group instructions only if with_groups.
 * Besides what was counted there is an empty entry (target -1) for each atomic that ought to be reached, so
 * that a gap is shown. .entry is NULL when the arena is full. */
static struct sorted_coverage sort_coverage(const struct campaign *c, int with_groups,
                                            struct arena *a)
{
    uint32_t const n_expected =
        c->n_targets ? SUPPORT_ROW_N : 0; /* a table without a target is empty */
    struct sorted_coverage s = {.n = 0};
    struct campaign_coverage *const expected = ARENA_NEW(a, struct campaign_coverage, n_expected);
    s.entry = ARENA_NEW(a, struct entry, (size_t)c->n_coverage + n_expected);
    if (!s.entry || !expected) {
        return (struct sorted_coverage){.n = 0};
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        if (with_groups || !support_is_group(or_empty(c->coverage[i].op))) {
            s.entry[s.n++] = make_entry(&c->coverage[i]);
        }
    }
    for (uint32_t i = 0; i < n_expected; i++) {
        struct support_row const row = support_get_row(i);
        expected[i] = (struct campaign_coverage){
            .target_id = -1, .op = row.op, .type = row.type, .storage = row.storage, .outcome = ""};
        s.entry[s.n++] = make_entry(&expected[i]);
    }
    qsort(s.entry, s.n, sizeof(s.entry[0]), compare_entries);
    return s;
}

static uint32_t count_distinct(const struct sorted_coverage *s,
                               int (*compare)(const struct entry *, const struct entry *))
{
    uint32_t n_rows = s->n > 0;
    for (uint32_t i = 1; i < s->n; i++) {
        n_rows += compare(&s->entry[i - 1], &s->entry[i]) != 0;
    }
    return n_rows;
}

static enum support find_support(const struct campaign_target *t,
                                 const struct campaign_coverage *row)
{
    return support_of(or_empty(t->facts), or_empty(row->op), or_empty(row->type),
                      or_empty(row->storage));
}

/* Add one row to the table: the n entries are all of one instruction, type and storage class, and
 * are added up for each target. 0: the arena is full. */
static int put_coverage_row(struct report_table *t, const struct campaign *c,
                            const struct entry *entry, uint32_t n, struct arena *a)
{
    struct coverage_cell *const cells = ARENA_NEW(a, struct coverage_cell, c->n_targets);
    if (!cells) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t target = 0;
        if (report_find_target(c, entry[i].c->target_id, &target)) {
            report_coverage_add(&cells[target], entry[i].c);
        }
    }
    const struct campaign_coverage *const first = entry[0].c;
    struct report_cell *cell = table_put_text(table_add_row(t), first->op);
    cell = table_put_text(cell, first->type);
    cell = table_put_text(cell, first->storage);
    for (uint32_t k = 0; k < c->n_targets; k++) {
        *cell++ = report_coverage_show(&cells[k], find_support(&c->targets[k], first), 1, a);
    }
    return 1;
}

/* Make the coverage table: a row for each instruction, type and storage class, which are the keys, and a
 * column for each target. Sorted, the entries of a row stand side by side. 0: the arena is full. */
static int make_coverage(struct report_view *v, const struct sorted_coverage *s, struct arena *a)
{
    static const char *const titles[] = {"instruction", "type", "storage"};
    uint32_t const n_keys = ARRAY_N(titles);
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_COVERAGE];
    *t = (struct report_table){
        .id = "coverage",
        .title = "Coverage",
        .note = "The number of values judged and, in brackets, the share judged sharply (at most 4 "
                "permitted encodings, where all NaNs count as one). \"not supported\": the target "
                "does not list the combination. \"rejected\": the target lists the combination, "
                "but rejected it. \"not reached\": the target lists the combination, but no case "
                "contained it. \"unlisted\" and \"refused\": the target does not list the "
                "combination, and ran or rejected it. \"-\": the API has no such combination. "
                "Group operations have a table of their "
                "own.",
        .empty = "No value was judged.",
        .n_keys = 3};
    if (!table_open(t, a, n_keys + c->n_targets, count_distinct(s, compare_rows))) {
        return 0;
    }
    for (uint32_t i = 0; i < n_keys; i++) {
        /* there are few types and storage classes, so a reader may choose one of a list */
        t->columns[i] = (struct report_column){titles[i], ALIGN_TEXT, .is_choice = i > 0};
    }
    for (uint32_t i = 0; i < c->n_targets; i++) {
        t->columns[n_keys + i] = (struct report_column){c->targets[i].name, ALIGN_NUMBER, 0};
    }
    t->n_rows = 0; /* put_coverage_row adds them */
    for (uint32_t i = 0; i < s->n;) {
        uint32_t const first = i;
        while (i < s->n && compare_rows(&s->entry[first], &s->entry[i]) == 0) {
            i++;
        }
        if (!put_coverage_row(t, c, &s->entry[first], i - first, a)) {
            return 0;
        }
    }
    return 1;
}

/* Fill row `row` from the sums of one instruction. */
static void put_sharpness(struct report_table *t, struct arena *a, uint32_t row,
                          const struct campaign_coverage *sum)
{
    struct report_cell *cell = table_put_text(table_get_row(t, row), sum->op);
    cell = table_put_count(cell, sum->n, a);
    cell = table_put_share(cell, sum->n_sharp, sum->n, a);
    cell = table_put(cell, figures_share(a, sum->n_anything, sum->n),
                     sum->n_anything ? TONE_INFO : TONE_MUTED);
    cell = table_put_count(cell, sum->n_bounded, a);
    (void)table_put_count(cell, sum->n_divergent, a);
}

/* Make the table of sharpness: a row for each instruction with the sum of its entries, which stand side by
 * side. The row is filled anew with each entry, so that the last one leaves it right. 0: the arena is
 * full. */
static int make_sharpness(struct report_view *v, const struct sorted_coverage *s, struct arena *a)
{
    static const char *const titles[] = {"instruction", "judged",  "sharp",
                                         "anything",    "bounded", "divergent"};
    struct report_table *const t = &v->tables[TABLE_SHARPNESS];
    *t = (struct report_table){
        .id = "sharpness",
        .title = "Sharpness per instruction",
        .note =
            "Sums over all types, storage classes, scopes, operations and targets. sharp: values "
            "with at most 4 permitted encodings, where all NaNs count as one. anything: values "
            "that no rule restricts. bounded: values for which only a bound could be checked.",
        .empty = "No value was judged.",
        .n_keys = 1};
    /* The first column holds text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 1, count_distinct(s, compare_ops))) {
        return 0;
    }
    uint32_t row = 0;
    struct campaign_coverage sum = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        const struct campaign_coverage *const c = s->entry[i].c;
        if (i > 0 && compare_ops(&s->entry[i - 1], &s->entry[i]) != 0) {
            row++;
            sum = (struct campaign_coverage){0};
        }
        sum.op = c->op;
        if (strcmp(or_empty(c->outcome), "run") == 0) {
            sum.n += c->n;
            sum.n_sharp += c->n_sharp;
            sum.n_anything += c->n_anything;
            sum.n_bounded += c->n_bounded;
            sum.n_divergent += c->n_divergent;
        }
        put_sharpness(t, a, row, &sum);
    }
    return 1;
}

int report_coverage_make(struct report_view *v, struct arena *a)
{
    struct sorted_coverage const all = sort_coverage(v->c, 1, a);
    struct sorted_coverage const others = sort_coverage(v->c, 0, a);
    return all.entry && others.entry && make_coverage(v, &others, a) && make_sharpness(v, &all, a);
}
