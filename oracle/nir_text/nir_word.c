/* oracle/nir_text/nir_word.c -- the words of nir_word.def by name. */
#include "oracle/nir_text/nir_word.h"

#include <string.h>

const char *const nir_word_names[NIR_WORD_N] = {
#define NIR_WORD(name) #name,
#include "oracle/nir_text/nir_word.def"
};

int nir_word_find(const char *text, size_t n)
{
    for (int i = 0; i < NIR_WORD_N; i++) {
        if (strlen(nir_word_names[i]) == n && memcmp(nir_word_names[i], text, n) == 0) {
            return i;
        }
    }
    return -1;
}
