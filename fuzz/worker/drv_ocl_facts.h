/* fuzz/worker/drv_ocl_facts.h -- OpenCL: the facts of a device. */
#pragma once

#include "fuzz/worker/drv_ocl_device.h"

/* All facts of base/caps.h, in `a`; NULL when it is full. */
const char *ocl_describe(const struct drv *d, struct arena *a);
