/* fuzz/known/version_range.c -- which versions of a driver a text stands for. */
#include "fuzz/known/version_range.h"

#include <string.h>

#include "base/caps.h"
#include "base/version.h"

enum {
    MAX_DRIVER_BYTES = 256
};
static const char dots[] = "..";

/* Its bounds; a single version is both. false: it is no range. */
static bool parse(const char *text, struct version *first, struct version *last)
{
    *first = version_take(text);
    const char *const rest = text + first->n;
    if (strncmp(rest, dots, sizeof dots - 1) != 0) {
        *last = *first;
        return first->n > 0 && !*rest;
    }
    *last = version_take(rest + sizeof dots - 1);
    return first->n + last->n > 0 && !last->at[last->n];
}

bool version_range_is(const char *text)
{
    struct version first, last;
    return strcmp(text, "*") == 0 || parse(text, &first, &last);
}

bool version_range_has(const char *range, const char *facts)
{
    char driver[MAX_DRIVER_BYTES] = "";
    struct version first, last;
    if (strcmp(range, "*") == 0) {
        return true;
    }
    (void)facts_get(facts, "driver", driver, sizeof driver);
    struct version const own = version_find(driver);
    return parse(range, &first, &last) && own.n > 0 &&
           (!first.n || version_compare(own, first) >= 0) &&
           (!last.n || version_compare(own, last) <= 0);
}
