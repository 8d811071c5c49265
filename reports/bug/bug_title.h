/* reports/bug/bug_title.h -- what is wrong, in one line and in one sentence. */
#pragma once

#include "reports/bug/bug.h"

/* "llvmpipe: Frexp (f32) of a subnormal is not normalised", by bug_platform.def and bug_fault.def; foreign text. */
const char *bug_get_title(const struct bug *b, struct arena *a);
/* What happened in this case, to stand below the title; foreign text. */
const char *bug_get_sentence(const struct bug *b, struct arena *a);
/* The driver's name in the title; the name of its source tree, "Mesa", where other drivers of that tree show the bug. */
const char *bug_get_platform(const struct bug *b, struct arena *a);
/* "turnip-a740, nvk-ada": targets of other drivers that may share the wrong code (version_siblings); "": none. */
const char *bug_list_siblings(const struct bug *b, struct arena *a);
/* "K=V K=V": what the driver needs to be told to offer the device; "" for nothing. Holds no path of the machine. */
const char *bug_get_variables(const struct bug *b, struct arena *a);
