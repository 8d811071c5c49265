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
/* Into the body of a loop of at most n_most turns, `turn` counting them from 0 on: what is probed or loaded there has
 * a row a turn of the whole nest. */
struct scope scope_enter_loop(struct build *b, struct ir_block *into, struct ir_inst *turn,
                              uint32_t n_most, unsigned mask);
