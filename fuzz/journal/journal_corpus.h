/* fuzz/journal/journal_corpus.h -- the campaign's corpus in its journal: kept tapes, the feature cells that each
 * is kept for, and what cases were made of. */
#pragma once

#include "fuzz/journal/journal.h"

/* Where the tape of a case index is from. Only what is not fresh has a row. */
enum origin_kind {
    ORIGIN_FRESH,    /* tape_random over (seed, index) */
    ORIGIN_IMPORTED, /* entry `parent`, as it is */
    ORIGIN_MUTATED   /* made of entry `parent` and, but for 0, `other` */
};
struct origin {
    enum origin_kind kind;
    int64_t parent, other; /* rows of the corpus */
};
/* A tape; the corpus has at most one of a case index. */
struct journal_entry {
    int64_t id; /* of the corpus; 0: not of it */
    uint64_t case_index;
    const char *profile;
    uint32_t n_records;
    const unsigned char *tape; /* NULL: not asked for */
};
/* RES_OK with ORIGIN_FRESH where there is no row. */
MUST_USE enum res journal_get_origin(struct journal *j, uint64_t case_index, struct origin *out,
                                     struct err *e);
/* Of an index that nobody ran yet, and its tape: durable before any run of it is. */
MUST_USE enum res journal_put_origin(struct journal *j, const struct journal_entry *made,
                                     const struct origin *o, struct err *e);
/* The tape and profile of a case that is not fresh. RES_USAGE: it is fresh, or beyond the disk cap
 * only its origin is kept. */
MUST_USE enum res journal_get_made(struct journal *j, uint64_t case_index, struct arena *a,
                                   struct journal_entry *out, struct err *e);
/* The lowest case index of the campaign that nobody has run, skipped or given an origin. */
MUST_USE enum res journal_first_free(struct journal *j, uint64_t *index, struct err *e);

/* Keep a tape: inserted, or alive again. Its id. */
MUST_USE enum res journal_put_entry(struct journal *j, const struct journal_entry *x, int64_t *id,
                                    struct err *e);
/* No cell is kept by it any more; cases below index `dead_at` may be made of it. */
MUST_USE enum res journal_end_entry(struct journal *j, int64_t id, uint64_t dead_at, struct err *e);
/* One entry with its tape, dead or alive. RES_USAGE: it is not kept. */
MUST_USE enum res journal_get_entry(struct journal *j, int64_t id, struct arena *a,
                                    struct journal_entry *out, struct err *e);
/* 1 when an entry, dead or alive, has these records; 0 when not, also on error. */
int journal_has_entry(struct journal *j, const struct journal_entry *x);
MUST_USE enum res journal_put_cell(struct journal *j, uint32_t cell, int64_t entry, struct err *e);

/* The living entries in the order of their ids, without tapes, and the entry of each cell. */
struct journal_cell_row {
    uint32_t cell;
    int64_t entry;
};
struct journal_corpus {
    uint32_t n_entries, n_cells;
    struct journal_entry *entries;
    struct journal_cell_row *cells;
};
/* `layout` says what cells mean; a journal of another layout is emptied of them, and its entries end. */
MUST_USE enum res journal_load_corpus(struct journal *j, const char *layout, struct arena *a,
                                      struct journal_corpus *out, struct err *e);
