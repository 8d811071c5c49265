/* base/kernel_args.h -- what a kernel of OpenCL is to be given as arguments, by the words of its module. */
#pragma once

#include "base/testcase.h"

/*
 * Why no case can run the kernel: the first of its arguments that is neither a pointer to global or constant memory nor a
 * number or vector by value (integers of 8, 16, 32 or 64 bits, floats of 16, 32 or 64 bits; 2, 3, 4, 8 or 16 components), in
 * one sentence with the number, the name and the type of that argument: "kernel argument 2 (sampler) is an image or a
 * sampler: ...". "" where each can be given, in Vulkan, and where the words hold no such kernel. Any words are safe.
 */
const char *kernel_args_find_unsupported(const struct testcase *tc, struct arena *a);

/*
 * Which argument this case gives wrongly: the first of those by value whose buffer is missing, of another kind than "value" or
 * of another size than the type's (a vector of 3 has the size of 4), or the first pointer whose buffer is of that kind, in
 * one sentence likewise. "" where all fit, in Vulkan, and where the words hold no such kernel. Any words are safe.
 */
const char *kernel_args_find_misfit(const struct testcase *tc, struct arena *a);
