/* gen/plan/scope.h -- enters and leaves blocks within blocks: what the end of one restores, and hints how it is to
 * be compiled. */
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
/* Into the body of a loop of at most n_most iterations, `counter` counting them from 0 on: what is probed or loaded there has
 * a row per iteration of the whole nest. */
struct scope scope_enter_loop(struct build *b, struct ir_block *into, struct ir_inst *counter,
                              uint32_t n_most, unsigned mask);
/* Hints of a selection (IR_IF, IR_SWITCH) and of a loop (IR_LOOP, IR_TESTED_LOOP) of at most n_most iterations, or none, by `choice`.
 * They are true, and change nothing of what the construct means. */
void scope_hint_selection(struct build *b, struct ir_inst *of, uint64_t choice);
void scope_hint_loop(struct build *b, struct ir_inst *of, uint64_t choice, uint32_t n_most);
