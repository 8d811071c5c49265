/* fuzz/journal/journal_coverage.c -- what was covered: counts per instruction, type, storage and outcome. */
#include "fuzz/journal/journal_coverage.h"

#include "base/ops.h"
#include "oracle/tables/storage.h"

static const char *const outcome_names[JOURNAL_OUTCOME_N] = {
    "run", "not supported", "rejected", "unadvertised", "refused", "built"};

enum journal_outcome journal_outcome_of(const struct testcase *tc, const struct observation *ob)
{
    bool const is_rejected = ob->status == RUN_REJECT;
    if (tc->class == CLASS_UNADVERTISED) {
        return is_rejected ? JOURNAL_REFUSED : JOURNAL_UNADVERTISED;
    }
    if (ob->status == RUN_BUILT) {
        return JOURNAL_BUILT;
    }
    return is_rejected ? JOURNAL_REJECTED : JOURNAL_RUN;
}

/* Add what a judgement covered to the counts in memory: a cell for each outcome, instruction, type and
 * storage. The first count in a cell lists it in `touched`, so that nobody has to look through all cells. */
void journal_count_coverage(struct journal_cells *cells, const struct judgement *g,
                            enum journal_outcome outcome)
{
    for (uint32_t i = 0; i < g->n_coverage; i++) {
        const struct coverage *c = &g->coverage[i];
        if (c->op >= OP_N || c->type >= VT_N || c->storage >= STORAGE_N || c->n == 0) {
            continue;
        }
        uint32_t const at =
            (((uint32_t)outcome * OP_N + c->op) * VT_N + c->type) * STORAGE_N + c->storage;
        struct journal_cell *cell = &cells->cell[at];
        if (cell->n == 0) {
            cells->touched[cells->n_touched++] = at;
        }
        cell->n += c->n;
        cell->n_sharp += c->n_sharp;
        cell->n_anything += c->n_anything;
        cell->n_bounded += c->n_bounded;
        cell->n_divergent += c->n_divergent;
    }
}

/* Add the counts in memory to the rows of the journal, by name, since numbers of rows may move from version
 * to version. */
enum res journal_put_coverage(struct db *d, int64_t target_id, const struct journal_cells *cells,
                              struct err *e)
{
    for (uint32_t k = 0; k < cells->n_touched; k++) {
        uint32_t const i = cells->touched[k];
        const struct journal_cell *c = &cells->cell[i];
        /* the index taken apart again: outcome, instruction, type, storage */
        uint32_t const storage = i % STORAGE_N;
        uint32_t const type = i / STORAGE_N % VT_N;
        uint32_t const op = i / STORAGE_N / VT_N % OP_N;
        uint32_t const outcome = i / STORAGE_N / VT_N / OP_N;
        TRY(db_do(d, e,
                  "INSERT INTO coverage VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
                  " ON CONFLICT DO UPDATE SET n = n + ?6, n_sharp = n_sharp + ?7,"
                  " n_anything = n_anything + ?8, n_bounded = n_bounded + ?9,"
                  " n_divergent = n_divergent + ?10",
                  "ittttiiiii", target_id, op_rows[op].name, val_type_names[type],
                  storage_names[storage], outcome_names[outcome], (int64_t)c->n,
                  (int64_t)c->n_sharp, (int64_t)c->n_anything, (int64_t)c->n_bounded,
                  (int64_t)c->n_divergent));
    }
    return RES_OK;
}

void journal_clear_coverage(struct journal_cells *cells)
{
    for (uint32_t k = 0; k < cells->n_touched; k++) {
        cells->cell[cells->touched[k]] = (struct journal_cell){0};
    }
    cells->n_touched = 0;
}
