/* oracle/nir_text/nir_scan.h -- reads words and numbers from one line of the text of a program in NIR. */
#pragma once

#include "oracle/nir_text/nir_program.h"

/* What is left of a line. */
struct nir_scan {
    const char *p, *end;
};
void nir_scan_blanks(struct nir_scan *s);
/* Is the rest of the line empty, or a comment? Blanks are skipped. */
bool nir_scan_is_at_end(struct nir_scan *s);
/* Skips blanks and, if it comes next, `word`; true: it did. */
bool nir_scan_take(struct nir_scan *s, const char *word);
/* The letters, digits and underscores that come next, as far as they go; their number, which may be 0. */
size_t nir_scan_name(struct nir_scan *s, const char **name);
/* A number, decimal or behind 0x, with a sign or without; false: there is none, or it has more than 64 bits. */
bool nir_scan_number(struct nir_scan *s, uint64_t *out);
/* A number below `limit` right behind `prefix`, as in %12 and b3. */
bool nir_scan_id(struct nir_scan *s, const char *prefix, uint32_t limit, uint32_t *out);
/* %N with its swizzle, and skips the value in parentheses that a constant has before or behind that. */
bool nir_scan_source(struct nir_scan *s, struct nir_source *out);
/* Skips "(...)" if it comes next. */
void nir_scan_skip_parentheses(struct nir_scan *s);
