/* oracle/cause/cause.h -- finds in a build log why a driver refused a module, by tables of phrases, and gives it a
 * name that is the same in each run. */
#pragma once

#include "base/base.h"

struct cause {
    const char *
        words; /* one cause has the same ones: "symbol missing: atomic_add half global"; "" where the log
                        * tells nothing */
    const char *
        note; /* what belongs to it in this log: "_Z10atomic_addPU3AS1VDhDh is missing, advertised by the add
                        * bits of cl_ext_float_atomics", of several symbols each, "; " between; "" for nothing */
};

/* What a log names as a cause: bits. A log may name several, and one without a cause that is told has none. */
enum cause_about {
    CAUSE_IS_FLOAT_ACCESS = 1, /* an atomic load, store or exchange of float or double */
    CAUSE_IS_MAX_ERROR = 2,    /* the bound of a max-error decoration */
    CAUSE_IS_OTHER = 4         /* anything else */
};
/* By the rows of about.def. */
unsigned cause_get_about(const char *log, struct arena *a);

/* By the rows of cause.def. Where none fits, the words are the telling line of the log, numbers and names with numbers
 * as "#". Of several missing symbols the words are those of the first, by the alphabet, that is about something else than
 * `excused`, bits of enum cause_about, and of the first where all are excused. */
struct cause cause_find(const char *log, unsigned excused, struct arena *a);
