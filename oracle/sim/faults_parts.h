/* oracle/sim/faults_parts.h -- what the files of planted faults share. */
#pragma once

#include "oracle/sim/faults_math.h"

/* Is this a min or max of floats? */
int fault_is_extreme(uint32_t op);
/* oracle/sim/faults_lane.c: faults that hand out other results; 0 where nothing was changed. */
int fault_change_results(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                         uint64_t *result);

/* oracle/sim/faults_math.c: an encoding's value; and a double rounded to a format, to nearest. */
double fault_decode(enum fmt_id fmt, uint64_t enc);
uint64_t fault_encode(enum fmt_id fmt, double v);
const struct float_format *fault_format(const struct fault_math_site *s);
int fault_is_finite(const struct float_format *f, uint64_t enc);
/* The exact result, off by its bound and `by` ulps; 0: there is no such number. */
int fault_move_past(const struct fault_math_site *s, double by, uint64_t *out);
/* oracle/sim/faults_func.c: may the fault be about this function? What it gives; 0: it does not arise. */
int fault_is_about(enum fault_id id, enum func_id func);
int fault_change_function(enum fault_id id, const struct fault_math_site *s, uint64_t *out);

/* oracle/sim/faults_edge.c: may the fault be about this row of ops.def? What it gives; 0: it does not arise. */
bool fault_is_about_op(enum fault_id id, int op);
int fault_change_edge(enum fault_id id, const struct fault_math_site *s, uint64_t *out);

/* oracle/sim/faults_term.c */
bool fault_change_term(enum fault_id id, const struct fault_math_site *s, uint64_t *out);
