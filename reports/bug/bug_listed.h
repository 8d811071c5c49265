/* reports/bug/bug_listed.h -- a kernel that is refused: which instructions it has, and that the device lists what they need. */
#pragma once

#include "reports/bug/bug.h"

/* Put the instructions under test, and each need of the module with what the device says of it, in the API's names. */
void bug_put_listed(const struct bug *b, FILE *f);
