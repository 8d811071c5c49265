/* fuzz/known.h -- findings that are expected: corpora/known.tsv. */
#ifndef HALFULP_FUZZ_KNOWN_H
#define HALFULP_FUZZ_KNOWN_H

#include "fuzz/journal.h"

enum {
    KNOWN_MAX_ROWS = 4096
};

/* target, version, signature, clause, note, separated by tabs; "#" starts a comment line. version is
 * text that the target's facts contain, or "*"; a signature that ends in "*" stands for all that
 * begin like it; clause is an id of clause.def. */
struct known_row {
    const char *target, *version, *signature, *clause, *note;
    int line;
    int is_seen;
};
struct known {
    const char *path;
    uint32_t n;
    struct known_row *rows;
};

/* RES_FORMAT names file and line. */
MUST_USE enum res known_read(struct known *out, const char *path, struct arena *a, struct err *e);
/* The row of a finding of a target with these facts, or NULL; marks it as seen. */
const struct known_row *known_find(struct known *k, const char *target, const char *facts,
                                   const char *signature, const char *clause);

#endif
