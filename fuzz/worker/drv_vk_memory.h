/* fuzz/worker/drv_vk_memory.h -- Vulkan: blocks of memory that last from case to case, and shapes of images. */
#pragma once

#include "fuzz/worker/drv_vk_device.h"

/* What the images of cases are for: atomics, and copies from and to buffers. */
#define VK_CASE_IMAGE_USAGE                                                                        \
    (VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)
/* How an image is made whose texels lie so. */
struct vk_image_shape {
    VkImageType type;
    VkImageViewType view;
    VkImageCreateFlags flags;
    const char *fact; /* that tells of it, base/caps.def; NULL: none is needed */
};
const struct vk_image_shape *vk_get_image_shape(enum texels texels);

/* Memory type with all of `must`, if possible also `wish`; -1 when there is none. */
int vk_find_memory(const struct drv *d, uint32_t type_bits, VkMemoryPropertyFlags must,
                   VkMemoryPropertyFlags wish);
/* Make both blocks at least n_bytes long. */
VkResult vk_grow_blocks(struct drv *d, size_t n_bytes);
void vk_free_block(struct drv *d, struct vk_block *b);
