/* gen/print/forms.h -- in which forms OpenCL C programs call the functions of atomics: counted in their text. */
#pragma once

#include <stdio.h>

#include "base/base.h"

enum {
    FORMS_FUNCTIONS = 11, /* atomic_load to atomic_fetch_xor */
    FORMS_TYPES = 7,      /* half to ulong */
    FORMS_SPACES = 3,     /* global, local, generic */
    FORMS_SPELLINGS =
        5 /* plain; with an order; with order and scope; a value known at run time; volatile */
};
struct forms {
    uint64_t n_programs;
    uint64_t n[FORMS_FUNCTIONS][FORMS_TYPES][FORMS_SPACES][FORMS_SPELLINGS]; /* calls */
};

/* The calls of one program's text. One that has a value known at run time, or is of a volatile object, counts
 * there besides. */
void forms_add(struct forms *f, const char *source);
/* Combinations that no program had, of those that the extension and the language have: integers alone are compared,
 * and combined by bits. */
uint32_t forms_count_missing(const struct forms *f);
/* A line for each function, type and space: calls of each spelling. */
void forms_write(const struct forms *f, FILE *out);
