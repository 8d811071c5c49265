/* fuzz/worker/drv_vk_program.h -- Vulkan: the texts and the statistics in which a driver says what it compiled. */
#pragma once

#include "fuzz/worker/drv_vk_device.h"

/* Call before a pipeline is created. A driver that prints its program on standard error, instead of handing it out, then
 * prints it into a file of ours until vk_program_take; so does what it prints on standard output. */
void vk_program_begin(struct drv *d);
/*
 * Put the texts of a compute pipeline's NIR into ob, in `a`, with the size of sub-groups for which it was compiled.
 *   pipeline  created with the flag of VK_PROGRAM_CAPTURE; VK_NULL_HANDLE: it was not created, nothing is put
 * Of a driver without VK_KHR_pipeline_executable_properties, and of one whose texts are no NIR, there is none.
 */
void vk_program_take(struct drv *d, VkPipeline pipeline, struct arena *a, struct observation *ob);
/*
 * Put the statistics of a compute pipeline into ob, names in `a`. Where the pipeline consists of several executables, the
 * name of each statistic begins with the name of its executable and ": ". Hashes and values below 0 are left out; a real
 * value is cut to a whole number.
 *   pipeline  created with the flag of VK_STATISTICS_CAPTURE
 */
void vk_statistics_take(struct drv *d, VkPipeline pipeline, struct arena *a,
                        struct observation *ob);
/* Flags of a pipeline (VK_KHR_pipeline_executable_properties): the driver keeps its statistics; its texts. */
#define VK_STATISTICS_CAPTURE VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR
#define VK_PROGRAM_CAPTURE    VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR
