/* fuzz/kernel_run/kernel_script.h -- a kernel that comes in a script of Amber: what the script says of the case, and what it expects. */
#pragma once

#include "fuzz/kernel/kernel_case.h"
#include "fuzz/kernel_run/kernel_try.h"

/* Before the kernel is opened: the entry point and the constants that the script names, where the user names none. */
void kernel_script_begin(const struct amber *script, struct kernel_wishes *w);
/* After that: contents of buffers and the dispatch. RES_USAGE: the shader has a buffer that the script does not bind. */
MUST_USE enum res kernel_script_wish(const struct kernel *k, struct kernel_wishes *w,
                                     struct err *e);
/* Does expectation i hold of the result? Else *why says what is there. */
bool kernel_script_holds(const struct kernel *k, const struct try_result *x, uint32_t i,
                         struct arena *a, const char **why);
