/* fuzz/worker/drv_vk.c -- Vulkan: loader, instance, choice of the device, memory that lasts. */
#include "fuzz/worker/drv_vk.h"

#include <dlfcn.h>
#include <string.h>

#include "fuzz/worker/drv_common.h"
#include "fuzz/worker/drv_vk_device.h"
#include "fuzz/worker/drv_vk_facts.h"
#include "fuzz/worker/drv_vk_memory.h"
#include "fuzz/worker/drv_vk_run.h"
#include "fuzz/worker/drv_vk_stream.h"

struct function_row {
    const char *name;
    size_t offset; /* in struct vk_functions */
};
static const struct function_row global_rows[] = {
#define GLOBAL(name) {#name, offsetof(struct vk_functions, name)},
#define INSTANCE(name)
#define DEVICE(name)
#define OPTIONAL(name)
#include "fuzz/worker/drv_vk_functions.def"
};
static const struct function_row instance_rows[] = {
#define GLOBAL(name)
#define INSTANCE(name) {#name, offsetof(struct vk_functions, name)},
#define DEVICE(name)
#define OPTIONAL(name)
#include "fuzz/worker/drv_vk_functions.def"
};
static const struct function_row device_rows[] = {
#define GLOBAL(name)
#define INSTANCE(name)
#define DEVICE(name) {#name, offsetof(struct vk_functions, name)},
#define OPTIONAL(name)
#include "fuzz/worker/drv_vk_functions.def"
};
static const struct function_row optional_rows[] = {
#define GLOBAL(name)
#define INSTANCE(name)
#define DEVICE(name)
#define OPTIONAL(name) {#name, offsetof(struct vk_functions, name)},
#include "fuzz/worker/drv_vk_functions.def"
};

/* Fill the pointers of `rows`: from the device if given, else from the instance. */
static enum res find_functions(struct drv *d, const struct function_row *rows, size_t n,
                               VkDevice device, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        PFN_vkVoidFunction const p = device
                                         ? d->vk.vkGetDeviceProcAddr(device, rows[i].name)
                                         : d->vk.vkGetInstanceProcAddr(d->instance, rows[i].name);
        if (!p) {
            return err_set(e, RES_USAGE, "Vulkan has no %s here", rows[i].name);
        }
        memcpy((char *)&d->vk + rows[i].offset, &p, sizeof p);
    }
    return RES_OK;
}

/* Fill the pointers of functions that the device may lack: they are then NULL. */
static void find_optional_functions(struct drv *d)
{
    for (size_t i = 0; i < ARRAY_N(optional_rows); i++) {
        PFN_vkVoidFunction const p = d->vk.vkGetDeviceProcAddr(d->device, optional_rows[i].name);
        memcpy((char *)&d->vk + optional_rows[i].offset, &p, sizeof p);
    }
}

/* Load the Vulkan loader, the named one or the system's, and make an instance, with the functions of both.
 * RES_USAGE: the loader lacks one, or refuses. */
static enum res make_instance(struct drv *d, const char *loader, struct err *e)
{
    static const char *const names[] = {"libvulkan.so.1", "libvulkan.so", NULL};
    TRY(drv_load(loader, names, &d->library, e));
    void *const p = dlsym(d->library, "vkGetInstanceProcAddr");
    if (!p) {
        return err_set(e, RES_USAGE, "Vulkan loader has no vkGetInstanceProcAddr");
    }
    memcpy(&d->vk.vkGetInstanceProcAddr, &p, sizeof p);
    TRY(find_functions(d, global_rows, ARRAY_N(global_rows), NULL, e));
    VkApplicationInfo const application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "halfulp",
                                           .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo const info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkResult const code = d->vk.vkCreateInstance(&info, NULL, &d->instance);
    if (code != VK_SUCCESS) {
        return err_set(e, RES_USAGE, "vkCreateInstance: %s (%d)", vk_error_name(code), (int)code);
    }
    return find_functions(d, instance_rows, ARRAY_N(instance_rows), NULL, e);
}

/* Append a line about each Vulkan device to `list`, and take the first whose name contains `select` into
 * d->physical; "" is contained in any. */
static void visit_devices(struct drv *d, const char *select, struct arena *a, struct bytes *list)
{
    VkPhysicalDevice devices[VK_MAX_DEVICES];
    uint32_t n = VK_MAX_DEVICES;
    VkResult const code = d->vk.vkEnumeratePhysicalDevices(d->instance, &n, devices);
    if (code != VK_SUCCESS && code != VK_INCOMPLETE) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        VkPhysicalDeviceProperties properties;
        d->vk.vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (properties.apiVersion < VK_API_VERSION_1_1) {
            continue; /* no sub-groups, no feature structures: nothing to test */
        }
        const char *const name = vk_name_device(d, devices[i], a);
        drv_put_device(list, name, vk_name_version(d, devices[i], a), true);
        if (!d->physical && strstr(name, select)) {
            d->physical = devices[i];
            d->properties = properties;
        }
    }
}

static uint32_t find_family(const struct drv *d)
{
    VkQueueFamilyProperties families[16];
    uint32_t n = ARRAY_N(families);
    d->vk.vkGetPhysicalDeviceQueueFamilyProperties(d->physical, &n, families);
    for (uint32_t i = 0; i < n; i++) {
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Make the Vulkan device with a compute queue and with the features and extensions of `what`.
 * RES_USAGE: the device has no such queue, or refuses. */
static enum res make_device(struct drv *d, const struct vk_description *what, struct err *e)
{
    float const priority = 1.0F;
    d->family = find_family(d);
    if (d->family == UINT32_MAX) {
        return err_set(e, RES_USAGE, "device %s has no compute queue", d->properties.deviceName);
    }
    VkDeviceQueueCreateInfo const queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = d->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkDeviceCreateInfo const info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &what->features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = what->n_enabled,
                                     .ppEnabledExtensionNames = what->enabled};
    VkResult const code = d->vk.vkCreateDevice(d->physical, &info, NULL, &d->device);
    if (code != VK_SUCCESS) {
        return err_set(e, RES_USAGE, "vkCreateDevice: %s (%d)", vk_error_name(code), (int)code);
    }
    TRY(find_functions(d, device_rows, ARRAY_N(device_rows), d->device, e));
    find_optional_functions(d);
    d->has_addresses = what->has_addresses && d->vk.vkGetBufferDeviceAddress;
    d->can_tell_program = what->can_tell_program && d->vk.vkGetPipelineExecutablePropertiesKHR &&
                          d->vk.vkGetPipelineExecutableInternalRepresentationsKHR;
    d->can_tell_statistics = what->can_tell_program && d->vk.vkGetPipelineExecutablePropertiesKHR &&
                             d->vk.vkGetPipelineExecutableStatisticsKHR;
    d->prints_program = strstr(what->facts, "\nplatform=Honeykrisp\n") != NULL;
    d->printed = d->error = -1;
    /* Last, because vk_close concludes from a queue that all functions of the device were found. */
    d->vk.vkGetDeviceQueue(d->device, d->family, 0, &d->queue);
    return RES_OK;
}

static VkResult make_commands(struct drv *d)
{
    VkCommandPoolCreateInfo const pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = d->family};
    VkFenceCreateInfo const fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkResult code = d->vk.vkCreateCommandPool(d->device, &pool, NULL, &d->pool);
    if (code != VK_SUCCESS) {
        return code;
    }
    VkCommandBufferAllocateInfo const buffer = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = d->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    code = d->vk.vkAllocateCommandBuffers(d->device, &buffer, &d->commands);
    return code != VK_SUCCESS ? code : d->vk.vkCreateFence(d->device, &fence, NULL, &d->fence);
}

static void vk_close(struct drv *d)
{
    if (d->queue) { /* set last: all functions were found */
        (void)d->vk.vkDeviceWaitIdle(d->device);
        vk_free_block(d, &d->stage);
        vk_free_block(d, &d->work);
        d->vk.vkDestroyFence(d->device, d->fence, NULL);
        d->vk.vkDestroyCommandPool(d->device, d->pool, NULL);
        d->vk.vkDestroyDevice(d->device, NULL);
    }
    if (d->instance && d->vk.vkDestroyInstance) {
        d->vk.vkDestroyInstance(d->instance, NULL);
    }
}

/* The first device whose name contains `select`, what it is and what memory it has. */
static enum res choose_device(struct drv *d, const char *select, struct arena *a, struct err *e)
{
    struct bytes list;
    bytes_init(&list, a);
    visit_devices(d, select, a, &list);
    const char *const names = drv_end_text(&list);
    if (!d->physical) {
        return err_set(e, RES_USAGE, "no Vulkan device named \"%s\"; there is: %s", select,
                       names && names[0] ? names : "none");
    }
    uint32_t const version = d->properties.apiVersion < VK_API_VERSION_1_3
                                 ? d->properties.apiVersion
                                 : VK_API_VERSION_1_3;
    d->api = VK_API_VERSION_MAJOR(version) << 16 | VK_API_VERSION_MINOR(version) << 8;
    d->vk.vkGetPhysicalDeviceMemoryProperties(d->physical, &d->memory);
    return RES_OK;
}

/* All steps up to a device that takes commands; what was made before an error is for vk_close. */
static enum res start(struct drv *d, const char *loader, const char *select, struct arena *a,
                      struct vk_description *what, struct err *e)
{
    TRY(make_instance(d, loader, e));
    TRY(choose_device(d, select, a, e));
    TRY(vk_describe(d, a, what, e));
    d->subgroups = what->subgroups;
    TRY(make_device(d, what, e));
    VkResult const code = make_commands(d);
    if (code != VK_SUCCESS) {
        return err_set(e, RES_USAGE, "Vulkan command buffer: %s (%d)", vk_error_name(code),
                       (int)code);
    }
    return RES_OK;
}

static enum res vk_open(const char *loader, const char *select, struct arena *a, struct drv **out,
                        const char **facts, struct err *e)
{
    struct vk_description what;
    struct drv *const d = ARENA_NEW(a, struct drv, 1);
    if (!d) {
        return err_set(e, RES_NOMEM, "no room for a device");
    }
    enum res const r = start(d, loader, select, a, &what, e);
    if (r != RES_OK) {
        vk_close(d);
        return r;
    }
    *facts = what.facts;
    *out = d;
    return RES_OK;
}

static enum res vk_list(const char *loader, struct arena *a, const char **out, struct err *e)
{
    struct drv d;
    struct bytes list;
    memset(&d, 0, sizeof d);
    enum res const r = make_instance(&d, loader, e);
    if (r == RES_OK) {
        bytes_init(&list, a);
        visit_devices(&d, "", a, &list);
        *out = drv_end_text(&list);
    }
    vk_close(&d);
    if (r != RES_OK) {
        return r;
    }
    return *out ? RES_OK : err_set(e, RES_NOMEM, "no room for the list of devices");
}

const struct drv_api drv_vk = {.name = "vulkan",
                               .open = vk_open,
                               .run = vk_run,
                               .close = vk_close,
                               .stream_open = vk_stream_open,
                               .stream_run = vk_stream_run,
                               .stream_close = vk_stream_close,
                               .list = vk_list};
