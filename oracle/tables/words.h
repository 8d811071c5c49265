/* oracle/tables/words.h -- a sentence in the words of the environment that it is about: Vulkan has invocations, workgroups,
 * subgroups and shaders, OpenCL work-items, work-groups, sub-groups and kernels. */
#pragma once

#include "base/testcase.h"

/* The text with the words of `env` in place of those of the other one (oracle/tables/words.def). Only whole words change: a name
 * such as clCreateKernel or main_kernel stays. Not for foreign text or quotations. In `a`; "" when it is full. */
const char *words_say(enum env env, const char *text, struct arena *a);
/* The first word of the other environment in the text; NULL: there is none. */
const char *words_find_other(enum env env, const char *text);
