/* fuzz/worker/drv_vk_memory.c -- the two blocks of memory that all cases of a worker share. */
#include "fuzz/worker/drv_vk_memory.h"

#include <string.h>

/* Blocks grow by whole steps, so that few cases grow them. */
enum {
    VK_BLOCK_STEP_BYTES = 1 << 20
};

const struct vk_image_shape *vk_get_image_shape(enum texels texels)
{
    static const struct vk_image_shape shapes[TEXELS_N] = {
        [TEXELS_NONE] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D,         0, NULL                     },
        [TEXELS_BUFFER] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D,         0, NULL                     },
        [TEXELS_1D] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D,         0, "vk.fmt.image_1d"        },
        [TEXELS_2D] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D,         0, NULL                     },
        [TEXELS_3D] = {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D,         0, "vk.fmt.image_3d"        },
        [TEXELS_CUBE] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE,
                         VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT,                "vk.fmt.image_cube"      },
        [TEXELS_1D_ARRAY] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY,   0,
                         "vk.fmt.image_1d_array"                                                      },
        [TEXELS_2D_ARRAY] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY,   0,
                         "vk.fmt.image_2d_array"                                                      },
        [TEXELS_CUBE_ARRAY] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
                         VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT,                "vk.fmt.image_cube_array"}
    };
    return &shapes[texels];
}

int vk_find_memory(const struct drv *d, uint32_t type_bits, VkMemoryPropertyFlags must,
                   VkMemoryPropertyFlags wish)
{
    int best = -1;
    for (uint32_t i = 0; i < d->memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags const flags = d->memory.memoryTypes[i].propertyFlags;
        if (!(type_bits >> i & 1) || (flags & must) != must) {
            continue;
        }
        if ((flags & wish) == wish) {
            return (int)i;
        }
        if (best < 0) {
            best = (int)i;
        }
    }
    return best;
}

void vk_free_block(struct drv *d, struct vk_block *b)
{
    d->vk.vkDestroyBuffer(d->device, b->buffer, NULL);
    d->vk.vkFreeMemory(d->device, b->memory, NULL);
    memset(b, 0, sizeof *b);
}

/* Make a buffer of n_bytes, with memory of a type that has all properties of `must` and, if
 * possible, also those of `wish`. The memory is mapped if `must` says host-visible. What was made
 * before an error is left for vk_free_block. */
static VkResult make_block(struct drv *d, struct vk_block *b, size_t n_bytes,
                           VkMemoryPropertyFlags must, VkMemoryPropertyFlags wish)
{
    VkBufferCreateInfo const info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = n_bytes,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 (d->has_addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0)};
    VkMemoryRequirements need;
    VkResult code = d->vk.vkCreateBuffer(d->device, &info, NULL, &b->buffer);
    if (code != VK_SUCCESS) {
        return code;
    }
    d->vk.vkGetBufferMemoryRequirements(d->device, b->buffer, &need);
    int const type = vk_find_memory(d, need.memoryTypeBits, must, wish);
    if (type < 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkMemoryAllocateFlagsInfo const flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo const memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .pNext = d->has_addresses ? &flags : NULL,
                                         .allocationSize = need.size,
                                         .memoryTypeIndex = (uint32_t)type};
    code = d->vk.vkAllocateMemory(d->device, &memory, NULL, &b->memory);
    if (code != VK_SUCCESS) {
        return code;
    }
    b->n_bytes = n_bytes;
    code = d->vk.vkBindBufferMemory(d->device, b->buffer, b->memory, 0);
    bool const is_mapped = must & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    if (code != VK_SUCCESS || !is_mapped) {
        return code;
    }
    void *p = NULL;
    code = d->vk.vkMapMemory(d->device, b->memory, 0, VK_WHOLE_SIZE, 0, &p);
    b->map = p;
    return code;
}

/* Give both blocks room for n_bytes: the staging block, which the host writes and reads, and the
 * work block, on which the case runs. The blocks are kept from case to case and only grow, in steps
 * of VK_BLOCK_STEP_BYTES. After an error there is neither. */
VkResult vk_grow_blocks(struct drv *d, size_t n_bytes)
{
    if (n_bytes <= d->stage.n_bytes && n_bytes <= d->work.n_bytes) {
        return VK_SUCCESS;
    }
    size_t const n_grown = (n_bytes / VK_BLOCK_STEP_BYTES + 1) * VK_BLOCK_STEP_BYTES;
    vk_free_block(d, &d->stage);
    vk_free_block(d, &d->work);
    VkResult code =
        make_block(d, &d->stage, n_grown,
                   VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                   VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    if (code == VK_SUCCESS) {
        code = make_block(d, &d->work, n_grown, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    }
    if (code != VK_SUCCESS) {
        vk_free_block(d, &d->stage);
        vk_free_block(d, &d->work);
    }
    return code;
}
