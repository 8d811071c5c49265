/* fuzz/worker/drv_vk_facts.h -- Vulkan: the facts of a device, and what of it is enabled. */
#pragma once

#include "fuzz/worker/drv_vk_device.h"

/* What the device has, and what of it is enabled. Structures and fields as in drv_vk.def. */
struct vk_description {
    const char *facts;
    struct vk_subgroups subgroups;
    VkPhysicalDeviceFeatures2 features; /* the chain for vkCreateDevice */
    const char *enabled[VK_MAX_ENABLED];
    uint32_t n_enabled;
    bool has_addresses;    /* of buffers */
    bool can_tell_program; /* pipelineExecutableInfo */
};
/* RES_NOMEM when the arena is full. Needs d->physical, properties and api. */
MUST_USE enum res vk_describe(const struct drv *d, struct arena *a, struct vk_description *out,
                              struct err *e);
/* "DRIVER: DEVICE", what --device is looked for in, and the driver's version. */
const char *vk_name_device(const struct drv *d, VkPhysicalDevice physical, struct arena *a);
const char *vk_name_version(const struct drv *d, VkPhysicalDevice physical, struct arena *a);
