/* fuzz/journal/journal_schema.h -- what a journal is made of, and whether a file is that. */
#pragma once

#include "fuzz/io/db.h"

/* Makes the tables of a new journal. Schema 4 added the corpus to schema 3, 5 what explains a bucket, 6 which bug that makes it, 7 what
 * time cut short, 8 the parts of a merged campaign, and 9 the judgements of kept cases. */
MUST_USE enum res journal_make_schema(struct db *d, struct err *e);
/* Before anything else is asked of a file: each table and index is ours to the letter, and nothing else is
 * there. A file of an earlier schema is raised to the last one; a file of schema 8
 * that cannot be written is read as it is. RES_FORMAT names the file and the object. */
MUST_USE enum res journal_check_schema(struct db *d, const char *path, struct err *e);
/* A look at the whole file: pages, and the type and size of each value. RES_FORMAT names the column. */
MUST_USE enum res journal_check_content(struct db *d, const char *path, struct err *e);
