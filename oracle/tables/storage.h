/* oracle/tables/storage.h -- the storage classes and value types that findings and plans name. */
#pragma once

#include <stdint.h>

/* Where an instruction works: the storage class of an atomic's location, or the scope and operation
 * of a group instruction. */
enum storage {
    STORAGE_NONE,
    STORAGE_GLOBAL,
    STORAGE_WORKGROUP,
    STORAGE_IMAGE,
    STORAGE_TEXEL,
    STORAGE_GENERIC,
    STORAGE_SUBGROUP, /* no operation: a vote, a ballot, an exchange */
    STORAGE_SUBGROUP_REDUCE,
    STORAGE_SUBGROUP_INCLUSIVE,
    STORAGE_SUBGROUP_EXCLUSIVE,
    STORAGE_SUBGROUP_CLUSTERED,
    STORAGE_SUBGROUP_PARTITIONED, /* a reduction or scan of each subset */
    STORAGE_GROUP,                /* the same of the work-group */
    STORAGE_GROUP_REDUCE,
    STORAGE_GROUP_INCLUSIVE,
    STORAGE_GROUP_EXCLUSIVE,
    STORAGE_PHYSICAL /* a buffer by its address */
};
enum {
    STORAGE_N = 17
};
/* "-", "global", "workgroup", ..., "subgroup", "subgroup-reduce", ..., "group-exclusive", "physical" */
extern const char *const storage_names[STORAGE_N];

/* Type of the value an instruction works on. */
enum val_type {
    VT_NONE,
    VT_F16,
    VT_F32,
    VT_F64,
    VT_I32,
    VT_I64,
    VT_I8,
    VT_I16,
    VT_BOOL,
    VT_F16X2, /* vectors, of the atomics that have such a form */
    VT_F16X4,
    VT_BF16
};
enum {
    VT_N = 12
};
/* "-", "f16", ... "i64", "i8", "i16", "bool", "f16x2", "f16x4", "bf16" */
extern const char *const val_type_names[VT_N];
/* Of a float its format (enum fmt_id), of any other value -1. VT_NONE: no type is of so many bits. */
enum val_type val_type_of(int fmt, unsigned n_bits);
/* Of an atomic on n numbers of n_bits each: a vector's own type where there is one. */
enum val_type val_type_of_vector(int fmt, unsigned n_bits, uint32_t n);
