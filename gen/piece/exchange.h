/* gen/piece/exchange.h -- puts program fragments in which invocations of a work-group pass words to each other:
 * stored, a barrier, loaded by another. Each is free of data races, and what is loaded is one value whatever the
 * order. At most 12 KiB of work-group memory. */
#pragma once

#include "gen/ir/ir.h"
#include "gen/tape/tape.h"

struct build;

/* How a barrier is said; each orders the memory that it is to order. */
enum exchange_form {
    EXCHANGE_OWN, /* that memory alone */
    EXCHANGE_OWN_AGAIN,
    EXCHANGE_BOTH,     /* work-group memory and buffers */
    EXCHANGE_STRONGER, /* the same, sequentially consistent, or images as well */
    EXCHANGE_WIDER,    /* of the scope of the device */
    EXCHANGE_TWICE,    /* after one that orders nothing */
    EXCHANGE_FORM_N
};
/* A barrier of the work-group that orders its memory, or (is_global) that of buffers, in the form that `choice` picks. */
void exchange_fence(struct build *b, bool is_global, uint64_t choice);
/* A word of this invocation, exact in each operation of these pieces: a loaded number, of float type a whole one of small
 * magnitude, of 8 or 16 bits the low part of one of 32. */
struct ir_inst *exchange_put_word(struct build *b, enum ir_type type, uint64_t seed);
/* One of the types that the pieces may use, by `choice`; 0: i32. */
enum ir_type exchange_pick_type(const struct build *b, uint64_t choice);

/* May invocations of the work-group pass words to each other here? */
bool exchange_may(const struct build *b);
/* The word v of another invocation: stored in work-group memory, a barrier, loaded; v itself where there is no room. */
struct ir_inst *exchange_put_neighbour(struct build *b, struct ir_inst *v, uint64_t seed);

void piece_exchange_put(struct build *b, struct tape *t);
void piece_tree_put(struct build *b, struct tape *t);
void piece_scan_put(struct build *b, struct tape *t);
void piece_histogram_put(struct build *b, struct tape *t);
void piece_partial_sums_put(struct build *b, struct tape *t);
void piece_sweeps_put(struct build *b, struct tape *t);
