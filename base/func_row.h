/* base/func_row.h -- the mathematical functions: their names, arguments and bounds. */
#pragma once

#include <stdint.h>

#include "base/format.h"

enum func_id {
#define FUNC(id, ...) FUNC_##id,
#include "base/func.def"
    FUNC_NONE
};
enum {
    FUNC_N = 0
#define FUNC(...) +1
#include "base/func.def"
};
struct func_row {
    const char *name; /* "exp" */
    unsigned n_args;  /* of float type */
    int has_int;      /* an integer follows them */
    const char *text;
};
extern const struct func_row func_rows[FUNC_N];
int func_find(const char *name); /* row by name, or -1 */

struct func_args {
    enum fmt_id fmt;
    uint64_t enc[3]; /* encodings */
    int32_t n;       /* the integer argument */
};

/* How far off a result may be: whatever one of those that are set allows. */
struct func_bound {
    double ulp;      /* units in the last place of the exact value; 0: none but rounding */
    double absolute; /* distance from the exact value; 0: none */
    int anything;    /* implementation-defined */
};
