/* fuzz/worker/drv_vk_device.h -- inside of the Vulkan driver: the one place that includes vulkan/. */
#pragma once

#define VK_NO_PROTOTYPES 1
#include <vulkan/vulkan_core.h>

#include "base/testcase.h"

/* What the Vulkan headers of Debian 12 (1.3.239) lack; from the registry, vk.xml:
 * VK_KHR_shader_float_controls2, VK_NV_shader_atomic_float16_vector, VK_KHR_shader_subgroup_rotate,
 * VK_KHR_shader_maximal_reconvergence, VK_KHR_shader_fma, VK_KHR_shader_quad_control, VK_KHR_maintenance8
 * and VK_EXT_shader_subgroup_partitioned. */
#define VK_STYPE_FLOAT_CONTROLS2       ((VkStructureType)1000528000)
#define VK_STYPE_ATOMIC_FLOAT16_VECTOR ((VkStructureType)1000563000)
#define VK_STYPE_SUBGROUP_ROTATE       ((VkStructureType)1000416000)
#define VK_STYPE_MAXIMAL_RECONVERGENCE ((VkStructureType)1000434000)
#define VK_STYPE_SUBGROUP_PARTITIONED  ((VkStructureType)1000662000)
#define VK_STYPE_QUAD_CONTROL          ((VkStructureType)1000235000)
#define VK_STYPE_SHADER_FMA            ((VkStructureType)1000579000)
#define VK_STYPE_MAINTENANCE8          ((VkStructureType)1000574000)
typedef struct { /* VkPhysicalDeviceShaderFloatControls2FeaturesKHR; a typedef like its siblings */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderFloatControls2;
} vk_float_controls2_features;
typedef struct { /* VkPhysicalDeviceShaderAtomicFloat16VectorFeaturesNV */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderFloat16VectorAtomics;
} vk_atomic_float16_vector_features;
typedef struct { /* VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderSubgroupRotate;
    VkBool32 shaderSubgroupRotateClustered;
} vk_subgroup_rotate_features;
typedef struct { /* VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderMaximalReconvergence;
} vk_maximal_reconvergence_features;
typedef struct { /* VkPhysicalDeviceShaderFmaFeaturesKHR */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderFmaFloat16;
    VkBool32 shaderFmaFloat32;
    VkBool32 shaderFmaFloat64;
} vk_shader_fma_features;
typedef struct { /* VkPhysicalDeviceMaintenance8FeaturesKHR */
    VkStructureType sType;
    void *pNext;
    VkBool32 maintenance8;
} vk_maintenance8_features;
typedef struct { /* VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderSubgroupPartitioned;
} vk_subgroup_partitioned_features;
typedef struct { /* VkPhysicalDeviceShaderQuadControlFeaturesKHR */
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderQuadControl;
} vk_quad_control_features;

struct vk_functions {
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
#define GLOBAL(name)   PFN_##name name;
#define INSTANCE(name) PFN_##name name;
#define DEVICE(name)   PFN_##name name;
#define OPTIONAL(name) PFN_##name name;
#include "fuzz/worker/drv_vk_functions.def"
};

/* A buffer with memory of its own, kept and reused from case to case. */
struct vk_block {
    VkBuffer buffer;
    VkDeviceMemory memory;
    size_t n_bytes;
    unsigned char *map; /* of the staging block, else NULL */
};

/* What a compute pipeline may be told about its sub-groups. */
struct vk_subgroups {
    uint32_t size;               /* the default */
    uint32_t min_size, max_size; /* that may be required; 0: the device lacks the control */
    uint32_t max_n;              /* in a work-group, where a size is required */
    int can_be_full;             /* full sub-groups may be required */
};

struct vk_stream;

struct drv {
    void *library;
    struct vk_functions vk;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    unsigned api; /* 0xMMmm00, the older of what was asked for and what the device has */
    struct vk_subgroups subgroups;
    bool has_addresses;       /* of buffers, and the function that tells them */
    bool can_tell_program;    /* VK_KHR_pipeline_executable_properties, and its functions */
    bool can_tell_statistics; /* the same */
    bool prints_program;      /* on standard error, which while it does is a file of ours: */
    int printed, error;       /* the file, and standard error itself; -1: none */
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    struct vk_block stage;    /* host-visible: what goes in and comes out */
    struct vk_block work;     /* device-local: what the kernel sees */
    struct vk_stream *stream; /* the one that is open, or NULL: fuzz/worker/drv_vk_stream.c */
};

enum {
    VK_MAX_DEVICES = 32,
    VK_MAX_ENABLED = 48
};

/* 1 when `code` is a success; otherwise book it on the driver in ob. */
int vk_check(struct observation *ob, struct arena *a, enum run_phase phase, const char *call,
             VkResult code);
/* Name of a VkResult, or "error". */
const char *vk_error_name(VkResult code);
