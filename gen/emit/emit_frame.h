/* gen/emit/emit_frame.h -- what differs between an OpenCL kernel (Physical64, pointers as
 * arguments) and a Vulkan compute shader (logical addressing, descriptors). */
#pragma once

#include "gen/emit/emit.h"

/* Types and variables of the environment; called once, before the entry function's first label. */
void emit_frame_variables(struct emit *e);
/* OpFunction, with the id `entry`, and the parameters of an entry point. */
void emit_frame_entry(struct emit *e, uint32_t entry);
/* gid, lid and wg. */
void emit_frame_items(struct emit *e);
/* An IR_TOLD. */
void emit_frame_told(struct emit *e, struct ir_inst *i);
/* Memory model, entry point and modes, after the capabilities. */
void emit_frame_modes(struct emit *e, struct spv_words *head);
/* Pointer to element `index` of variable v, or to a part of it (NULL: to all of it); its base is `base` (the variable
 * itself, or a function's parameter). */
struct emit_address emit_frame_address(struct emit *e, struct spv_words *w, uint32_t v,
                                       uint32_t base, uint32_t index, const struct emit_part *part);
