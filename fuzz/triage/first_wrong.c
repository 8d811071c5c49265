/* fuzz/triage/first_wrong.c -- which instruction of a case goes wrong first, where not every value was stored. */
#include "fuzz/triage/first_wrong.h"

#include "fuzz/trial/trial.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

enum {
    RUNS = 3 /* of which one has to show something */
};

/* The case with every value stored. False: it is the same as that of the subject, or cannot be made. */
static bool make_stored(const struct reduce_subject *s, struct arena *a, struct testcase *tc)
{
    struct err ignored;
    if (!s->has_tape || s->tc.class == CLASS_ILLEGAL ||
        gen_stored_case(s->profile, s->tc.env, &s->tape, a, tc, &ignored) != RES_OK ||
        print_set_language(tc, s->tc.language, a, &ignored) != RES_OK) {
        return false;
    }
    tc->class = s->tc.class;
    /* One more store makes it longer. If it is as long, all was stored before. */
    return tc->n_words > s->tc.n_words;
}

/* The first violation in the order of the module; NULL: there is none, or the one that is wanted is among them. */
static const struct finding *find_other(const struct reduce_subject *s,
                                        const struct observation *ob, const struct judgement *g,
                                        struct arena *a)
{
    const struct finding *first = NULL;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        if (finding_has_core(f, ob, s->wanted.core, a)) {
            return NULL;
        }
        if (verdict_rows[f->kind].part == PART_VIOLATION && (!first || f->offset < first->offset)) {
            first = f;
        }
    }
    return first;
}

/* The case is run up to RUNS times until a run shows any violation: `any` names no core. That run is judged once
 * more here, since the trial does not give all of its findings. */
enum res first_wrong_find(const struct reduce_subject *s, const struct target *target,
                          struct arena *a, const char **core, struct err *e)
{
    struct testcase *const tc = ARENA_NEW(a, struct testcase, 1);
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    struct observation *const ob = ARENA_NEW(a, struct observation, 1);
    struct trial_wanted const any = {.facts = s->wanted.facts,
                                     .n_runs = RUNS,
                                     .n_needed = 1,
                                     .is_foreign = s->wanted.is_foreign};
    struct trials *trials = NULL;
    uint32_t first = 1; /* of one candidate, 0: it showed a finding */
    *core = "";
    if (!tc || !g || !ob) {
        return err_set(e, RES_NOMEM, "no memory for a case that stores all");
    }
    if (!make_stored(s, a, tc)) {
        return RES_OK;
    }
    TRY(trials_open(&trials, target, 1, e)); /* 1: a single worker */
    trials_set_deadline(trials, s->wanted.until_ns);
    const struct testcase *const candidates[] = {tc};
    enum res r = trials_find_first(trials, &any, &(struct trial_candidates){candidates, 1}, a,
                                   &first, ob, NULL, e);
    trials_close(trials);
    if (r == RES_OK && first == 0) { /* the only candidate showed one; `ob` is that run */
        r = judge_run(tc, ob, a, g, e);
        const struct finding *const f = r == RES_OK ? find_other(s, ob, g, a) : NULL;
        *core = f ? signature_of(f, ob, a).core : "";
    }
    return r;
}
