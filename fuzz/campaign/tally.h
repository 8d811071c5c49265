/* fuzz/campaign/tally.h -- what one instance of a guided campaign has done, in a file that outlives it. */
#pragma once

#include "fuzz/journal/journal.h"

/*
 * A fuzzer runs millions of cases, most of them again and again, and is killed without a warning. So an
 * ordinary run leaves only counts, and these are memory shared with a file: exact after a kill of any
 * kind, read by whoever shows progress, and moved into the journal from time to time in one short
 * transaction, as several processes write there. The journal says which move was the last, so that one
 * that a kill cut in two is not made twice.
 *
 * The file is of this machine and this build; one of another layout begins anew.
 */
enum {
    TALLY_MAX_CELLS = 1 << 18, /* of the map, without a driver's edges */
    TALLY_MAX_MESSAGE = 512
};
struct tally_figures {
    uint64_t n_executions; /* of any input; also the next one's number */
    uint64_t n_cases;      /* that ran and were judged */
    uint64_t n_built;      /* that were built alone, and gave no verdict */
    uint64_t n_skipped;    /* needs not met */
    uint64_t n_bad;        /* inputs that are no tape */
    uint64_t n_violations; /* findings that are violations */
    uint64_t n_new;        /* of these, signatures that the journal did not have */
    uint64_t n_trouble;    /* of the harness */
    uint64_t n_workers;    /* started */
    uint64_t n_cells;      /* of the map, seen so far */
    uint64_t harness_cpu_ns;
    int is_given_up;                 /* no further case makes sense: message */
    char message[TALLY_MAX_MESSAGE]; /* the last trouble */
};

struct tally; /* an open file */

/* Open the file, or make it. RES_IO. */
MUST_USE enum res tally_open(struct tally **out, const char *path, struct err *e);
void tally_close(struct tally *t); /* NULL is fine */
/* Is it still of this build's layout? Another build that opened it meanwhile has begun it anew. */
bool tally_is_ours(const struct tally *t);
/* To read and to count in; changes at any time while another process has it. */
struct tally_figures *tally_get(struct tally *t);
/* An ended run that the journal gets as counts. */
void tally_add_run(struct tally *t, const struct run_record *r);
/* A case whose needs are not met; what it would have covered, or NULL. */
void tally_add_skip(struct tally *t, const struct judgement *g);
/* Mark the cells that are not 0. n <= TALLY_MAX_CELLS. */
void tally_add_cells(struct tally *t, const unsigned char *map, size_t n);
/* Of all bytes of `seen` (TALLY_MAX_CELLS of them), set those that are marked here: to unite several. */
void tally_unite_cells(struct tally *t, unsigned char *seen);
/* Before anything is counted: forget what is in the journal already, as the last process was killed before it
 * could. */
MUST_USE enum res tally_settle(struct tally *t, struct journal *j, struct err *e);
/* Move the counts into the journal, as runs of that target; commits. */
MUST_USE enum res tally_flush(struct tally *t, struct journal *j, int64_t target_id, struct err *e);
