/* base/func_row.c -- the mathematical functions: their names and arguments. */
#include "base/func_row.h"

#include <string.h>

const struct func_row func_rows[FUNC_N] = {
#define FUNC(id, name, n, integer, text) [FUNC_##id] = {name, n, integer, text},
#include "base/func.def"
};

int func_find(const char *name)
{
    for (int i = 0; i < FUNC_N; i++) {
        if (strcmp(func_rows[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
