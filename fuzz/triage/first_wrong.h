/* fuzz/triage/first_wrong.h -- which instruction of a case goes wrong first, where not every value was stored. */
#pragma once

#include <stdbool.h>

#include "fuzz/reduce/reduce.h"
#include "fuzz/targets/targets.h"

/*
 * What is found at an instruction may come of one before it whose value nobody saw. The case is made again from
 * its tape with every value stored (gen_stored_case) and run: *core is that of the first finding there, in
 * the order of the module. "": the one that was known is there too, so it stands for itself; or nothing was
 * wrong, all was stored before, the case has no tape, or could not be run. In `a`.
 */
MUST_USE enum res first_wrong_find(const struct reduce_subject *s, const struct target *target,
                                   struct arena *a, const char **core, struct err *e);
/*
 * The same of any case, which may have been made smaller since: a store stands behind each instruction that computes numbers
 * (kernel_trace.h), and *core is that of the value of an invocation which is computed first of those that are wrong. Also ""
 * where the bug is none of a value.
 */
MUST_USE enum res first_wrong_trace(const struct testcase *tc, const struct trial_wanted *wanted,
                                    const struct target *target, struct arena *a, const char **core,
                                    struct err *e);
/* Has the case the instruction that a core names? A core without an instruction is of a loaded value: then, has the case a
 * variable of an invocation or of a work-group? */
bool first_wrong_is_in(const char *core, const struct testcase *tc, struct arena *a);
