/* fuzz/journal/journal_finding.h -- one finding in the journal: its case, what triage found out about it. */
#pragma once

#include "fuzz/journal/campaign_data.h"

struct journal_light {
    int64_t id;
    uint64_t case_index, n_bytes; /* of the case as it is kept */
};
/* Of all findings with this one's target, class and signature the one whose kept case is the smallest.
 * RES_USAGE: none was kept with its case. */
MUST_USE enum res journal_find_lightest(struct journal *j, int64_t finding_id,
                                        struct journal_light *out, struct err *e);
/* The oldest findings with this one's target, class and signature whose cases are kept: *n of them, at most max. */
MUST_USE enum res journal_list_kept(struct journal *j, int64_t finding_id, uint32_t max,
                                    int64_t *ids, uint32_t *n, struct err *e);
/* A finding's case and observation, to replay or judge again. RES_USAGE: no such finding, or its
 * bucket was so full that only the finding itself was kept. */
MUST_USE enum res journal_get_case(struct journal *j, int64_t finding_id, struct arena *a,
                                   struct testcase *tc, struct observation *ob, struct err *e);
/* The smallest case of a finding, or before triage made one its own, with the judgement: the one that was kept with it,
 * or if there is none, the case is judged now. */
struct journal_judged {
    struct testcase tc;
    struct observation ob;
    struct judgement judgement;
    bool is_own; /* the finding's own case: its texts in the campaign are of this one */
};
MUST_USE enum res journal_get_judged(struct journal *j, int64_t finding_id, struct arena *a,
                                     struct journal_judged *out, struct err *e);
/* Which target and verdict a finding is of. RES_USAGE: no such finding. */
struct journal_finding {
    const char *target, *verdict, *signature;
    uint64_t case_index;
};
MUST_USE enum res journal_get_finding(struct journal *j, int64_t finding_id, struct arena *a,
                                      struct journal_finding *out, struct err *e);
/* What was found out about the bucket of a finding, with its smallest case, which is judged for that; replaces what is
 * there. */
MUST_USE enum res journal_put_triage(struct journal *j, int64_t finding_id,
                                     const struct campaign_triage *t, const struct testcase *tc,
                                     const struct observation *ob, struct arena *scratch,
                                     struct err *e);
/* Its smallest case and the observation. RES_USAGE: there is none. */
MUST_USE enum res journal_get_smallest(struct journal *j, int64_t finding_id, struct arena *a,
                                       struct testcase *tc, struct observation *ob, struct err *e);
/* The tape of a case. RES_USAGE: it is not kept. */
MUST_USE enum res journal_get_tape(struct journal *j, uint64_t case_index, struct arena *a,
                                   const unsigned char **tape, size_t *n, struct err *e);
