/* fuzz/known/columns.c -- lines of a list: columns with a tab between each. */
#include "fuzz/known/columns.h"

#include <string.h>

enum res columns_copy(const char *path, int number, const char *line, size_t n, char **out,
                      struct arena *a, struct err *e)
{
    if (memchr(line, '\0', n)) {
        return err_set(e, RES_FORMAT, "%s:%d: holds a zero byte", path, number);
    }
    *out = arena_take(a, n + 1); /* zeroed */
    if (!*out) {
        return err_set(e, RES_NOMEM, "%s:%d: does not fit", path, number);
    }
    memcpy(*out, line, n);
    return RES_OK;
}

int columns_split(char *line, const char **columns, int max)
{
    int n = 0;
    for (char *at = line; at; n++) {
        char *const tab = strchr(at, '\t');
        if (n < max) {
            columns[n] = at;
        }
        if (tab) {
            *tab = '\0';
        }
        at = tab ? tab + 1 : NULL;
    }
    return n;
}
