/* fuzz/drv.h -- a driver behind an API, as the worker sees it. One drv_*.c per API; each dlopens
 * its loader, so the worker links libc alone. Preconditions: single thread, open before the rest. */
#ifndef HALFULP_FUZZ_DRV_H
#define HALFULP_FUZZ_DRV_H

#include "base/testcase.h"

struct drv; /* one open device */

struct drv_api {
    const char *name; /* "opencl", "vulkan" */
    /* Open the device whose name contains `select` ("" = first), facts into `a`. An empty platform
     * or no such device is RES_USAGE with the list of what there is. */
    enum res (*open)(const char *loader, const char *select, struct arena *a, struct drv **out,
                     const char **facts, struct err *e);
    /* Run a case. Everything a driver does is in `ob` (status, phase, code, log, outputs, guard
     * bytes); RES_* other than OK is our own fault. */
    enum res (*run)(struct drv *d, const struct testcase *tc, struct arena *a,
                    struct observation *ob, struct err *e);
    void (*close)(struct drv *d);
    /* "name\tversion\n" per device, for `halfulp devices`. */
    enum res (*list)(const char *loader, struct arena *a, const char **out, struct err *e);
};
extern const struct drv_api drv_ocl, drv_vk;

#endif
