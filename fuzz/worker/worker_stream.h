/* fuzz/worker/worker_stream.h -- a worker's side of a stream: the shared memory, its kernel, its blocks. */
#pragma once

#include "fuzz/worker/drv.h"

/* What messages are about after the hello. */
struct worker_device {
    const struct drv_api *api;
    struct drv *drv;
    int out; /* descriptor of the answers */
};

/* One per worker; zeroed and its arena made before use. */
struct worker_stream {
    struct arena arena; /* of the stream that is open */
    struct stream s;
    unsigned char *memory;
    size_t n_bytes;
    int is_open;
};

/* A WIRE_STREAM message: end the stream before, open this one, answer. `a` is for the answer. */
MUST_USE enum res worker_stream_open(struct worker_stream *w, const struct worker_device *device,
                                     struct arena *a, const unsigned char *payload, size_t n,
                                     struct err *e);
/* A WIRE_BLOCK message: run it and answer. */
MUST_USE enum res worker_stream_run(struct worker_stream *w, const struct worker_device *device,
                                    struct arena *a, const unsigned char *payload, size_t n,
                                    struct err *e);
void worker_stream_close(struct worker_stream *w, const struct worker_device *device);
