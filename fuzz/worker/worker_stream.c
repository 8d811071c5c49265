/* fuzz/worker/worker_stream.c -- a worker's side of a stream: the shared memory, its kernel, its blocks. */
#include "fuzz/worker/worker_stream.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "fuzz/wire/stream.h"
#include "fuzz/wire/wire.h"

static struct observation make_observation(void)
{
    return (struct observation){.log = "", .signature = "", .facts = ""};
}

static enum res answer(const struct worker_device *device, struct arena *a, uint32_t slot,
                       const struct observation *ob, struct err *e)
{
    struct stream_status const status = {.slot = slot,
                                         .status = ob->status,
                                         .phase = ob->phase,
                                         .driver_code = ob->driver_code,
                                         .ns = ob->build_ns + ob->run_ns,
                                         .log = ob->log};
    size_t n = 0;
    const unsigned char *const p = stream_encode_status(&status, a, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "no room for the answer to a block");
    }
    return wire_write(device->out, WIRE_STATUS, p, n, e);
}

void worker_stream_close(struct worker_stream *w, const struct worker_device *device)
{
    if (w->is_open) {
        device->api->stream_close(device->drv);
        w->is_open = 0;
    }
    if (w->memory) {
        (void)munmap(w->memory, w->n_bytes);
        w->memory = NULL;
    }
    arena_reset(&w->arena);
}

/* The descriptor must be the memory that the stream says, not what a launcher put in its place. */
static enum res map_memory(struct worker_stream *w, struct err *e)
{
    struct stat s;
    uint64_t const n = stream_get_bytes(&w->s);
    if (fstat((int)w->s.fd, &s) != 0 || (uint64_t)s.st_size < n) {
        return err_set(e, RES_IO, "shared memory of %llu bytes is not inherited",
                       (unsigned long long)n);
    }
    void *const p = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_SHARED, (int)w->s.fd, 0);
    if (p == MAP_FAILED) {
        return err_set(e, RES_IO, "shared memory of %llu bytes: %s", (unsigned long long)n,
                       strerror(errno));
    }
    w->memory = p;
    w->n_bytes = (size_t)n;
    return RES_OK;
}

enum res worker_stream_open(struct worker_stream *w, const struct worker_device *device,
                            struct arena *a, const unsigned char *payload, size_t n, struct err *e)
{
    struct observation ob = make_observation();
    worker_stream_close(w, device);
    TRY(stream_decode(&w->s, &w->arena, payload, n, e));
    TRY(map_memory(w, e));
    w->is_open = 1; /* also what opens in part is for worker_stream_close */
    TRY(device->api->stream_open(device->drv, &w->s, w->memory, &w->arena, &ob, e));
    enum res const r = answer(device, a, 0, &ob, e);
    if (ob.status != RUN_DONE) {
        worker_stream_close(w, device);
    }
    return r;
}

enum res worker_stream_run(struct worker_stream *w, const struct worker_device *device,
                           struct arena *a, const unsigned char *payload, size_t n, struct err *e)
{
    struct observation ob = make_observation();
    struct stream_block block;
    if (!w->is_open) {
        return err_set(e, RES_FORMAT, "a block without a stream");
    }
    enum res const r = stream_decode_block(&block, &w->s, payload, n, e);
    if (r != RES_OK) {
        return r;
    }
    device->api->stream_run(device->drv, &block, a, &ob);
    return answer(device, a, block.slot, &ob, e);
}
