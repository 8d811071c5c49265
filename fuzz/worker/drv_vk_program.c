/* fuzz/worker/drv_vk_program.c -- Vulkan: the texts and the statistics in which a driver says what it compiled. */
#define _GNU_SOURCE /* memfd_create, strcasestr */
#include "fuzz/worker/drv_vk_program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/testcase.h"
#include "fuzz/worker/drv_common.h"

enum {
    PROGRAM_MAX_TEXTS = 16, /* that a driver has of one executable */
    PROGRAM_MAX_EXECUTABLES = 4,
    PROGRAM_MAX_BYTES = 16 << 20 /* of one text */
};

/* ---- a driver that prints ---- */

/* Standard output is standard error, too, as in worker.c. */
static void restore_output(struct drv *d)
{
    if (d->error >= 0) {
        (void)dup2(d->error, STDERR_FILENO);
        (void)dup2(d->error, STDOUT_FILENO);
    }
    drv_close_fd(&d->printed);
    drv_close_fd(&d->error);
}

void vk_program_begin(struct drv *d)
{
    if (!d->prints_program) {
        return;
    }
    d->printed = memfd_create("halfulp-program", MFD_CLOEXEC);
    d->error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)fflush(stdout);
    if (d->printed < 0 || d->error < 0 || dup2(d->printed, STDERR_FILENO) < 0 ||
        dup2(d->printed, STDOUT_FILENO) < 0) {
        restore_output(d);
    }
}

/* The text of the file, in `a`; NULL: there is none, or it is too long. */
static char *read_text(int fd, struct arena *a)
{
    struct stat st;
    bool const has_size = fstat(fd, &st) == 0 && st.st_size > 0 && st.st_size < PROGRAM_MAX_BYTES;
    char *const text = has_size ? arena_take(a, (size_t)st.st_size + 1) : NULL;
    if (!text || pread(fd, text, (size_t)st.st_size, 0) != st.st_size) {
        return NULL;
    }
    for (off_t i = 0; i < st.st_size; i++) { /* texts are strings */
        text[i] = text[i] ? text[i] : ' ';
    }
    text[st.st_size] = '\0';
    return text;
}

static void put_text(struct observation *ob, const char *name, const char *text)
{
    if (text && ob->n_programs < OBSERVATION_MAX_PROGRAMS) {
        ob->programs[ob->n_programs++] = (struct program_text){name, text};
    }
}

static void take_printed(struct drv *d, struct arena *a, struct observation *ob)
{
    if (d->error < 0) {
        return;
    }
    (void)fflush(stdout);
    (void)fflush(stderr);
    put_text(ob, "printed", read_text(d->printed, a));
    restore_output(d);
}

/* ---- a driver that hands it out ---- */

/* Take the texts that are NIR: a first call says how long each is, a second one fills them in. */
static void take_texts(struct drv *d, VkPipeline pipeline, struct arena *a, struct observation *ob)
{
    VkPipelineExecutableInternalRepresentationKHR list[PROGRAM_MAX_TEXTS];
    VkPipelineExecutableInfoKHR const which = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    uint32_t n = PROGRAM_MAX_TEXTS;
    memset(list, 0, sizeof list);
    for (size_t i = 0; i < ARRAY_N(list); i++) {
        list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    }
    VkResult code =
        d->vk.vkGetPipelineExecutableInternalRepresentationsKHR(d->device, &which, &n, list);
    if (code != VK_SUCCESS && code != VK_INCOMPLETE) {
        return;
    }
    for (uint32_t i = 0; i < n && i < PROGRAM_MAX_TEXTS; i++) {
        bool const is_wanted = list[i].isText && memchr(list[i].name, 0, sizeof list[i].name) &&
                               strstr(list[i].name, "NIR") && list[i].dataSize < PROGRAM_MAX_BYTES;
        list[i].pData = is_wanted ? arena_take(a, list[i].dataSize + 1) : NULL;
    }
    code = d->vk.vkGetPipelineExecutableInternalRepresentationsKHR(d->device, &which, &n, list);
    for (uint32_t i = 0; i < n && i < PROGRAM_MAX_TEXTS; i++) {
        char *const text = list[i].pData;
        if (text && (code == VK_SUCCESS || code == VK_INCOMPLETE)) {
            text[list[i].dataSize] = '\0';
            put_text(ob, arena_printf(a, "%s", list[i].name), text);
        }
    }
}

static uint32_t get_subgroup_size(struct drv *d, VkPipeline pipeline)
{
    VkPipelineExecutablePropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    VkPipelineInfoKHR const which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                     .pipeline = pipeline};
    uint32_t n = 1;
    VkResult const code =
        d->vk.vkGetPipelineExecutablePropertiesKHR(d->device, &which, &n, &properties);
    return (code == VK_SUCCESS || code == VK_INCOMPLETE) && n == 1 ? properties.subgroupSize : 0;
}

void vk_program_take(struct drv *d, VkPipeline pipeline, struct arena *a, struct observation *ob)
{
    take_printed(d, a, ob);
    if (pipeline && d->vk.vkGetPipelineExecutablePropertiesKHR &&
        d->vk.vkGetPipelineExecutableInternalRepresentationsKHR) {
        ob->program_subgroup = get_subgroup_size(d, pipeline);
        if (ob->n_programs == 0) {
            take_texts(d, pipeline, a, ob);
        }
    }
}

/* ---- statistics ---- */

/* The value as a whole number; false: it is below 0, or too large. */
static bool get_value(const VkPipelineExecutableStatisticKHR *s, uint64_t *out)
{
    double const real = s->value.f64;
    switch (s->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        *out = s->value.b32 != VK_FALSE;
        return true;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        *out = (uint64_t)s->value.i64;
        return s->value.i64 >= 0;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        *out = s->value.u64;
        return true;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
        *out = real >= 0 && real < 0x1p53 ? (uint64_t)real : 0;
        return real >= 0 && real < 0x1p53;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_MAX_ENUM_KHR:
        break;
    }
    return false;
}

/* Put the statistics of executable `index`. `before`: what their names begin with. */
static void take_statistics(struct drv *d, VkPipeline pipeline, uint32_t index, const char *before,
                            struct arena *a, struct observation *ob)
{
    VkPipelineExecutableStatisticKHR list[OBSERVATION_MAX_STATISTICS];
    VkPipelineExecutableInfoKHR const which = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                               .pipeline = pipeline,
                                               .executableIndex = index};
    uint32_t n = ARRAY_N(list);
    memset(list, 0, sizeof list);
    for (size_t i = 0; i < ARRAY_N(list); i++) {
        list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    }
    VkResult const code = d->vk.vkGetPipelineExecutableStatisticsKHR(d->device, &which, &n, list);
    if (code != VK_SUCCESS && code != VK_INCOMPLETE) {
        return;
    }
    for (uint32_t i = 0; i < n && i < ARRAY_N(list); i++) {
        uint64_t value = 0;
        bool const is_text = memchr(list[i].name, 0, sizeof list[i].name) != NULL;
        if (is_text && !strcasestr(list[i].name, "hash") && get_value(&list[i], &value)) {
            observation_put_statistic(ob, arena_printf(a, "%s%s", before, list[i].name), value);
        }
    }
}

void vk_statistics_take(struct drv *d, VkPipeline pipeline, struct arena *a, struct observation *ob)
{
    VkPipelineExecutablePropertiesKHR list[PROGRAM_MAX_EXECUTABLES];
    VkPipelineInfoKHR const which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                     .pipeline = pipeline};
    uint32_t n = ARRAY_N(list);
    memset(list, 0, sizeof list);
    for (size_t i = 0; i < ARRAY_N(list); i++) {
        list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    }
    VkResult const code = d->vk.vkGetPipelineExecutablePropertiesKHR(d->device, &which, &n, list);
    if (code != VK_SUCCESS && code != VK_INCOMPLETE) {
        return;
    }
    for (uint32_t i = 0; i < n && i < ARRAY_N(list); i++) {
        list[i].name[sizeof list[i].name - 1] = '\0';
        take_statistics(d, pipeline, i, n == 1 ? "" : arena_printf(a, "%.24s: ", list[i].name), a,
                        ob);
    }
}
