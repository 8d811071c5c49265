/* base/version.h -- versions of drivers: numbers with dots between. */
#pragma once

#include <stddef.h>

/* A version within a text, "22.3.6" of "Mesa 22.3.6 (LLVM 15.0.6)". */
struct version {
    const char *at; /* borrowed */
    size_t n;       /* bytes; 0: there is none */
};
/* That at the beginning of the text. */
struct version version_take(const char *text);
/* The first one in it. */
struct version version_find(const char *text);
/* The sign of x - y, by as many numbers as both have: 25 and 25.0.7 are alike. */
int version_compare(struct version x, struct version y);
