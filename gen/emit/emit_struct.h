/* gen/emit/emit_struct.h -- structs as values: their parts, and what they are made of. */
#pragma once

#include "gen/emit/emit.h"

/* Put IR_MEMBER, IR_INSERT and IR_STRUCT. */
void emit_member(struct emit *e, struct ir_inst *i);
void emit_insert(struct emit *e, struct ir_inst *i);
void emit_construct(struct emit *e, struct ir_inst *i);
