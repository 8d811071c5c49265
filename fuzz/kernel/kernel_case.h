/* fuzz/kernel/kernel_case.h -- a kernel, what the user wishes, and a case of them. */
#pragma once

#include "base/testcase.h"
#include "fuzz/kernel/kernel_arg.h"
#include "fuzz/kernel/kernel_build.h"
#include "fuzz/kernel/kernel_fill.h"
#include "fuzz/kernel/kernel_shape.h"
#include "fuzz/kernel/kernel_spec.h"

struct kernel_wishes {
    const char *entry;            /* NULL: the only one */
    const char *compiler_options; /* "" */
    uint32_t size[3], local[3];   /* 0: not said */
    uint32_t subgroup_size;       /* Vulkan: required of the pipeline; 0: not said */
    bool has_full_subgroups;      /* Vulkan: required, too */
    uint32_t n_specs;
    struct kernel_spec_wish specs[CASE_MAX_SPECS];
    bool is_hard; /* buffers that nothing is said of are of the generator's hard classes */
    struct kernel_wish
        bufs[CASE_MAX_BUFS]; /* by argument (OpenCL) or by rank of set and binding (Vulkan) */
};
struct kernel {
    const char *path;
    struct kernel_module built; /* as the compiler made it */
    const uint32_t *words;      /* cleaned */
    uint32_t n_words;
    struct kernel_types types;
    struct kernel_shape shape;
    uint32_t n_specs;
    struct spec specs[CASE_MAX_SPECS];
    struct kernel_args args; /* OpenCL: those of the file */
};

/* kernel_open of a module that is compiled already. */
MUST_USE enum res kernel_open_built(const char *path, const struct kernel_module *built,
                                    const struct kernel_wishes *w, struct arena *a,
                                    struct kernel *out, struct err *e);
/* Reads, compiles, cleans. Errors as of kernel_build, kernel_clean, kernel_shape_read. */
MUST_USE enum res kernel_open(const char *path, const struct kernel_wishes *w, struct arena *a,
                              struct kernel *out, struct err *e);
struct kernel_guess; /* fuzz/kernel/kernel_guess.h */
/* What kernel_make_case guesses with that seed: a search of up to some seconds. It mostly serves with other seeds, too. */
void kernel_find_guess(struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                       struct kernel_guess *out);
/*
 * A case of it, with content of that seed. Sizes and integers that the wishes leave open are guessed: those of the first guess
 * at which this program vouches for the case and the oracle judges a value of it. If there is none, the guess is one at which a
 * value is judged, else one that can be vouched for, else the usual one.
 * RES_USAGE: the wishes do not fit the kernel, and which.
 */
MUST_USE enum res kernel_make_case(struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                                   struct arena *a, struct testcase *out, struct err *e);
