/* oracle/explain/explain_memo.h -- exact results of calls, kept from one judgement of a case to the next. */
#pragma once

#include "base/base.h"
#include "oracle/fault/faults_site.h"

struct explain_memo;
struct explain_memo *explain_memo_new(struct arena *a); /* NULL: the arena is full */
/* Where the exact result of the site's call is kept, or will be; until the next call of this. */
struct fault_exact *explain_memo_find(struct explain_memo *m, const struct fault_math_site *site);
