/* fuzz/known/known_campaign.c -- which findings of a campaign are those of known bugs. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "fuzz/known/known_campaign.h"

#include <stdlib.h>
#include <string.h>

#include "base/ops.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/known/known_bugs.h"
#include "fuzz/known/known_shape.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

#define KNOWN_NOTE    "known"
#define SCRATCH_BYTES ((size_t)1 << 30)

/* One finding of a campaign that is asked for. */
struct question {
    struct journal *j;
    const struct campaign_finding *f;
    const struct known_bugs *known;
    bool
        is_smallest; /* of a case that was made smaller: circumstances of the finding may be others there */
    struct arena *scratch;
};

/* One that a known bug explains has that bug's name, and is another. */
static bool is_it(const struct question *q, const struct finding *f, const struct observation *ob)
{
    if (q->is_smallest) {
        return (!f->known || !f->known[0]) && finding_has_core(f, ob, q->f->core, q->scratch);
    }
    return strcmp(signature_of(f, ob, q->scratch).text, q->f->signature) == 0;
}

/* Is a finding of the judgement the one that is asked for? */
static bool has_it(const struct question *q, const struct judgement *g,
                   const struct observation *ob)
{
    bool is_there = false;
    for (uint32_t i = 0; i < g->n_findings && !is_there; i++) {
        is_there = is_it(q, &g->findings[i], ob);
    }
    return is_there;
}

/* May it have more violations than it says? Those come before divergences where there is no room for all. */
static bool is_full(const struct judgement *g)
{
    bool is_it = g->n_found > g->n_findings;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        is_it &= verdict_rows[g->findings[i].kind].part == PART_VIOLATION;
    }
    return is_it;
}

/* The bug that gives it: of those that the judgement names the one that shows by its instruction, else the first. */
static const char *choose(const struct judgement *g, const struct signature *own)
{
    const char *name = NULL;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        bool const is_own = f->op >= 0 && strcmp(op_rows[f->op].name, own->op) == 0;
        if (f->known && (!name || is_own)) {
            name = f->known;
        }
        if (f->known && is_own) {
            break;
        }
    }
    return name;
}

/* The bug whose signature the finding has, in a case of its shape; NULL: there is none. */
static const char *find_shape(const struct question *q, const struct testcase *tc)
{
    for (uint32_t i = 0; i < q->known->n; i++) {
        const struct known_bug *const bug = &q->known->bug[i];
        if (bug->shape && signature_fits(q->f->signature, bug->shape->signature) &&
            known_shape_holds(bug->shape, tc, q->scratch)) {
            return bug->name;
        }
    }
    return NULL;
}

/* What a case says: the name of a bug, "" where it says nothing, or NULL: the finding is left. */
static const char *ask_case(const struct question *q, const struct testcase *tc,
                            const struct observation *ob)
{
    struct judgement *const g = ARENA_NEW(q->scratch, struct judgement, 1);
    struct err ignored;
    if (!g || judge_run(tc, ob, q->scratch, g, &ignored) != RES_OK ||
        (!has_it(q, g, ob) && !is_full(g))) {
        return "";
    }
    const char *const shape = find_shape(q, tc);
    if (shape) {
        return shape;
    }
    known_bugs_explain(q->known, tc, ob, g, q->scratch);
    struct signature const own = signature_parse(q->f->signature, q->scratch);
    if (has_it(q, g, ob)) {
        return NULL;
    }
    return is_full(g) ? "" : choose(g, &own);
}

/* ask_case of a kept case. */
static const char *ask(const struct question *q, int64_t id)
{
    struct testcase tc;
    struct observation ob;
    struct err ignored;
    return journal_get_case(q->j, id, q->scratch, &tc, &ob, &ignored) == RES_OK
               ? ask_case(q, &tc, &ob)
               : "";
}

/* The name that all kept cases agree to give it, or NULL. */
static enum res find_name(const struct question *q, const char **name, uint32_t *n_asked,
                          struct err *e)
{
    int64_t ids[KNOWN_CASES];
    uint32_t n = 0;
    *name = NULL;
    TRY(journal_list_kept(q->j, q->f->id, KNOWN_CASES, ids, &n, e));
    for (uint32_t i = 0; i < n; i++) {
        struct arena_mark const mark = arena_get_mark(q->scratch);
        const char *const said = ask(q, ids[i]);
        arena_release(q->scratch, mark);
        ++*n_asked;
        if (!said) {
            *name = NULL;
            break;
        }
        *name = *name || !said[0] ? *name : said;
    }
    return RES_OK;
}

/* The bug that explains the smallest case of a bucket; NULL: none does, or there is no such case. */
static const char *find_smallest_name(const struct question *q)
{
    struct testcase tc;
    struct observation ob;
    struct err ignored;
    struct arena_mark const mark = arena_get_mark(q->scratch);
    const char *name = NULL;
    if (journal_get_smallest(q->j, q->f->id, q->scratch, &tc, &ob, &ignored) == RES_OK) {
        name = ask_case(q, &tc, &ob);
    }
    arena_release(q->scratch, mark);
    return name && name[0] ? name : NULL;
}

/* Asks of the i-th finding; what is found goes to it, or to all of its bucket. */
typedef enum res asker(const struct question *q, struct campaign *c, uint32_t i, uint32_t *n,
                       struct err *e);

static enum res ask_kept(const struct question *q, struct campaign *c, uint32_t i, uint32_t *n,
                         struct err *e)
{
    return find_name(q, &c->findings[i].known_as, n, e);
}

static enum res ask_smallest(const struct question *q, struct campaign *c, uint32_t i, uint32_t *n,
                             struct err *e)
{
    const struct campaign_finding *const f = &c->findings[i];
    bool const is_open = f->bucket == i && f->triage && !f->known_as;
    const char *const name = is_open ? find_smallest_name(q) : NULL;
    (void)e;
    *n += name != NULL;
    for (uint32_t m = 0; m < c->n_findings && name; m++) {
        c->findings[m].known_as = c->findings[m].bucket == i ? name : c->findings[m].known_as;
    }
    return RES_OK;
}

/* Asks of each violation that no known bug has given yet, with the models of its target. */
static enum res ask_all(const struct expected_failures *k, struct journal *j, struct campaign *c,
                        asker *ask_one, uint32_t *n, struct arena *a, struct err *e)
{
    struct arena scratch;
    enum res r = RES_OK;
    arena_init(&scratch, SCRATCH_BYTES);
    *n = 0;
    for (uint32_t t = 0; t < c->n_targets && r == RES_OK; t++) {
        const struct campaign_target *const target = &c->targets[t];
        struct known_bugs known;
        r = expected_failures_list_bugs(k, target->name, target->facts, &known, a, e);
        for (uint32_t i = 0; i < c->n_findings && r == RES_OK && known.n > 0; i++) {
            struct question const q = {.j = j,
                                       .f = &c->findings[i],
                                       .known = &known,
                                       .is_smallest = ask_one == ask_smallest,
                                       .scratch = &scratch};
            if (q.f->target_id == target->id && campaign_is_violation(q.f) &&
                !strstr(q.f->signature, known_mark)) {
                r = ask_one(&q, c, i, n, e);
            }
        }
    }
    arena_free(&scratch);
    return r;
}

enum res known_campaign_explain(const struct expected_failures *k, struct journal *j,
                                struct campaign *c, uint32_t *n, struct arena *a, struct err *e)
{
    return ask_all(k, j, c, ask_kept, n, a, e);
}

enum res known_campaign_explain_smallest(const struct expected_failures *k, struct journal *j,
                                         struct campaign *c, uint32_t *n, struct arena *a,
                                         struct err *e)
{
    return ask_all(k, j, c, ask_smallest, n, a, e);
}

enum res known_campaign_note(struct journal *j, const char *path, struct arena *a, struct err *e)
{
    char *const full = realpath(path, NULL);
    const char *const note = arena_printf(a, "%s", full ? full : path);
    free(full);
    return journal_put_note(j, KNOWN_NOTE, note, e);
}

const char *known_campaign_get_note(struct journal *j, struct arena *a)
{
    const char *const path = journal_get_note(j, KNOWN_NOTE, a);
    return path[0] ? path : NULL;
}
