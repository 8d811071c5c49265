/* oracle/cause/crash_words.h -- what is told of a crash, as words that are the same in each run. */
#pragma once

#include "base/base.h"

/* What begins the name of a pass, and the text of an assertion. */
#define CRASH_PASS      "pass '"
#define CRASH_ASSERTION "Assertion `"

/*
 * A crash's line is, each part only where it is known,
 *   pass 'NAME' "REASON" FRAME;FRAME;...
 * the pass that the driver said it runs, what it gave as its reason, and the innermost functions. Words are that without
 * what varies: numbers and addresses become "#", but for places (an offset in a module, the line of a file) and in what is
 * the driver's own text, the name of a pass and an assertion.
 */
const char *crash_get_words(const char *line, struct arena *a);
/* How many bytes of the words tell one crash from another: up to the first frames. */
size_t crash_measure_core(const char *words);
/* The words without places: what stays where a driver is built anew. */
const char *crash_get_family(const char *words, struct arena *a);
