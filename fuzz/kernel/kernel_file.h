/* fuzz/kernel/kernel_file.h -- what kind of file a kernel comes in, by its content. */
#pragma once

#include "base/base.h"

enum kernel_form {
    KERNEL_UNKNOWN,
    KERNEL_SPIRV,      /* words, of either byte order */
    KERNEL_SPIRV_TEXT, /* what spirv-as takes */
    KERNEL_OPENCL_C,
    KERNEL_GLSL, /* of any stage */
    KERNEL_AMBER,
    KERNEL_CASE /* case.bin of ours */
};
enum {
    KERNEL_FORM_N = 7
};
extern const char
    *const kernel_form_names[KERNEL_FORM_N]; /* "SPIR-V", "SPIR-V text", "OpenCL C", ... */

/* The form of n bytes. Comments and blanks before the first word that tells are passed over. */
enum kernel_form kernel_file_find_form(const void *bytes, size_t n);
