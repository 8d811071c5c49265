/* fuzz/kernel/kernel_arg.h -- arguments of OpenCL that no case can give, made into what it can: memory of the work-group into a
 * variable, a struct by value into a buffer whose content is copied. */
#pragma once

#include "base/spv.h"
#include "base/testcase.h"

enum kernel_arg_kind {
    KERNEL_ARG_OTHER,
    KERNEL_ARG_LOCAL, /* a pointer to memory of the work-group */
    KERNEL_ARG_STRUCT /* a struct by value: a pointer to memory of the function */
};
/* An argument, by its number among those that the kernel has in its file. */
struct kernel_arg {
    enum kernel_arg_kind kind;
    uint32_t id, type; /* of the parameter; of what it points to */
    uint32_t
        length; /* LOCAL: word of the rewritten module that says how many elements the variable has */
};
struct kernel_args {
    uint32_t n;
    struct kernel_arg row[CASE_MAX_BUFS];
};

/* The arguments of a function. A longer list is cut. */
void kernel_args_read(const struct spv_index *x, uint32_t function, struct kernel_args *out);
/* Is one of the two kinds among them, so that the module is rewritten and the file's text is not its source? */
bool kernel_args_is_changed(const struct kernel_args *args);
bool kernel_args_has(const struct kernel_args *args, enum kernel_arg_kind kind);
/*
 * The module in which the function takes no argument of these two kinds: of LOCAL a variable of the work-group is in its place,
 * an array of one element until the word `length` says another number; of STRUCT a pointer to global memory, whose struct is
 * copied first. Ids keep their numbers. RES_NOMEM.
 */
MUST_USE enum res kernel_args_rewrite(const uint32_t *words, uint32_t n_words, uint32_t function,
                                      struct kernel_args *args, struct arena *a,
                                      const uint32_t **out, uint32_t *n_out, struct err *e);
