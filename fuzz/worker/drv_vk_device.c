/* fuzz/worker/drv_vk_device.c -- Vulkan: errors by name, and whose they are. */
#include "fuzz/worker/drv_vk_device.h"

#include "fuzz/worker/drv_common.h"

/* The name of a Vulkan error code, or "error" for a code that is not in the table; callers show the number too. */
const char *vk_error_name(VkResult code)
{
    static const struct {
        VkResult code;
        const char *name;
    } table[] = {
#define E(name) {name, #name}
        E(VK_NOT_READY),
        E(VK_TIMEOUT),
        E(VK_INCOMPLETE),
        E(VK_ERROR_OUT_OF_HOST_MEMORY),
        E(VK_ERROR_OUT_OF_DEVICE_MEMORY),
        E(VK_ERROR_INITIALIZATION_FAILED),
        E(VK_ERROR_DEVICE_LOST),
        E(VK_ERROR_MEMORY_MAP_FAILED),
        E(VK_ERROR_LAYER_NOT_PRESENT),
        E(VK_ERROR_EXTENSION_NOT_PRESENT),
        E(VK_ERROR_FEATURE_NOT_PRESENT),
        E(VK_ERROR_INCOMPATIBLE_DRIVER),
        E(VK_ERROR_TOO_MANY_OBJECTS),
        E(VK_ERROR_FORMAT_NOT_SUPPORTED),
        E(VK_ERROR_FRAGMENTED_POOL),
        E(VK_ERROR_UNKNOWN),
        E(VK_ERROR_OUT_OF_POOL_MEMORY),
        E(VK_ERROR_INVALID_SHADER_NV),
        E(VK_PIPELINE_COMPILE_REQUIRED),
#undef E
    };
    for (size_t i = 0; i < ARRAY_N(table); i++) {
        if (table[i].code == code) {
            return table[i].name;
        }
    }
    return "error";
}

int vk_check(struct observation *ob, struct arena *a, enum run_phase phase, const char *call,
             VkResult code)
{
    enum run_status status = RUN_REJECT;
    if (code == VK_SUCCESS) {
        return 1;
    }
    if (code == VK_ERROR_DEVICE_LOST) {
        status = RUN_DEVICE_LOST;
    } else if (code == VK_TIMEOUT) {
        status = RUN_HANG;
    }
    drv_stop(ob, status, phase, (int32_t)code,
             arena_printf(a, "%s: %s (%d)", call, vk_error_name(code), (int)code));
    return 0;
}
