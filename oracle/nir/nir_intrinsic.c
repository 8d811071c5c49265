/* oracle/nir/nir_intrinsic.c -- the tables of intrinsics and of their constant arguments. */
#include "oracle/nir/nir_intrinsic.h"

#include <string.h>

enum {
    RESULT_NOTHING,
    RESULT_VALUE
};
const struct nir_intrinsic_row nir_intrinsic_rows[NIR_INTRINSIC_N] = {
#define NIR_INTRINSIC(name, n, result, run, form)                                                  \
    {#name, n, RESULT_##result == RESULT_VALUE, NIR_RUN_##run, form},
#include "oracle/nir/nir_intrinsic.def"
};
const struct nir_index_row nir_index_rows[NIR_INDEX_N] = {
#define NIR_INDEX(name, form) {#name, NIR_##form},
#include "oracle/nir/nir_index.def"
};

static bool is_name(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && memcmp(name, text, n) == 0;
}

int nir_intrinsic_find(const char *name, size_t n)
{
    for (int i = 0; i < NIR_INTRINSIC_N; i++) {
        if (is_name(nir_intrinsic_rows[i].name, name, n)) {
            return i;
        }
    }
    return -1;
}

int nir_index_find(const char *name, size_t n)
{
    for (int i = 0; i < NIR_INDEX_N; i++) {
        if (is_name(nir_index_rows[i].name, name, n)) {
            return i;
        }
    }
    return -1;
}
