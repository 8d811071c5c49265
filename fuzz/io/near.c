/* fuzz/io/near.c -- the name that a mistyped word was meant to be, by edit distance. */
#include "fuzz/io/near.h"

#include <string.h>

enum {
    NEAR_MOST = 2,      /* edits */
    NEAR_MAX_BYTES = 64 /* longer words are near to nothing */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance, a row of the table at a time. Both words are at most NEAR_MAX_BYTES long. */
static size_t measure(const char *x, const char *y)
{
    size_t row[NEAR_MAX_BYTES + 1];
    size_t const n = strlen(y);
    for (size_t k = 0; k <= n; k++) {
        row[k] = k;
    }
    for (size_t i = 0; x[i]; i++) {
        size_t before = row[0]; /* of the row above, one column to the left */
        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            size_t const replaced = before + (x[i] != y[k]);
            before = row[k + 1];
            row[k + 1] = least(replaced, 1 + least(before, row[k]));
        }
    }
    return row[n];
}

const char *near_find(const char *word, const char *const *names, size_t n_names)
{
    const char *nearest = NULL;
    size_t best = NEAR_MOST + 1;
    size_t const n_word = strlen(word);
    for (size_t i = 0; i < n_names && n_word <= NEAR_MAX_BYTES; i++) {
        size_t const n_name = strlen(names[i]);
        size_t const d = n_name <= NEAR_MAX_BYTES ? measure(word, names[i]) : best;
        if (d < best && 2 * d <= n_word) { /* of a short word not all letters may be wrong */
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}
