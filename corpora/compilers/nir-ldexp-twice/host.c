/* host.c -- runs module.spv once and looks at what it leaves in memory.
 *   NVK: Ldexp (f16) is not correctly rounded
 *
 *   cc host.c -o host -lvulkan && ./host
 *   ./host --list      the devices
 *   ./host NAME        on the first device with NAME in its line of --list;
 *                      also by the variable DEVICE. Others: RUNS, DEADLINE (s)
 *
 * Exit status: 1 the bug is there, 0 it is not, 2 it could not be run. */
#define _POSIX_C_SOURCE 200809L
#define PROGRAM "module.spv"
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

/* ---- the case ---- */

#define DEVICE  "NVK" /* where the bug was seen; any device with "" */
#define ENTRY   "main_kernel"
/* Work-groups of 12 x 1 x 1. */
static const uint32_t n_groups[3] = {3, 1, 1};
enum { N_BUFFERS = 2 };
/* Buffer i is binding i of its descriptor set. */
enum { N_SETS = 1 };
static const struct {
    const char *in;
    size_t n_bytes;
    VkDescriptorType type;
    VkFormat format; /* of texels */
    VkImageType image; /* and what follows: of an image */
    VkImageViewType view;
    VkExtent3D extent;
    uint32_t n_layers;
    VkImageCreateFlags flags;
    int by_address; /* its address is bound, and not itself */
    uint32_t set;
} buffers[N_BUFFERS + 1] = {
    {"in-0.bin", 128, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_FORMAT_UNDEFINED, 0, 0, {0, 0, 0}, 0, 0, 0, 0},
    {"in-1.bin", 128, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_FORMAT_UNDEFINED, 0, 0, {0, 0, 0}, 0, 0, 0, 0},
    {NULL, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_FORMAT_UNDEFINED, 0, 0, {0, 0, 0}, 0, 0, 0, 0}};

/* ---- what tells that the bug is there ---- */

#include "expected.h"

static unsigned char *content[N_BUFFERS + 1]; /* before the run */
static unsigned char *result[N_BUFFERS + 1];  /* after it */
static int outcome_fd;

/* In the child: say why, tell the parent how it ended, and end. */
static void stop(char outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
    if (write(outcome_fd, &outcome, 1) != 1) {
        abort();
    }
    exit(0);
}

static void *take(size_t n_bytes)
{
    void *p = calloc(n_bytes + 1, 1);
    if (!p) {
        stop('U', "out of memory\n");
    }
    return p;
}

/* A whole file; *n_bytes is its size, or 0 to be told. */
static unsigned char *read_file(const char *name, size_t *n_bytes)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        stop('U', "%s cannot be read; this program runs in its own folder\n", name);
    }
    size_t n = (size_t)ftell(f);
    unsigned char *p = take(n);
    rewind(f);
    if ((*n_bytes != 0 && *n_bytes != n) || fread(p, 1, n, f) != n) {
        stop('U', "%s is not of %lu bytes\n", name, (unsigned long)*n_bytes);
    }
    fclose(f);
    *n_bytes = n;
    return p;
}

static void read_contents(void)
{
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        size_t n = buffers[i].n_bytes;
        content[i] = read_file(buffers[i].in, &n);
        result[i] = take(n);
    }
}

enum { MARGIN = 4096, MARGIN_BYTE = 0xa5 };

static uint64_t load(const unsigned char *p, unsigned n_bytes)
{
    uint64_t v = 0;
    for (unsigned i = n_bytes; i > 0; i--) {
        v = v << 8 | p[i - 1];
    }
    return v;
}

/* Fraction bits of a float of so many bytes. */
static unsigned fraction_bits(unsigned n_bytes)
{
    return n_bytes == 2 ? 10 : n_bytes == 4 ? 23 : 52;
}

static int is_nan(uint64_t bits, unsigned n_bytes)
{
    uint64_t sign = (uint64_t)1 << (8 * n_bytes - 1);
    uint64_t infinity = sign - ((uint64_t)1 << fraction_bits(n_bytes));
    return (bits & (sign - 1)) > infinity;
}

static int is_quiet(uint64_t bits, unsigned n_bytes)
{
    return (int)(bits >> (fraction_bits(n_bytes) - 1) & 1);
}

/* Place of a float in the order of the line: +0 is 0, -0 is -1, neighbours differ by 1. */
static int64_t key_of(uint64_t bits, unsigned n_bytes)
{
    uint64_t sign = (uint64_t)1 << (8 * n_bytes - 1);
    int64_t magnitude = (int64_t)(bits & (sign - 1));
    return bits & sign ? -1 - magnitude : magnitude;
}

static int is_permitted(const struct word *w, uint64_t bits)
{
    if (w->is_float && is_nan(bits, w->n_bytes)) {
        return is_quiet(bits, w->n_bytes) ? w->any_qnan : w->any_snan;
    }
    int64_t key = w->is_float ? key_of(bits, w->n_bytes) : (int64_t)bits;
    for (unsigned i = 0; i < w->n_ranges; i++) {
        if (w->range[i].low <= key && key <= w->range[i].high) {
            return 1;
        }
    }
    return 0;
}

static double value_of(uint64_t bits, unsigned n_bytes)
{
    unsigned n = fraction_bits(n_bytes);
    uint64_t sign = (uint64_t)1 << (8 * n_bytes - 1), one = (uint64_t)1 << n;
    int all = (int)(sign / one) - 1, exponent = (int)((bits & (sign - 1)) >> n);
    double v = (double)(exponent ? (bits & (one - 1)) | one : bits & (one - 1));
    for (int e = (exponent ? exponent : 1) - all / 2 - (int)n; e != 0; e += e < 0 ? 1 : -1) {
        v = e < 0 ? v / 2 : v * 2;
    }
    return bits & sign ? -v : v;
}

static void print_bits(const struct word *w, uint64_t bits)
{
    printf("0x%0*llx", (int)(2 * w->n_bytes), (unsigned long long)bits);
    if (w->is_shown_as_float && is_nan(bits, w->n_bytes)) {
        printf(" (%s)", is_quiet(bits, w->n_bytes) ? "quiet NaN" : "signalling NaN");
    } else if (w->is_shown_as_float) {
        printf(" (%.*g)", w->n_bytes == 8 ? 17 : w->n_bytes == 4 ? 9 : 5,
               value_of(bits, w->n_bytes));
    }
}

/* Each word of expected.h: may it be what it is? How many may not. */
static unsigned check_words(void)
{
    unsigned n = sizeof words / sizeof words[0], n_wrong = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct word *w = &words[i];
        uint64_t bits = load(result[w->buffer] + w->byte, w->n_bytes);
        int is_right = is_permitted(w, bits);
        printf("buffer %u, byte %u: got ", w->buffer, w->byte);
        print_bits(w, bits);
        printf(", permitted %s: %s\n", w->permitted, is_right ? "right" : "WRONG");
        n_wrong += !is_right;
    }
    printf("%u of %u words are wrong\n", n_wrong, n);
    return n_wrong;
}

static char compare(void)
{
    unsigned n_wrong = 0;
    n_wrong += check_words();
    return n_wrong > 0 ? 'Y' : 'N';
}

/* ---- the run ---- */

/* All buffers lie in one block, MARGIN bytes or more apart; one block that the host sees, and one of
 * the device, which is used. */
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;
static VkDescriptorSetLayout set_layouts[N_SETS];
static VkDescriptorSet sets[N_SETS];
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkBuffer host_block, device_block; /* the first is mapped at `map`, the second is used */
static unsigned char *map;
static size_t start[N_BUFFERS + 1], block_bytes;

static void check(VkResult code, const char *call)
{
    if (code != VK_SUCCESS) {
        stop(code == VK_ERROR_DEVICE_LOST ? 'L' : 'R', "%s: VkResult %d\n", call, (int)code);
    }
}

static void must(VkResult code, const char *call)
{
    if (code != VK_SUCCESS) {
        stop('U', "%s: VkResult %d\n", call, (int)code);
    }
}

/* "driver: device" */
static void name_device(VkPhysicalDevice p, char name[1024])
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &driver};
    vkGetPhysicalDeviceProperties2(p, &all);
    snprintf(name, 1024, "%s: %s, driver %s", driver.driverName, all.properties.deviceName,
             driver.driverInfo);
}

/* The first device whose name contains `wanted`; all are printed when that is NULL. */
static int find_device(const char *wanted)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    VkPhysicalDevice devices[16];
    VkInstance instance = VK_NULL_HANDLE;
    uint32_t n = 16;
    char name[1024];
    if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(instance, &n, devices) < 0) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (properties.apiVersion < VK_API_VERSION_1_1) {
            continue;
        }
        name_device(devices[i], name);
        if (!wanted) {
            printf("%s\n", name);
        } else if (strstr(name, wanted)) {
            printf("device: %s\n", name);
            physical = devices[i];
            return 1;
        }
    }
    return 0;
}

static void list_devices(void)
{
    find_device(NULL);
}

/* What the module needs, and no more. */
static const char *const extensions[] = {NULL};
enum { N_EXTENSIONS = 0 };

static void enable_features(VkPhysicalDeviceFeatures2 *all)
{
    all->pNext = NULL;
    static VkPhysicalDeviceShaderFloat16Int8Features f0 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
    f0.shaderFloat16 = VK_TRUE;
    f0.pNext = all->pNext;
    all->pNext = &f0;
    all->features.shaderInt16 = VK_TRUE;
    static VkPhysicalDevice16BitStorageFeatures f2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
    f2.storageBuffer16BitAccess = VK_TRUE;
    f2.pNext = all->pNext;
    all->pNext = &f2;
}

static void open_device(void)
{
    float priority = 1;
    VkQueueFamilyProperties families[16];
    uint32_t n = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, families);
    while (family < n && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
        family++;
    }
    if (family == n) {
        stop('U', "the device has no compute queue\n");
    }
    VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    enable_features(&features);
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queues,
                               .enabledExtensionCount = N_EXTENSIONS,
                               .ppEnabledExtensionNames = extensions};
    must(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);
}

/* Memory with all of `needed`, if possible also `wished`. */
static VkDeviceMemory take_memory(VkMemoryRequirements r, VkMemoryPropertyFlags needed,
                                  VkMemoryPropertyFlags wished)
{
    VkPhysicalDeviceMemoryProperties types;
    uint32_t best = UINT32_MAX;
    vkGetPhysicalDeviceMemoryProperties(physical, &types);
    for (uint32_t i = types.memoryTypeCount; i-- > 0;) {
        VkMemoryPropertyFlags flags = types.memoryTypes[i].propertyFlags;
        if ((r.memoryTypeBits >> i & 1) && (flags & needed) == needed &&
            (best == UINT32_MAX || (flags & wished) == wished)) {
            best = i;
        }
    }
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = r.size,
                                 .memoryTypeIndex = best};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    must(best == UINT32_MAX ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                            : vkAllocateMemory(device, &info, NULL, &memory), "vkAllocateMemory");
    return memory;
}

static VkBuffer make_block(VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wished)
{
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = block_bytes,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    VkMemoryRequirements r;
    must(vkCreateBuffer(device, &info, NULL, &buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(device, buffer, &r);
    VkDeviceMemory memory = take_memory(r, needed, wished);
    must(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
    if (needed) {
        void *p = NULL;
        must(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &p), "vkMapMemory");
        map = p;
    }
    return buffer;
}

static void make_blocks(void)
{
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        start[i] = block_bytes + MARGIN;
        block_bytes = (start[i] + buffers[i].n_bytes + MARGIN + MARGIN - 1) / MARGIN * MARGIN;
    }
    host_block = make_block(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                            VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    device_block = make_block(0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    memset(map, MARGIN_BYTE, block_bytes);
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        memcpy(map + start[i], content[i], buffers[i].n_bytes);
    }
}

/* Buffer i is binding i of its set. A set that no buffer is in is empty. */
static void make_layout(unsigned set)
{
    VkDescriptorSetLayoutBinding bindings[N_BUFFERS + 1];
    unsigned n = 0;
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        if (buffers[i].set == set) {
            bindings[n++] = (VkDescriptorSetLayoutBinding){i, buffers[i].type, 1,
                                                           VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        }
    }
    VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = n,
        .pBindings = bindings};
    must(vkCreateDescriptorSetLayout(device, &layout_info, NULL, &set_layouts[set]), "set layout");
}

static void make_sets(void)
{
    VkDescriptorPoolSize sizes[N_BUFFERS + 1];
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        sizes[i] = (VkDescriptorPoolSize){buffers[i].type, 1};
    }
    for (unsigned set = 0; set < N_SETS; set++) {
        make_layout(set);
    }
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = N_SETS,
                                            .poolSizeCount = N_BUFFERS,
                                            .pPoolSizes = sizes};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    must(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "descriptor pool");
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = N_SETS,
                                        .pSetLayouts = set_layouts};
    must(vkAllocateDescriptorSets(device, &info, sets), "descriptor sets");
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        VkDescriptorBufferInfo buffer = {device_block, start[i], buffers[i].n_bytes};
        VkWriteDescriptorSet to = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = sets[buffers[i].set],
                                   .dstBinding = i,
                                   .descriptorCount = 1,
                                   .descriptorType = buffers[i].type,
                                   .pBufferInfo = &buffer};
        vkUpdateDescriptorSets(device, 1, &to, 0, NULL);
    }
}

static void build(void)
{
    size_t n = 0;
    const unsigned char *bytes = read_file(PROGRAM, &n);
    uint32_t *code = take(n); /* aligned */
    memcpy(code, bytes, n);
    VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = n,
                                            .pCode = code};
    VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = N_SETS,
        .pSetLayouts = set_layouts};
    VkShaderModule module = VK_NULL_HANDLE;
    check(vkCreateShaderModule(device, &module_info, NULL, &module), "vkCreateShaderModule");
    check(vkCreatePipelineLayout(device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = ENTRY},
        .layout = layout};
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
          "vkCreateComputePipelines");
}

/* What comes before is seen by what comes after. */
static void barrier(VkCommandBuffer commands)
{
    VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &all, 0, NULL, 0, NULL);
}

static VkCommandBuffer record(void)
{
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = family};
    VkCommandPool pool = VK_NULL_HANDLE;
    must(vkCreateCommandPool(device, &pool_info, NULL, &pool), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    must(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkBufferCopy everything = {0, 0, block_bytes};
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    vkCmdCopyBuffer(commands, host_block, device_block, 1, &everything);
    barrier(commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, N_SETS, sets, 0,
                            NULL);
    vkCmdDispatch(commands, n_groups[0], n_groups[1], n_groups[2]);
    barrier(commands);
    vkCmdCopyBuffer(commands, device_block, host_block, 1, &everything);
    barrier(commands);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

static void run(const char *wanted)
{
    if (!find_device(wanted)) {
        stop('U', "no Vulkan device named \"%s\"; try --list\n", wanted);
    }
    read_contents();
    open_device();
    make_blocks();
    make_sets();
    build();
    VkCommandBuffer commands = record();
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &commands};
    VkFence fence = VK_NULL_HANDLE;
    must(vkCreateFence(device, &fence_info, NULL, &fence), "vkCreateFence");
    check(vkQueueSubmit(queue, 1, &submit, fence), "vkQueueSubmit");
    check(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        memcpy(result[i], map + start[i], buffers[i].n_bytes);
    }
}

/* ---- in a process of its own ---- */

static long get_number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    long v = text ? strtol(text, NULL, 10) : 0;
    return v > 0 ? v : otherwise;
}

/* One run in a process of its own, which may die. 'Y' the bug is there, 'N' it is not, 'U' could not
 * be run, 'R' the driver refused, 'L' the device was lost; 'C' it died by a signal, 'H' it hangs,
 * 'E' the driver ended the process. */
static char run_once(const char *wanted)
{
    int fds[2], status = 0;
    char outcome = 'E';
    pid_t gone = 0;
    struct timespec tick = {0, 10000000};
    if (pipe(fds) != 0) {
        perror("pipe");
        return 'U';
    }
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 'U';
    }
    if (child == 0) {
        outcome_fd = fds[1];
        run(wanted);
        stop(compare(), "%s", "");
    }
    for (long n = 100 * get_number("DEADLINE", DEADLINE_S); n > 0 && gone == 0; n--) {
        nanosleep(&tick, NULL);
        gone = waitpid(child, &status, WNOHANG);
    }
    close(fds[1]);
    if (gone == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        outcome = 'H';
    } else if (read(fds[0], &outcome, 1) != 1) {
        outcome = 'E';
    }
    close(fds[0]);
    if (gone != 0 && WIFSIGNALED(status) && outcome != 'Y') {
        printf("signal %d\n", WTERMSIG(status));
        outcome = 'C';
    }
    return outcome;
}

static const char *describe(char outcome)
{
    switch (outcome) {
    case 'R':
        return "the driver refused";
    case 'L':
        return "the device was lost";
    case 'C':
        return "the driver died";
    case 'H':
        return "no answer before the deadline";
    case 'E':
        return "the driver ended the process";
    default:
        return "it ran";
    }
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : getenv("DEVICE");
    long n_runs = get_number("RUNS", DEFAULT_RUNS);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (wanted && strcmp(wanted, "--list") == 0) {
        list_devices();
        return 0;
    }
    char outcome = 'N';
    for (long i = 0; i < n_runs && outcome == 'N'; i++) {
        outcome = run_once(wanted ? wanted : DEVICE);
    }
    if (strchr(BUG, outcome)) {
        printf("The bug is there: %s\n", BUG_TEXT);
        return 1;
    }
    if (outcome == 'N') {
        printf("The bug is not there, in %ld runs.\n", n_runs);
        return 0;
    }
    printf("It could not be run%s%s.\n", outcome == 'U' ? "" : ": ",
           outcome == 'U' ? "" : describe(outcome));
    return 2;
}
