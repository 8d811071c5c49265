/* fuzz/campaign/case_groups.c -- groups of targets that list much the same. */
#include "fuzz/campaign/case_groups.h"

#include <string.h>

#include "base/caps.h"
#include "base/ops.h"

static bool is_of(enum env env, int need)
{
    return (cap_rows[need].envs & op_get_env_bit(env)) != 0;
}

static uint32_t count(const struct needs *n, enum env env)
{
    uint32_t out = 0;
    for (int i = 0; i < NEED_N; i++) {
        out += is_of(env, i) && needs_has(n, (enum need_id)i);
    }
    return out;
}

static bool is_shared(uint32_t n_common, uint32_t n_own)
{
    return (uint64_t)n_common * 100 >= (uint64_t)n_own * CASE_GROUPS_SHARED_PERCENT;
}

/* Puts the target into the group, if all of its targets still have enough in common. most: the largest number of needs
 * that one of them lists. */
static bool join(struct case_group *g, uint32_t *most, const struct case_groups_target *t)
{
    struct needs common = g->allowed;
    for (int i = 0; i < NEED_WORDS; i++) {
        common.bits[i] &= t->allowed.bits[i];
    }
    uint32_t const n_own = count(&t->allowed, t->env);
    uint32_t const n_most = n_own > *most ? n_own : *most;
    if (g->n_targets > 0 && (g->env != t->env || !is_shared(count(&common, t->env), n_most))) {
        return false;
    }
    g->allowed = common;
    g->env = t->env;
    g->targets[g->n_targets++] = t->name;
    *most = n_most;
    return true;
}

void case_groups_make(struct case_groups *out, const struct case_groups_target *t, uint32_t n)
{
    uint32_t most[TARGETS_MAX] = {0};
    *out = (struct case_groups){.n = 0};
    for (uint32_t i = 0; i < n && i < TARGETS_MAX; i++) {
        uint32_t at = 0;
        while (at < out->n && !join(&out->group[at], &most[at], &t[i])) {
            at++;
        }
        if (at == out->n) {
            out->group[out->n].allowed = needs_get_all();
            (void)join(&out->group[out->n], &most[out->n], &t[i]);
            out->n++;
        }
    }
}

static uint64_t get_hash(uint64_t index)
{
    uint64_t const turn = index / CASE_GROUPS_TURN;
    return hash_bytes(0, &turn, sizeof turn);
}

const struct case_group *case_groups_find(const struct case_groups *g, uint64_t index)
{
    return g->n > 0 ? &g->group[get_hash(index) % g->n] : NULL;
}

enum env case_groups_get_env(const struct case_groups *g, uint64_t index)
{
    const struct case_group *const in = case_groups_find(g, index);
    return in ? in->env : index % 2 ? ENV_VK : ENV_CL;
}

static bool is_in(const struct case_group *g, const char *target)
{
    for (uint32_t i = 0; i < g->n_targets; i++) {
        if (strcmp(g->targets[i], target) == 0) {
            return true;
        }
    }
    return false;
}

bool case_groups_is_for(const struct case_groups *g, uint64_t index, const char *target,
                        const struct needs *allowed)
{
    const struct case_group *const in = case_groups_find(g, index);
    if (!in) {
        return true;
    }
    uint64_t const turn = get_hash(index) / g->n;
    for (uint32_t i = 0; i < g->n; i++) {
        if (is_in(&g->group[i], target)) {
            bool const is_lent = turn % CASE_GROUPS_LENT == 0 && in->env == g->group[i].env &&
                                 needs_are_within(&in->allowed, allowed);
            return is_in(in, target) || is_lent;
        }
    }
    return true;
}

uint32_t case_groups_count(const struct case_group *g, bool is_allowed)
{
    struct needs const all = needs_get_all();
    uint32_t const n = count(&g->allowed, g->env);
    return is_allowed ? n : count(&all, g->env) - n;
}

/* ---- as text ---- */

const char *case_groups_print(const struct case_groups *g, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < g->n; i++) {
        const struct case_group *const one = &g->group[i];
        for (uint32_t k = 0; k < one->n_targets; k++) {
            text = arena_printf(a, "%s%s%s", text, k > 0 ? " " : "", one->targets[k]);
        }
        text = arena_printf(a, "%s\t%s", text, env_names[one->env]);
        for (int k = 0; k < NEED_N; k++) {
            if (is_of(one->env, k) && !needs_has(&one->allowed, (enum need_id)k)) {
                text = arena_printf(a, "%s %s", text, cap_rows[k].id);
            }
        }
        text = arena_printf(a, "%s\n", text);
    }
    return text;
}

/* The next word of *text up to one of `ends`, which stays; "" where there is none. */
static const char *take_word(const char **text, const char *ends, struct arena *a)
{
    *text += **text == ' ';
    size_t const n = strcspn(*text, ends);
    const char *const word = arena_printf(a, "%.*s", (int)n, *text);
    *text += n;
    return word;
}

static enum res parse_group(struct case_group *g, const char **text, struct arena *a, struct err *e)
{
    *g = (struct case_group){.allowed = needs_get_all()};
    while (**text && **text != '\t' && **text != '\n' && g->n_targets < TARGETS_MAX) {
        g->targets[g->n_targets++] = take_word(text, " \t\n", a);
    }
    if (**text != '\t') {
        return err_set(e, RES_FORMAT, "groups of targets: a line without needs");
    }
    ++*text;
    const char *const api = take_word(text, " \n", a);
    if (strcmp(api, env_names[ENV_VK]) != 0 && strcmp(api, env_names[ENV_CL]) != 0) {
        return err_set(e, RES_FORMAT, "groups of targets: no API %.40s", api);
    }
    g->env = strcmp(api, env_names[ENV_VK]) == 0 ? ENV_VK : ENV_CL;
    while (**text == ' ') {
        const char *const word = take_word(text, " \n", a);
        int const need = need_find(word);
        if (need < 0) {
            return err_set(e, RES_FORMAT, "groups of targets: no need %.40s", word);
        }
        needs_remove(&g->allowed, (enum need_id)need);
    }
    *text += **text == '\n';
    return RES_OK;
}

enum res case_groups_parse(struct case_groups *out, const char *text, struct arena *a,
                           struct err *e)
{
    *out = (struct case_groups){.n = 0};
    while (*text) {
        if (out->n == TARGETS_MAX) {
            return err_set(e, RES_FORMAT, "groups of targets: more than %d lines", TARGETS_MAX);
        }
        TRY(parse_group(&out->group[out->n], &text, a, e));
        out->n++;
    }
    return RES_OK;
}
