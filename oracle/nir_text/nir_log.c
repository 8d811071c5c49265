/* oracle/nir_text/nir_log.c -- looks for lines of a log. */
#include "oracle/nir_text/nir_log.h"

#include <string.h>

struct line {
    const char *p;
    size_t n;
};
/* The line that begins at p. */
static struct line get_line(const char *p, const char *end)
{
    const char *const newline = memchr(p, '\n', (size_t)(end - p));
    return (struct line){p, (size_t)((newline ? newline : end) - p)};
}
/* Where the next line begins; the end: there is none. */
static const char *get_next(struct line line, const char *end)
{
    const char *const behind = line.p + line.n;
    return behind < end ? behind + 1 : end;
}
static bool begins_with(struct line line, const char *word)
{
    size_t const n = strlen(word);
    return line.n >= n && memcmp(line.p, word, n) == 0;
}

/* Is this line `impl NAME {`? */
static bool is_function(struct line line, const char *name)
{
    size_t const n = strlen(name), n_word = strlen("impl ");
    return begins_with(line, "impl ") && line.n >= n_word + n + 2 &&
           memcmp(line.p + n_word, name, n) == 0 && memcmp(line.p + n_word + n, " {", 2) == 0;
}

/* Behind the line `}` that ends a function; NULL: there is none. */
static const char *find_end(const char *p, const char *end)
{
    while (p < end) {
        struct line const line = get_line(p, end);
        p = get_next(line, end);
        if (begins_with(line, "}")) {
            return p;
        }
    }
    return NULL;
}

struct nir_log nir_log_find(const char *text, size_t n, const char *entry)
{
    const char *const end = text + n;
    const char *begin = NULL; /* of the header that was read last */
    bool is_own = false;      /* is the function that was read last the entry point? */
    struct nir_log out = {NULL, 0, NULL, 0};
    for (const char *p = text; p < end;) {
        struct line const line = get_line(p, end);
        p = get_next(line, end);
        if (begins_with(line, "shader: ")) {
            begin = line.p;
            is_own = false;
        }
        bool const is_main = begin && is_function(line, entry);
        bool const is_preamble = is_own && is_function(line, "@preamble");
        const char *const behind = is_main || is_preamble ? find_end(p, end) : NULL;
        if (!behind) {
            continue;
        }
        if (is_main) {
            out = (struct nir_log){begin, (size_t)(behind - begin), NULL, 0};
        } else {
            out.preamble = line.p;
            out.n_preamble = (size_t)(behind - line.p);
        }
        is_own = is_main;
        p = behind;
    }
    return out;
}
