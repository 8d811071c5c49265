/* fuzz/campaign/campaign_count.c -- how many bugs a campaign has. */
#include "fuzz/campaign/campaign_count.h"

#include "fuzz/journal/journal_load.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/process/child_time.h"
#include "oracle/tables/tables.h"

#define COUNT_ARENA_BYTES ((size_t)256 << 20)

bool campaign_names_bug(const struct campaign *c, uint32_t i)
{
    const struct campaign_finding *const x = &c->findings[i];
    return x->bucket == i && campaign_is_violation(x) && campaign_find_target(c, x->target_id);
}

struct campaign_bugs campaign_count_bugs(const struct campaign *c)
{
    struct campaign_bugs n = {.n_new = 0};
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *const x = &c->findings[i];
        if (campaign_names_bug(c, i)) {
            n.n_known += x->expected != NULL;
            n.n_new += x->expected == NULL;
            n.n_open += !x->expected && !x->triage;
        }
    }
    return n;
}

static uint64_t count_signatures(struct journal *j)
{
    uint64_t n = 0;
    for (int v = 0; v < VERDICT_N; v++) {
        if (verdict_rows[v].part == PART_VIOLATION) {
            n += journal_count_buckets(j, verdict_rows[v].name);
        }
    }
    return n;
}

void campaign_count_again(struct campaign_counter *n, struct journal *j,
                          struct expected_failures *known)
{
    struct arena a;
    struct campaign c;
    struct err ignored; /* an error leaves the count as it was, until the next new signature */
    uint64_t const n_signatures = count_signatures(j);
    if (n_signatures == n->n_signatures) {
        return;
    }
    arena_init(&a, COUNT_ARENA_BYTES);
    enum res r = journal_load(j, &a, &c, &ignored);
    if (r == RES_OK && known) {
        r = expected_failures_mark(known, &c, &a, &ignored);
    }
    if (r == RES_OK) {
        struct campaign_bugs const bugs = campaign_count_bugs(&c);
        uint64_t const n_bugs = bugs.n_new + bugs.n_known;
        n->new_ns = n->n_signatures > 0 && n_bugs > n->n_bugs ? child_now_ns() : n->new_ns;
        n->n_bugs = n_bugs;
    }
    n->n_signatures = n_signatures;
    arena_free(&a);
}
