/* oracle/host/host_math.h -- computes mathematical instructions by the host's C library in 113 bits: the
 * simulator's strategy `ieee`. Shares no line with the permitted sets. */
#pragma once

#include "oracle/host/host_number.h"
#include "oracle/host/host_quad.h"
#include "oracle/interp/exec.h"

/* Component c of an instruction of an extended set, FRem, FMod, Dot or QuantizeToF16, and of what it
 * writes through a pointer: 1; -1 not one that is known. */
int host_math(struct exec *x, const struct host_modes *modes, const struct invocation *inv,
              const struct mod_inst *in, uint32_t c, struct val *out, struct val *through);
/* An encoding's value; and back, rounded once. */
quad host_widen(enum fmt_id fmt, uint64_t enc);
uint64_t host_narrow(const struct host_modes *modes, enum fmt_id fmt, quad v);
/* v, which the C library gave for function op of x and y, rounded once; where its last bits, which may
 * be wrong or too few, decide, by MPFR instead. */
uint64_t host_narrow_function(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, quad x,
                              quad y, quad v);

/* The sum of n terms, at most HOST_MAX_TERMS, rounded to odd at 113 bits once. */
enum {
    HOST_MAX_TERMS = 16
};
quad host_sum_to_odd(const quad *terms, uint32_t n);
