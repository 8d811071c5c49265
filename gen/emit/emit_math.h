/* gen/emit/emit_math.h -- plain and extended instructions, their decorations, vectors. */
#pragma once

#include "gen/emit/emit.h"

/* An IR_PLAIN with its decorations, and its function if it has one; an IR_VECTOR, an IR_SECOND, an
 * IR_EXTRACT. */
void emit_plain(struct emit *e, struct ir_inst *i);
void emit_composite(struct emit *e, struct ir_inst *i);
/* The max error of the instruction, if it has one, on its result `id`. */
void emit_max_error(struct emit *e, const struct ir_inst *i, uint32_t id);
void emit_second(struct emit *e, struct ir_inst *i);
void emit_extract(struct emit *e, struct ir_inst *i);
