/* oracle/cause/crash_words.h -- reduces the report of a crash to words that are the same in each run. */
#pragma once

#include "base/base.h"

/* What begins the name of a pass, and the text of an assertion. */
#define CRASH_PASS      "pass '"
#define CRASH_ASSERTION "Assertion `"

/*
 * A crash's line is, each part only where it is known,
 *   pass 'NAME' "REASON" FRAME;FRAME;...
 * the pass that the driver said it runs, what it gave as its reason, and the innermost functions. Words are that without
 * what varies: in the reason numbers and addresses become "#", but for the lines of files, and in an assertion, which is
 * the driver's own text as the name of a pass is. Frames hold nothing that varies (fuzz/worker/crash.c).
 */
const char *crash_get_words(const char *line, struct arena *a);
/* How many bytes of the words tell one crash from another: up to the first frames. */
size_t crash_measure_core(const char *words);
/* The words of the core without locations, versions and build ids: what stays where a driver is built anew. */
const char *crash_get_family(const char *words, struct arena *a);
