/* fuzz/modules/modules_kernel.h -- one kernel of a folder, and the cases that are drawn of it. */
#pragma once

#include "fuzz/kernel/kernel_case.h"
#include "fuzz/kernel/kernel_guess.h"

enum modules_state {
    MODULES_NOT_ASKED, /* no case of it was made yet */
    MODULES_READY,
    MODULES_REFUSED /* this program vouches for no case of it */
};
struct modules_kernel {
    const char *name;  /* of its file, below the folder */
    const char *label; /* its entry point, or of a script the pipeline and the line of its RUN */
    struct kernel_wishes wishes;
    struct kernel kernel;
    enum modules_state state;
    struct kernel_guess guess; /* READY */
    const char *why;           /* REFUSED: the reason */
};

/* What a case of a kernel is to be, and after modules_kernel_draw what it is. */
struct modules_draw {
    uint64_t seed;      /* of its inputs */
    bool is_hard;       /* special values, neighbours, cancellation */
    bool is_redrawn;    /* of a script, buffers that it fills are drawn as well */
    uint64_t rewrites;  /* seed of the changes of its module; 0: none */
    const char *change; /* what was changed in it, sentences; or "" */
};
/* How the cases of a campaign are made. */
struct modules_rules {
    bool
        is_trusted; /* also cases that this program cannot vouch for: others than those do not change */
    uint64_t seed; /* of the campaign: sizes are guessed for inputs that it gives */
};

/* The kernel of that entry point of a file that is compiled; NULL: the only one. Errors as of kernel_open_built. */
MUST_USE enum res modules_kernel_open(const char *name, const char *path, const char *entry,
                                      const struct kernel_module *built, struct arena *a,
                                      struct modules_kernel *out, struct err *e);
/*
 * A case of it, as a module. Where this program cannot vouch for what is asked for, ordinary inputs are taken in place of hard
 * ones, those of a script in place of others, and other seeds are tried. The sizes are guessed once.
 *   keep  arena of what stays with the kernel
 * RES_USAGE: no such case may be run, or be made, and why. RES_NOMEM.
 */
MUST_USE enum res modules_kernel_draw(struct modules_kernel *k, const struct modules_rules *rules,
                                      struct modules_draw *draw, struct arena *keep,
                                      struct arena *a, struct testcase *out, struct err *e);
