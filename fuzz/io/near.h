/* fuzz/io/near.h -- the name that a mistyped word was meant to be. */
#pragma once

#include <stddef.h>

/* The name of the list that is nearest to `word` by edit distance (letters inserted, removed or replaced), the first of
 * several, the distance at most 2 and at most half of the word; NULL: none is so near. */
const char *near_find(const char *word, const char *const *names, size_t n_names);
