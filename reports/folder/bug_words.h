/* reports/folder/bug_words.h -- a Markdown document in the words of one environment. */
#pragma once

#include <stdio.h>

#include "base/testcase.h"

/* Put the document with the words of `env` in place of those of the other one (oracle/tables/words.h). Blocks of code, `code`,
 * "quotations" and <addresses> stay as they are, and so does the first line: the title, which has its words already and
 * may end with what a driver said. */
void bug_put_words(enum env env, const char *markdown, FILE *f);
