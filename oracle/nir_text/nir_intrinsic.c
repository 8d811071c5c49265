/* oracle/nir_text/nir_intrinsic.c -- the tables of intrinsics and of their constant arguments. */
#include "oracle/nir_text/nir_intrinsic.h"

#include <string.h>

enum {
    RESULT_NOTHING,
    RESULT_VALUE
};
const struct nir_intrinsic_row nir_intrinsic_rows[NIR_INTRINSIC_N] = {
#define NIR_INTRINSIC(name, n, result, run, form)                                                  \
    {#name, n, RESULT_##result == RESULT_VALUE, NIR_RUN_##run, form},
#include "oracle/nir_text/nir_intrinsic.def"
};
const struct nir_index_row nir_index_rows[NIR_INDEX_N] = {
#define NIR_INDEX(name, form) {#name, NIR_##form},
#include "oracle/nir_text/nir_index.def"
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

bool nir_intrinsic_is_load(const struct nir_intrinsic_row *row)
{
    bool const is_texel =
        row->run == NIR_RUN_image || (row->run == NIR_RUN_kepler && row->form == NIR_KEPLER_LOAD);
    return row->has_value && (is_texel || row->run == NIR_RUN_load ||
                              (row->run == NIR_RUN_lock && row->n_sources == 1));
}

uint32_t nir_intrinsic_get_data(const struct nir_intrinsic_row *row)
{
    enum {
        TEXEL =
            3 /* behind descriptor, coordinates, sample; of Kepler's behind address, format, "outside" */
    };
    switch (row->run) {
    case NIR_RUN_store:
        return row->form == NIR_SPACE_VARIABLE ? 1 : 0;
    case NIR_RUN_image:
        return row->has_value ? row->n_sources - 1 : TEXEL;
    case NIR_RUN_kepler:
        return row->has_value ? 0 : TEXEL;
    case NIR_RUN_atomic:
        return row->n_sources - (row->form == NIR_SPACE_GLOBAL_LAST ? 2U : 1U);
    case NIR_RUN_nothing:
    case NIR_RUN_zero:
    case NIR_RUN_barrier:
    case NIR_RUN_gather:
    case NIR_RUN_meet:
    case NIR_RUN_id:
    case NIR_RUN_group:
    case NIR_RUN_load:
    case NIR_RUN_address:
    case NIR_RUN_lock:
    case NIR_RUN_append:
        break;
    }
    return 0;
}
