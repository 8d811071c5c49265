/* fuzz/amber/amber_line.h -- the lines of a script of Amber, each taken apart into words. */
#pragma once

#include "base/base.h"

enum {
    AMBER_MAX_WORDS = 4096 /* of a line */
};
struct amber_lines {
    const char *path, *end, *p; /* p: the next line */
    uint32_t line;              /* number of the one that was taken last */
    uint32_t n_words;
    const char *word[AMBER_MAX_WORDS];
    bool is_cut; /* the line has more words than that */
    struct arena *a;
    struct err *e;
};

/*
 * Takes the next line. Words are separated by blanks and commas, a comment begins with #, and a line whose last word is \ goes
 * on in the next one. False: there is none, or no memory for its words.
 */
bool amber_line_next(struct amber_lines *l);
/* Takes the lines up to one that is END: n bytes of text at *from. RES_FORMAT: there is no END; `what` begins the text. */
MUST_USE enum res amber_line_take_text(struct amber_lines *l, const char *what, const char **from,
                                       size_t *n);

/* Word i of the line; "" where it has fewer. */
const char *amber_line_word(const struct amber_lines *l, uint32_t i);
bool amber_line_is(const struct amber_lines *l, uint32_t i, const char *text);
/* RES_FORMAT with the file, the line and what is wrong. */
enum res amber_line_fail(const struct amber_lines *l, const char *what);
/* The same of something that the line has and that is not known here. */
enum res amber_line_fail_word(const struct amber_lines *l, const char *word, const char *what);

/* A number, decimal or hexadecimal. */
bool amber_read_number(const char *text, double *out);
/* A whole number of 32 bits, likewise. */
bool amber_read_count(const char *text, uint32_t *out);

/* Reads a file beside the script, which is no link and in no folder above. RES_FORMAT: the line, and why it is not read. */
MUST_USE enum res amber_line_read_file(struct amber_lines *l, const char *name,
                                       const unsigned char **bytes, size_t *n);
