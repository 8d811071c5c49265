/* oracle/host/host.h -- computes float instructions in plain host arithmetic: the simulator's strategy `ieee`.
 * Shares no line with the permitted sets. */
#pragma once

#include "oracle/host/host_number.h"
#include "oracle/interp/exec.h"

/* Component c of a float instruction, and of what it writes through a pointer: 1; -1 not one that is
 * known. */
int host_apply(struct exec *x, const struct host_modes *modes, const struct invocation *inv,
               const struct mod_inst *in, uint32_t c, struct val *out, struct val *through);
/* What an atomic add, min or max leaves. op: SpvOpAtomicF... */
uint64_t host_atomic(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, uint64_t a,
                     uint64_t b);
/* FAdd, FSub, FMul, FDiv. op: the opcode. */
uint64_t host_arithmetic(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, uint64_t a,
                         uint64_t b);
