/* gen/plan/scope.h -- blocks within blocks: what the end of one puts back. */
#pragma once

#include "gen/plan/build.h"

struct scope {
    struct flow flow;
    struct ir_inst *ballot;
};

/* Instructions go into block `into` from now on, to which `mask` (enum group_mask) says who comes. Returns what
 * scope_leave puts back. */
struct scope scope_enter(struct build *b, struct ir_block *into, unsigned mask);
void scope_leave(struct build *b, const struct scope *outer);
