/* base/printable.c -- foreign bytes as printable text: UTF-8 checked, controls spelled out. */
#include "base/printable.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at p (Unicode 15, table 3-7) and its code point, or 0.
 * Reading stops at the first byte that does not belong, so the NUL at the end is never passed. */
static size_t decode_utf8(const unsigned char *p, uint32_t *code)
{
    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }
    size_t const n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2; /* as the first byte says */
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
    /* overlong forms, beyond Unicode, surrogates */
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000}; /* [n] */
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
        {0x034f,  0x034f  }, /* grapheme joiner */
        {0x061c,  0x061c  }, /* Arabic letter mark */
        {0x115f,  0x1160  }, /* Hangul fillers */
        {0x180e,  0x180e  }, /* Mongolian vowel separator */
        {0x200b,  0x200f  }, /* zero width, direction marks */
        {0x2028,  0x202e  }, /* line and paragraph separator, direction overrides */
        {0x2060,  0x206f  }, /* invisible operators, direction isolates */
        {0x3164,  0x3164  }, /* Hangul filler */
        {0xfe00,  0xfe0f  }, /* variation selectors */
        {0xfeff,  0xfeff  }, /* byte order mark */
        {0xffa0,  0xffa0  }, /* Hangul filler */
        {0xfff0,  0xfffb  }, /* interlinear annotation */
        {0xfdd0,  0xfdef  }, /* non-characters */
        {0xe0000, 0x10ffff}, /* tags, variation selectors, private use */
    };
    for (size_t i = 0; i < ARRAY_N(range); i++) {
        if (code >= range[i].first && code <= range[i].last) {
            return 1;
        }
    }
    return (code & 0xfffe) == 0xfffe; /* non-characters: the last two of each plane */
}

/* The printed form of the first character of `text` into `out`; returns how many bytes of `text` it was.
 * Control characters, bytes that are no UTF-8 and characters that deceive the eye come out as escapes, all
 * others as they are. */
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

/* The printed form of n_text bytes, in the arena; "" where that is full. The bytes are gone through twice:
 * for the length of the result, then for the result. */
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

/* The next line of *rest in printed form, without its line end (LF or CR LF); *rest moves behind it. NULL:
 * there are no more lines. "": also when the arena is full. Tabs become blanks first, else they would be
 * shown as escapes. */
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

/* ---- several lines as one ---- */

/* As printable_take_char, of the first n bytes; but line ends, with blanks around them, become " / ", or nothing where
 * no text is before or behind them. `is_first`: nothing was printed so far. */
static size_t take_joined(const char *text, size_t n, bool is_first, char out[PRINTABLE_BYTES])
{
    size_t n_blank = 0;
    bool has_end = false;
    while (n_blank < n && memchr(" \t\r\n", text[n_blank], 4)) {
        has_end |= text[n_blank++] == '\n';
    }
    if (!has_end) {
        return printable_take_char(text, out);
    }
    (void)snprintf(out, PRINTABLE_BYTES, "%s", is_first || n_blank == n ? "" : " / ");
    return n_blank;
}

const char *printable_copy_line(struct arena *a, const char *text)
{
    char printed[PRINTABLE_BYTES];
    struct bytes b;
    size_t const n_text = text ? strlen(text) : 0;
    bytes_init(&b, a);
    for (size_t i = 0; i < n_text;) {
        i += take_joined(text + i, n_text - i, b.n == 0, printed);
        bytes_put(&b, printed, strlen(printed));
    }
    bytes_put(&b, "", 1);
    return b.ok ? (const char *)b.p : "";
}

/* ---- printf ---- */

/* Columns of the first n_text bytes of text as put_field prints them. */
static uint32_t count_columns(const char *text, size_t n_text)
{
    char printed[PRINTABLE_BYTES];
    uint32_t n = 0;
    for (size_t i = 0; i < n_text;) {
        i += take_joined(text + i, n_text - i, n == 0, printed);
        n += printable_columns(printed);
    }
    return n;
}

/* Spaces that fill up n columns to width; none where it is negative or no more. */
static void put_spaces(int64_t width, uint32_t n, FILE *f)
{
    for (int64_t column = n; column < width; column++) {
        (void)fputc(' ', f);
    }
}

/* A text of at most `most` bytes, in a field of `width` columns, to the left where that is negative. */
static void put_field(const char *text, size_t most, int width, FILE *f)
{
    char printed[PRINTABLE_BYTES];
    size_t const n_text = strnlen(text, most);
    uint32_t const n_columns = width != 0 ? count_columns(text, n_text) : 0;
    bool is_first = true;
    put_spaces(width, n_columns, f);
    for (size_t i = 0; i < n_text;) {
        i += take_joined(text + i, n_text - i, is_first, printed);
        is_first &= printed[0] == '\0';
        (void)fputs(printed, f);
    }
    put_spaces(-(int64_t)width, n_columns, f);
}

/* Print one conversion of a printf format, which begins at the '%'; returns how many characters of the format
 * it is. It is taken apart into field (flags, width, precision), length (l, ll, z) and letter; numbers then
 * go to fprintf as the type that the length says, and text to put_field, which prints it in printed form. */
static size_t put_conversion(const char *at, va_list *args, FILE *f)
{
    char spec[32];
    size_t const n_field = 1 + strspn(at + 1, "-+ #0123456789.");
    size_t const n_length = strspn(at + n_field, "lz");
    size_t const n = n_field + n_length + (at[n_field + n_length] != '\0');
    int const is_long = n_length == 1 && at[n_field] == 'l';
    int const is_size = n_length == 1 && at[n_field] == 'z';
    (void)snprintf(spec, sizeof spec, "%.*s", (int)n, at);
/* A part of a format that the compiler has seen. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (at[n - 1]) {
    case 's': {
        const char *const text = va_arg(*args, const char *);
        const char *const dot = memchr(spec, '.', n);
        put_field(text ? text : "", dot ? strtoul(dot + 1, NULL, 10) : SIZE_MAX,
                  (int)strtol(spec + 1, NULL, 10), f);
        break;
    }
    case 'd':
    case 'i':
    case 'u':
    case 'x':
        if (n_length == 2) {
            (void)fprintf(f, spec, va_arg(*args, long long));
        } else if (is_long) {
            (void)fprintf(f, spec, va_arg(*args, long));
        } else if (is_size) {
            (void)fprintf(f, spec, va_arg(*args, size_t));
        } else {
            (void)fprintf(f, spec, va_arg(*args, int));
        }
        break;
    case 'f':
    case 'g':
    case 'e':
        (void)fprintf(f, spec, va_arg(*args, double));
        break;
    default: /* %% */
        (void)fputc(at[n - 1], f);
        break;
    }
#pragma GCC diagnostic pop
    return n;
}

void printable_print(FILE *f, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    while (*fmt) {
        size_t const n = strcspn(fmt, "%");
        (void)fwrite(fmt, 1, n, f);
        fmt += n;
        fmt += *fmt ? put_conversion(fmt, &args, f) : 0;
    }
    va_end(args);
}

/* ---- sh ---- */

enum how {
    AS_IT_IS,
    IN_QUOTES, /* a quote as '\'' */
    BY_PRINTF
};

static enum how choose_quotes(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./,:=@%+-";
    if (path[0] && path[strspn(path, plain)] == '\0') {
        return AS_IT_IS;
    }
    for (const char *p = path; *p;) {
        char printed[PRINTABLE_BYTES];
        size_t const n = printable_take_char(p, printed);
        if (strlen(printed) != n) {
            return BY_PRINTF;
        }
        p += n;
    }
    return IN_QUOTES;
}

static void put_quoted(struct bytes *b, const char *path, enum how how)
{
    for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
        char octal[8];
        if (how == IN_QUOTES && *p == '\'') {
            bytes_put(b, "'\\''", 4);
        } else if (how == BY_PRINTF && (*p < 0x20 || *p >= 0x7f || strchr("'\\%", *p))) {
            (void)snprintf(octal, sizeof octal, "\\%03o", *p);
            bytes_put(b, octal, 4);
        } else {
            bytes_put(b, p, 1);
        }
    }
}

const char *printable_quote(struct arena *a, const char *path)
{
    static const char *const before[] = {"", "'", "\"$(printf '"};
    static const char *const behind[] = {"", "'", "')\""};
    enum how const how = choose_quotes(path);
    size_t const n = strlen(path);
    struct bytes b;
    bytes_init(&b, a);
    bytes_put(&b, before[how], strlen(before[how]));
    put_quoted(&b, path[0] == '-' ? "./" : "", how);
    put_quoted(&b, path, how);
    put_quoted(&b, n > 0 && path[n - 1] == '\n' ? "/." : "", how);
    bytes_put(&b, behind[how], strlen(behind[how]) + 1);
    return b.ok ? (const char *)b.p : "";
}

void printable_put(FILE *f, const char *text, size_t n)
{
    size_t const n_text = strnlen(text, n);
    bool is_first = true;
    for (size_t i = 0; i < n_text;) {
        char printed[PRINTABLE_BYTES];
        unsigned char const c = (unsigned char)text[i];
        if (c >= 0x7f) {
            (void)fprintf(f, "\\x%02x", c);
            i++;
            is_first = false;
            continue;
        }
        i += take_joined(text + i, n_text - i, is_first, printed);
        is_first &= printed[0] == '\0';
        (void)fputs(printed, f);
    }
}
