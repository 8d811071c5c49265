/* fuzz/trial/contradict.h -- does what a device says fit together? */
#pragma once

#include "base/caps.h"

struct contradict_row {
    const char *condition, *consequence, *source, *text;
};
enum {
    CONTRADICT_N = 0
#define CONTRADICTION(...) +1
#include "fuzz/trial/contradict.def"
};
extern const struct contradict_row contradict_rows[CONTRADICT_N];

/* Do all terms hold of the facts? */
int contradict_holds(const char *facts, const char *terms);
/* Does the device contradict itself by this row? */
int contradict_find(const char *facts, const struct contradict_row *row);
