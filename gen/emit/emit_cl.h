/* gen/emit/emit_cl.h -- the frame of an OpenCL kernel: Physical64, pointers as arguments. */
#pragma once

#include "gen/emit/emit.h"

/* Types and variables of the environment; called once, before the entry function's first label. */
void emit_cl_variables(struct emit *e);
/* OpFunction and the parameters of the entry point. */
void emit_cl_entry(struct emit *e);
/* gid, lid and wg. */
void emit_cl_items(struct emit *e);
/* Memory model, entry point and modes, after the capabilities. */
void emit_cl_frame(struct emit *e, struct spv_words *head);
/* Pointer to element `index` of variable v, whose base is `base` (the variable itself, or a
 * function's parameter). */
struct emit_place emit_cl_place(struct emit *e, struct spv_words *w, uint32_t v, uint32_t base,
                                uint32_t index);
