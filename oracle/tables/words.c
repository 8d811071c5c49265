/* oracle/tables/words.c -- a sentence in the words of the environment that it is about. */
#include "oracle/tables/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *opencl, *vulkan;
} rows[] = {
#define WORD(opencl, vulkan) {opencl, vulkan},
#include "oracle/tables/words.def"
};

/* What an environment calls the thing of a row. */
static const char *get_word(size_t row, enum env env)
{
    return env == ENV_CL ? rows[row].opencl : rows[row].vulkan;
}

static enum env get_other(enum env env)
{
    return env == ENV_CL ? ENV_VK : ENV_CL;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The row whose word of the other environment stands at `at`, with no letter of a name before or behind it but for a
 * plural s; -1: none does. */
static int find_row(enum env env, const char *text, const char *at)
{
    if (at > text && is_of_name(at[-1])) {
        return -1;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const word = get_word(i, get_other(env));
        size_t const n = strlen(word);
        if (strncmp(at, word, n) == 0 && !is_of_name(at[n + (at[n] == 's')])) {
            return (int)i;
        }
    }
    return -1;
}

const char *words_find_other(enum env env, const char *text)
{
    for (const char *at = text; *at; at++) {
        if (find_row(env, text, at) >= 0) {
            return at;
        }
    }
    return NULL;
}

const char *words_say(enum env env, const char *text, struct arena *a)
{
    struct bytes out;
    bytes_init(&out, a);
    for (const char *at = text; *at;) {
        int const row = find_row(env, text, at);
        if (row >= 0) {
            const char *const word = get_word((size_t)row, env);
            bytes_put(&out, word, strlen(word));
            at += strlen(get_word((size_t)row, get_other(env)));
        } else {
            bytes_put(&out, at++, 1);
        }
    }
    bytes_put(&out, "", 1);
    return out.ok ? (const char *)out.p : "";
}
