/* fuzz/kernel/kernel_fill.h -- what buffers hold before a kernel of the user's own runs. */
#pragma once

#include "base/testcase.h"
#include "fuzz/kernel/kernel_shape.h"

enum kernel_content {
    KERNEL_CONTENT_DRAWN, /* ordinary numbers with some of each special kind between; integers that are indices of elements */
    KERNEL_CONTENT_WIDE, /* as drawn, but every other integer is any number */
    KERNEL_CONTENT_HARD, /* special values, neighbours of powers of two, cancellation: any class of the generator's */
    KERNEL_CONTENT_RANDOM, /* any bits */
    KERNEL_CONTENT_RAMP,   /* 0, 1, 2, ... */
    KERNEL_CONTENT_ZEROS,
    KERNEL_CONTENT_NUMBER,    /* the same number everywhere */
    KERNEL_CONTENT_ASCENDING, /* floats as drawn; integers 0, 1, 2, ..., from 0 again behind the last element: indices that differ */
    KERNEL_CONTENT_EQUAL,     /* floats as drawn; each integer the number: it may be a size */
    KERNEL_CONTENT_FILE       /* raw bytes or a .npy file's, which are the buffer's size, too */
};
struct kernel_wish {
    bool is_given;
    enum kernel_content content;
    double number;
    bool is_plain; /* floats that are drawn are ordinary numbers, no special ones between */
    bool is_hard;  /* floats that are drawn are as of KERNEL_CONTENT_HARD */
    const char *path;
    const unsigned char *bytes; /* of the file */
    size_t n_bytes;
};
/* Reads "zeros", "ramp", "random", "hard", a number, or the name of a file, which is read. RES_USAGE names the file. */
MUST_USE enum res kernel_wish_read(const char *text, struct arena *a, struct kernel_wish *out,
                                   struct err *e);

/* The nearest encoding of a number in a scalar's type. */
uint64_t kernel_encode(double number, const struct kernel_scalar *s);
/*
 * Writes n_bytes of content.
 *   n_elements  integers that are drawn are below that: they may be indices
 *   seed        of this buffer in this case; the same one gives the same bytes on any machine
 */
void kernel_fill(const struct kernel_types *types, const struct kernel_buffer *b,
                 const struct kernel_wish *wish, uint32_t n_elements, uint64_t seed,
                 unsigned char *to, uint32_t n_bytes);
