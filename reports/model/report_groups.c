/* reports/model/report_groups.c -- coverage of group operations: one line per instruction, scope and
 * operation, types as columns; one table per target. */
#include "reports/model/report_groups.h"

#include <inttypes.h>
#include <string.h>

#include "reports/model/report_coverage.h"
#include "reports/model/support.h"
#include "reports/model/table.h"

static const char *const type_names[] = {"f16", "f32", "f64", "i8", "i16", "i32", "i64", "bool"};
enum {
    N_TYPES = ARRAY_N(type_names),
    N_KEYS = 2
};

/* One instruction, scope and operation, on each type. */
struct line {
    const char *op, *storage;
    int is_wanted; /* the API has it on some type, or it was counted */
    enum support support[N_TYPES];
    struct coverage_cell cells[N_TYPES];
};
/* All that any API has, in the order of ops.def; filled anew for each target. */
struct lines {
    uint32_t n;
    struct line *line;
};

static int find_type(const char *name)
{
    for (int i = 0; i < N_TYPES; i++) {
        if (strcmp(type_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static struct line *find_line(const struct lines *l, const char *op, const char *storage)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (strcmp(l->line[i].op, op) == 0 && strcmp(l->line[i].storage, storage) == 0) {
            return &l->line[i];
        }
    }
    return NULL;
}

/* Rows that the list of what there is lacks were counted all the same: they come last. */
static int add_line(struct lines *l, uint32_t n_room, const char *op, const char *storage)
{
    if (find_line(l, op, storage)) {
        return 1;
    }
    if (l->n < n_room) {
        l->line[l->n++] = (struct line){.op = op, .storage = storage};
        return 1;
    }
    return 0;
}

/* Make a line for each group instruction with each scope and operation: all that any API has, then what was
 * counted besides. 0: the arena is full. */
static int make_lines(struct lines *l, const struct campaign *c, struct arena *a)
{
    uint32_t const n_rows = support_list_groups(NULL, 0);
    uint32_t const n_room = n_rows + c->n_coverage;
    struct support_row *const rows = ARENA_NEW(a, struct support_row, n_rows);
    *l = (struct lines){.n = 0, .line = ARENA_NEW(a, struct line, n_room)};
    if (!rows || !l->line) {
        return 0;
    }
    (void)support_list_groups(rows, n_rows);
    for (uint32_t i = 0; i < n_rows; i++) {
        if (!add_line(l, n_room, rows[i].op, rows[i].storage)) {
            return 0;
        }
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        const struct campaign_coverage *const x = &c->coverage[i];
        if (x->op && x->storage && support_is_group(x->op) &&
            !add_line(l, n_room, x->op, x->storage)) {
            return 0;
        }
    }
    return 1;
}

/* Set each line to what one target lists of it, type by type, and what was counted there. A line is wanted in
 * the target's table if the API has it on any type, or something was counted. */
static void fill_lines(struct lines *l, const struct campaign *c, const struct campaign_target *t)
{
    for (uint32_t i = 0; i < l->n; i++) {
        struct line *const line = &l->line[i];
        line->is_wanted = 0;
        memset(line->cells, 0, sizeof line->cells);
        for (int k = 0; k < N_TYPES; k++) {
            line->support[k] =
                support_of(t->facts ? t->facts : "", line->op, type_names[k], line->storage);
            line->is_wanted |= line->support[k] == SUPPORT_YES || line->support[k] == SUPPORT_NOT;
        }
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        const struct campaign_coverage *const x = &c->coverage[i];
        int const type = x->type ? find_type(x->type) : -1;
        /* of another target, of a type that no group instruction has, or incomplete */
        if (x->target_id != t->id || type < 0 || !x->op || !x->storage) {
            continue;
        }
        struct line *const line = find_line(l, x->op, x->storage);
        if (line) {
            report_coverage_add(&line->cells[type], x);
            line->is_wanted = 1;
        }
    }
}

/* What the target lists: was it run? */
static void count_cell(struct report_group_sums *sums, const struct line *line, int type)
{
    const struct coverage_cell *const cell = &line->cells[type];
    if (line->support[type] != SUPPORT_YES) {
        return;
    }
    sums->n_listed++;
    sums->n_run += cell->n_run > 0;
    sums->n_rejected += cell->n_run == 0 && cell->n_rejected > 0;
    sums->n_not_reached += cell->n_run == 0 && cell->n_rejected == 0;
}

/* Ten columns fit a line of text only with short words. */
static const char *shorten(const char *text)
{
    return strcmp(text, "not supported") == 0 ? "no"
           : strcmp(text, "not reached") == 0 ? "gap"
                                              : text;
}

static void put_line(struct report_table *t, const struct line *line, struct arena *a)
{
    struct report_cell *cell = table_put_text(table_add_row(t), line->op);
    cell = table_put_text(cell, line->storage);
    for (int k = 0; k < N_TYPES; k++) {
        struct report_cell const shown =
            report_coverage_show(&line->cells[k], line->support[k], 0, a);
        cell = table_put(cell, shorten(shown.text), shown.tone);
    }
}

/* Make the table of one target, of the lines that are wanted for it, and its sums over all types. 0: the
 * arena is full. */
static int make_target(struct report_groups *out, const struct lines *l,
                       const struct campaign_target *target, struct arena *a)
{
    static const char *const titles[] = {
        "instruction", "scope and operation", "f16", "f32", "f64", "i8", "i16", "i32", "i64",
        "bool"};
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        n_rows += l->line[i].is_wanted != 0;
    }
    out->table = (struct report_table){
        .id = "", .title = target->name, .note = "", .empty = "", .n_keys = N_KEYS};
    if (!table_open_titled(&out->table, a, titles, ARRAY_N(titles), N_KEYS, n_rows)) {
        return 0;
    }
    out->table.n_rows = 0; /* put_line adds them */
    for (uint32_t i = 0; i < l->n; i++) {
        for (int k = 0; k < N_TYPES; k++) {
            count_cell(&out->sums, &l->line[i], k);
        }
        if (l->line[i].is_wanted) {
            put_line(&out->table, &l->line[i], a);
        }
    }
    out->table.note = arena_printf(
        a, "%" PRIu32 " listed, %" PRIu32 " run, %" PRIu32 " rejected, %" PRIu32 " not reached",
        out->sums.n_listed, out->sums.n_run, out->sums.n_rejected, out->sums.n_not_reached);
    return 1;
}

/* Were there any to be expected? */
static int has_groups(const struct campaign *c)
{
    const char *const profile = c->plan.profile ? c->plan.profile : "";
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        if (c->coverage[i].op && support_is_group(c->coverage[i].op)) {
            return 1;
        }
    }
    return strcmp(profile, "groups") == 0 || strcmp(profile, "all") == 0;
}

/* What the target lists and no case came to. */
static int list_gaps(struct report_groups *out, const struct lines *l, struct arena *a)
{
    out->gaps = ARENA_NEW(a, struct report_gap, out->sums.n_not_reached);
    uint32_t n = 0;
    for (uint32_t i = 0; out->gaps && i < l->n; i++) {
        const struct line *const line = &l->line[i];
        for (int k = 0; k < N_TYPES && n < out->sums.n_not_reached; k++) {
            if (line->support[k] == SUPPORT_YES && line->cells[k].n_run == 0 &&
                line->cells[k].n_rejected == 0) {
                out->gaps[n++] = (struct report_gap){line->op, type_names[k], line->storage};
            }
        }
    }
    return out->gaps != NULL;
}

static void put_sums(struct report_view *v, uint32_t i, struct arena *a)
{
    const struct campaign_target *const target = &v->c->targets[i];
    const struct report_table *const t = &v->tables[TABLE_GROUPS];
    const struct report_group_sums *const s = &v->groups[i].sums;
    struct report_cell *cell = table_put_text(table_get_row(t, i), target->name);
    cell = table_put_count(cell, s->n_listed, a);
    cell = table_put_count(cell, s->n_run, a);
    cell = table_put_noted(cell, s->n_rejected, TONE_BAD, a);
    cell = table_put_noted(cell, s->n_not_reached, TONE_INFO, a);
    cell = table_put_count(cell, target->n_reductions, a);
    cell = table_put_share(cell, target->n_reductions_bounded, target->n_reductions, a);
    (void)table_put_count(cell, target->n_partial, a);
}

/* Make the section on group operations: a table of sums with a row for each target, then for each target its
 * own table and its gaps, which are operations that it lists and no case reached. There are none where no
 * group operation was to be expected. 0: the arena is full. */
int report_groups_make(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target",
                                         "listed",
                                         "run",
                                         "rejected",
                                         "not reached",
                                         "float reductions judged",
                                         "by the bound alone",
                                         "under a partial mask"};
    const struct campaign *const c = v->c;
    int const is_shown = has_groups(c);
    struct report_table *const t = &v->tables[TABLE_GROUPS];
    struct lines l;
    *t = (struct report_table){
        .id = "groups",
        .title = "Group operations",
        .note = "A combination is an instruction with a scope, an operation and a type. The first "
                "columns count the combinations that the target lists and those that were run. The "
                "next columns count float sums and products over a group, and the share of these "
                "that only the proven bound for any order could judge (goal: under 10%). The last "
                "column counts group instructions that only some lanes executed. The tables below "
                "have the values judged per target. \"no\": the target does not list the "
                "combination. \"rejected\": the target lists the combination, but rejected it. "
                "\"gap\": the target lists the combination, but no case contained it. \"unlisted\" "
                "and \"refused\": the target does not list the combination, and ran or rejected "
                "it. \"-\": there is no such instruction.",
        .empty = "No group operation was generated.",
        .n_keys = 1};
    /* The first column holds text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 1, is_shown ? c->n_targets : 0)) {
        return 0;
    }
    if (!is_shown) {
        return 1;
    }
    v->groups = ARENA_NEW(a, struct report_groups, c->n_targets);
    if (!v->groups || !make_lines(&l, c, a)) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_targets; i++) {
        fill_lines(&l, c, &c->targets[i]);
        if (!make_target(&v->groups[i], &l, &c->targets[i], a) ||
            !list_gaps(&v->groups[i], &l, a)) {
            return 0;
        }
        put_sums(v, i, a);
    }
    return 1;
}
