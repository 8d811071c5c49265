/* reports/model/markdown.c -- foreign text in Markdown: shown as it is, never taken as markup. */
#include "reports/model/markdown.h"

#include <ctype.h>
#include <string.h>

#include "base/printable.h"

/* Does the colon begin the name of an emoji, ":smile:", or stand within an address, "http://"? */
static bool is_colon_markup(const char *at)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";
    size_t const n = strspn(at + 1, name);
    return (n > 0 && at[1 + n] == ':') || strncmp(at, "://", 3) == 0;
}

/* Must the ASCII character there be escaped by a backslash? Emoji are :name:, links of themselves start with "://" and
 * "www."; an underscore within a word is plain (CommonMark 6.2); the rest is markup wherever it stands. What matters at the
 * start of a line alone is left, for this text never stands there. */
static bool is_markup(const char *text, const char *at)
{
    char const last = at > text ? at[-1] : '\0';
    switch (*at) {
    case ':':
        return is_colon_markup(at);
    case '*': /* CommonMark 6.2: neither begins nor ends anything */
        return last != ' ' || at[1] != ' ';
    case '[': /* without a definition, which no text here has, a link needs its address */
        return at[1] == '^' || strstr(at, "](") || strstr(at, "][");
    case ']':
        return at[1] == '(' || at[1] == '[';
    case '~': /* one alone strikes nothing out */
        return strchr(text, '~') != strrchr(text, '~');
    case '{': /* changes, as GitLab has them: {+new+} */
        return at[1] == '+' || at[1] == '-';
    case '}':
        return last == '+' || last == '-';
    case '_':
        return !isalnum((unsigned char)last) || !isalnum((unsigned char)at[1]);
    case '.':
        return last == 'w' || last == 'W';
    default:
        return strchr("\\`|", *at) != NULL;
    }
}

/* Could it start HTML, an entity, a mention or a reference ("#12", "@name", "%milestone")? */
static bool is_reference(const char *at)
{
    bool const is_word = isalnum((unsigned char)at[1]) || at[1] == '"' || at[1] == '#';
    return strchr("<>$", *at) || (strchr("&@#!%", *at) && is_word);
}

/* CommonMark 2.4: a backslash makes any ASCII punctuation plain. Mentions and references are found
 * after that, so what starts them must be an entity; so must what could start HTML. */
static void put_printed(const char *printed, const char *text, const char *at, FILE *f)
{
    if (is_reference(at)) {
        (void)fprintf(f, "&#%d;", *at);
        return;
    }
    bool const is_spelled_out = printed[0] != *at; /* with a backslash before it */
    if (is_spelled_out ? printed[0] == '\\' : is_markup(text, at)) {
        (void)fputc('\\', f);
    }
    (void)fputs(printed, f);
}

void markdown_put_text(const char *text, FILE *f)
{
    for (const char *p = text ? text : ""; *p;) {
        char printed[PRINTABLE_BYTES];
        const char *const at = p;
        p += printable_take_char(p, printed);
        put_printed(printed, text, at, f);
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

void markdown_put_item(const char *name, const char *text, FILE *f)
{
    if (text && text[0] && strcmp(text, "-") != 0) {
        (void)fprintf(f, "- %s: ", name);
        markdown_put_text(text, f);
        (void)fputc('\n', f);
    }
}
