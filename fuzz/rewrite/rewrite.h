/* fuzz/rewrite/rewrite.h -- a module with another meaning: what a driver that has a planted fault is given. */
#pragma once

#include "base/base.h"
#include "oracle/tables/tables.h"

/* One wrong behaviour, a row of rewrites.def. */
struct rewrite_row {
    const char *id;
    uint32_t first, last; /* opcodes */
    int kind;             /* the file's own */
    uint32_t word, was, becomes;
    enum verdict_kind expect;
    const char *text;
};
enum {
    REWRITE_N = 0
#define REWRITE(...) +1
#include "fuzz/rewrite/rewrites.def"
};
extern const struct rewrite_row rewrite_rows[REWRITE_N];

/* The row of that name; NULL: there is none. */
const struct rewrite_row *rewrite_find(const char *name);
/*
 * The module with the row's instructions changed, all of them, in `a`. *n_sites: how many these were; 0: *out is the
 * words themselves, as of what is no module. Of a valid module it is valid. RES_NOMEM: the arena is full.
 */
MUST_USE enum res rewrite_module(const struct rewrite_row *row, const uint32_t *words,
                                 uint32_t n_words, struct arena *a, const uint32_t **out,
                                 uint32_t *n_out, uint32_t *n_sites, struct err *e);
