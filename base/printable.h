/* base/printable.h -- foreign bytes as printable text: UTF-8 checked, controls spelled out. */
#pragma once

#include <stdio.h>

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
/* A text of several lines, such as what a compiler or a driver says, as one line in printed form: " / " stands between the
 * lines, empty ones are left out. "" for NULL or a full arena. */
const char *printable_copy_line(struct arena *a, const char *text);
/* The next line of *rest in printed form (a tab becomes a space), *rest moved behind it; NULL at the
 * end. A carriage return before the line's end is dropped. */
const char *printable_take_line(struct arena *a, const char **rest);
/*
 * fprintf for a terminal: each %s in printed form, its lines joined as by printable_copy_line, whatever it holds; NULL as nothing. Only the
 * format's own line ends are written as such. Of a conversion: flags, width and precision as numbers, and
 * the lengths l, ll and z.
 */
void printable_print(FILE *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * A path as one word of sh, in printable characters alone, so that a command with it can be copied: as it
 * is, in single quotes, or, with characters in it that are not printable, as "$(printf '...')". A path that
 * starts with '-' gets "./" in front, one that ends with a line end "/." behind it, which sh would drop.
 * "" when the arena is full.
 */
const char *printable_quote(struct arena *a, const char *path);
/* At most n bytes of text in ASCII, its lines joined as by printable_copy_line; any other byte as \xNN. */
void printable_put(FILE *f, const char *text, size_t n);
/* Columns that the printed form takes, at one per character. */
uint32_t printable_columns(const char *text);
