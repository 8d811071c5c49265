/* gen/plan/group_operand.h -- puts what a group operation works on, by the tape: values, ids of lanes, masks. */
#pragma once

#include "gen/plan/group_pick.h"

struct build;

/* Value, second operand and pattern of c into x, which has the rest. Returns whether the result is
 * defined for sure. */
bool group_put_operands(struct build *b, struct tape *t, const struct group_choice *c,
                        struct ir_group *x);
/* What a probe of v stores: v, or an i32 that tells it. */
struct ir_inst *group_view(struct build *b, struct ir_inst *v);
