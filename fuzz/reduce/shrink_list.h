/* fuzz/reduce/shrink_list.h -- passes that do the same to each instruction of a list: coarse to fine. */
#pragma once

#include "fuzz/reduce/shrink_flow.h"

/* The module of a candidate in the making. */
struct shrink_edit {
    const struct testcase *tc;
    struct shrink_module *m;
    struct shrink_flow flow; /* of the module as it came */
    uint32_t *uses;          /* the same */
    uint32_t variant;        /* below the pass's number of them */
};

/* A pass over instructions. */
struct shrink_list {
    uint32_t n_variants; /* ways to do it, each tried at every part of the list */
    int (*is_site)(const struct shrink_edit *e, const struct shrink_inst *i);
    int (*change)(struct shrink_edit *e, struct shrink_inst *i); /* 1: done; 0: it cannot be here */
};
/* As shrink_make, see fuzz/reduce/shrink_pass.h. */
int shrink_list_try(const struct shrink_list *l, const struct testcase *tc, uint32_t step,
                    struct arena *a, struct testcase *out);
