/* oracle/interp/tangle.h -- which invocations execute a group instruction together (S 2.2.5).
 *
 * Each invocation carries the path it took and the context it is in (call sites, loop iterations).
 * Invocations at one instruction in one context may be together; those with equal paths must be.
 * Paths become equal again at a merge block that the whole work-group reaches from a construct that
 * it entered together, and by the modes of reconvergence. */
#pragma once

#include "oracle/interp/exec.h"

/* Invocations of one work-group that wait at one instruction in one context. */
struct tangle_site {
    const struct mod_inst *in;
    uint32_t n;
    uint32_t
        *lane; /* [n] indices of invocations of the work-group, ascending; in the exec's arena */
};

enum tangle_step {
    TANGLE_GROUP,  /* out: resolve this instruction, then tangle_release */
    TANGLE_GO_ON,  /* some were released at a merge or barrier: run the ready ones */
    TANGLE_DONE,   /* all invocations have ended */
    TANGLE_STOPPED /* x->stop is set: a barrier that not all reach, or the arena is full */
};
/* What comes next where none of the n invocations of the work-group is INV_READY. */
enum tangle_step tangle_next(struct exec *x, struct invocation *inv, uint32_t n,
                             struct tangle_site *out);
/* The instruction is done, its results are in the registers: its invocations go on. */
void tangle_release(struct invocation *inv, const struct tangle_site *s);
/* Do these two take part together whatever the device does, given that both are at the site? */
static inline int tangle_must(const struct invocation *x, const struct invocation *y)
{
    return x->path == y->path;
}
