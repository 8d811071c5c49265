/* fuzz/campaign/step.c -- what is done with one run, by whatever loop drives it: runners of a campaign, AFL++. */
#include "fuzz/campaign/step.h"

#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "fuzz/io/spirv.h"
#include "fuzz/pool/front_end.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "gen/shape/shape.h"
#include "gen/tape/tape_needs.h"
#include "oracle/feature/feature.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim_facts.h"

enum {
    CANARY_CASES = 100, /* between two of them */
    CANARY_MAX_BAD = 3  /* in a row */
};

void step_begin(struct run *r)
{
    memset(&r->ob, 0, sizeof(r->ob));
    r->ob.log = r->ob.signature = r->ob.facts = "";
    r->is_build_only = 0;
    r->unfilled = NULL;
    r->run_id = 0;
}

void step_fill(struct run *r)
{
    if (r->unfilled) {
        gen_fill(r->unfilled, &r->tc);
        r->unfilled = NULL;
    }
}

const char *step_first_facts(const struct target *t, struct arena *a)
{
    return t->kind == TARGET_SIM
               ? arena_printf(a, "api=sim\ndevice=%s\nversion=%d\n", t->name, GEN_VERSION)
               : "";
}

/* Work-groups that wait for each other take most of a compiler's time and none of its decisions. */
struct shape_set step_get_unwanted(const struct target *t)
{
    struct shape_set unwanted = {{0}};
    if (t->kind == TARGET_WORKER && t->values != VALUES_DEVICE) {
        shape_set_add(&unwanted, SHAPE_MEETING);
    }
    return unwanted;
}

struct needs step_list_needs(const char *facts)
{
    struct needs listed = {{0}};
    for (int i = 0; i < NEED_N; i++) {
        struct needs one = {{0}};
        needs_add(&one, (enum need_id)i);
        if (facts_get_fit(facts, &one) == FIT_LISTED) {
            needs_add(&listed, (enum need_id)i);
        }
    }
    return listed;
}

/* Whether a target may have a need. */
enum need_rule {
    NEED_BY_FACTS, /* the facts decide */
    NEED_ALWAYS,   /* a text has no version of SPIR-V */
    NEED_NEVER     /* the language has no words for it, or the target no use */
};

static enum need_rule get_rule_of_text(enum language language, enum need_id need)
{
    static const struct {
        enum language language;
        enum need_id need;
        enum need_rule rule;
    } rows[] = {
        {LANGUAGE_OPENCL_C, NEED_CL_IL_1_0,         NEED_ALWAYS},
        {LANGUAGE_OPENCL_C, NEED_CL_IL_1_2,         NEED_ALWAYS},
        {LANGUAGE_OPENCL_C, NEED_CL_IL_1_3,         NEED_ALWAYS},
        {LANGUAGE_OPENCL_C, NEED_CL_MODULE,         NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_MAX_ERROR,      NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_SPECIALIZATION, NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_DOT_BYTES,      NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_DOT_ALL,        NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_BF16,           NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_I16_CMPXCHG,    NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_I16_ATOMICS,    NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_AMD_BALLOT,     NEED_NEVER },
        {LANGUAGE_OPENCL_C, NEED_CL_AMD_BARE,       NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_MODULE,         NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_MAX_ERROR,      NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_FMA16,          NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_FMA32,          NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_FMA64,          NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_DOT,            NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_DOT_PACKED,     NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_DOT_BYTES,      NEED_NEVER },
        {LANGUAGE_GLSL,     NEED_VK_DOT_ALL,        NEED_NEVER },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].need == need && rows[i].language == language) {
            return rows[i].rule;
        }
    }
    return NEED_BY_FACTS;
}

/* Compilers without a device have no use for work-groups that wait for each other (step_get_unwanted). */
static enum need_rule get_rule(const struct target *t, enum need_id need)
{
    struct shape_set const unwanted = step_get_unwanted(t);
    bool const is_meeting = need == NEED_CL_MEETING || need == NEED_VK_MEETING;
    if (is_meeting && shape_set_has(&unwanted, SHAPE_MEETING)) {
        return NEED_NEVER;
    }
    return get_rule_of_text(t->language, need);
}

/* Does the target have the need? A simulated one has whatever its language has words for. */
static bool has_need(const struct target *t, const char *facts, bool has_unlisted,
                     enum need_id need)
{
    struct needs one = {{0}};
    needs_add(&one, need);
    enum need_rule const rule = get_rule(t, need);
    if (rule != NEED_BY_FACTS || t->kind == TARGET_SIM) {
        return rule != NEED_NEVER;
    }
    enum fit const fit = facts_get_fit(facts, &one);
    return fit == FIT_LISTED || (fit == FIT_UNLISTED && has_unlisted);
}

struct needs step_get_allowed(const struct target *t, const char *facts, bool unadvertised)
{
    bool const has_unlisted = unadvertised || t->unadvertised;
    unsigned const env = op_get_env_bit(t->env);
    struct needs allowed = needs_get_all();
    for (int i = 0; i < NEED_N; i++) {
        if ((cap_rows[i].envs & env) && !has_need(t, facts, has_unlisted, (enum need_id)i)) {
            needs_remove(&allowed, (enum need_id)i);
        }
    }
    return allowed;
}

bool step_is_wanted(const struct target *t, const struct needs *listed, const char *facts,
                    int unadvertised, struct run *r)
{
    struct testcase *const tc = &r->tc;
    if (t->kind == TARGET_SIM) {
        return true;
    }
    struct shape_set const unwanted = step_get_unwanted(t);
    if (shape_sets_meet(&r->info.shapes, &unwanted)) {
        return false;
    }
    enum fit const fit =
        needs_are_within(&tc->needs, listed) ? FIT_LISTED : facts_get_fit(facts, &tc->needs);
    if (tc->class != CLASS_ILLEGAL) {
        tc->class = fit == FIT_UNLISTED ? CLASS_UNADVERTISED : CLASS_LEGAL;
    }
    return fit == FIT_LISTED || (fit == FIT_UNLISTED && (unadvertised || t->unadvertised));
}

void step_run_sim(const struct target *t, uint64_t seed, struct run *r)
{
    const char *facts = sim_facts(r->tc.env, seed, &r->arena);
    struct err e = {RES_OK, ""};
    if (front_end_run_sim(t, &r->tc, seed, facts, &r->arena, &r->ob, &e) != RES_OK) {
        memset(&r->ob, 0, sizeof(r->ob));
        r->ob.status = RUN_HARNESS;
        r->ob.signature = "";
        r->ob.log = arena_printf(&r->arena, "%s", e.text);
    }
    r->ob.facts = facts;
}

void step_judge(struct run *r, unsigned char *map, struct judgement *g)
{
    struct err e = {RES_OK, ""};
    if (judge_run_mapped(&r->tc, &r->ob, map, NULL, &r->arena, g, &e) != RES_OK) {
        memset(g, 0, sizeof(*g));
        g->kind = VERDICT_INCONCLUSIVE;
        g->n_inconclusive = 1;
        g->note = arena_printf(&r->arena, "%s", e.text);
    }
}

void step_explain(const struct known_bugs *known, struct run *r, struct judgement *g)
{
    known_bugs_explain(known, &r->tc, &r->ob, g, &r->arena);
}

enum res step_end_run(struct journal *j, struct run *r, const struct judgement *g, struct err *e)
{
    const char *disassembly = NULL;
    if (g->n_findings > 0) {
        step_fill(r);
        if (r->tape) { /* else the case is of no tape */
            TRY(journal_put_tape(j, r->index, r->tape, r->n_tape, e));
        }
        disassembly = spirv_disassemble(r->tc.module, r->tc.n_words, SPIRV_FOR_PEOPLE, &r->arena);
    }
    struct run_record const record = {&r->tc, &r->ob, g, disassembly};
    return journal_end_run(j, r->run_id, &record, &r->arena, e);
}

bool step_is_trouble(const struct observation *ob)
{
    /* a case that wrote where it may not may have damaged the driver's own memory */
    bool const is_usual =
        ob->status == RUN_DONE || ob->status == RUN_REJECT || ob->status == RUN_BUILT;
    return !is_usual || ob->guard_hits != 0;
}

enum res step_make_canary(struct canary *c, enum profile profile, const struct target *t,
                          const char *facts, bool *is_listed, struct err *e)
{
    struct tape tape = {.data = (const unsigned char *)""};
    struct run *r = &c->run;
    c->is_wanted = false;
    c->n_since = 0;
    arena_reset(&r->arena);
    step_begin(r);
    struct needs const allowed = step_get_allowed(t, facts, false);
    TRY(tape_set_allowed(&tape, &allowed, &r->arena, e));
    enum res res = gen_case(profile, t->env, &tape, &r->arena, &r->tc, NULL, e);
    if (res == RES_OK) {
        res = print_set_language(&r->tc, t->language, &r->arena, e);
    }
    *is_listed = res == RES_OK && facts_get_fit(facts, &r->tc.needs) == FIT_LISTED;
    return res;
}

void step_count_canary_case(struct canary *c)
{
    c->is_wanted |= ++c->n_since >= CANARY_CASES;
}

enum canary_verdict step_take_canary_verdict(struct canary_record *record, enum verdict_kind kind)
{
    if (kind == VERDICT_OK || kind == VERDICT_BUILT) {
        record->had_good = true;
        record->n_bad_row = 0;
        return CANARY_GOOD;
    }
    if (!record->had_good) {
        record->is_absent = true;
        return CANARY_ABSENT;
    }
    return ++record->n_bad_row >= CANARY_MAX_BAD ? CANARY_BAD_AGAIN : CANARY_BAD;
}
