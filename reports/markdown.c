/* reports/markdown.c -- foreign text in Markdown: shown as it is, never taken as markup. */
#include "reports/markdown.h"

#include <string.h>

#include "base/printable.h"

/* CommonMark 2.4: a backslash makes any ASCII punctuation plain. Mentions and references are found
 * after that, so what starts them must be an entity; so must what could start HTML. */
void markdown_put_printed(const char *printed, char last, FILE *f)
{
    int const is_dot_of_www = printed[0] == '.' && (last == 'w' || last == 'W');
    switch (printed[0]) {
    case '&':
    case '<':
    case '>':
    case '@':
    case '#':
    case '!':
    case '$':
    case '%':
        (void)fprintf(f, "&#%d;", printed[0]);
        return;
    default:
        if (is_dot_of_www || strchr("\\`*_[]{}()|~:^=+-", printed[0])) {
            (void)fputc('\\', f);
        }
        (void)fputs(printed, f);
    }
}

void markdown_put_text(const char *text, FILE *f)
{
    char last = 0;
    for (const char *p = text ? text : ""; *p;) {
        char printed[PRINTABLE_BYTES];
        char const now = *p;
        p += printable_take_char(p, printed);
        markdown_put_printed(printed, last, f);
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
