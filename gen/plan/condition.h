/* gen/plan/condition.h -- who takes a branch: by index, data, earlier results, place in the sub-group. */
#pragma once

#include "gen/ir/ir.h"
#include "gen/tape/tape.h"

struct build;

/* x op y; a condition, with *mask (enum group_mask) set to who stays away; one on data. */
struct ir_inst *condition_compare(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y);
struct ir_inst *condition_put(struct build *b, struct tape *t, unsigned *mask);
struct ir_inst *condition_data(struct build *b, uint64_t choice);
