/* gen/plan/condition.h -- puts the condition of a branch, by the tape: who takes it, by index, data, earlier results
 * or index in the sub-group. */
#pragma once

#include "gen/ir/ir.h"
#include "gen/tape/tape.h"

struct build;

/* x op y. */
struct ir_inst *condition_compare(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y);
/* One that the tape decides; *mask (enum group_mask) says why some invocations may not reach it. */
struct ir_inst *condition_put(struct build *b, struct tape *t, unsigned *mask);
/* One on loaded data. */
struct ir_inst *condition_data(struct build *b, uint64_t choice);
