/* host.c -- runs module.spv once and looks at what it leaves in memory.
 *   llvmpipe: OpConvertFToS (i32) gives a wrong value
 *   cc host.c -o host -lvulkan -Wl,--no-as-needed -lm && ./host
 *                   exit status: 1 the bug is there, 0 it is not, 2 it could not be run
 *   ./host --list   the devices
 *   ./host NAME     on the first device with NAME in its line of --list
 * Variables: DEVICE=NAME the same, RUNS, DEADLINE (s) */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include "expected.h"

/* ---- the case ---- */
#define PROGRAM "module.spv"
#define DEVICE  "llvmpipe" /* where the bug was seen; any device with "" */
#define ENTRY   "main_kernel"
static const uint32_t n_groups[3] = {2, 1, 1}; /* workgroups of 1 x 1 x 1 */
enum { N_BUFFERS = 4, N_SETS = 1 }; /* buffer i is binding i of its descriptor set */
static const struct {
    const char *in; size_t n_bytes; uint32_t set; VkDescriptorType type;
} buffers[N_BUFFERS + 1] = {
    {"in-0.bin", 4, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {"in-1.bin", 864, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {"in-2.bin", 960, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {"in-3.bin", 4, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
};

/* ---- what tells that the bug is there ---- */
static unsigned char *content[N_BUFFERS + 1], *result[N_BUFFERS + 1]; /* before and after the run */

/* Say why, and end the process of the run with a letter as its exit status: the outcome. */
#define STOP(outcome, ...) (printf(__VA_ARGS__), fflush(stdout), _exit(outcome))

/* A whole file; *n_bytes is its size, or 0 to be told. */
static void *read_file(const char *name, size_t *n_bytes)
{
    FILE *f = fopen(name, "rb");
    size_t n = f && fseek(f, 0, SEEK_END) == 0 ? (size_t)ftell(f) : 0;
    void *p = calloc(n + 1, 1);
    if (!p || n == 0 || (*n_bytes && *n_bytes != n) || fseek(f, 0, SEEK_SET) || !fread(p, n, 1, f)) {
        STOP('U', "%s cannot be read as it should be; this program runs in its own folder\n", name);
    }
    fclose(f);
    *n_bytes = n;
    return p;
}

enum { MARGIN = 4096, MARGIN_BYTE = 0xa5 };
static int is_permitted(const struct word *w, uint64_t bits)
{
    int is_in = 0;
    for (unsigned i = 0; i < w->n_ranges; i++) {
        is_in |= w->range[i].low <= bits && bits <= w->range[i].high;
    }
    return is_in;
}

static char compare(void)
{
    unsigned n_wrong = 0;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct word *w = &words[i];
        uint64_t bits = 0;
        memcpy(&bits, result[w->buffer] + w->byte, w->n_bytes); /* little-endian */
        int is_right = is_permitted(w, bits);
        printf("buffer %u, byte %u: got 0x%0*llx, permitted %s: %s\n", w->buffer, w->byte,
               (int)(2 * w->n_bytes), (unsigned long long)bits, w->permitted,
               is_right ? "right" : "WRONG");
        n_wrong += !is_right;
    }
    printf("%u of %u checked words wrong; the buffers have %u words\n", n_wrong,
           (unsigned)(sizeof words / sizeof words[0]), ALL_WORDS);
    return n_wrong > 0 ? 'Y' : 'N';
}

/* ---- the run ---- */
/* What the module needs, and no more. */
static const VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;
static VkDescriptorSet sets[N_SETS];
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkBuffer block; /* with buffer i of the case at start[i], MARGIN bytes or more between them */
static size_t start[N_BUFFERS + 1], block_bytes;

#define TYPE(name) .sType = VK_STRUCTURE_TYPE_##name
#define CALL(outcome, call) check(outcome, call, #call)
static void check(char outcome, VkResult code, const char *call)
{
    if (code != VK_SUCCESS) {
        STOP(code == VK_ERROR_DEVICE_LOST ? 'L' : outcome, "VkResult %d of %s\n", code, call);
    }
}

/* Take the first device with `wanted` in its line; list all where that is NULL. */
static void find_device(const char *wanted)
{
    VkApplicationInfo application = {TYPE(APPLICATION_INFO), .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {TYPE(INSTANCE_CREATE_INFO), .pApplicationInfo = &application};
    VkInstance instance;
    VkPhysicalDevice all[16];
    uint32_t n = 16;
    char line[1024];
    CALL('U', vkCreateInstance(&info, NULL, &instance));
    n = vkEnumeratePhysicalDevices(instance, &n, all) < 0 ? 0 : n;
    for (uint32_t i = 0; i < n && !physical; i++) {
        VkPhysicalDeviceDriverProperties driver = {TYPE(PHYSICAL_DEVICE_DRIVER_PROPERTIES)};
        VkPhysicalDeviceProperties2 p = {TYPE(PHYSICAL_DEVICE_PROPERTIES_2), .pNext = &driver};
        vkGetPhysicalDeviceProperties2(all[i], &p);
        snprintf(line, sizeof line, "%s: %s, driver %s", driver.driverName,
                 p.properties.deviceName, driver.driverInfo);
        if (!wanted || strstr(line, wanted)) {
            printf("device: %s\n", line);
            physical = wanted ? all[i] : VK_NULL_HANDLE;
        }
    }
}

static void open_device(void)
{
    VkQueueFamilyProperties families[16];
    uint32_t n = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, families);
    while (family + 1 < n && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
        family++;
    }
    VkDeviceQueueCreateInfo queues = {TYPE(DEVICE_QUEUE_CREATE_INFO), .queueFamilyIndex = family,
                                      .queueCount = 1, .pQueuePriorities = &(float){1}};
    VkDeviceCreateInfo info = {TYPE(DEVICE_CREATE_INFO), .pNext = &features,
                               .queueCreateInfoCount = 1, .pQueueCreateInfos = &queues};
    CALL('U', vkCreateDevice(physical, &info, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
}

/* Memory with all of `needed`, on the device if there is such. */
static VkDeviceMemory take_memory(VkMemoryRequirements r, VkMemoryPropertyFlags needed)
{
    VkPhysicalDeviceMemoryProperties all;
    VkMemoryAllocateInfo info = {TYPE(MEMORY_ALLOCATE_INFO), .allocationSize = r.size,
                                 .memoryTypeIndex = UINT32_MAX};
    VkDeviceMemory memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &all);
    for (uint32_t i = all.memoryTypeCount; i-- > 0;) {
        VkMemoryPropertyFlags flags = all.memoryTypes[i].propertyFlags;
        if ((r.memoryTypeBits >> i & 1) && (flags & needed) == needed &&
            (info.memoryTypeIndex == UINT32_MAX || (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))) {
            info.memoryTypeIndex = i;
        }
    }
    CALL('U', vkAllocateMemory(device, &info, NULL, &memory));
    return memory;
}

static void make_buffers(void)
{
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        start[i] = block_bytes + MARGIN;
        block_bytes = (start[i] + buffers[i].n_bytes + MARGIN + MARGIN - 1) / MARGIN * MARGIN;
    }
    VkBufferCreateInfo info = {TYPE(BUFFER_CREATE_INFO), .size = block_bytes + MARGIN,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryRequirements r;
    void *map;
    CALL('U', vkCreateBuffer(device, &info, NULL, &block));
    vkGetBufferMemoryRequirements(device, block, &r);
    VkDeviceMemory memory = take_memory(
        r, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    CALL('U', vkBindBufferMemory(device, block, memory, 0));
    CALL('U', vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &map));
    memset(map, MARGIN_BYTE, block_bytes);
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        size_t n = buffers[i].n_bytes;
        content[i] = read_file(buffers[i].in, &n);
        result[i] = memcpy((unsigned char *)map + start[i], content[i], n);
    }
}

/* The sets, in which buffer i is binding i, and the pipeline. */
static void make_pipeline(void)
{
    VkDescriptorSetLayout set_layouts[N_SETS];
    VkDescriptorPoolSize sizes[N_BUFFERS + 1];
    VkDescriptorPoolCreateInfo pool_info = {TYPE(DESCRIPTOR_POOL_CREATE_INFO), .maxSets = N_SETS,
                                            .poolSizeCount = N_BUFFERS, .pPoolSizes = sizes};
    VkDescriptorPool pool;
    for (unsigned set = 0; set < N_SETS; set++) {
        VkDescriptorSetLayoutBinding bindings[N_BUFFERS + 1];
        VkDescriptorSetLayoutCreateInfo of = {TYPE(DESCRIPTOR_SET_LAYOUT_CREATE_INFO),
                                              .pBindings = bindings};
        for (unsigned i = 0; i < N_BUFFERS; i++) {
            sizes[i] = (VkDescriptorPoolSize){buffers[i].type, 1};
            if (buffers[i].set == set) {
                bindings[of.bindingCount++] = (VkDescriptorSetLayoutBinding){
                    i, buffers[i].type, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
            }
        }
        CALL('U', vkCreateDescriptorSetLayout(device, &of, NULL, &set_layouts[set]));
    }
    CALL('U', vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo set_info = {TYPE(DESCRIPTOR_SET_ALLOCATE_INFO), .descriptorPool = pool,
                                            .descriptorSetCount = N_SETS, .pSetLayouts = set_layouts};
    CALL('U', vkAllocateDescriptorSets(device, &set_info, sets));
    for (unsigned i = 0; i < N_BUFFERS; i++) {
        VkDescriptorBufferInfo buffer = {block, start[i], buffers[i].n_bytes};
        VkWriteDescriptorSet to = {TYPE(WRITE_DESCRIPTOR_SET), .dstSet = sets[buffers[i].set],
                                   .dstBinding = i, .descriptorCount = 1,
                                   .descriptorType = buffers[i].type, .pBufferInfo = &buffer};
        vkUpdateDescriptorSets(device, 1, &to, 0, NULL);
    }
    VkShaderModuleCreateInfo of = {TYPE(SHADER_MODULE_CREATE_INFO)};
    of.pCode = read_file(PROGRAM, &of.codeSize);
    VkPipelineLayoutCreateInfo layout_info = {TYPE(PIPELINE_LAYOUT_CREATE_INFO),
                                              .setLayoutCount = N_SETS, .pSetLayouts = set_layouts};
    VkShaderModule module;
    CALL('R', vkCreateShaderModule(device, &of, NULL, &module));
    CALL('R', vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkComputePipelineCreateInfo info = {
        TYPE(COMPUTE_PIPELINE_CREATE_INFO), .layout = layout,
        .stage = {TYPE(PIPELINE_SHADER_STAGE_CREATE_INFO), .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module, .pName = ENTRY}};
    CALL('R', vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
}

/* One run: what it leaves is in result[]. */
static void run(const char *wanted)
{
    VkCommandPool pool; VkCommandBuffer cmd; VkFence fence;
    find_device(wanted);
    if (!physical) {
        STOP('U', "no Vulkan device named \"%s\"; try --list\n", wanted);
    }
    open_device();
    make_buffers();
    make_pipeline();
    VkCommandPoolCreateInfo pool_info = {TYPE(COMMAND_POOL_CREATE_INFO), .queueFamilyIndex = family};
    CALL('U', vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo info = {TYPE(COMMAND_BUFFER_ALLOCATE_INFO), .commandPool = pool,
                                        .commandBufferCount = 1}; /* a primary one */
    CALL('U', vkAllocateCommandBuffers(device, &info, &cmd));
    VkCommandBufferBeginInfo begin = {TYPE(COMMAND_BUFFER_BEGIN_INFO)};
    CALL('U', vkBeginCommandBuffer(cmd, &begin));
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, N_SETS, sets, 0, NULL);
    vkCmdDispatch(cmd, n_groups[0], n_groups[1], n_groups[2]);
    VkMemoryBarrier all = {TYPE(MEMORY_BARRIER), .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, NULL, 0, NULL);
    CALL('R', vkEndCommandBuffer(cmd));
    VkSubmitInfo submit = {TYPE(SUBMIT_INFO), .commandBufferCount = 1, .pCommandBuffers = &cmd};
    CALL('U', vkCreateFence(device, &(VkFenceCreateInfo){TYPE(FENCE_CREATE_INFO)}, NULL, &fence));
    CALL('R', vkQueueSubmit(queue, 1, &submit, fence));
    CALL('R', vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
}

/* One run in a process of its own. The outcome: 'Y' the bug is there, 'N' it is not, 'U' it could not be
 * run, 'R' the driver refused, 'L' the device was lost, 'C' a signal, 'H' it hangs, 'E' any other end. */
static int run_once(const char *wanted)
{
    int status = 'U' << 8; /* where there is no process */
    pid_t child = fork();
    if (child == 0) {
        alarm(getenv("DEADLINE") ? (unsigned)atoi(getenv("DEADLINE")) : 60); /* s */
        run(wanted);
        STOP(compare(), "%s", "");
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        printf("signal %d\n", WTERMSIG(status));
        return WTERMSIG(status) == SIGALRM ? 'H' : 'C';
    }
    return WEXITSTATUS(status) && strchr("YNURL", WEXITSTATUS(status)) ? WEXITSTATUS(status) : 'E';
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : getenv("DEVICE");
    int n_runs = getenv("RUNS") ? atoi(getenv("RUNS")) : DEFAULT_RUNS, outcome = 'N';
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (wanted && strcmp(wanted, "--list") == 0) {
        find_device(NULL);
        return 0;
    }
    for (int i = 0; i < n_runs && outcome == 'N'; i++) {
        outcome = run_once(wanted ? wanted : DEVICE);
    }
    printf("%s (%c)\n", strchr(BUG, outcome) ? "The bug is there: " BUG_TEXT
                        : outcome == 'N'     ? "The bug is not there."
                                             : "It could not be run.", outcome);
    return strchr(BUG, outcome) ? 1 : outcome == 'N' ? 0 : 2;
}
