/* fuzz/process/last_words.c -- what a driver said of itself when it gave up, out of its log. */
#include "fuzz/process/last_words.h"

#include <string.h>

enum {
    LAST_WORDS_BYTES = 160
};

/* Where the reason begins, and what ends it besides the end of the line. */
static const struct last_words_row {
    const char *begin, *end;
} last_words_rows[] = {
    {"panicked at ",            NULL }, /* Rust's compilers: NAK */
    {"Assertion `",             NULL }, /* libc's assert */
    {"LLVM ERROR: ",            " 0x"},
    {"UNREACHABLE executed",    NULL },
    {"ACO ERROR:",              NULL },
    {"NIR validation failed",   NULL },
    {"Internal Compiler Error", NULL },
    {"terminate called after",  NULL },
    {"*** ",                    NULL }, /* of its stack */
    {"free(): ",                NULL }, /* libc's checks of its heap */
    {"malloc(): ",              NULL },
    {"corrupted ",              NULL },
};

/* The last place at which it stands, or NULL. */
static const char *find_last(const char *text, const char *word)
{
    const char *last = NULL;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word)) {
        last = p;
    }
    return last;
}

const char *last_words_find(const char *log, struct arena *a)
{
    const struct last_words_row *row = NULL;
    const char *begin = NULL;
    for (size_t i = 0; i < ARRAY_N(last_words_rows); i++) {
        const char *const at = find_last(log, last_words_rows[i].begin);
        if (at && (!begin || at > begin)) {
            begin = at;
            row = &last_words_rows[i];
        }
    }
    if (!begin) {
        return "";
    }
    size_t n = strcspn(begin, "\n");
    const char *const end = row->end ? strstr(begin, row->end) : NULL;
    if (end && (size_t)(end - begin) < n) {
        n = (size_t)(end - begin);
    }
    return arena_printf(a, "%.*s", (int)(n < LAST_WORDS_BYTES ? n : LAST_WORDS_BYTES), begin);
}
