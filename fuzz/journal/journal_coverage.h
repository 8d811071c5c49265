/* fuzz/journal/journal_coverage.h -- coverage of a target: counted in memory, then put into the journal. */
#pragma once

#include "base/ops.h"
#include "fuzz/io/db.h"
#include "oracle/judge/judge.h"

/* How a case that covers something ended; the order of its names in the file. */
enum journal_outcome {
    JOURNAL_RUN,
    JOURNAL_NOT_SUPPORTED,
    JOURNAL_REJECTED,
    JOURNAL_UNADVERTISED, /* run, in a case of what the target does not list */
    JOURNAL_REFUSED,      /* rejected, in such a case */
    JOURNAL_BUILT         /* by a compiler without a device */
};
enum {
    JOURNAL_OUTCOME_N = 6,
    JOURNAL_N_CELLS = JOURNAL_OUTCOME_N * OP_N * VT_N * STORAGE_N
};
enum journal_outcome journal_outcome_of(const struct testcase *tc, const struct observation *ob);

/* Coverage of one target that is not yet in the file. */
struct journal_cell {
    uint32_t n, n_sharp, n_anything, n_bounded, n_divergent;
};
struct journal_cells {
    uint32_t n_touched;
    uint32_t touched[JOURNAL_N_CELLS];         /* indices in cell whose n is not 0 */
    struct journal_cell cell[JOURNAL_N_CELLS]; /* [outcome][op][type][storage] */
};
#define JOURNAL_CELLS_BYTES sizeof(struct journal_cells)
void journal_count_coverage(struct journal_cells *cells, const struct judgement *g,
                            enum journal_outcome outcome);
/* They stay as they are; journal_clear_coverage forgets them when they are in the file. */
MUST_USE enum res journal_put_coverage(struct db *d, int64_t target_id,
                                       const struct journal_cells *cells, struct err *e);
void journal_clear_coverage(struct journal_cells *cells);
