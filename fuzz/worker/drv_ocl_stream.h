/* fuzz/worker/drv_ocl_stream.h -- OpenCL: a stream of blocks through one kernel. */
#pragma once

#include "fuzz/wire/stream.h"
#include "fuzz/worker/drv_ocl_device.h"

/* drv_api.stream_*. */
enum res ocl_stream_open(struct drv *d, const struct stream *s, unsigned char *memory,
                         struct arena *a, struct observation *ob, struct err *e);
void ocl_stream_run(struct drv *d, const struct stream_block *b, struct arena *a,
                    struct observation *ob);
void ocl_stream_close(struct drv *d);
