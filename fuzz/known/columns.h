/* fuzz/known/columns.h -- lines of a list: columns with a tab between each. */
#pragma once

#include "base/base.h"

/* A line as a text of its own, in the arena; RES_FORMAT names file and number where it holds a zero byte. */
MUST_USE enum res columns_copy(const char *path, int number, const char *line, size_t n, char **out,
                               struct arena *a, struct err *e);
/* Cut a line at its tabs. Returns how many columns it has, of which the first `max` are in columns[]. */
int columns_split(char *line, const char **columns, int max);
