/* fuzz/campaign/case_source.h -- where the cases of a campaign come from that the generator does not make. */
#pragma once

#include "fuzz/targets/targets.h"
#include "oracle/judge/judge.h"

/* A numbered supply of cases. Whoever has one calls its functions with `of`. */
struct case_source {
    void *of;
    uint64_t n_per_round; /* after so many indices each thing that it has was given out once */
    /*
     * Case `index` as that target is given it: class, needs and language are set. A function of the source, its seed, the
     * index and the target alone. What the case points to is in `a`, or lives as long as the source.
     * *is_there: false where the index gives no case for this target, which then counts as skipped. RES_NOMEM.
     */
    enum res (*make)(void *of, uint64_t index, const struct target *t, struct arena *a,
                     struct testcase *out, bool *is_there, struct err *e);
    /* After the judgement of a run: a driver may end in any way where the case itself may have caused that. */
    void (*excuse)(void *of, const struct testcase *tc, const struct observation *ob,
                   struct arena *a, struct judgement *g);
};
