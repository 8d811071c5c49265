/* fuzz/kernel/kernel_type.h -- how types lie in a buffer: by their decorations, or as C has it. */
#pragma once

#include "base/spv.h"

struct kernel_types {
    struct spv_index index;
    uint32_t *stride; /* [n_ids] ArrayStride; 0: natural */
    uint32_t *members,
        n_member_words; /* a header and the decorations of members alone, which are searched often */
};
MUST_USE enum res kernel_types_make(struct kernel_types *t, const uint32_t *words, uint32_t n_words,
                                    struct arena *a, struct err *e);

/* The string that begins at word `at` of an instruction, in `a`; "" where there is none. */
const char *kernel_read_string(const struct spv_inst *in, uint32_t at, struct arena *a);

/* Bytes of a type, without a last array of run-time length. 0: it has none. */
uint32_t kernel_type_bytes(const struct kernel_types *t, uint32_t type);
/* Bytes of an element of the array of run-time length that is the type, or its last member; 0: there is none. */
uint32_t kernel_type_run_time_stride(const struct kernel_types *t, uint32_t type);
/* A number in a buffer. */
struct kernel_scalar {
    uint32_t byte;
    unsigned n_bits;
    bool is_float;
    bool is_bfloat;
};
/*
 * Calls `see` for each number of the type at `byte`, up to the end of the buffer's n_bytes: an array of run-time length goes
 * on to there, and so does what is no struct (of OpenCL, where a pointer is to as many as there are).
 */
void kernel_type_visit(const struct kernel_types *t, uint32_t type, uint32_t n_bytes,
                       void (*see)(void *of, const struct kernel_scalar *scalar), void *of);
