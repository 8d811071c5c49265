/* fuzz/bucket.c -- which findings are one bug. */
#include "fuzz/bucket.h"

const char *bucket_core(const char *signature, struct arena *a)
{
    return arena_printf(a, "%s", signature);
}

enum res bucket_group(const char *const *signatures, uint32_t n, struct arena *a, uint32_t *out,
                      struct err *e)
{
    (void)signatures;
    (void)a;
    (void)e;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = i;
    }
    return RES_OK;
}

const char *bucket_family(const char *signature, struct arena *a)
{
    return bucket_core(signature, a);
}
