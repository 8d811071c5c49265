/* fuzz/kernel_run/kernel_script.h -- a kernel that is a RUN of a script of Amber: what the script says of the case, and what it expects. */
#pragma once

#include "fuzz/kernel/kernel_case.h"
#include "fuzz/kernel_run/kernel_try.h"

/* Before the kernel is opened: the entry point, the constants and the sub-groups that the RUN's pipeline states, where the user
 * states none. An entry point of the user may be the pipeline's name, and main is that of which nothing is said. */
void kernel_script_begin(const struct kernel_module *built, struct kernel_wishes *w,
                         struct arena *a);
/* After that: contents of buffers, arguments and the dispatch. RES_USAGE: the shader has a buffer that the script does not bind, or
 * one that is bound twice and may be written. */
MUST_USE enum res kernel_script_wish(const struct kernel *k, struct kernel_wishes *w,
                                     struct arena *a, struct err *e);
/* Does expectation i, which this RUN decides (amber_script_find_run), hold of the result? Else *why says what is there. */
bool kernel_script_holds(const struct kernel *k, const struct try_result *x, uint32_t i,
                         struct arena *a, const char **why);
