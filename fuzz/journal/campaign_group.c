/* fuzz/journal/campaign_group.c -- the findings of a campaign as buckets. */
#include "fuzz/journal/campaign_group.h"

#include <string.h>

#include "fuzz/journal/bucket.h"
#include "oracle/judgement/judgement.h"

/* Group n findings of one target and class, number at[0], at[1], ... of c->findings, into buckets: each gets the
 * number of the finding that names its bucket, its core and its family. That finding also gets the sum n_all of its
 * bucket. of[i] is the index in at[] of the one that names the bucket of at[i]. */
static enum res group(struct campaign *c, const uint32_t *at, uint32_t n, struct arena *a,
                      struct err *e)
{
    struct signature *signatures = ARENA_NEW(a, struct signature, n);
    uint32_t *of = ARENA_NEW(a, uint32_t, n);
    if (!signatures || !of) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct campaign_finding *const f = &c->findings[at[i]];
        signatures[i] = signature_parse(f->signature, a);
        if (f->expected) { /* a row's are one bucket, however they are known */
            signatures[i].known = f->expected->signature;
        } else if (f->known_as) {
            signatures[i].known = f->known_as;
        }
    }
    TRY(bucket_group(signatures, n, a, of, e));
    for (uint32_t i = 0; i < n; i++) {
        struct campaign_finding *f = &c->findings[at[i]];
        f->bucket = at[of[i]];
        f->core = signatures[i].core;
        f->family = signatures[i].family;
        c->findings[f->bucket].n_all += f->n_in_bucket;
    }
    return RES_OK;
}

/* May what triage found out join the bucket that this finding names with another? What a row or a known bug stands
 * for is a bucket by that. */
static bool is_open_bucket(const struct campaign *c, uint32_t i)
{
    const struct campaign_finding *const f = &c->findings[i];
    return f->bucket == i && f->triage && !f->expected && !f->known_as;
}

bool campaign_is_bug_of(const struct campaign_triage *t, const char *core, const char *bug)
{
    return (t->bug[0] && strcmp(t->bug, bug) == 0) ||
           (t->first_wrong[0] && core_is_of(core, t->first_wrong));
}

/* Is bucket `other` the bug of bucket `head`? */
static bool is_same_bug(const struct campaign_finding *head, const struct campaign_finding *other)
{
    return head->target_id == other->target_id && strcmp(head->class, other->class) == 0 &&
           campaign_is_bug_of(other->triage, head->core, head->triage->bug);
}

/* Bucket `other` becomes part of that of `head`. */
static void join(struct campaign *c, uint32_t head, uint32_t other)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (c->findings[i].bucket == other) {
            c->findings[i].bucket = head;
        }
    }
    c->findings[head].n_all += c->findings[other].n_all;
    c->findings[other].n_all = 0;
}

/* Every bucket that is the bug of this one joins it. */
static void join_to(struct campaign *c, uint32_t head)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (i != head && is_open_bucket(c, i) && is_same_bug(&c->findings[head], &c->findings[i])) {
            join(c, head, i);
        }
    }
}

/* Join the buckets that triage found to be one bug; those first whose case was made smaller, which name it. */
static void join_by_triage(struct campaign *c)
{
    for (uint32_t head = 0; head < c->n_findings; head++) {
        if (is_open_bucket(c, head) && c->findings[head].triage->n_before > 0) {
            join_to(c, head);
        }
    }
    for (uint32_t head = 0; head < c->n_findings; head++) {
        if (is_open_bucket(c, head)) {
            join_to(c, head);
        }
    }
}

/* May the two be of one bucket? What another driver does, or with a case of another class, is another bug; and what is
 * permitted names no bug. */
static bool is_alike(const struct campaign_finding *x, const struct campaign_finding *y)
{
    return x->target_id == y->target_id && strcmp(x->class, y->class) == 0 &&
           campaign_is_violation(x) == campaign_is_violation(y);
}

enum res campaign_group(struct campaign *c, struct arena *a, struct err *e)
{
    /* findings that are alike, which are grouped among themselves */
    uint32_t *at = ARENA_NEW(a, uint32_t, c->n_findings + 1);
    unsigned char *is_done = ARENA_NEW(a, unsigned char, c->n_findings + 1);
    if (!at || !is_done) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        c->findings[i].n_all = 0;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        uint32_t n = 0;
        if (is_done[i]) {
            continue;
        }
        for (uint32_t k = i; k < c->n_findings; k++) {
            if (is_alike(&c->findings[i], &c->findings[k])) {
                at[n++] = k;
                is_done[k] = 1;
            }
        }
        TRY(group(c, at, n, a, e));
    }
    join_by_triage(c);
    return RES_OK;
}
