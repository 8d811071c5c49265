/* oracle/modorder/mo_step.h -- what one atomic sees and what it may leave. */
#pragma once

#include "base/format.h"
#include "oracle/modorder/mo_job.h"

enum {
    MO_MAX_HEADS = 12, /* per step; a correct sum has at most 4 */
    MO_MAX_READINGS = 4
};
struct mo_heads {
    uint32_t n;
    bool is_complete; /* false: there are more, so that "no order" is not proven */
    struct mo_state s[MO_MAX_HEADS];
};

/* May a value in memory be read as another encoding: a signalling NaN as the quiet one, a subnormal as a
 * zero where it may be flushed? */
static inline bool mo_has_readings(const struct mo_job *j, uint64_t bits)
{
    return j->p->is_float && (format_is_snan(j->format, bits) ||
                              (j->sees_flush && format_is_subnormal(j->format, bits)));
}
/* All encodings that it may be read as, itself first. Returns how many. */
uint32_t mo_list_readings(const struct mo_job *j, uint64_t bits, uint64_t *out);

/* Some NaN, taken to be the one of these bits: unless that is a signalling one and it is not, for
 * then it is seen so, but acts as a quiet one. */
static inline struct mo_state mo_choose_nan(const struct mo_job *j, struct mo_state some,
                                            uint64_t bits)
{
    return some.bits == 0 && format_is_snan(j->format, bits) ? some : mo_value(bits);
}

/* May e happen in state v? Then true, and the state as it now turns out to have been. */
bool mo_see(const struct mo_job *j, const struct mo_event *e, struct mo_state v,
            struct mo_state *seen);
/* What an operation on an integer of n_bits leaves of its value `old`. */
uint64_t mo_step_integer(enum mo_op op, unsigned n_bits, uint64_t old, uint64_t operand,
                         uint64_t comparator);
/* States that e may leave, `seen` being the one before; duplicates removed. */
void mo_step(const struct mo_job *j, const struct mo_event *e, struct mo_state seen,
             struct mo_heads *out);
/* Is `bits`, read after all events, what state v may read as? */
bool mo_ends_at(const struct mo_job *j, struct mo_state v, uint64_t bits);
bool mo_is_float_op(enum mo_op op); /* FADD, FMIN or FMAX */
