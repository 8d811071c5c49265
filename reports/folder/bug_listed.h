/* reports/folder/bug_listed.h -- a kernel that is refused: which instructions it has, and that the device lists what they need. */
#pragma once

#include "base/caps.h"
#include "reports/bug/bug.h"

/* What the module needs: of the case's needs those without a capability, and those whose capability it declares. */
struct needs bug_get_listed(const struct bug *b);
/* Put the instructions under test, and each need of the module with what the device says of it, in the API's names. */
void bug_put_listed(const struct bug *b, FILE *f);
