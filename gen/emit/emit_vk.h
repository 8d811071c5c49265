/* gen/emit/emit_vk.h -- the frame of a Vulkan compute shader: logical addressing, descriptors. */
#pragma once

#include "gen/emit/emit.h"

/* Types and variables of the environment; called once, before the entry function's first label. */
void emit_vk_variables(struct emit *e);
/* OpFunction and the parameters of the entry point. */
void emit_vk_entry(struct emit *e);
/* gid, lid and wg. */
void emit_vk_items(struct emit *e);
/* Memory model, entry point and modes, after the capabilities. */
void emit_vk_frame(struct emit *e, struct spv_words *head);
/* Pointer to element `index` of variable v, whose base is `base` (the variable itself, or a
 * function's parameter). */
struct emit_place emit_vk_place(struct emit *e, struct spv_words *w, uint32_t v, uint32_t base,
                                uint32_t index);
