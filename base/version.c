/* base/version.c -- versions of drivers: find and compare. */
#include "base/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

struct version version_take(const char *text)
{
    struct version v = {.at = text};
    while (isdigit((unsigned char)text[v.n])) {
        v.n += strspn(text + v.n, digits);
        if (text[v.n] != '.' || !isdigit((unsigned char)text[v.n + 1])) {
            break;
        }
        v.n++;
    }
    return v;
}

struct version version_find(const char *text)
{
    return version_take(text + strcspn(text, digits));
}

int version_compare(struct version x, struct version y)
{
    const char *p = x.at, *q = y.at;
    while (p < x.at + x.n && q < y.at + y.n) {
        char *after_p, *after_q;
        unsigned long const a = strtoul(p, &after_p, 10), b = strtoul(q, &after_q, 10);
        if (a != b) {
            return a < b ? -1 : 1;
        }
        p = after_p + 1;
        q = after_q + 1;
    }
    return 0;
}
