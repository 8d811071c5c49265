/* gen/print/forms.h -- counts, in the text of OpenCL C programs, in which forms the functions of atomics are called;
 * for `gen --stats`. */
#pragma once

#include <stdio.h>

#include "base/base.h"

enum {
    FORMS_FUNCTIONS = 11, /* atomic_load to atomic_fetch_xor */
    FORMS_TYPES = 7,      /* half to ulong */
    FORMS_SPACES = 3,     /* global, local, generic */
    /* plain; with an order; with order and scope; a value known at run time; of a volatile object; of one that is not */
    FORMS_SPELLINGS = 6
};
struct forms {
    uint64_t n_programs;
    uint64_t n[FORMS_FUNCTIONS][FORMS_TYPES][FORMS_SPACES][FORMS_SPELLINGS]; /* calls */
};

/* The calls of one program's text. One that has a value known at run time counts there besides; each counts as of a
 * volatile object, or as of one that is not. */
void forms_add(struct forms *f, const char *source);
/* A line for each function, type and space: calls of each spelling. */
void forms_write(const struct forms *f, FILE *out);
