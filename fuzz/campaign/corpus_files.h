/* fuzz/campaign/corpus_files.h -- tapes of the corpus as files, from and to other programs. */
#pragma once

#include "fuzz/journal/journal_corpus.h"

/* Tape files still to be taken from a folder. Files that change later than `since_s` (seconds of the
 * file system's clock) are looked at with the next scan; a tape that the corpus has is passed over. */
struct corpus_import {
    const char *folder; /* NULL: none */
    int64_t since_s;
    struct arena arena; /* of the paths */
    const char **paths;
    uint32_t n, next;
};
MUST_USE enum res corpus_scan(struct corpus_import *x, struct err *e);

/* Write, or take away, the file of a kept tape. The file appears under its name at once and whole. */
MUST_USE enum res corpus_write_tape(const char *folder, const struct journal_entry *x,
                                    struct arena *scratch, struct err *e);
void corpus_unlink_tape(const char *folder, int64_t id);
/* Is its file there? */
int corpus_has_file(const char *folder, int64_t id);
/* Make the folder, and take away files of tapes beyond those `ids`, ascending. */
MUST_USE enum res corpus_clean_folder(const char *folder, const struct journal_entry *entries,
                                      uint32_t n, struct err *e);
