/* fuzz/audit/audit_row.h -- one row in work: its kernel, its slots, where it stands. */
#pragma once

#include "fuzz/audit/audit_parts.h"
#include "gen/emit/audit_module.h"

enum slot_use {
    SLOT_FREE,
    SLOT_MADE, /* to be sent again: the process died */
    SLOT_SENT, /* to the device */
    SLOT_FILLED,
    SLOT_JUDGED /* a judge has it */
};
struct row_slot {
    enum slot_use use;
    uint64_t index; /* of the block */
    uint32_t base, n;
    uint32_t n_tries;
};

struct row_run {
    struct audit_run *u;
    struct audit_row *row;
    struct arena a; /* of the row */
    struct audit_module module;
    struct audit_module_form forms[SWEEP_MAX_FORMS];
    uint32_t form[SWEEP_MAX_FORMS]; /* of the module, to those of the row */
    struct stream stream;
    unsigned char *ring, *inputs;
    size_t ring_bytes;
    struct audit_judges judges;
    struct audit_search search;
    struct row_slot slot[STREAM_MAX_SLOTS];
    uint64_t next;         /* first input that no block has yet */
    uint64_t n_finished;   /* inputs of finished blocks, skipped ones included */
    uint64_t n_before;     /* of these, before this start */
    uint64_t n_blocks;     /* made so far */
    uint64_t before_index; /* block whose last results `before` is */
    int has_before;
    uint64_t before_x, before[SWEEP_MAX_FORMS];
    uint32_t n_skipped_blocks, n_restarts;
    uint64_t start_ns;
    double seconds_before;
    struct sweep_result saved[SWEEP_MAX_FORMS]; /* from before this start */
    int is_draining; /* no new blocks until all are judged: to save, or to learn */
    int is_given_up;
};

/* --- fuzz/audit/audit_forms.c: the kernel of the row --- */

/* Shared memory and the layout of slots, for all forms of the row. */
MUST_USE enum res row_make_ring(struct row_run *t, struct err *e);
/*
 * Which forms does the driver take? All at once, else each alone: one that is refused must not lose
 * the others. Afterwards the stream of those that it takes is open, if there are any
 * (t->stream.n_outputs).
 */
MUST_USE enum res row_open_forms(struct row_run *t, struct err *e);
/* Open the stream again, in a fresh process. 1 in *is_open, or 0 and *why not. */
MUST_USE enum res row_open_stream(struct row_run *t, int *is_open, const char **why, struct err *e);
/* Foreign text, kept with the row. */
const char *row_keep_text(struct row_run *t, const char *text);
