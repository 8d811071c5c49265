/* fuzz/process/last_words.h -- what a driver said of itself when it gave up, out of its log. */
#pragma once

#include "base/base.h"

/*
 * The reason of an abort as the compiler tells it: the place of a panic, an assertion with its file, line and function, a
 * fatal error. Without what
 * differs from run to run: addresses, thread numbers. The last one of the log, in `a`; "" when there is none.
 */
const char *last_words_find(const char *log, struct arena *a);
/* The pass that LLVM said it was running when it crashed, the innermost; "" when it said none. */
const char *last_words_find_pass(const char *log, struct arena *a);
/* The same of a process that a signal ended, 0: none did. A library that gives a reason mostly aborts; of other signals only
 * reasons count after which a library goes on. */
const char *last_words_find_of(const char *log, int signal, struct arena *a);
