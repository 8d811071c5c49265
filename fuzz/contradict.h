/* fuzz/contradict.h -- does what a device says fit together? */
#ifndef HALFULP_FUZZ_CONTRADICT_H
#define HALFULP_FUZZ_CONTRADICT_H

#include "base/caps.h"

struct contradict_row {
    const char *condition, *consequence, *source, *text;
};
enum {
    CONTRADICT_N = 0
#define CONTRADICTION(...) +1
#include "fuzz/contradict.def"
};
extern const struct contradict_row contradict_rows[CONTRADICT_N];

/* Do all terms hold of the facts? */
int contradict_holds(const char *facts, const char *terms);
/* Does the device contradict itself by this row? */
int contradict_find(const char *facts, const struct contradict_row *row);

#endif
