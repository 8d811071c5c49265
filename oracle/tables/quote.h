/* oracle/tables/quote.h -- the sentences of the specifications that clauses were read from, word for word, by the tables
 * document.def, quote.def and quote_table.def. */
#pragma once

#include <stdbool.h>

#include "base/testcase.h"
#include "oracle/tables/tables.h"

/* A document in the version that it was read in. */
struct document {
    const char *name; /* the short one of clause.def */
    const char *title, *version, *address;
    unsigned envs; /* bits 1 << enum env: where it binds */
};
/* The document that a citation such as "S 3.3.18 OpAtomicLoad" begins with; NULL: none. */
const struct document *document_find(const char *citation);

struct quote {
    const struct document *document;
    const char *section, *anchor, *text;
    const char *row; /* of the table that the section names; "": the text is no cell of a table */
};
struct quote_query {
    enum clause_id clause;
    enum env env;
    const char *
        op; /* instructions by ops.def, of a refusal needs by caps.def, spaces between, or what stands in `of` of
             * quote.def in their place; "": not known */
    const char *type; /* "f32"; what is no float stands for all of them */
    bool is_embedded; /* a device of the embedded profile */
};
enum {
    QUOTE_MAX = 16
};
/* A query about a result in a case. A refusal (CLAUSE_MUST_ACCEPT) is about what the case needs, in place of `op`, and a
 * quotient or root that a build option has correctly rounded about that option. */
struct quote_query quote_make_query(enum clause_id clause, const struct testcase *tc,
                                    const char *facts, const char *op, const char *type,
                                    struct arena *a);
/* Find the sentences that a result breaks: the cells of a table of accuracies first, then the others in their order. At
 * most QUOTE_MAX; returns their number. */
uint32_t quote_find(const struct quote_query *q, struct quote out[QUOTE_MAX]);
/* Where it stands: "Vulkan Specification 1.4.360, Precision of Core SPIR-V Instructions, row OpFAdd". */
const char *quote_get_place(const struct quote *q, struct arena *a);
/* The link to its anchor; "" where the document has no address. */
const char *quote_get_link(const struct quote *q, struct arena *a);
