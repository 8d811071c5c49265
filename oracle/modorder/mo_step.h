/* oracle/modorder/mo_step.h -- one event: in which states of the location it may happen, and which states it may
 * leave. Computed from the rules of the location (S 3.3.18; CLAUSE_FADD_CR, FMIN_NAN, FMIN_NUMBER) and the job's
 * policy, exactly; at most MO_MAX_HEADS states are listed. */
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

/* May a value in memory be read as another encoding: a signalling NaN as its quiet form, a subnormal as a zero where
 * originals may be flushed? */
static inline bool mo_has_readings(const struct mo_job *j, uint64_t bits)
{
    return j->p->is_float && (format_is_snan(j->format, bits) ||
                              (j->sees_flush && format_is_subnormal(j->format, bits)));
}
/* Lists all encodings as which `bits` may be read, itself first; returns their number, at most MO_MAX_READINGS. */
uint32_t mo_list_readings(const struct mo_job *j, uint64_t bits, uint64_t *out);

/* The state `some` (some NaN) as the NaN `bits`. It stays `some` if `bits` is a signalling NaN and `some` is none: it
 * may be read so, but acts as a quiet NaN. */
static inline struct mo_state mo_choose_nan(const struct mo_job *j, struct mo_state some,
                                            uint64_t bits)
{
    return some.bits == 0 && format_is_snan(j->format, bits) ? some : mo_value(bits);
}

/* May e happen in the state v, by the original that it returned? Then *seen is v, made more precise by that original. */
bool mo_see(const struct mo_job *j, const struct mo_event *e, struct mo_state v,
            struct mo_state *seen);
/* What an operation on an integer of n_bits leaves of its value `old`. */
uint64_t mo_step_integer(enum mo_op op, unsigned n_bits, uint64_t old, uint64_t operand,
                         uint64_t comparator);
/* Lists the states that e may leave when it happens in the state `seen`, without duplicates. */
void mo_step(const struct mo_job *j, const struct mo_event *e, struct mo_state seen,
             struct mo_heads *out);
/* May the location in state v be read as `bits` after all events? */
bool mo_ends_at(const struct mo_job *j, struct mo_state v, uint64_t bits);
bool mo_is_float_op(enum mo_op op); /* FADD, FMIN or FMAX */
