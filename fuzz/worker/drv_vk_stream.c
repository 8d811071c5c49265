/* fuzz/worker/drv_vk_stream.c -- one pipeline over block after block on a Vulkan device. */
#include "fuzz/worker/drv_vk_stream.h"

#include <string.h>

#include "base/testcase.h"
#include "fuzz/worker/drv_common.h"
#include "fuzz/worker/drv_vk_memory.h"

#define STREAM_WAIT_NS UINT64_C(3600000000000) /* past every deadline: it only ends */

/* Functions that only a stream needs. */
struct stream_functions {
    PFN_vkCmdPushConstants push;
    PFN_vkGetMemoryHostPointerPropertiesEXT host_pointer; /* NULL: not enabled */
};

struct vk_stream {
    struct stream s;
    unsigned char *memory;
    struct stream_functions fn;
    /* The shared memory itself, imported; else memory of the device laid out like slot 0, from
     * which results are copied. */
    int is_imported;
    VkBuffer buffer;
    VkDeviceMemory device_memory;
    unsigned char *map;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[STREAM_MAX_SLOTS]; /* slot 0 alone unless is_imported */
    VkShaderModule module;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

struct step {
    struct drv *d;
    struct vk_stream *t;
    struct arena *a;
    struct observation *ob;
};

static int check(const struct step *p, enum run_phase phase, const char *call, VkResult code)
{
    return vk_check(p->ob, p->a, phase, call, code);
}

static int find_functions(const struct step *p)
{
    PFN_vkVoidFunction const push =
        p->d->vk.vkGetDeviceProcAddr(p->d->device, "vkCmdPushConstants");
    PFN_vkVoidFunction const host_pointer =
        p->d->vk.vkGetDeviceProcAddr(p->d->device, "vkGetMemoryHostPointerPropertiesEXT");
    memcpy(&p->t->fn.push, &push, sizeof push);
    memcpy(&p->t->fn.host_pointer, &host_pointer, sizeof host_pointer);
    return push ? 1
                : check(p, PHASE_START, "no vkCmdPushConstants", VK_ERROR_INITIALIZATION_FAILED);
}

/* --- memory --- */

static void free_buffer(const struct step *p)
{
    p->d->vk.vkDestroyBuffer(p->d->device, p->t->buffer, NULL);
    p->d->vk.vkFreeMemory(p->d->device, p->t->device_memory, NULL);
    p->t->buffer = VK_NULL_HANDLE;
    p->t->device_memory = VK_NULL_HANDLE;
}

/* Make the only buffer of the stream, of n_bytes, in host-visible memory of one of the types
 * `type_bits`. If external and import are given, its memory is the memory shared with the
 * scheduler. That memory is n_bytes long and imported whole, so it does not serve a device that
 * needs more for such a buffer. If both are NULL, new memory is allocated. */
static VkResult make_buffer(const struct step *p, uint64_t n_bytes, uint32_t type_bits,
                            const VkExternalMemoryBufferCreateInfo *external,
                            const VkImportMemoryHostPointerInfoEXT *import)
{
    struct drv *const d = p->d;
    struct vk_stream *const t = p->t;
    VkMemoryRequirements need;
    VkBufferCreateInfo const info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = external,
                                     .size = n_bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkResult code = d->vk.vkCreateBuffer(d->device, &info, NULL, &t->buffer);
    if (code != VK_SUCCESS) {
        return code;
    }
    d->vk.vkGetBufferMemoryRequirements(d->device, t->buffer, &need);
    int const type =
        vk_find_memory(d, need.memoryTypeBits & type_bits,
                       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                       VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    if (type < 0 || (import && need.size > n_bytes)) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkMemoryAllocateInfo const memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .pNext = import,
                                         .allocationSize = import ? n_bytes : need.size,
                                         .memoryTypeIndex = (uint32_t)type};
    code = d->vk.vkAllocateMemory(d->device, &memory, NULL, &t->device_memory);
    return code != VK_SUCCESS ? code
                              : d->vk.vkBindBufferMemory(d->device, t->buffer, t->device_memory, 0);
}

/* Try to let the device work right in the memory that is shared with the scheduler, by
 * VK_EXT_external_memory_host, so that nothing is copied. 0: it cannot, and nothing is left of the
 * attempt. */
static int import_memory(const struct step *p)
{
    struct vk_stream *const t = p->t;
    VkExternalMemoryHandleTypeFlagBits const handle =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkMemoryHostPointerPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    if (!t->fn.host_pointer ||
        t->fn.host_pointer(p->d->device, handle, t->memory, &properties) != VK_SUCCESS) {
        return 0;
    }
    VkExternalMemoryBufferCreateInfo const external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = handle};
    VkImportMemoryHostPointerInfoEXT const import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = handle,
        .pHostPointer = t->memory};
    if (make_buffer(p, stream_get_bytes(&t->s), properties.memoryTypeBits, &external, &import) ==
        VK_SUCCESS) {
        return 1;
    }
    free_buffer(p);
    return 0;
}

/* The shared memory itself if it can be imported, else mapped memory of the device for one slot. */
static int make_memory(const struct step *p)
{
    struct vk_stream *const t = p->t;
    t->is_imported = import_memory(p);
    if (t->is_imported) {
        return 1;
    }
    void *map = NULL;
    uint64_t const n_bytes = stream_get_place(&t->s, 1, 0);
    if (!check(p, PHASE_START, "memory", make_buffer(p, n_bytes, UINT32_MAX, NULL, NULL)) ||
        !check(p, PHASE_START, "vkMapMemory",
               p->d->vk.vkMapMemory(p->d->device, t->device_memory, 0, VK_WHOLE_SIZE, 0, &map))) {
        return 0;
    }
    t->map = map;
    memset(map, STREAM_GUARD_BYTE, (size_t)n_bytes); /* the guards; contents are written over */
    return 1;
}

/* --- descriptors and pipeline --- */

static uint32_t count_buffers(const struct vk_stream *t)
{
    return t->s.n_inputs + t->s.n_outputs;
}

static uint32_t count_sets(const struct vk_stream *t)
{
    return t->is_imported ? t->s.n_slots : 1;
}

static void write_set(const struct step *p, uint32_t slot)
{
    struct vk_stream *const t = p->t;
    for (uint32_t i = 0; i < count_buffers(t); i++) {
        VkDescriptorBufferInfo const buffer = {t->buffer, stream_get_place(&t->s, slot, i),
                                               stream_get_buffer_bytes(&t->s)};
        VkWriteDescriptorSet const write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = t->sets[slot],
                                            .dstBinding = i,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &buffer};
        p->d->vk.vkUpdateDescriptorSets(p->d->device, 1, &write, 0, NULL);
    }
}

static int make_layout(const struct step *p)
{
    struct vk_stream *const t = p->t;
    VkDescriptorSetLayoutBinding bindings[STREAM_MAX_BUFFERS];
    for (uint32_t i = 0; i < count_buffers(t); i++) {
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    }
    VkDescriptorSetLayoutCreateInfo const layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count_buffers(t),
        .pBindings = bindings};
    return check(p, PHASE_START, "vkCreateDescriptorSetLayout",
                 p->d->vk.vkCreateDescriptorSetLayout(p->d->device, &layout, NULL, &t->set_layout));
}

/* Make a descriptor set for each slot of the ring that is in the device's memory: for all slots
 * if the memory is imported, else for one. 0: the observation says what failed. */
static int make_sets(const struct step *p)
{
    struct drv *const d = p->d;
    struct vk_stream *const t = p->t;
    uint32_t const n_sets = count_sets(t);
    VkDescriptorPoolSize const size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       n_sets * count_buffers(t)};
    VkDescriptorPoolCreateInfo const pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = n_sets,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    if (!make_layout(p) || !check(p, PHASE_START, "vkCreateDescriptorPool",
                                  d->vk.vkCreateDescriptorPool(d->device, &pool, NULL, &t->pool))) {
        return 0;
    }
    for (uint32_t slot = 0; slot < n_sets; slot++) {
        VkDescriptorSetAllocateInfo const set = {.sType =
                                                     VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = t->pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &t->set_layout};
        if (!check(p, PHASE_START, "vkAllocateDescriptorSets",
                   d->vk.vkAllocateDescriptorSets(d->device, &set, &t->sets[slot]))) {
            return 0;
        }
        write_set(p, slot);
    }
    return 1;
}

/* Is the stream within the device's limits? Beyond them making the pipeline is undefined. */
static int fits_device(const struct step *p)
{
    const VkPhysicalDeviceLimits *const limits = &p->d->properties.limits;
    const struct stream *const s = &p->t->s;
    uint32_t const n = count_buffers(p->t);
    bool const has_buffers = n <= limits->maxPerStageDescriptorStorageBuffers &&
                             n <= limits->maxDescriptorSetStorageBuffers;
    bool const has_groups = s->max_items / s->local <= limits->maxComputeWorkGroupCount[0] &&
                            s->local <= limits->maxComputeWorkGroupInvocations;
    if (!has_buffers || !has_groups) {
        drv_stop(p->ob, RUN_SKIPPED, PHASE_START, 0,
                 "more buffers or work-groups than the device allows");
        return 0;
    }
    return 1;
}

/* Build the stream's pipeline, which gets the index of the block's first item as a push
 * constant. 0: the observation says what failed. */
static int build(const struct step *p)
{
    struct drv *const d = p->d;
    struct vk_stream *const t = p->t;
    VkShaderModuleCreateInfo const module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof(uint32_t) * t->s.n_words,
                                             .pCode = t->s.module};
    VkPushConstantRange const range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo const layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &t->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    if (!check(p, PHASE_BUILD, "vkCreateShaderModule",
               d->vk.vkCreateShaderModule(d->device, &module, NULL, &t->module)) ||
        !check(p, PHASE_BUILD, "vkCreatePipelineLayout",
               d->vk.vkCreatePipelineLayout(d->device, &layout, NULL, &t->layout))) {
        return 0;
    }
    VkComputePipelineCreateInfo const pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = t->module,
                  .pName = t->s.entry},
        .layout = t->layout
    };
    return check(p, PHASE_BUILD, "vkCreateComputePipelines",
                 d->vk.vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &pipeline, NULL,
                                                &t->pipeline));
}

/* Begin a stream: one pipeline that is run on block after block of inputs, in `memory`, which scheduler and
 * worker share. What the driver refuses is in the observation and no error. */
enum res vk_stream_open(struct drv *d, const struct stream *s, unsigned char *memory,
                        struct arena *a, struct observation *ob, struct err *e)
{
    uint64_t const start_ns = drv_now_ns();
    struct vk_stream *const t = ARENA_NEW(a, struct vk_stream, 1);
    if (s->env != ENV_VK) {
        return err_set(e, RES_FORMAT, "stream of environment %s sent to a Vulkan worker",
                       env_names[s->env]);
    }
    if (!t) {
        return err_set(e, RES_NOMEM, "no room for a stream");
    }
    t->s = *s;
    t->memory = memory;
    d->stream = t;
    struct step const p = {d, t, a, ob};
    if (find_functions(&p) && fits_device(&p) && make_memory(&p) && make_sets(&p) && build(&p)) {
        drv_stop(ob, RUN_DONE, PHASE_DONE, VK_SUCCESS, "");
    }
    ob->build_ns = drv_now_ns() - start_ns;
    return RES_OK;
}

/* --- blocks --- */

static void record_barrier(const struct step *p)
{
    VkMemoryBarrier const all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    VkPipelineStageFlags const stages =
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    p->d->vk.vkCmdPipelineBarrier(p->d->commands, stages, stages, 0, 1, &all, 0, NULL, 0, NULL);
}

/* Record the commands of one block: the set of its slot, its first item as the argument, and as many
 * work-groups as cover its items, a barrier on either side. 0: the observation says what failed. */
static int record(const struct step *p, const struct stream_block *b)
{
    struct drv *const d = p->d;
    struct vk_stream *const t = p->t;
    VkCommandBufferBeginInfo const begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (!check(p, PHASE_RUN, "vkResetCommandPool",
               d->vk.vkResetCommandPool(d->device, d->pool, 0)) ||
        !check(p, PHASE_RUN, "vkBeginCommandBuffer",
               d->vk.vkBeginCommandBuffer(d->commands, &begin))) {
        return 0;
    }
    record_barrier(p);
    d->vk.vkCmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, t->pipeline);
    d->vk.vkCmdBindDescriptorSets(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, t->layout, 0, 1,
                                  &t->sets[t->is_imported ? b->slot : 0], 0, NULL);
    t->fn.push(d->commands, t->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof b->base, &b->base);
    d->vk.vkCmdDispatch(d->commands, stream_round_items(&t->s, b->n_items) / t->s.local, 1, 1);
    record_barrier(p);
    return check(p, PHASE_RUN, "vkEndCommandBuffer", d->vk.vkEndCommandBuffer(d->commands));
}

static int run(const struct step *p, const struct stream_block *b)
{
    struct drv *const d = p->d;
    VkSubmitInfo const submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &d->commands};
    return record(p, b) &&
           check(p, PHASE_RUN, "vkResetFences", d->vk.vkResetFences(d->device, 1, &d->fence)) &&
           check(p, PHASE_RUN, "vkQueueSubmit",
                 d->vk.vkQueueSubmit(d->queue, 1, &submit, d->fence)) &&
           check(p, PHASE_RUN, "vkWaitForFences",
                 d->vk.vkWaitForFences(d->device, 1, &d->fence, VK_TRUE, STREAM_WAIT_NS));
}

static void copy_inputs(const struct vk_stream *t, const struct stream_block *b)
{
    size_t const n = (size_t)stream_round_items(&t->s, b->n_items) * t->s.item_bytes;
    for (uint32_t i = 0; i < t->s.n_inputs; i++) {
        memcpy(t->map + stream_get_place(&t->s, 0, i),
               t->memory + stream_get_place(&t->s, b->slot, i), n);
    }
}

/* Results, and the guard bytes behind each output, from the device's memory to the slot. */
static void copy_outputs(const struct vk_stream *t, const struct stream_block *b)
{
    size_t const n = (size_t)stream_round_items(&t->s, b->n_items) * t->s.item_bytes;
    uint64_t const guard = stream_get_buffer_bytes(&t->s);
    for (uint32_t i = t->s.n_inputs; i < count_buffers(t); i++) {
        const unsigned char *const from = t->map + stream_get_place(&t->s, 0, i);
        unsigned char *const to = t->memory + stream_get_place(&t->s, b->slot, i);
        memcpy(to, from, n);
        memcpy(to + guard, from + guard, STREAM_PAGE_BYTES);
    }
}

void vk_stream_run(struct drv *d, const struct stream_block *b, struct arena *a,
                   struct observation *ob)
{
    uint64_t const start_ns = drv_now_ns();
    struct step const p = {d, d->stream, a, ob};
    int const is_copied = !d->stream->is_imported;
    if (is_copied) {
        copy_inputs(d->stream, b);
    }
    if (run(&p, b)) {
        if (is_copied) {
            copy_outputs(d->stream, b);
        }
        drv_stop(ob, RUN_DONE, PHASE_DONE, VK_SUCCESS, "");
    }
    ob->run_ns = drv_now_ns() - start_ns;
}

void vk_stream_close(struct drv *d)
{
    struct vk_stream *const t = d->stream;
    if (!t) {
        return;
    }
    struct step const p = {.d = d, .t = t};
    (void)d->vk.vkDeviceWaitIdle(d->device);
    d->vk.vkDestroyPipeline(d->device, t->pipeline, NULL);
    d->vk.vkDestroyPipelineLayout(d->device, t->layout, NULL);
    d->vk.vkDestroyShaderModule(d->device, t->module, NULL);
    d->vk.vkDestroyDescriptorPool(d->device, t->pool, NULL);
    d->vk.vkDestroyDescriptorSetLayout(d->device, t->set_layout, NULL);
    free_buffer(&p);
    d->stream = NULL;
}
