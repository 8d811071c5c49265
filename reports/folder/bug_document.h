/* reports/folder/bug_document.h -- the sentences of a rule, and the sections that it stands in, as one who looks them up needs
 * them. */
#pragma once

#include "oracle/tables/tables.h"
#include "reports/bug/bug.h"

/* Put each sentence of the specifications that the bug breaks as a quotation with document, version, section and link.
 * Where none is known, put an item for each document that the rule is from; of documents of the other API none. */
void bug_put_sentences(const struct bug *b, FILE *f);
/* The sentences of another clause, about another instruction: one that may be wrong in place of the accused one. */
void bug_put_sentences_of(const struct bug *b, enum clause_id clause, const char *op, FILE *f);
