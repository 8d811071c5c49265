/* fuzz/journal/journal_schema.h -- what a journal is made of, and whether a file is that. */
#pragma once

#include "fuzz/io/db.h"

/* Schema 3, what schema 4 adds to it for the corpus, schema 5 for what explains a bucket, schema 6 for which bug
 * that makes it, schema 7 for what time cut short, and schema 8 for the parts of a merged campaign. */
extern const char journal_schema_sql[], journal_corpus_sql[], journal_cause_sql[],
    journal_bug_sql[], journal_cut_sql[], journal_parts_sql[];
/* Before anything else is asked of a file: each table and index is ours to the letter, and nothing else is
 * there. A file of an earlier schema becomes one of the last. RES_FORMAT names the file and the object. */
MUST_USE enum res journal_check_schema(struct db *d, const char *path, struct err *e);
/* A look at the whole file: pages, and the type and size of each value. RES_FORMAT names the column. */
MUST_USE enum res journal_check_content(struct db *d, const char *path, struct err *e);
