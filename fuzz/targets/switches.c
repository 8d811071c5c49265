/* fuzz/targets/switches.c -- a target with a part of its driver's compiler turned off. */
#include "fuzz/targets/switches.h"

#include <string.h>

#include "base/caps.h"

enum switch_kind {
    OPTION,
    VARIABLE
};
static const struct switch_row {
    const char *platform;
    enum switch_kind kind;
    const char *word;
} rows[] = {
#define SWITCH(...) {__VA_ARGS__},
#include "fuzz/targets/switches.def"
};

static bool is_of(const struct switch_row *row, const char *facts)
{
    char platform[128];
    (void)facts_get(facts, "platform", platform, sizeof platform);
    return strncmp(platform, row->platform, strlen(row->platform)) == 0;
}

/* Add the variable to the target's; false: it sets that one itself, or has no room. */
static bool add_variable(struct target *t, const char *word)
{
    size_t const n_name = (size_t)(strchr(word, '=') - word) + 1;
    size_t n = 0;
    for (; t->env_vars[n]; n++) {
        if (strncmp(t->env_vars[n], word, n_name) == 0) {
            return false;
        }
    }
    if (n == TARGET_MAX_ENV) {
        return false;
    }
    t->env_vars[n] = word;
    t->env_vars[n + 1] = NULL;
    return true;
}

static bool add_option(struct testcase *tc, const char *word, struct arena *a)
{
    const char *const before = tc->build_options ? tc->build_options : "";
    if (tc->env != ENV_CL || strstr(before, word)) {
        return false;
    }
    tc->build_options = arena_printf(a, "%s%s%s", before, before[0] ? " " : "", word);
    return !a->is_full;
}

int switches_make(uint32_t i, const char *facts, const struct target *t, const struct testcase *tc,
                  struct arena *a, struct switched *out)
{
    if (i >= ARRAY_N(rows)) {
        return -1;
    }
    const struct switch_row *const row = &rows[i];
    *out = (struct switched){.target = *t, .tc = *tc, .word = row->word};
    if (!is_of(row, facts)) {
        return 0;
    }
    return row->kind == VARIABLE ? add_variable(&out->target, row->word)
                                 : add_option(&out->tc, row->word, a);
}
