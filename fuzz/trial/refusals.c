/* fuzz/trial/refusals.c -- what a target makes of modules that break one rule each. */
#include "fuzz/trial/refusals.h"

#include <string.h>

#include "base/caps.h"
#include "fuzz/io/spirv.h"
#include "fuzz/pool/handle.h"
#include "gen/case/gen.h"
#include "gen/plan/refusal.h"

const char refusal_letters[REFUSAL_OUTCOME_N] = {'-', 'p', 'r', 'A', 'C', 'H', 'X', 'L'};
const char *const refusal_names[REFUSAL_OUTCOME_N] = {
    "-", "legal module refused", "refused", "accepted", "crashed", "hung", "exited", "device lost"};

/* The case of a rule, or the legal one of its parent. */
static enum res make_case(const struct refusal *what, enum env env, struct arena *a,
                          struct testcase *tc, struct err *e)
{
    struct tape tape;
    TRY(refusal_make_tape(what, env, a, &tape, e));
    return gen_case(PROFILE_REFUSALS, env, &tape, a, tc, NULL, e);
}

static enum refusal_outcome read_outcome(const struct observation *ob)
{
    switch (ob->status) {
    case RUN_DONE:
    case RUN_BUILT:
        return REFUSAL_ACCEPTED;
    case RUN_REJECT:
        return REFUSAL_REFUSED;
    case RUN_CRASH:
        return REFUSAL_CRASHED;
    case RUN_HANG:
        return REFUSAL_HUNG;
    case RUN_EXIT:
        return REFUSAL_EXITED;
    case RUN_DEVICE_LOST:
        return REFUSAL_LOST;
    case RUN_HARNESS:
    case RUN_SKIPPED:
        break;
    }
    return REFUSAL_NONE;
}

/* In a fresh worker. */
static enum res run_case(const struct target *t, const struct refusal *what, struct run *r,
                         enum refusal_outcome *out, struct err *e)
{
    arena_reset(&r->arena);
    TRY(make_case(what, t->env, &r->arena, &r->tc, e));
    r->is_build_only = t->values == VALUES_NONE;
    TRY(handle_run_once(t, r, e));
    *out = read_outcome(&r->ob);
    return RES_OK;
}

static bool is_of(const struct illegal_rule *rule, enum env env)
{
    return (rule->envs & (env == ENV_CL ? OP_CL : OP_VK)) != 0;
}

/* Variants of a legal module that the target takes, bit by bit. */
struct taken {
    bool was_asked;
    unsigned variants;
};

/* Ask the target for the legal module of a rule, the parent, in each of its variants. A variant
 * that is the same module as the one before is not run again. The outcome of the parent is the best
 * one of its variants; `taken` says which of them the target accepts. */
static enum res ask_parent(const struct target *t, const char *facts,
                           const struct illegal_rule *rule, struct run *r, struct refusals *out,
                           struct taken *taken, struct err *e)
{
    enum refusal_outcome *const best = &out->parent[rule->parent];
    uint64_t last_hash = 0;
    taken->was_asked = true;
    for (uint32_t variant = 0; variant < REFUSAL_VARIANTS; variant++) {
        struct refusal const what = {.rule = rule, .variant = variant};
        enum refusal_outcome outcome = REFUSAL_NONE;
        arena_reset(&r->arena);
        TRY(make_case(&what, t->env, &r->arena, &r->tc, e));
        uint64_t const hash = hash_bytes(0, r->tc.module, r->tc.n_words * sizeof *r->tc.module);
        enum fit const fit = facts_get_fit(facts, &r->tc.needs);
        if (fit == FIT_NOT || (variant > 0 && hash == last_hash)) {
            continue;
        }
        last_hash = hash;
        out->is_listed[rule->parent] = fit == FIT_LISTED;
        TRY(run_case(t, &what, r, &outcome, e));
        taken->variants |= outcome == REFUSAL_ACCEPTED ? 1u << variant : 0;
        if (*best != REFUSAL_ACCEPTED) { /* accepted in one variant, else the outcome of the last */
            *best = outcome;
        }
    }
    return RES_OK;
}

/* The worst of the variants whose legal module is taken. */
static enum res ask_rule(const struct target *t, const struct illegal_rule *rule, unsigned variants,
                         struct run *r, struct refusals *out, struct arena *a, struct err *e)
{
    int const at = (int)(rule - illegal_rules);
    enum refusal_outcome *const worst = &out->outcome[at];
    if (variants == 0) {
        *worst = out->parent[rule->parent] == REFUSAL_NONE ? REFUSAL_NONE : REFUSAL_NO_PARENT;
        return RES_OK;
    }
    for (uint32_t variant = 0; variant < REFUSAL_VARIANTS; variant++) {
        struct refusal const what = {.rule = rule, .is_broken = true, .variant = variant};
        enum refusal_outcome outcome = REFUSAL_NONE;
        if (!(variants >> variant & 1)) {
            continue;
        }
        TRY(run_case(t, &what, r, &outcome, e));
        if (outcome > *worst) {
            *worst = outcome;
            out->log[at] = arena_printf(a, "%s", r->ob.signature[0] ? r->ob.signature : r->ob.log);
        }
    }
    return RES_OK;
}

/* Each parent is asked once, when the first of its rules comes. */
static enum res ask_all(const struct target *t, const char *only, const char *facts, struct run *r,
                        struct refusals *out, struct arena *a, struct err *e)
{
    struct taken taken[ILLEGAL_PARENT_N] = {
        {false, 0}
    };
    for (int i = 0; i < ILLEGAL_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i];
        if (!is_of(rule, t->env) || !strstr(rule->name, only)) {
            continue;
        }
        if (!taken[rule->parent].was_asked) {
            TRY(ask_parent(t, facts, rule, r, out, &taken[rule->parent], e));
        }
        TRY(ask_rule(t, rule, taken[rule->parent].variants, r, out, a, e));
    }
    return RES_OK;
}

static void clear(struct refusals *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ILLEGAL_N; i++) {
        out->log[i] = "";
    }
}

enum res refusals_ask(const struct target *t, const char *only, struct arena *a,
                      struct refusals *out, struct err *e)
{
    const char *facts = "";
    clear(out);
    if (t->kind == TARGET_SIM || t->language != LANGUAGE_SPIRV) {
        return err_set(e, RES_USAGE, "%s: does not accept SPIR-V modules", t->name);
    }
    struct run *const r = ARENA_NEW(a, struct run, 1);
    if (!r) {
        return err_set(e, RES_NOMEM, "%s: no room for a run", t->name);
    }
    TRY(handle_get_facts(t, a, &facts, e));
    arena_init(&r->arena, HANDLE_RUN_BYTES);
    enum res const res = ask_all(t, only, facts, r, out, a, e);
    arena_free(&r->arena);
    return res;
}

/* Ask spirv-val, in place of a target, about the legal and the broken module of each rule of an
 * environment whose name contains `only`. */
enum res refusals_validate(enum env env, const char *only, struct arena *a, struct refusals *out,
                           struct err *e)
{
    static const enum refusal_outcome outcomes[SPIRV_ANSWER_N] = {
        [SPIRV_VALID] = REFUSAL_ACCEPTED,
        [SPIRV_INVALID] = REFUSAL_REFUSED,
        [SPIRV_TOO_OLD] = REFUSAL_NONE}; /* its version does not know the rule */
    clear(out);
    for (int i = 0; i < ILLEGAL_N; i++) {
        const struct illegal_rule *const rule = &illegal_rules[i];
        struct refusal what = {.rule = rule};
        struct testcase tc;
        const char *text = "";
        if (!is_of(rule, env) || !strstr(rule->name, only)) {
            continue;
        }
        TRY(make_case(&what, env, a, &tc, e));
        out->parent[rule->parent] = outcomes[spirv_validate(&tc, a, &text)];
        out->is_listed[rule->parent] = true;
        what.is_broken = true;
        TRY(make_case(&what, env, a, &tc, e));
        out->outcome[i] = outcomes[spirv_validate(&tc, a, &text)];
        out->log[i] = text;
    }
    return RES_OK;
}
