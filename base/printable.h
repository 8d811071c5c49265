/* base/printable.h -- foreign bytes as printable text: UTF-8 checked, controls spelled out. */
#ifndef HALFULP_BASE_PRINTABLE_H
#define HALFULP_BASE_PRINTABLE_H

#include "base/base.h"

/* Longest printed form of one character, its NUL included. */
enum {
    PRINTABLE_BYTES = 16
};

/*
 * Printed form of the first character of `text` (not ""): itself when it is printable, else \xNN per
 * byte for control characters and invalid UTF-8, \u{N} for characters that reorder or hide text.
 * Returns the bytes taken from text, >= 1.
 */
size_t printable_take_char(const char *text, char out[PRINTABLE_BYTES]);
/* The whole text in printed form, one line, valid UTF-8. "" for NULL or a full arena. */
const char *printable_copy(struct arena *a, const char *text);
/* The next line of *rest in printed form (a tab becomes a space), *rest moved behind it; NULL at the
 * end. A carriage return before the line's end is dropped. */
const char *printable_take_line(struct arena *a, const char **rest);
/* Columns that the printed form takes, at one per character. */
uint32_t printable_columns(const char *text);

#endif
