/* fuzz/amber/amber_line.c -- the lines of a script of Amber. */
#include "fuzz/amber/amber_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
    MAX_FILE_BYTES = 16 << 20 /* of one that a script names */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

/* Appends the words of a line of the text. */
static void take_words(struct amber_lines *l, const char *p, const char *end)
{
    while (p < end) {
        while (p < end && is_blank(*p)) {
            p++;
        }
        const char *const from = p;
        while (p < end && !is_blank(*p)) {
            p++;
        }
        if (from == p || *from == '#') {
            return;
        }
        l->is_cut |= l->n_words == AMBER_MAX_WORDS;
        if (l->n_words < AMBER_MAX_WORDS) {
            l->word[l->n_words++] = arena_printf(l->a, "%.*s", (int)(p - from), from);
        }
    }
}

bool amber_line_next(struct amber_lines *l)
{
    bool goes_on = true;
    l->n_words = 0;
    l->is_cut = false;
    if (l->p >= l->end) {
        return false;
    }
    while (goes_on && l->p < l->end) {
        const char *const stop = memchr(l->p, '\n', (size_t)(l->end - l->p));
        take_words(l, l->p, stop ? stop : l->end);
        l->line++;
        l->p = stop ? stop + 1 : l->end;
        goes_on = l->n_words > 0 && strcmp(l->word[l->n_words - 1], "\\") == 0;
        l->n_words -= goes_on;
    }
    return true;
}

enum res amber_line_take_text(struct amber_lines *l, const char *what, const char **from, size_t *n)
{
    *from = l->p;
    while (l->p < l->end) {
        const char *const line = l->p;
        const char *const stop = memchr(line, '\n', (size_t)(l->end - line));
        const char *const line_end = stop ? stop : l->end;
        l->n_words = 0;
        take_words(l, line, line_end);
        l->line++;
        l->p = stop ? stop + 1 : l->end;
        if (l->n_words == 1 && strcmp(l->word[0], "END") == 0) {
            *n = (size_t)(line - *from);
            return RES_OK;
        }
    }
    return amber_line_fail(l, arena_printf(l->a, "%s without END", what));
}

const char *amber_line_word(const struct amber_lines *l, uint32_t i)
{
    return i < l->n_words ? l->word[i] : "";
}

bool amber_line_is(const struct amber_lines *l, uint32_t i, const char *text)
{
    return strcmp(amber_line_word(l, i), text) == 0;
}

enum res amber_line_fail(const struct amber_lines *l, const char *what)
{
    return err_set(l->e, RES_FORMAT, "%s:%u: %s", l->path, l->line, what);
}

enum res amber_line_fail_word(const struct amber_lines *l, const char *word, const char *what)
{
    return err_set(l->e, RES_FORMAT, "%s:%u: %.60s: %s", l->path, l->line, word, what);
}

bool amber_read_number(const char *text, double *out)
{
    char *end = NULL;
    bool const is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *out = is_hex ? (double)strtoull(text, &end, 0) : strtod(text, &end);
    return end != text && *end == '\0';
}

bool amber_read_count(const char *text, uint32_t *out)
{
    char *end = NULL;
    bool const is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    unsigned long long const n = strtoull(text, &end, is_hex ? 16 : 10);
    *out = (uint32_t)n;
    return end != text && *end == '\0' && text[0] != '-' && errno == 0 && n <= UINT32_MAX;
}

enum res amber_line_read_file(struct amber_lines *l, const char *name, const unsigned char **bytes,
                              size_t *n)
{
    struct err why;
    const char *const slash = strrchr(l->path, '/');
    const char *const folder =
        slash ? arena_printf(l->a, "%.*s", (int)(slash - l->path + 1), l->path) : ".";
    enum res const r = file_read_below(folder, name, MAX_FILE_BYTES, l->a, bytes, n, &why);
    return r == RES_OK || r == RES_NOMEM
               ? r
               : amber_line_fail_word(
                     l, name, arena_printf(l->a, "not read beside the script: %s", why.text));
}
