/* reports/bug/bug_document.h -- the sections that a rule stands in, as one who looks them up needs them. */
#pragma once

#include "reports/bug/bug.h"

/* An item for each document that the rule is from, with title, version, section and address; of documents of the other
 * API none. */
void bug_put_documents(const struct bug *b, FILE *f);
