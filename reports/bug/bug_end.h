/* reports/bug/bug_end.h -- how a run ended that did not end well, in words. */
#pragma once

#include "reports/bug/bug.h"

/* "SIGSEGV" for 11. */
const char *bug_name_signal(int number, struct arena *a);
/* " in compiler pass 'NAME'", " while a kernel is built": where in the driver. Foreign text. */
const char *bug_describe_phase(const struct bug *b, struct arena *a);
/* How a run ended and what the driver gave as its reason, for the title: "SIGSEGV while a kernel is built: REASON",
 * ": REASON" of a refusal. Foreign text. */
const char *bug_describe_end(const struct bug *b, struct arena *a);
