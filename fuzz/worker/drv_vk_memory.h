/* fuzz/worker/drv_vk_memory.h -- Vulkan: blocks of memory that last from case to case. */
#pragma once

#include "fuzz/worker/drv_vk_device.h"

/* Memory type with all of `must`, if possible also `wish`; -1 when there is none. */
int vk_find_memory(const struct drv *d, uint32_t type_bits, VkMemoryPropertyFlags must,
                   VkMemoryPropertyFlags wish);
/* Make both blocks at least n_bytes long. */
VkResult vk_grow_blocks(struct drv *d, size_t n_bytes);
void vk_free_block(struct drv *d, struct vk_block *b);
