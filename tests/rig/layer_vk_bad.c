/* tests/rig/layer_vk_bad.c -- a Vulkan layer that makes the driver below it misbehave on request.
 *
 * Loaded with VK_LAYER_PATH (a folder with its manifest) and
 * VK_INSTANCE_LAYERS=VK_LAYER_HALFULP_bad, and the variables of bad_mode.h. */
#define VK_NO_PROTOTYPES 1
#include <stdint.h>
#include <stdio.h>
#include <vulkan/vk_layer.h>

#include "tests/rig/bad_mode.h"

#define NEXT_FUNCTIONS(F)                                                                          \
    F(vkCreateComputePipelines)                                                                    \
    F(vkQueueSubmit)                                                                               \
    F(vkWaitForFences)                                                                             \
    F(vkUpdateDescriptorSets)                                                                      \
    F(vkCmdDispatch)                                                                               \
    F(vkCmdFillBuffer)                                                                             \
    F(vkCmdPipelineBarrier)                                                                        \
    F(vkCmdCopyBuffer)                                                                             \
    F(vkBindBufferMemory)                                                                          \
    F(vkMapMemory)

enum {
    MAX_REGIONS = 32,
    MAX_BINDINGS = 8
};

/* A buffer, its memory, and where that is mapped, NULL if it is not. */
struct binding {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize offset;
    unsigned char *map;
};

/* A layer is loaded once, for one instance and one device here, and has no other place. */
static struct {
    VkInstance instance;
    PFN_vkGetInstanceProcAddr get_instance_address;
    PFN_vkGetDeviceProcAddr get_device_address;
#define F(name) PFN_##name name;
    NEXT_FUNCTIONS(F)
#undef F
    unsigned long n_builds;
    struct binding bindings[MAX_BINDINGS];
    unsigned n_bindings;          /* ever made: the newest replace the oldest */
    VkDescriptorBufferInfo first; /* what binding 0 was last given */
    VkBuffer copy_to;
    VkBufferCopy regions[MAX_REGIONS]; /* of the last copy to a mapped buffer */
    uint32_t n_regions;
    unsigned char *before; /* their content when the work was submitted */
} bad;

static enum bad_mode get_mode(void)
{
    return bad_get_mode(bad.n_builds - 1);
}

static struct binding *find_binding(VkBuffer buffer)
{
    for (unsigned i = 0; i < MAX_BINDINGS; i++) {
        if (bad.bindings[i].buffer == buffer) {
            return &bad.bindings[i];
        }
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_bind(VkDevice device, VkBuffer buffer,
                                                VkDeviceMemory memory, VkDeviceSize offset)
{
    bad.bindings[bad.n_bindings++ % MAX_BINDINGS] =
        (struct binding){.buffer = buffer, .memory = memory, .offset = offset};
    return bad.vkBindBufferMemory(device, buffer, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_map(VkDevice device, VkDeviceMemory memory,
                                               VkDeviceSize offset, VkDeviceSize n_bytes,
                                               VkMemoryMapFlags flags, void **out)
{
    VkResult const code = bad.vkMapMemory(device, memory, offset, n_bytes, flags, out);
    for (unsigned i = 0; code == VK_SUCCESS && i < MAX_BINDINGS; i++) {
        if (bad.bindings[i].memory == memory) {
            bad.bindings[i].map = (unsigned char *)*out - offset + bad.bindings[i].offset;
        }
    }
    return code;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_build(VkDevice device, VkPipelineCache cache, uint32_t n,
                                                 const VkComputePipelineCreateInfo *infos,
                                                 const VkAllocationCallbacks *allocator,
                                                 VkPipeline *pipelines)
{
    bad.n_builds++;
    bad_strike_build(get_mode());
    if (get_mode() == BAD_ERROR_BUILD) {
        return VK_ERROR_UNKNOWN;
    }
    return bad.vkCreateComputePipelines(device, cache, n, infos, allocator, pipelines);
}

static VKAPI_ATTR void VKAPI_CALL hook_update(VkDevice device, uint32_t n,
                                              const VkWriteDescriptorSet *writes, uint32_t n_copies,
                                              const VkCopyDescriptorSet *copies)
{
    for (uint32_t i = 0; i < n; i++) {
        if (writes[i].dstBinding == 0 && writes[i].pBufferInfo) {
            bad.first = writes[i].pBufferInfo[0];
        }
    }
    bad.vkUpdateDescriptorSets(device, n, writes, n_copies, copies);
}

static VKAPI_ATTR void VKAPI_CALL hook_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y,
                                                uint32_t z)
{
    if (get_mode() != BAD_LIE) {
        bad.vkCmdDispatch(commands, x, y, z);
    }
    if (get_mode() == BAD_OOB) {
        VkMemoryBarrier const barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT};
        bad.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                 VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0,
                                 NULL);
        bad.vkCmdFillBuffer(commands, bad.first.buffer, bad.first.offset + bad.first.range, 4, 0);
    }
}

static VKAPI_ATTR void VKAPI_CALL hook_copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                                            uint32_t n, const VkBufferCopy *regions)
{
    const struct binding *const b = find_binding(to);
    if (b && b->map && n <= MAX_REGIONS) {
        bad.copy_to = to;
        bad.n_regions = n;
        memcpy(bad.regions, regions, n * sizeof *regions);
    }
    bad.vkCmdCopyBuffer(commands, from, to, n, regions);
}

/* Bytes of the regions of the last copy to the host. */
static size_t count_bytes(void)
{
    size_t n = 0;
    for (uint32_t i = 0; i < bad.n_regions; i++) {
        n += (size_t)bad.regions[i].size;
    }
    return n;
}

static void keep_content(void)
{
    const struct binding *const b = find_binding(bad.copy_to);
    size_t n = 0;
    free(bad.before);
    bad.before = malloc(count_bytes() + 1);
    for (uint32_t i = 0; b && b->map && bad.before && i < bad.n_regions; i++) {
        memcpy(bad.before + n, b->map + bad.regions[i].dstOffset, (size_t)bad.regions[i].size);
        n += (size_t)bad.regions[i].size;
    }
}

static void flip_content(void)
{
    const struct binding *const b = find_binding(bad.copy_to);
    size_t n = 0;
    for (uint32_t i = 0; b && b->map && bad.before && i < bad.n_regions; i++) {
        if (bad_flip(b->map + bad.regions[i].dstOffset, bad.before + n,
                     (size_t)bad.regions[i].size)) {
            return;
        }
        n += (size_t)bad.regions[i].size;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_submit(VkQueue queue, uint32_t n,
                                                  const VkSubmitInfo *infos, VkFence fence)
{
    enum bad_mode const mode = get_mode();
    bad_strike_run(mode);
    if (mode == BAD_ERROR_RUN) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    if (mode == BAD_LOST) {
        return VK_ERROR_DEVICE_LOST;
    }
    keep_content();
    return bad.vkQueueSubmit(queue, n, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_wait(VkDevice device, uint32_t n, const VkFence *fences,
                                                VkBool32 all, uint64_t timeout_ns)
{
    VkResult const code = bad.vkWaitForFences(device, n, fences, all, timeout_ns);
    bad_strike_answer(get_mode());
    if (get_mode() == BAD_FLIP && code == VK_SUCCESS) {
        flip_content();
    }
    return code;
}

/* The element of a create info's chain in which the loader hands over the next layer. */
static void *find_link(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *s = chain;
    for (; s; s = s->pNext) {
        VkLayerFunction function;
        memcpy(&function, (const char *)s + offsetof(VkLayerInstanceCreateInfo, function),
               sizeof function);
        if (s->sType == type && function == VK_LAYER_LINK_INFO) {
            void *writable = NULL;
            memcpy(&writable, &s, sizeof s); /* the loader wants its link moved on */
            return writable;
        }
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_create_instance(const VkInstanceCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator,
                                                           VkInstance *out)
{
    VkLayerInstanceCreateInfo *const link =
        find_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    bad.get_instance_address = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance const create =
        (PFN_vkCreateInstance)bad.get_instance_address(NULL, "vkCreateInstance");
    VkResult const code = create(info, allocator, out);
    bad.instance = code == VK_SUCCESS ? *out : NULL;
    return code;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_create_device(VkPhysicalDevice physical,
                                                         const VkDeviceCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator,
                                                         VkDevice *out)
{
    VkLayerDeviceCreateInfo *const link =
        find_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    PFN_vkGetInstanceProcAddr const get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    bad.get_device_address = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateDevice const create = (PFN_vkCreateDevice)get(bad.instance, "vkCreateDevice");
    VkResult const code = create(physical, info, allocator, out);
    if (code == VK_SUCCESS) {
#define F(name) bad.name = (PFN_##name)bad.get_device_address(*out, #name);
        NEXT_FUNCTIONS(F)
#undef F
    }
    return code;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_get_device_address(VkDevice device,
                                                                        const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_get_instance_address(VkInstance instance,
                                                                          const char *name);

static PFN_vkVoidFunction find_hook(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } table[] = {
        {"vkGetInstanceProcAddr",    (PFN_vkVoidFunction)hook_get_instance_address},
        {"vkGetDeviceProcAddr",      (PFN_vkVoidFunction)hook_get_device_address  },
        {"vkCreateInstance",         (PFN_vkVoidFunction)hook_create_instance     },
        {"vkCreateDevice",           (PFN_vkVoidFunction)hook_create_device       },
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)hook_build               },
        {"vkQueueSubmit",            (PFN_vkVoidFunction)hook_submit              },
        {"vkWaitForFences",          (PFN_vkVoidFunction)hook_wait                },
        {"vkUpdateDescriptorSets",   (PFN_vkVoidFunction)hook_update              },
        {"vkCmdDispatch",            (PFN_vkVoidFunction)hook_dispatch            },
        {"vkCmdCopyBuffer",          (PFN_vkVoidFunction)hook_copy                },
        {"vkBindBufferMemory",       (PFN_vkVoidFunction)hook_bind                },
        {"vkMapMemory",              (PFN_vkVoidFunction)hook_map                 },
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return table[i].function;
        }
    }
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_get_device_address(VkDevice device,
                                                                        const char *name)
{
    PFN_vkVoidFunction const hook = find_hook(name);
    return hook ? hook : bad.get_device_address(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_get_instance_address(VkInstance instance,
                                                                          const char *name)
{
    PFN_vkVoidFunction const hook = find_hook(name);
    if (hook) {
        return hook;
    }
    return bad.get_instance_address ? bad.get_instance_address(instance, name) : NULL;
}

VK_LAYER_EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *v)
{
    v->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
    v->pfnGetInstanceProcAddr = hook_get_instance_address;
    v->pfnGetDeviceProcAddr = hook_get_device_address;
    v->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
