/* oracle/chain/chain_step.h -- what one atomic sees and what it may leave. */
#pragma once

#include "oracle/chain/chain_job.h"

enum {
    CHAIN_MAX_HEADS = 12 /* per step; a correct sum has at most 4 */
};
struct chain_heads {
    uint32_t n;
    int is_complete; /* 0: there are more, so that "no order" is not proven */
    struct chain_state s[CHAIN_MAX_HEADS];
};

/* Some NaN, taken to be the one of these bits: unless that is a signalling one and it is not, for
 * then it is seen so, but acts as a quiet one. */
static inline struct chain_state chain_choose_nan(const struct chain_job *j,
                                                  struct chain_state some, uint64_t bits)
{
    return some.bits == 0 && format_is_snan(j->format, bits) ? some : chain_value(bits);
}

/* May e happen in state v? Then 1, and the state as it now turns out to have been. */
int chain_see(const struct chain_job *j, const struct chain_event *e, struct chain_state v,
              struct chain_state *seen);
/* States that e may leave, `seen` being the one before; duplicates removed. */
void chain_step(const struct chain_job *j, const struct chain_event *e, struct chain_state seen,
                struct chain_heads *out);
/* Is `bits`, read after all events, what state v may read as? */
int chain_ends_at(const struct chain_job *j, struct chain_state v, uint64_t bits);
int chain_is_float_op(enum chain_op op); /* FADD, FMIN or FMAX */
