/* oracle/explain/explain_memo.h -- exact results of mathematical functions, kept from one judgement of a case to the
 * next, since each hypothesis judges the same case again: a hash table of fixed size without chains. */
#pragma once

#include "base/base.h"
#include "oracle/fault/faults_site.h"

struct explain_memo;
struct explain_memo *explain_memo_new(struct arena *a); /* NULL: the arena is full */
/* The entry for the exact result of the site's call. Valid until the next call of this function. */
struct fault_exact *explain_memo_find(struct explain_memo *m, const struct fault_math_site *site);
