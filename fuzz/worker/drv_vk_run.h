/* fuzz/worker/drv_vk_run.h -- Vulkan: one case, built, dispatched, read back. */
#pragma once

#include "fuzz/worker/drv.h"
#include "fuzz/worker/drv_vk_device.h"

/* drv_api.run. */
enum res vk_run(struct drv *d, const struct testcase *tc, enum drv_job job, struct arena *a,
                struct observation *ob, struct err *e);
