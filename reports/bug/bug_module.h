/* reports/bug/bug_module.h -- what the words of a bug's module tell by themselves. */
#pragma once

#include "reports/bug/bug.h"

/* "OpGroupBroadcast (f16)": the one instruction of a module that does more than to fetch operands and to leave a result.
 * "": there are several, or none. */
const char *bug_find_sole(const struct testcase *tc, struct arena *a);
/* "a private bool[2]": the variable that the load at that offset takes its value from; 0: any load from the work-item's or the
 * work-group's memory, if they are all of such ones. "": not known, or they differ. */
const char *bug_describe_loaded(const struct testcase *tc, uint32_t offset, struct arena *a);
/* "a load of a private bool[2]", "OpGroupFMin": the instruction that gives an operand of the one at that offset and may be
 * wrong in its place, also where a conversion or a selection stands in between. "": none does, or the module is not small, so
 * that some always would. */
const char *bug_describe_source(const struct testcase *tc, uint32_t offset, struct arena *a);
/* Is it a load that bug_describe_source tells? */
bool bug_is_of_load(const struct testcase *tc, uint32_t offset, struct arena *a);
/* "OpGroupAll, OpAtomicIAdd": instructions of functions whose result nothing uses, each name once, at most so many; "": none.
 * What a reducer leaves of them a bug needs. */
const char *bug_list_unused(const struct testcase *tc, struct arena *a);
/* Are all operands of each instruction of that name ("FMul", "exp") constants, so that a compiler may compute it? Not where
 * the module has none of that name. */
bool bug_is_of_constants(const struct testcase *tc, const char *op, struct arena *a);
