/* fuzz/gtest/gtest_filter.c -- the filters of gtest: which tests are to be run. */
#include "fuzz/gtest/gtest_filter.h"

#include <string.h>

/* Does the name match the pattern of n bytes? On a mismatch behind a '*', that '*' stands for one character more. */
static bool matches(const char *pattern, size_t n, const char *name)
{
    size_t at = 0, star = n, begun = 0, i = 0;
    bool has_star = false;
    while (name[i]) {
        if (at < n && pattern[at] == '*') {
            has_star = true;
            star = at++;
            begun = i;
        } else if (at < n && (pattern[at] == '?' || pattern[at] == name[i])) {
            at++;
            i++;
        } else if (has_star) {
            at = star + 1;
            i = ++begun;
        } else {
            return false;
        }
    }
    while (at < n && pattern[at] == '*') {
        at++;
    }
    return at == n;
}

/* Does the name match one of the patterns in the n bytes of the list? */
static bool matches_any(const char *list, size_t n, const char *name)
{
    size_t at = 0;
    while (at <= n) {
        const char *const colon = memchr(list + at, ':', n - at);
        size_t const n_word = colon ? (size_t)(colon - list) - at : n - at;
        if (n_word > 0 && matches(list + at, n_word, name)) {
            return true;
        }
        at += n_word + 1;
    }
    return false;
}

bool gtest_filter_chooses(const char *filter, const char *name)
{
    size_t const n_positive = strcspn(filter, "-");
    const char *const negative = filter[n_positive] ? filter + n_positive + 1 : "";
    bool const is_in = n_positive == 0 || matches_any(filter, n_positive, name);
    return is_in && !matches_any(negative, strlen(negative), name);
}
