/* oracle/judge/judge_report.h -- what the judge finds and counts, into its judgement. */
#pragma once

#include "oracle/judge/judge_state.h"

struct coverage *judge_coverage(struct judge *j, uint32_t opcode, enum val_type type,
                                enum storage storage);
/* A new finding of this grade: NULL when it is not kept. Sets kind and counts. */
struct finding *judge_finding(struct judge *j, enum verdict_kind kind, enum clause_id clause,
                              enum grade grade);
/* "normal,qnan": for signatures. */
const char *judge_classes(struct judge *j, int is_float, enum fmt_id fmt, const uint64_t *enc,
                          uint32_t n);
