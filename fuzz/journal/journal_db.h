/* fuzz/journal/journal_db.h -- what the files of the journal share and nobody else needs. */
#pragma once

#include "base/ops.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"

struct db *journal_get_db(struct journal *j);
/* Before a write: it becomes part of the transaction that journal_flush ends. */
MUST_USE enum res journal_begin(struct journal *j, struct err *e);
const char *journal_get_folder(const struct journal *j);
/* How a case that covers something ended; the order of its names in the file. */
enum journal_outcome {
    JOURNAL_RUN,
    JOURNAL_NOT_SUPPORTED,
    JOURNAL_REJECTED,
    JOURNAL_UNADVERTISED, /* run, in a case of what the target does not list */
    JOURNAL_REFUSED       /* rejected, in such a case */
};
enum {
    JOURNAL_OUTCOME_N = 5,
    JOURNAL_N_CELLS = JOURNAL_OUTCOME_N * OP_N * VT_N * STORAGE_N
};
enum journal_outcome journal_outcome_of(const struct testcase *tc, const struct observation *ob);

/* Coverage of one target that is not yet in the file. */
struct journal_cell {
    uint32_t n, n_sharp, n_anything, n_bounded, n_divergent;
};
struct journal_cells {
    uint32_t n_touched;
    uint32_t touched[JOURNAL_N_CELLS];         /* places in cell whose n is not 0 */
    struct journal_cell cell[JOURNAL_N_CELLS]; /* [outcome][op][type][storage] */
};
#define JOURNAL_CELLS_BYTES sizeof(struct journal_cells)
struct journal_cells *journal_new_cells(struct arena *a); /* NULL: the arena is full */
void journal_count_coverage(struct journal_cells *cells, const struct judgement *g,
                            enum journal_outcome outcome);
/* They stay as they are; journal_clear_coverage forgets them when they are in the file. */
MUST_USE enum res journal_put_coverage(struct db *d, int64_t target_id,
                                       const struct journal_cells *cells, struct err *e);
void journal_clear_coverage(struct journal_cells *cells);

/* Findings of a run: rows and buckets, and the whole case where the bucket is not full. */
struct run_key {
    int64_t target_id;
    uint64_t case_index;
};
MUST_USE enum res journal_put_findings(struct db *d, struct run_key key, const struct run_record *r,
                                       struct arena *a, struct err *e);

/* A run of a case of class unadvertised, by each of its features. */
MUST_USE enum res journal_put_features(struct db *d, struct run_key key, const struct run_record *r,
                                       struct arena *a, struct err *e);

/* fuzz/journal/journal_schema.c: schema 3, and is a file what this program writes? */
extern const char journal_schema_sql[];
/* Before anything else is asked of a file: each table and index is ours to the letter, and nothing else is
 * there. A file of schema 3 becomes one of schema 4. RES_FORMAT names the file and the object. */
MUST_USE enum res journal_check_schema(struct db *d, const char *path, struct err *e);
/* A look at the whole file: pages, and the type and size of each value. RES_FORMAT names the column. */
MUST_USE enum res journal_check_content(struct db *d, const char *path, struct err *e);

/* fuzz/journal/journal_corpus.c: what schema 4 added; origins of cases below `low`, and the tapes that only they
 * need, away. */
extern const char journal_corpus_sql[];
MUST_USE enum res journal_forget_origins(struct db *d, uint64_t low, struct err *e);

/* fuzz/journal/journal_triage.c: the triage of each finding of the campaign, and its buckets and families. */
MUST_USE enum res journal_load_triage(struct db *d, struct arena *a, struct campaign *c,
                                      struct err *e);
MUST_USE enum res journal_group_buckets(struct campaign *c, struct arena *a, struct err *e);
