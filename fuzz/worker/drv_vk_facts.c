/* fuzz/worker/drv_vk_facts.c -- what a Vulkan device says of itself, as facts, and what gets enabled. */
#include "fuzz/worker/drv_vk_facts.h"

#include <string.h>

#include "fuzz/worker/drv_common.h"
#include "fuzz/worker/drv_vk_memory.h"

/* One of every structure of drv_vk.def. */
struct structures {
#define FEATURES(type, stype, extension, core, until) type type##_;
#define FEATURE(type, field)
#define PROPERTIES(type, stype, extension, core) type type##_;
#define PROPERTY(type, field)
#define PROPERTY_AS(type, field, name)
#include "fuzz/worker/drv_vk.def"
};

static const struct structure_row {
    size_t offset; /* in struct structures */
    int is_feature;
    VkStructureType type;
    const char *extension;
    unsigned core, until;
} structure_rows[] = {
#define FEATURES(type, stype, extension, core, until)                                              \
    {offsetof(struct structures, type##_), 1, stype, extension, core, until},
#define FEATURE(type, field)
#define PROPERTIES(type, stype, extension, core)                                                   \
    {offsetof(struct structures, type##_), 0, stype, extension, core, 0},
#define PROPERTY(type, field)
#define PROPERTY_AS(type, field, name)
#include "fuzz/worker/drv_vk.def"
};

static const struct field_row {
    size_t offset; /* in struct structures */
    int is_feature;
    const char *key;
} field_rows[] = {
#define FEATURES(type, stype, extension, core, until)
#define FEATURE(type, field)                                                                       \
    {offsetof(struct structures, type##_) + offsetof(type, field), 1, "vk.f." #field},
#define PROPERTIES(type, stype, extension, core)
#define PROPERTY(type, field) PROPERTY_AS(type, field, field)
#define PROPERTY_AS(type, field, name)                                                             \
    {offsetof(struct structures, type##_) + offsetof(type, field), 0, "vk.p." #name},
#include "fuzz/worker/drv_vk.def"
};

/* The device's extensions, in `a`. */
struct extensions {
    VkExtensionProperties *list;
    uint32_t n;
};

static enum res get_extensions(const struct drv *d, struct arena *a, struct extensions *out,
                               struct err *e)
{
    out->n = 0;
    VkResult code = d->vk.vkEnumerateDeviceExtensionProperties(d->physical, NULL, &out->n, NULL);
    out->list = ARENA_NEW(a, VkExtensionProperties, out->n + 1);
    if (!out->list) {
        return err_set(e, RES_NOMEM, "no room for %u extensions", out->n);
    }
    if (code == VK_SUCCESS) {
        code = d->vk.vkEnumerateDeviceExtensionProperties(d->physical, NULL, &out->n, out->list);
    }
    if (code != VK_SUCCESS) {
        return err_set(e, RES_USAGE, "vkEnumerateDeviceExtensionProperties: %s (%d)",
                       vk_error_name(code), (int)code);
    }
    return RES_OK;
}

static int has_extension(const struct extensions *x, const char *name)
{
    for (uint32_t i = 0; i < x->n; i++) {
        if (strncmp(x->list[i].extensionName, name, VK_MAX_EXTENSION_NAME_SIZE) == 0) {
            return 1;
        }
    }
    return 0;
}

static void enable(struct vk_description *out, const char *name)
{
    if (out->n_enabled < VK_MAX_ENABLED) {
        out->enabled[out->n_enabled++] = name;
    }
}

static int is_core(const struct drv *d, const struct structure_row *row)
{
    return row->core && d->api >= row->core;
}

/* Does the device know the structure, and no later one stand for it? */
static int is_known(const struct drv *d, const struct extensions *x,
                    const struct structure_row *row)
{
    int const is_listed = row->extension[0] && has_extension(x, row->extension);
    return (is_core(d, row) || is_listed) && !(row->until && d->api >= row->until);
}

/* Put the structure of that row before the others of a pNext chain. */
static void chain(const struct structure_row *row, struct structures *s, void **head)
{
    VkBaseOutStructure link = {.sType = row->type, .pNext = *head};
    memcpy((char *)s + row->offset, &link, sizeof link);
    *head = (char *)s + row->offset;
}

/* Chain every structure that the device knows, to be filled. */
static void chain_structures(const struct drv *d, const struct extensions *x, struct structures *s,
                             VkPhysicalDeviceFeatures2 *features,
                             VkPhysicalDeviceProperties2 *properties)
{
    for (size_t i = 0; i < ARRAY_N(structure_rows); i++) {
        const struct structure_row *const row = &structure_rows[i];
        if (is_known(d, x, row)) {
            chain(row, s, row->is_feature ? &features->pNext : &properties->pNext);
        }
    }
}

/* Choose which of the `found` features the device is made with: those that drv_vk.def lists and no others, together
 * with the extensions that define their structures. The structures go to `enabled`, chained after out->features. */
static void enable_structures(const struct drv *d, const struct extensions *x,
                              const struct structures *found, struct structures *enabled,
                              struct vk_description *out)
{
    for (size_t i = 0; i < ARRAY_N(structure_rows); i++) {
        const struct structure_row *const row = &structure_rows[i];
        if (!is_known(d, x, row)) {
            continue;
        }
        if (row->is_feature) {
            chain(row, enabled, &out->features.pNext);
        }
        if (!is_core(d, row)) {
            enable(out, row->extension);
        }
    }
    for (size_t i = 0; i < ARRAY_N(field_rows); i++) {
        if (field_rows[i].is_feature) { /* it is enabled if the device has it */
            memcpy((char *)enabled + field_rows[i].offset,
                   (const char *)found + field_rows[i].offset, sizeof(VkBool32));
        }
    }
    /* extensions that are needed but have no structure of features */
    static const char *const without_structure[] = {"VK_AMD_shader_ballot",
                                                    "VK_NV_shader_subgroup_partitioned"};
    for (size_t i = 0; i < ARRAY_N(without_structure); i++) {
        if (has_extension(x, without_structure[i])) {
            enable(out, without_structure[i]);
        }
    }
}

static void find_subgroups(const struct structures *s, struct vk_subgroups *out)
{
    const VkPhysicalDeviceSubgroupSizeControlProperties *const p =
        &s->VkPhysicalDeviceSubgroupSizeControlProperties_;
    const VkPhysicalDeviceSubgroupSizeControlFeatures *const f =
        &s->VkPhysicalDeviceSubgroupSizeControlFeatures_;
    out->size = s->VkPhysicalDeviceSubgroupProperties_.subgroupSize;
    out->can_be_full = f->computeFullSubgroups != 0;
    if (f->subgroupSizeControl && (p->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)) {
        out->min_size = p->minSubgroupSize;
        out->max_size = p->maxSubgroupSize;
        out->max_n = p->maxComputeWorkgroupSubgroups;
    }
}

static void put_fields(const struct structures *s, struct bytes *b)
{
    for (size_t i = 0; i < ARRAY_N(field_rows); i++) {
        uint32_t value = 0;
        memcpy(&value, (const char *)s + field_rows[i].offset, sizeof value);
        if (field_rows[i].is_feature && value) {
            drv_put_fact(b, field_rows[i].key, "1");
        } else if (!field_rows[i].is_feature) {
            drv_put_fact(b, field_rows[i].key, "%u", value);
        }
    }
}

static void put_core(const struct drv *d, const VkPhysicalDeviceFeatures *f, struct bytes *b)
{
    const VkPhysicalDeviceLimits *const limits = &d->properties.limits;
    if (f->shaderFloat64) {
        drv_put_fact(b, "vk.f.shaderFloat64", "1");
    }
    if (f->shaderInt64) {
        drv_put_fact(b, "vk.f.shaderInt64", "1");
    }
    if (f->shaderInt16) {
        drv_put_fact(b, "vk.f.shaderInt16", "1");
    }
    if (f->imageCubeArray) {
        drv_put_fact(b, "vk.f.imageCubeArray", "1");
    }
    if (f->shaderStorageImageExtendedFormats) {
        drv_put_fact(b, "vk.f.shaderStorageImageExtendedFormats", "1");
    }
    drv_put_fact(b, "vk.p.maxComputeWorkGroupInvocations", "%u",
                 limits->maxComputeWorkGroupInvocations);
    drv_put_fact(b, "vk.p.maxComputeSharedMemorySize", "%u", limits->maxComputeSharedMemorySize);
}

/* Does an image of that format and shape have room for the cases': in each direction, or in layers? */
static bool has_image(const struct drv *d, VkFormat format, const struct vk_image_shape *shape)
{
    enum {
        LEAST_LAYERS = 256 /* what any device has, of images of the formats that all have */
    };
    VkImageFormatProperties p;
    VkResult const code = d->vk.vkGetPhysicalDeviceImageFormatProperties(
        d->physical, format, shape->type, VK_IMAGE_TILING_OPTIMAL, VK_CASE_IMAGE_USAGE,
        shape->flags, &p);
    return code == VK_SUCCESS &&
           (shape->type == VK_IMAGE_TYPE_3D || p.maxArrayLayers >= LEAST_LAYERS);
}

/* Write down as facts which formats have atomics in texel buffers and in images, and which
 * shapes of images exist in all formats with atomics in images. */
static void put_formats(const struct drv *d, struct bytes *b)
{
    static const struct {
        VkFormat format;
        const char *texel, *image;
    } formats[] = {
        {VK_FORMAT_R32_SFLOAT,          "vk.fmt.r32f_texel_atomic",    "vk.fmt.r32f_image_atomic" },
        {VK_FORMAT_R32_UINT,            "vk.fmt.r32ui_texel_atomic",   "vk.fmt.r32ui_image_atomic"},
        {VK_FORMAT_R16G16_SFLOAT,       "vk.fmt.rg16f_texel_atomic",   "vk.fmt.rg16f_image_atomic"},
        {VK_FORMAT_R16G16B16A16_SFLOAT, "vk.fmt.rgba16f_texel_atomic",
         "vk.fmt.rgba16f_image_atomic"                                                            },
    };
    bool has_shape[TEXELS_N];
    memset(has_shape, 1, sizeof has_shape);
    for (size_t i = 0; i < ARRAY_N(formats); i++) {
        VkFormatProperties format;
        d->vk.vkGetPhysicalDeviceFormatProperties(d->physical, formats[i].format, &format);
        if (format.bufferFeatures & VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT) {
            drv_put_fact(b, formats[i].texel, "1");
        }
        if (!(format.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT)) {
            continue;
        }
        drv_put_fact(b, formats[i].image, "1");
        for (size_t k = 0; k < TEXELS_N; k++) {
            has_shape[k] &= has_image(d, formats[i].format, vk_get_image_shape((enum texels)k));
        }
    }
    for (size_t k = 0; k < TEXELS_N; k++) {
        /* NULL: no need asks for that shape */
        const char *const key = vk_get_image_shape((enum texels)k)->fact;
        if (key && has_shape[k]) {
            drv_put_fact(b, key, "1");
        }
    }
}

static void put_extensions(const struct extensions *x, struct bytes *b)
{
    bytes_put(b, "vk.ext=", 7);
    for (uint32_t i = 0; i < x->n; i++) {
        bytes_put(b, x->list[i].extensionName, strlen(x->list[i].extensionName));
        bytes_put(b, i + 1 < x->n ? " " : "\n", 1);
    }
    if (x->n == 0) {
        bytes_put(b, "\n", 1);
    }
}

/* Driver name and version of any device; "" and the number where the driver has no name. */
static VkPhysicalDeviceDriverProperties get_driver(const struct drv *d, VkPhysicalDevice physical,
                                                   VkPhysicalDeviceProperties *properties)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    d->vk.vkGetPhysicalDeviceProperties(physical, properties);
    if (properties->apiVersion >= VK_API_VERSION_1_2) {
        all.pNext = &driver;
        d->vk.vkGetPhysicalDeviceProperties2(physical, &all);
    }
    return driver;
}

const char *vk_name_device(const struct drv *d, VkPhysicalDevice physical, struct arena *a)
{
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceDriverProperties const driver = get_driver(d, physical, &properties);
    return arena_printf(a, "%s: %s", driver.driverName[0] ? driver.driverName : "Vulkan",
                        properties.deviceName);
}

const char *vk_name_version(const struct drv *d, VkPhysicalDevice physical, struct arena *a)
{
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceDriverProperties const driver = get_driver(d, physical, &properties);
    if (driver.driverInfo[0]) {
        return arena_printf(a, "%s", driver.driverInfo);
    }
    return arena_printf(a, "%u.%u.%u", VK_API_VERSION_MAJOR(properties.driverVersion),
                        VK_API_VERSION_MINOR(properties.driverVersion),
                        VK_API_VERSION_PATCH(properties.driverVersion));
}

static void put_identity(const struct drv *d, struct arena *a, struct bytes *b)
{
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceDriverProperties const driver = get_driver(d, d->physical, &properties);
    drv_put_fact(b, "api", "vulkan");
    drv_put_fact(b, "device", "%s", properties.deviceName);
    drv_put_fact(b, "vendor", "0x%04x:0x%04x", properties.vendorID, properties.deviceID);
    drv_put_fact(b, "driver", "%s", vk_name_version(d, d->physical, a));
    drv_put_fact(b, "platform", "%s", driver.driverName);
    drv_put_fact(b, "version", "Vulkan %u.%u.%u", VK_API_VERSION_MAJOR(properties.apiVersion),
                 VK_API_VERSION_MINOR(properties.apiVersion),
                 VK_API_VERSION_PATCH(properties.apiVersion));
    drv_put_fact(b, "vk.conformance", "%u.%u.%u.%u", driver.conformanceVersion.major,
                 driver.conformanceVersion.minor, driver.conformanceVersion.subminor,
                 driver.conformanceVersion.patch);
    drv_put_fact(b, "vk.api", "0x%x", d->api);
}

/* Ask a device for its features, properties and extensions. out->facts gets them in the form of
 * caps.def; out->features and out->enabled say what the device is to be made with. */
enum res vk_describe(const struct drv *d, struct arena *a, struct vk_description *out,
                     struct err *e)
{
    struct structures *const found = ARENA_NEW(a, struct structures, 1);
    struct structures *const enabled = ARENA_NEW(a, struct structures, 1);
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    struct extensions x;
    struct bytes b;
    memset(out, 0, sizeof *out);
    if (!found || !enabled) {
        return err_set(e, RES_NOMEM, "no room for the device's features");
    }
    TRY(get_extensions(d, a, &x, e));
    chain_structures(d, &x, found, &features, &properties);
    d->vk.vkGetPhysicalDeviceFeatures2(d->physical, &features);
    d->vk.vkGetPhysicalDeviceProperties2(d->physical, &properties);
    bytes_init(&b, a);
    put_identity(d, a, &b);
    put_core(d, &features.features, &b);
    put_fields(found, &b);
    put_formats(d, &b);
    put_extensions(&x, &b);
    find_subgroups(found, &out->subgroups);
    out->has_addresses = found->VkPhysicalDeviceVulkan12Features_.bufferDeviceAddress != 0;
    out->can_tell_program =
        found->VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR_.pipelineExecutableInfo != 0;
    out->features.sType = features.sType;
    out->features.features = features.features;
    /* Robust access would hide a write outside a buffer from the guard bytes. */
    out->features.features.robustBufferAccess = VK_FALSE;
    enable_structures(d, &x, found, enabled, out);
    out->facts = drv_end_text(&b);
    return out->facts ? RES_OK : err_set(e, RES_NOMEM, "no room for the device's facts");
}
