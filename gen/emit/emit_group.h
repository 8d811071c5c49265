/* gen/emit/emit_group.h -- group instructions of both environments, and built-ins of the sub-group. */
#pragma once

#include "gen/emit/emit.h"

/* An IR_GROUP, and its function if it has one; an IR_SUBGROUP. */
void emit_group(struct emit *e, struct ir_inst *i);
void emit_subgroup(struct emit *e, struct ir_inst *i);
