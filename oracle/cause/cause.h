/* oracle/cause/cause.h -- why a driver refused a module, out of its log. */
#pragma once

#include "base/base.h"

struct cause {
    const char *
        words; /* one cause has the same ones: "symbol missing: atomic_add half global"; "" where the log
                        * tells nothing */
    const char *
        note; /* what belongs to it in this log: "_Z10atomic_addPU3AS1VDhDh is missing, advertised by the add
                        * bits of cl_ext_float_atomics"; "" for nothing */
};

/* By the rows of cause.def. Where none fits, the words are the telling line of the log, numbers and names with numbers
 * as "#". */
struct cause cause_find(const char *log, struct arena *a);
