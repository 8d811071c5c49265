/* oracle/modorder/mo_sum.h -- cells whose updates were not observed. */
#pragma once

#include "oracle/modorder/mo_job.h"

enum sum_answer {
    SUM_NO,     /* nothing to say about these events */
    SUM_OK,     /* the final value is the only possible one, or an order was found */
    SUM_INSIDE, /* the final value keeps the bound */
    SUM_WRONG   /* the final value is impossible; expected is then the one, if there is one */
};
struct mo_sum {
    enum sum_answer answer;
    bool is_exact; /* `expected` is the only possible final value */
    uint64_t expected;
};
/* Of locations that no event, or only some, saw: what the final value says. */
void mo_sum_check(const struct mo_job *j, struct mo_sum *out);
