/* oracle/vouch/vouch_words.h -- safety check of a module's words and build options alone: refuses what the
 * interpreter does not know, or what could act on the host. */
#pragma once

#include "base/testcase.h"
#include "oracle/interp/module.h"

/* What the words alone tell. `m` is decoded from them. */
MUST_USE enum res vouch_words(const struct testcase *tc, const struct module *m, struct arena *a,
                              struct err *e);
/* Are all of the build options known, and harmless? *n, *word: the first that is not. */
bool vouch_options(const char *options, const char **word, int *n);
