/* fuzz/worker/drv_vk_stream.h -- Vulkan: a stream of blocks through one kernel. */
#pragma once

#include "fuzz/wire/stream.h"
#include "fuzz/worker/drv_vk_device.h"

/* drv_api.stream_*. */
enum res vk_stream_open(struct drv *d, const struct stream *s, unsigned char *memory,
                        struct arena *a, struct observation *ob, struct err *e);
void vk_stream_run(struct drv *d, const struct stream_block *b, struct arena *a,
                   struct observation *ob);
void vk_stream_close(struct drv *d);
