/* reports/folder/c_text.c -- foreign text in a program of C. */
#include "reports/folder/c_text.h"

void c_text_put_literal(const char *text, FILE *f)
{
    (void)fputc('"', f);
    for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++) {
        if (*p < 0x20 || *p >= 0x7f || *p == '"' || *p == '\\' || *p == '?') { /* ??/ too */
            (void)fprintf(f, "\\%03o", *p);
        } else {
            (void)fputc(*p, f);
        }
    }
    (void)fputc('"', f);
}

void c_text_put_comment(const char *text, FILE *f)
{
    for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++) {
        int const is_end = (*p == '*' && p[1] == '/') || (*p == '/' && p[1] == '*');
        int const is_plain = *p >= 0x20 && *p < 0x7f && *p != '\\' && *p != '?' && !is_end;
        (void)fputc(is_plain ? *p : '_', f);
    }
}
