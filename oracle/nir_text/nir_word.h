/* oracle/nir_text/nir_word.h -- the words of nir_word.def by number. */
#pragma once

#include <stddef.h>

enum nir_word {
#define NIR_WORD(name) NIR_WORD_##name,
#include "oracle/nir_text/nir_word.def"
};
enum {
    NIR_WORD_N = 0
#define NIR_WORD(name) +1
#include "oracle/nir_text/nir_word.def"
};
/* The word of n characters; -1: none. */
int nir_word_find(const char *text, size_t n);
extern const char *const nir_word_names[NIR_WORD_N];
