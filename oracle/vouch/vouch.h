/* oracle/vouch/vouch.h -- safety check of a case that somebody else made, before it is given to a driver. The
 * interpreter explores all paths of each invocation on values that are as unknown as they are on a device, and
 * refuses accesses out of bounds, endless loops and barriers that not all reach. */
#pragma once

#include "base/testcase.h"

/*
 * RES_OK: whatever values a device computes, the case calls nothing that it does not hold, reads and
 * writes nothing but its buffers and variables, and ends. Of the module: one entry point of a plain
 * name; no linkage; each function has its body; capabilities, extensions, sets, modes, decorations,
 * types and instructions are those that the generator knows, and say nothing of layouts, aliases or
 * ranges that the interpreter does not follow. Of the build options: those of oracle/math/option.def, and
 * -cl-opt-disable. Then all invocations run, on every path that a value which only a device knows may
 * take; an address may not depend on such a value. At last the whole runs once as a simulated device.
 *
 * That the words are valid SPIR-V is the caller's to ask (fuzz/io/spirv.h), and part of the answer.
 * RES_FORMAT, RES_LIMIT: the case cannot be vouched for, and the error is the first reason. RES_NOMEM.
 * Keeps nothing; it takes memory of its own.
 */
MUST_USE enum res vouch_case(const struct testcase *tc, struct err *e);
