/* fuzz/known/known_bugs.c -- which findings of a run come of known bugs, and which are new. */
#include "fuzz/known/known_bugs.h"

#include <string.h>

#include "oracle/explain/explain.h"
#include "oracle/judge/judge.h"
#include "oracle/tables/tables.h"

/* Is the same thing found in both? */
static bool is_same(const struct finding *x, const struct finding *y)
{
    return x->kind == y->kind && x->offset == y->offset && x->invocation == y->invocation &&
           x->got == y->got;
}

/* The first finding of g that is gone under the hypotheses, of the bug's instruction if there is one. */
static const struct finding *find_gone(const struct judgement *g, const struct judgement *under,
                                       const struct fault_plan *plan)
{
    const struct finding *first = NULL;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        bool is_left = false;
        for (uint32_t k = 0; k < under->n_findings; k++) {
            is_left |= is_same(f, &under->findings[k]);
        }
        if (is_left) {
            continue;
        }
        if (f->op == plan->op) {
            return f;
        }
        first = first ? first : f;
    }
    return first;
}

/* With the known bugs permitted, the judge can give the same wrong value another finding, such as a missing order in place of
 * a wrong sum. Restore the finding of the plain judgement, because that is what a rerun of the case shows. */
static void restore_findings(const struct judgement *g, struct judgement *left)
{
    for (uint32_t i = 0; i < left->n_findings; i++) {
        struct finding *const f = &left->findings[i];
        const struct finding *own = NULL;
        bool is_there = false;
        for (uint32_t k = 0; k < g->n_findings; k++) {
            const struct finding *const x = &g->findings[k];
            is_there |= is_same(f, x);
            if (!own && f->offset > 0 && x->offset == f->offset && x->invocation == f->invocation) {
                own = x;
            }
        }
        if (own && !is_there) {
            *f = *own;
        }
    }
}

/* Does the bug alone explain anything of the run? */
static bool explains_alone(const struct known_bug *bug, const struct testcase *tc,
                           const struct observation *ob, const struct judgement *g, struct arena *a)
{
    struct arena_mark const mark = arena_get_mark(a);
    struct hypothesis s = {.plan = bug->plan};
    struct judgement under;
    struct err e;
    bool const is_judged = explain_run(tc, ob, &s, a, &under, &e) == RES_OK &&
                           under.n_inconclusive <= g->n_inconclusive;
    arena_release(a, mark);
    return is_judged && under.n_found < g->n_found;
}

/* Puts a finding of the bug behind what is left, in place of the last one where there is no room. false: none is its. */
static bool put_known(const struct known_bug *bug, const struct judgement *g,
                      const struct judgement *left, struct judgement *out)
{
    const struct finding *const f = find_gone(g, left, &bug->plan);
    if (!f) {
        return false;
    }
    uint32_t const at =
        out->n_findings < JUDGE_MAX_FINDINGS ? out->n_findings++ : JUDGE_MAX_FINDINGS - 1;
    out->findings[at] = *f;
    out->findings[at].known = bug->name;
    out->n_found++;
    return true;
}

/* What came of judging with these bugs. */
enum explained {
    EXPLAINED,
    NOT_THEIRS,
    NOT_JUDGED /* not to its end: so much is permitted with them that less is certain */
};

/* Judge the run again under the hypothesis that the driver has these bugs, each of which permits more values. If
 * that leaves fewer findings, *g becomes what is left, together with one finding for each bug that explains some,
 * which carries the bug's name. NOT_THEIRS: the findings are the same, or only several bugs together explain them,
 * which is not certain enough. NOT_JUDGED: less was decided than without the hypothesis. */
static enum explained explain_with(const struct known_bugs *known, const struct testcase *tc,
                                   const struct observation *ob, struct judgement *g,
                                   struct arena *a)
{
    struct arena_mark const mark = arena_get_mark(a);
    struct hypothesis *const bugs = ARENA_NEW(a, struct hypothesis, known->n + 1);
    struct judgement left, out;
    struct err e;
    if (!bugs) {
        return NOT_THEIRS;
    }
    for (uint32_t i = 0; i < known->n; i++) {
        bugs[i].plan = known->bug[i].plan;
        bugs[i].next = i + 1 < known->n ? &bugs[i + 1] : NULL;
    }
    bool const is_judged = explain_run(tc, ob, bugs, a, &left, &e) == RES_OK &&
                           left.n_inconclusive <= g->n_inconclusive; /* else less was decided */
    if (!is_judged || left.n_found >= g->n_found) {
        arena_release(a, mark); /* it may be full, and the run still has to be kept */
        return is_judged ? NOT_THEIRS : NOT_JUDGED;
    }
    restore_findings(g, &left);
    out = *g;
    memcpy(out.findings, left.findings, sizeof out.findings);
    out.n_findings = left.n_findings;
    out.n_found = left.n_found;
    bool is_known = false;
    for (uint32_t i = 0; i < known->n; i++) {
        is_known |= bugs[i].n_taken > 0 && put_known(&known->bug[i], g, &left, &out);
    }
    for (uint32_t i = 0; i < known->n && !is_known; i++) {
        /* a bug may have changed only values that nothing observes, and n_taken misses these */
        is_known = explains_alone(&known->bug[i], tc, ob, g, a) &&
                   put_known(&known->bug[i], g, &left, &out);
    }
    if (is_known) {
        *g = out;
    } else {
        arena_release(a, mark);
    }
    return is_known ? EXPLAINED : NOT_THEIRS;
}

/* The bugs that are models, or those that are shapes. */
static struct known_bugs choose(const struct known_bugs *known, bool is_model, struct arena *a)
{
    struct known_bugs out = {.bug = ARENA_NEW(a, struct known_bug, known->n + 1)};
    for (uint32_t i = 0; out.bug && i < known->n; i++) {
        if (!known->bug[i].shape == is_model) {
            out.bug[out.n++] = known->bug[i];
        }
    }
    return out;
}

static void explain_by_models(const struct known_bugs *known, const struct testcase *tc,
                              const struct observation *ob, struct judgement *g, struct arena *a)
{
    if (known->n == 0 || ob->status != RUN_DONE ||
        explain_with(known, tc, ob, g, a) != NOT_JUDGED) {
        return;
    }
    struct known_bugs few = {.bug = ARENA_NEW(a, struct known_bug, known->n)};
    for (uint32_t i = 0; few.bug && i < known->n; i++) {
        if (explains_alone(&known->bug[i], tc, ob, g, a)) {
            few.bug[few.n++] = known->bug[i];
        }
    }
    if (few.n > 0 && few.n < known->n) {
        (void)explain_with(&few, tc, ob, g, a);
    }
}

static void explain_by_shapes(const struct known_bugs *known, const struct testcase *tc,
                              const struct observation *ob, struct judgement *g, struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        struct finding *const f = &g->findings[i];
        bool is_left = verdict_rows[f->kind].part == PART_VIOLATION && !(f->known && f->known[0]);
        const char *const signature = known->n && is_left ? signature_of(f, ob, a).text : "";
        for (uint32_t k = 0; k < known->n && is_left; k++) {
            const struct known_bug *const bug = &known->bug[k];
            if (signature_fits(signature, bug->shape->signature) &&
                known_shape_holds(bug->shape, tc, a)) {
                f->known = bug->name;
                is_left = false;
            }
        }
    }
}

void known_bugs_explain(const struct known_bugs *known, const struct testcase *tc,
                        const struct observation *ob, struct judgement *g, struct arena *a)
{
    if (known->n == 0 || g->n_findings == 0) {
        return;
    }
    struct arena_mark const mark = arena_get_mark(a);
    struct known_bugs const models = choose(known, true, a), shapes = choose(known, false, a);
    explain_by_models(&models, tc, ob, g, a);
    explain_by_shapes(&shapes, tc, ob, g, a);
    bool is_any = false;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        is_any |= g->findings[i].known && g->findings[i].known[0];
    }
    if (!is_any) { /* the arena may be full, and the run still has to be kept */
        arena_release(a, mark);
    }
}
