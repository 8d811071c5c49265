/* fuzz/journal/journal_cross.c -- what differs between runs of one case. */
#include "fuzz/journal/journal_cross.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/printable.h"
#include "base/testcase.h"

enum {
    LANGUAGE_MAX_ROWS = 1000,
    CROSS_ROW_BYTES = 12
};

int64_t journal_count_rows(struct stmt *s)
{
    int64_t const n = stmt_step(s) > 0 ? stmt_int(s, 0) : -1;
    stmt_reset(s);
    return n;
}

/* How often the values of one instruction differ between two targets. */
struct cross_cell {
    uint64_t n_cases, first;
};
/* [OP_N][n_targets][n_targets]: the two targets in the order of their ids. */
struct cross_matrix {
    const struct campaign *c;
    struct cross_cell *cells;
};

static uint32_t find_index(const struct campaign *c, int64_t id)
{
    uint32_t i = 0;
    while (i < c->n_targets && c->targets[i].id != id) {
        i++;
    }
    return i;
}

static void count_cross(struct cross_matrix *m, int op, const uint32_t pair[2], uint64_t index)
{
    uint32_t const n = m->c->n_targets;
    if (pair[0] >= n || pair[1] >= n) {
        return;
    }
    struct cross_cell *cell = &m->cells[((size_t)op * n + pair[0]) * n + pair[1]];
    cell->first = cell->n_cases == 0 || index < cell->first ? index : cell->first;
    cell->n_cases++;
}

/* A row of cross_values: -1 where it is none, or past the end. */
static int take_row(const unsigned char *p, size_t n, size_t at)
{
    return at + CROSS_ROW_BYTES <= n ? op_find_number((uint32_t)load_le(p + at, 4)) : -1;
}

/* Rows (number, hash) of two runs of one case, both in the order of ops.def, as the row at which `s` stands has them:
 * go through both lists at once, and count instructions that both judged, differently. */
static void compare_cross(struct cross_matrix *m, const uint32_t pair[2], uint64_t index,
                          struct stmt *s)
{
    size_t n[2] = {0, 0};
    size_t at[2] = {0, 0};
    const unsigned char *const p[2] = {stmt_blob(s, 3, &n[0]), stmt_blob(s, 4, &n[1])};
    for (;;) {
        int const x = take_row(p[0], n[0], at[0]), y = take_row(p[1], n[1], at[1]);
        if (x < 0 || y < 0) {
            return;
        }
        if (x == y && memcmp(p[0] + at[0] + 4, p[1] + at[1] + 4, 8) != 0) {
            count_cross(m, x, pair, index);
        }
        at[0] += x <= y ? CROSS_ROW_BYTES : 0;
        at[1] += y <= x ? CROSS_ROW_BYTES : 0;
    }
}

/* The environment of a target's cases; a simulated one takes both alternately. */
const char *journal_find_env(const struct campaign_target *t, uint64_t index)
{
    char api[16];
    (void)facts_get(t->facts, "api", api, sizeof api);
    for (int i = 0; i < ENV_N; i++) {
        if (strcmp(api, env_names[i]) == 0) {
            return env_names[i];
        }
    }
    return env_names[index % ENV_N];
}

/* A fresh tape is that of seed and index; one that was made of another is in the journal alone, and a kernel's case is of the
 * folder that the journal names. */
static const char *make_cross_replay(const struct campaign *c, const struct campaign_cross *x,
                                     const struct campaign_target *t, int is_made, struct arena *a)
{
    bool const is_module = c->plan.modules[0];
    const char *const from = is_made || is_module
                                 ? arena_printf(a, "--campaign %s", printable_quote(a, c->folder))
                                 : arena_printf(a, "--profile %s --seed %" PRIu64,
                                                printable_quote(a, c->plan.profile), c->plan.seed);
    const char *const names = arena_printf(a, "%s,%s", x->target_a, x->target_b);
    return arena_printf(a,
                        "halfulp gen %s --index %" PRIu64 " --env %s -o case-%" PRIu64
                        " && halfulp check -v --targets %s case-%" PRIu64,
                        from, x->example_case, journal_find_env(t, x->example_case),
                        x->example_case, printable_quote(a, names), x->example_case);
}

static bool is_made(struct db *d, uint64_t case_index)
{
    struct stmt *s =
        db_start(d, "SELECT count(*) FROM tapes WHERE case_index = ? AND profile IS NOT NULL", "u",
                 case_index);
    return journal_count_rows(s) > 0;
}

/* Turn the cells of the matrix (instruction x target x target) that are not empty into rows: on how many
 * cases the two targets gave different values for that instruction, with the first such case and how to
 * replay it. */
static enum res list_cross(struct db *d, const struct cross_matrix *m, struct arena *a,
                           struct campaign *out, struct err *e)
{
    size_t const n = m->c->n_targets;
    size_t const n_cells = OP_N * n * n;
    uint32_t n_rows = 0;
    for (size_t i = 0; i < n_cells; i++) {
        n_rows += m->cells[i].n_cases > 0;
    }
    out->cross = ARENA_NEW(a, struct campaign_cross, n_rows ? n_rows : 1);
    if (!out->cross) {
        return err_set(e, RES_NOMEM, "no memory for the cross-target table");
    }
    for (size_t i = 0; i < n_cells; i++) {
        const struct cross_cell *const cell = &m->cells[i];
        if (cell->n_cases == 0) {
            continue;
        }
        size_t const op = i / n / n; /* the index taken apart, as struct cross_matrix says */
        const struct campaign_target *const first = &out->targets[i / n % n];
        const struct campaign_target *const second = &out->targets[i % n];
        struct campaign_cross *const x = &out->cross[out->n_cross++];
        *x = (struct campaign_cross){.op = op_rows[op].name,
                                     .target_a = first->name,
                                     .target_b = second->name,
                                     .n_cases = cell->n_cases,
                                     .example_case = cell->first};
        x->replay = make_cross_replay(out, x, first, is_made(d, x->example_case), a);
    }
    return RES_OK;
}

/* Reads what a merged journal counted for each of its parts. */
static enum res add_part_cross(struct db *d, struct cross_matrix *m, struct arena *a, struct err *e)
{
    struct stmt *const s =
        db_start(d,
                 "SELECT target_id, other_id, op, sum(n), min(case_index) FROM part_cross"
                 " GROUP BY target_id, other_id, op",
                 "");
    size_t const n = m->c->n_targets;
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        uint32_t const one = find_index(m->c, stmt_int(s, 0));
        uint32_t const other = find_index(m->c, stmt_int(s, 1));
        const char *const name = stmt_text(s, 2, a);
        int op = 0;
        while (op < OP_N && strcmp(op_rows[op].name, name) != 0) {
            op++;
        }
        if (one < n && other < n && op < OP_N) {
            m->cells[((size_t)op * n + one) * n + other] =
                (struct cross_cell){(uint64_t)stmt_int(s, 3), (uint64_t)stmt_int(s, 4)};
        }
    }
    return db_end_rows(d, s, step, e);
}

/* Pairs of runs of one case with other values: first the cases in which any values differ, which are few, then their runs. */
#define DIFFERENT_RUNS                                                                             \
    "WITH r AS MATERIALIZED (SELECT target_id, case_index, case_hash, cross_values FROM runs"      \
    " WHERE case_index IN (SELECT case_index FROM runs WHERE case_hash NOT NULL GROUP BY"          \
    " case_index, case_hash HAVING min(cross_values) <> max(cross_values)))"                       \
    " SELECT a.target_id, b.target_id, a.case_index, a.cross_values, b.cross_values FROM r a"      \
    " JOIN r b ON b.case_index = a.case_index AND b.case_hash = a.case_hash"                       \
    " AND b.target_id > a.target_id WHERE a.cross_values <> b.cross_values"

/* Compare what two targets gave for the same case, and count for each instruction the cases in which they
 * differ. cross_values: a hash of each instruction's values in a run; only pairs of runs that differ anywhere
 * are looked at. */
enum res journal_load_cross(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    struct cross_matrix m = {out, NULL};
    size_t const n_cells = (size_t)OP_N * out->n_targets * out->n_targets;
    m.cells = ARENA_NEW(a, struct cross_cell, n_cells + !n_cells);
    if (!m.cells) {
        return err_set(e, RES_NOMEM, "no memory for the cross-target table");
    }
    if (out->n_shards > 0) {
        TRY(add_part_cross(d, &m, a, e));
        return list_cross(d, &m, a, out, e);
    }
    struct stmt *const s = db_start(d, DIFFERENT_RUNS, "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        uint32_t const pair[2] = {find_index(out, stmt_int(s, 0)), find_index(out, stmt_int(s, 1))};
        compare_cross(&m, pair, (uint64_t)stmt_int(s, 2), s);
    }
    TRY(db_end_rows(d, s, step, e));
    return list_cross(d, &m, a, out, e);
}

/* Pairs of verdicts of one case on NAME and on NAME-c, where both ran it, alike ones too; of a merged journal, those that
 * differ. */
static struct stmt *start_languages(struct db *d, bool is_merged)
{
    return is_merged
               ? db_start(d,
                          "SELECT t.name, u.name, p.verdict, p.other_verdict, sum(p.n),"
                          " min(p.case_index) FROM part_languages p"
                          " JOIN targets t ON t.id = p.target_id"
                          " JOIN targets u ON u.id = p.other_id"
                          " GROUP BY p.target_id, p.other_id, p.verdict, p.other_verdict"
                          " ORDER BY t.name, sum(p.n) DESC, p.verdict, p.other_verdict",
                          "")
               : db_start(d,
                          "SELECT t.name, u.name, a.verdict, b.verdict, count(*),"
                          " min(a.case_index) FROM runs a JOIN targets t ON t.id = a.target_id"
                          " JOIN targets u ON u.name = t.name || '" TARGET_SOURCE_SUFFIX "'"
                          " JOIN runs b ON b.target_id = u.id AND b.case_index = a.case_index"
                          " WHERE a.is_done AND b.is_done"
                          " GROUP BY t.name, a.verdict, b.verdict"
                          " ORDER BY t.name, count(*) DESC, a.verdict, b.verdict",
                          "");
}

/* Read where a driver gave two verdicts to one case, as a module (target a) and from source text (target b), which
 * are two targets of that driver: how often each pair of different verdicts came, with the first such case.
 * n_in_both counts all cases that both were given: a merged campaign lacks runs, so it adds up what its shards
 * counted. A case that was skipped has no verdict (""), and is no difference. */
enum res journal_load_languages(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    int step = 0;
    bool const is_merged = out->n_shards > 0;
    int64_t const n_both =
        is_merged
            ? journal_count_rows(db_start(d, "SELECT coalesce(sum(n_in_both), 0) FROM parts", ""))
            : 0;
    out->n_in_both = n_both > 0 ? (uint64_t)n_both : 0;
    out->languages = ARENA_NEW(a, struct campaign_language, LANGUAGE_MAX_ROWS);
    if (!out->languages) {
        return err_set(e, RES_NOMEM, "no memory for the table of languages");
    }
    struct stmt *const s = start_languages(d, is_merged);
    while ((step = stmt_step(s)) > 0) {
        struct campaign_language const row = {.target = stmt_text(s, 0, a),
                                              .source_target = stmt_text(s, 1, a),
                                              .verdict = stmt_text(s, 2, a),
                                              .source_verdict = stmt_text(s, 3, a),
                                              .n_cases = (uint64_t)stmt_int(s, 4),
                                              .example_case = (uint64_t)stmt_int(s, 5)};
        bool const is_known = row.verdict[0] && row.source_verdict[0];
        out->n_in_both += is_merged ? 0 : row.n_cases;
        if (is_known && strcmp(row.verdict, row.source_verdict) != 0 &&
            out->n_languages < LANGUAGE_MAX_ROWS) {
            out->languages[out->n_languages++] = row;
        }
    }
    return db_end_rows(d, s, step, e);
}
