/* oracle/cause/builtin_name.c -- the mangled name of a built-in function of OpenCL C, read. */
#include "oracle/cause/builtin_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NAME = 128, /* of a function or a qualifier */
    MAX_WIDTH = 1 << 16
};

/* No code of the table begins another. */
static const struct type_row {
    const char *code, *word;
    bool is_float;
} type_rows[] = {
#define TYPE(code, word, is_float) {code, word, is_float},
#include "oracle/cause/builtin_type.def"
#undef TYPE
};

/* Qualifiers that name an address space, by clang and by older front ends. */
static const struct {
    const char *qualifier, *word;
} spaces[] = {
    {"AS0",        "private" },
    {"AS1",        "global"  },
    {"AS2",        "constant"},
    {"AS3",        "local"   },
    {"AS4",        "generic" },
    {"CLprivate",  "private" },
    {"CLglobal",   "global"  },
    {"CLconstant", "constant"},
    {"CLlocal",    "local"   },
    {"CLgeneric",  "generic" },
};

/* What is left of the symbol. */
struct symbol_reader {
    const char *at;
    struct arena *a;
};

static bool skip(struct symbol_reader *r, const char *text)
{
    size_t const n = strlen(text);
    bool const is_there = strncmp(r->at, text, n) == 0;
    r->at += is_there ? n : 0;
    return is_there;
}

/* A number of at most `most`; 0: none is there. */
static uint32_t read_number(struct symbol_reader *r, uint32_t most)
{
    char *end = NULL;
    unsigned long const n = isdigit((unsigned char)*r->at) ? strtoul(r->at, &end, 10) : 0;
    if (n == 0 || n > most) {
        return 0;
    }
    r->at = end;
    return (uint32_t)n;
}

/* A length and as many characters; NULL: none is there. */
static const char *read_name(struct symbol_reader *r)
{
    uint32_t const n = read_number(r, MAX_NAME);
    if (n == 0 || strnlen(r->at, n) < n) {
        return NULL;
    }
    const char *const name = arena_printf(r->a, "%.*s", (int)n, r->at);
    r->at += n;
    return name;
}

static const char *find_space(const char *qualifier)
{
    for (size_t i = 0; i < ARRAY_N(spaces); i++) {
        if (strcmp(spaces[i].qualifier, qualifier) == 0) {
            return spaces[i].word;
        }
    }
    return NULL;
}

/* The qualifiers before a type. False: one is none. */
static bool read_qualifiers(struct symbol_reader *r, struct builtin_name *out)
{
    for (;;) {
        if (skip(r, "V")) {
            out->is_volatile = true;
        } else if (skip(r, "U")) {
            const char *const name = read_name(r);
            if (!name) {
                return false;
            }
            const char *const space = find_space(name);
            out->space = space ? space : out->space;
        } else if (!skip(r, "K") && !skip(r, "r")) {
            return true;
        }
    }
}

/* A substitution, S_ or S0_, stands for what came before. */
static bool skip_substitution(struct symbol_reader *r)
{
    if (!skip(r, "S")) {
        return false;
    }
    while (isdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at)) {
        r->at++;
    }
    return skip(r, "_");
}

/* A parameter: what it points to and of what width. */
static bool read_parameter(struct symbol_reader *r, struct builtin_name *out)
{
    *out = (struct builtin_name){.type = "", .space = "", .width = 1};
    bool const is_pointer = skip(r, "P");
    if (!read_qualifiers(r, out)) {
        return false;
    }
    out->space = is_pointer && !out->space[0] ? "private" : out->space;
    if (skip(r, "Dv")) {
        out->width = read_number(r, MAX_WIDTH);
        if (out->width == 0 || !skip(r, "_")) {
            return false;
        }
    }
    for (size_t i = 0; i < ARRAY_N(type_rows); i++) {
        if (skip(r, type_rows[i].code)) {
            out->type = type_rows[i].word;
            out->is_float = type_rows[i].is_float;
            return true;
        }
    }
    return skip_substitution(r) || read_name(r) != NULL;
}

bool builtin_read(const char *symbol, struct arena *a, struct builtin_name *out)
{
    struct symbol_reader r = {.at = symbol, .a = a};
    if (!skip(&r, "_Z")) {
        return false;
    }
    const char *const function = read_name(&r);
    if (!function || !read_parameter(&r, out)) {
        return false;
    }
    out->function = function;
    while (*r.at) {
        struct builtin_name other;
        if (!read_parameter(&r, &other)) {
            return false;
        }
        if (!out->space[0] && other.space[0]) {
            out->space = other.space;
            out->is_volatile = other.is_volatile;
        }
    }
    return true;
}
