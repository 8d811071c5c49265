/* reports/model/markdown.c -- foreign text in Markdown: shown as it is, never taken as markup. */
#include "reports/model/markdown.h"

#include <ctype.h>
#include <string.h>

#include "base/printable.h"

/* Must this ASCII character be escaped between those two? Emoji are :name:, links of themselves start
 * with "://" and "www."; an underscore within a word is plain (CommonMark 6.2); the rest is markup wherever it stands. What
 * matters at the start of a line alone is left, for this text never stands there. */
static int is_markup(char last, char c, char next)
{
    switch (c) {
    case ':':
        return next != ' ' && next != '\0';
    case '_':
        return !isalnum((unsigned char)last) || !isalnum((unsigned char)next);
    case '.':
        return last == 'w' || last == 'W';
    default:
        return strchr("\\`*_[]{}|~", c) != NULL;
    }
}

/* CommonMark 2.4: a backslash makes any ASCII punctuation plain. Mentions and references are found
 * after that, so what starts them must be an entity; so must what could start HTML. */
static void put_printed(const char *printed, char last, char next, FILE *f)
{
    if (strchr("&<>@#!$%", printed[0])) {
        (void)fprintf(f, "&#%d;", printed[0]);
        return;
    }
    if (is_markup(last, printed[0], next)) {
        (void)fputc('\\', f);
    }
    (void)fputs(printed, f);
}

void markdown_put_text(const char *text, FILE *f)
{
    char last = '\0';
    for (const char *p = text ? text : ""; *p;) {
        char printed[PRINTABLE_BYTES];
        char const now = *p;
        p += printable_take_char(p, printed);
        put_printed(printed, last, *p, f);
        last = now;
    }
}

static size_t find_longest_run(const char *text, char of)
{
    size_t longest = 0;
    for (size_t n = 0; *text; text++) {
        n = *text == of ? n + 1 : 0;
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* Put a text as a block of code, in printed form, cut after max_bytes of it. It stands between fences of more
 * backticks than the text has side by side, so that nothing in it can close the block. */
void markdown_put_block(const char *text, size_t max_bytes, FILE *f)
{
    size_t const run = find_longest_run(text, '`');
    size_t const n_fence = run < 3 ? 3 : run + 1;
    size_t n = 0;
    for (size_t i = 0; i < n_fence; i++) {
        (void)fputc('`', f);
    }
    (void)fputc('\n', f);
    while (*text && n < max_bytes) {
        char printed[PRINTABLE_BYTES];
        if (*text == '\n' || *text == '\t') {
            (void)fputc(*text == '\n' ? '\n' : ' ', f);
            text++;
            n++;
            continue;
        }
        size_t const taken = printable_take_char(text, printed);
        (void)fputs(printed, f);
        text += taken;
        n += taken;
    }
    (void)fputs(*text ? "\n... (cut; the whole is in the folder)\n" : "\n", f);
    for (size_t i = 0; i < n_fence; i++) {
        (void)fputc('`', f);
    }
    (void)fputc('\n', f);
}
