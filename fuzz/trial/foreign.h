/* fuzz/trial/foreign.h -- what a case that the generator did not make is, by its module and not by its own word. */
#pragma once

#include "base/testcase.h"

/*
 * Sets the class and the needs of a case from elsewhere. The class becomes `illegal` where SPIRV-Tools call the module
 * invalid (that they are too old to say is no such answer), or where an OpenCL module uses half beyond pointers and
 * declares Float16Buffer alone: a refusal is then no finding and no value is judged. The needs of a legal module are added
 * (module_needs.h), and the class becomes `unadvertised` where it declares a capability that no target can list. Returns
 * why, one line in `a`, as "spirv-val: MESSAGE"; "" where the case keeps its class.
 */
const char *foreign_classify(struct testcase *tc, struct arena *a);
