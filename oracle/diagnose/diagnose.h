/* oracle/diagnose/diagnose.h -- ranks the faults of the table as explanations of a case's findings: each
 * hypothesis is tried by judging the case under it, and scored by findings explained and by values that agree. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/judgement/judgement.h"

enum {
    DIAGNOSE_MAX_NAMED = 8
};

/* A fault as the explanation of the findings of one or more cases of a bug. */
struct explanation {
    struct fault_plan plan;   /* op, type -1: wherever it fits */
    uint32_t n_found, n_left; /* findings in all, and of these such as are found under it, too */
    uint32_t n_taken;         /* values that are right under it alone */
    uint32_t n_kept;       /* values that it would have changed, and that were right all the same */
    uint32_t n_free;       /* bits that it leaves open at those taken */
    uint32_t n_other_kind; /* findings that have another verdict than the fault is told by */
};
struct diagnosis_list {
    uint32_t n_cases;
    uint32_t n; /* explanations of at least one finding, best first */
    struct explanation named[DIAGNOSE_MAX_NAMED];
};

/* Hypotheses while cases of a bug are added. */
struct diagnose;
struct diagnose *diagnose_new(struct arena *a); /* NULL: the arena is full */
/* This fault is not named: as if nobody knew it. */
void diagnose_leave_out(struct diagnose *d, enum fault_id id);
/* One more case of the bug and what was observed of it; g: its judgement. `scratch` is as it was afterwards. */
MUST_USE enum res diagnose_add(struct diagnose *d, const struct testcase *tc,
                               const struct observation *ob, const struct judgement *g,
                               struct arena *scratch, struct err *e);
/* Those that explain something: first those that explain most, then those that disagree least with what was
 * right, those that leave least open, those that are about fewer sites, and those that are told by the verdict that was found. */
void diagnose_rank(const struct diagnose *d, struct diagnosis_list *out);
/* What this fault explains. */
const struct explanation *diagnose_get(const struct diagnose *d, enum fault_id id);
enum {
    DIAGNOSE_OPEN_BITS = 8, /* so much left open for each value explains nothing */
    DIAGNOSE_AGREES = 4     /* values taken for each one that was right all the same */
};
/* Does it explain every finding of every case: by values that were seen, that follow from it, and where it
 * would act it does? */
static inline bool explanation_is_whole(const struct explanation *x)
{
    return x->n_left == 0 && x->n_taken > 0 && x->n_taken >= DIAGNOSE_AGREES * x->n_kept &&
           x->n_free < DIAGNOSE_OPEN_BITS * x->n_taken;
}
/* Does it explain every finding by values that follow from it, though not everywhere where it would act it does? */
static inline bool explanation_is_possible(const struct explanation *x)
{
    return x->n_left == 0 && x->n_found > 0 && x->n_free < DIAGNOSE_OPEN_BITS * x->n_found;
}
/* Do two explain the same, as well, from as many sites? Then what was seen cannot tell them apart. */
static inline bool explanation_is_equal(const struct explanation *x, const struct explanation *y)
{
    return x->n_left == y->n_left && x->n_taken == y->n_taken && x->n_kept == y->n_kept &&
           x->n_free == y->n_free;
}
