/* fuzz/worker/drv.h -- a driver behind an API, as the worker sees it. One drv_*.c per API; each dlopens
 * its loader, so the worker links libc alone. Preconditions: single thread, open before the rest. */
#pragma once

#include "base/testcase.h"
#include "fuzz/wire/stream.h"

struct drv; /* one open device */

/* What is done with a case. */
enum drv_job {
    JOB_RUN,
    JOB_BUILD,  /* it is built, and nothing is dispatched: RUN_BUILT */
    JOB_PROGRAM /* the same, and the texts of what was compiled go into the observation, where the driver gives any */
};

/* In the log of a program of source text that was refused, when each text compiles by itself. */
#define DRV_COMPILES_TEXT "the text compiles, the program does not link"

struct drv_api {
    const char *name; /* "opencl", "vulkan", "ocloc", "library" */
    /* Open the device whose name contains `select` ("" = first), facts into `a`. An empty platform
     * or no such device is RES_USAGE with the list of what there is. */
    enum res (*open)(const char *loader, const char *select, struct arena *a, struct drv **out,
                     const char **facts, struct err *e);
    /* Everything a driver does is in `ob` (status, phase, code, log, outputs, guard bytes, texts); RES_* other than
     * OK is our own fault. */
    enum res (*run)(struct drv *d, const struct testcase *tc, enum drv_job job, struct arena *a,
                    struct observation *ob, struct err *e);
    void (*close)(struct drv *d);
    /* Build the kernel of a stream, whose memory is mapped at `memory`; what was built stays in `a`
     * until stream_close. Status, phase, code, log and build_ns in `ob`; when it is not RUN_DONE
     * there is no stream. */
    enum res (*stream_open)(struct drv *d, const struct stream *s, unsigned char *memory,
                            struct arena *a, struct observation *ob, struct err *e);
    /* Run a block; its results are in the memory when ob->status is RUN_DONE. Short texts in `a`. */
    void (*stream_run)(struct drv *d, const struct stream_block *b, struct arena *a,
                       struct observation *ob);
    void (*stream_close)(struct drv *d); /* also when there is none */
    /* "name\tversion\n" per device, for `halfulp devices`; behind the version "\t" LISTED_NO_SPIRV where the device
     * takes source text alone. */
    enum res (*list)(const char *loader, struct arena *a, const char **out, struct err *e);
};
