/* fuzz/journal/journal_judgement.h -- what was judged of a case that is kept: its findings as structs, bit for bit.
 *
 * The key is a hash of the case and the observation as they are kept, so a judgement belongs to these bytes wherever
 * they lie: as the case of a finding, as a bucket's smallest case, in a merged journal. A kept
 * judgement has its verdict, its findings and what was not decided; counts and coverage have tables of their own. */
#pragma once

#include "fuzz/io/db.h"
#include "oracle/judgement/judgement.h"

/* A case and its observation as the journal keeps them. */
struct kept_bytes {
    const void *testcase, *observation;
    size_t n_testcase, n_observation;
};
MUST_USE enum res journal_put_judgement(struct db *d, const struct kept_bytes *of,
                                        const struct judgement *g, struct arena *a, struct err *e);
/* false: none is kept, as a program before schema 9 wrote the case, or what is kept is not one. */
bool journal_find_judgement(struct db *d, const struct kept_bytes *of, struct arena *a,
                            struct judgement *out);
/* Copy what is kept of each case that a statement of `from` gives as rows (testcase, observation). */
MUST_USE enum res journal_copy_judgements(struct db *from, struct stmt *cases, struct db *to,
                                          struct err *e);
