/* fuzz/process/last_words.h -- what a driver said of itself when it gave up, out of its log. */
#pragma once

#include "base/base.h"

/*
 * The reason of an abort as the compiler tells it: the place of a panic, an assertion, a fatal error. Without what
 * differs from run to run: addresses, thread numbers. The last one of the log, in `a`; "" when there is none.
 */
const char *last_words_find(const char *log, struct arena *a);
