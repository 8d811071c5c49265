/* base/caps.c -- caps.def as a table, and the test of a need against a target's facts. */
#include "base/caps.h"

#include <stdlib.h>
#include <string.h>

#include "base/ops.h"

#define CL (unsigned)OP_CL
#define VK (unsigned)OP_VK
const struct cap_row cap_rows[NEED_N] = {
#define CAP(id, envs, capability, extensions, query) {#id, (envs), (capability), extensions, query},
#include "base/caps.def"
};

int need_find(const char *name)
{
    for (int i = 0; i < NEED_N; i++) {
        if (strcmp(cap_rows[i].id, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A piece of a longer text. */
struct piece {
    const char *p;
    size_t n;
};

/* Value of the key in facts; p is NULL where there is none. */
static struct piece find_value(const char *facts, struct piece key)
{
    for (const char *line = facts; *line;) {
        size_t const n = strcspn(line, "\n");
        if (n > key.n && line[key.n] == '=' && memcmp(line, key.p, key.n) == 0) {
            return (struct piece){line + key.n + 1, n - key.n - 1};
        }
        line += n + (line[n] == '\n');
    }
    return (struct piece){NULL, 0};
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 99;
}

/* Decimal or 0x; 0 when the piece is anything else or does not fit. */
static int parse_number(struct piece t, uint64_t *out)
{
    int const is_hex = t.n > 2 && t.p[0] == '0' && (t.p[1] == 'x' || t.p[1] == 'X');
    uint64_t const base = is_hex ? 16 : 10;
    uint64_t v = 0;
    if (t.n == 0) {
        return 0;
    }
    for (size_t i = is_hex ? 2 : 0; i < t.n; i++) {
        uint64_t const d = (uint64_t)digit_value(t.p[i]);
        if (d >= base || v > (UINT64_MAX - d) / base) {
            return 0;
        }
        v = v * base + d;
    }
    *out = v;
    return 1;
}

static int has_word(struct piece value, struct piece word)
{
    size_t at = 0;
    while (at < value.n) {
        size_t n = 0;
        while (at + n < value.n && value.p[at + n] != ' ') {
            n++;
        }
        if (n == word.n && n > 0 && memcmp(value.p + at, word.p, n) == 0) {
            return 1;
        }
        at += n + 1;
    }
    return 0;
}

static struct piece piece_of(const char *text)
{
    return (struct piece){text, strlen(text)};
}

int facts_get(const char *facts, const char *key, char *buf, unsigned n_buf)
{
    struct piece const v = find_value(facts, piece_of(key));
    if (n_buf > 0) {
        size_t const n = v.n < n_buf - 1 ? v.n : n_buf - 1;
        if (v.p) {
            memcpy(buf, v.p, n);
        }
        buf[v.p ? n : 0] = '\0';
    }
    return v.p != NULL;
}

uint64_t facts_number(const char *facts, const char *key)
{
    uint64_t v = 0;
    struct piece const value = find_value(facts, piece_of(key));
    return value.p && parse_number(value, &v) ? v : 0;
}

int facts_has_word(const char *facts, const char *key, const char *word)
{
    struct piece const v = find_value(facts, piece_of(key));
    return v.p && has_word(v, piece_of(word));
}

/* Do the facts ("key=value" lines) meet one term of a query: KEY, KEY=N, KEY>=N, KEY<=N, KEY&BITS or
 * KEY~WORD, as caps.def describes it? A key that the facts lack meets nothing, and a malformed number in the
 * query never holds. */
static int term_holds(const char *facts, struct piece term)
{
    size_t n_key = 0;
    while (n_key < term.n && !strchr("&><=~", term.p[n_key])) {
        n_key++;
    }
    struct piece const value = find_value(facts, (struct piece){term.p, n_key});
    uint64_t have = 0; /* what the facts say */
    uint64_t want = 0; /* what the term asks for */
    if (!value.p) {
        return 0;
    }
    int const is_number = parse_number(value, &have);
    if (n_key == term.n) { /* the key alone: present and not 0 */
        return value.n > 0 && !(is_number && have == 0);
    }
    char const sign = term.p[n_key];
    struct piece rest = {term.p + n_key + 1, term.n - n_key - 1};
    if (sign == '~') {
        return has_word(value, rest);
    }
    if (sign == '>' || sign == '<') { /* ">=" and "<=": there is no other */
        if (rest.n == 0 || rest.p[0] != '=') {
            return 0;
        }
        rest = (struct piece){rest.p + 1, rest.n - 1};
    }
    if (!is_number || !parse_number(rest, &want)) {
        return 0;
    }
    if (sign == '&') {
        return (have & want) == want;
    }
    if (sign == '<') {
        return have <= want;
    }
    return sign == '>' ? have >= want : have == want;
}

int facts_meet(const char *facts, enum need_id id)
{
    const char *query = cap_rows[id].query;
    while (*query) {
        size_t const n = strcspn(query, " ");
        if (n > 0 && !term_holds(facts, (struct piece){query, n})) {
            return 0;
        }
        query += n + (query[n] == ' ');
    }
    return 1;
}

int facts_first_unmet(const char *facts, const struct needs *n)
{
    for (int i = 0; i < NEED_N; i++) {
        if (needs_has(n, (enum need_id)i) && !facts_meet(facts, (enum need_id)i)) {
            return i;
        }
    }
    return -1;
}

/* Needs that a driver may meet without listing them. What is outside of the environment's tables
 * stays so where the extension is listed: Vulkan has no capability Groups, which of
 * SPV_AMD_shader_ballot the instructions need and the extended set does not (A7), and none of
 * SPV_INTEL_fp_max_error (A9); and an extension's instructions without its OpExtension are no legal
 * module. */
static const struct {
    enum need_id id;
    int is_outside;
} unlisted_rows[] = {
    {NEED_CL_AMD_BALLOT,        0},
    {NEED_CL_AMD_BARE,          1},
    {NEED_VK_AMD_BALLOT,        1},
    {NEED_VK_AMD_SET,           0},
    {NEED_VK_AMD_BARE,          1},
    {NEED_CL_MAX_ERROR,         0},
    {NEED_VK_MAX_ERROR,         1},
 /* float atomics: compilers have them for devices that do not list them */
    {NEED_CL_F16_GLOBAL_LS,     0},
    {NEED_CL_F16_GLOBAL_ADD,    0},
    {NEED_CL_F16_GLOBAL_MINMAX, 0},
    {NEED_CL_F32_GLOBAL_ADD,    0},
    {NEED_CL_F32_GLOBAL_MINMAX, 0},
    {NEED_CL_F64_GLOBAL_ADD,    0},
    {NEED_CL_F64_GLOBAL_MINMAX, 0},
    {NEED_CL_F16_LOCAL_LS,      0},
    {NEED_CL_F16_LOCAL_ADD,     0},
    {NEED_CL_F16_LOCAL_MINMAX,  0},
    {NEED_CL_F32_LOCAL_ADD,     0},
    {NEED_CL_F32_LOCAL_MINMAX,  0},
    {NEED_CL_F64_LOCAL_ADD,     0},
    {NEED_CL_F64_LOCAL_MINMAX,  0},
    {NEED_CL_BF16,              0},
    {NEED_CL_BF16_LS,           0},
    {NEED_CL_BF16_ADD,          0},
    {NEED_CL_BF16_MINMAX,       0},
    {NEED_CL_I16_CMPXCHG,       0},
    {NEED_CL_I16_ATOMICS,       0},
    {NEED_VK_F16_BUFFER_LS,     0},
    {NEED_VK_F16_BUFFER_ADD,    0},
    {NEED_VK_F16_BUFFER_MINMAX, 0},
    {NEED_VK_F32_BUFFER_LS,     0},
    {NEED_VK_F32_BUFFER_ADD,    0},
    {NEED_VK_F32_BUFFER_MINMAX, 0},
    {NEED_VK_F64_BUFFER_LS,     0},
    {NEED_VK_F64_BUFFER_ADD,    0},
    {NEED_VK_F64_BUFFER_MINMAX, 0},
    {NEED_VK_F16_SHARED_LS,     0},
    {NEED_VK_F16_SHARED_ADD,    0},
    {NEED_VK_F16_SHARED_MINMAX, 0},
    {NEED_VK_F32_SHARED_LS,     0},
    {NEED_VK_F32_SHARED_ADD,    0},
    {NEED_VK_F32_SHARED_MINMAX, 0},
    {NEED_VK_F64_SHARED_LS,     0},
    {NEED_VK_F64_SHARED_ADD,    0},
    {NEED_VK_F64_SHARED_MINMAX, 0},
    {NEED_VK_F32_IMAGE_LS,      0},
    {NEED_VK_F32_IMAGE_ADD,     0},
    {NEED_VK_F32_IMAGE_MINMAX,  0},
    {NEED_VK_F16_VECTORS,       0},
};

enum fit facts_get_fit(const char *facts, const struct needs *n)
{
    struct needs rest = *n;
    int is_unlisted = 0;
    for (size_t i = 0; i < sizeof unlisted_rows / sizeof unlisted_rows[0]; i++) {
        enum need_id const id = unlisted_rows[i].id;
        if (needs_has(n, id)) {
            needs_remove(&rest, id);
            is_unlisted |= unlisted_rows[i].is_outside || !facts_meet(facts, id);
        }
    }
    if (facts_first_unmet(facts, &rest) >= 0) {
        return FIT_NOT;
    }
    return is_unlisted ? FIT_UNLISTED : FIT_LISTED;
}

int facts_take_bound(const char *facts, const char *op, uint32_t bits)
{
    char least[32];
    float bound;
    if (!facts_get(facts, "target.max_error_least", least, sizeof least) ||
        facts_has_word(facts, "target.max_error_any", op)) {
        return 1;
    }
    memcpy(&bound, &bits, sizeof bound);
    return bound >= strtof(least, NULL);
}
