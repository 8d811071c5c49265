/* fuzz/kernel/kernel_shape.h -- what a kernel is to be given: its buffers, its arguments by value, its work-group size. */
#pragma once

#include "base/testcase.h"
#include "fuzz/kernel/kernel_type.h"

struct kernel_buffer {
    enum buf_kind kind;
    uint32_t set;
    uint32_t number;      /* as the user counts: of OpenCL the kernel's argument in its file */
    bool is_float_bits;   /* its integers are read as floats of their width, by OpBitcast */
    bool is_by_value;     /* OpenCL: a struct by value in the file */
    uint32_t id;          /* of the variable or the parameter */
    const char *name;     /* "", until somebody says it: names are no part of a cleaned module */
    uint32_t type;        /* id of what is in it: of a pointer of OpenCL what it points to */
    uint32_t fixed_bytes; /* of all but an array of run-time length */
    uint32_t
        element_bytes; /* of one element of that, or of what a pointer points to; 0: the size is fixed_bytes */
};
struct kernel_shape {
    enum env env;
    const char *entry;
    uint32_t function;         /* of the entry point */
    uint32_t local[3];         /* that the module states; 0: none */
    uint32_t local_spec_id[3]; /* of what is stated: the SpecId of each size, or LOCAL_SIZE_FIXED */
    uint32_t n_dims;           /* of the ids that it reads, 1 to 3 */
    uint32_t n_bufs;
    struct kernel_buffer bufs[CASE_MAX_BUFS];
};

/* Names of the kernels and compute shaders, n of them in *names. NULL: no memory. */
const char *const *kernel_shape_list(const uint32_t *words, uint32_t n_words, struct arena *a,
                                     uint32_t *n);
/*
 * Reads a module that kernel_clean has numbered.
 *   entry  the name of the entry point; NULL: the only one
 *   RES_USAGE: there is no such entry point, or several and none is named, with their names; RES_LIMIT: an argument is of a
 *   kind that no case can give, and which
 */
MUST_USE enum res kernel_shape_read(const char *path, enum env env, const uint32_t *words,
                                    uint32_t n_words, const char *entry, struct arena *a,
                                    struct kernel_types *types, struct kernel_shape *out,
                                    struct err *e);
