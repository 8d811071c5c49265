/* oracle/nir_text/nir_scan.c -- words and numbers of one line. */
#include "oracle/nir_text/nir_scan.h"

#include <string.h>

void nir_scan_blanks(struct nir_scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r')) {
        s->p++;
    }
}

static bool begins_with(const struct nir_scan *s, const char *word)
{
    size_t const n = strlen(word);
    return (size_t)(s->end - s->p) >= n && memcmp(s->p, word, n) == 0;
}

bool nir_scan_is_at_end(struct nir_scan *s)
{
    nir_scan_blanks(s);
    return s->p == s->end || begins_with(s, "//");
}

bool nir_scan_take(struct nir_scan *s, const char *word)
{
    nir_scan_blanks(s);
    if (!begins_with(s, word)) {
        return false;
    }
    s->p += strlen(word);
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t nir_scan_name(struct nir_scan *s, const char **name)
{
    *name = s->p;
    while (s->p < s->end && (is_digit(*s->p) || *s->p == '_' || (*s->p >= 'a' && *s->p <= 'z') ||
                             (*s->p >= 'A' && *s->p <= 'Z'))) {
        s->p++;
    }
    return (size_t)(s->p - *name);
}

/* The value of a digit; 16: it is none. */
static unsigned get_digit(char c)
{
    if (is_digit(c)) {
        return (unsigned)(c - '0');
    }
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

bool nir_scan_number(struct nir_scan *s, uint64_t *out)
{
    bool const is_negative = nir_scan_take(s, "-");
    unsigned const base = nir_scan_take(s, "0x") ? 16 : 10;
    const char *const start = s->p;
    uint64_t v = 0;
    for (; s->p < s->end && get_digit(*s->p) < base; s->p++) {
        uint64_t const digit = get_digit(*s->p);
        if (v > (UINT64_MAX - digit) / base) {
            return false;
        }
        v = v * base + digit;
    }
    *out = is_negative ? 0 - v : v;
    return s->p > start;
}

bool nir_scan_id(struct nir_scan *s, const char *prefix, uint32_t limit, uint32_t *out)
{
    uint64_t v = 0;
    if (!nir_scan_take(s, prefix) || s->p == s->end || !is_digit(*s->p) ||
        !nir_scan_number(s, &v) || v >= limit) {
        return false;
    }
    *out = (uint32_t)v;
    return true;
}

void nir_scan_skip_parentheses(struct nir_scan *s)
{
    struct nir_scan ahead = *s;
    if (!nir_scan_take(&ahead, "(")) {
        return;
    }
    const char *const closed = memchr(ahead.p, ')', (size_t)(ahead.end - ahead.p));
    if (closed) {
        s->p = closed + 1;
    }
}

/* The component that a letter of a swizzle names: of up to four xyzw, of more a to p. -1: none. */
static int get_component(char c)
{
    static const char letters[] = "xyzw";
    const char *const found = c ? strchr(letters, c) : NULL;
    if (found) {
        return (int)(found - letters);
    }
    return c >= 'a' && c <= 'p' ? c - 'a' : -1;
}

/* .xy if it comes next; false: it is too long or has another letter. */
static bool take_swizzle(struct nir_scan *s, struct nir_source *out)
{
    if (s->p == s->end || *s->p != '.') {
        return true;
    }
    s->p++;
    for (; s->p < s->end && get_component(*s->p) >= 0; s->p++) {
        if (out->n == NIR_MAX_COMPONENTS) {
            return false;
        }
        out->swizzle[out->n++] = (uint8_t)get_component(*s->p);
    }
    return out->n != 0;
}

bool nir_scan_source(struct nir_scan *s, struct nir_source *out)
{
    *out = (struct nir_source){.n = 0};
    if (!nir_scan_id(s, "%", NIR_MAX_NUMBERS, &out->value)) {
        return false;
    }
    if (!take_swizzle(s, out)) {
        return false;
    }
    nir_scan_skip_parentheses(s);
    return out->n != 0 || take_swizzle(s, out);
}
