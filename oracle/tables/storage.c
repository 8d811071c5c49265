/* oracle/tables/storage.c -- names. */
#include "oracle/tables/storage.h"

#include <stdbool.h>

#include "base/format.h"

const char *const storage_names[STORAGE_N] = {"-",
                                              "global",
                                              "workgroup",
                                              "image",
                                              "texel",
                                              "generic",
                                              "subgroup",
                                              "subgroup-reduce",
                                              "subgroup-inclusive",
                                              "subgroup-exclusive",
                                              "subgroup-clustered",
                                              "subgroup-partitioned",
                                              "group",
                                              "group-reduce",
                                              "group-inclusive",
                                              "group-exclusive",
                                              "physical"};
const char *const val_type_names[VT_N] = {"-",  "f16", "f32",  "f64",   "i32",   "i64",
                                          "i8", "i16", "bool", "f16x2", "f16x4", "bf16"};

enum val_type val_type_of(int fmt, unsigned n_bits)
{
    bool const is_float = fmt >= 0;
    if (fmt == FMT_BF16) {
        return VT_BF16;
    }
    switch (n_bits) {
    case 1:
        return VT_BOOL;
    case 8:
        return VT_I8;
    case 16:
        return is_float ? VT_F16 : VT_I16;
    case 32:
        return is_float ? VT_F32 : VT_I32;
    case 64:
        return is_float ? VT_F64 : VT_I64;
    default:
        return VT_NONE;
    }
}

enum val_type val_type_of_vector(int fmt, unsigned n_bits, uint32_t n)
{
    if (fmt == FMT_F16 && n == 2) {
        return VT_F16X2;
    }
    return fmt == FMT_F16 && n == 4 ? VT_F16X4 : val_type_of(fmt, n_bits);
}
