/* fuzz/known/known_shape.c -- which cases a row of a list is about, by what they look like. */
#include "fuzz/known/known_shape.h"

#include <string.h>

static const char where[] = " where ";

static bool is_uneven(const struct testcase *tc)
{
    bool is_it = false;
    for (int i = 0; i < 3; i++) {
        is_it |= tc->local[i] > 0 && tc->global[i] % tc->local[i] != 0;
    }
    return is_it;
}

static bool has_rows(const struct testcase *tc)
{
    return tc->local[1] * tc->local[2] > 1;
}

static bool is_sized(const struct testcase *tc)
{
    return tc->subgroup_size > 0;
}

static bool is_cut(const struct testcase *tc)
{
    enum {
        USUAL = 8
    };
    uint32_t const size = tc->subgroup_size > 0 ? tc->subgroup_size : USUAL;
    return tc->local[0] * tc->local[1] * tc->local[2] % size != 0;
}

static bool is_single(const struct testcase *tc)
{
    return tc->local[0] * tc->local[1] * tc->local[2] == 1;
}

static const struct {
    const char *word;
    bool (*holds)(const struct testcase *tc);
} words[] = {
    {"uneven", is_uneven},
    {"rows",   has_rows },
    {"sized",  is_sized },
    {"cut",    is_cut   },
    {"single", is_single},
};

bool known_shape_is(const char *signature)
{
    return strstr(signature, where) != NULL;
}

/* The bit of the word that the text begins with, which it then is behind; 0: it is none. */
static unsigned take_word(const char **text)
{
    size_t const n = strcspn(*text, " ;");
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (strlen(words[i].word) == n && strncmp(*text, words[i].word, n) == 0) {
            *text += n;
            *text += strspn(*text, " ;");
            return 1U << i;
        }
    }
    return 0;
}

enum res known_shape_parse(const char *signature, struct known_shape *out, struct arena *a,
                           struct err *e)
{
    const char *const at = strstr(signature, where);
    const char *rest = at ? at + sizeof where - 1 : "";
    *out = (struct known_shape){
        .signature = arena_printf(a, "%.*s", at ? (int)(at - signature) : 0, signature)};
    for (unsigned bit; (bit = take_word(&rest)) != 0;) {
        out->dispatch |= bit;
    }
    TRY(pattern_parse(&out->pattern, rest, a, e));
    return out->dispatch == 0 && out->pattern.n == 0
               ? err_set(e, RES_FORMAT, "\"%.80s\": no condition follows \"where\"", signature)
               : RES_OK;
}

bool known_shape_holds(const struct known_shape *s, const struct testcase *tc, struct arena *a)
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (s->dispatch >> i & 1 && !words[i].holds(tc)) {
            return false;
        }
    }
    if (s->pattern.n == 0) {
        return true;
    }
    struct arena_mark const mark = arena_get_mark(a);
    const struct pattern_module *const m = pattern_read(tc->module, tc->n_words, a);
    bool const is_found = m && pattern_find(&s->pattern, m) == s->pattern.n;
    arena_release(a, mark);
    return is_found;
}
