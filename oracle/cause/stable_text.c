/* oracle/cause/stable_text.c -- a driver's text without what varies from run to run. */
#include "oracle/cause/stable_text.h"

#include <ctype.h>
#include <string.h>

/* How many bytes at `text` are a number, or a name made of hexadecimal digits with a number among them,
 * that ends there; 0: none. */
static size_t measure_number(const char *text)
{
    size_t const n = strspn(text, "0123456789abcdefABCDEFxX");
    size_t const n_prefix = n > 2 && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
    bool const is_end = !isalpha((unsigned char)text[n]) && text[n] != '_';
    bool const has_digit = strcspn(text + n_prefix, "0123456789") < n - n_prefix;
    bool const has_x = n_prefix + strcspn(text + n_prefix, "xX") < n;
    return is_end && has_digit && !has_x ? n : 0;
}

/* Is the number at `text`, with n bytes of `before` before it, a location: of a function in a module, "+0x12a0" after its
 * build id, ":0x12a0" where it has none; or a line of a file, ":12"? */
static bool is_location(const char *text, size_t n_number, const char *before, size_t n)
{
    if (n < 2 || (before[n - 1] != '+' && before[n - 1] != ':')) {
        return false;
    }
    bool const is_offset = text[0] == '0' && text[1] == 'x';
    bool const is_line = before[n - 1] == ':' && isalnum((unsigned char)before[n - 2]) &&
                         strspn(text, "0123456789") >= n_number;
    return is_offset || is_line;
}

/* Returns the text with numbers replaced by '#', so that it is the same in each run, cut to n_most
 * characters. With has_places numbers that are source locations stay. */
const char *stable_text(const char *text, bool has_places, size_t n_most, struct arena *a)
{
    size_t const n_text = strlen(text);
    n_most = n_most < n_text ? n_most : n_text;
    char *const out = arena_take(a, n_most + 1);
    if (!out) {
        return "";
    }
    size_t n = 0;
    while (*text && n < n_most) {
        /* a digit after a letter belongs to a name, and stays */
        bool const is_start = n == 0 || !isalpha((unsigned char)out[n - 1]);
        size_t const n_number = is_start ? measure_number(text) : 0;
        if (n_number == 0) {
            out[n++] = *text++;
        } else if (has_places && is_location(text, n_number, out, n) && n + n_number <= n_most) {
            memcpy(out + n, text, n_number);
            n += n_number;
        } else {
            out[n++] = '#';
        }
        text += n_number;
    }
    while (n > 0 && out[n - 1] == ' ') { /* the cut may be after a word */
        n--;
    }
    out[n] = '\0';
    return out;
}
