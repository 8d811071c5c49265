/* fuzz/worker/drv_ocl_run.h -- OpenCL: one case, built, dispatched, read back. */
#pragma once

#include "fuzz/worker/drv.h"
#include "fuzz/worker/drv_ocl_device.h"

/* drv_api.run. */
enum res ocl_run(struct drv *d, const struct testcase *tc, enum drv_job job, struct arena *a,
                 struct observation *ob, struct err *e);
