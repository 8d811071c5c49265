/* fuzz/worker/drv_vk_run.c -- one case on a Vulkan device: resources, pipeline, dispatch, read. */
#include "fuzz/worker/drv_vk_run.h"

#include <string.h>

#include "base/testcase.h"
#include "fuzz/worker/drv_common.h"
#include "fuzz/worker/drv_vk_memory.h"
#include "fuzz/worker/drv_vk_program.h"

/* Far past every deadline of the scheduler: this wait never decides, it only ends. */
#define VK_WAIT_NS UINT64_C(3600000000000)
enum {
    VK_COPY_ALIGN_BYTES = 16,
    VK_ADDRESS_BYTES = 8,
    VK_SIZE_ALIGN_BYTES = 4 /* so that each buffer's guard begins at a whole word */
};

static const VkImageSubresourceRange whole_image = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                                    .levelCount = 1,
                                                    .layerCount = VK_REMAINING_ARRAY_LAYERS};

struct vk_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
};

/* One case's objects, all destroyed at its end. */
struct vk_case {
    struct drv *d;
    const struct testcase *tc;
    enum drv_job job;
    struct arena *a;
    struct observation *ob;
    struct guarded area[CASE_MAX_BUFS];    /* in both blocks alike */
    struct guarded address[CASE_MAX_BUFS]; /* the same, where that of a BUF_ADDRESS stands */
    size_t n_bytes;
    struct vk_image images[CASE_MAX_BUFS];
    VkBufferView texels[CASE_MAX_BUFS];
    uint32_t n_sets; /* those that nothing stands in are empty */
    VkDescriptorSetLayout set_layouts[CASE_MAX_SETS];
    VkDescriptorPool pool;
    VkDescriptorSet sets[CASE_MAX_SETS];
    VkShaderModule module;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

static int check(struct vk_case *c, enum run_phase phase, const char *call, VkResult code)
{
    return vk_check(c->ob, c->a, phase, call, code);
}

static int is_image(const struct vk_case *c, uint32_t i)
{
    return buf_is_image(c->tc->bufs[i].kind);
}

static VkFormat get_format(enum buf_kind kind)
{
    switch (buf_kind_rows[kind].format) {
    case TEXEL_NONE:
        return VK_FORMAT_UNDEFINED;
    case TEXEL_R32F:
        return VK_FORMAT_R32_SFLOAT;
    case TEXEL_R32UI:
        return VK_FORMAT_R32_UINT;
    case TEXEL_RG16F:
        return VK_FORMAT_R16G16_SFLOAT;
    case TEXEL_RGBA16F:
        return VK_FORMAT_R16G16B16A16_SFLOAT;
    }
    return VK_FORMAT_UNDEFINED;
}

static const struct vk_image_shape *get_shape(const struct vk_case *c, uint32_t i)
{
    return vk_get_image_shape(buf_kind_rows[c->tc->bufs[i].kind].texels);
}

/* The slices of a volume are its depth, those of other images layers. */
static VkExtent3D get_extent(const struct vk_case *c, uint32_t i)
{
    const struct buf *const b = &c->tc->bufs[i];
    bool const is_3d = get_shape(c, i)->type == VK_IMAGE_TYPE_3D;
    return (VkExtent3D){
        .width = b->width, .height = b->height, .depth = is_3d ? buf_get_slices(b) : 1};
}

static uint32_t get_layers(const struct vk_case *c, uint32_t i)
{
    bool const is_3d = get_shape(c, i)->type == VK_IMAGE_TYPE_3D;
    return is_3d ? 1 : buf_get_slices(&c->tc->bufs[i]);
}

/* Is binding i the address of the buffer? */
static bool has_address(const struct vk_case *c, uint32_t i)
{
    return c->tc->bufs[i].kind == BUF_ADDRESS;
}

/* Write the address that buffer i has in the work block; 0 of a device that has none, which then lists no need of
 * them. */
static void fill_address(struct vk_case *c, uint32_t i)
{
    struct drv *const d = c->d;
    unsigned char bytes[VK_ADDRESS_BYTES];
    VkBufferDeviceAddressInfo const info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = d->work.buffer};
    VkDeviceAddress const block =
        d->has_addresses ? d->vk.vkGetBufferDeviceAddress(d->device, &info) : 0;
    store_le(bytes, block ? block + c->area[i].start : 0, sizeof bytes);
    drv_guard_fill(d->stage.map, &c->address[i], bytes);
}

/* Lay out the case's buffers one after another, each with guard bytes on both sides and aligned
 * as all its uses demand, and write them to the staging block. A buffer that is passed by its
 * address gets a second, small buffer that holds the address. 0: the observation says what failed. */
static int fill_blocks(struct vk_case *c)
{
    const VkPhysicalDeviceLimits *const limits = &c->d->properties.limits;
    size_t align = VK_COPY_ALIGN_BYTES;
    if (limits->minStorageBufferOffsetAlignment > align) {
        align = (size_t)limits->minStorageBufferOffsetAlignment;
    }
    if (limits->minTexelBufferOffsetAlignment > align) {
        align = (size_t)limits->minTexelBufferOffsetAlignment;
    }
    if (limits->minUniformBufferOffsetAlignment > align) {
        align = (size_t)limits->minUniformBufferOffsetAlignment;
    }
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        c->area[i] = drv_guard_place(&c->n_bytes, c->tc->bufs[i].n_bytes, align);
        if (has_address(c, i)) {
            c->address[i] = drv_guard_place(&c->n_bytes, VK_ADDRESS_BYTES, align);
        }
        c->n_bytes = (c->n_bytes + VK_SIZE_ALIGN_BYTES - 1) & ~(size_t)(VK_SIZE_ALIGN_BYTES - 1);
    }
    if (!check(c, PHASE_START, "memory", vk_grow_blocks(c->d, c->n_bytes + 1))) { /* + 1: never 0 */
        return 0;
    }
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        drv_guard_fill(c->d->stage.map, &c->area[i], c->tc->bufs[i].data);
        if (has_address(c, i)) {
            fill_address(c, i);
        }
    }
    return 1;
}

/* Make the image of binding i, with its memory and a view. What was made before an error is left for release. */
static VkResult make_image(struct vk_case *c, uint32_t i)
{
    struct drv *const d = c->d;
    struct vk_image *const image = &c->images[i];
    VkImageCreateInfo const info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = get_shape(c, i)->flags,
                                    .imageType = get_shape(c, i)->type,
                                    .format = get_format(c->tc->bufs[i].kind),
                                    .extent = get_extent(c, i),
                                    .mipLevels = 1,
                                    .arrayLayers = get_layers(c, i),
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_OPTIMAL,
                                    .usage = VK_CASE_IMAGE_USAGE};
    VkMemoryRequirements need;
    VkResult code = d->vk.vkCreateImage(d->device, &info, NULL, &image->image);
    if (code != VK_SUCCESS) {
        return code;
    }
    d->vk.vkGetImageMemoryRequirements(d->device, image->image, &need);
    int const type = vk_find_memory(d, need.memoryTypeBits, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (type < 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkMemoryAllocateInfo const memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = need.size,
                                         .memoryTypeIndex = (uint32_t)type};
    code = d->vk.vkAllocateMemory(d->device, &memory, NULL, &image->memory);
    if (code == VK_SUCCESS) {
        code = d->vk.vkBindImageMemory(d->device, image->image, image->memory, 0);
    }
    if (code != VK_SUCCESS) {
        return code;
    }
    VkImageViewCreateInfo const view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image->image,
                                        .viewType = get_shape(c, i)->view,
                                        .format = get_format(c->tc->bufs[i].kind),
                                        .subresourceRange = whole_image};
    return d->vk.vkCreateImageView(d->device, &view, NULL, &image->view);
}

static VkDescriptorType get_type(enum buf_kind kind)
{
    if (buf_is_image(kind)) {
        return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    }
    if (kind == BUF_CONSTANT) {
        return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    }
    return buf_kind_rows[kind].texels == TEXELS_BUFFER ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/* Push constants stand in the command buffer and have no descriptor. */
static bool has_descriptor(const struct vk_case *c, uint32_t i)
{
    return c->tc->bufs[i].kind != BUF_PUSH;
}

/* Make the layout of descriptor set number `set`. 0: the observation says what failed. */
static int make_layout(struct vk_case *c, uint32_t set)
{
    struct drv *const d = c->d;
    VkDescriptorSetLayoutBinding bindings[CASE_MAX_BUFS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (has_descriptor(c, i) && c->tc->bufs[i].set == set) {
            bindings[n++] =
                (VkDescriptorSetLayoutBinding){.binding = i,
                                               .descriptorType = get_type(c->tc->bufs[i].kind),
                                               .descriptorCount = 1,
                                               .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        }
    }
    VkDescriptorSetLayoutCreateInfo const layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = n,
        .pBindings = bindings};
    return check(c, PHASE_START, "vkCreateDescriptorSetLayout",
                 d->vk.vkCreateDescriptorSetLayout(d->device, &layout, NULL, &c->set_layouts[set]));
}

/* Make the pool that all descriptors of the case come of, one of each binding. */
static int make_pool(struct vk_case *c)
{
    struct drv *const d = c->d;
    VkDescriptorPoolSize sizes[CASE_MAX_BUFS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (has_descriptor(c, i)) {
            sizes[n++] =
                (VkDescriptorPoolSize){.type = get_type(c->tc->bufs[i].kind), .descriptorCount = 1};
        }
    }
    VkDescriptorPoolCreateInfo const pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = c->n_sets,
                                             .poolSizeCount = n,
                                             .pPoolSizes = sizes};
    return check(c, PHASE_START, "vkCreateDescriptorPool",
                 d->vk.vkCreateDescriptorPool(d->device, &pool, NULL, &c->pool));
}

/* Make layouts, a pool and the descriptor sets for the case's bindings; the sets are written
 * later. There is a set for each number up to the highest that is used, because the sets of a
 * pipeline layout have no gaps. 0: the observation says what failed. */
static int make_sets(struct vk_case *c)
{
    struct drv *const d = c->d;
    c->n_sets = 1;
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (has_descriptor(c, i) && c->tc->bufs[i].set >= c->n_sets) {
            c->n_sets = c->tc->bufs[i].set + 1;
        }
    }
    for (uint32_t set = 0; set < c->n_sets; set++) {
        if (!make_layout(c, set)) {
            return 0;
        }
    }
    if (!make_pool(c)) {
        return 0;
    }
    VkDescriptorSetAllocateInfo const sets = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = c->pool,
                                              .descriptorSetCount = c->n_sets,
                                              .pSetLayouts = c->set_layouts};
    return check(c, PHASE_START, "vkAllocateDescriptorSets",
                 d->vk.vkAllocateDescriptorSets(d->device, &sets, c->sets));
}

/* Make the view of the texels of binding i. */
static VkResult make_texels(struct vk_case *c, uint32_t i)
{
    struct drv *const d = c->d;
    VkBufferViewCreateInfo const view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = d->work.buffer,
                                         .format = get_format(c->tc->bufs[i].kind),
                                         .offset = c->area[i].start,
                                         .range = c->area[i].n_bytes};
    return d->vk.vkCreateBufferView(d->device, &view, NULL, &c->texels[i]);
}

/* Make what binding i needs besides its area in the work block (an image, or a view of texels),
 * and write its descriptor. 0: the observation says what failed. */
static int bind_buffer(struct vk_case *c, uint32_t i)
{
    struct drv *const d = c->d;
    const struct guarded *const bound = has_address(c, i) ? &c->address[i] : &c->area[i];
    VkDescriptorBufferInfo const buffer = {d->work.buffer, bound->start, bound->n_bytes};
    VkDescriptorImageInfo image = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = c->sets[c->tc->bufs[i].set],
                                  .dstBinding = i,
                                  .descriptorCount = 1,
                                  .descriptorType = get_type(c->tc->bufs[i].kind)};
    if (is_image(c, i)) {
        if (!check(c, PHASE_START, "image", make_image(c, i))) {
            return 0;
        }
        image.imageView = c->images[i].view;
        write.pImageInfo = &image;
    } else if (buf_kind_rows[c->tc->bufs[i].kind].texels == TEXELS_BUFFER) {
        if (!check(c, PHASE_START, "vkCreateBufferView", make_texels(c, i))) {
            return 0;
        }
        write.pTexelBufferView = &c->texels[i];
    } else {
        write.pBufferInfo = &buffer;
    }
    d->vk.vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
    return 1;
}

/* What a pipeline is made of is the layout of the bindings; memory is for a dispatch alone. */
static int make_resources(struct vk_case *c)
{
    if (c->job != JOB_RUN) {
        return make_sets(c);
    }
    if (!fill_blocks(c) || !make_sets(c)) {
        return 0;
    }
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (has_descriptor(c, i) && !bind_buffer(c, i)) {
            return 0;
        }
    }
    return 1;
}

/* The case's values for specialization constants, each at a place of 8 bytes; a bool as a VkBool32. */
struct vk_specs {
    VkSpecializationMapEntry entries[CASE_MAX_SPECS];
    unsigned char data[CASE_MAX_SPECS * sizeof(uint64_t)];
    VkSpecializationInfo info;
};

static void fill_specs(const struct testcase *tc, struct vk_specs *out)
{
    for (uint32_t i = 0; i < tc->n_specs; i++) {
        const struct spec *const s = &tc->specs[i];
        uint32_t const offset = i * (uint32_t)sizeof(uint64_t);
        uint32_t const n_bytes = s->is_bool ? (uint32_t)sizeof(VkBool32) : s->n_bytes;
        out->entries[i] =
            (VkSpecializationMapEntry){.constantID = s->id, .offset = offset, .size = n_bytes};
        store_le(out->data + offset, s->bits, n_bytes);
    }
    out->info = (VkSpecializationInfo){.mapEntryCount = tc->n_specs,
                                       .pMapEntries = out->entries,
                                       .dataSize = tc->n_specs * sizeof(uint64_t),
                                       .pData = out->data};
}

/* The case's push constants, or NULL. */
static const struct buf *find_push(const struct vk_case *c)
{
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (!has_descriptor(c, i)) {
            return &c->tc->bufs[i];
        }
    }
    return NULL;
}

/* Build the pipeline, with the size that the case requires of its sub-groups, and full sub-groups if it requires
 * these. This is where a driver compiles. 0: the observation says what failed. */
static int build(struct vk_case *c)
{
    struct drv *const d = c->d;
    VkShaderModuleCreateInfo const module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof(uint32_t) * c->tc->n_words,
                                             .pCode = c->tc->module};
    const struct buf *const push = find_push(c);
    VkPushConstantRange const range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .size = push ? push->n_bytes : 0};
    VkPipelineLayoutCreateInfo const layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = c->n_sets,
                                               .pSetLayouts = c->set_layouts,
                                               .pushConstantRangeCount = push ? 1 : 0,
                                               .pPushConstantRanges = &range};
    if (!check(c, PHASE_BUILD, "vkCreateShaderModule",
               d->vk.vkCreateShaderModule(d->device, &module, NULL, &c->module)) ||
        !check(c, PHASE_BUILD, "vkCreatePipelineLayout",
               d->vk.vkCreatePipelineLayout(d->device, &layout, NULL, &c->layout))) {
        return 0;
    }
    struct vk_specs specs;
    fill_specs(c->tc, &specs);
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo const size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = c->tc->subgroup_size};
    bool const is_captured = c->job == JOB_PROGRAM && d->can_tell_program;
    bool const is_measured = c->job != JOB_RUN && d->can_tell_statistics;
    bool const has_bases = testcase_count_dispatches(c->tc) > 1;
    VkComputePipelineCreateInfo const pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = (has_bases ? VK_PIPELINE_CREATE_DISPATCH_BASE_BIT : 0U) |
                 (is_captured ? VK_PROGRAM_CAPTURE : 0U) |
                 (is_measured ? VK_STATISTICS_CAPTURE : 0U),
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = c->tc->subgroup_size ? &size : NULL,
                  .flags = c->tc->full_subgroups
                               ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                               : 0,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = c->module,
                  .pName = c->tc->entry,
                  .pSpecializationInfo = c->tc->n_specs > 0 ? &specs.info : NULL},
        .layout = c->layout
    };
    if (c->job == JOB_PROGRAM) {
        vk_program_begin(d);
    }
    VkResult const code =
        d->vk.vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &c->pipeline);
    if (c->job == JOB_PROGRAM) {
        vk_program_take(d, is_captured && code == VK_SUCCESS ? c->pipeline : VK_NULL_HANDLE, c->a,
                        c->ob);
    }
    if (is_measured && code == VK_SUCCESS) {
        vk_statistics_take(d, c->pipeline, c->a, c->ob);
    }
    return check(c, PHASE_BUILD, "vkCreateComputePipelines", code);
}

/* Everything before becomes visible to everything after, and n images change as said. */
static void record_barrier(struct vk_case *c, const VkImageMemoryBarrier *images, uint32_t n)
{
    VkMemoryBarrier const all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    VkPipelineStageFlags const stages =
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    c->d->vk.vkCmdPipelineBarrier(c->d->commands, stages, stages, 0, 1, &all, 0, NULL, n, images);
}

/* A barrier that also brings the new images to the general layout, in which they stay. */
static void record_first_barrier(struct vk_case *c)
{
    VkImageMemoryBarrier images[CASE_MAX_BUFS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        if (is_image(c, i)) {
            images[n++] = (VkImageMemoryBarrier){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                                 .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT |
                                                                  VK_ACCESS_MEMORY_READ_BIT,
                                                 .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                 .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                 .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                                 .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                                 .image = c->images[i].image,
                                                 .subresourceRange = whole_image};
        }
    }
    record_barrier(c, images, n);
}

enum direction {
    STAGE_TO_DEVICE,
    DEVICE_TO_STAGE
};

/* Record the copies into the device's memory, or back from it. Buffers are copied with their guards, between the
 * staging and the work block. Images are copied between the staging block and the image itself. */
static void record_copies(struct vk_case *c, enum direction direction)
{
    struct drv *const d = c->d;
    VkBufferCopy regions[2 * CASE_MAX_BUFS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        const struct guarded *const g = &c->area[i];
        if (has_address(c, i)) {
            const struct guarded *const address = &c->address[i];
            regions[n++] = (VkBufferCopy){address->guard_start, address->guard_start,
                                          address->end - address->guard_start};
        }
        if (!is_image(c, i)) {
            regions[n++] = (VkBufferCopy){g->guard_start, g->guard_start, g->end - g->guard_start};
            continue;
        }
        VkBufferImageCopy const image = {
            .bufferOffset = g->start,
            .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                 .layerCount = get_layers(c, i)},
            .imageExtent = get_extent(c, i)
        };
        if (direction == DEVICE_TO_STAGE) {
            d->vk.vkCmdCopyImageToBuffer(d->commands, c->images[i].image, VK_IMAGE_LAYOUT_GENERAL,
                                         d->stage.buffer, 1, &image);
        } else {
            d->vk.vkCmdCopyBufferToImage(d->commands, d->stage.buffer, c->images[i].image,
                                         VK_IMAGE_LAYOUT_GENERAL, 1, &image);
        }
    }
    if (n == 0) {
        return;
    }
    if (direction == DEVICE_TO_STAGE) {
        d->vk.vkCmdCopyBuffer(d->commands, d->work.buffer, d->stage.buffer, n, regions);
    } else {
        d->vk.vkCmdCopyBuffer(d->commands, d->stage.buffer, d->work.buffer, n, regions);
    }
}

/* Record what the pipeline finds its memory by: all sets at once, and push constants. */
static void record_bindings(struct vk_case *c)
{
    struct drv *const d = c->d;
    const struct buf *const push = find_push(c);
    d->vk.vkCmdBindDescriptorSets(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0,
                                  c->n_sets, c->sets, 0, NULL);
    if (push) {
        d->vk.vkCmdPushConstants(d->commands, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                 push->n_bytes, push->data);
    }
}

/* Record the dispatches of a case, a barrier behind each. */
static void record_dispatches(struct vk_case *c)
{
    struct drv *const d = c->d;
    uint32_t const n = testcase_count_dispatches(c->tc);
    for (uint32_t i = 0; i < n; i++) {
        struct dispatch const one = testcase_get_dispatch(c->tc, i);
        if (n > 1) {
            d->vk.vkCmdDispatchBase(d->commands, one.base[0], one.base[1], one.base[2], one.n[0],
                                    one.n[1], one.n[2]);
        } else {
            d->vk.vkCmdDispatch(d->commands, one.n[0], one.n[1], one.n[2]);
        }
        record_barrier(c, NULL, 0);
    }
}

/* Record the commands of a case: its data in, the dispatches, its data out, a barrier around each. 0: the
 * observation says what failed. */
static int record(struct vk_case *c)
{
    struct drv *const d = c->d;
    VkCommandBufferBeginInfo const begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (!check(c, PHASE_RUN, "vkResetCommandPool",
               d->vk.vkResetCommandPool(d->device, d->pool, 0)) ||
        !check(c, PHASE_RUN, "vkBeginCommandBuffer",
               d->vk.vkBeginCommandBuffer(d->commands, &begin))) {
        return 0;
    }
    record_first_barrier(c);
    record_copies(c, STAGE_TO_DEVICE);
    record_barrier(c, NULL, 0);
    d->vk.vkCmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
    record_bindings(c);
    record_dispatches(c);
    record_copies(c, DEVICE_TO_STAGE);
    record_barrier(c, NULL, 0);
    return check(c, PHASE_RUN, "vkEndCommandBuffer", d->vk.vkEndCommandBuffer(d->commands));
}

static int run(struct vk_case *c)
{
    struct drv *const d = c->d;
    VkSubmitInfo const submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &d->commands};
    return record(c) &&
           check(c, PHASE_RUN, "vkResetFences", d->vk.vkResetFences(d->device, 1, &d->fence)) &&
           check(c, PHASE_RUN, "vkQueueSubmit",
                 d->vk.vkQueueSubmit(d->queue, 1, &submit, d->fence)) &&
           check(c, PHASE_RUN, "vkWaitForFences",
                 d->vk.vkWaitForFences(d->device, 1, &d->fence, VK_TRUE, VK_WAIT_NS));
}

/* Check the guards and copy the contents to the arena: the block serves the next case. */
static enum res read_blocks(struct vk_case *c, struct err *e)
{
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        const struct guarded *const g = &c->area[i];
        int const is_hit = drv_guard_is_hit(c->d->stage.map, g) ||
                           (has_address(c, i) && drv_guard_is_hit(c->d->stage.map, &c->address[i]));
        c->ob->guard_hits |= (uint32_t)is_hit << i;
        c->ob->out[i] = arena_copy(c->a, c->d->stage.map + g->start, g->n_bytes);
        if (!c->ob->out[i]) {
            return err_set(e, RES_NOMEM, "no room for buffer %u of %zu bytes", i, g->n_bytes);
        }
    }
    return RES_OK;
}

static void release(struct vk_case *c)
{
    struct drv *const d = c->d;
    d->vk.vkDestroyPipeline(d->device, c->pipeline, NULL);
    d->vk.vkDestroyPipelineLayout(d->device, c->layout, NULL);
    d->vk.vkDestroyShaderModule(d->device, c->module, NULL);
    d->vk.vkDestroyDescriptorPool(d->device, c->pool, NULL);
    for (uint32_t set = 0; set < c->n_sets; set++) {
        d->vk.vkDestroyDescriptorSetLayout(d->device, c->set_layouts[set], NULL);
    }
    for (uint32_t i = 0; i < c->tc->n_bufs; i++) {
        d->vk.vkDestroyBufferView(d->device, c->texels[i], NULL);
        d->vk.vkDestroyImageView(d->device, c->images[i].view, NULL);
        d->vk.vkDestroyImage(d->device, c->images[i].image, NULL);
        d->vk.vkFreeMemory(d->device, c->images[i].memory, NULL);
    }
}

/* Build the case and run it, and put the outcome and the times into the observation. A failure
 * of the driver is no error; only a lack of the worker's own memory is one. */
static enum res run_steps(struct vk_case *c, struct err *e)
{
    enum res r = RES_OK;
    uint64_t start_ns = drv_cpu_ns();
    bool const has_resources = make_resources(c);
    drv_enter(PHASE_BUILD);
    bool const is_built = has_resources && build(c);
    c->ob->build_ns = drv_cpu_ns() - start_ns;
    if (!is_built) {
        return RES_OK;
    }
    if (c->job != JOB_RUN) {
        drv_stop(c->ob, RUN_BUILT, PHASE_BUILD, VK_SUCCESS, "");
        return RES_OK;
    }
    start_ns = drv_now_ns();
    drv_enter(PHASE_RUN);
    bool const has_run = run(c);
    drv_enter(PHASE_READ);
    if (has_run) {
        r = read_blocks(c, e);
        drv_stop(c->ob, RUN_DONE, PHASE_DONE, VK_SUCCESS, "");
        c->ob->n_bufs = c->tc->n_bufs;
    }
    c->ob->run_ns = drv_now_ns() - start_ns;
    return r;
}

/* Why the device cannot be asked for the case's sub-groups, or NULL. VUIDs of
 * VkPipelineShaderStageCreateInfo 02755, 02756, 02757, 02785 and of the size's structure 02761. */
static const char *find_bad_subgroups(const struct drv *d, const struct testcase *tc)
{
    const struct vk_subgroups *const s = &d->subgroups;
    uint64_t const n_items = (uint64_t)tc->local[0] * tc->local[1] * tc->local[2];
    uint32_t const size = tc->subgroup_size ? tc->subgroup_size : s->size;
    if (tc->subgroup_size && (size < s->min_size || size > s->max_size)) {
        return "the device offers no sub-groups of the required size";
    }
    if (tc->subgroup_size && n_items > (uint64_t)size * s->max_n) {
        return "more sub-groups than the device allows where their size is required";
    }
    if (tc->full_subgroups && (!s->can_be_full || tc->local[0] % size != 0)) {
        return "full sub-groups cannot be required of this work-group";
    }
    return NULL;
}

/* Does the device take a dispatch and work-groups of this size? */
static bool fits_device(const VkPhysicalDeviceLimits *limits, const struct testcase *tc)
{
    uint64_t n_items = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (tc->local[i] > limits->maxComputeWorkGroupSize[i] ||
            tc->global[i] / tc->local[i] > limits->maxComputeWorkGroupCount[i]) {
            return false;
        }
        n_items *= tc->local[i];
    }
    return n_items <= limits->maxComputeWorkGroupInvocations;
}

/* RES_FORMAT: the case cannot be a Vulkan dispatch, whose work-groups are all whole and whose images hold as
 * many texels as bytes. */
static enum res check_shape(const struct testcase *tc, struct err *e)
{
    if (tc->env != ENV_VK) {
        return err_set(e, RES_FORMAT, "case of environment %s sent to a Vulkan worker",
                       env_names[tc->env]);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (tc->local[i] == 0 || tc->global[i] % tc->local[i] != 0) {
            return err_set(e, RES_FORMAT, "%u invocations in work-groups of %u, dimension %u",
                           tc->global[i], tc->local[i], i);
        }
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const b = &tc->bufs[i];
        if (!buf_is_memory(b->kind)) {
            return err_set(e, RES_FORMAT, "buffer %u is an argument by value, not for Vulkan", i);
        }
        if (buf_is_image(b->kind) && buf_get_slices(b) == 0) {
            return err_set(e, RES_FORMAT, "image %u of %ux%u texels with %u bytes", i, b->width,
                           b->height, b->n_bytes);
        }
    }
    return RES_OK;
}

/* Build a case and, for JOB_RUN, run it. A case that is too large for the device is
 * skipped (RUN_SKIPPED), with the reason in the log. */
enum res vk_run(struct drv *d, const struct testcase *tc, enum drv_job job, struct arena *a,
                struct observation *ob, struct err *e)
{
    struct vk_case c;
    enum res r = check_shape(tc, e);
    if (r != RES_OK) {
        return r;
    }
    /* NULL: it can be run */
    const char *const skip = fits_device(&d->properties.limits, tc)
                                 ? find_bad_subgroups(d, tc)
                                 : "dispatch is larger than the device's largest";
    if (skip) {
        drv_stop(ob, RUN_SKIPPED, PHASE_START, 0, skip);
        return RES_OK;
    }
    memset(&c, 0, sizeof c);
    c.d = d;
    c.tc = tc;
    c.job = job;
    c.a = a;
    c.ob = ob;
    r = run_steps(&c, e);
    release(&c);
    return r;
}
