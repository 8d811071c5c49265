/* reports/model/bug_name.c -- a name of plain letters. */
#include "reports/model/bug_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    MAX_NAME = 96
};

const char *bug_name(const char *target, const struct campaign_finding *f, struct arena *a)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    char name[MAX_NAME + 1] = "";
    size_t n = 0;
    const char *const parts[] = {target ? target : "", "-", f->core ? f->core : ""};
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        for (const char *p = parts[i]; *p && n < MAX_NAME; p++) {
            int const is_plain = strchr(plain, *p) != NULL;
            if (is_plain || (n > 0 && name[n - 1] != '-')) {
                name[n++] = (char)(is_plain ? tolower((unsigned char)*p) : '-');
            }
        }
    }
    n -= n > 0 && name[n - 1] == '-'; /* there are never two */
    name[n] = '\0';
    return arena_printf(a, "%s-%" PRId64, name, f->id);
}
