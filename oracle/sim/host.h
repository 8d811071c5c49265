/* oracle/sim/host.h -- float instructions in plain host arithmetic: the simulator's chooser `ieee`.
 * Shares no line with the permitted sets. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/group/group.h"
#include "oracle/interp/module.h"

/* How the host rounds and flushes, by enum fmt_id. */
struct host_modes {
    uint8_t toward_zero[3], flush[3];
};

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
/* An encoding's value, exactly; and back, rounded. */
double host_decode(enum fmt_id fmt, uint64_t enc);
uint64_t host_encode(const struct host_modes *modes, enum fmt_id fmt, double v);
/* oracle/sim/host_group.c: what participant i of a group instruction gets, n_results elements of `out`,
 * in linear order; `pick`: the bits of what is undefined. 1; -1: no group instruction. */
int host_group(const struct host_modes *modes, const struct group_call *c, uint32_t i,
               uint64_t pick, uint64_t *out);
