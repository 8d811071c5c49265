/* base/kernel_args.h -- what a kernel of OpenCL is to be given as arguments, by the words of its module. */
#pragma once

#include "base/testcase.h"

/*
 * Why no case can run the kernel: the first of its arguments that is no pointer to global or constant memory, which is what
 * buffers are given as, in one sentence with the number, the name and the type of that argument: "kernel argument 2 (scale)
 * is a float of 32 bits by value: ...". "" where each can be given one, in Vulkan, and where the words hold no such kernel.
 * Any words are safe.
 */
const char *kernel_args_find_unsupported(const struct testcase *tc, struct arena *a);
