/* reports/folder/c_text.h -- foreign text in a program of C. */
#pragma once

#include <stdio.h>

/* A string literal of C, whatever the text holds. */
void c_text_put_literal(const char *text, FILE *f);
/* Text within a comment of C or after a mark at the start of a line: printable ASCII that ends
 * neither. */
void c_text_put_comment(const char *text, FILE *f);
