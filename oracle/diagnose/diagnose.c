/* oracle/diagnose/diagnose.c -- each fault of the table as a hypothesis. */
#include "oracle/diagnose/diagnose.h"

#include <stdlib.h>

#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/suspect/suspect.h"

struct diagnose {
    uint32_t n_cases;
    struct explanation all[FAULT_N];
};

struct diagnose *diagnose_new(struct arena *a)
{
    struct diagnose *d = ARENA_NEW(a, struct diagnose, 1);
    for (int id = 0; d && id < FAULT_N; id++) {
        d->all[id].plan =
            (struct fault_plan){.id = (enum fault_id)id, .op = -1, .type = -1, .storage = -1};
    }
    return d;
}

/* The plan is about what the case shows first: its instruction and type. */
static void aim(struct fault_plan *p, const struct finding *f)
{
    if (p->op != -1 && p->op != f->op) {
        return;
    }
    p->op = f->op;
    p->type = f->op < 0 ? -1 : (int)f->type;
}

/* The finding that the case shows first of those that name an instruction. */
static const struct finding *find_named(const struct judgement *g)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        if (g->findings[i].op >= 0) {
            return &g->findings[i];
        }
    }
    return &g->findings[0];
}

/* The findings of the case that are found under the suspicion, too; all of them where the run cannot be judged
 * to its end under it. */
static uint32_t count_left(const struct judgement *before, const struct judgement *under)
{
    bool const is_cut = under->n_inconclusive > before->n_inconclusive;
    return is_cut || under->n_found > before->n_found ? before->n_found : under->n_found;
}

static enum res try_one(struct explanation *x, const struct testcase *tc,
                        const struct observation *ob, const struct judgement *g,
                        struct arena *scratch, struct err *e)
{
    struct suspicion s = {.plan = x->plan};
    struct judgement under;
    struct arena_mark const mark = arena_get_mark(scratch);
    aim(&s.plan, find_named(g));
    enum res const r = judge_run_suspecting(tc, ob, &s, scratch, &under, e);
    if (r == RES_OK) {
        x->plan = s.plan;
        x->n_found += g->n_found;
        x->n_left += count_left(g, &under);
        x->n_taken += s.n_taken;
        x->n_kept += s.n_kept;
        x->n_free += s.n_free;
        for (uint32_t i = 0; i < g->n_findings; i++) {
            x->n_other_kind += g->findings[i].kind != fault_rows[x->plan.id].expect;
        }
    }
    arena_release(scratch, mark);
    return r == RES_NOMEM ? RES_OK : r;
}

enum res diagnose_add(struct diagnose *d, const struct testcase *tc, const struct observation *ob,
                      const struct judgement *g, struct arena *scratch, struct err *e)
{
    if (g->n_findings == 0 || ob->status != RUN_DONE) {
        return RES_OK;
    }
    d->n_cases++;
    for (int id = 0; id < FAULT_N; id++) {
        if (fault_rows[id].expect != VERDICT_OK) { /* what is legal explains nothing */
            TRY(try_one(&d->all[id], tc, ob, g, scratch, e));
        }
    }
    return RES_OK;
}

/* Negative: a is the better explanation. */
static int compare(const void *a, const void *b)
{
    const struct explanation *x = a, *y = b;
    uint64_t const agrees_x = (uint64_t)x->n_taken * (y->n_taken + y->n_kept);
    uint64_t const agrees_y = (uint64_t)y->n_taken * (x->n_taken + x->n_kept);
    if (x->n_left != y->n_left) {
        return x->n_left < y->n_left ? -1 : 1;
    }
    if (agrees_x != agrees_y) {
        return agrees_x > agrees_y ? -1 : 1;
    }
    if (x->n_free != y->n_free) {
        return x->n_free < y->n_free ? -1 : 1;
    }
    if (x->n_other_kind != y->n_other_kind) {
        return x->n_other_kind < y->n_other_kind ? -1 : 1;
    }
    return (int)x->plan.id - (int)y->plan.id;
}

void diagnose_rank(const struct diagnose *d, struct diagnosis_list *out)
{
    struct explanation some[FAULT_N];
    uint32_t n = 0;
    for (int id = 0; id < FAULT_N; id++) {
        if (d->all[id].n_left < d->all[id].n_found) {
            some[n++] = d->all[id];
        }
    }
    qsort(some, n, sizeof *some, compare);
    *out = (struct diagnosis_list){.n_cases = d->n_cases,
                                   .n = n < DIAGNOSE_MAX_NAMED ? n : DIAGNOSE_MAX_NAMED};
    for (uint32_t i = 0; i < out->n; i++) {
        out->named[i] = some[i];
    }
}
