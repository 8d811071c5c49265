/* fuzz/gtest/gtest_filter.h -- the filters of gtest: which tests are to be run. */
#pragma once

#include <stdbool.h>

/* Is the test chosen by the filter POSITIVE[-NEGATIVE], as gtest defines it: patterns separated by ':', in which '*' stands for
 * any text and '?' for one character? The test must match a pattern of POSITIVE ("" stands for all), and none of NEGATIVE. */
bool gtest_filter_chooses(const char *filter, const char *name);
