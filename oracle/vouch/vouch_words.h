/* oracle/vouch/vouch_words.h -- what a module's words and the build options alone tell of what they may do to
 * a driver. */
#pragma once

#include "base/testcase.h"
#include "oracle/interp/module.h"

/* What the words alone tell. `m` is decoded from them. */
MUST_USE enum res vouch_words(const struct testcase *tc, const struct module *m, struct arena *a,
                              struct err *e);
/* Are all of the build options known, and harmless? *n, *word: the first that is not. */
bool vouch_options(const char *options, const char **word, int *n);
