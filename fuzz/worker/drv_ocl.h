/* fuzz/worker/drv_ocl.h -- OpenCL as a driver of the worker. */
#pragma once

#include "fuzz/worker/drv.h"

extern const struct drv_api drv_ocl;
