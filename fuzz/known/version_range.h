/* fuzz/known/version_range.h -- "22.3.6..26.2.6": the versions of a driver that a known bug is in. */
#pragma once

#include <stdbool.h>

/* Is the text a range: "*", a version, or FIRST..LAST of which one may be missing? A version is numbers with dots
 * between. */
bool version_range_is(const char *text);
/*
 * Is a target with these facts one of those versions? Its own is the first number of "driver=", "Mesa 22.3.6 (LLVM
 * 15.0.6)" is 22.3.6. A bound of fewer numbers takes in all that begin so: "..25" has 25.0.7. A target without a
 * version is in "*" alone.
 */
bool version_range_has(const char *range, const char *facts);
