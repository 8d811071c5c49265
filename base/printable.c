/* base/printable.c -- foreign bytes as printable text: UTF-8 checked, controls spelled out. */
#include "base/printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at p (Unicode 15, table 3-7) and its code point, or 0.
 * Reading stops at the first byte that does not belong, so the NUL at the end is never passed. */
static size_t decode_utf8(const unsigned char *p, uint32_t *code)
{
    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }
    size_t const n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4) {
        return 0;
    }
    uint32_t c = p[0] & (0xffU >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        c = c << 6 | (p[i] & 0x3fU);
    }
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
        return 0;
    }
    *code = c;
    return n;
}

/* Characters that are not seen or that move others about: a name must not pass for another. */
static int is_deceptive(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } range[] = {
        {0x00ad,  0x00ad  }, /* soft hyphen */
        {0x061c,  0x061c  }, /* Arabic letter mark */
        {0x180e,  0x180e  }, /* Mongolian vowel separator */
        {0x200b,  0x200f  }, /* zero width, direction marks */
        {0x2028,  0x202e  }, /* line and paragraph separator, direction overrides */
        {0x2060,  0x206f  }, /* invisible operators, direction isolates */
        {0xfeff,  0xfeff  }, /* byte order mark */
        {0xfff0,  0xfffb  }, /* interlinear annotation */
        {0xfdd0,  0xfdef  }, /* non-characters */
        {0xe0000, 0x10ffff}, /* tags, variation selectors, private use */
    };
    for (size_t i = 0; i < ARRAY_N(range); i++) {
        if (code >= range[i].first && code <= range[i].last) {
            return 1;
        }
    }
    return (code & 0xfffe) == 0xfffe;
}

size_t printable_take_char(const char *text, char out[PRINTABLE_BYTES])
{
    uint32_t code = 0;
    const unsigned char *p = (const unsigned char *)text;
    if (p[0] >= 0x20 && p[0] < 0x7f) { /* nearly all of it */
        out[0] = text[0];
        out[1] = '\0';
        return 1;
    }
    size_t const n = decode_utf8(p, &code);
    if (n == 0 || code < 0x20 || code == 0x7f) {
        (void)snprintf(out, PRINTABLE_BYTES, "\\x%02x", p[0]);
        return 1;
    }
    if ((code >= 0x80 && code < 0xa0) || is_deceptive(code)) {
        (void)snprintf(out, PRINTABLE_BYTES, "\\u{%" PRIx32 "}", code);
        return n;
    }
    memcpy(out, p, n);
    out[n] = '\0';
    return n;
}

static const char *clean_n(struct arena *a, const char *text, size_t n_text)
{
    char printed[PRINTABLE_BYTES];
    size_t n = 0;
    for (size_t i = 0; i < n_text;) {
        i += printable_take_char(text + i, printed);
        n += strlen(printed);
    }
    char *const out = arena_take(a, n + 1);
    if (!out) {
        return "";
    }
    char *to = out;
    for (size_t i = 0; i < n_text;) {
        i += printable_take_char(text + i, printed);
        size_t const n_printed = strlen(printed);
        memcpy(to, printed, n_printed);
        to += n_printed;
    }
    return out;
}

const char *printable_copy(struct arena *a, const char *text)
{
    return text ? clean_n(a, text, strlen(text)) : "";
}

const char *printable_take_line(struct arena *a, const char **rest)
{
    if (!*rest || !**rest) {
        return NULL;
    }
    size_t const n = strcspn(*rest, "\n");
    size_t n_kept = n;
    if (n_kept > 0 && (*rest)[n_kept - 1] == '\r') {
        n_kept--;
    }
    char *const line = arena_copy(a, *rest, n_kept);
    *rest += n + ((*rest)[n] == '\n');
    if (!line) {
        return "";
    }
    for (size_t i = 0; i < n_kept; i++) {
        if (line[i] == '\t') {
            line[i] = ' ';
        }
    }
    return clean_n(a, line, n_kept);
}

uint32_t printable_columns(const char *text)
{
    uint32_t n = 0;
    for (const char *p = text; *p;) {
        char printed[PRINTABLE_BYTES];
        p += printable_take_char(p, printed);
        for (const char *q = printed; *q; q++) {
            n += ((unsigned char)*q & 0xc0) != 0x80;
        }
    }
    return n;
}
