/* oracle/suspect/suspect_memo.h -- exact results of calls, kept from one judgement of a case to the next. */
#pragma once

#include "base/base.h"
#include "oracle/fault/faults_site.h"

struct suspect_memo;
struct suspect_memo *suspect_memo_new(struct arena *a); /* NULL: the arena is full */
/* Where the exact result of the site's call is kept, or will be; until the next call of this. */
struct fault_exact *suspect_memo_find(struct suspect_memo *m, const struct fault_math_site *site);
