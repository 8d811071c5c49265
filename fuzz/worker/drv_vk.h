/* fuzz/worker/drv_vk.h -- Vulkan as a driver of the worker. */
#pragma once

#include "fuzz/worker/drv.h"

extern const struct drv_api drv_vk;
